//! `iree-dispatch-creation-set-encoding`: marked contractions work on encoded tensors.

use tegula_dialect_iree_encoding::encoding::{Encoding, with_encoding};
use tegula_ir::{Body, InsertPoint, NewOp, OpId, Type, ValueId};
use tegula_pass::{Changed, PassCx, PassResult};
use tegula_rewrite::{IrMapping, Rewriter};

use super::annotate_data_tiling_hints::HINT;
use crate::structured::Structured;

/// Runs the pass on one function.
pub fn run(cx: &mut PassCx<'_>, body: &mut Body, root: OpId) -> PassResult {
    let marked: Vec<OpId> = body.walk(root).filter(|&op| body.attr(op, HINT).is_some()).collect();
    for &op in &marked {
        let Some((structured, ranges)) = Structured::read(body, op)
            .and_then(|s| s.loop_ranges(body).map(|ranges| (s, ranges)))
            .filter(|(s, _)| s.inputs.len() == 2 && s.inits.len() == 1)
        else {
            let message = "only contractions of two tensors can be encoded";
            return Err(cx.error(body, op, "not-encodable", message));
        };
        let mut rewriter = cx.rewriter(body);
        encode(&mut rewriter, op, &structured, &ranges);
    }
    Ok(Changed::when(!marked.is_empty()))
}

fn encode(rewriter: &mut Rewriter<'_>, op: OpId, structured: &Structured, ranges: &[i64]) {
    let operands: Vec<ValueId> =
        structured.inputs.iter().chain(&structured.inits).copied().collect();
    let elements: Vec<Type> =
        operands.iter().map(|&v| rewriter.body.ty(v).element_or_self()).collect();
    let encoding = |operand: usize| {
        let maps = structured.maps.clone();
        let encoding =
            Encoding { operand, element_types: elements.clone(), maps, sizes: ranges.to_vec() };
        encoding.write()
    };
    let mut encoded = Vec::with_capacity(operands.len());
    for (index, &value) in operands.iter().enumerate() {
        let ty = with_encoding(rewriter.body.ty(value), Some(encoding(index)));
        encoded.push(set_encoding(rewriter, op, value, ty));
    }
    let result = rewriter.body.result(op, 0);
    let plain = rewriter.body.ty(result);
    let Some(&init) = encoded.last() else { return };
    let encoded_type = rewriter.body.ty(init);
    let mut mapping = IrMapping::new();
    let copy = rewriter.clone_op(op, InsertPoint::Before(op), &mut mapping);
    rewriter.remove_attr(copy, HINT);
    rewriter.set_operands(copy, &encoded);
    let computed = rewriter.body.result(copy, 0);
    rewriter.set_type(computed, encoded_type);
    let unset = rewriter
        .registry
        .new_op("iree_encoding.unset_encoding")
        .operands("source", [computed])
        .results("result", [plain])
        .loc(rewriter.body.loc(op));
    let unset = rewriter.insert_value(InsertPoint::Before(op), unset.build());
    rewriter.replace(op, &[unset]);
    for value in operands {
        erase_if_unused(rewriter, value);
    }
}

/// Sets an encoding before an op; the encoding of a fill is a fill of the encoded tensor.
fn set_encoding(rewriter: &mut Rewriter<'_>, op: OpId, value: ValueId, ty: Type) -> ValueId {
    let at = InsertPoint::Before(op);
    let fill = rewriter.body.defining_op(value).filter(|&f| rewriter.body.is(f, "linalg.fill"));
    let Some(fill) = fill else {
        let set = rewriter
            .registry
            .new_op("iree_encoding.set_encoding")
            .operands("source", [value])
            .results("result", [ty])
            .loc(rewriter.body.loc(op));
        return rewriter.insert_value(at, set.build());
    };
    let empty = NewOp::new("tensor.empty").result(ty).loc(rewriter.body.loc(op));
    let empty = rewriter.insert_value(at, empty);
    let mut mapping = IrMapping::new();
    let copy = rewriter.clone_op(fill, at, &mut mapping);
    let last = rewriter.body.num_operands(copy).saturating_sub(1);
    rewriter.set_operand(copy, last, empty);
    let filled = rewriter.body.result(copy, 0);
    rewriter.set_type(filled, ty);
    filled
}

/// Erases the fill that makes a value, and its empty tensor, once nothing uses them.
fn erase_if_unused(rewriter: &mut Rewriter<'_>, value: ValueId) {
    let mut at = Some(value);
    while let Some(value) = at.take() {
        let Some(op) = rewriter.body.defining_op(value) else { return };
        let name = rewriter.body.name(op).as_str();
        if !matches!(name, "linalg.fill" | "tensor.empty") || !rewriter.body.results_unused(op) {
            return;
        }
        at = rewriter.body.operands(op).last();
        rewriter.erase(op);
    }
}
