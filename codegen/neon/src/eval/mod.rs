//! Machine ops, evaluated: the same bytes as the hardware gives, without an assembler.
//!
//! Functions of `neon` ops are flattened to code over numbered registers, linked by symbol and
//! run on a memory of separate regions. An access outside of a region, a jump to a symbol that is
//! not there and a run that does not end are errors that name the function and op.

mod arith;
mod code;
mod flatten;
mod memory;
mod run;
#[cfg(test)]
mod tests;
mod unselected;

pub use flatten::{EvalFunction, Program};
pub use memory::{Memory, Region};
pub use run::MachineRunError;

use tegula_package::{Schedule, Signature};

/// Calls a C entry with buffers: `contents` are those of the parameters in order, and give the
/// results afterwards.
pub fn run_entry(
    program: &Program<'_>,
    entry: &str,
    contents: &mut [Vec<u8>],
) -> Result<(), MachineRunError> {
    let mut memory = Memory::new();
    let mut args = Vec::new();
    for bytes in contents.iter() {
        args.push(memory.add(bytes.clone()));
    }
    let addresses: Vec<u64> = args.iter().map(|region| region.address()).collect();
    program.call(&mut memory, entry, &addresses)?;
    for (bytes, region) in contents.iter_mut().zip(args) {
        *bytes = memory.take(region);
    }
    Ok(())
}

/// The bytes of each parameter of an entry.
pub fn parameter_sizes(signature: &Signature, schedule: &Schedule) -> Vec<i64> {
    let size = |param: &tegula_package::Param| {
        let input = param.input.and_then(|at| schedule.inputs.get(at));
        let output = param.output.and_then(|at| schedule.outputs.get(at));
        input.or(output).copied().unwrap_or(0)
    };
    signature.params.iter().map(size).collect()
}
