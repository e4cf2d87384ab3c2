//! Running a compiled program on the evaluator of machine ops, where no assembler is at hand.

use std::collections::BTreeSet;

use tegula_ir::{Body, Ident, Module, OpId};
use tegula_neon::eval::{EvalFunction, MachineRunError, Program, run_entry};
use tegula_neon::host_functions;
use tegula_package::{Schedule, Signature, Step, entry_symbols};

use crate::EmitError;
use crate::emit::device_symbol;

/// Calls the C entry of a function of a module after the last phase. `contents` are the bytes of
/// the parameters in order, and give the results afterwards. Memory is checked at every access.
pub fn run_machine_ops(
    module: &Module,
    signature: &Signature,
    schedule: &Schedule,
    contents: &mut [Vec<u8>],
) -> Result<(), EmitError> {
    let called = schedule.steps.iter().filter_map(|step| match step {
        Step::Dispatch { executable, .. } => Some(executable.as_str()),
        Step::Fill { .. } | Step::Copy { .. } => None,
    });
    let called: BTreeSet<&str> = called.collect();
    let mut device: Vec<(Ident, &Body, OpId)> = Vec::new();
    for body in &module.bodies {
        let Some(root) = body.root().filter(|&root| body.is(root, "hal.executable")) else {
            continue;
        };
        let executable = body.symbol_name(root).unwrap_or_default();
        if !called.contains(executable) {
            continue;
        }
        for func in body.walk(root).filter(|&op| body.is(op, "func.func")) {
            let name = body.symbol_name(func).unwrap_or_default();
            device.push((device_symbol(executable, name), body, func));
        }
    }
    let host = host_functions(signature, schedule, device_symbol).map_err(|e| EmitError {
        code: "no-entry",
        message: e.0,
        op: None,
    })?;
    let host = host.iter().map(|f| (f.symbol, &f.body, f.func));
    let functions = device.iter().copied().chain(host).map(|(symbol, body, func)| EvalFunction {
        symbol: symbol.as_str(),
        body,
        func,
    });
    let wrong = |error: MachineRunError| EmitError {
        code: "machine-run",
        message: error.to_string(),
        op: None,
    };
    // The entry that takes its workspace needs no allocator.
    let workspace = tegula_neon::workspace_size(signature, schedule).map_err(|e| EmitError {
        code: "no-entry",
        message: e.0,
        op: None,
    })?;
    let program = Program::new(functions).map_err(wrong)?;
    let [_, entry, _] = entry_symbols(&signature.function);
    let mut all: Vec<Vec<u8>> = contents.iter_mut().map(std::mem::take).collect();
    all.push(vec![0; usize::try_from(workspace).unwrap_or_default()]);
    let result = run_entry(&program, &entry, &mut all).map_err(wrong);
    for (slot, bytes) in contents.iter_mut().zip(all) {
        *slot = bytes;
    }
    result
}
