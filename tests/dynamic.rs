//! Programs that load their device code: from stream commands to a library in the program, by the
//! pipeline of the dynamic execution model.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tegula_toolchain::Search;

/// Two functions of one shape, and one that passes a result on.
const PROGRAM: &str = "\
func.func @plain(%a: tensor<8x12xf32>, %b: tensor<12x16xf32>, %c: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<8x12xf32>, tensor<12x16xf32>) outs(%c : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}
func.func @again(%a: tensor<8x12xf32>, %b: tensor<12x16xf32>, %c: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<8x12xf32>, tensor<12x16xf32>) outs(%c : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}
func.func @odd(%a: tensor<3x5xf32>, %b: tensor<5x7xf32>) -> tensor<3x7xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<3x7xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<3x7xf32>) -> tensor<3x7xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<3x5xf32>, tensor<5x7xf32>) outs(%start : tensor<3x7xf32>) -> tensor<3x7xf32>
  return %0 : tensor<3x7xf32>
}
";

fn tegula(folder: &Path, args: &[&str], path: Option<&str>) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tegula"));
    command.args(args).current_dir(folder).env("COLUMNS", "100");
    if let Some(path) = path {
        for name in ["TEGULA_AS", "TEGULA_CC", "TEGULA_QEMU"] {
            command.env_remove(name);
        }
        command.env("PATH", path);
    }
    command.output().expect("the program runs")
}

/// Whether there are tools to make a library with; what is said where there are none is tested by
/// [`no_assembler`].
fn can_link() -> bool {
    let toolchain = Search::from_env().toolchain();
    let error = toolchain.assembler.err().or(toolchain.linker.err());
    if let Some(error) = &error {
        eprintln!("no library is made here: {error}");
    }
    error.is_none()
}

fn check(name: &str, text: &str) {
    let mut settings = insta::Settings::new();
    let snapshots = Path::new(env!("CARGO_MANIFEST_DIR")).join("snapshots/dynamic");
    settings.set_snapshot_path(snapshots);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

/// A folder with the stream commands of the program in `program.mlir`.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("input.mlir"), PROGRAM).expect("a file");
    let args = ["compile", "input.mlir", "--compile-to=stream", "-o", "program.mlir"];
    let ran = tegula(folder.path(), &args, None);
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    folder
}

const DYNAMIC: [&str; 5] = [
    "opt",
    "program.mlir",
    "--iree-hal-inline-dynamic-transformation-pipeline",
    "-o",
    "loaded.mlir",
];

#[test]
fn a_program_holds_its_library() {
    if !can_link() {
        return;
    }
    let folder = folder();
    let ran = tegula(folder.path(), &DYNAMIC, None);
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let text = fs::read_to_string(folder.path().join("loaded.mlir")).expect("the output");
    let (before, rest) = text.split_once("dense<\"0x").expect("a binary");
    let (digits, after) = rest.split_once("\"> : vector<").expect("its end");
    let (length, after) = after.split_once("xi8>").expect("its type");
    assert_eq!(length.parse::<usize>().expect("a number") * 2, digits.len());
    let byte = |at: usize| u8::from_str_radix(&digits[at * 2..at * 2 + 2], 16).expect("digits");
    // An ELF file of 64 bits, a shared object, for AArch64.
    let kind = [0, 1, 2, 3, 4, 16, 18].map(byte);
    assert_eq!(kind, [0x7f, b'E', b'L', b'F', 2, 3, 0xb7]);
    let hex = |text: &str| text.bytes().map(|b| format!("{b:02X}")).collect::<String>();
    assert!(digits.contains(&hex("iree_hal_executable_library_query")), "no entry");
    // What needs nothing asks for no symbol of another library.
    assert!(!digits.contains(&hex("malloc")), "an import");
    check("loaded", &format!("{before}<the library>{after}"));
    // The same again, byte for byte.
    let ran = tegula(folder.path(), &DYNAMIC, None);
    assert!(ran.status.success());
    assert_eq!(fs::read_to_string(folder.path().join("loaded.mlir")).expect("the output"), text);
}

/// Names that depend on the module are the same in the program and in its library, also when no
/// text lies between the passes.
#[test]
fn a_library_has_the_names_of_text() {
    if !can_link() {
        return;
    }
    let folder = folder();
    let pipeline = "--pass-pipeline=builtin.module(iree-abi-transformation-pipeline,\
        iree-hal-device-assignment-pipeline,iree-global-optimization-transformation-pipeline,\
        iree-dispatch-creation-pipeline,iree-flow-transformation-pipeline,\
        iree-stream-transformation-pipeline,iree-hal-inline-dynamic-transformation-pipeline)";
    let ran = tegula(folder.path(), &["opt", "input.mlir", pipeline, "-o", "direct.mlir"], None);
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let ran = tegula(folder.path(), &DYNAMIC, None);
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let [direct, loaded] = ["direct.mlir", "loaded.mlir"].map(|name| {
        let text = fs::read_to_string(folder.path().join(name)).expect("the output");
        // Both are called after their files.
        text.replace("@input_linked", "@program_linked").replace("%input_linked", "%program_linked")
    });
    let (_, direct_library) = direct.split_once("dense<\"0x").expect("a binary");
    let (_, loaded_library) = loaded.split_once("dense<\"0x").expect("a binary");
    let name = "_encoding_0_encode_8x12xf32_to_8x12xf32";
    let digits: String = name.bytes().map(|b| format!("{b:02X}")).collect();
    assert!(direct.contains(name) && loaded.contains(name));
    assert!(direct_library.contains(&digits) && loaded_library.contains(&digits));
}

#[test]
fn no_assembler() {
    let folder = folder();
    let ran = tegula(folder.path(), &DYNAMIC, Some("/nowhere"));
    assert_eq!(ran.status.code(), Some(1));
    assert!(ran.stdout.is_empty());
    assert!(!folder.path().join("loaded.mlir").exists());
    let said = String::from_utf8(ran.stderr).expect("UTF-8 text");
    if cfg!(all(target_arch = "x86_64", target_os = "linux")) {
        check("no_assembler", &said);
    }
}
