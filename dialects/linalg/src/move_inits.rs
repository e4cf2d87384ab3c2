//! Outputs whose contents a parallel nest reads.

use tegula_ir::{Attr, Body, InsertPoint, OpId, ValueId, ValueKind};
use tegula_rewrite::Rewriter;

use crate::generic::Generic;
use crate::operands::empty_like;

/// In a parallel nest, an output whose old contents the region reads becomes an input, and an empty
/// tensor stands in its place.
pub(crate) fn move_inits_to_inputs(rewriter: &mut Rewriter<'_>, op: OpId) -> bool {
    let nest = Generic::of(rewriter.body, op).filter(Generic::is_parallel);
    let Some(nest) = nest else { return false };
    let moved = read_outputs(&nest, rewriter.body);
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
        let place = after(rewriter.body, old);
        outputs[at - nest.inputs] = empty_like(rewriter, old, place, op);
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
    let maps: Vec<Attr> = maps.into_iter().map(Attr::map).collect();
    rewriter.set_attr(op, "indexing_maps", Attr::array(&maps));
    let sizes = [inputs as i32, outputs.len() as i32];
    rewriter.set_attr(op, "operandSegmentSizes", Attr::i32_array(&sizes));
    true
}

/// The outputs that the region reads; none when one of them is no tensor of static shape.
fn read_outputs(nest: &Generic, body: &Body) -> Vec<usize> {
    let outputs = nest.inputs..nest.operands.len();
    let read: Vec<usize> = outputs.filter(|&at| nest.reads(body, at)).collect();
    let can_be_empty = |&at: &usize| body.ty(nest.operands[at]).has_static_shape();
    if read.iter().all(can_be_empty) { read } else { Vec::new() }
}

/// Right after a value is made.
fn after(body: &Body, value: ValueId) -> InsertPoint {
    match body.definition(value) {
        ValueKind::Result(maker, _) => InsertPoint::After(maker),
        ValueKind::Arg(block, _) => InsertPoint::Start(block),
    }
}
