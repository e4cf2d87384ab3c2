//! Folds of applications and of minima and maxima.

use tegula_ir::{AffineExprData, AffineMap, Attr, FoldContext, FoldResult};

fn map_of(cx: &FoldContext<'_>) -> Option<AffineMap> {
    cx.body.attr(cx.op, "map")?.as_map()
}

/// The results of the map when all operands are constants (or it needs none).
fn values(cx: &FoldContext<'_>, map: AffineMap) -> Option<Vec<i64>> {
    let operands: Vec<i64> =
        cx.constants.iter().map(|constant| (*constant)?.as_int()).collect::<Option<_>>()?;
    let dims = map.dims() as usize;
    map.eval(operands.get(..dims)?, &operands[dims..])
}

/// An application of a constant, of one operand as it is, or to constants.
pub(crate) fn apply(cx: &FoldContext<'_>) -> Option<Vec<FoldResult>> {
    let map = map_of(cx)?;
    let position = match map.results().first()?.data() {
        AffineExprData::Dim(d) => Some(*d),
        AffineExprData::Symbol(s) => Some(map.dims() + *s),
        AffineExprData::Constant(c) => return Some(vec![FoldResult::Attr(Attr::index(*c))]),
        AffineExprData::Binary(..) => None,
    };
    if let Some(position) = position {
        let operand = cx.body.operands(cx.op).nth(position as usize)?;
        return Some(vec![FoldResult::Value(operand)]);
    }
    let value = *values(cx, map)?.first()?;
    Some(vec![FoldResult::Attr(Attr::index(value))])
}

/// A minimum or maximum of constants.
pub(crate) fn extremum(
    cx: &FoldContext<'_>,
    pick: fn(Vec<i64>) -> Option<i64>,
) -> Option<Vec<FoldResult>> {
    let value = pick(values(cx, map_of(cx)?)?)?;
    Some(vec![FoldResult::Attr(Attr::index(value))])
}
