//! Passes on functions and symbols of the host program.

mod apply_patterns;
mod check_ranges;
mod combine_initializers;
mod drop_inlined;
mod fold_globals;
mod fuse_globals;
mod import_public;
mod inline;
mod ipo;
mod propagate_subranges;
mod simplify_global_accesses;
mod symbol_dce;
mod verify_initialization_order;

use tegula_pass::{PassImpl, PassRun};

/// The implementations of the passes in `passes.td`.
pub fn passes() -> Vec<PassImpl> {
    vec![
        PassImpl { name: "iree-import-public", run: PassRun::Local(import_public::run) },
        PassImpl { name: "tegula-util-inline-calls", run: PassRun::BottomUp(inline::run) },
        PassImpl {
            name: "tegula-util-drop-inlined",
            run: PassRun::Solved(&drop_inlined::DropInlined),
        },
        PassImpl {
            name: "iree-util-verify-initialization-order",
            run: PassRun::Module(verify_initialization_order::run),
        },
        PassImpl { name: "iree-util-ipo", run: PassRun::Module(ipo::run) },
        PassImpl {
            name: "iree-util-combine-initializers",
            run: PassRun::Module(combine_initializers::run),
        },
        PassImpl { name: "iree-util-apply-patterns", run: PassRun::Local(apply_patterns::run) },
        PassImpl { name: "tegula-util-check-ranges", run: PassRun::Local(check_ranges::run) },
        PassImpl { name: "tegula-util-clean", run: PassRun::Local(fold_globals::clean) },
        PassImpl {
            name: "tegula-util-fold-globals-together",
            run: PassRun::ModuleUnless(fold_globals::run, fold_globals::is_idle),
        },
        PassImpl { name: "iree-util-fuse-globals", run: PassRun::Module(fuse_globals::run) },
        PassImpl {
            name: "iree-util-propagate-subranges",
            run: PassRun::ModuleUnless(propagate_subranges::run, propagate_subranges::is_idle),
        },
        PassImpl {
            name: "iree-util-simplify-global-accesses",
            run: PassRun::Solved(&simplify_global_accesses::SimplifyGlobalAccesses),
        },
        PassImpl { name: "symbol-dce", run: PassRun::Solved(&symbol_dce::SymbolDce) },
    ]
}
