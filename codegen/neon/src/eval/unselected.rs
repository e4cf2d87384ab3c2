//! Values that are not selected yet: between the passes of this crate, a function mixes machine
//! ops with those that patterns still have to take. They have a meaning here too, so that a
//! program can be run after every pass.

use tegula_ir::{AttrData, Body, DenseData, OpId, Type};

use super::arith::{Condition, Float2};
use super::code::Code;

/// What an op outside of the dialect does; none when it has no meaning here.
pub(super) fn code(body: &Body, op: OpId, constants: &mut Vec<u128>) -> Option<Code> {
    let ty = body.results(op).next().map(|value| body.ty(value))?;
    Some(match body.name(op).as_str() {
        "builtin.unrealized_conversion_cast" => Code::Copy,
        "arith.constant" => {
            constants.push(bits(body, op, ty)?);
            Code::Bits(u32::try_from(constants.len() - 1).ok()?)
        }
        name if is_integer(ty) => integer(body, op, name)?,
        name if ty == Type::f32() => match name {
            "arith.negf" => Code::NegS,
            "arith.select" => Code::Select,
            "vector.extract" => Code::Lane,
            _ => Code::FloatS(float(name)?),
        },
        name if ty == Type::vector(&[4], Type::f32()) => match name {
            "arith.negf" => Code::Neg4,
            "vector.fma" => Code::Fma4,
            "vector.broadcast" => Code::Dup4,
            "vector.insert" => Code::InsertS,
            "vector.shuffle" => Code::Permute4(mask(body, op)?),
            _ => Code::Float4(float(name)?),
        },
        _ => return None,
    })
}

fn is_integer(ty: Type) -> bool {
    ty.is_index() || ty.is_int(64) || ty.is_int(1)
}

fn integer(body: &Body, op: OpId, name: &str) -> Option<Code> {
    Some(match name {
        "arith.addi" => Code::AddX,
        "arith.subi" => Code::SubX,
        "arith.muli" => Code::MulX,
        "arith.divsi" => Code::SDivX,
        "arith.divui" => Code::UDivX,
        "arith.remsi" => Code::Remainder(true),
        "arith.remui" => Code::Remainder(false),
        "arith.andi" => Code::AndX,
        "arith.ori" => Code::OrrX,
        "arith.xori" => Code::EorX,
        "arith.shli" => Code::LslX,
        "arith.shrui" => Code::LsrX,
        "arith.shrsi" => Code::AsrX,
        "arith.minsi" => Code::Choose(Condition::Lt),
        "arith.maxsi" => Code::Choose(Condition::Gt),
        "arith.minui" => Code::Choose(Condition::Lo),
        "arith.maxui" => Code::Choose(Condition::Hi),
        "arith.cmpi" => {
            let predicate = body.attr(op, "predicate")?.as_int()?;
            let name = crate::condition::of_predicate(predicate)?;
            Code::Compare(Condition::parse(name)?)
        }
        "arith.select" => Code::Select,
        "arith.index_cast" | "arith.index_castui" | "arith.extui" => {
            is_integer(body.ty(body.operand(op, 0))).then_some(Code::Copy)?
        }
        _ => return None,
    })
}

fn float(name: &str) -> Option<Float2> {
    Some(match name {
        "arith.addf" => Float2::Add,
        "arith.subf" => Float2::Sub,
        "arith.mulf" => Float2::Mul,
        "arith.divf" => Float2::Div,
        "arith.maximumf" => Float2::Max,
        "arith.minimumf" => Float2::Min,
        _ => return None,
    })
}

/// A mask of four lanes; an open one takes the first.
fn mask(body: &Body, op: OpId) -> Option<[u8; 4]> {
    let &[a, b, c, d] = body.attr(op, "mask")?.as_dense_array()? else { return None };
    Some([a, b, c, d].map(|lane| u8::try_from(lane).unwrap_or(0)))
}

/// A constant as a register holds it.
fn bits(body: &Body, op: OpId, ty: Type) -> Option<u128> {
    match body.attr(op, "value")?.data() {
        AttrData::Integer { value, .. } if ty.is_int(1) => Some(u128::from(*value != 0)),
        AttrData::Integer { value, .. } if is_integer(ty) => Some(u128::from(*value as u64)),
        AttrData::Float { bits, .. } if ty == Type::f32() => Some(*bits),
        AttrData::Dense { data, .. } if ty == Type::vector(&[4], Type::f32()) => {
            let bytes = match data {
                DenseData::Splat(one) => one.repeat(4),
                DenseData::Bytes(bytes) => bytes.to_vec(),
            };
            bytes.first_chunk().copied().map(u128::from_le_bytes)
        }
        _ => None,
    }
}
