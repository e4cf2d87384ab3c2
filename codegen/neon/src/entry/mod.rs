//! The C entries of a function: its schedule as machine code.
//!
//! `docs/abi.md` says what they look like from C. Each is a `func.func` of `neon` ops, so that it
//! goes through the same register allocation and printing as everything else.

mod builder;
mod place;
#[cfg(test)]
mod tests;
mod workgroup;

pub use workgroup::workgroup_function;

use tegula_ir::{Body, Ident, NewOp, OpId, ValueId};
use tegula_package::{Schedule, Signature, Step, entry_symbols};

use crate::asm::Visibility;
use builder::Builder;
use place::Places;

/// Scratch of up to this size lies in the entry's own frame.
pub const STACK_SCRATCH_LIMIT: i64 = 32 * 1024;

/// What scratch memory is aligned to.
const SCRATCH_ALIGNMENT: i64 = 64;

/// A function of machine ops that is still to be assembled.
#[derive(Clone, Debug)]
pub struct HostFunction {
    /// Its body.
    pub body: Body,
    /// Its op.
    pub func: OpId,
    /// Its symbol.
    pub symbol: Ident,
    /// Who sees it.
    pub visibility: Visibility,
}

/// Why a function has no C entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoEntry(
    /// What stands in the way, as one sentence.
    pub String,
);

/// The most tensors of a function that has entries: all are passed in registers, and the workspace
/// with them.
const MOST_TENSORS: usize = 7;

/// Whether a function can have entries at all, whatever it computes.
pub fn has_entry(signature: &Signature) -> Result<(), NoEntry> {
    if signature.params.len() > MOST_TENSORS {
        return Err(NoEntry(format!(
            "a function with more than {MOST_TENSORS} tensors has no C entry"
        )));
    }
    Ok(())
}

/// The bytes of workspace that a function's `…_ws` entry takes.
pub fn workspace_size(signature: &Signature, schedule: &Schedule) -> Result<i64, NoEntry> {
    Ok(Places::new(signature, schedule)?.workspace)
}

/// The entries of a function: itself, the one that takes its workspace, and the one that says how
/// much that is. `device` gives the symbol of a dispatch's machine code by executable and export.
pub fn host_functions(
    signature: &Signature,
    schedule: &Schedule,
    device: impl Fn(&str, &str) -> Ident,
) -> Result<Vec<HostFunction>, NoEntry> {
    let places = Places::new(signature, schedule)?;
    let count = signature.params.len();
    has_entry(signature)?;
    let [name, with_workspace, workspace_size] = entry_symbols(&signature.function);
    let inner = Ident::of(&with_workspace);
    Ok(vec![
        plain_entry(&name, inner, count, places.workspace),
        workspace_entry(inner, schedule, &places, count, device)?,
        size_entry(&workspace_size, places.workspace),
    ])
}

/// Runs the steps: `void f_ws(…, void *workspace)`.
fn workspace_entry(
    symbol: Ident,
    schedule: &Schedule,
    places: &Places,
    count: usize,
    device: impl Fn(&str, &str) -> Ident,
) -> Result<HostFunction, NoEntry> {
    let mut b = Builder::new(symbol, count + 1);
    let params = b.params();
    let (params, workspace) = (&params[..count], params[count]);
    for copy in &places.copies {
        let to = b.add(workspace, copy.workspace);
        b.copy(params[copy.param], to, copy.bytes)?;
    }
    let slots = schedule.steps.iter().map(|step| match step {
        Step::Dispatch { bindings, constants, .. } => bindings.len() + constants.len(),
        Step::Fill { .. } | Step::Copy { .. } => 0,
    });
    let slots = slots.max().unwrap_or(0);
    if slots > 4096 {
        let message = "a dispatch with more than 4096 bindings and constants";
        return Err(NoEntry(message.to_owned()));
    }
    // One table serves all dispatches; nothing keeps it after its call.
    let table = (slots > 0).then(|| b.frame(slots as i64 * 8));
    for step in &schedule.steps {
        match step {
            Step::Dispatch { executable, export, constants, bindings } => {
                let Some(table) = table else { continue };
                for (at, (range, _)) in bindings.iter().enumerate() {
                    let (base, offset) = places.of(range, params, workspace)?;
                    let address = b.add(base, offset);
                    b.store(address, table, at as i64 * 8);
                }
                // Constants are 32 bits without sign.
                for (at, &constant) in constants.iter().enumerate() {
                    let constant = b.constant(i64::from(constant.cast_unsigned()));
                    b.store(constant, table, (bindings.len() + at) as i64 * 8);
                }
                b.call(device(executable, export), &[table]);
            }
            Step::Fill { range, pattern, width } => {
                let (base, offset) = places.of(range, params, workspace)?;
                let to = b.add(base, offset);
                b.fill(to, range.length, repeat(*pattern, *width))?;
            }
            Step::Copy { from, to } => {
                let bytes = from.length;
                let (from, from_offset) = places.of(from, params, workspace)?;
                let (to, to_offset) = places.of(to, params, workspace)?;
                let (from, to) = (b.add(from, from_offset), b.add(to, to_offset));
                b.copy(from, to, bytes)?;
            }
        }
    }
    b.op(NewOp::new("neon.ret"));
    Ok(b.finish(symbol))
}

/// A fill pattern of 1, 2 or 4 bytes as 4 bytes.
fn repeat(pattern: u32, width: u32) -> u32 {
    match width {
        1 => (pattern & 0xff) * 0x0101_0101,
        2 => (pattern & 0xffff) * 0x0001_0001,
        _ => pattern,
    }
}

/// Finds memory for the workspace: `void f(…)`.
fn plain_entry(name: &str, inner: Ident, count: usize, workspace: i64) -> HostFunction {
    let symbol = Ident::of(name);
    let mut b = Builder::new(symbol, count);
    let mut args = b.params();
    let room = workspace + SCRATCH_ALIGNMENT;
    if workspace == 0 {
        args.push(b.constant(0));
        b.call(inner, &args);
    } else if workspace <= STACK_SCRATCH_LIMIT {
        let memory = b.frame(room);
        let aligned = align(&mut b, memory);
        args.push(aligned);
        b.call(inner, &args);
    } else {
        let room = b.constant(room);
        let memory = b.call_value(Ident::of("malloc"), &[room]);
        let (enough, none) = (b.block(), b.block());
        b.branch_if_zero(memory, none, enough);
        b.enter(none);
        b.call(Ident::of("abort"), &[]);
        b.op(NewOp::new("neon.ret"));
        b.enter(enough);
        let aligned = align(&mut b, memory);
        args.push(aligned);
        b.call(inner, &args);
        b.call(Ident::of("free"), &[memory]);
    }
    b.op(NewOp::new("neon.ret"));
    b.finish(symbol)
}

fn align(b: &mut Builder, memory: ValueId) -> ValueId {
    let end = b.add(memory, SCRATCH_ALIGNMENT - 1);
    let mask = b.constant(-SCRATCH_ALIGNMENT);
    b.value(NewOp::new("neon.and_x").operands([end, mask]))
}

/// `size_t f_workspace_size(void)`
fn size_entry(name: &str, workspace: i64) -> HostFunction {
    let symbol = Ident::of(name);
    let mut b = Builder::new(symbol, 0);
    let size = b.constant(workspace);
    b.op(NewOp::new("neon.ret").operand(size));
    b.finish(symbol)
}
