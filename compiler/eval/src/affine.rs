//! Affine expressions at run time.

use tegula_ir::{AffineExpr, AffineExprData, AffineMap, AffineOp};

use crate::EvalError;

/// The value of an expression. Division rounds as affine division does: `floordiv` down, `ceildiv`
/// up, `mod` to a non-negative remainder; the divisor must be positive.
pub fn eval_expr(expr: AffineExpr, dims: &[i64], symbols: &[i64]) -> Result<i64, EvalError> {
    let missing = || EvalError::new("affine expression refers to a missing operand");
    Ok(match expr.data() {
        AffineExprData::Dim(d) => *dims.get(*d as usize).ok_or_else(missing)?,
        AffineExprData::Symbol(s) => *symbols.get(*s as usize).ok_or_else(missing)?,
        AffineExprData::Constant(c) => *c,
        AffineExprData::Binary(op, a, b) => {
            let a = eval_expr(*a, dims, symbols)?;
            let b = eval_expr(*b, dims, symbols)?;
            match op {
                AffineOp::Add => a.wrapping_add(b),
                AffineOp::Mul => a.wrapping_mul(b),
                _ if b <= 0 => return Err(EvalError::new("affine division by a divisor below 1")),
                AffineOp::Mod => a.rem_euclid(b),
                AffineOp::FloorDiv => a.div_euclid(b),
                AffineOp::CeilDiv => a.div_euclid(b) + i64::from(a.rem_euclid(b) != 0),
            }
        }
    })
}

/// The values of all results of a map.
pub fn eval_map(map: AffineMap, dims: &[i64], symbols: &[i64]) -> Result<Vec<i64>, EvalError> {
    map.results().iter().map(|&e| eval_expr(e, dims, symbols)).collect()
}

/// An expression of the form `c0*d0 + c1*d1 + … + constant`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Linear {
    /// One coefficient a dimension.
    pub coefficients: Vec<i64>,
    /// The constant part.
    pub constant: i64,
}

/// The linear form of a symbol-free expression, when it has one.
pub fn linear(expr: AffineExpr, dims: usize) -> Option<Linear> {
    let zero = || Linear { coefficients: vec![0; dims], constant: 0 };
    match expr.data() {
        AffineExprData::Dim(d) => {
            let mut form = zero();
            *form.coefficients.get_mut(*d as usize)? = 1;
            Some(form)
        }
        AffineExprData::Symbol(_) => None,
        AffineExprData::Constant(c) => Some(Linear { constant: *c, ..zero() }),
        AffineExprData::Binary(AffineOp::Add, a, b) => {
            let (mut a, b) = (linear(*a, dims)?, linear(*b, dims)?);
            for (x, y) in a.coefficients.iter_mut().zip(b.coefficients) {
                *x = x.checked_add(y)?;
            }
            a.constant = a.constant.checked_add(b.constant)?;
            Some(a)
        }
        AffineExprData::Binary(AffineOp::Mul, a, b) => {
            let (a, b) = (linear(*a, dims)?, linear(*b, dims)?);
            let (mut form, by) = match (a.as_constant(), b.as_constant()) {
                (_, Some(by)) => (a, by),
                (Some(by), _) => (b, by),
                _ => return None,
            };
            for x in &mut form.coefficients {
                *x = x.checked_mul(by)?;
            }
            form.constant = form.constant.checked_mul(by)?;
            Some(form)
        }
        AffineExprData::Binary(..) => None,
    }
}

impl Linear {
    fn as_constant(&self) -> Option<i64> {
        self.coefficients.iter().all(|&c| c == 0).then_some(self.constant)
    }

    /// The least and greatest value over `0 <= d_i < extents[i]`, none of which may be empty.
    pub fn range(&self, extents: &[i64]) -> (i64, i64) {
        let mut range = (self.constant, self.constant);
        for (&c, &extent) in self.coefficients.iter().zip(extents) {
            let far = c.saturating_mul(extent - 1);
            range.0 = range.0.saturating_add(far.min(0));
            range.1 = range.1.saturating_add(far.max(0));
        }
        range
    }
}
