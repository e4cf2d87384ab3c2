//! Dead ops, common subexpressions and loop invariants, for ops that codegen itself makes.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use tegula_ir::{Attr, BlockId, Body, InsertPoint, OpId, OpName, Type, ValueId};
use tegula_rewrite::Rewriter;

/// Whether an op only computes: it may be erased when unused, moved, and shared. Reads of tensors
/// count, since tensors are values.
pub(crate) fn is_pure(body: &Body, op: OpId) -> bool {
    let name = body.name(op);
    match name.dialect() {
        "arith" | "affine" | "tensor" => true,
        "vector" => match name.as_str() {
            "vector.transfer_read" => is_tensor(body, body.operand(op, 0)),
            "vector.transfer_write" => body.num_results(op) == 1,
            "vector.load" | "vector.store" | "vector.maskedload" | "vector.maskedstore" => false,
            _ => true,
        },
        "ub" => name == "ub.poison",
        _ => matches!(name.as_str(), "memref.subview" | "memref.assume_alignment"),
    }
}

/// Whether an op may be erased when its results are unused.
fn is_removable(body: &Body, op: OpId) -> bool {
    let name = body.name(op);
    if is_pure(body, op) {
        return true;
    }
    match name.as_str() {
        "iree_codegen.load_from_buffer"
        | "hal.interface.binding.subspan"
        | "iree_tensor_ext.dispatch.tensor.load"
        | "memref.load"
        | "vector.load"
        | "vector.transfer_read" => true,
        "memref.alloca" => true,
        _ => name.dialect() == "linalg" && body.num_results(op) > 0,
    }
}

fn is_tensor(body: &Body, value: ValueId) -> bool {
    matches!(body.ty(value).data(), tegula_ir::TypeData::RankedTensor { .. })
}

/// Erases ops below `func` that nothing uses. Gives whether there were any.
pub(crate) fn erase_dead(rw: &mut Rewriter<'_>, func: OpId) -> bool {
    let mut ops: Vec<OpId> = rw.body.walk(func).skip(1).collect();
    ops.reverse();
    let mut changed = false;
    for op in ops {
        if rw.body.is_erased(op) || !rw.body.results_unused(op) {
            continue;
        }
        let empty_loop = is_effect_free_control(rw.body, op);
        if empty_loop || is_removable(rw.body, op) {
            rw.erase(op);
            changed = true;
        }
    }
    changed
}

/// Erases an op, and then what it was made from, as far as nothing uses it.
pub(crate) fn erase_unused(rw: &mut Rewriter<'_>, op: OpId) {
    let mut stack = vec![op];
    while let Some(op) = stack.pop() {
        if !rw.body.is_erased(op) && is_removable(rw.body, op) && rw.body.results_unused(op) {
            let operands: Vec<ValueId> = rw.body.operands(op).collect();
            rw.erase(op);
            stack.extend(operands.into_iter().filter_map(|v| rw.body.defining_op(v)));
        }
    }
}

/// A loop or choice in which nothing is written.
fn is_effect_free_control(body: &Body, op: OpId) -> bool {
    matches!(body.name(op).as_str(), "scf.for" | "scf.if")
        && body.walk(op).skip(1).all(|inner| {
            is_removable(body, inner)
                || matches!(body.name(inner).as_str(), "scf.for" | "scf.if" | "scf.yield")
        })
}

/// Moves pure ops out of loops when all of their operands are defined outside.
pub(crate) fn hoist_invariants(rw: &mut Rewriter<'_>, func: OpId) -> bool {
    // Inner loops first, so that what leaves an inner loop can leave the outer one as well.
    let mut loops: Vec<OpId> = rw.body.walk(func).filter(|&op| rw.body.is(op, "scf.for")).collect();
    loops.reverse();
    let mut changed = false;
    for op in loops {
        // Out of choices as well: what is pure may be computed though nobody asks for it.
        let inner: Vec<OpId> = rw.body.walk(op).skip(1).collect();
        for candidate in inner {
            let invariant = is_pure(rw.body, candidate)
                && rw.body.regions(candidate).is_empty()
                && rw.body.operands(candidate).all(|v| is_outside(rw.body, op, v));
            if invariant {
                rw.move_op(candidate, InsertPoint::Before(op));
                changed = true;
            }
        }
    }
    changed
}

/// Whether a value is defined outside of the op's regions.
fn is_outside(body: &Body, op: OpId, value: ValueId) -> bool {
    match body.defining_block(value).and_then(|b| body.block_parent_op(b)) {
        Some(parent) => !body.is_ancestor(op, parent),
        None => true,
    }
}

type Key = (OpName, Attr, SmallVec<[ValueId; 4]>, Type);

/// Shares pure ops that are equal, where one of them dominates the other.
pub(crate) fn share_equal(rw: &mut Rewriter<'_>, func: OpId) -> bool {
    let Some(entry) = rw.body.region_entry(func, 0) else { return false };
    let mut known: FxHashMap<Key, ValueId> = FxHashMap::default();
    share_in(rw, entry, &mut known)
}

fn share_in(rw: &mut Rewriter<'_>, block: BlockId, known: &mut FxHashMap<Key, ValueId>) -> bool {
    let mut changed = false;
    let mut added: Vec<Key> = Vec::new();
    let ops: Vec<OpId> = rw.body.block_ops(block).collect();
    for op in ops {
        let sharable = is_pure(rw.body, op)
            && rw.body.num_results(op) == 1
            && rw.body.regions(op).is_empty()
            && !rw.body.is(op, "tensor.empty");
        if sharable {
            let operands = rw.body.operands(op).collect();
            let result = rw.body.result(op, 0);
            let key = (rw.body.name(op), rw.body.attrs(op), operands, rw.body.ty(result));
            match known.get(&key) {
                Some(&first) => {
                    rw.replace(op, &[first]);
                    changed = true;
                }
                None => {
                    known.insert(key.clone(), result);
                    added.push(key);
                }
            }
            continue;
        }
        for region in rw.body.regions(op).to_vec() {
            let blocks: Vec<BlockId> = rw.body.blocks(region).collect();
            // With several blocks an earlier one need not dominate a later one.
            for inner in blocks {
                changed |= share_in(rw, inner, known);
            }
        }
    }
    for key in added {
        known.remove(&key);
    }
    changed
}
