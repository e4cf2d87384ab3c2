//! Folding one op, and materializing the constants it folds to.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};
use tegula_ir::verify::check_pred;
use tegula_ir::{
    Attr, AttrData, Body, FoldContext, FoldResult, Ident, InsertPoint, NewOp, OpId, OpName,
    OpTable, Registry, Subject, Type, ValueId,
};
use tegula_schema::Pred;

use crate::link::Pattern;
use crate::machine::{Registers, Values, zero_of};
use crate::{Application, Patterns, RewriteHooks, Rewriter, apply, constant_of};

/// Folds an op: one existing value or constant for each of its results, or nothing. The op's
/// folder hook is asked first, then fold patterns, best first. Nothing is edited.
pub fn fold_op(
    registry: &Registry,
    patterns: &Patterns,
    body: &Body,
    op: OpId,
) -> Option<Vec<FoldResult>> {
    let folded = fold_with(registry, patterns, body, op, &mut Registers::default());
    folded.map(|(folded, _)| folded.into_vec())
}

/// What an op folds to; mostly it has one result.
pub(crate) type Folded = SmallVec<[FoldResult; 1]>;

/// What an op folds to, and the pattern that says so; what a hook says has none.
fn fold_with<'p>(
    registry: &Registry,
    patterns: &'p Patterns,
    body: &Body,
    op: OpId,
    registers: &mut Registers,
) -> Option<(Folded, Option<&'p Arc<Pattern>>)> {
    let results = body.num_results(op);
    if results == 0 {
        return None;
    }
    let useful = |folded: &Folded| {
        folded.len() == results
            && folded.iter().zip(body.results(op)).all(|(folded, result)| match folded {
                // A result that stands for itself says nothing, one of another type is wrong.
                FoldResult::Value(value) => *value != result && body.ty(*value) == body.ty(result),
                FoldResult::Attr(_) => true,
            })
    };
    if let Some(hook) = patterns.folder(body.name(op)) {
        let constants: SmallVec<[Option<Attr>; 4]> =
            body.operands(op).map(|value| constant_of(registry, body, value)).collect();
        let context = FoldContext { registry, body, op, constants: &constants };
        if let Some(folded) = hook(&context).map(Folded::from_vec)
            && useful(&folded)
        {
            return Some((folded, None));
        }
    }
    let candidates = patterns.folds().of(body.name(op));
    candidates.iter().find_map(|pattern| {
        let folded = apply::try_fold(registry, body, pattern, op, registers)?;
        useful(&folded).then_some((folded, Some(pattern)))
    })
}

/// Folds an op as [`fold_op`] does and makes constants right before it; gives the values that
/// stand for its results, and the pattern that was applied. The op stays. Nothing is edited when a
/// constant cannot be made.
pub(crate) fn fold_to_values<'p>(
    rw: &mut Rewriter<'_>,
    patterns: &'p Patterns,
    op: OpId,
    registers: &mut Registers,
) -> Option<(Values, Option<&'p Arc<Pattern>>)> {
    let (folded, pattern) = fold_with(rw.registry, patterns, rw.body, op, registers)?;
    let name = rw.body.name(op);
    let loc = rw.body.loc(op);
    // One result is the rule, and needs no plan.
    if let [only] = folded.as_slice() {
        let value = match only {
            FoldResult::Value(value) => *value,
            FoldResult::Attr(attr) => {
                let ty = rw.body.ty(rw.body.result(op, 0));
                let new = constant(rw.registry, patterns, name, *attr, ty)?.loc(loc);
                let made = rw.insert(InsertPoint::Before(op), new);
                rw.body.result(made, 0)
            }
        };
        return Some((smallvec![value], pattern));
    }
    let types: Vec<Type> = rw.body.results(op).map(|r| rw.body.ty(r)).collect();
    // What cannot be made is found out before anything is.
    let mut plans = Vec::new();
    for (result, &ty) in folded.iter().zip(&types) {
        plans.push(match result {
            FoldResult::Value(value) => Err(*value),
            FoldResult::Attr(attr) => {
                Ok(constant(rw.registry, patterns, name, *attr, ty)?.loc(loc))
            }
        });
    }
    let mut values = Values::new();
    for plan in plans {
        values.push(match plan {
            Err(value) => value,
            Ok(new) => {
                let made = rw.insert(InsertPoint::Before(op), new);
                rw.body.result(made, 0)
            }
        });
    }
    Some((values, pattern))
}

/// Has all ops below `root` that fold replaced where they are used, in one walk. The ops stay.
pub(crate) fn fold_constants(rw: &mut Rewriter<'_>, patterns: &Patterns, root: OpId) {
    let mut registers = Registers::default();
    for op in rw.body.walk(root).collect::<Vec<_>>() {
        let Some((values, _)) = fold_to_values(rw, patterns, op, &mut registers) else { continue };
        let results: SmallVec<[ValueId; 1]> = rw.body.results(op).collect();
        for (result, value) in results.into_iter().zip(values) {
            rw.replace_all_uses(result, value);
        }
    }
}

/// Makes an op at the insertion point, or gives the values that it folds to.
pub fn create_or_fold(rw: &mut Rewriter<'_>, patterns: &Patterns, new: NewOp) -> Vec<ValueId> {
    create_and_fold(rw, patterns, new).0.into_vec()
}

/// The same with the pattern that was applied.
pub(crate) fn create_and_fold(
    rw: &mut Rewriter<'_>,
    patterns: &Patterns,
    new: NewOp,
) -> (Values, Option<Application>) {
    let op = rw.create(new);
    match fold_to_values(rw, patterns, op, &mut Registers::default()) {
        Some((values, fold)) => {
            let root = (rw.body.name(op), rw.body.loc(op));
            rw.erase(op);
            let made = values.iter().filter_map(|&value| rw.body.defining_op(value)).collect();
            (values, fold.map(|fold| Application::new(fold, root, made)))
        }
        None => (rw.body.results(op).collect(), None),
    }
}

/// The constant op of this value for a result of an op of that name; none when no op can hold it.
///
/// The op is the one that its dialect names ([`RewriteHooks::constant_op`]), else one of its own
/// that is `ConstantLike`, else one of the dialect of the attribute itself.
#[inline]
pub fn constant(
    registry: &Registry,
    patterns: &Patterns,
    of: OpName,
    attr: Attr,
    ty: Type,
) -> Option<NewOp> {
    if registry.value_type(attr).is_some_and(|t| t != ty) {
        return None;
    }
    let ops = patterns.constants();
    let holds = |op: &&ConstantOp| op.holds(registry, attr, ty);
    let op = match ops.of(of).iter().find(holds) {
        Some(op) => op,
        None => ops.of_attr(attr).iter().find(holds)?,
    };
    let new = NewOp::new(op.name).result(ty);
    Some(if op.zero { new } else { new.entry(op.value_name, attr) })
}

/// An op that makes a constant of its attribute `value`, or zero.
struct ConstantOp {
    name: OpName,
    /// Whether it makes zero only, without an attribute.
    zero: bool,
    /// `value`.
    value_name: Ident,
    value: Pred,
    result: Pred,
}

impl ConstantOp {
    fn new(registry: &Registry, name: &str) -> Option<ConstantOp> {
        let info = registry.op(OpName::of(name))?;
        let (def, zero) = (info.def(), info.constant_zero);
        let value = def.attr_index("value").and_then(|value| def.attrs.get(value));
        let [result] = def.results.as_ref() else { return None };
        if value.is_none() && !zero {
            return None;
        }
        Some(ConstantOp {
            name: OpName::of(name),
            zero,
            value_name: Ident::of(value.map_or("value", |value| &value.name)),
            value: value.map_or(Pred::Any, |value| value.constraint.pred.clone()),
            result: result.constraint.pred.clone(),
        })
    }

    fn holds(&self, registry: &Registry, attr: Attr, ty: Type) -> bool {
        (!self.zero || zero_of(ty) == Some(attr))
            && check_pred(registry, &self.value, Subject::Attr(attr))
            && check_pred(registry, &self.result, Subject::Type(ty))
    }
}

/// The ops that make constants.
#[derive(Default)]
pub(crate) struct ConstantOps {
    /// By op, for what it folds to: the op that its dialect names, then the dialect's own.
    of: OpTable<Arc<[ConstantOp]>>,
    /// By dialect, its own.
    own: FxHashMap<String, Vec<ConstantOp>>,
}

impl ConstantOps {
    pub(crate) fn new(registry: &Registry, hooks: &RewriteHooks) -> ConstantOps {
        let mut ops = ConstantOps::default();
        for dialect in registry.dialects() {
            let name = dialect.def.name.as_ref();
            let own = || {
                let constant_like =
                    dialect.def.ops.iter().filter(|op| op.has_trait("ConstantLike"));
                let mut ops: Vec<ConstantOp> =
                    constant_like.filter_map(|op| ConstantOp::new(registry, &op.name)).collect();
                ops.sort_by_key(|op| !op.zero);
                ops
            };
            let named = hooks.constant_ops.get(name);
            let named = named.and_then(|name| ConstantOp::new(registry, name));
            let all: Arc<[ConstantOp]> = named.into_iter().chain(own()).collect();
            for op in dialect.def.ops.iter() {
                ops.of.insert(OpName::of(&op.name), all.clone());
            }
            ops.own.insert(name.to_owned(), own());
        }
        ops
    }

    fn of(&self, op: OpName) -> &[ConstantOp] {
        self.of.get(op).map_or(&[], |all| all)
    }

    /// Those of the dialect of an attribute.
    fn of_attr(&self, attr: Attr) -> &[ConstantOp] {
        let AttrData::Dialect { name, .. } = attr.data() else { return &[] };
        let Some((dialect, _)) = name.as_str().split_once('.') else { return &[] };
        self.own.get(dialect).map_or(&[], Vec::as_slice)
    }
}

/// Moves constant operands of a commutative op behind the others, keeping the order of either.
pub(crate) fn sort_commutative(rw: &mut Rewriter<'_>, op: OpId) -> bool {
    let is_constant = |value: ValueId| constant_of(rw.registry, rw.body, value).is_some();
    if rw.body.operands(op).is_sorted_by_key(is_constant) {
        return false;
    }
    let operands = rw.body.operands(op);
    let (constants, mut sorted): (Values, Values) = operands.partition(|&value| is_constant(value));
    sorted.extend(constants);
    rw.set_operands(op, &sorted);
    true
}
