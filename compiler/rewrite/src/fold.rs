//! Folding one op, and materializing the constants it folds to.

use tegula_ir::verify::check_pred;
use tegula_ir::{
    Attr, AttrData, Body, FoldContext, FoldResult, InsertPoint, NewOp, OpId, Registry, Subject,
    Type, ValueId,
};

use crate::machine::Registers;
use crate::{Patterns, RewriteHooks, Rewriter, apply, constant_of};

/// Folds an op: one existing value or constant for each of its results, or nothing. The op's
/// folder hook is asked first, then fold patterns, best first. Nothing is edited.
pub fn fold_op(
    registry: &Registry,
    patterns: &Patterns,
    body: &Body,
    op: OpId,
) -> Option<Vec<FoldResult>> {
    let results = body.num_results(op);
    let useful = |folded: &Vec<FoldResult>| {
        folded.len() == results
            && results > 0
            && folded.iter().zip(body.results(op)).all(|(folded, result)| match folded {
                // A result that stands for itself says nothing, one of another type is wrong.
                FoldResult::Value(value) => *value != result && body.ty(*value) == body.ty(result),
                FoldResult::Attr(_) => true,
            })
    };
    if let Some(info) = registry.op(body.name(op))
        && let Some(name) = &info.def().folder
        && let Some(hook) = info.dialect().hooks.fold.get(name.as_ref())
    {
        let constants: Vec<Option<Attr>> =
            body.operands(op).map(|value| constant_of(registry, body, value)).collect();
        let context = FoldContext { registry, body, op, constants: &constants };
        if let Some(folded) = hook(&context).filter(useful) {
            return Some(folded);
        }
    }
    let candidates = patterns.folds().of(body.name(op));
    if candidates.is_empty() {
        return None;
    }
    let mut registers = Registers::default();
    candidates
        .iter()
        .find_map(|p| apply::try_fold(registry, body, p, op, &mut registers).filter(useful))
}

/// Folds an op as [`fold_op`] does and makes constants right before it; gives the values that
/// stand for its results. The op stays. Nothing is edited when a constant cannot be made.
pub fn fold_to_values(
    rw: &mut Rewriter<'_>,
    patterns: &Patterns,
    op: OpId,
) -> Option<Vec<ValueId>> {
    let folded = fold_op(rw.registry, patterns, rw.body, op)?;
    let dialect = rw.body.name(op).dialect();
    let types: Vec<Type> = rw.body.results(op).map(|r| rw.body.ty(r)).collect();
    let loc = rw.body.loc(op);
    // What cannot be made is found out before anything is.
    let mut plans = Vec::new();
    for (result, &ty) in folded.iter().zip(&types) {
        plans.push(match result {
            FoldResult::Value(value) => Err(*value),
            FoldResult::Attr(attr) => {
                Ok(constant(rw.registry, patterns.hooks(), dialect, *attr, ty)?.loc(loc))
            }
        });
    }
    let mut values = Vec::new();
    for plan in plans {
        values.push(match plan {
            Err(value) => value,
            Ok(new) => {
                let made = rw.insert(InsertPoint::Before(op), new);
                rw.body.result(made, 0)
            }
        });
    }
    Some(values)
}

/// Makes an op at the insertion point, or gives the values that it folds to.
pub fn create_or_fold(rw: &mut Rewriter<'_>, patterns: &Patterns, new: NewOp) -> Vec<ValueId> {
    let op = rw.create(new);
    match fold_to_values(rw, patterns, op) {
        Some(values) => {
            rw.erase(op);
            values
        }
        None => rw.body.results(op).collect(),
    }
}

/// The constant op of this value for results of ops of a dialect; none when no op can hold it.
///
/// The op is the one that the dialect names ([`RewriteHooks::constant_op`]), else one of its own
/// that is `ConstantLike`, else one of the dialect of the attribute itself.
pub fn constant(
    registry: &Registry,
    hooks: &RewriteHooks,
    dialect: &str,
    attr: Attr,
    ty: Type,
) -> Option<NewOp> {
    if attr.value_type().is_some_and(|t| t != ty) {
        return None;
    }
    let named = hooks.constant_ops.get(dialect).copied();
    let own = own_constants(registry, dialect);
    let of_attr = match attr.data() {
        AttrData::Dialect { name, .. } => {
            let dialect = name.as_str().split_once('.').map_or("", |(dialect, _)| dialect);
            own_constants(registry, dialect)
        }
        _ => Vec::new(),
    };
    let all = named.into_iter().chain(own).chain(of_attr);
    all.map(|name| NewOp::new(name).attr("value", attr).result(ty))
        .find(|new| accepts(registry, new, attr, ty))
}

fn own_constants<'a>(registry: &'a Registry, dialect: &str) -> Vec<&'a str> {
    let ops = registry.dialect(dialect).map_or(&[][..], |d| d.def.ops.as_ref());
    ops.iter()
        .filter(|op| op.has_trait("ConstantLike") && op.attr_index("value").is_some())
        .map(|op| op.name.as_ref())
        .collect()
}

fn accepts(registry: &Registry, new: &NewOp, attr: Attr, ty: Type) -> bool {
    let Some(info) = registry.op(new.name) else { return false };
    let def = info.def();
    let Some(value) = def.attr_index("value").and_then(|at| def.attrs.get(at)) else {
        return false;
    };
    def.results.len() == 1
        && check_pred(registry, &value.constraint.pred, Subject::Attr(attr))
        && def
            .results
            .iter()
            .all(|result| check_pred(registry, &result.constraint.pred, Subject::Type(ty)))
}

/// Moves constant operands of a commutative op behind the others, keeping the order of either.
pub(crate) fn sort_commutative(rw: &mut Rewriter<'_>, op: OpId) -> bool {
    if !rw.registry.op(rw.body.name(op)).is_some_and(|info| info.commutative) {
        return false;
    }
    let operands: Vec<ValueId> = rw.body.operands(op).collect();
    let is_constant = |value: &ValueId| constant_of(rw.registry, rw.body, *value).is_some();
    let (constants, others): (Vec<_>, Vec<_>) = operands.iter().copied().partition(is_constant);
    let sorted: Vec<ValueId> = others.into_iter().chain(constants).collect();
    if sorted == operands {
        return false;
    }
    rw.set_operands(op, &sorted);
    true
}
