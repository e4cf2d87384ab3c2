//! Canonicalizations that patterns name: what assumptions say once values are known.

use tegula_ir::{Attr, Body, InsertPoint, NewOp, OpId, Registry, ValueId};
use tegula_rewrite::{Bound, RewriteHooks, Rewriter};

use crate::constants::{constant_index, constant_value};

/// The hooks that the dialect's patterns name.
pub(crate) fn rewrites() -> RewriteHooks {
    RewriteHooks::new()
        .constant_op("util", "arith.constant")
        .compute("util_decimal", crate::strings::decimal)
        .compute("util_dims_of", crate::dims::known)
        .compute("util_dynamic_dim", crate::dims::place)
        .predicate("util_same_shape", crate::dims::same_shape)
        .predicate("util_is_multiple", is_multiple)
        .rewrite("util_assume_int", assume_int)
        .rewrite("util_unreachable_rest", crate::unreachable::rest)
        .rewrite("util_unreachable_cases", crate::unreachable::cases)
        .rewrite("util_unreachable_target", crate::unreachable::target)
        .rewrite("util_range_extents", crate::extents::fold)
        .rewrite("util_string_format", crate::strings::format)
}

/// So many values are followed back to see what divides one.
const MAX_DEPTH: u32 = 16;

/// Whether one value is a multiple of another.
fn is_multiple(_: &Registry, body: &Body, bound: &[Bound]) -> bool {
    let value = |index: usize| bound.get(index).and_then(Bound::value);
    value(0).zip(value(1)).is_some_and(|(value, to)| divides(body, to, value, MAX_DEPTH))
}

/// Whether what a value is made of says that another divides it.
fn divides(body: &Body, divisor: ValueId, value: ValueId, depth: u32) -> bool {
    let known = constant_index(body, divisor).filter(|&known| known > 0);
    let divides_constant = |value: i64| known.is_some_and(|known| value % known == 0);
    if constant_index(body, value).is_some_and(divides_constant) {
        return true;
    }
    let Some((op, depth)) = body.defining_op(value).zip(depth.checked_sub(1)) else {
        return false;
    };
    let operand = |index: usize| divides(body, divisor, body.operand(op, index), depth);
    match body.name(op).as_str() {
        "util.align" => {
            let own = body.operand(op, 1);
            own == divisor || constant_index(body, own).is_some_and(divides_constant) || operand(0)
        }
        "arith.addi" | "arith.subi" => operand(0) && operand(1),
        "arith.muli" => operand(0) || operand(1),
        "affine.apply" => {
            let map = body.attr(op, "map").and_then(Attr::as_map);
            let result = map.and_then(|map| map.results().first().copied());
            result.is_some_and(|result| divides_constant(result.known_divisor()))
        }
        _ => false,
    }
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
