//! Types.

use std::fmt;
use std::sync::{LazyLock, OnceLock};

use tegula_schema::Signedness;

use crate::interner::handle;
use crate::{Attr, AttrData, Ident};

handle! {
    /// An interned type.
    Type => TypeData, from data
}

/// The size of a dimension that is only known at run time.
pub const DYNAMIC: i64 = i64::MIN;

/// What a type is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TypeData {
    /// `i32`, `si8`, `ui1`
    Integer {
        /// Bits.
        width: u32,
        /// How the bits are read.
        sign: Signedness,
    },
    /// `f32`, `bf16`, …
    Float(FloatKind),
    /// `index`
    Index,
    /// `none`
    None,
    /// `token`
    Token,
    /// `(i32) -> f32`
    Function {
        /// Argument types.
        inputs: Box<[Type]>,
        /// Result types.
        results: Box<[Type]>,
    },
    /// `tensor<4x?xf32, #enc>`
    RankedTensor {
        /// Sizes, [`DYNAMIC`] for `?`.
        shape: Box<[i64]>,
        /// The element type.
        element: Type,
        /// The encoding attribute.
        encoding: Option<Attr>,
    },
    /// `tensor<*xf32>`
    UnrankedTensor {
        /// The element type.
        element: Type,
    },
    /// `memref<4x?xf32, #layout, #space>`
    MemRef {
        /// Sizes, [`DYNAMIC`] for `?`.
        shape: Box<[i64]>,
        /// The element type.
        element: Type,
        /// The layout (`strided<…>` or an affine map) unless it is the identity.
        layout: Option<Attr>,
        /// The memory space.
        space: Option<Attr>,
    },
    /// `memref<*xf32>`
    UnrankedMemRef {
        /// The element type.
        element: Type,
        /// The memory space.
        space: Option<Attr>,
    },
    /// `vector<4x[8]xf32>`
    Vector {
        /// Sizes.
        shape: Box<[i64]>,
        /// Which dimensions are scalable; same length as `shape`.
        scalable: Box<[bool]>,
        /// The element type.
        element: Type,
    },
    /// `tuple<i32, f32>`
    Tuple(Box<[Type]>),
    /// `complex<f32>`
    Complex(Type),
    /// `!dialect.name<params>`; parameters are stored as attributes in the order of the definition.
    Dialect {
        /// The full name without `!`.
        name: Ident,
        /// One attribute a parameter; absent optional parameters are `unit`-typed [`Attr::absent`].
        params: Box<[Attr]>,
    },
    /// A dialect type that no definition reads: `!dialect.` and balanced text, kept as it stands.
    Opaque {
        /// The dialect.
        dialect: Ident,
        /// The text after the dialect's dot, aliases resolved.
        text: Box<str>,
    },
}

/// The floating-point formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatKind {
    /// `f16`
    F16,
    /// `bf16`
    BF16,
    /// `f32`
    F32,
    /// `tf32`
    TF32,
    /// `f64`
    F64,
    /// `f80`
    F80,
    /// `f128`
    F128,
    /// `f8E4M3FN` and the other small formats, by their name.
    Small(SmallFloat),
}

/// The small floating-point formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each case is named after its format")]
pub enum SmallFloat {
    F4E2M1FN,
    F6E2M3FN,
    F6E3M2FN,
    F8E5M2,
    F8E4M3,
    F8E4M3FN,
    F8E5M2FNUZ,
    F8E4M3FNUZ,
    F8E4M3B11FNUZ,
    F8E3M4,
    F8E8M0FNU,
}

impl Type {
    /// A signless integer.
    pub fn int(width: u32) -> Type {
        // Those of the usual widths are asked for all the time.
        static USUAL: [OnceLock<Type>; 65] = [const { OnceLock::new() }; 65];
        let make = || Type::new(TypeData::Integer { width, sign: Signedness::Signless });
        USUAL.get(width as usize).map_or_else(make, |known| *known.get_or_init(make))
    }

    /// `index`
    pub fn index() -> Type {
        static KNOWN: LazyLock<Type> = LazyLock::new(|| Type::new(TypeData::Index));
        *KNOWN
    }

    /// `f32`
    pub fn f32() -> Type {
        static KNOWN: LazyLock<Type> = LazyLock::new(|| Type::new(TypeData::Float(FloatKind::F32)));
        *KNOWN
    }

    /// `f64`
    pub fn f64() -> Type {
        static KNOWN: LazyLock<Type> = LazyLock::new(|| Type::new(TypeData::Float(FloatKind::F64)));
        *KNOWN
    }

    /// `none`
    pub fn none() -> Type {
        Type::new(TypeData::None)
    }

    /// A ranked tensor.
    pub fn tensor(shape: &[i64], element: Type, encoding: Option<Attr>) -> Type {
        Type::new(TypeData::RankedTensor { shape: shape.into(), element, encoding })
    }

    /// A fixed-size vector.
    pub fn vector(shape: &[i64], element: Type) -> Type {
        let scalable = vec![false; shape.len()].into();
        Type::new(TypeData::Vector { shape: shape.into(), scalable, element })
    }

    /// A memref.
    pub fn memref(shape: &[i64], element: Type, layout: Option<Attr>, space: Option<Attr>) -> Type {
        let space = space.filter(|&space| !is_default_space(space));
        Type::new(TypeData::MemRef { shape: shape.into(), element, layout, space })
    }

    /// A memref of any rank.
    pub fn unranked_memref(element: Type, space: Option<Attr>) -> Type {
        let space = space.filter(|&space| !is_default_space(space));
        Type::new(TypeData::UnrankedMemRef { element, space })
    }

    /// A function type.
    pub fn function(inputs: &[Type], results: &[Type]) -> Type {
        Type::new(TypeData::Function { inputs: inputs.into(), results: results.into() })
    }

    /// A dialect type.
    pub fn dialect(name: &str, params: &[Attr]) -> Type {
        Type::new(TypeData::Dialect { name: Ident::of(name), params: params.into() })
    }

    /// The shape of a ranked shaped type.
    pub fn shape(self) -> Option<&'static [i64]> {
        match self.data() {
            TypeData::RankedTensor { shape, .. }
            | TypeData::MemRef { shape, .. }
            | TypeData::Vector { shape, .. } => Some(shape),
            _ => None,
        }
    }

    /// Whether two shapes may be the same: of one rank, with sizes that are equal or not known, and
    /// with the same scalable dimensions.
    pub fn has_compatible_shape(self, other: Type) -> bool {
        let fits = |(&a, &b): (&i64, &i64)| a == b || a == DYNAMIC || b == DYNAMIC;
        let scalable = |ty: Type| match ty.data() {
            TypeData::Vector { scalable, .. } => scalable.iter().any(|&s| s).then_some(scalable),
            _ => None,
        };
        match (self.shape(), other.shape()) {
            (Some(a), Some(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(fits) && scalable(self) == scalable(other)
            }
            _ => false,
        }
    }

    /// Whether it is a tensor, a memref or a vector, ranked or not.
    pub fn is_shaped(self) -> bool {
        matches!(
            self.data(),
            TypeData::RankedTensor { .. }
                | TypeData::UnrankedTensor { .. }
                | TypeData::MemRef { .. }
                | TypeData::UnrankedMemRef { .. }
                | TypeData::Vector { .. }
        )
    }

    /// The element type of a shaped or complex type.
    pub fn element(self) -> Option<Type> {
        match self.data() {
            TypeData::RankedTensor { element, .. }
            | TypeData::UnrankedTensor { element }
            | TypeData::MemRef { element, .. }
            | TypeData::UnrankedMemRef { element, .. }
            | TypeData::Vector { element, .. }
            | TypeData::Complex(element) => Some(*element),
            _ => None,
        }
    }

    /// The element type of a shaped type, or the type itself.
    pub fn element_or_self(self) -> Type {
        self.element().unwrap_or(self)
    }

    /// The encoding of a ranked tensor.
    pub fn encoding(self) -> Option<Attr> {
        match self.data() {
            TypeData::RankedTensor { encoding, .. } => *encoding,
            _ => None,
        }
    }

    /// Whether elements lie in row-major order: no encoding of a tensor, no layout of a memref but
    /// the identity.
    pub fn has_plain_layout(self) -> bool {
        match self.data() {
            TypeData::RankedTensor { encoding, .. } => encoding.is_none(),
            TypeData::MemRef { layout, .. } => match layout.map(|layout| layout.data()) {
                None => true,
                Some(AttrData::AffineMap(map)) => map.is_identity(),
                Some(_) => false,
            },
            _ => self.shape().is_some(),
        }
    }

    /// Whether the shape is known and has no dynamic dimension.
    pub fn has_static_shape(self) -> bool {
        self.shape().is_some_and(|shape| shape.iter().all(|&d| d != DYNAMIC))
    }

    /// Whether it is a tensor, ranked or not.
    pub fn is_tensor(self) -> bool {
        matches!(self.data(), TypeData::RankedTensor { .. } | TypeData::UnrankedTensor { .. })
    }

    /// The number of dynamic dimensions.
    pub fn dynamic_dims(self) -> usize {
        self.shape().unwrap_or(&[]).iter().filter(|&&size| size == DYNAMIC).count()
    }

    /// The number of elements of a static shape; none on overflow.
    pub fn num_elements(self) -> Option<i64> {
        if !self.has_static_shape() {
            return None;
        }
        self.shape()?.iter().try_fold(1i64, |n, &d| n.checked_mul(d))
    }

    /// A tensor or vector of as many dimensions and of other sizes.
    pub fn with_shape(self, sizes: &[i64]) -> Option<Type> {
        let mut data = self.data().clone();
        let (TypeData::RankedTensor { shape, .. } | TypeData::Vector { shape, .. }) = &mut data
        else {
            return None;
        };
        if shape.len() != sizes.len() {
            return None;
        }
        *shape = sizes.into();
        Some(Type::new(data))
    }

    /// The numbers as which a value of the type may be written: a bit that is set is kept as -1 and
    /// is 1 as well.
    pub fn readings(self, value: i128) -> impl Iterator<Item = i128> {
        let set = value == -1 && self == Type::int(1);
        std::iter::once(value).chain(set.then_some(1))
    }

    /// The width in bits of an integer or float type.
    pub fn bit_width(self) -> Option<u32> {
        match self.data() {
            TypeData::Integer { width, .. } => Some(*width),
            TypeData::Float(kind) => Some(kind.width()),
            _ => None,
        }
    }

    /// Whether this is `index`.
    pub fn is_index(self) -> bool {
        matches!(self.data(), TypeData::Index)
    }

    /// Whether this is a signless integer of the given width.
    pub fn is_int(self, width: u32) -> bool {
        matches!(self.data(), TypeData::Integer { width: w, sign: Signedness::Signless } if *w == width)
    }

    /// Whether this is a floating-point type.
    pub fn is_float(self) -> bool {
        matches!(self.data(), TypeData::Float(_))
    }

    /// The inputs and results, when this is a function type.
    pub fn as_function(self) -> Option<(&'static [Type], &'static [Type])> {
        match self.data() {
            TypeData::Function { inputs, results } => Some((inputs, results)),
            _ => None,
        }
    }

    /// The parameters, when this is the dialect type of that name.
    pub fn dialect_params(self, name: &str) -> Option<&'static [Attr]> {
        match self.data() {
            TypeData::Dialect { name: n, params } if n.as_str() == name => Some(params),
            _ => None,
        }
    }

    /// The same shaped type with another element type; the type itself is replaced when scalar.
    pub fn with_element(self, new: Type) -> Type {
        let mut data = self.data().clone();
        match &mut data {
            TypeData::RankedTensor { element, .. }
            | TypeData::UnrankedTensor { element }
            | TypeData::MemRef { element, .. }
            | TypeData::UnrankedMemRef { element, .. }
            | TypeData::Vector { element, .. } => *element = new,
            _ => return new,
        }
        Type::new(data)
    }
}

impl FloatKind {
    /// Bits.
    pub fn width(self) -> u32 {
        match self {
            FloatKind::F16 | FloatKind::BF16 => 16,
            FloatKind::F32 => 32,
            FloatKind::TF32 => 19,
            FloatKind::F64 => 64,
            FloatKind::F80 => 80,
            FloatKind::F128 => 128,
            FloatKind::Small(SmallFloat::F4E2M1FN) => 4,
            FloatKind::Small(SmallFloat::F6E2M3FN | SmallFloat::F6E3M2FN) => 6,
            FloatKind::Small(_) => 8,
        }
    }

    /// The keyword in text.
    pub fn keyword(self) -> &'static str {
        match self {
            FloatKind::F16 => "f16",
            FloatKind::BF16 => "bf16",
            FloatKind::F32 => "f32",
            FloatKind::TF32 => "tf32",
            FloatKind::F64 => "f64",
            FloatKind::F80 => "f80",
            FloatKind::F128 => "f128",
            FloatKind::Small(small) => match small {
                SmallFloat::F4E2M1FN => "f4E2M1FN",
                SmallFloat::F6E2M3FN => "f6E2M3FN",
                SmallFloat::F6E3M2FN => "f6E3M2FN",
                SmallFloat::F8E5M2 => "f8E5M2",
                SmallFloat::F8E4M3 => "f8E4M3",
                SmallFloat::F8E4M3FN => "f8E4M3FN",
                SmallFloat::F8E5M2FNUZ => "f8E5M2FNUZ",
                SmallFloat::F8E4M3FNUZ => "f8E4M3FNUZ",
                SmallFloat::F8E4M3B11FNUZ => "f8E4M3B11FNUZ",
                SmallFloat::F8E3M4 => "f8E3M4",
                SmallFloat::F8E8M0FNU => "f8E8M0FNU",
            },
        }
    }

    /// The format of that keyword.
    pub fn from_keyword(text: &str) -> Option<FloatKind> {
        use SmallFloat::*;
        let small = [
            F4E2M1FN,
            F6E2M3FN,
            F6E3M2FN,
            F8E5M2,
            F8E4M3,
            F8E4M3FN,
            F8E5M2FNUZ,
            F8E4M3FNUZ,
            F8E4M3B11FNUZ,
            F8E3M4,
            F8E8M0FNU,
        ];
        let wide = [
            FloatKind::F16,
            FloatKind::BF16,
            FloatKind::F32,
            FloatKind::TF32,
            FloatKind::F64,
            FloatKind::F80,
            FloatKind::F128,
        ];
        wide.into_iter()
            .chain(small.into_iter().map(FloatKind::Small))
            .find(|kind| kind.keyword() == text)
    }
}

/// Whether a memory space is the one that memory is in when nothing is said.
fn is_default_space(space: Attr) -> bool {
    matches!(space.data(), AttrData::Integer { value: 0, .. })
}

impl fmt::Debug for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.data().fmt(f)
    }
}
