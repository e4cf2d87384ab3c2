//! Dispatches of a matmul by shape, and what runs them: the pass manager and the evaluator.

pub mod border;
pub mod dispatch;

use tegula_eval::{EvalError, Interp, Limits, Semantics, Value};
use tegula_ir::{Body, Module, Registry};
use tegula_pass::{Env, NoInstrument, PassTable, Plan, Report, Settings, run_pipeline};
use tegula_rewrite::{Patterns, RewriteHooks};

/// All passes of the crate in order.
pub fn pipeline() -> Vec<&'static str> {
    tegula_cpu::CONFIGURE.iter().chain(tegula_cpu::TRANSLATE).copied().collect()
}

/// The dialects that a dispatch is made of, and the passes.
pub fn registry() -> Registry {
    Registry::new([
        tegula_dialect_builtin::entry(),
        tegula_dialect_func::entry(),
        tegula_dialect_arith::entry(),
        tegula_dialect_affine::entry(),
        tegula_dialect_ub::entry(),
        tegula_dialect_scf::entry(),
        tegula_dialect_tensor::entry(),
        tegula_dialect_linalg::entry(),
        tegula_dialect_memref::entry(),
        tegula_dialect_vector::entry(),
        tegula_dialect_hal::entry(),
        tegula_dialect_iree_codegen::entry(),
        tegula_dialect_iree_cpu::entry(),
        tegula_dialect_iree_encoding::entry(),
        tegula_dialect_iree_tensor_ext::entry(),
        tegula_cpu::entry(),
    ])
}

/// The module after these passes on its functions, or what a pass said.
pub fn run_passes(module: Module, passes: &[&str]) -> Result<Module, Vec<Report>> {
    let registry = registry();
    // Of the dialects' passes this crate registers none.
    let table = PassTable::new(&Registry::new([tegula_cpu::entry()]), tegula_cpu::passes());
    assert!(table.errors().is_empty(), "{:?}", table.errors());
    let text = format!("builtin.module(func.func({}))", passes.join(","));
    // A run may begin anywhere: what earlier passes establish is taken to hold.
    let facts =
        ["packed-tensors", "binding-buffers", "lowering-config", "buffers", "machine-vectors"];
    let plan = Plan::new(&table, &text, &facts).unwrap_or_else(|e| panic!("{text}: {e:?}"));
    let patterns = Patterns::new(&registry, RewriteHooks::new());
    let env = Env {
        registry: &registry,
        patterns: &patterns,
        settings: &Settings::new(),
        poll: &|| {},
        verify: None,
        until: None,
    };
    let run = run_pipeline(env, &plan, module, &mut NoInstrument);
    match run.result {
        Ok(_) => Ok(run.value),
        Err(_) => Err(run.reports),
    }
}

/// A module of one body.
pub fn module(body: Body) -> Module {
    Module { bodies: vec![body], ..Module::default() }
}

/// Runs the function of a module on the contents of its bindings; gives them as it leaves them.
pub fn evaluate(module: &Module, bindings: &[Vec<f32>]) -> Result<Vec<Vec<f32>>, EvalError> {
    let semantics = Semantics::merge([
        tegula_dialect_affine::semantics(),
        tegula_dialect_arith::semantics(),
        tegula_dialect_func::semantics(),
        tegula_dialect_linalg::semantics(),
        tegula_dialect_memref::semantics(),
        tegula_dialect_scf::semantics(),
        tegula_dialect_tensor::semantics(),
        tegula_dialect_ub::semantics(),
        tegula_dialect_vector::semantics(),
        border::semantics(),
    ]);
    let mut interp = Interp::new(module, &semantics, Limits::default());
    let mut spans = Vec::new();
    for contents in bindings {
        let bytes: Vec<u8> = contents.iter().flat_map(|v| v.to_le_bytes()).collect();
        spans.push(interp.memory.alloc_from(&bytes)?);
    }
    interp.state::<border::Bindings>().0 = spans.clone();
    tegula_eval::run_function_with(&mut interp, dispatch::NAME, &[] as &[Value])?;
    let read = |span| -> Result<Vec<f32>, EvalError> {
        let bytes = interp.memory.bytes(span)?;
        Ok(bytes.chunks_exact(4).map(|c| f32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect())
    };
    spans.into_iter().map(read).collect()
}
