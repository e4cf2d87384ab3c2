//! Canonicalizations that patterns name: what assumptions say once values are known.

use tegula_ir::{Attr, Body, InsertPoint, NewOp, OpId, Registry, ValueId};
use tegula_rewrite::{Bound, RewriteHooks, Rewriter};

use crate::constants::constant_value;

/// The hooks that the dialect's patterns name.
pub(crate) fn rewrites() -> RewriteHooks {
    RewriteHooks::new()
        .constant_op("util", "arith.constant")
        .compute("util_decimal", crate::strings::decimal)
        .compute("util_map_divisor", map_divisor)
        .rewrite("util_assume_int", assume_int)
        .rewrite("util_unreachable_rest", crate::unreachable::rest)
        .rewrite("util_unreachable_cases", crate::unreachable::cases)
        .rewrite("util_unreachable_target", crate::unreachable::target)
        .rewrite("util_range_extents", crate::extents::fold)
        .rewrite("util_string_format", crate::strings::format)
}

/// A number that divides what a map with one result gives.
fn map_divisor(_: &Registry, _: &Body, bound: &[Bound]) -> Option<Bound> {
    let map = bound.first()?.attr()?.as_map()?;
    let &[result] = map.results() else { return None };
    Some(Bound::Attr(Attr::index(result.known_divisor())))
}

/// What becomes of one operand of `util.assume.int`.
enum Fate {
    /// The operand is known by itself.
    Known(ValueId),
    /// The assumptions leave one value.
    Fixed(i64),
    /// It stays, with these assumptions.
    Stays(ValueId, Attr),
    /// It is another operand, too, and becomes what that becomes.
    SameAs(usize),
}

/// Replaces results that are known by constants. What stays is named once, with all that is assumed
/// of it, and equal assumptions once.
fn assume_int(rw: &mut Rewriter<'_>, op: OpId) -> bool {
    let rows = rw.body.attr(op, "assumptions").and_then(Attr::as_array).unwrap_or(&[]);
    let operands: Vec<ValueId> = rw.body.operands(op).collect();
    if rows.len() != operands.len() {
        return rw.no_match(op, "its operands have no assumptions");
    }
    // For each operand the place of the first that is the same value.
    let first = |operand: &ValueId| operands.iter().position(|o| o == operand).unwrap_or(0);
    let firsts: Vec<usize> = operands.iter().map(first).collect();
    let mut fates: Vec<Fate> = Vec::new();
    for (at, &operand) in operands.iter().enumerate() {
        let same = || (at..operands.len()).filter(|&other| firsts[other] == at);
        let joined = same().map(|other| rows[other]).reduce(joined);
        fates.push(match joined {
            Some(row) => fate(rw.body, operand, row),
            None => Fate::SameAs(firsts[at]),
        });
    }
    let as_before = |(fate, row): (&Fate, &Attr)| matches!(fate, Fate::Stays(_, r) if r == row);
    if fates.iter().zip(rows).all(as_before) {
        return rw.no_match(op, "all of its operands are open");
    }
    let stays = |fate: &Fate| match fate {
        Fate::Stays(value, row) => Some((*value, *row)),
        _ => None,
    };
    let (open, assumptions): (Vec<ValueId>, Vec<Attr>) = fates.iter().filter_map(stays).unzip();
    let mut kept = Vec::new();
    if !open.is_empty() {
        let types: Vec<_> = open.iter().map(|&v| rw.body.ty(v)).collect();
        let new = NewOp::new("util.assume.int")
            .attrs(rw.attrs_without(op, &["assumptions"]))
            .attr("assumptions", Attr::array(&assumptions))
            .operands(open)
            .results(types);
        let new = rw.insert(InsertPoint::Before(op), new);
        kept = rw.body.results(new).collect();
    }
    let mut kept = kept.into_iter();
    let mut values: Vec<ValueId> = Vec::new();
    for (&operand, fate) in operands.iter().zip(fates) {
        values.push(match fate {
            Fate::Known(value) => value,
            Fate::Fixed(value) => {
                let ty = rw.body.ty(operand);
                let constant = NewOp::new("arith.constant")
                    .attr("value", Attr::int(value.into(), ty))
                    .result(ty);
                rw.insert_value(InsertPoint::Before(op), constant)
            }
            Fate::Stays(..) => kept.next().unwrap_or(operand),
            Fate::SameAs(first) => values.get(first).copied().unwrap_or(operand),
        });
    }
    rw.replace(op, &values);
    true
}

fn fate(body: &Body, operand: ValueId, row: Attr) -> Fate {
    if constant_value(body, operand).is_some() {
        return Fate::Known(operand);
    }
    let assumptions = row.as_array().unwrap_or(&[]);
    let Some((&first, others)) = assumptions.split_first() else {
        return Fate::Stays(operand, row);
    };
    if others.iter().any(|&other| other != first) {
        return Fate::Stays(operand, row);
    }
    match first.dialect_params("util.int.assumption") {
        Some(&[min, max, ..]) if min == max && min.as_int().is_some() => {
            Fate::Fixed(min.as_int().unwrap_or_default())
        }
        _ => Fate::Stays(operand, Attr::array(&[first])),
    }
}

/// What two rows of assumptions say together, place by place; a row of one holds for all places.
fn joined(a: Attr, b: Attr) -> Attr {
    let (a, b) = (a.as_array().unwrap_or(&[]), b.as_array().unwrap_or(&[]));
    let at = |row: &[Attr], index: usize| row.get(index).or(row.first()).copied();
    let both = (0..a.len().max(b.len())).filter_map(|index| match (at(a, index), at(b, index)) {
        (Some(a), Some(b)) => Some(both(a, b)),
        (one, other) => one.or(other),
    });
    Attr::array(&both.collect::<Vec<_>>())
}

/// An assumption that says what two say: the tighter bounds, and a divisor that both divide.
fn both(a: Attr, b: Attr) -> Attr {
    const NAME: &str = "util.int.assumption";
    let (Some(&[amin, amax, adiv]), Some(&[bmin, bmax, bdiv])) =
        (a.dialect_params(NAME), b.dialect_params(NAME))
    else {
        return a;
    };
    let pick = |a: Attr, b: Attr, of: fn(i64, i64) -> i64| match (a.as_int(), b.as_int()) {
        (Some(x), Some(y)) => Attr::i64(of(x, y)),
        (None, _) => b,
        (_, None) => a,
    };
    Attr::dialect(
        NAME,
        &[
            pick(amin, bmin, i64::max),
            pick(amax, bmax, i64::min),
            pick(adiv, bdiv, common_multiple),
        ],
    )
}

/// The least common multiple, or the greater one where that cannot be said.
fn common_multiple(a: i64, b: i64) -> i64 {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    let multiple = if x == 0 { None } else { (a / x).checked_mul(b) };
    multiple.unwrap_or(a.max(b))
}
