//! `tegula bisect` names the pass after which a program computes something else.

use std::path::Path;
use std::process::{Command, Output};

const MATMUL: &str = "\
func.func @matmul(%A: tensor<5x7xf32>, %B: tensor<7x9xf32>, %C: tensor<5x9xf32>) -> tensor<5x9xf32> {
  %0 = linalg.matmul ins(%A, %B : tensor<5x7xf32>, tensor<7x9xf32>) outs(%C : tensor<5x9xf32>) -> tensor<5x9xf32>
  return %0 : tensor<5x9xf32>
}
";

/// The sixteenth power of a matrix.
const POWERS: &str = "\
func.func @power(%A: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x8xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x8xf32>) -> tensor<8x8xf32>
  %0 = linalg.matmul ins(%A, %A : tensor<8x8xf32>, tensor<8x8xf32>) outs(%start : tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = linalg.matmul ins(%0, %0 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%start : tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = linalg.matmul ins(%1, %1 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%start : tensor<8x8xf32>) -> tensor<8x8xf32>
  %3 = linalg.matmul ins(%2, %2 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%start : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %3 : tensor<8x8xf32>
}
";

/// A dialect of a pattern that drops sums of products where device code is first canonicalized.
const WRONG: &str = r#"
include "tegula/OpBase.td"
include "tegula/Patterns.td"
include "arith/arith.td"

def Wrong_Dialect : Dialect {
  let name = "wrong";
}
def Wrong_Sum : Pattern<"canonicalize", (Arith_AddFOp $x, $y, ?), [(replace $x)]>;
"#;

/// Runs `tegula bisect` on a program, with a live dialect that holds these definitions.
fn bisect(program: &str, definitions: Option<&str>) -> Output {
    tegula(&["bisect"], program, definitions)
}

/// Runs a command on a program, with a live dialect that holds these definitions.
fn tegula(args: &[&str], program: &str, definitions: Option<&str>) -> Output {
    let folder = tempfile::tempdir().expect("a folder");
    let input = folder.path().join("matmul.mlir");
    std::fs::write(&input, program).expect("the folder can be written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_tegula"));
    command.args(args).arg(&input);
    if let Some(definitions) = definitions {
        let path = folder.path().join("live.td");
        std::fs::write(&path, definitions).expect("the folder can be written");
        let dialects = Path::new(env!("CARGO_MANIFEST_DIR")).join("dialects");
        command.arg("--dialect").arg(path).arg("-I").arg(dialects);
    }
    command.output().expect("the program starts")
}

#[test]
fn bisect_finds_nothing_wrong() {
    let output = bisect(MATMUL, None);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}");
    assert!(text.contains("passes is right"), "{text}");
    let output = tegula(&["bisect", "--every-pass"], MATMUL, None);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("passes keeps the result"), "{text}");
}

/// More tensors than a C entry takes: passes are judged as far as what they leave can be run.
#[test]
fn no_pass_is_to_blame_for_many_tensors() {
    let args: Vec<String> = (0..8).map(|at| format!("%a{at}: tensor<3x3xf32>")).collect();
    let program = format!(
        "func.func @many({}) -> tensor<3x3xf32> {{
  %0 = linalg.matmul ins(%a0, %a1 : tensor<3x3xf32>, tensor<3x3xf32>) outs(%a7 : tensor<3x3xf32>) -> tensor<3x3xf32>
  return %0 : tensor<3x3xf32>
}}
",
        args.join(", ")
    );
    let output = bisect(&program, None);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}");
    assert!(text.contains("passes is right") && text.contains("no C entry"), "{text}");
}

#[test]
fn bisect_names_the_pass_that_a_wrong_pattern_breaks() {
    let output = bisect(MATMUL, Some(WRONG));
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{text}{errors}");
    assert!(text.contains("first wrong after canonicalize#"), "{text}{errors}");
    assert!(text.contains("gives another result"), "{text}{errors}");
    let one_by_one = tegula(&["bisect", "--every-pass"], MATMUL, Some(WRONG));
    assert_eq!(one_by_one.status.code(), Some(1));
    assert_eq!(String::from_utf8_lossy(&one_by_one.stdout), text);
}

#[test]
fn bisect_blames_nobody_for_rounding() {
    let output = bisect(POWERS, None);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.contains("error[inexact]"), "{errors}");
}

/// Whether `run --check` on random inputs finds a program's results right; what it says.
fn checked(args: &[&str], program: &str, definitions: Option<&str>) -> (bool, String) {
    let args = [&["run", "--check"], args].concat();
    let output = tegula(&args, program, definitions);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(errors, "");
    (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The errors of one product are the inputs of the next: sums that cancel are off by many times
/// their own size, and yet as good as f32 can make them.
#[test]
fn rounding_goes_on_through_chains() {
    for seed in ["--random=1", "--random=2", "--random=3"] {
        let (fine, text) = checked(&[seed], POWERS, None);
        assert!(fine && text.contains("; rounding allows for it"), "{seed}: {text}");
    }
}

#[test]
fn a_wrong_result_is_more_than_rounding() {
    let args = ["--random=1", "--interpret=iree-stream-conversion"];
    let (fine, text) = checked(&args, MATMUL, Some(WRONG));
    assert!(!fine && text.contains("result 0: FAIL"), "{text}");
}
