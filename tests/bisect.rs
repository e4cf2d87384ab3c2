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

/// Runs `tegula bisect` on a program, with a live dialect that holds these definitions.
fn bisect(program: &str, definitions: Option<&str>) -> Output {
    let folder = tempfile::tempdir().expect("a folder");
    let input = folder.path().join("matmul.mlir");
    std::fs::write(&input, program).expect("the folder can be written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_tegula"));
    command.arg("bisect").arg(&input);
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
    assert!(text.contains("passes keep the result"), "{text}");
}

#[test]
fn bisect_names_the_pass_that_a_wrong_pattern_breaks() {
    // Sums of products are dropped where device code is first canonicalized.
    let output = bisect(
        MATMUL,
        Some(
            r#"
include "tegula/OpBase.td"
include "tegula/Patterns.td"
include "arith/arith.td"

def Wrong_Dialect : Dialect {
  let name = "wrong";
}
def Wrong_Sum : Pattern<"canonicalize", (Arith_AddFOp $x, $y, ?), [(replace $x)]>;
"#,
        ),
    );
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{text}{errors}");
    assert!(text.contains("first wrong after canonicalize#"), "{text}{errors}");
    assert!(text.contains("gives another result"), "{text}{errors}");
}

#[test]
fn bisect_blames_nobody_for_rounding() {
    let output = bisect(POWERS, None);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.contains("error[inexact]"), "{errors}");
}
