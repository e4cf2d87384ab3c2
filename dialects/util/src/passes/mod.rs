//! Passes on functions and symbols of the host program.

mod apply_patterns;
mod check_ranges;
mod fold_globals;
mod fuse_globals;
mod import_public;
mod inline;
mod propagate_subranges;
mod simplify_global_accesses;
mod symbol_dce;

use tegula_pass::{PassImpl, PassRun};

/// The implementations of the passes in `passes.td`.
pub fn passes() -> Vec<PassImpl> {
    vec![
        PassImpl { name: "iree-import-public", run: PassRun::Local(import_public::run) },
        PassImpl { name: "inline", run: PassRun::BottomUp(inline::run) },
        PassImpl { name: "iree-util-apply-patterns", run: PassRun::Local(apply_patterns::run) },
        PassImpl { name: "tegula-util-check-ranges", run: PassRun::Local(check_ranges::run) },
        PassImpl { name: "iree-util-fold-globals", run: PassRun::Module(fold_globals::run) },
        PassImpl { name: "iree-util-fuse-globals", run: PassRun::Module(fuse_globals::run) },
        PassImpl {
            name: "iree-util-propagate-subranges",
            run: PassRun::Module(propagate_subranges::run),
        },
        PassImpl {
            name: "iree-util-simplify-global-accesses",
            run: PassRun::Solved(&simplify_global_accesses::SimplifyGlobalAccesses),
        },
        PassImpl { name: "symbol-dce", run: PassRun::Solved(&symbol_dce::SymbolDce) },
    ]
}
