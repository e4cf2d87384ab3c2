//! What the tests of the standard dialects share.

use tegula_eval::Semantics;
use tegula_ir::text::{PrintOptions, parse_module, print_module};
use tegula_ir::{Module, Registry};

/// The standard dialects.
pub fn registry() -> Registry {
    Registry::new([
        tegula_dialect_builtin::entry(),
        tegula_dialect_func::entry(),
        tegula_dialect_arith::entry(),
        tegula_dialect_math::entry(),
        tegula_dialect_cf::entry(),
        tegula_dialect_ub::entry(),
        tegula_dialect_affine::entry(),
        tegula_dialect_scf::entry(),
        tegula_dialect_tensor::entry(),
        tegula_dialect_memref::entry(),
        tegula_dialect_vector::entry(),
        tegula_dialect_linalg::entry(),
    ])
}

/// Their meaning.
pub fn semantics() -> Semantics {
    Semantics::merge([
        tegula_dialect_builtin::semantics(),
        tegula_dialect_func::semantics(),
        tegula_dialect_arith::semantics(),
        tegula_dialect_math::semantics(),
        tegula_dialect_cf::semantics(),
        tegula_dialect_ub::semantics(),
        tegula_dialect_affine::semantics(),
        tegula_dialect_scf::semantics(),
        tegula_dialect_tensor::semantics(),
        tegula_dialect_memref::semantics(),
        tegula_dialect_vector::semantics(),
        tegula_dialect_linalg::semantics(),
    ])
}

/// Reads a module, which must have no errors.
pub fn parse(registry: &Registry, text: &str) -> Module {
    let mut sources = tegula_diag::Sources::new();
    let source = sources.add("test.mlir", text);
    let (module, _, diagnostics) = parse_module(registry, source, text);
    let shown = tegula_diag::Renderer::plain(&sources).render_all(&diagnostics);
    assert!(diagnostics.is_empty(), "{shown}");
    module
}

/// Prints a module.
pub fn print(registry: &Registry, module: &Module) -> String {
    print_module(registry, module, &PrintOptions::default())
}
