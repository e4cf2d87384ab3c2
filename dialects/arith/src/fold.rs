//! Constant folding, with the kernels that the evaluator uses.

use std::sync::LazyLock;

use tegula_eval::{Kernel, LaneOp, Scalar, ScalarType, Semantics};
use tegula_ir::text::dense_attr;
use tegula_ir::{Attr, AttrData, DenseData, FoldContext, FoldResult, Type};

static KERNELS: LazyLock<Semantics> = LazyLock::new(crate::semantics);

/// Folds an element-wise op all of whose operands are constants. What the op leaves undefined, and
/// poison, are not folded. An operand that the others leave as it is stays the value that it is.
pub(crate) fn elementwise(cx: &FoldContext<'_>) -> Option<Vec<FoldResult>> {
    let operands: Vec<Constant> =
        cx.constants.iter().map(|constant| Constant::of((*constant)?)).collect::<Option<_>>()?;
    if is_shift(cx) && !operands.get(1)?.all(|ty, bits| bits < u64::from(ty.width())) {
        return None;
    }
    let LaneOp::Kernels(kernels) = KERNELS.lane_op(cx.body, cx.op)? else { return None };
    let first = cx.body.operands(cx.op).next().zip(cx.constants.first().copied().flatten());
    let fold = |result, kernel: Kernel| {
        let folded = apply(&kernel, &operands, cx.body.ty(result))?;
        let same = first.filter(|&(value, attr)| {
            operands.len() > 1 && attr == folded && cx.body.ty(value) == cx.body.ty(result)
        });
        Some(same.map_or(FoldResult::Attr(folded), |(value, _)| FoldResult::Value(value)))
    };
    let results = cx.body.results(cx.op).zip(kernels);
    results.map(|(result, kernel)| fold(result, kernel)).collect()
}

fn is_shift(cx: &FoldContext<'_>) -> bool {
    matches!(cx.body.name(cx.op).as_str(), "arith.shli" | "arith.shrui" | "arith.shrsi")
}

/// A constant operand: a scalar, or the elements of a dense attribute.
enum Constant {
    Scalar(Scalar),
    Splat(ScalarType, u64),
    Elements(ScalarType, Vec<u64>),
}

impl Constant {
    fn of(attr: Attr) -> Option<Constant> {
        if let Some(scalar) = Scalar::from_attr(attr) {
            return Some(Constant::Scalar(scalar));
        }
        let AttrData::Dense { ty, data } = attr.data() else { return None };
        let elem = ScalarType::of(ty.element()?)?;
        Some(match data {
            DenseData::Splat(one) => Constant::Splat(elem, elem.load(one.get(..elem.bytes())?)),
            DenseData::Bytes(all) => {
                let elements = all.chunks_exact(elem.bytes()).map(|chunk| elem.load(chunk));
                Constant::Elements(elem, elements.collect())
            }
        })
    }

    fn all(&self, holds: impl Fn(ScalarType, u64) -> bool) -> bool {
        match self {
            Constant::Scalar(scalar) => holds(scalar.ty, scalar.bits),
            Constant::Splat(ty, bits) => holds(*ty, *bits),
            Constant::Elements(ty, all) => all.iter().all(|&bits| holds(*ty, bits)),
        }
    }

    /// The bits that all elements share.
    fn uniform(&self) -> Option<u64> {
        match self {
            Constant::Scalar(scalar) => Some(scalar.bits),
            Constant::Splat(_, bits) => Some(*bits),
            Constant::Elements(..) => None,
        }
    }
}

fn apply(kernel: &Kernel, operands: &[Constant], ty: Type) -> Option<Attr> {
    let elem = ScalarType::of(ty.element_or_self())?;
    let uniform: Option<Vec<u64>> = operands.iter().map(Constant::uniform).collect();
    if let Some(bits) = uniform {
        let scalar = Scalar::new(elem, kernel.scalar(&bits).ok()?);
        if ty.shape().is_none() {
            return Some(scalar.to_attr(ty));
        }
        // How many elements there are is not known of every type that fits the operands.
        ty.num_elements()?;
        return Some(dense_attr(ty, bytes(elem, &[scalar.bits]), true));
    }
    let count = operands.iter().find_map(|operand| match operand {
        Constant::Elements(_, all) => Some(all.len()),
        _ => None,
    })?;
    if ty.num_elements() != i64::try_from(count).ok() {
        return None;
    }
    let lanes: Vec<Vec<u64>> = operands
        .iter()
        .map(|operand| match operand {
            Constant::Elements(_, all) => all.clone(),
            other => vec![other.uniform().unwrap_or(0); count],
        })
        .collect();
    let ins: Vec<&[u64]> = lanes.iter().map(Vec::as_slice).collect();
    let mut out = vec![0; count];
    kernel.lanes(&mut out, &ins).ok()?;
    Some(dense_attr(ty, bytes(elem, &out), false))
}

fn bytes(elem: ScalarType, all: &[u64]) -> Vec<u8> {
    let mut bytes = vec![0; all.len() * elem.bytes()];
    for (chunk, &bits) in bytes.chunks_exact_mut(elem.bytes()).zip(all) {
        elem.store(bits & elem.mask(), chunk);
    }
    bytes
}

/// Folds a choice that is known, or that makes no difference.
pub(crate) fn select(cx: &FoldContext<'_>) -> Option<Vec<FoldResult>> {
    let values: Vec<_> = cx.body.operands(cx.op).collect();
    let &[_, if_true, if_false] = values.as_slice() else { return None };
    if if_true == if_false {
        return Some(vec![FoldResult::Value(if_true)]);
    }
    if let Some(condition) = cx.constants.first().copied().flatten() {
        match Constant::of(condition)?.uniform() {
            Some(0) => return Some(vec![FoldResult::Value(if_false)]),
            Some(_) => return Some(vec![FoldResult::Value(if_true)]),
            None => return elementwise(cx),
        }
    }
    None
}
