//! The passes of the dialect that are Rust.

use tegula_ir::{Body, OpId};
use tegula_pass::{Changed, PassCx, PassImpl, PassResult, PassRun};

use crate::MachineError;
use crate::select;

/// The passes by name.
pub fn passes() -> Vec<PassImpl> {
    vec![
        PassImpl { name: "tegula-neon-lower-structure", run: PassRun::Local(lower_structure) },
        PassImpl { name: "tegula-neon-finish", run: PassRun::Local(finish) },
    ]
}

/// The passes that turn a function of loops and native vectors into machine ops, as pipeline text
/// for functions.
pub const PIPELINE: &str = "tegula-neon-lower-structure,tegula-neon-select,tegula-neon-combine,\
                            tegula-neon-finish";

fn lower_structure(cx: &mut PassCx<'_>, body: &mut Body, op: OpId) -> PassResult {
    let result = select::lower_structure(&mut cx.rewriter(body), op);
    report(cx, body, result)
}

fn finish(cx: &mut PassCx<'_>, body: &mut Body, op: OpId) -> PassResult {
    let result = select::finish(&mut cx.rewriter(body), op);
    report(cx, body, result)
}

fn report(cx: &mut PassCx<'_>, body: &Body, result: Result<(), MachineError>) -> PassResult {
    match result {
        Ok(()) => Ok(Changed::Yes),
        Err(error) => Err(cx.error(body, error.op, error.code, error.message)),
    }
}
