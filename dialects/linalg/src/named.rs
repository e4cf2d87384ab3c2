//! The regions of named structured ops, which text does not show.

use tegula_ir::{
    Attr, AttrData, Body, FloatKind, InsertPoint, LocData, NewOp, RegionId, Type, TypeData, ValueId,
};

use crate::convolution::is_convolution;
use crate::structure::is_contraction;

/// What a named op's attributes say about its region.
#[derive(Clone, Copy, Debug, Default)]
pub struct Flavour<'a> {
    /// Integers are widened with zeros (`#linalg.type_fn<cast_unsigned>`).
    pub unsigned: bool,
    /// The function of an element-wise op.
    pub kind: Option<&'a str>,
}

/// Fills the empty region of a named op whose operands have these element types, outputs last.
/// Fails with a message when the op has no such region for these types; the region then stays as it
/// is, except for the arguments of its block.
pub fn build_region(
    body: &mut Body,
    region: RegionId,
    name: &str,
    elements: &[Type],
    flavour: Flavour<'_>,
) -> Result<(), String> {
    let block = body.append_block(region);
    let args: Vec<ValueId> = elements.iter().map(|&ty| body.add_block_arg(block, ty)).collect();
    let (Some(&out), Some(&out_ty)) = (args.last(), elements.last()) else {
        return Err("has no output".to_owned());
    };
    let mut b = Builder { body, block, unsigned: flavour.unsigned };
    let value = if is_contraction(name) || is_convolution(name) {
        let &[lhs, rhs, _] = args.as_slice() else {
            return Err("expects two inputs and one output".to_owned());
        };
        let (lhs, rhs) = (b.cast(lhs, out_ty)?, b.cast(rhs, out_ty)?);
        let (multiply, add) = match out_ty.data() {
            TypeData::Float(_) => ("arith.mulf", "arith.addf"),
            TypeData::Integer { width: 1, .. } => ("arith.andi", "arith.ori"),
            TypeData::Integer { .. } => ("arith.muli", "arith.addi"),
            _ => return Err(format!("cannot multiply elements of type '{out_ty}'")),
        };
        let product = b.op(multiply, &[lhs, rhs], out_ty);
        b.op(add, &[out, product], out_ty)
    } else if let Some(kind) = flavour.kind {
        let inputs = args[..args.len() - 1]
            .iter()
            .map(|&arg| match b.body.ty(arg).is_int(1) && kind == "select" {
                true => Ok(arg),
                false => b.cast(arg, out_ty),
            })
            .collect::<Result<Vec<_>, _>>()?;
        b.elementwise(kind, &inputs, out_ty)?
    } else {
        b.cast(args[0], out_ty)?
    };
    b.finish(&[value]);
    Ok(())
}

struct Builder<'a> {
    body: &'a mut Body,
    block: tegula_ir::BlockId,
    unsigned: bool,
}

impl Builder<'_> {
    fn insert(&mut self, new: NewOp) -> tegula_ir::OpId {
        let loc = Attr::new(AttrData::Loc(LocData::Unknown));
        self.body.insert(InsertPoint::End(self.block), new.loc(loc))
    }

    fn op(&mut self, name: &str, operands: &[ValueId], ty: Type) -> ValueId {
        let op = self.insert(NewOp::new(name).operands(operands.iter().copied()).result(ty));
        self.body.result(op, 0)
    }

    fn finish(&mut self, values: &[ValueId]) {
        self.insert(NewOp::new("linalg.yield").operands(values.iter().copied()));
    }

    /// The value as an element of another type.
    fn cast(&mut self, value: ValueId, to: Type) -> Result<ValueId, String> {
        let from = self.body.ty(value);
        if from == to {
            return Ok(value);
        }
        let wider = |a: Type, b: Type| a.bit_width() > b.bit_width();
        let name = match (from.data(), to.data()) {
            (TypeData::Integer { .. }, TypeData::Integer { .. }) if wider(from, to) => {
                "arith.trunci"
            }
            (TypeData::Integer { .. }, TypeData::Integer { .. }) if self.unsigned => "arith.extui",
            (TypeData::Integer { .. }, TypeData::Integer { .. }) => "arith.extsi",
            (TypeData::Integer { .. }, TypeData::Float(_)) if self.unsigned => "arith.uitofp",
            (TypeData::Integer { .. }, TypeData::Float(_)) => "arith.sitofp",
            (TypeData::Float(_), TypeData::Integer { .. }) if self.unsigned => "arith.fptoui",
            (TypeData::Float(_), TypeData::Integer { .. }) => "arith.fptosi",
            (TypeData::Float(_), TypeData::Float(_)) if wider(from, to) => "arith.truncf",
            (TypeData::Float(_), TypeData::Float(_)) if wider(to, from) => "arith.extf",
            _ => return Err(format!("cannot cast from '{from}' to '{to}'")),
        };
        Ok(self.op(name, &[value], to))
    }

    fn elementwise(&mut self, kind: &str, inputs: &[ValueId], ty: Type) -> Result<ValueId, String> {
        let float = ty.is_float();
        let of = |for_float: &'static str, for_int: &'static str| {
            if float { for_float } else { for_int }
        };
        let name = match kind {
            "add" => of("arith.addf", "arith.addi"),
            "sub" => of("arith.subf", "arith.subi"),
            "mul" | "square" => of("arith.mulf", "arith.muli"),
            "div" | "reciprocal" => of("arith.divf", "arith.divsi"),
            "div_unsigned" if !float => "arith.divui",
            "max_signed" => of("arith.maximumf", "arith.maxsi"),
            "min_signed" => of("arith.minimumf", "arith.minsi"),
            "max_unsigned" => of("arith.maximumf", "arith.maxui"),
            "min_unsigned" => of("arith.minimumf", "arith.minui"),
            "negf" if float => "arith.negf",
            "select" => "arith.select",
            _ => return Err(format!("function '{kind}' is not supported on '{ty}'")),
        };
        let operands = match (kind, inputs) {
            ("square", &[x]) => vec![x, x],
            ("reciprocal", &[x]) if float => vec![self.one(ty)?, x],
            ("negf", &[_]) | ("select", &[_, _, _]) => inputs.to_vec(),
            ("square" | "reciprocal" | "negf" | "select", _) => {
                return Err(format!("function '{kind}' takes another number of inputs"));
            }
            (_, &[_, _]) => inputs.to_vec(),
            _ => return Err(format!("function '{kind}' takes two inputs")),
        };
        Ok(self.op(name, &operands, ty))
    }

    fn one(&mut self, ty: Type) -> Result<ValueId, String> {
        let bits = match ty.data() {
            TypeData::Float(FloatKind::F16) => 0x3c00,
            TypeData::Float(FloatKind::BF16) => 0x3f80,
            TypeData::Float(FloatKind::F32) => 1f32.to_bits().into(),
            TypeData::Float(FloatKind::F64) => 1f64.to_bits().into(),
            _ => return Err(format!("has no reciprocal on '{ty}'")),
        };
        let value = Attr::new(AttrData::Float { bits, ty });
        let op = self.insert(NewOp::new("arith.constant").attr("value", value).result(ty));
        Ok(self.body.result(op, 0))
    }
}
