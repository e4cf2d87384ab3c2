//! Reads of tensors that nothing has written: the program is valid, its results are anything.

use tegula_ir::{Body, OpId, Registry, ValueId};

/// An op whose payload reads elements that nothing wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnwrittenRead {
    /// The op that reads.
    pub op: OpId,
    /// The op that makes the tensor.
    pub made: OpId,
    /// The group of the operand, as it is written: `ins` or `outs`.
    pub group: &'static str,
}

/// The ops of a body that read a `tensor.empty` element by element, in order.
pub fn unwritten_reads(registry: &Registry, body: &Body) -> Vec<UnwrittenRead> {
    body.walk_all().filter_map(|op| unwritten_read(registry, body, op)).collect()
}

fn unwritten_read(registry: &Registry, body: &Body, op: OpId) -> Option<UnwrittenRead> {
    if !registry.op(body.name(op))?.def().has_trait("LinalgStructuredInterface") {
        return None;
    }
    // The payload has an argument for each operand.
    let payload = body.block_args(body.region_entry(op, 0)?);
    let inputs = registry.operands_of(body, op, "inputs").len();
    body.operands(op).zip(payload).enumerate().find_map(|(at, (operand, &element))| {
        let made = empty(body, operand).filter(|_| !body.is_unused(element))?;
        let group = if at < inputs { "ins" } else { "outs" };
        Some(UnwrittenRead { op, made, group })
    })
}

/// The op that makes a tensor without contents, where there is room for any.
fn empty(body: &Body, value: ValueId) -> Option<OpId> {
    let made = body.defining_op(value).filter(|&op| body.is(op, "tensor.empty"))?;
    (body.ty(value).num_elements() != Some(0)).then_some(made)
}
