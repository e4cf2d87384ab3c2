//! The Rust that patterns name.

use tegula_ir::{Attr, AttrData, Body, DenseData, InsertPoint, NewOp, OpId, Registry, Type};
use tegula_rewrite::{Bound, RewriteHooks, Rewriter};

use crate::select::{cast, constant_ops};
use crate::types;

/// The hooks of the dialect's patterns.
pub fn rewrites() -> RewriteHooks {
    RewriteHooks::new()
        .compute("condition", condition)
        .compute("lane", lane)
        .compute("log2", log2)
        .compute("successor", successor)
        .rewrite("constant", select_constant)
        .rewrite("shuffle", select_shuffle)
}

fn integer(bound: &[Bound], at: usize) -> Option<i64> {
    bound.get(at)?.attr()?.as_int()
}

/// The condition of a comparison's predicate.
fn condition(_: &Registry, _: &Body, bound: &[Bound]) -> Option<Bound> {
    let name = crate::condition::of_predicate(integer(bound, 0)?)?;
    Some(Bound::Attr(Attr::string(name)))
}

/// The lane at a position of one number.
fn lane(_: &Registry, _: &Body, bound: &[Bound]) -> Option<Bound> {
    match bound.first()?.attr()?.as_dense_array()? {
        &[lane @ 0..=3] => Some(Bound::Attr(Attr::i64(lane))),
        _ => None,
    }
}

/// The logarithm of a power of two that `movz` makes.
fn log2(_: &Registry, _: &Body, bound: &[Bound]) -> Option<Bound> {
    let value = integer(bound, 0)?.checked_shl(u32::try_from(integer(bound, 1)?).ok()?)?;
    let power = value.count_ones() == 1;
    power.then(|| Bound::Attr(Attr::i64(value.trailing_zeros().into())))
}

/// One more.
fn successor(_: &Registry, _: &Body, bound: &[Bound]) -> Option<Bound> {
    Some(Bound::Attr(Attr::i64(integer(bound, 0)?.checked_add(1)?)))
}

/// Makes `arith.constant` in a register.
fn select_constant(rw: &mut Rewriter<'_>, op: OpId) -> bool {
    let Some(value) = rw.body.attr(op, "value") else { return false };
    let result = rw.body.result(op, 0);
    let ty = rw.body.ty(result);
    let word = |bits: u32| {
        let part = |name: &'static str, at: u32| {
            NewOp::new(name)
                .attr("imm", Attr::i64((bits >> at & 0xffff).into()))
                .attr("shift", Attr::i64(at.into()))
                .result(types::w())
        };
        if bits & 0xffff == 0 {
            return (part("neon.movz_w", 16), None);
        }
        (part("neon.movz_w", 0), (bits >> 16 != 0).then(|| part("neon.movk_w", 16)))
    };
    let at = InsertPoint::Before(op);
    let insert_word = |rw: &mut Rewriter<'_>, bits: u32| {
        let (low, high) = word(bits);
        let low = rw.insert_value(at, low);
        high.map_or(low, |high| rw.insert_value(at, high.operand(low)))
    };
    let made = match value.data() {
        AttrData::Integer { value, .. } if ty.is_index() || ty.is_int(64) || ty.is_int(1) => {
            // A truth value is one or zero in a register, whatever sign its bit has as a number.
            let bits = if ty.is_int(1) {
                Some(i64::from(*value != 0))
            } else {
                i64::try_from(*value).ok()
            };
            let Some(bits) = bits else { return false };
            let (first, rest) = constant_ops(bits);
            let mut made = rw.insert_value(at, first);
            for part in rest {
                made = rw.insert_value(at, part.operand(made));
            }
            made
        }
        AttrData::Float { bits, .. } if ty == Type::f32() => {
            let bits = insert_word(rw, *bits as u32);
            rw.insert_value(at, NewOp::new("neon.fmov_s_w").operand(bits).result(types::s()))
        }
        AttrData::Dense { data, .. } if ty == Type::vector(&[4], Type::f32()) => match data {
            DenseData::Splat(one) => {
                let Some(one) = one.first_chunk() else { return false };
                let bits = insert_word(rw, u32::from_le_bytes(*one));
                rw.insert_value(at, NewOp::new("neon.dup_w_4s").operand(bits).result(types::v128()))
            }
            DenseData::Bytes(_) => {
                let page = NewOp::new("neon.adrp").attr("data", value).result(types::x());
                let page = rw.insert_value(at, page);
                let place = NewOp::new("neon.add_lo12").operand(page).attr("data", value);
                let place = rw.insert_value(at, place.result(types::x()));
                let load = NewOp::new("neon.ldr_q").operand(place).attr("offset", Attr::i64(0));
                rw.insert_value(at, load.result(types::v128()))
            }
        },
        _ => return false,
    };
    rw.replace_with(op, cast(made, ty));
    true
}

/// Any shuffle of two native vectors, lane by lane.
fn select_shuffle(rw: &mut Rewriter<'_>, op: OpId) -> bool {
    let native = Type::vector(&[4], Type::f32());
    let mask = rw.body.attr(op, "mask").and_then(|mask| mask.as_dense_array());
    let Some(&[first, ref rest @ ..]) = mask else { return false };
    let operands: Vec<_> = rw.body.operands(op).collect();
    let all = operands.iter().copied().chain(rw.body.results(op));
    if rest.len() != 3 || !all.map(|value| rw.body.ty(value)).all(|ty| ty == native) {
        return false;
    }
    let at = InsertPoint::Before(op);
    let sources: Vec<_> =
        operands.iter().map(|&value| rw.insert_value(at, cast(value, types::v128()))).collect();
    // An open lane may hold anything: it takes what the copy of the first lane left there.
    let lane_of = |from: i64| (sources[usize::from(from >= 4)], Attr::i64(from & 3));
    let (source, lane) = lane_of(first.max(0));
    let all = NewOp::new("neon.dup_lane_4s").operand(source).attr("lane", lane);
    let mut made = rw.insert_value(at, all.result(types::v128()));
    for (number, &from) in rest.iter().enumerate() {
        if from < 0 || from == first {
            continue;
        }
        let (source, lane) = lane_of(from);
        let new = NewOp::new("neon.ins_lane")
            .operands([made, source])
            .attr("lane", Attr::i64(number as i64 + 1))
            .attr("from", lane);
        made = rw.insert_value(at, new.result(types::v128()));
    }
    rw.replace_with(op, cast(made, native));
    true
}
