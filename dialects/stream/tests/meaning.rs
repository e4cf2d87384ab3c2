//! Forming dispatches keeps what a program computes: the evaluator gives the same bits before and
//! after each prefix of the passes up to annotated executables.

use tegula_eval::{Semantics, Tensor, Value, run_function};
use tegula_ir::text::parse_module;
use tegula_ir::{Module, Registry};
use tegula_pass::{Env, NoInstrument, PassTable, Plan, Settings, run_pipeline};
use tegula_rewrite::{Patterns, RewriteHooks};

const PASSES: [&str; 12] = [
    "util.func(iree-dispatch-creation-insert-tensor-barriers)",
    "util.func(iree-dispatch-creation-form-dispatch-regions)",
    "util.func(iree-dispatch-creation-clone-producers-into-dispatch-regions)",
    "util.func(iree-dispatch-creation-annotate-data-tiling-hints)",
    "util.func(iree-dispatch-creation-set-encoding)",
    "iree-dispatch-creation-hoist-encoding-ops",
    "util.func(iree-dispatch-creation-convert-encoding-to-flow)",
    "util.func(iree-dispatch-creation-remove-tensor-barriers)",
    "util.func(iree-dispatch-creation-convert-dispatch-regions-to-workgroups)",
    "util.func(iree-dispatch-creation-materialize-default-workgroup-count-region)",
    "iree-flow-outline-dispatch-regions",
    "iree-flow-annotate-dispatches",
];

fn registry() -> Registry {
    Registry::new([
        tegula_dialect_builtin::entry(),
        tegula_dialect_func::entry(),
        tegula_dialect_arith::entry(),
        tegula_dialect_affine::entry(),
        tegula_dialect_tensor::entry(),
        tegula_dialect_linalg::entry(),
        tegula_dialect_util::entry(),
        tegula_dialect_iree_tensor_ext::entry(),
        tegula_dialect_iree_encoding::entry(),
        tegula_dialect_flow::entry(),
    ])
}

fn parse(registry: &Registry, text: &str) -> Module {
    let mut sources = tegula_diag::Sources::new();
    let source = sources.add("test.mlir", text);
    let (module, _, diagnostics) = parse_module(registry, source, text);
    let shown = tegula_diag::Renderer::plain(&sources).render_all(&diagnostics);
    assert!(diagnostics.is_empty(), "{shown}");
    module
}

fn tensor(shape: &[i64], seed: u32) -> Value {
    let count: i64 = shape.iter().product();
    let values: Vec<f32> = (0..count as u32)
        .map(|at| ((at.wrapping_mul(2_654_435_761).wrapping_add(seed) >> 20) as f32) / 512.0 - 4.0)
        .collect();
    Value::Tensor(Tensor::from_f32(shape, &values).unwrap())
}

/// Holds the function `@f` after each prefix of the passes against itself before.
fn check(text: &str, args: &[Value]) {
    let registry = registry();
    let patterns = Patterns::new(&registry, RewriteHooks::new());
    let passes = PassTable::new(&registry, tegula_dialect_flow::passes());
    let settings = Settings::default();
    let semantics = Semantics::merge([
        tegula_dialect_builtin::semantics(),
        tegula_dialect_func::semantics(),
        tegula_dialect_arith::semantics(),
        tegula_dialect_affine::semantics(),
        tegula_dialect_tensor::semantics(),
        tegula_dialect_linalg::semantics(),
        tegula_dialect_util::semantics(),
        tegula_dialect_iree_tensor_ext::semantics(),
        tegula_dialect_iree_encoding::semantics(),
        tegula_dialect_flow::semantics(),
    ]);
    let module = parse(&registry, text);
    let expected = run_function(&module, &semantics, "f", args).unwrap();
    for count in 1..=PASSES.len() {
        let pipeline = format!("builtin.module({})", PASSES[..count].join(","));
        let plan = Plan::new(&passes, &pipeline, &["util-functions", "devices"]).unwrap();
        let env = Env {
            registry: &registry,
            patterns: &patterns,
            settings: &settings,
            poll: &|| (),
            verify: None,
            until: None,
        };
        let run = run_pipeline(env, &plan, module.clone(), &mut NoInstrument);
        assert!(run.result.is_ok(), "{:?}", run.reports);
        let got = run_function(&run.value, &semantics, "f", args);
        assert_eq!(got.as_ref(), Ok(&expected), "after {}", PASSES[count - 1]);
    }
}

#[test]
fn contraction() {
    check(
        "#a = affine_map<(m, n, k) -> (m, k)>
         #b = affine_map<(m, n, k) -> (k, n)>
         #c = affine_map<(m, n, k) -> (m, n)>
         util.func public @f(%x: tensor<5x7xf32>, %y: tensor<7x6xf32>, %z: tensor<5x6xf32>) -> tensor<5x6xf32> {
           %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = [\"parallel\", \"parallel\", \"reduction\"]} ins(%x, %y : tensor<5x7xf32>, tensor<7x6xf32>) outs(%z : tensor<5x6xf32>) {
           ^bb0(%in: f32, %in_0: f32, %out: f32):
             %1 = arith.mulf %in, %in_0 : f32
             %2 = arith.addf %out, %1 : f32
             linalg.yield %2 : f32
           } -> tensor<5x6xf32>
           util.return %0 : tensor<5x6xf32>
         }",
        &[tensor(&[5, 7], 1), tensor(&[7, 6], 2), tensor(&[5, 6], 3)],
    );
}

#[test]
fn fill_and_elementwise() {
    check(
        "#id = affine_map<(m, n) -> (m, n)>
         #one = affine_map<(m, n) -> (n)>
         util.func public @f(%x: tensor<3x4xf32>, %y: tensor<4xf32>) -> (tensor<3x4xf32>, tensor<4xf32>) {
           %c = arith.constant 2.0 : f32
           %e = tensor.empty() : tensor<3x4xf32>
           %0 = linalg.fill ins(%c : f32) outs(%e : tensor<3x4xf32>) -> tensor<3x4xf32>
           %1 = linalg.generic {indexing_maps = [#id, #one, #id], iterator_types = [\"parallel\", \"parallel\"]} ins(%x, %y : tensor<3x4xf32>, tensor<4xf32>) outs(%0 : tensor<3x4xf32>) {
           ^bb0(%in: f32, %in_0: f32, %out: f32):
             %2 = arith.mulf %in, %out : f32
             %3 = arith.addf %in_0, %2 : f32
             linalg.yield %3 : f32
           } -> tensor<3x4xf32>
           util.return %1, %y : tensor<3x4xf32>, tensor<4xf32>
         }",
        &[tensor(&[3, 4], 1), tensor(&[4], 2)],
    );
}
