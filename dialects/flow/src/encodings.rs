//! Encodings move through element-wise ops: up where they are set, down where they are unset.

use tegula_dialect_iree_encoding::encoding::{encoded_rank, mapped, with_encoding};
use tegula_ir::{Attr, Body, InsertPoint, NewOp, OpId, TypeData, ValueId};
use tegula_rewrite::{IrMapping, Rewriter};

use crate::kinds::{broadcasts, widens};
use crate::regions::{REGION, region_around};
use crate::sizes::{Asked, dynamic_sizes, materialize};
use crate::structured::Structured;

fn is_tensor(body: &Body, value: ValueId) -> bool {
    matches!(body.ty(value).data(), TypeData::RankedTensor { .. })
}

fn sizes_before(rewriter: &mut Rewriter<'_>, at: InsertPoint, value: ValueId) -> Vec<ValueId> {
    let sizes = dynamic_sizes(rewriter.registry, rewriter.body, value, Asked::Computing);
    sizes.iter().map(|size| materialize(rewriter, at, size)).collect()
}

/// The operand with an encoding: an empty tensor is one of the encoded type.
fn encode(
    rewriter: &mut Rewriter<'_>,
    at: InsertPoint,
    value: ValueId,
    encoding: Attr,
    encoding_dims: &[ValueId],
) -> ValueId {
    let ty = with_encoding(rewriter.body.ty(value), Some(encoding));
    let maker = rewriter.body.defining_op(value);
    if let Some(empty) = maker.filter(|&op| rewriter.body.is(op, "tensor.empty")) {
        let sizes: Vec<ValueId> = rewriter.body.operands(empty).collect();
        return rewriter.insert_value(at, NewOp::new("tensor.empty").operands(sizes).result(ty));
    }
    let set = rewriter
        .registry
        .new_op("iree_encoding.set_encoding")
        .operands("source", [value])
        .operands("encoding_dims", encoding_dims.iter().copied())
        .results("result", [ty]);
    rewriter.insert_value(at, set.build())
}

/// A copy of an op of one result that works on other operands; its result has the type of the last.
fn copy_with(
    rewriter: &mut Rewriter<'_>,
    op: OpId,
    at: InsertPoint,
    operands: &[ValueId],
) -> Option<ValueId> {
    let ty = rewriter.body.ty(*operands.last()?);
    let copy = rewriter.clone_op(op, at, &mut IrMapping::new());
    rewriter.set_operands(copy, operands);
    let result = rewriter.body.result(copy, 0);
    rewriter.set_type(result, ty);
    Some(result)
}

/// Where an element-wise op only widens or repeats what it reads, its inputs are encoded instead of
/// its result. Says whether they are.
pub fn bubble_up(rewriter: &mut Rewriter<'_>, set: OpId) -> bool {
    let body = &*rewriter.body;
    let read = || {
        let source = body.operands(set).next()?;
        let op = body.defining_op(source).filter(|&op| body.is(op, "linalg.generic"))?;
        let region = region_around(body, set)?;
        let fits = region_around(body, op) == Some(region)
            && (widens(body, op) || broadcasts(body, op))
            && body.num_results(op) == 1
            && body.has_one_use(source);
        let structured = Structured::read(body, op).filter(|s| fits && s.is_parallel())?;
        let init = body.defining_op(*structured.inits.first()?)?;
        let out = *structured.maps.last().filter(|_| body.is(init, "tensor.empty"))?;
        let encoding = body.ty(body.result(set, 0)).encoding()?;
        let from_result = out.inverse_permutation().filter(|_| out.is_permutation())?;
        let new = structured
            .inputs
            .iter()
            .zip(&structured.maps)
            .map(|(&value, map)| Some((value, mapped(encoding, map.compose(from_result))?)));
        let new: Vec<(ValueId, Attr)> = new.collect::<Option<_>>()?;
        (encoded_rank(encoding)? == out.dims() as usize).then_some((source, op, new, region))
    };
    let Some((source, op, inputs, region)) = read() else { return false };
    let at = InsertPoint::Before(set);
    let dims = encoding_dims(rewriter, set, region);
    let mut operands = Vec::with_capacity(inputs.len() + 1);
    for (value, encoding) in inputs {
        operands.push(match is_tensor(rewriter.body, value) {
            true => encode(rewriter, at, value, encoding, &dims),
            false => value,
        });
    }
    let ty = rewriter.body.ty(rewriter.body.result(set, 0));
    let sizes = sizes_before(rewriter, at, source);
    let empty = NewOp::new("tensor.empty").operands(sizes).result(ty);
    operands.push(rewriter.insert_value(at, empty));
    let Some(result) = copy_with(rewriter, op, at, &operands) else { return false };
    rewriter.replace(set, &[result]);
    rewriter.erase(op);
    true
}

/// The sizes that an encoding takes, of what lies outside of the region where that is known.
fn encoding_dims(rewriter: &mut Rewriter<'_>, set: OpId, region: OpId) -> Vec<ValueId> {
    let dims = rewriter.registry.operands_of(rewriter.body, set, "encoding_dims");
    let at = InsertPoint::Before(set);
    let mut known = Vec::with_capacity(dims.len());
    for dim in dims {
        let body = &*rewriter.body;
        let query = body
            .defining_op(dim)
            .filter(|&op| body.is(op, "tensor.dim") && body.is_ancestor(region, op));
        let asked = query.and_then(|op| {
            let index = tegula_rewrite::constant_of(rewriter.registry, body, body.operand(op, 1))?;
            Some((body.operand(op, 0), usize::try_from(index.as_int()?).ok()?))
        });
        known.push(match asked {
            Some((tensor, index)) => {
                let size = crate::sizes::size_of(
                    rewriter.registry,
                    rewriter.body,
                    tensor,
                    index,
                    Asked::Computing,
                );
                materialize(rewriter, at, &size)
            }
            None => dim,
        });
    }
    known
}

/// An element-wise op of a tensor whose encoding is unset works on the encoded tensor, and the
/// encoding of its result is unset. Says whether it does.
pub fn sink_down(rewriter: &mut Rewriter<'_>, unset: OpId) -> bool {
    let body = &*rewriter.body;
    let read = || {
        let plain = body.result(unset, 0);
        let op = body.users(plain).next().filter(|_| body.has_one_use(plain))?;
        region_around(body, unset)?;
        region_around(body, op)?;
        let structured = Structured::read(body, op).filter(|s| s.is_parallel())?;
        let at = structured.inputs.iter().position(|&value| value == plain)?;
        let projected = structured.maps.iter().all(|map| map.is_projected_permutation());
        let to_loops = structured.maps[at].inverse_permutation()?;
        let fits = projected
            && body.is(op, "linalg.generic")
            && body.num_results(op) == 1
            && structured.maps[at].is_permutation();
        let encoded = body.operands(unset).next().filter(|_| fits)?;
        let encoding = body.ty(encoded).encoding()?;
        let over_loops = match to_loops.is_identity() {
            true => encoding,
            false => mapped(encoding, to_loops)?,
        };
        let encodings = structured.maps.iter().map(|map| match map.is_identity() {
            true => Some(over_loops),
            false => mapped(over_loops, *map),
        });
        // Only encodings that say what uses the tensor follow it.
        encoded_rank(encoding)?;
        Some((op, plain, encoded, encodings.collect::<Option<Vec<Attr>>>()?))
    };
    let Some((op, plain, encoded, encodings)) = read() else { return false };
    let at = InsertPoint::Before(op);
    let dims = rewriter.registry.operands_of(rewriter.body, unset, "encoding_dims");
    let old: Vec<ValueId> = rewriter.body.operands(op).collect();
    let mut operands = Vec::with_capacity(old.len());
    for (value, encoding) in old.into_iter().zip(encodings) {
        operands.push(match is_tensor(rewriter.body, value) {
            _ if value == plain => encoded,
            true => encode(rewriter, at, value, encoding, &dims),
            false => value,
        });
    }
    let ty = rewriter.body.ty(rewriter.body.result(op, 0));
    let Some(result) = copy_with(rewriter, op, at, &operands) else { return false };
    let sizes = sizes_before(rewriter, at, result);
    let new = rewriter
        .registry
        .new_op("iree_encoding.unset_encoding")
        .operands("source", [result])
        .operands("result_dims", sizes)
        .operands("encoding_dims", dims)
        .results("result", [ty])
        .loc(rewriter.body.loc(unset));
    let new = rewriter.insert_value(at, new.build());
    rewriter.replace(op, &[new]);
    rewriter.erase(unset);
    true
}

/// Moves encodings through element-wise ops of dispatch regions as far as they go. Says whether
/// there were any.
pub fn propagate(rewriter: &mut Rewriter<'_>, root: OpId) -> bool {
    let mut changed = false;
    loop {
        let ops: Vec<OpId> = rewriter.body.walk(root).collect();
        let mut moved = false;
        for op in ops {
            if rewriter.body.is_erased(op) {
                continue;
            }
            moved |= match rewriter.body.name(op).as_str() {
                "iree_encoding.set_encoding" => bubble_up(rewriter, op),
                "iree_encoding.unset_encoding" => sink_down(rewriter, op),
                _ => false,
            };
        }
        if !moved {
            return changed;
        }
        changed = true;
        let dead = |body: &Body, op: OpId| body.is(op, "tensor.empty") && body.results_unused(op);
        let regions: Vec<OpId> =
            (rewriter.body.walk(root)).filter(|&op| rewriter.body.is(op, REGION)).collect();
        let inner: Vec<OpId> =
            regions.iter().flat_map(|&region| rewriter.body.walk(region)).collect();
        for op in inner {
            if dead(rewriter.body, op) {
                rewriter.erase(op);
            }
        }
    }
}
