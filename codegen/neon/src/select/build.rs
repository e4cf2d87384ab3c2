//! Making machine ops: constants, additions, casts.

use tegula_ir::{Attr, InsertPoint, NewOp, Type, ValueId};
use tegula_rewrite::Rewriter;

use crate::types;

/// The cast that stands between a register and a value of another type during conversion.
pub(super) const CAST: &str = "builtin.unrealized_conversion_cast";

pub(crate) fn cast(value: ValueId, to: Type) -> NewOp {
    NewOp::new(CAST).operand(value).result(to)
}

/// The register type that values of a type live in.
pub(super) fn register_type(ty: Type) -> Option<Type> {
    if ty.is_index() || ty.is_int(64) || ty.is_int(1) {
        Some(types::x())
    } else if ty == Type::f32() {
        Some(types::s())
    } else if ty == Type::vector(&[4], Type::f32()) {
        Some(types::v128())
    } else if [types::x(), types::s(), types::v128(), types::w()].contains(&ty) {
        Some(ty)
    } else {
        None
    }
}

/// How a constant is added to a register.
pub(super) enum Addition {
    /// Not at all: it is zero.
    Nothing,
    /// By one instruction with an immediate.
    Immediate(&'static str, i64),
    /// From a register.
    Register,
}

pub(super) fn addition(value: i64) -> Addition {
    let magnitude = value.unsigned_abs();
    let names = if value < 0 {
        ("neon.sub_imm", "neon.sub_imm_high")
    } else {
        ("neon.add_imm", "neon.add_imm_high")
    };
    match magnitude {
        0 => Addition::Nothing,
        1..4096 => Addition::Immediate(names.0, magnitude as i64),
        _ if magnitude < 1 << 24 && magnitude.is_multiple_of(4096) => {
            Addition::Immediate(names.1, (magnitude >> 12) as i64)
        }
        _ => Addition::Register,
    }
}

/// The ops that give a constant in a register: one, and then one for each 16 bits that it leaves
/// wrong, which take the register so far.
pub(crate) fn constant_ops(value: i64) -> (NewOp, Vec<NewOp>) {
    let part = |at: u32| value >> (16 * at) & 0xffff;
    let count = |bits: i64| (0..4).filter(|&at| part(at) == bits).count();
    // What the first instruction leaves in the parts that it does not name.
    let (name, rest) =
        if count(0xffff) > count(0) { ("neon.movn_x", 0xffff) } else { ("neon.movz_x", 0) };
    let first = (0..4).find(|&at| part(at) != rest).unwrap_or(0);
    let op = |name: &'static str, imm: i64, at: u32| {
        NewOp::new(name)
            .attr("imm", Attr::i64(imm))
            .attr("shift", Attr::i64(i64::from(at) * 16))
            .result(types::x())
    };
    let others = (first + 1..4).filter(|&at| part(at) != rest);
    (
        op(name, part(first) ^ rest, first),
        others.map(|at| op("neon.movk_x", part(at), at)).collect(),
    )
}

/// Makes machine ops at a place, each after the one before.
pub(super) struct Machine<'r, 'a> {
    rw: &'r mut Rewriter<'a>,
    at: InsertPoint,
}

impl<'r, 'a> Machine<'r, 'a> {
    pub(super) fn new(rw: &'r mut Rewriter<'a>, at: InsertPoint) -> Machine<'r, 'a> {
        Machine { rw, at }
    }

    pub(super) fn emit(&mut self, new: NewOp) -> ValueId {
        let op = self.rw.insert(self.at, new);
        if !matches!(self.at, InsertPoint::Before(_) | InsertPoint::End(_)) {
            self.at = InsertPoint::After(op);
        }
        self.rw.body.result(op, 0)
    }

    /// `value` in a register.
    pub(super) fn constant(&mut self, value: i64) -> ValueId {
        let (first, rest) = constant_ops(value);
        let mut made = self.emit(first);
        for part in rest {
            made = self.emit(part.operand(made));
        }
        made
    }

    /// `value + constant`.
    pub(super) fn add_constant(&mut self, value: ValueId, constant: i64) -> ValueId {
        match addition(constant) {
            Addition::Nothing => value,
            Addition::Immediate(name, imm) => self.emit(
                NewOp::new(name).operand(value).attr("imm", Attr::i64(imm)).result(types::x()),
            ),
            Addition::Register => {
                let register = self.constant(constant);
                self.emit(NewOp::new("neon.add_x").operands([value, register]).result(types::x()))
            }
        }
    }

    /// `base + value · factor`.
    pub(super) fn add_scaled(&mut self, base: ValueId, value: ValueId, factor: i64) -> ValueId {
        let magnitude = factor.unsigned_abs();
        if magnitude.is_power_of_two() {
            let name = if factor < 0 { "neon.sub_lsl" } else { "neon.add_lsl" };
            let shift = Attr::i64(magnitude.trailing_zeros().into());
            let new = NewOp::new(name).operands([base, value]).attr("imm", shift);
            return self.emit(new.result(types::x()));
        }
        let register = self.constant(factor);
        let new = NewOp::new("neon.madd_x").operands([value, register, base]);
        self.emit(new.result(types::x()))
    }
}
