//! Affine expressions, maps and integer sets.

use std::fmt;

use crate::interner::handle;

handle! {
    /// An interned affine expression.
    AffineExpr => AffineExprData, from data
}
handle! {
    /// An interned affine map.
    AffineMap => AffineMapData, from data
}
handle! {
    /// An interned integer set.
    IntegerSet => IntegerSetData, from data
}

/// What an affine expression is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum AffineExprData {
    /// `d0`
    Dim(u32),
    /// `s0`
    Symbol(u32),
    /// `4`
    Constant(i64),
    /// Two expressions joined.
    Binary(AffineOp, AffineExpr, AffineExpr),
}

/// The binary operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AffineOp {
    /// `+`
    Add,
    /// `*`
    Mul,
    /// `mod`
    Mod,
    /// `floordiv`
    FloorDiv,
    /// `ceildiv`
    CeilDiv,
}

/// A map from dimensions and symbols to results.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AffineMapData {
    /// The number of dimensions.
    pub dims: u32,
    /// The number of symbols.
    pub symbols: u32,
    /// One expression a result.
    pub results: Box<[AffineExpr]>,
}

/// A conjunction of affine (in)equalities.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct IntegerSetData {
    /// The number of dimensions.
    pub dims: u32,
    /// The number of symbols.
    pub symbols: u32,
    /// Each expression with whether it `== 0` (true) or `>= 0` (false).
    pub constraints: Box<[(AffineExpr, bool)]>,
}

impl AffineExpr {
    /// `d<position>`
    pub fn dim(position: u32) -> AffineExpr {
        AffineExpr::new(AffineExprData::Dim(position))
    }

    /// `s<position>`
    pub fn symbol(position: u32) -> AffineExpr {
        AffineExpr::new(AffineExprData::Symbol(position))
    }

    /// A constant.
    pub fn constant(value: i64) -> AffineExpr {
        AffineExpr::new(AffineExprData::Constant(value))
    }

    /// The position, when this is a plain dimension.
    pub fn as_dim(self) -> Option<u32> {
        match self.data() {
            AffineExprData::Dim(position) => Some(*position),
            _ => None,
        }
    }

    /// The value, when this is a constant.
    pub fn as_constant(self) -> Option<i64> {
        match self.data() {
            AffineExprData::Constant(value) => Some(*value),
            _ => None,
        }
    }
}

impl AffineMap {
    /// A map.
    pub fn get(dims: u32, symbols: u32, results: &[AffineExpr]) -> AffineMap {
        AffineMap::new(AffineMapData { dims, symbols, results: results.into() })
    }

    /// `(d0, …) -> (d0, …)`
    pub fn identity(dims: u32) -> AffineMap {
        let results: Vec<_> = (0..dims).map(AffineExpr::dim).collect();
        AffineMap::get(dims, 0, &results)
    }

    /// The results.
    pub fn results(self) -> &'static [AffineExpr] {
        &self.data().results
    }

    /// The number of dimensions.
    pub fn dims(self) -> u32 {
        self.data().dims
    }

    /// Whether every result is the dimension of its own position and all dimensions appear.
    pub fn is_identity(self) -> bool {
        let data = self.data();
        data.symbols == 0
            && data.dims as usize == data.results.len()
            && data.results.iter().enumerate().all(|(i, e)| e.as_dim() == Some(i as u32))
    }

    /// Whether every result is a plain dimension and none appears twice.
    pub fn is_projected_permutation(self) -> bool {
        let mut seen = vec![false; self.dims() as usize];
        self.data().symbols == 0
            && self.results().iter().all(|e| match e.as_dim() {
                Some(d) => !std::mem::replace(&mut seen[d as usize], true),
                None => false,
            })
    }
}

impl fmt::Debug for AffineExpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.data().fmt(f)
    }
}

impl fmt::Debug for AffineMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.data().fmt(f)
    }
}

impl fmt::Debug for IntegerSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.data().fmt(f)
    }
}
