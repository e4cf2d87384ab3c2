//! The one list of what is built in: dialects, and the Rust of their passes, patterns and semantics.

use tegula_eval::Semantics;
use tegula_ir::{DialectEntry, Registry};
use tegula_pass::PassImpl;
use tegula_rewrite::RewriteHooks;

/// The tables and hooks of all built-in dialects.
pub fn entries() -> Vec<DialectEntry> {
    vec![
        tegula_dialect_builtin::entry(),
        tegula_dialect_func::entry(),
        tegula_dialect_arith::entry(),
        tegula_dialect_math::entry(),
        tegula_dialect_cf::entry(),
        tegula_dialect_ub::entry(),
        tegula_dialect_llvm::entry(),
        tegula_dialect_affine::entry(),
        tegula_dialect_scf::entry(),
        tegula_dialect_tensor::entry(),
        tegula_dialect_linalg::entry(),
        tegula_dialect_memref::entry(),
        tegula_dialect_vector::entry(),
        tegula_dialect_util::entry(),
        tegula_dialect_iree_tensor_ext::entry(),
        tegula_dialect_iree_encoding::entry(),
        tegula_dialect_iree_cpu::entry(),
        tegula_dialect_iree_codegen::entry(),
        tegula_dialect_flow::entry(),
        tegula_dialect_stream::entry(),
        tegula_dialect_vm::entry(),
        tegula_dialect_hal::entry(),
        tegula_dialect_vmvx::entry(),
        tegula_dialect_hal_inline::entry(),
        tegula_dialect_hal_loader::entry(),
        tegula_cpu::entry(),
        tegula_neon::entry(),
        tegula_library::entry(),
        crate::road::entry(),
    ]
}

/// A registry of all built-in dialects.
pub fn registry() -> Registry {
    Registry::new(entries())
}

/// The Rust of all passes.
pub fn passes() -> Vec<PassImpl> {
    [
        tegula_dialect_scf::passes(),
        tegula_dialect_iree_tensor_ext::passes(),
        tegula_dialect_util::passes(),
        tegula_dialect_flow::passes(),
        tegula_dialect_stream::passes(),
        tegula_dialect_vm::passes(),
        tegula_dialect_hal::passes(),
        tegula_dialect_vmvx::passes(),
        tegula_dialect_hal_inline::passes(),
        tegula_dialect_hal_loader::passes(),
        tegula_cpu::passes(),
        tegula_neon::passes(),
        tegula_library::passes(),
    ]
    .concat()
}

/// The Rust that patterns name.
pub fn rewrites() -> RewriteHooks {
    let mut all = RewriteHooks::new();
    all.merge(tegula_dialect_arith::rewrites());
    all.merge(tegula_dialect_cf::rewrites());
    all.merge(tegula_dialect_affine::rewrites());
    all.merge(tegula_dialect_scf::rewrites());
    all.merge(tegula_dialect_tensor::rewrites());
    all.merge(tegula_dialect_linalg::rewrites());
    all.merge(tegula_dialect_memref::rewrites());
    all.merge(tegula_dialect_vector::rewrites());
    all.merge(tegula_dialect_util::rewrites());
    all.merge(tegula_dialect_iree_tensor_ext::rewrites());
    all.merge(tegula_dialect_flow::rewrites());
    all.merge(tegula_dialect_stream::rewrites());
    all.merge(tegula_dialect_hal::rewrites());
    all.merge(tegula_dialect_vm::rewrites());
    all.merge(tegula_neon::rewrites());
    all
}

/// The meaning of all ops.
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
        tegula_dialect_linalg::semantics(),
        tegula_dialect_memref::semantics(),
        tegula_dialect_vector::semantics(),
        tegula_dialect_util::semantics(),
        tegula_dialect_iree_tensor_ext::semantics(),
        tegula_dialect_iree_encoding::semantics(),
        tegula_dialect_iree_codegen::semantics(),
        tegula_dialect_flow::semantics(),
        tegula_dialect_stream::semantics(),
        tegula_dialect_hal::semantics(),
        tegula_dialect_hal_inline::semantics(),
    ])
}
