//! Canonicalizations that patterns name: what assumptions say once values are known.

use tegula_ir::{Attr, Body, InsertPoint, NewOp, OpId, ValueId};
use tegula_rewrite::{RewriteHooks, Rewriter};

use crate::constants::constant_value;

/// The hooks that the dialect's patterns name.
pub(crate) fn rewrites() -> RewriteHooks {
    RewriteHooks::new()
        .constant_op("util", "arith.constant")
        .compute("util_decimal", crate::strings::decimal)
        .rewrite("util_assume_int", assume_int)
        .rewrite("util_string_format", crate::strings::format)
}

/// What becomes of one operand of `util.assume.int`.
enum Fate {
    /// The operand is known by itself.
    Known(ValueId),
    /// The assumptions leave one value.
    Fixed(i64),
    /// It stays, with these assumptions.
    Stays(ValueId, Attr),
}

/// Replaces results that are known by constants. What stays has its equal assumptions once.
fn assume_int(rw: &mut Rewriter<'_>, op: OpId) -> bool {
    let rows = rw.body.attr(op, "assumptions").and_then(Attr::as_array).unwrap_or(&[]);
    let operands: Vec<ValueId> = rw.body.operands(op).collect();
    let decide = |(&operand, &row): (&ValueId, &Attr)| fate(rw.body, operand, row);
    let fates: Vec<Fate> = operands.iter().zip(rows).map(decide).collect();
    let as_before = |(fate, row): (&Fate, &Attr)| matches!(fate, Fate::Stays(_, r) if r == row);
    if fates.len() != operands.len() || fates.iter().zip(rows).all(as_before) {
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
    let mut values = Vec::new();
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
