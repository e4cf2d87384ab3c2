//! Scalars as bits of a format.

use half::{bf16, f16};
use tegula_ir::{Attr, AttrData, FloatKind, Type, TypeData};

/// The format of a scalar. Integers of at most 64 bits; signedness is the op's, not the value's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScalarType {
    /// An integer of this many bits, from 1 to 64 (or 0).
    Int(u32),
    /// `index`: 64 bits, signed.
    Index,
    /// A floating-point format of at most 64 bits.
    Float(FloatKind),
}

impl ScalarType {
    /// The format of an IR type; none when it is no scalar or wider than 64 bits.
    pub fn of(ty: Type) -> Option<ScalarType> {
        match ty.data() {
            TypeData::Integer { width, .. } if *width <= 64 => Some(ScalarType::Int(*width)),
            TypeData::Index => Some(ScalarType::Index),
            TypeData::Float(kind) if kind.width() <= 64 => Some(ScalarType::Float(*kind)),
            _ => None,
        }
    }

    /// The IR type, signless for integers.
    pub fn ty(self) -> Type {
        match self {
            ScalarType::Int(width) => Type::int(width),
            ScalarType::Index => Type::index(),
            ScalarType::Float(kind) => Type::new(TypeData::Float(kind)),
        }
    }

    /// Bits.
    pub fn width(self) -> u32 {
        match self {
            ScalarType::Int(width) => width,
            ScalarType::Index => 64,
            ScalarType::Float(kind) => kind.width(),
        }
    }

    /// Bytes in memory: whole bytes, as dense attributes store their elements.
    pub fn bytes(self) -> usize {
        (self.width() as usize).div_ceil(8).max(1)
    }

    /// All ones in the format's width.
    pub fn mask(self) -> u64 {
        mask(self.width())
    }

    /// The bits read as a signed integer of the format's width.
    pub fn signed(self, bits: u64) -> i64 {
        sign_extend(bits, self.width())
    }

    /// Reads an element from little-endian bytes; `bytes` must hold [`ScalarType::bytes`] of them.
    pub fn load(self, bytes: &[u8]) -> u64 {
        let mut raw = [0; 8];
        let count = self.bytes();
        raw[..count].copy_from_slice(&bytes[..count]);
        u64::from_le_bytes(raw) & self.mask()
    }

    /// Writes an element as little-endian bytes.
    pub fn store(self, bits: u64, bytes: &mut [u8]) {
        let count = self.bytes();
        bytes[..count].copy_from_slice(&bits.to_le_bytes()[..count]);
    }

    /// A float's value as `f64`; exact for every supported format. None for integers and for
    /// formats without arithmetic here.
    pub fn to_f64(self, bits: u64) -> Option<f64> {
        match self {
            ScalarType::Float(FloatKind::F64) => Some(f64::from_bits(bits)),
            ScalarType::Float(FloatKind::F32) => Some(f32::from_bits(bits as u32).into()),
            ScalarType::Float(FloatKind::F16) => Some(f16::from_bits(bits as u16).into()),
            ScalarType::Float(FloatKind::BF16) => Some(bf16::from_bits(bits as u16).into()),
            _ => None,
        }
    }

    /// Rounds to the format, to nearest even. None for integers and unsupported formats.
    pub fn from_f64(self, value: f64) -> Option<u64> {
        match self {
            ScalarType::Float(FloatKind::F64) => Some(value.to_bits()),
            ScalarType::Float(FloatKind::F32) => Some((value as f32).to_bits().into()),
            ScalarType::Float(FloatKind::F16) => Some(f16::from_f64(value).to_bits().into()),
            ScalarType::Float(FloatKind::BF16) => Some(bf16::from_f64(value).to_bits().into()),
            _ => None,
        }
    }
}

/// The low `width` bits set.
pub(crate) fn mask(width: u32) -> u64 {
    match width {
        0 => 0,
        1..64 => (1 << width) - 1,
        _ => u64::MAX,
    }
}

/// Extends the sign bit of a `width`-bit number.
pub(crate) fn sign_extend(bits: u64, width: u32) -> i64 {
    match width {
        0 => 0,
        1..64 => ((bits << (64 - width)) as i64) >> (64 - width),
        _ => bits as i64,
    }
}

/// A scalar: its format, and its bits in the low end with zeros above.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Scalar {
    /// The format.
    pub ty: ScalarType,
    /// The bits.
    pub bits: u64,
}

impl Scalar {
    /// A scalar; bits beyond the width are dropped.
    pub fn new(ty: ScalarType, bits: u64) -> Scalar {
        Scalar { ty, bits: bits & ty.mask() }
    }

    /// An index.
    pub fn index(value: i64) -> Scalar {
        Scalar { ty: ScalarType::Index, bits: value as u64 }
    }

    /// An `f32`.
    pub fn f32(value: f32) -> Scalar {
        Scalar { ty: ScalarType::Float(FloatKind::F32), bits: value.to_bits().into() }
    }

    /// A signless integer of that width.
    pub fn int(value: i64, width: u32) -> Scalar {
        Scalar::new(ScalarType::Int(width), value as u64)
    }

    /// The value as a signed integer (or index).
    pub fn signed(self) -> i64 {
        self.ty.signed(self.bits)
    }

    /// From an integer or float attribute.
    pub fn from_attr(attr: Attr) -> Option<Scalar> {
        match attr.data() {
            AttrData::Integer { value, ty } => {
                Some(Scalar::new(ScalarType::of(*ty)?, *value as u64))
            }
            AttrData::Float { bits, ty } => Some(Scalar::new(ScalarType::of(*ty)?, *bits as u64)),
            _ => None,
        }
    }

    /// As an attribute of the given type, which has this scalar's format.
    pub fn to_attr(self, ty: Type) -> Attr {
        match self.ty {
            ScalarType::Float(_) => Attr::new(AttrData::Float { bits: self.bits.into(), ty }),
            _ => {
                let unsigned = matches!(
                    ty.data(),
                    TypeData::Integer { sign: tegula_schema::Signedness::Unsigned, .. }
                );
                let value =
                    if unsigned { i128::from(self.bits) } else { i128::from(self.signed()) };
                Attr::int(value, ty)
            }
        }
    }
}
