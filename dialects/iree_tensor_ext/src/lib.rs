//! The `iree_tensor_ext` dialect.
//!
//! Purpose: tensors at the border of a dispatch, tensors of ragged rows, and placeholders for
//! workgroup counts.
//! Non-goals: what lies behind a binding (stream, hal), tiling (codegen).

#![warn(missing_docs)]

mod bitcast;
mod hooks;
mod ordinal;
mod ragged;
mod semantics;
mod slices;
mod sparse;
mod test_sparse;

mod generated {
    include!(concat!(env!("OUT_DIR"), "/iree_tensor_ext.rs"));
}

pub use semantics::semantics;

/// The dialect with its hooks.
pub fn entry() -> tegula_ir::DialectEntry {
    generated::entry::<hooks::TensorExtHooks>()
}

/// The Rust of its passes.
pub fn passes() -> Vec<tegula_pass::PassImpl> {
    let run = tegula_pass::PassRun::Local(test_sparse::run);
    vec![tegula_pass::PassImpl { name: "iree-tensor-ext-test-sparse-op-interface-methods", run }]
}

/// The Rust that patterns name.
pub fn rewrites() -> tegula_rewrite::RewriteHooks {
    tegula_rewrite::RewriteHooks::new()
        .constant_op("iree_tensor_ext", "arith.constant")
        .rewrite("tensor_ext_bitcast_of_cast", bitcast::of_cast)
        .rewrite("tensor_ext_bubble_up_ordinal", ordinal::bubble_up)
        .rewrite("tensor_ext_load_constants", slices::load)
        .rewrite("tensor_ext_store_constants", slices::store)
        .predicate("tensor_ext_knows_more", slices::knows_more)
}
