//! Structured loops and conditionals become blocks and branches.
//!
//! Block arguments are registers from here on; a cast gives what still reads them a value of the
//! old type, and the conversion of the remaining ops removes it.

use indexmap::IndexMap;
use tegula_ir::{Attr, BlockId, InsertPoint, NewOp, OpId, Type, ValueId};
use tegula_rewrite::Rewriter;

use super::build::{Machine, cast, register_type};
use super::form::constant;
use crate::{MachineError, types};

/// A loop as blocks.
#[derive(Clone, Debug)]
pub(super) struct Loop {
    /// The block that the loop starts each iteration in; its arguments are carried.
    pub(super) header: BlockId,
    /// The block that enters the loop; its terminator passes the initial values.
    pub(super) preheader: BlockId,
    /// The branch that goes to the next iteration.
    pub(super) latch: OpId,
    /// The first value of the counter.
    pub(super) lower: ValueId,
    /// How much the counter grows.
    pub(super) step: i64,
}

/// The loops by counter. A counter is the same value before and after; only its type changes.
pub(super) type Loops = IndexMap<ValueId, Loop>;

/// Lowers all structured control flow of a function, outer ops first.
pub(super) fn lower(rw: &mut Rewriter<'_>, func: OpId) -> Result<Loops, MachineError> {
    let mut loops = Loops::new();
    let Some(region) = rw.body.region(func, 0) else { return Ok(loops) };
    // Bodies become blocks behind their op, so that one walk over the growing list sees all.
    let mut block = rw.body.first_block(region);
    while let Some(current) = block {
        let structured = rw.body.block_ops(current).find(|&op| !rw.body.regions(op).is_empty());
        if let Some(op) = structured {
            match rw.body.name(op).as_str() {
                "scf.for" => lower_for(rw, op, &mut loops)?,
                "scf.if" => lower_if(rw, op)?,
                name => {
                    let message = format!("`{name}` has no machine form");
                    return Err(MachineError::new(op, "unsupported-op", message));
                }
            }
        }
        block = rw.body.next_block(current);
    }
    Ok(loops)
}

/// Makes an argument of a block a register, with a cast for what reads it.
fn to_register(rw: &mut Rewriter<'_>, value: ValueId, op: OpId) -> Result<(), MachineError> {
    let old = rw.body.ty(value);
    let new = register_type(old).ok_or_else(|| {
        MachineError::new(op, "unsupported-type", "a value of a type without register")
    })?;
    let Some(block) = rw.body.defining_block(value) else { return Ok(()) };
    let users: Vec<_> = rw.body.uses(value).collect();
    rw.set_type(value, new);
    if !users.is_empty() {
        let cast_op = rw.insert(InsertPoint::Start(block), cast(value, old));
        let result = rw.body.result(cast_op, 0);
        rw.replace_uses_if(value, result, |body, slot| body.use_owner(slot) != cast_op);
    }
    Ok(())
}

/// Moves what follows an op into a block of its own, behind the op's block; the op's results
/// become its arguments.
fn split_after(rw: &mut Rewriter<'_>, op: OpId) -> Result<BlockId, MachineError> {
    let Some(next) = rw.body.next_op(op) else {
        return Err(MachineError::new(op, "no-terminator", "nothing follows the op in its block"));
    };
    let exit = rw.split_block(next);
    let results: Vec<ValueId> = rw.body.results(op).collect();
    for result in results {
        let old = rw.body.ty(result);
        let Some(new) = register_type(old) else {
            return Err(MachineError::new(op, "unsupported-type", "a result without register"));
        };
        let arg = rw.add_block_arg(exit, new);
        if !rw.body.is_unused(result) {
            let value = rw.insert_value(InsertPoint::Start(exit), cast(arg, old));
            rw.replace_all_uses(result, value);
        }
    }
    Ok(exit)
}

/// Registers of values, made before an op.
fn registers(
    rw: &mut Rewriter<'_>,
    at: OpId,
    values: impl IntoIterator<Item = ValueId>,
) -> Result<Vec<ValueId>, MachineError> {
    let values: Vec<ValueId> = values.into_iter().collect();
    values
        .into_iter()
        .map(|value| {
            let Some(ty) = register_type(rw.body.ty(value)) else {
                let message = "a value of a type without register";
                return Err(MachineError::new(at, "unsupported-type", message));
            };
            if rw.body.ty(value) == ty {
                return Ok(value);
            }
            Ok(rw.insert_value(InsertPoint::Before(at), cast(value, ty)))
        })
        .collect()
}

fn branch(to: BlockId, args: Vec<ValueId>) -> NewOp {
    NewOp::new("neon.b").operands(args).successor(to)
}

/// A conditional branch; `condition` is what it reads.
fn conditional(
    name: &'static str,
    condition: ValueId,
    cond: Option<&str>,
    yes: (BlockId, &[ValueId]),
    no: (BlockId, &[ValueId]),
) -> NewOp {
    let sizes = [1, yes.1.len() as i32, no.1.len() as i32];
    NewOp::new(name)
        .operand(condition)
        .operands(yes.1.iter().copied())
        .operands(no.1.iter().copied())
        .attr_opt("cond", cond.map(Attr::string))
        .attr("operandSegmentSizes", Attr::i32_array(&sizes))
        .successor(yes.0)
        .successor(no.0)
}

fn lower_for(rw: &mut Rewriter<'_>, op: OpId, loops: &mut Loops) -> Result<(), MachineError> {
    let operands: Vec<ValueId> = rw.body.operands(op).collect();
    let (lower, upper) = (operands[0], operands[1]);
    let unsigned = rw.body.attr(op, "unsignedCmp").is_some();
    let Some(step) = constant(rw.body, operands[2]).filter(|&step| step > 0) else {
        let message = "a loop whose step is not a positive constant has no machine form";
        return Err(MachineError::new(op, "unsupported-loop", message));
    };
    let (Some(preheader), Some(region)) = (rw.body.parent_block(op), rw.body.region(op, 0)) else {
        return Err(MachineError::new(op, "no-body", "a loop without body"));
    };
    let Some(header) = rw.body.first_block(region) else {
        return Err(MachineError::new(op, "no-body", "a loop without body"));
    };
    let exit = split_after(rw, op)?;
    let inits = registers(rw, op, operands[3..].iter().copied())?;
    let bounds = registers(rw, op, [lower, upper])?;
    let counter = rw.body.block_args(header)[0];
    let args: Vec<ValueId> = rw.body.block_args(header).to_vec();

    // The loop is entered without a test when it is known to run.
    let compare = |a: i64, b: i64| if unsigned { (a as u64) < b as u64 } else { a < b };
    let known = constant(rw.body, lower).zip(constant(rw.body, upper)).map(|(a, b)| compare(a, b));
    let mut entry_args = vec![bounds[0]];
    entry_args.extend(&inits);
    let condition = if unsigned { "lo" } else { "lt" };
    match known {
        Some(true) => {
            rw.insert(InsertPoint::Before(op), branch(header, entry_args));
        }
        Some(false) => {
            rw.insert(InsertPoint::Before(op), branch(exit, inits.clone()));
        }
        None => {
            let cmp = NewOp::new("neon.cmp_x").operands(bounds.clone()).result(types::flags());
            let flags = rw.insert_value(InsertPoint::Before(op), cmp);
            // Entering is a branch of its own, so that initial values have a block to be made in.
            let enter = rw.body.insert_block_after(preheader);
            let test =
                conditional("neon.b_cond", flags, Some(condition), (enter, &[]), (exit, &inits));
            rw.insert(InsertPoint::Before(op), test);
            rw.insert(InsertPoint::End(enter), branch(header, entry_args));
        }
    }
    let entered = match known {
        None => rw.body.next_block(preheader),
        Some(_) => Some(preheader),
    };

    // The body's block, and the way back.
    let Some(func_region) = rw.body.block_parent(preheader) else {
        return Err(MachineError::new(op, "no-body", "a loop outside of a function"));
    };
    let Some(terminator) = rw.body.last_op(header).filter(|&t| rw.body.is(t, "scf.yield")) else {
        return Err(MachineError::new(op, "no-terminator", "a loop body without `scf.yield`"));
    };
    let yielded = rw.body.operands(terminator).collect::<Vec<_>>();
    let mut next = registers(rw, terminator, yielded)?;
    rw.modify(op, |body| {
        body.detach_block(header);
        body.attach_block(header, func_region, Some(exit));
    });
    for &arg in &args {
        to_register(rw, arg, op)?;
    }
    let bump = Machine::new(rw, InsertPoint::Before(terminator)).add_constant(counter, step);
    let cmp = NewOp::new("neon.cmp_x").operands([bump, bounds[1]]).result(types::flags());
    let flags = rw.insert_value(InsertPoint::Before(terminator), cmp);
    next.insert(0, bump);
    let back =
        conditional("neon.b_cond", flags, Some(condition), (header, &next), (exit, &next[1..]));
    let latch = rw.insert(InsertPoint::Before(terminator), back);
    rw.erase(terminator);
    rw.erase(op);
    match (known, entered) {
        (Some(false), _) | (_, None) => {
            // Nothing enters; the blocks go with everything else that is not reached.
        }
        (_, Some(preheader)) => {
            loops.insert(counter, Loop { header, preheader, latch, lower: bounds[0], step });
        }
    }
    Ok(())
}

fn lower_if(rw: &mut Rewriter<'_>, op: OpId) -> Result<(), MachineError> {
    let Some(block) = rw.body.parent_block(op) else {
        return Err(MachineError::new(op, "no-body", "a conditional outside of a function"));
    };
    let Some(region) = rw.body.block_parent(block) else {
        return Err(MachineError::new(op, "no-body", "a conditional outside of a function"));
    };
    let exit = split_after(rw, op)?;
    let mut targets = Vec::new();
    for index in 0..2 {
        let Some(inner) = rw.body.region_entry(op, index) else {
            targets.push(exit);
            continue;
        };
        let terminator = rw.body.last_op(inner).filter(|&t| rw.body.is(t, "scf.yield"));
        let Some(terminator) = terminator else {
            return Err(MachineError::new(op, "no-terminator", "a branch without `scf.yield`"));
        };
        let yielded: Vec<ValueId> = rw.body.operands(terminator).collect();
        let values = registers(rw, terminator, yielded)?;
        rw.insert(InsertPoint::Before(terminator), branch(exit, values));
        rw.erase(terminator);
        rw.modify(op, |body| {
            body.detach_block(inner);
            body.attach_block(inner, region, Some(exit));
        });
        targets.push(inner);
    }
    let condition = rw.body.operand(op, 0);
    let new = match comparison(rw, op, condition)? {
        Some((flags, cond)) => {
            conditional("neon.b_cond", flags, Some(cond), (targets[0], &[]), (targets[1], &[]))
        }
        None => {
            let value = registers(rw, op, [condition])?[0];
            conditional("neon.cbnz", value, None, (targets[0], &[]), (targets[1], &[]))
        }
    };
    rw.insert(InsertPoint::Before(op), new);
    rw.erase(op);
    Ok(())
}

/// The flags of the comparison that a condition is, made before an op.
fn comparison(
    rw: &mut Rewriter<'_>,
    at: OpId,
    condition: ValueId,
) -> Result<Option<(ValueId, &'static str)>, MachineError> {
    let Some(cmp) = rw.body.defining_op(condition).filter(|&op| rw.body.is(op, "arith.cmpi"))
    else {
        return Ok(None);
    };
    let operands: Vec<ValueId> = rw.body.operands(cmp).collect();
    let comparable = |ty: Type| ty.is_index() || ty.is_int(64);
    let predicate = rw.body.attr(cmp, "predicate").and_then(|a| a.as_int());
    let cond = predicate.and_then(crate::condition::of_predicate);
    let (true, Some(cond)) = (comparable(rw.body.ty(operands[0])), cond) else { return Ok(None) };
    let operands = registers(rw, at, operands)?;
    let new = NewOp::new("neon.cmp_x").operands(operands).result(types::flags());
    Ok(Some((rw.insert_value(InsertPoint::Before(at), new), cond)))
}
