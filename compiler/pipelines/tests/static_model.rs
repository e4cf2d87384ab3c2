//! Programs whose device code becomes host functions compute what the input says.

use std::sync::Arc;

use tegula_diag::Sources;
use tegula_eval::{ScalarType, Tensor};
use tegula_ir::Module;
use tegula_ir::text::parse_module;
use tegula_pass::{NoInstrument, Plan, Settings, run_pipeline};
use tegula_pipelines::{Phase, Setup, evaluate, source_signature};

const STATIC: &str = "iree-hal-inline-static-transformation-pipeline";

fn setup() -> Arc<Setup> {
    let backend = ("iree-hal-target-backends".to_owned(), "vmvx-inline".to_owned());
    Setup::new(Settings::from_iter([backend]), [])
}

fn parse(setup: &Setup, text: &str) -> Module {
    let mut sources = Sources::new();
    let id = sources.add_virtual("input.mlir", text);
    let (module, _, diagnostics) = parse_module(&setup.registry, id, text);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    module
}

/// The module after the road to commands and the pipeline of the static model.
fn inlined(setup: &Setup, text: &str) -> Module {
    let pipeline =
        format!("{},{STATIC})", Phase::Stream.pipeline_from(Phase::Input).trim_end_matches(')'));
    let plan = Plan::new(&setup.passes, &pipeline, &[]).expect("a plan");
    let poll = || {};
    let run = run_pipeline(setup.env(&poll, true), &plan, parse(setup, text), &mut NoInstrument);
    let said: Vec<&str> = run.reports.iter().map(|r| r.message.as_str()).collect();
    assert!(said.is_empty(), "{said:?}");
    let gone = |name: &str| matches!(name.split('.').next(), Some("hal" | "memref" | "linalg"));
    let ops = run.value.bodies.iter().flat_map(|b| b.walk_all().map(|op| b.name(op).as_str()));
    let left: Vec<&str> = ops.filter(|name| gone(name) || name.starts_with("stream.")).collect();
    assert!(left.is_empty(), "{left:?}");
    run.value
}

/// Small numbers, or, of integers, such that products and sums of them wrap.
fn numbers(shape: &[i64], seed: i64, elem: ScalarType) -> Tensor {
    let count: i64 = shape.iter().product();
    let mut bytes = Vec::new();
    for at in 0..count {
        let number = (at * 7 + seed) % 11 - 5;
        let bits = match elem {
            ScalarType::Float(_) => u64::from((number as f32).to_bits()),
            _ => (number * 400_000_007) as u64,
        };
        let mut one = vec![0; elem.bytes()];
        elem.store(bits, &mut one);
        bytes.extend(one);
    }
    Tensor::from_bytes(shape, elem, bytes).expect("a tensor")
}

/// Runs each function of a program as it was written and as it is in the end.
fn check(text: &str) {
    let setup = setup();
    let (input, output) = (parse(&setup, text), inlined(&setup, text));
    for body in &input.bodies {
        let signature = source_signature(&setup.registry, body, &[]);
        let signature = signature.expect("a public function").expect("a signature");
        let types = signature.params.iter().filter(|p| p.input.is_some()).map(|p| p.ty);
        let inputs: Vec<Tensor> = types
            .enumerate()
            .map(|(seed, ty)| {
                let elem = ty.element().and_then(ScalarType::of).expect("elements");
                numbers(ty.shape().expect("a shape"), seed as i64, elem)
            })
            .collect();
        let wanted = evaluate(&setup, &input, &signature, &inputs).expect("the input runs");
        let found = evaluate(&setup, &output, &signature, &inputs).expect("the output runs");
        assert_eq!(wanted, found, "@{}", signature.function);
        let zeros = wanted.iter().all(|tensor| tensor.data.iter().all(|&byte| byte == 0));
        assert!(!zeros, "@{}: nothing is computed", signature.function);
    }
}

fn matmul([m, n, k]: [i64; 3], elem: &str, zero: &str) -> String {
    format!(
        "func.func @from_zero_{m}x{n}x{k}(%a: tensor<{m}x{k}x{elem}>, %b: tensor<{k}x{n}x{elem}>) -> tensor<{m}x{n}x{elem}> {{
  %zero = arith.constant {zero} : {elem}
  %empty = tensor.empty() : tensor<{m}x{n}x{elem}>
  %start = linalg.fill ins(%zero : {elem}) outs(%empty : tensor<{m}x{n}x{elem}>) -> tensor<{m}x{n}x{elem}>
  %0 = linalg.matmul ins(%a, %b : tensor<{m}x{k}x{elem}>, tensor<{k}x{n}x{elem}>) outs(%start : tensor<{m}x{n}x{elem}>) -> tensor<{m}x{n}x{elem}>
  return %0 : tensor<{m}x{n}x{elem}>
}}
func.func @added_{m}x{n}x{k}(%a: tensor<{m}x{k}x{elem}>, %b: tensor<{k}x{n}x{elem}>, %c: tensor<{m}x{n}x{elem}>) -> tensor<{m}x{n}x{elem}> {{
  %0 = linalg.matmul ins(%a, %b : tensor<{m}x{k}x{elem}>, tensor<{k}x{n}x{elem}>) outs(%c : tensor<{m}x{n}x{elem}>) -> tensor<{m}x{n}x{elem}>
  return %0 : tensor<{m}x{n}x{elem}>
}}
"
    )
}

#[test]
fn integers() {
    check(&matmul([5, 9, 7], "i32", "0"));
}

#[test]
fn one_row_and_one_column() {
    check(&[matmul([1, 13, 4], "i32", "0"), matmul([12, 1, 3], "i32", "0")].concat());
}

#[test]
fn whole_tiles() {
    check(&matmul([16, 8, 12], "i32", "0"));
}

#[test]
fn floats() {
    check(&matmul([6, 10, 5], "f32", "0.0"));
}

/// A result is the operand of the next, and two functions share device code.
#[test]
fn chains() {
    let chain = "\
func.func @twice(%a: tensor<6x6xi32>, %b: tensor<6x6xi32>, %c: tensor<6x6xi32>) -> (tensor<6x6xi32>, tensor<6x6xi32>) {
  %0 = linalg.matmul ins(%a, %b : tensor<6x6xi32>, tensor<6x6xi32>) outs(%c : tensor<6x6xi32>) -> tensor<6x6xi32>
  %1 = linalg.matmul ins(%0, %b : tensor<6x6xi32>, tensor<6x6xi32>) outs(%c : tensor<6x6xi32>) -> tensor<6x6xi32>
  return %0, %1 : tensor<6x6xi32>, tensor<6x6xi32>
}
";
    check(&[chain, &matmul([6, 6, 6], "i32", "0")].concat());
}
