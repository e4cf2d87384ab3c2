//! Affine expressions simplified as they are made, by MLIR's rules: the same expression gets the
//! same form whichever way it is built, and constants and symbols come last.

use crate::{AffineExpr, AffineExprData, AffineMap, AffineOp};

impl AffineExpr {
    /// `self + rhs`
    #[expect(clippy::should_implement_trait, reason = "chains read better as methods")]
    pub fn add(self, rhs: AffineExpr) -> AffineExpr {
        AffineExpr::binary(AffineOp::Add, self, rhs)
    }

    /// `self - rhs`
    #[expect(clippy::should_implement_trait, reason = "chains read better as methods")]
    pub fn sub(self, rhs: AffineExpr) -> AffineExpr {
        self.add(rhs.mul(AffineExpr::constant(-1)))
    }

    /// `self * rhs`
    #[expect(clippy::should_implement_trait, reason = "chains read better as methods")]
    pub fn mul(self, rhs: AffineExpr) -> AffineExpr {
        AffineExpr::binary(AffineOp::Mul, self, rhs)
    }

    /// `self floordiv rhs`
    pub fn floordiv(self, rhs: AffineExpr) -> AffineExpr {
        AffineExpr::binary(AffineOp::FloorDiv, self, rhs)
    }

    /// `self ceildiv rhs`
    pub fn ceildiv(self, rhs: AffineExpr) -> AffineExpr {
        AffineExpr::binary(AffineOp::CeilDiv, self, rhs)
    }

    /// `self mod rhs`
    pub fn modulo(self, rhs: AffineExpr) -> AffineExpr {
        AffineExpr::binary(AffineOp::Mod, self, rhs)
    }

    /// Two expressions joined, simplified.
    pub fn binary(op: AffineOp, lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr {
        let simple = match op {
            AffineOp::Add => simplify_add(lhs, rhs),
            AffineOp::Mul => simplify_mul(lhs, rhs),
            AffineOp::FloorDiv => simplify_floordiv(lhs, rhs),
            AffineOp::CeilDiv => simplify_ceildiv(lhs, rhs),
            AffineOp::Mod => simplify_mod(lhs, rhs),
        };
        simple.unwrap_or_else(|| AffineExpr::new(AffineExprData::Binary(op, lhs, rhs)))
    }

    /// The two sides, when this is that operator.
    pub fn as_binary(self, op: AffineOp) -> Option<(AffineExpr, AffineExpr)> {
        match self.data() {
            AffineExprData::Binary(own, lhs, rhs) if *own == op => Some((*lhs, *rhs)),
            _ => None,
        }
    }

    /// Whether no dimension occurs.
    pub fn is_symbolic_or_constant(self) -> bool {
        match self.data() {
            AffineExprData::Dim(_) => false,
            AffineExprData::Symbol(_) | AffineExprData::Constant(_) => true,
            AffineExprData::Binary(_, lhs, rhs) => {
                lhs.is_symbolic_or_constant() && rhs.is_symbolic_or_constant()
            }
        }
    }

    /// A number that divides the expression whatever the dimensions and symbols are.
    pub fn known_divisor(self) -> i64 {
        match self.data() {
            AffineExprData::Dim(_) | AffineExprData::Symbol(_) => 1,
            AffineExprData::Constant(value) => value.checked_abs().unwrap_or(1),
            AffineExprData::Binary(op, lhs, rhs) => match op {
                AffineOp::Mul => lhs.known_divisor().checked_mul(rhs.known_divisor()).unwrap_or(1),
                AffineOp::Add | AffineOp::Mod => gcd(lhs.known_divisor(), rhs.known_divisor()),
                AffineOp::FloorDiv | AffineOp::CeilDiv => match rhs.as_constant() {
                    Some(divisor) if divisor != 0 => {
                        let known = lhs.known_divisor();
                        match known.checked_rem(divisor) {
                            Some(0) => known.checked_div(divisor).map_or(1, i64::abs),
                            _ => 1,
                        }
                    }
                    _ => 1,
                },
            },
        }
    }

    /// Whether the dimension occurs.
    pub fn uses_dim(self, position: u32) -> bool {
        match self.data() {
            AffineExprData::Dim(p) => *p == position,
            AffineExprData::Binary(_, lhs, rhs) => lhs.uses_dim(position) || rhs.uses_dim(position),
            _ => false,
        }
    }

    /// The expression with dimensions and symbols replaced, simplified; those without a
    /// replacement stay.
    pub fn replace(self, dims: &[AffineExpr], symbols: &[AffineExpr]) -> AffineExpr {
        match self.data() {
            AffineExprData::Dim(p) => dims.get(*p as usize).copied().unwrap_or(self),
            AffineExprData::Symbol(p) => symbols.get(*p as usize).copied().unwrap_or(self),
            AffineExprData::Constant(_) => self,
            AffineExprData::Binary(op, lhs, rhs) => {
                let (l, r) = (lhs.replace(dims, symbols), rhs.replace(dims, symbols));
                if (l, r) == (*lhs, *rhs) { self } else { AffineExpr::binary(*op, l, r) }
            }
        }
    }

    /// The value for these dimensions and symbols; none on overflow, division by zero or a missing
    /// value.
    pub fn eval(self, dims: &[i64], symbols: &[i64]) -> Option<i64> {
        match self.data() {
            AffineExprData::Dim(p) => dims.get(*p as usize).copied(),
            AffineExprData::Symbol(p) => symbols.get(*p as usize).copied(),
            AffineExprData::Constant(value) => Some(*value),
            AffineExprData::Binary(op, lhs, rhs) => {
                let (l, r) = (lhs.eval(dims, symbols)?, rhs.eval(dims, symbols)?);
                match op {
                    AffineOp::Add => l.checked_add(r),
                    AffineOp::Mul => l.checked_mul(r),
                    AffineOp::Mod if r > 0 => Some(l.rem_euclid(r)),
                    AffineOp::Mod => None,
                    AffineOp::FloorDiv => floor_div(l, r),
                    AffineOp::CeilDiv => ceil_div(l, r),
                }
            }
        }
    }
}

fn gcd(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    i64::try_from(a).unwrap_or(1)
}

/// The quotient rounded down.
pub fn floor_div(a: i64, b: i64) -> Option<i64> {
    let quotient = a.checked_div(b)?;
    Some(if a % b != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient })
}

/// The quotient rounded up.
pub fn ceil_div(a: i64, b: i64) -> Option<i64> {
    let quotient = a.checked_div(b)?;
    Some(if a % b != 0 && (a < 0) == (b < 0) { quotient + 1 } else { quotient })
}

/// An expression as a product with a constant.
fn factor(expr: AffineExpr) -> (AffineExpr, i64) {
    match expr.as_binary(AffineOp::Mul) {
        Some((inner, by)) => match by.as_constant() {
            Some(by) => (inner, by),
            None => (expr, 1),
        },
        None => (expr, 1),
    }
}

fn simplify_add(lhs: AffineExpr, rhs: AffineExpr) -> Option<AffineExpr> {
    let (left, right) = (lhs.as_constant(), rhs.as_constant());
    if let (Some(a), Some(b)) = (left, right) {
        return a.checked_add(b).map(AffineExpr::constant);
    }
    let symbols_first = lhs.is_symbolic_or_constant() && !rhs.is_symbolic_or_constant();
    if left.is_some() || symbols_first || stand_in_reverse(lhs, rhs) {
        return Some(rhs.add(lhs));
    }
    if right == Some(0) {
        return Some(lhs);
    }
    let sum = lhs.as_binary(AffineOp::Add);
    if let (Some((first, second)), Some(b)) = (sum, right)
        && let Some(total) = second.as_constant().and_then(|a| a.checked_add(b))
    {
        return Some(first.add(AffineExpr::constant(total)));
    }
    let ((a, m), (b, n)) = (factor(lhs), factor(rhs));
    if a == b
        && let Some(total) = m.checked_add(n)
    {
        return Some(a.mul(AffineExpr::constant(total)));
    }
    if let Some((first, second)) = sum
        && second.as_constant().is_some()
    {
        return Some(first.add(rhs).add(second));
    }
    // `e - (e floordiv q) * q` is `e mod q`.
    let (product, by) = rhs.as_binary(AffineOp::Mul)?;
    if by.as_constant() == Some(-1)
        && let Some((quotient, q)) = product.as_binary(AffineOp::Mul)
    {
        let (numerator, divisor) = quotient.as_binary(AffineOp::FloorDiv)?;
        return (divisor == q && numerator == lhs).then(|| lhs.modulo(q));
    }
    let (numerator, divisor) = product.as_binary(AffineOp::FloorDiv)?;
    let q = divisor.as_constant().filter(|&q| q > 0)?;
    (numerator == lhs && by.as_constant() == Some(-q)).then(|| lhs.modulo(divisor))
}

/// Whether both are dimensions or both symbols, the later one first.
fn stand_in_reverse(lhs: AffineExpr, rhs: AffineExpr) -> bool {
    match (lhs.data(), rhs.data()) {
        (AffineExprData::Dim(l), AffineExprData::Dim(r))
        | (AffineExprData::Symbol(l), AffineExprData::Symbol(r)) => l > r,
        _ => false,
    }
}

fn simplify_mul(lhs: AffineExpr, rhs: AffineExpr) -> Option<AffineExpr> {
    let (left, right) = (lhs.as_constant(), rhs.as_constant());
    if let (Some(a), Some(b)) = (left, right) {
        return a.checked_mul(b).map(AffineExpr::constant);
    }
    // A product of two dimensions is not affine; it is left as it stands.
    let symbols_first = lhs.is_symbolic_or_constant() && !rhs.is_symbolic_or_constant();
    if left.is_some() || symbols_first || stand_in_reverse(lhs, rhs) {
        return Some(rhs.mul(lhs));
    }
    match right {
        Some(1) => return Some(lhs),
        Some(0) => return Some(rhs),
        _ => {}
    }
    let (inner, by) = lhs.as_binary(AffineOp::Mul)?;
    let by = by.as_constant()?;
    match right {
        Some(b) => Some(inner.mul(AffineExpr::constant(by.checked_mul(b)?))),
        None => Some(inner.mul(rhs).mul(AffineExpr::constant(by))),
    }
}

fn simplify_floordiv(lhs: AffineExpr, rhs: AffineExpr) -> Option<AffineExpr> {
    if lhs == rhs && rhs.as_constant().is_none() {
        return Some(AffineExpr::constant(1));
    }
    let divisor = rhs.as_constant().filter(|&d| d != 0)?;
    if let Some(a) = lhs.as_constant() {
        return floor_div(a, divisor).map(AffineExpr::constant);
    }
    if divisor == 1 {
        return Some(lhs);
    }
    if let Some((inner, by)) = lhs.as_binary(AffineOp::Mul)
        && let Some(by) = by.as_constant()
        && by.checked_rem(divisor) == Some(0)
    {
        return Some(inner.mul(AffineExpr::constant(by.checked_div(divisor)?)));
    }
    let (a, b) = lhs.as_binary(AffineOp::Add)?;
    let divides = |e: AffineExpr| e.known_divisor().checked_rem(divisor) == Some(0);
    (divides(a) || divides(b)).then(|| a.floordiv(rhs).add(b.floordiv(rhs)))
}

fn simplify_ceildiv(lhs: AffineExpr, rhs: AffineExpr) -> Option<AffineExpr> {
    if lhs == rhs && rhs.as_constant().is_none() {
        return Some(AffineExpr::constant(1));
    }
    let divisor = rhs.as_constant().filter(|&d| d != 0)?;
    if let Some(a) = lhs.as_constant() {
        return ceil_div(a, divisor).map(AffineExpr::constant);
    }
    if divisor == 1 {
        return Some(lhs);
    }
    let (inner, by) = lhs.as_binary(AffineOp::Mul)?;
    let by = by.as_constant()?;
    (by.checked_rem(divisor) == Some(0)).then(|| inner.mul(AffineExpr::constant(by / divisor)))
}

fn simplify_mod(lhs: AffineExpr, rhs: AffineExpr) -> Option<AffineExpr> {
    if lhs == rhs && rhs.as_constant().is_none() {
        return Some(AffineExpr::constant(0));
    }
    let divisor = rhs.as_constant().filter(|&d| d >= 1)?;
    if let Some(a) = lhs.as_constant() {
        return Some(AffineExpr::constant(a.rem_euclid(divisor)));
    }
    let divides = |e: AffineExpr| e.known_divisor() % divisor == 0;
    if divides(lhs) {
        return Some(AffineExpr::constant(0));
    }
    if let Some((a, b)) = lhs.as_binary(AffineOp::Add) {
        if divides(a) {
            return Some(b.modulo(rhs));
        }
        return divides(b).then(|| a.modulo(rhs));
    }
    let (inner, outer) = lhs.as_binary(AffineOp::Mod)?;
    let outer = outer.as_constant().filter(|&o| o >= 1)?;
    (outer % divisor == 0).then(|| inner.modulo(rhs))
}

impl AffineMap {
    /// `(d0, …) -> (value, …)`
    pub fn constant(values: &[i64]) -> AffineMap {
        let results: Vec<_> = values.iter().map(|&v| AffineExpr::constant(v)).collect();
        AffineMap::get(0, 0, &results)
    }

    /// `(d0, …) -> (d<order[0]>, …)` over as many dimensions as the order has.
    pub fn permutation(order: &[u32]) -> AffineMap {
        let results: Vec<_> = order.iter().map(|&d| AffineExpr::dim(d)).collect();
        AffineMap::get(order.len() as u32, 0, &results)
    }

    /// The number of symbols.
    pub fn symbols(self) -> u32 {
        self.data().symbols
    }

    /// Whether every dimension is the result of just one position.
    pub fn is_permutation(self) -> bool {
        self.results().len() == self.dims() as usize && self.is_projected_permutation()
    }

    /// The values of the results.
    pub fn eval(self, dims: &[i64], symbols: &[i64]) -> Option<Vec<i64>> {
        self.results().iter().map(|expr| expr.eval(dims, symbols)).collect()
    }

    /// `self ∘ inner`: the dimensions of `self` are the results of `inner`. The symbols of `self`
    /// come first.
    pub fn compose(self, inner: AffineMap) -> AffineMap {
        let own = self.symbols();
        let shifted: Vec<_> = (own..own + inner.symbols()).map(AffineExpr::symbol).collect();
        let dims: Vec<_> = inner.results().iter().map(|e| e.replace(&[], &shifted)).collect();
        let results: Vec<_> = self.results().iter().map(|e| e.replace(&dims, &[])).collect();
        AffineMap::get(inner.dims(), own + inner.symbols(), &results)
    }

    /// The map from the results back to the dimensions: for each dimension the first result that
    /// is that dimension. None when a dimension is no result.
    pub fn inverse_permutation(self) -> Option<AffineMap> {
        let results = self.results();
        let inverse: Option<Vec<_>> = (0..self.dims())
            .map(|d| results.iter().position(|e| e.as_dim() == Some(d)))
            .map(|found| found.map(|position| AffineExpr::dim(position as u32)))
            .collect();
        Some(AffineMap::get(results.len() as u32, 0, &inverse?))
    }

    /// The map without the dimensions for which `drop` holds; none of them may be used.
    pub fn drop_dims(self, drop: &[bool]) -> AffineMap {
        let mut kept = 0;
        let dims: Vec<_> = (0..self.dims())
            .map(|d| {
                if drop.get(d as usize) == Some(&true) {
                    return AffineExpr::constant(0);
                }
                kept += 1;
                AffineExpr::dim(kept - 1)
            })
            .collect();
        let results: Vec<_> = self.results().iter().map(|e| e.replace(&dims, &[])).collect();
        AffineMap::get(kept, self.symbols(), &results)
    }

    /// The map without the dimensions that no result uses.
    pub fn compress_dims(self) -> AffineMap {
        let unused: Vec<bool> =
            (0..self.dims()).map(|d| !self.results().iter().any(|e| e.uses_dim(d))).collect();
        self.drop_dims(&unused)
    }

    /// The map with only the results at these positions.
    pub fn sub_map(self, positions: &[usize]) -> AffineMap {
        let results: Vec<_> =
            positions.iter().filter_map(|&p| self.results().get(p).copied()).collect();
        AffineMap::get(self.dims(), self.symbols(), &results)
    }
}

/// The strides of a row-major layout, [`crate::DYNAMIC`] where they depend on a dynamic size.
pub fn row_major_strides(shape: &[i64]) -> Vec<i64> {
    let mut strides = vec![1i64; shape.len()];
    for at in (1..shape.len()).rev() {
        let (size, stride) = (shape[at], strides[at]);
        strides[at - 1] = match size == crate::DYNAMIC || stride == crate::DYNAMIC {
            true => crate::DYNAMIC,
            false => size.checked_mul(stride).unwrap_or(crate::DYNAMIC),
        };
    }
    strides
}

/// The strides and the offset of a ranked memref whose layout is strided or the identity.
pub fn strides_and_offset(ty: crate::Type) -> Option<(Vec<i64>, i64)> {
    let crate::TypeData::MemRef { shape, layout, .. } = ty.data() else { return None };
    match layout.map(crate::Attr::data) {
        None => Some((row_major_strides(shape), 0)),
        Some(crate::AttrData::Strided { strides, offset }) => Some((strides.to_vec(), *offset)),
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(expr: AffineExpr, want: &str) {
        assert_eq!(expr.to_string(), want);
    }

    #[test]
    fn expressions_have_one_form() {
        let (d0, d1, s0) = (AffineExpr::dim(0), AffineExpr::dim(1), AffineExpr::symbol(0));
        let c = AffineExpr::constant;
        check(c(4).add(d0), "d0 + 4");
        check(s0.add(d0), "d0 + s0");
        check(d0.add(c(2)).add(c(3)), "d0 + 5");
        check(d0.add(c(2)).add(d1), "d0 + d1 + 2");
        check(d0.mul(c(2)).add(d0.mul(c(3))), "d0 * 5");
        check(d0.sub(d0), "0");
        check(d0.sub(d1.mul(c(4))), "d0 - d1 * 4");
        check(d0.sub(d1.add(c(1)).mul(s0)), "d0 - (d1 + 1) * s0");
        check(d0.mul(c(128)).floordiv(c(64)), "d0 * 2");
        check(d0.mul(c(8)).add(d1).floordiv(c(4)), "d0 * 2 + d1 floordiv 4");
        check(d0.mul(c(8)).add(d1).modulo(c(4)), "d1 mod 4");
        check(d0.sub(d0.floordiv(c(4)).mul(c(4))), "d0 mod 4");
        check(d0.modulo(c(8)).modulo(c(4)), "d0 mod 4");
        check(d0.ceildiv(c(1)), "d0");
    }

    #[test]
    fn maps_compose_and_invert() {
        let d = AffineExpr::dim;
        let tile = AffineMap::get(
            2,
            1,
            &[d(0).mul(AffineExpr::constant(4)), d(1).add(AffineExpr::symbol(0))],
        );
        let swap = AffineMap::permutation(&[1, 0]);
        assert_eq!(tile.compose(swap).to_string(), "(d0, d1)[s0] -> (d1 * 4, d0 + s0)");
        assert_eq!(swap.inverse_permutation(), Some(swap));
        let rotate = AffineMap::permutation(&[1, 2, 0]);
        assert_eq!(rotate.inverse_permutation(), Some(AffineMap::permutation(&[2, 0, 1])));
        let sparse = AffineMap::get(3, 0, &[d(2), d(0)]);
        assert_eq!(sparse.compress_dims().to_string(), "(d0, d1) -> (d1, d0)");
        assert_eq!(sparse.inverse_permutation(), None);
        assert_eq!(tile.eval(&[3, 5], &[2]), Some(vec![12, 7]));
        assert_eq!(row_major_strides(&[2, crate::DYNAMIC, 4]), [crate::DYNAMIC, 4, 1]);
    }
}
