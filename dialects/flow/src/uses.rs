//! Dispatches and calls against the entry points and functions that they name.

use tegula_dialect_util::workload::{each_entry, workload_fits};
use tegula_ir::verify::{Symbols, takes};
use tegula_ir::{Attr, Body, OpId};

/// Entry points take the workload that a dispatch gives.
pub(crate) fn verify_dispatch(symbols: &Symbols<'_>, body: &Body, op: OpId) -> Result<(), String> {
    each_entry(symbols, body, op, "flow.executable.export", |there, export| {
        workload_fits(symbols, body, op, (there, export))
    })
}

/// There is such a function, which takes the arguments of a call.
pub(crate) fn verify_call(symbols: &Symbols<'_>, body: &Body, op: OpId) -> Result<(), String> {
    let Some(function) = symbols.named(body, op, "callee", "flow.func") else {
        let name = body.attr(op, "callee").and_then(Attr::as_symbol_root);
        let name = name.map_or("", |name| name.as_str());
        return Err(format!("undefined external call: {name}"));
    };
    let given = symbols.registry().operands_of(body, op, "arguments");
    takes(body, op, &given, function)
}
