//! Passes on functions and symbols of the host program.

mod import_public;
mod inline;
mod symbol_dce;

use tegula_pass::{PassImpl, PassRun};

/// The implementations of the passes in `passes.td`.
pub fn passes() -> Vec<PassImpl> {
    vec![
        PassImpl { name: "iree-import-public", run: PassRun::Local(import_public::run) },
        PassImpl { name: "inline", run: PassRun::BottomUp(inline::run) },
        PassImpl { name: "symbol-dce", run: PassRun::Solved(&symbol_dce::SymbolDce) },
    ]
}
