//! How functions are called, as the runtime reads it: `0rIi_r`, repeated arguments as `C…D`.

use tegula_dialect_vm::is_ref;
use tegula_ir::{Attr, Body, OpId, Type, TypeData};

/// The convention of a function or import; none when a type cannot be passed.
pub(crate) fn convention(body: &Body, op: OpId) -> Option<String> {
    let ty = body.attr(op, "function_type").and_then(Attr::as_type)?;
    let (inputs, results) = ty.as_function()?;
    let about = body.attr(op, "arg_attrs").and_then(Attr::as_array).unwrap_or(&[]);
    let repeated =
        |at: usize| about.get(at).is_some_and(|about| about.get("vm.variadic").is_some());
    let mut out = String::from("0");
    for (at, &ty) in inputs.iter().enumerate() {
        out.push_str(if repeated(at) { "C" } else { "" });
        out.push_str(&letters(ty)?);
        out.push_str(if repeated(at) { "D" } else { "" });
    }
    out.push_str(if inputs.is_empty() { "v_" } else { "_" });
    for &ty in results {
        out.push_str(&letters(ty)?);
    }
    out.push_str(if results.is_empty() { "v" } else { "" });
    Some(out)
}

fn letters(ty: Type) -> Option<String> {
    if is_ref(ty) {
        return Some("r".to_owned());
    }
    if let TypeData::Tuple(types) = ty.data() {
        return types.iter().map(|&ty| letters(ty)).collect();
    }
    let (word, pair) = if ty.is_float() { ("f", "F") } else { ("i", "I") };
    match ty.bit_width()? {
        64 => Some(pair.to_owned()),
        width if width <= 32 => Some(word.to_owned()),
        _ => None,
    }
}
