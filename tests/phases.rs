//! What one phase writes another run goes on from, to the same code.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const PHASES: [&str; 9] = [
    "input",
    "abi",
    "global-optimization",
    "dispatch-creation",
    "flow",
    "stream",
    "executable-sources",
    "executable-configurations",
    "executable-targets",
];

fn tegula(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tegula")).args(args).output().expect("the program starts")
}

fn done(args: &[&str]) {
    let output = tegula(args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// What the instructions of a program are. Names of what is shared differ: text has numbers for
/// them.
fn mnemonics(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).expect("the output");
    let first = text.lines().filter_map(|line| line.strip_prefix('\t')?.split(['\t', ' ']).next());
    first.map(str::to_owned).collect()
}

#[test]
fn every_phase_is_a_place_to_begin() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name);
    let program = file("program.mlir");
    let text = "func.func @f(%a: tensor<9x4xf32>, %b: tensor<4x5xf32>) -> tensor<9x5xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<9x5xf32>
  %c = linalg.fill ins(%z : f32) outs(%e : tensor<9x5xf32>) -> tensor<9x5xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<9x4xf32>, tensor<4x5xf32>)
                     outs(%c : tensor<9x5xf32>) -> tensor<9x5xf32>
  return %0 : tensor<9x5xf32>
}\n";
    fs::write(&program, text).expect("the program");
    let whole = file("whole.s");
    let shown = |path: &Path| path.to_str().expect("a name").to_owned();
    done(&["compile", &shown(&program), "-o", &shown(&whole)]);
    for phase in PHASES {
        let (ir, rest) = (file(&format!("{phase}.mlir")), file(&format!("{phase}.s")));
        let to = format!("--compile-to={phase}");
        done(&["compile", &shown(&program), &to, "-o", &shown(&ir)]);
        let from = format!("--compile-from={phase}");
        done(&["compile", &shown(&ir), &from, "-o", &shown(&rest)]);
        assert!(mnemonics(&rest) == mnemonics(&whole), "{phase}");
        let inputs = ["--input=9x4xf32=1", "--input=4x5xf32=2", "--expected-output=9x5xf32=8"];
        done(&[&["run", &shown(&ir), &from][..], &inputs].concat());
    }
}

#[test]
fn phases_have_an_order() {
    let args = ["compile", "-", "--compile-from=stream", "--compile-to=flow"];
    let output = tegula(&args);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(text.contains("the phase flow comes before stream"), "{text}");
    assert!(text.contains("--compile-from=stream"), "{text}");
}
