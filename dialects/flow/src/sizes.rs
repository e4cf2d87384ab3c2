//! Where the sizes of tensors come from: what makes a tensor knows them, often from what it is made
//! of.

use tegula_dialect_affine::mixed::{Mixed, mixed, mixed_segment};
use tegula_dialect_linalg::structure;
use tegula_ir::{
    AffineExpr, AffineMap, Attr, Body, DYNAMIC, InsertPoint, NewOp, OpId, Registry, Type, ValueId,
};
use tegula_rewrite::Rewriter;

/// The size of one dimension.
#[derive(Clone, Debug, PartialEq)]
pub enum Size {
    /// A number.
    Constant(i64),
    /// A value that is the size.
    Value(ValueId),
    /// The size of a dimension of a tensor that nothing more is known of.
    Dim(ValueId, usize),
    /// What an expression makes of the sizes that its symbols stand for.
    Apply(AffineExpr, Vec<Size>),
}

/// Which ops are asked for the sizes of what they make, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// Those that compute tensors: they have the sizes of their loops.
    Computing,
    /// Those, too, that only say how large tensors from elsewhere are. What an op writes over tells
    /// the sizes of what it makes.
    All,
}

/// The groups of operands in which ops say the dynamic sizes of what they make.
const DECLARED: &[(&str, Asked)] =
    &[("result_dims", Asked::Computing), ("target_dims", Asked::All), ("value_dims", Asked::All)];

/// The number of dynamic dimensions of a type.
pub fn dynamic_dims(ty: Type) -> usize {
    ty.shape().unwrap_or(&[]).iter().filter(|&&size| size == DYNAMIC).count()
}

/// The size of dimension `dim` of a tensor.
pub fn size_of(registry: &Registry, body: &Body, value: ValueId, dim: usize, asked: Asked) -> Size {
    let shape = body.ty(value).shape().unwrap_or(&[]);
    match shape.get(dim) {
        Some(&DYNAMIC) => made_with(registry, body, value, dim, asked),
        Some(&size) => return Size::Constant(size),
        None => None,
    }
    .unwrap_or(Size::Dim(value, dim))
}

/// The sizes of all dynamic dimensions of a tensor.
pub fn dynamic_sizes(registry: &Registry, body: &Body, value: ValueId, asked: Asked) -> Vec<Size> {
    let shape = body.ty(value).shape().unwrap_or(&[]);
    let dynamic = (0..shape.len()).filter(|&dim| shape[dim] == DYNAMIC);
    dynamic.map(|dim| size_of(registry, body, value, dim, asked)).collect()
}

/// The size of a dynamic dimension, from the op that makes the tensor.
fn made_with(
    registry: &Registry,
    body: &Body,
    value: ValueId,
    dim: usize,
    asked: Asked,
) -> Option<Size> {
    let op = body.defining_op(value)?;
    let at = body.results(op).position(|result| result == value)?;
    if let Some(size) = declared(registry, body, op, at, dim, asked) {
        return Some(Size::Value(size));
    }
    let of = |value, dim| Some(size_of(registry, body, value, dim, asked));
    let written_over = destination(registry, body, op, at);
    if let Some(dest) = written_over.filter(|_| asked == Asked::All) {
        return of(dest, dim);
    }
    let source = || body.operands(op).next();
    let from = |mixed: Mixed| match mixed {
        Mixed::Constant(size) => Size::Constant(size),
        Mixed::Value(value) => Size::Value(value),
    };
    match body.name(op).as_str() {
        "tensor.empty" | "tensor.generate" => {
            let before = body.ty(value).shape()?[..dim].iter().filter(|&&s| s == DYNAMIC).count();
            body.operands(op).nth(before).map(Size::Value)
        }
        "tensor.extract_slice" => {
            let sizes = mixed_segment(body, op, "static_sizes", 2)?;
            let same_rank = sizes.len() == body.ty(value).shape()?.len();
            sizes.get(dim).filter(|_| same_rank).map(|&size| from(size))
        }
        "tensor.cast" | "iree_encoding.set_encoding" => of(source()?, dim),
        "tensor.expand_shape" => {
            let sizes = mixed(body, op, "static_output_shape", body.operands(op).skip(1))?;
            sizes.get(dim).map(|&size| from(size))
        }
        "tensor.collapse_shape" => {
            let groups = body.attr(op, "reassociation")?.as_array()?;
            let group = groups.get(dim)?.as_array()?.iter().map(|index| index.as_int());
            let sizes = group.map(|dim| of(source()?, usize::try_from(dim?).ok()?));
            let sizes: Vec<Size> = sizes.collect::<Option<_>>()?;
            Some(combine(sizes, AffineExpr::mul, 1))
        }
        "tensor.pad" => {
            let low = *mixed_segment(body, op, "static_low", 1)?.get(dim)?;
            let high = *mixed_segment(body, op, "static_high", 2)?.get(dim)?;
            Some(combine(vec![from(low), of(source()?, dim)?, from(high)], AffineExpr::add, 0))
        }
        name if name.starts_with("linalg.") => match structure(body, op) {
            Some(space) => {
                let map = space.maps[body.num_operands(op) - body.num_results(op) + at];
                let looped = map.results().get(dim)?.as_dim()?;
                let (operand, dim) = loop_bound(body, op, &space.maps, looped)?;
                of(operand, dim)
            }
            None => of(written_over?, dim),
        },
        _ => of(written_over?, dim),
    }
}

/// What an op writes its result over.
fn destination(registry: &Registry, body: &Body, op: OpId, at: usize) -> Option<ValueId> {
    let def = registry.op(body.name(op))?.def();
    let has = |name: &str| def.traits.iter().any(|t| t.name == name);
    if !has("DestinationStyleOpInterface") {
        return None;
    }
    let mut groups = ["outputs", "outs", "init", "dest"].into_iter();
    groups.find_map(|group| registry.operands_of(body, op, group).get(at).copied())
}

/// The dimension that bounds a loop of a structured op: the first that only counts it.
fn loop_bound(body: &Body, op: OpId, maps: &[AffineMap], looped: u32) -> Option<(ValueId, usize)> {
    maps.iter().zip(body.operands(op)).find_map(|(map, operand)| {
        let dim = map.results().iter().position(|e| e.as_dim() == Some(looped))?;
        Some((operand, dim))
    })
}

/// The size of a dynamic dimension in what the op says of the sizes of its results.
fn declared(
    registry: &Registry,
    body: &Body,
    op: OpId,
    result: usize,
    dim: usize,
    asked: Asked,
) -> Option<ValueId> {
    let groups = DECLARED.iter().filter(|(_, least)| *least == Asked::Computing || *least == asked);
    let sizes = groups.map(|(name, _)| registry.operands_of(body, op, name));
    let sizes = sizes.into_iter().find(|sizes| !sizes.is_empty())?;
    let types = body.results(op).map(|value| body.ty(value));
    let all: usize = types.clone().map(dynamic_dims).sum();
    let before: usize = types.clone().take(result).map(dynamic_dims).sum();
    let shape = types.clone().nth(result)?.shape()?;
    let within = shape[..dim].iter().filter(|&&size| size == DYNAMIC).count();
    sizes.get(before + within).copied().filter(|_| sizes.len() == all)
}

/// One size out of several; the neutral number is what is left out.
fn combine(sizes: Vec<Size>, with: fn(AffineExpr, AffineExpr) -> AffineExpr, neutral: i64) -> Size {
    let mut values: Vec<Size> =
        sizes.into_iter().filter(|size| *size != Size::Constant(neutral)).collect();
    match values.len() {
        0 => Size::Constant(neutral),
        1 => values.remove(0),
        _ => {
            let mut symbols = Vec::new();
            let mut terms = values.into_iter().map(|size| match size {
                Size::Constant(number) => AffineExpr::constant(number),
                size => {
                    symbols.push(size);
                    AffineExpr::symbol(symbols.len() as u32 - 1)
                }
            });
            let first = terms.next().unwrap_or(AffineExpr::constant(neutral));
            let all = terms.fold(first, with);
            Size::Apply(all, symbols)
        }
    }
}

/// A value that is the size.
pub fn materialize(rewriter: &mut Rewriter<'_>, at: InsertPoint, size: &Size) -> ValueId {
    match size {
        Size::Value(value) => *value,
        Size::Constant(number) => {
            let constant = NewOp::new("arith.constant")
                .attr("value", Attr::index(*number))
                .result(Type::index());
            rewriter.insert_value(at, constant)
        }
        Size::Dim(tensor, dim) => {
            let index = Size::Constant(i64::try_from(*dim).unwrap_or(i64::MAX));
            let index = materialize(rewriter, at, &index);
            let dim = NewOp::new("tensor.dim").operands([*tensor, index]).result(Type::index());
            rewriter.insert_value(at, dim)
        }
        Size::Apply(expr, symbols) => {
            let operands: Vec<ValueId> =
                symbols.iter().map(|size| materialize(rewriter, at, size)).collect();
            let map = AffineMap::get(0, operands.len() as u32, &[*expr]);
            let apply = NewOp::new("affine.apply")
                .attr("map", Attr::map(map))
                .operands(operands)
                .result(Type::index());
            rewriter.insert_value(at, apply)
        }
    }
}
