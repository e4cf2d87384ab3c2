//! Canonicalizations that patterns name: composition, and minima with fewer results.

use tegula_ir::{AffineExpr, AffineMap, Attr, NewOp, OpId};
use tegula_rewrite::{RewriteHooks, Rewriter};

use crate::compose::{Applied, canonical, coefficients};
use crate::expand;

/// The hooks that the dialect's patterns name.
pub fn rewrites() -> RewriteHooks {
    RewriteHooks::new()
        .constant_op("affine", "arith.constant")
        .rewrite("affine_compose", compose)
        .rewrite("affine_fewer_results", fewer_results)
        .rewrite("affine_order_results", order_results)
        .rewrite("affine_expand_delinearize", expand::delinearize)
        .rewrite("affine_expand_linearize", expand::linearize)
}

fn applied(rw: &Rewriter<'_>, op: OpId) -> Option<Applied> {
    let map = rw.body.attr(op, "map")?.as_map()?;
    Some(Applied { map, operands: rw.body.operands(op).collect() })
}

fn rebuild(rw: &mut Rewriter<'_>, op: OpId, name: &str, with: Applied) {
    let attrs = rw.attrs_without(op, &["map"]);
    let result = rw.body.result(op, 0);
    let new = NewOp::new(name)
        .attrs(attrs)
        .attr("map", Attr::map(with.map))
        .operands(with.operands)
        .result(rw.body.ty(result));
    rw.replace_with(op, new);
}

/// Brings the map and the operands of an op into canonical form.
fn compose(rw: &mut Rewriter<'_>, op: OpId) -> bool {
    let Some(old) = applied(rw, op) else { return false };
    let new = canonical(rw.registry, rw.body, &old);
    if new == old {
        return rw.no_match(op, "is canonical");
    }
    let name = rw.body.name(op).as_str();
    rebuild(rw, op, name, new);
    true
}

/// A minimum or maximum that lists a result twice loses one; one with a single result left is an
/// application.
fn fewer_results(rw: &mut Rewriter<'_>, op: OpId) -> bool {
    let Some(mut with) = applied(rw, op) else { return false };
    let mut results = Vec::new();
    for &expr in with.map.results() {
        if !results.contains(&expr) {
            results.push(expr);
        }
    }
    if results.len() != 1 && results.len() == with.map.results().len() {
        return rw.no_match(op, "has several results, all different");
    }
    with.map = AffineMap::get(with.map.dims(), with.map.symbols(), &results);
    let name = if results.len() == 1 { "affine.apply" } else { rw.body.name(op).as_str() };
    rebuild(rw, op, name, with);
    true
}

/// Orders results by their coefficients: those of dimensions, then of symbols, then the constant.
fn order_results(rw: &mut Rewriter<'_>, op: OpId) -> bool {
    let Some(mut with) = applied(rw, op) else { return false };
    let (dims, symbols) = (with.map.dims(), with.map.symbols());
    let sums = with.map.results().iter().map(|&e| Some((coefficients(e, dims, symbols)?, e)));
    let Some(mut sums) = sums.collect::<Option<Vec<_>>>() else {
        return rw.no_match(op, "has a result that is no sum of multiples");
    };
    if sums.is_sorted_by(|(a, _), (b, _)| a <= b) {
        return rw.no_match(op, "its results are in order");
    }
    sums.sort_by(|(a, _), (b, _)| a.cmp(b));
    let results: Vec<AffineExpr> = sums.into_iter().map(|(_, expr)| expr).collect();
    with.map = AffineMap::get(dims, symbols, &results);
    let name = rw.body.name(op).as_str();
    rebuild(rw, op, name, with);
    true
}
