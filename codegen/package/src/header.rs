//! The C header of compiled functions.

use std::fmt::Write;

use crate::abi::is_c_name;
use crate::{Signature, c_type, entry_symbols};

/// The header's text: guarded, usable from C++, three declarations a function. `guard` is made
/// from the file's name.
pub fn c_header(file: &str, signatures: &[&Signature]) -> String {
    let guard = guard(file);
    let mut out = format!(
        "#ifndef {guard}\n#define {guard}\n\n#include <stddef.h>\n#include <stdint.h>\n\n\
         #ifdef __cplusplus\nextern \"C\" {{\n#endif\n"
    );
    for signature in signatures {
        declare(&mut out, signature);
    }
    out.push_str("\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
    out
}

fn declare(out: &mut String, signature: &Signature) {
    let [name, with_workspace, workspace_size] = entry_symbols(&signature.function);
    if !is_c_name(&name) {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "\n// {:?} is no name in C.", signature.function);
        return;
    }
    let params: Vec<String> = signature
        .params
        .iter()
        .map(|param| {
            let constant = if param.output.is_none() { "const " } else { "" };
            format!("{constant}{} *{}", c_type(param.ty).unwrap_or("void"), param.name)
        })
        .collect();
    let _ = writeln!(out);
    for param in &signature.params {
        let shape: Vec<String> =
            param.ty.shape().unwrap_or(&[]).iter().map(|size| size.to_string()).collect();
        let role = match (param.input, param.output) {
            (Some(_), Some(_)) => "read and written",
            (None, Some(_)) => "written",
            _ => "read",
        };
        let _ = writeln!(out, "// {}: {} elements, {role}", param.name, shape.join(" x "));
    }
    let list = if params.is_empty() { "void".to_owned() } else { params.join(", ") };
    let _ = writeln!(out, "void {name}({list});");
    let comma = if params.is_empty() { "" } else { ", " };
    let list = params.join(", ");
    let _ = writeln!(out, "void {with_workspace}({list}{comma}void *workspace);");
    let _ = writeln!(out, "size_t {workspace_size}(void);");
}

/// A macro name for a file name.
fn guard(file: &str) -> String {
    let mut guard = String::from("TEGULA_");
    for c in file.chars() {
        guard.push(if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' });
    }
    guard
}

#[cfg(test)]
mod tests {
    use tegula_ir::Type;

    use super::c_header;
    use crate::{Param, Signature};

    #[test]
    fn declares_entries() {
        let param = |name: &str, shape: &[i64], input, output| Param {
            name: name.into(),
            ty: Type::tensor(shape, Type::f32(), None),
            input,
            output,
        };
        let signature = Signature {
            function: "matmul".into(),
            params: vec![
                param("A", &[3, 5], Some(0), None),
                param("B", &[5, 7], Some(1), None),
                param("C", &[3, 7], Some(2), Some(0)),
                param("result1", &[], None, Some(1)),
            ],
        };
        let unnamed = Signature { function: "double".into(), ..signature.clone() };
        let header = c_header("kernels/matmul.h", &[&signature, &unnamed]);
        assert!(header.contains("\n// \"double\" is no name in C.\n"), "{header}");
        assert!(!header.contains("void double"), "{header}");
        let lines: Vec<&str> = header.lines().collect();
        assert_eq!(lines[0], "#ifndef TEGULA_KERNELS_MATMUL_H");
        assert!(
            lines.contains(
                &"void matmul(const float *A, const float *B, float *C, float *result1);"
            )
        );
        assert!(lines.contains(
            &"void matmul_ws(const float *A, const float *B, float *C, float *result1, \
              void *workspace);"
        ));
        assert!(lines.contains(&"// C: 3 x 7 elements, read and written"));
        assert!(lines.contains(&"size_t matmul_workspace_size(void);"));
    }
}
