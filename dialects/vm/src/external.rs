//! Functions without a body: they become imports, and calls of them give and take what the import
//! does. Where an import may be missing, its fallback is called instead.

use std::collections::BTreeMap;

use tegula_ir::{Attr, Body, InsertPoint, NewOp, OpId, Type, TypeData, ValueId};
use tegula_rewrite::Rewriter;

use crate::passes::function_type;

/// What the program says of a function of another module.
pub(crate) struct External {
    /// What stands for the type that follows from the function's own.
    signature: Option<Type>,
    /// The function to call where the import is not there.
    fallback: Option<&'static str>,
}

impl External {
    /// What is said of a function; none when it has a body.
    pub(crate) fn of(body: &Body, func: OpId) -> Option<External> {
        if body.region_entry(func, 0).is_some() {
            return None;
        }
        let fallback = body.attr(func, "vm.fallback").and_then(Attr::as_symbol_root);
        let signature = body.attr(func, "vm.signature").and_then(Attr::as_type);
        Some(External { signature, fallback: fallback.map(|name| name.as_str()) })
    }

    /// Puts an import in the place of the function.
    pub(crate) fn declare(&self, rw: &mut Rewriter<'_>, func: OpId) {
        let ty = self.signature.or_else(|| function_type(rw.body, func));
        let name = rw.body.symbol_name(func).unwrap_or_default();
        let mut new = NewOp::new("vm.import")
            .attr("sym_name", Attr::string(name))
            .attr("function_type", Attr::ty(ty.unwrap_or(Type::function(&[], &[]))))
            .regions(1)
            .loc(rw.body.loc(func));
        for (from, to) in [
            ("sym_visibility", "sym_visibility"),
            ("nosideeffects", "nosideeffects"),
            ("vm.fallback", "vm.fallback"),
            ("vm.version", "minimum_version"),
        ] {
            if let Some(attr) = rw.body.attr(func, from) {
                new = new.attr(to, attr);
            }
        }
        if self.fallback.is_some() {
            new = new.attr("is_optional", Attr::unit());
        }
        rw.insert(InsertPoint::Before(func), new);
        rw.erase(func);
    }
}

/// Fits the calls of external functions in a module to their imports.
pub(crate) fn calls(
    rw: &mut Rewriter<'_>,
    module: OpId,
    externals: &BTreeMap<&'static str, External>,
) {
    let is_call = |body: &Body, op: OpId| body.is(op, "util.call") || body.is(op, "func.call");
    let mut open: Vec<OpId> = rw.body.walk(module).filter(|&op| is_call(rw.body, op)).collect();
    while let Some(call) = open.pop() {
        let callee = rw.body.attr(call, "callee").and_then(Attr::as_symbol_root);
        let Some(external) = callee.and_then(|callee| externals.get(callee.as_str())) else {
            continue;
        };
        if let Some(fallback) = external.fallback {
            open.extend(call_either(rw, call, external, fallback));
        } else if let Some(signature) = external.signature {
            let values = call_as(rw, call, signature);
            rw.replace(call, &values);
        }
    }
}

/// A call of a type right before another one, which it stands for; gives values of the types that
/// the other one gives.
fn call_as(rw: &mut Rewriter<'_>, call: OpId, signature: Type) -> Vec<ValueId> {
    let (inputs, results) = signature.as_function().unwrap_or_default();
    let at = InsertPoint::Before(call);
    let given: Vec<ValueId> = rw.body.operands(call).collect();
    let operands: Vec<ValueId> = given
        .iter()
        .enumerate()
        .map(|(index, &value)| cast(rw, at, value, inputs.get(index).copied()))
        .collect();
    let wanted: Vec<Type> = rw.body.results(call).map(|value| rw.body.ty(value)).collect();
    let types = wanted.iter().enumerate().map(|(index, &ty)| match results.get(index) {
        Some(&other) if how(ty, other).is_some() => other,
        _ => ty,
    });
    let new = NewOp::new(rw.body.name(call))
        .operands(operands)
        .attrs(rw.body.attrs(call))
        .results(types.collect::<Vec<_>>())
        .loc(rw.body.loc(call));
    let made = rw.insert(at, new);
    let made: Vec<ValueId> = rw.body.results(made).collect();
    made.into_iter().zip(wanted).map(|(value, ty)| cast(rw, at, value, Some(ty))).collect()
}

/// Asks whether an import is there, calls it or its fallback, and goes on with what either gives.
/// Gives the call of the fallback, which may be an import again.
fn call_either(
    rw: &mut Rewriter<'_>,
    call: OpId,
    external: &External,
    fallback: &'static str,
) -> Option<OpId> {
    let block = rw.body.parent_block(call)?;
    let next = rw.body.next_op(call)?;
    let loc = rw.body.loc(call);
    let callee = rw.body.attr(call, "callee")?;
    let types: Vec<Type> = rw.body.results(call).map(|value| rw.body.ty(value)).collect();

    // In order: what asks, what calls the import, what calls the fallback.
    let ask = NewOp::new("vm.import.resolved").attr("import", callee).result(Type::int(32));
    let resolved = rw.insert_value(InsertPoint::Before(call), ask.loc(loc));
    let own = function_of(&types, rw.body, call);
    let first = rw.body.prev_op(call)?;
    let values = call_as(rw, call, external.signature.unwrap_or(own));
    let first = rw.body.next_op(first)?;
    let operands: Vec<ValueId> = rw.body.operands(call).collect();
    let new = NewOp::new(rw.body.name(call))
        .operands(operands)
        .attr("callee", Attr::symbol(fallback))
        .results(types.iter().copied())
        .loc(loc);
    let instead = rw.insert(InsertPoint::Before(call), new);

    let exit = rw.split_block(next);
    let otherwise = rw.split_block(instead);
    let present = rw.split_block(first);
    let branch = NewOp::new("vm.cond_br")
        .operand(resolved)
        .attr("operandSegmentSizes", Attr::i32_array(&[1, 0, 0]))
        .successor(present)
        .successor(otherwise);
    rw.insert(InsertPoint::End(block), branch.loc(loc));
    let go = |values: Vec<ValueId>| NewOp::new("cf.br").operands(values).successor(exit).loc(loc);
    rw.insert(InsertPoint::End(present), go(values));
    let results: Vec<ValueId> = types.iter().map(|&ty| rw.add_block_arg(exit, ty)).collect();
    rw.replace(call, &results);
    let values: Vec<ValueId> = rw.body.results(instead).collect();
    rw.insert(InsertPoint::End(otherwise), go(values));
    Some(instead)
}

fn function_of(results: &[Type], body: &Body, call: OpId) -> Type {
    let inputs: Vec<Type> = body.operands(call).map(|value| body.ty(value)).collect();
    Type::function(&inputs, results)
}

/// The op that makes a number one of another type; none where nothing has to be done, or can.
fn how(from: Type, to: Type) -> Option<&'static str> {
    let integer = |ty: Type| matches!(ty.data(), TypeData::Integer { .. });
    let index = |ty: Type| ty == Type::index();
    let width = |ty: Type| ty.bit_width().unwrap_or(0);
    if from == to {
        return None;
    }
    match (integer(from), integer(to)) {
        (true, true) if width(from) > width(to) => Some("arith.trunci"),
        // A condition is 0 or 1.
        (true, true) if width(from) == 1 => Some("arith.extui"),
        (true, true) if width(from) < width(to) => Some("arith.extsi"),
        (true, true) => None,
        (true, false) if index(to) => Some("arith.index_cast"),
        (false, true) if index(from) => Some("arith.index_cast"),
        (true, false) | (false, true) if width(from) == width(to) => Some("arith.bitcast"),
        _ => None,
    }
}

fn cast(rw: &mut Rewriter<'_>, at: InsertPoint, value: ValueId, to: Option<Type>) -> ValueId {
    let from = rw.body.ty(value);
    match to.and_then(|to| Some((how(from, to)?, to))) {
        Some((op, to)) => rw.insert_value(at, NewOp::new(op).operand(value).result(to)),
        None => value,
    }
}
