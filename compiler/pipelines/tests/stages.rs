//! The road can be run after every pass: the module computes what the input says at each of them.

use tegula_diag::Sources;
use tegula_eval::Tensor;
use tegula_ir::Module;
use tegula_ir::text::parse_module;
use tegula_pass::{NoInstrument, Settings, run_pipeline};
use tegula_pipelines::{Phase, Setup, evaluate, source_signature};

const MATMUL: &str = "\
func.func @matmul(%A: tensor<5x7xf32>, %B: tensor<7x9xf32>, %C: tensor<5x9xf32>) -> tensor<5x9xf32> {
  %0 = linalg.matmul ins(%A, %B : tensor<5x7xf32>, tensor<7x9xf32>) outs(%C : tensor<5x9xf32>) -> tensor<5x9xf32>
  return %0 : tensor<5x9xf32>
}
";

/// An array of small whole numbers, on which nothing rounds.
fn whole(shape: [i64; 2], seed: i64) -> Tensor {
    let count = shape[0] * shape[1];
    let numbers: Vec<f32> = (0..count).map(|at| ((at * 5 + seed) % 9 - 4) as f32).collect();
    Tensor::from_f32(&shape, &numbers).expect("a tensor")
}

fn parse(setup: &Setup) -> Module {
    let mut sources = Sources::new();
    let id = sources.add_virtual("matmul.mlir", MATMUL);
    let (module, _, diagnostics) = parse_module(&setup.registry, id, MATMUL);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    module
}

fn settings() -> Settings {
    [
        ("iree-hal-target-backends", "llvm-cpu"),
        ("iree-llvmcpu-target-cpu", "apple-m4"),
        ("iree-llvmcpu-enable-ukernels", "none"),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .into_iter()
    .collect()
}

#[test]
fn every_pass_keeps_the_result() {
    let setup = Setup::new(settings(), []);
    let input = parse(&setup);
    let signature = source_signature(&setup.registry, &input.bodies[0], &[]);
    let signature = signature.expect("a public function").expect("a signature");
    let inputs = [whole([5, 7], 1), whole([7, 9], 2), whole([5, 9], 3)];
    let wanted = evaluate(&setup, &input, &signature, &inputs).expect("the input runs");
    let mut expected = inputs[2].to_f32().expect("floats");
    let (a, b) = (inputs[0].to_f32().expect("floats"), inputs[1].to_f32().expect("floats"));
    for (at, sum) in expected.iter_mut().enumerate() {
        *sum += (0..7).map(|k| a[at / 9 * 7 + k] * b[k * 9 + at % 9]).sum::<f32>();
    }
    assert_eq!(wanted[0].to_f32(), Some(expected));

    let plan = setup.plan(Phase::LAST).expect("a plan");
    let mut wrong = Vec::new();
    for step in plan.steps() {
        let poll = || {};
        let mut env = setup.env(&poll, false);
        env.until = Some(step.index);
        let run = run_pipeline(env, &plan, parse(&setup), &mut NoInstrument);
        let found = evaluate(&setup, &run.value, &signature, &inputs);
        match found {
            Ok(found) if found == wanted => {}
            Ok(_) => wrong.push(format!("{}: another result", step.pass.def.name)),
            Err(error) => wrong.push(format!("{}: {error}", step.pass.def.name)),
        }
    }
    assert!(plan.steps().len() > 50);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
