//! Composition of maps through `affine.apply`, and the canonical form of a map with its operands.

use tegula_ir::{
    AffineExpr, AffineExprData, AffineMap, AffineOp, Body, OpId, Registry, ValueId, ValueKind,
};

/// A map applied to operands: those of its dimensions, then those of its symbols.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    /// The map.
    pub map: AffineMap,
    /// The operands.
    pub operands: Vec<ValueId>,
}

/// Brings a map with its operands into canonical form: applications that feed it are composed into
/// it, constants are folded into it, operands that are symbols become symbols, none appears twice
/// and none is unused.
pub fn canonical(registry: &Registry, body: &Body, applied: &Applied) -> Applied {
    let mut applied = applied.clone();
    // Each step removes one application, and applications do not form cycles; in a graph region
    // they may, so there is a bound.
    for _ in 0..1024 {
        match inline_one(registry, body, &applied) {
            Some(next) => applied = next,
            None => break,
        }
    }
    tidy(registry, body, &applied)
}

/// Composes the first operand that an `affine.apply` defines into the map.
fn inline_one(registry: &Registry, body: &Body, applied: &Applied) -> Option<Applied> {
    let dims = applied.map.dims() as usize;
    let (position, producer) = applied.operands.iter().enumerate().find_map(|(at, &operand)| {
        let op = body.defining_op(operand).filter(|&op| body.is(op, "affine.apply"))?;
        // A symbol may only be made of symbols.
        let fits = at < dims || body.operands(op).all(|o| is_symbol(registry, body, o));
        fits.then_some((at, op))
    })?;
    let inner = body.attr(producer, "map")?.as_map()?;
    let inner_operands: Vec<ValueId> = body.operands(producer).collect();
    let inner_dims = inner.dims() as usize;
    let expr = *inner.results().first()?;
    // The new dimensions go behind the old ones, the new symbols behind the old symbols. Under a
    // symbol the inner dimensions are symbols as well.
    let symbols = applied.map.symbols();
    let as_dims = position < dims;
    let new_dims = if as_dims { inner_dims as u32 } else { 0 };
    let dim_exprs: Vec<AffineExpr> = (0..inner_dims as u32)
        .map(|i| match as_dims {
            true => AffineExpr::dim(dims as u32 + i),
            false => AffineExpr::symbol(symbols + i),
        })
        .collect();
    let first_symbol = symbols + inner_dims as u32 - new_dims;
    let symbol_exprs: Vec<AffineExpr> =
        (0..inner.symbols()).map(|i| AffineExpr::symbol(first_symbol + i)).collect();
    let expr = expr.replace(&dim_exprs, &symbol_exprs);
    let mut outer_dims: Vec<AffineExpr> = (0..dims as u32).map(AffineExpr::dim).collect();
    let mut outer_symbols: Vec<AffineExpr> = (0..symbols).map(AffineExpr::symbol).collect();
    match outer_dims.get_mut(position) {
        Some(slot) => *slot = expr,
        None => *outer_symbols.get_mut(position - dims)? = expr,
    }
    let results: Vec<AffineExpr> =
        applied.map.results().iter().map(|e| e.replace(&outer_dims, &outer_symbols)).collect();
    let new_symbols = inner.symbols() + inner_dims as u32 - new_dims;
    let map = AffineMap::get(dims as u32 + new_dims, symbols + new_symbols, &results);
    let (for_dims, for_symbols) =
        inner_operands.split_at(if as_dims { inner_dims } else { 0 }.min(inner_operands.len()));
    let mut operands = applied.operands[..dims].to_vec();
    operands.extend(for_dims);
    operands.extend(&applied.operands[dims..]);
    operands.extend(for_symbols);
    Some(Applied { map, operands })
}

/// Folds constants in, promotes dimensions to symbols, merges equal operands, drops unused ones.
fn tidy(registry: &Registry, body: &Body, applied: &Applied) -> Applied {
    let dims = applied.map.dims() as usize;
    let (mut new_dims, mut new_symbols) = (Vec::new(), Vec::new());
    let mut exprs = Vec::with_capacity(applied.operands.len());
    let used = |position: usize| {
        let results = applied.map.results().iter();
        let mut results = results.copied();
        match position < dims {
            true => results.any(|e| e.uses_dim(position as u32)),
            false => results.any(|e| uses_symbol(e, (position - dims) as u32)),
        }
    };
    for (position, &operand) in applied.operands.iter().enumerate() {
        let expr = if !used(position) {
            AffineExpr::constant(0)
        } else if let Some(constant) = constant_of(body, operand) {
            AffineExpr::constant(constant)
        } else if position >= dims || is_symbol(registry, body, operand) {
            AffineExpr::symbol(place(&mut new_symbols, operand))
        } else {
            AffineExpr::dim(place(&mut new_dims, operand))
        };
        exprs.push(expr);
    }
    let (dim_exprs, symbol_exprs) = exprs.split_at(dims.min(exprs.len()));
    let (num_dims, num_symbols) = (new_dims.len() as u32, new_symbols.len() as u32);
    let results: Vec<AffineExpr> = applied
        .map
        .results()
        .iter()
        .map(|e| collected(e.replace(dim_exprs, symbol_exprs), num_dims, num_symbols))
        .collect();
    let map = AffineMap::get(num_dims, num_symbols, &results);
    new_dims.extend(new_symbols);
    let tidied = Applied { map, operands: new_dims };
    // Simplification may have made another operand unused.
    let unused = (0..tidied.operands.len()).any(|at| {
        let dims = tidied.map.dims() as usize;
        !tidied.map.results().iter().any(|&e| match at < dims {
            true => e.uses_dim(at as u32),
            false => uses_symbol(e, (at - dims) as u32),
        })
    });
    if unused && tidied != *applied { tidy(registry, body, &tidied) } else { tidied }
}

/// A sum of multiples of operands, as `dims + symbols + constant` with each operand once. What is no
/// such sum stays as it is.
fn collected(expr: AffineExpr, dims: u32, symbols: u32) -> AffineExpr {
    let mut sum = Sum { dims: vec![0; dims as usize], symbols: vec![0; symbols as usize], rest: 0 };
    if sum.gather(expr, 1).is_none() {
        return expr;
    }
    let term = |operand: AffineExpr, &factor: &i64| {
        (factor != 0).then(|| operand.mul(AffineExpr::constant(factor)))
    };
    let dims = (0..).map(AffineExpr::dim).zip(&sum.dims).filter_map(|(d, c)| term(d, c));
    let symbols = (0..).map(AffineExpr::symbol).zip(&sum.symbols).filter_map(|(s, c)| term(s, c));
    let total = dims.chain(symbols).reduce(AffineExpr::add);
    match total {
        Some(total) if sum.rest == 0 => total,
        Some(total) => total.add(AffineExpr::constant(sum.rest)),
        None => AffineExpr::constant(sum.rest),
    }
}

/// The coefficients of a sum of multiples of operands.
struct Sum {
    dims: Vec<i64>,
    symbols: Vec<i64>,
    rest: i64,
}

impl Sum {
    /// Adds `factor` times an expression; none when it is no such sum or overflows.
    fn gather(&mut self, expr: AffineExpr, factor: i64) -> Option<()> {
        let (slot, amount) = match expr.data() {
            AffineExprData::Dim(d) => (self.dims.get_mut(*d as usize)?, factor),
            AffineExprData::Symbol(s) => (self.symbols.get_mut(*s as usize)?, factor),
            AffineExprData::Constant(c) => (&mut self.rest, factor.checked_mul(*c)?),
            AffineExprData::Binary(AffineOp::Add, a, b) => {
                self.gather(*a, factor)?;
                return self.gather(*b, factor);
            }
            AffineExprData::Binary(AffineOp::Mul, a, b) => {
                let (operand, by) = match (a.as_constant(), b.as_constant()) {
                    (_, Some(by)) => (*a, by),
                    (Some(by), None) => (*b, by),
                    _ => return None,
                };
                return self.gather(operand, factor.checked_mul(by)?);
            }
            AffineExprData::Binary(..) => return None,
        };
        *slot = slot.checked_add(amount)?;
        Some(())
    }
}

/// The coefficients of dimensions, then of symbols, and the constant; none where an expression is no
/// sum of multiples.
pub(crate) fn coefficients(expr: AffineExpr, dims: u32, symbols: u32) -> Option<Vec<i64>> {
    let (dims, symbols) = (vec![0; dims as usize], vec![0; symbols as usize]);
    let mut sum = Sum { dims, symbols, rest: 0 };
    sum.gather(expr, 1)?;
    Some([sum.dims, sum.symbols, vec![sum.rest]].concat())
}

fn place(list: &mut Vec<ValueId>, value: ValueId) -> u32 {
    let at = list.iter().position(|&v| v == value).unwrap_or_else(|| {
        list.push(value);
        list.len() - 1
    });
    at as u32
}

fn uses_symbol(expr: AffineExpr, position: u32) -> bool {
    match expr.data() {
        AffineExprData::Symbol(s) => *s == position,
        AffineExprData::Binary(_, a, b) => uses_symbol(*a, position) || uses_symbol(*b, position),
        _ => false,
    }
}

/// The constant that an `arith.constant` defines.
pub fn constant_of(body: &Body, value: ValueId) -> Option<i64> {
    let op = body.defining_op(value).filter(|&op| body.is(op, "arith.constant"))?;
    body.attr(op, "value")?.as_int()
}

/// Whether a value is fixed wherever the affine scope around it runs: it is defined at the top of
/// the scope, is a constant, or is made of such values by an application.
pub fn is_symbol(registry: &Registry, body: &Body, value: ValueId) -> bool {
    let is_scope = |op: OpId| {
        registry.op(body.name(op)).is_none_or(|info| info.def().has_trait("AffineScope"))
    };
    match body.definition(value) {
        ValueKind::Arg(block, _) => body.block_parent_op(block).is_none_or(is_scope),
        ValueKind::Result(op, _) => {
            body.parent_op(op).is_none_or(is_scope)
                || registry.op(body.name(op)).is_some_and(|info| info.constant_like)
                || (body.is(op, "affine.apply")
                    && body.operands(op).all(|o| is_symbol(registry, body, o)))
        }
    }
}
