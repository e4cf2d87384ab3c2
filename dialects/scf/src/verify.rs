//! What must hold of structured control flow.

use tegula_dialect_affine::mixed::segment;
use tegula_ir::{Attr, Body, OpId, Registry, Type, ValueId};

fn types(body: &Body, values: impl IntoIterator<Item = ValueId>) -> Vec<Type> {
    values.into_iter().map(|value| body.ty(value)).collect()
}

fn entry_types(body: &Body, op: OpId, region: usize) -> Option<Vec<Type>> {
    let entry = body.region_entry(op, region)?;
    Some(types(body, body.block_args(entry).iter().copied()))
}

pub(crate) fn for_loop(body: &Body, op: OpId) -> Result<(), String> {
    let inits = types(body, body.operands(op).skip(3));
    let results = types(body, body.results(op));
    if inits.len() != results.len() {
        return Err(format!(
            "mismatch in number of loop-carried values and defined values: {} and {}",
            inits.len(),
            results.len()
        ));
    }
    let Some(args) = entry_types(body, op, 0) else { return Ok(()) };
    let counter = body.operands(op).next().map(|lower| body.ty(lower));
    if args.first().copied() != counter {
        return Err("expected induction variable to be same type as bounds and step".to_owned());
    }
    if args.len() != inits.len() + 1 {
        return Err("mismatch in number of basic block args and defined values".to_owned());
    }
    for (index, ((init, arg), result)) in inits.iter().zip(&args[1..]).zip(&results).enumerate() {
        if init != arg || init != result {
            return Err(format!(
                "types of loop-carried value {index} differ: {init}, {arg} in the body, {result} \
                 as result"
            ));
        }
    }
    Ok(())
}

pub(crate) fn forall(body: &Body, op: OpId) -> Result<(), String> {
    let rank = body
        .attr(op, "staticUpperBound")
        .and_then(|bound| bound.as_dense_array())
        .map_or(0, <[i64]>::len);
    for name in ["staticLowerBound", "staticStep"] {
        let count = body.attr(op, name).and_then(|b| b.as_dense_array()).map_or(0, <[i64]>::len);
        if count != rank {
            return Err(format!("expects {rank} entries in '{name}', has {count}"));
        }
    }
    let outputs = segment(body, op, 3).unwrap_or_default();
    if outputs.len() != body.num_results(op) {
        return Err(format!(
            "produces {} results, but has {} outputs",
            body.num_results(op),
            outputs.len()
        ));
    }
    let Some(args) = entry_types(body, op, 0) else { return Ok(()) };
    if args.len() != rank + body.num_results(op) {
        return Err("region expects an argument for each dimension and each output".to_owned());
    }
    if args.iter().take(rank).any(|ty| !ty.is_index()) {
        return Err("expects induction variables of type 'index'".to_owned());
    }
    let results = types(body, body.results(op));
    if args[rank..] != results || types(body, outputs) != results {
        return Err("types of outputs differ from those of the region's arguments".to_owned());
    }
    Ok(())
}

/// Only ops that write to what iterations share stand in the end of an iteration.
pub(crate) fn in_parallel(registry: &Registry, body: &Body, op: OpId) -> Result<(), String> {
    let Some(block) = body.region_entry(op, 0) else { return Ok(()) };
    let combines = |op: OpId| {
        registry
            .op(body.name(op))
            .is_some_and(|i| i.def().has_trait("ParallelCombiningOpInterface"))
    };
    if body.block_ops(block).all(combines) {
        return Ok(());
    }
    Err("expected only ParallelCombiningOpInterface ops".to_owned())
}

pub(crate) fn conditional(body: &Body, op: OpId) -> Result<(), String> {
    let absent = body.region_entry(op, 1).is_none();
    if absent && body.num_results(op) > 0 {
        return Err("must have an else block if defining values".to_owned());
    }
    Ok(())
}

pub(crate) fn while_loop(body: &Body, op: OpId) -> Result<(), String> {
    let inits = types(body, body.operands(op));
    if entry_types(body, op, 0).is_some_and(|args| args != inits) {
        return Err("expects the first region's arguments to have the types of the operands".into());
    }
    let results = types(body, body.results(op));
    let condition = body.region_entry(op, 0).and_then(|block| body.last_op(block));
    let Some(condition) = condition.filter(|&t| body.is(t, "scf.condition")) else {
        return Err("expects the 'before' region to terminate with 'scf.condition'".to_owned());
    };
    if types(body, body.operands(condition).skip(1)) != results {
        return Err("expects 'scf.condition' to pass on values of the result types".to_owned());
    }
    if entry_types(body, op, 1).is_some_and(|args| args != results) {
        return Err("expects the second region's arguments to have the types of the results".into());
    }
    let end = body.region_entry(op, 1).and_then(|block| body.last_op(block));
    if !end.is_some_and(|end| body.is(end, "scf.yield")) {
        return Err("expects the 'after' region to terminate with 'scf.yield'".to_owned());
    }
    Ok(())
}

/// The values that a region yields are those that the op around carries on.
/// Each case has a region, and no two cases are of one value.
pub(crate) fn index_switch(body: &Body, op: OpId) -> Result<(), String> {
    let cases = body.attr(op, "cases").and_then(Attr::as_dense_array).unwrap_or(&[]);
    let regions = body.regions(op).len().saturating_sub(1);
    if regions != cases.len() {
        return Err(format!("has {regions} case regions, but {} case values", cases.len()));
    }
    let twice = cases.iter().enumerate().find(|(at, case)| cases[..*at].contains(case));
    match twice {
        Some((_, case)) => Err(format!("has the case value {case} twice")),
        None => Ok(()),
    }
}

pub(crate) fn yields(body: &Body, op: OpId) -> Result<(), String> {
    let Some(parent) = body.parent_op(op) else { return Ok(()) };
    let wanted = match body.name(parent).as_str() {
        "scf.while" => types(body, body.operands(parent)),
        "scf.for" | "scf.if" | "scf.index_switch" | "scf.execute_region" => {
            types(body, body.results(parent))
        }
        other => {
            return Err(format!(
                "expects parent op to be one of 'scf.execute_region, scf.for, scf.if, \
                 scf.index_switch, scf.while', not '{other}'"
            ));
        }
    };
    let given = types(body, body.operands(op));
    if given.len() != wanted.len() {
        return Err(format!(
            "parent op has {} results, but {} values are yielded",
            wanted.len(),
            given.len()
        ));
    }
    match given.iter().zip(&wanted).position(|(a, b)| a != b) {
        Some(at) => Err(format!(
            "types mismatch between yield op and its parent: value {at} is '{}', not '{}'",
            given[at], wanted[at]
        )),
        None => Ok(()),
    }
}
