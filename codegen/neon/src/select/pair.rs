//! Neighbouring loads and stores of vectors become one instruction.

use tegula_ir::{Attr, BlockId, InsertPoint, NewOp, OpId, ValueId};
use tegula_rewrite::Rewriter;

use crate::types;

/// How far apart two accesses may stand to become one.
const WINDOW: usize = 64;

pub(super) fn pair_accesses(rw: &mut Rewriter<'_>, func: OpId) {
    let Some(region) = rw.body.region(func, 0) else { return };
    let blocks: Vec<BlockId> = rw.body.blocks(region).collect();
    for block in blocks {
        pair_loads(rw, block);
        pair_stores(rw, block);
    }
}

/// Base and offset of an access to a whole vector.
fn place(rw: &Rewriter<'_>, op: OpId, names: [&str; 2], base: usize) -> Option<(ValueId, i64)> {
    let name = rw.body.name(op);
    if !names.iter().any(|n| name == *n) {
        return None;
    }
    Some((rw.body.operand(op, base), rw.body.attr(op, "offset")?.as_int()?))
}

/// The offset of a pair at these two offsets, when one instruction reaches it.
fn pair_offset(a: i64, b: i64) -> Option<i64> {
    let low = a.min(b);
    ((a - b).abs() == 16 && low % 16 == 0 && (-1024..=1008).contains(&low)).then_some(low)
}

fn has_trait(rw: &Rewriter<'_>, op: OpId, name: &str) -> bool {
    rw.registry.op(rw.body.name(op)).is_some_and(|info| info.def().has_trait(name))
}

/// Loads join the earlier of the two; no store may stand in between.
fn pair_loads(rw: &mut Rewriter<'_>, block: BlockId) {
    let names = ["neon.ldr_q", "neon.ldur_q"];
    let mut at = rw.body.first_op(block);
    while let Some(first) = at {
        at = rw.body.next_op(first);
        let Some((base, offset)) = place(rw, first, names, 0) else { continue };
        let mut other = at;
        for _ in 0..WINDOW {
            let Some(second) = other else { break };
            if has_trait(rw, second, "Stores") || has_trait(rw, second, "Calls") {
                break;
            }
            let joined = place(rw, second, names, 0)
                .filter(|(b, _)| *b == base)
                .and_then(|(_, o)| Some((pair_offset(offset, o)?, o)));
            if let Some((low, second_offset)) = joined {
                let new = NewOp::new("neon.ldp_q").operand(base).attr("offset", Attr::i64(low));
                let new = new.result(types::v128()).result(types::v128());
                let pair = rw.insert(InsertPoint::Before(first), new.loc(rw.body.loc(first)));
                let swapped = usize::from(offset > second_offset);
                let (a, b) = (rw.body.result(pair, swapped), rw.body.result(pair, 1 - swapped));
                if at == Some(second) {
                    at = rw.body.next_op(second);
                }
                rw.replace(first, &[a]);
                rw.replace(second, &[b]);
                break;
            }
            other = rw.body.next_op(second);
        }
    }
}

/// Stores join the later of the two; in between may stand only what touches no memory, or other
/// stores off the same base.
fn pair_stores(rw: &mut Rewriter<'_>, block: BlockId) {
    let names = ["neon.str_q", "neon.stur_q"];
    let mut at = rw.body.first_op(block);
    while let Some(first) = at {
        at = rw.body.next_op(first);
        let Some((base, offset)) = place(rw, first, names, 1) else { continue };
        let mut other = at;
        for _ in 0..WINDOW {
            let Some(second) = other else { break };
            let here = place(rw, second, names, 1).filter(|(b, _)| *b == base);
            if let Some((_, second_offset)) = here {
                if let Some(low) = pair_offset(offset, second_offset) {
                    let (a, b) = (rw.body.operand(first, 0), rw.body.operand(second, 0));
                    let (a, b) = if offset < second_offset { (a, b) } else { (b, a) };
                    let new = NewOp::new("neon.stp_q")
                        .operands([a, b, base])
                        .attr("offset", Attr::i64(low))
                        .loc(rw.body.loc(second));
                    rw.insert(InsertPoint::Before(second), new);
                    if at == Some(second) {
                        at = rw.body.next_op(second);
                    }
                    rw.erase(first);
                    rw.erase(second);
                    break;
                }
                if (offset - second_offset).abs() < 16 {
                    break;
                }
            } else if ["Stores", "Loads", "Calls"].iter().any(|t| has_trait(rw, second, t)) {
                break;
            }
            other = rw.body.next_op(second);
        }
    }
}
