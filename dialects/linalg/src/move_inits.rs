//! Outputs whose contents a parallel nest reads.

use tegula_ir::{Attr, BlockId, Body, InsertPoint, NewOp, OpId, TypeData, ValueId, ValueKind};
use tegula_rewrite::Rewriter;

use crate::structure::structure;

/// In a parallel nest, an output whose old contents the region reads becomes an input, and an empty
/// tensor stands in its place.
pub(crate) fn move_inits_to_inputs(rewriter: &mut Rewriter<'_>, op: OpId) -> bool {
    let Some(nest) = Nest::of(rewriter.body, op) else { return false };
    let moved = nest.read_outputs(rewriter.body);
    if moved.is_empty() {
        return false;
    }
    let mut operands = nest.operands[..nest.inputs].to_vec();
    let mut maps = nest.maps[..nest.inputs].to_vec();
    let mut outputs = nest.operands[nest.inputs..].to_vec();
    for &at in &moved {
        let old = nest.operands[at];
        operands.push(old);
        maps.push(nest.maps[at]);
        outputs[at - nest.inputs] = empty_like(rewriter, old, op);
    }
    let inputs = operands.len();
    operands.extend(&outputs);
    maps.extend(&nest.maps[nest.inputs..]);
    // The arguments of outputs that nothing reads make room for those that come before them.
    for (to, &from) in moved.iter().enumerate() {
        let args = rewriter.body.block_args(nest.block);
        let (read, place) = (args[from], args[nest.inputs + to]);
        if read != place {
            rewriter.replace_all_uses(read, place);
        }
    }
    for (at, &operand) in operands.iter().enumerate() {
        let element = rewriter.body.ty(operand).element_or_self();
        match rewriter.body.block_args(nest.block).get(at).copied() {
            Some(arg) => rewriter.set_type(arg, element),
            None => {
                rewriter.add_block_arg(nest.block, element);
            }
        }
    }
    rewriter.set_operands(op, &operands);
    rewriter.set_attr(op, "indexing_maps", Attr::array(&maps));
    let sizes = [inputs as i32, outputs.len() as i32];
    rewriter.set_attr(op, "operandSegmentSizes", Attr::i32_array(&sizes));
    true
}

/// A parallel nest on tensors.
struct Nest {
    operands: Vec<ValueId>,
    maps: Vec<Attr>,
    inputs: usize,
    block: BlockId,
}

impl Nest {
    fn of(body: &Body, op: OpId) -> Option<Nest> {
        let space = structure(body, op)?;
        if !space.parallel.iter().all(|&parallel| parallel) {
            return None;
        }
        let sizes = body.attr(op, "operandSegmentSizes").and_then(Attr::as_dense_array)?;
        let nest = Nest {
            operands: body.operands(op).collect(),
            maps: space.maps.iter().map(|&map| Attr::map(map)).collect(),
            inputs: usize::try_from(*sizes.first()?).ok()?,
            block: body.region_entry(op, 0)?,
        };
        let whole = nest.operands.len() == nest.maps.len()
            && body.block_args(nest.block).len() == nest.maps.len()
            && nest.inputs <= nest.maps.len();
        whole.then_some(nest)
    }

    /// The outputs that the region reads; none when one of them is no tensor of static shape.
    fn read_outputs(&self, body: &Body) -> Vec<usize> {
        let args = body.block_args(self.block);
        let read: Vec<usize> = (self.inputs..self.operands.len())
            .filter(|&at| body.users(args[at]).next().is_some())
            .collect();
        let can_be_empty = |&at: &usize| {
            let ty = body.ty(self.operands[at]);
            matches!(ty.data(), TypeData::RankedTensor { .. }) && ty.has_static_shape()
        };
        if read.iter().all(can_be_empty) { read } else { Vec::new() }
    }
}

/// An empty tensor right after a value.
fn empty_like(rewriter: &mut Rewriter<'_>, value: ValueId, op: OpId) -> ValueId {
    let at = match rewriter.body.definition(value) {
        ValueKind::Result(maker, _) => InsertPoint::After(maker),
        ValueKind::Arg(block, _) => InsertPoint::Start(block),
    };
    let empty = NewOp::new("tensor.empty").result(rewriter.body.ty(value));
    rewriter.insert_value(at, empty.loc(rewriter.body.loc(op)))
}
