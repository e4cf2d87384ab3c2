//! `#iree_encoding.encoding` and `#iree_encoding.layout` as Rust values.

use tegula_ir::{AffineMap, Attr, DYNAMIC, Type, TypeData};

use crate::contraction::{ContractionDims, maps_of};

/// What a contraction's operand is encoded for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Encoding {
    /// The operand's number: both sides, then the result.
    pub operand: usize,
    /// The element types of all operands.
    pub element_types: Vec<Type>,
    /// The indexing maps of all operands.
    pub maps: Vec<AffineMap>,
    /// The sizes of the loops, [`DYNAMIC`] where unknown; empty when none are given.
    pub sizes: Vec<i64>,
}

impl Encoding {
    /// Reads the attribute; none for other attributes and for ops other than `matmul`.
    pub fn read(attr: Attr) -> Option<Encoding> {
        let &[operand, kind, elements, _, maps, sizes] =
            attr.dialect_params("iree_encoding.encoding")?
        else {
            return None;
        };
        if kind.as_str() != Some("matmul") {
            return None;
        }
        let sizes = sizes.as_array().unwrap_or(&[]);
        Some(Encoding {
            operand: usize::try_from(operand.as_int()?).ok()?,
            element_types: elements
                .as_array()?
                .iter()
                .map(|e| e.as_type())
                .collect::<Option<_>>()?,
            maps: maps_of(maps)?,
            sizes: sizes.iter().map(|s| s.as_int()).collect::<Option<_>>()?,
        })
    }

    /// The attribute.
    pub fn write(&self) -> Attr {
        self.write_for("matmul")
    }

    /// The attribute for an op of another kind.
    pub fn write_for(&self, op_type: &str) -> Attr {
        let elements: Vec<Attr> = self.element_types.iter().map(|&ty| Attr::ty(ty)).collect();
        let maps: Vec<Attr> = self.maps.iter().map(|&map| Attr::map(map)).collect();
        let sizes: Vec<Attr> = self.sizes.iter().map(|&size| Attr::i64(size)).collect();
        Attr::dialect(
            "iree_encoding.encoding",
            &[
                Attr::index(i64::try_from(self.operand).unwrap_or(i64::MAX)),
                Attr::string(op_type),
                Attr::array(&elements),
                Attr::absent(),
                Attr::array(&maps),
                if sizes.is_empty() { Attr::absent() } else { Attr::array(&sizes) },
            ],
        )
    }

    /// The loops of the contraction; none when the maps are not those of one.
    pub fn dims(&self) -> Option<ContractionDims> {
        ContractionDims::infer(&self.maps)
    }

    /// The size of a loop kind: the only one of it, 1 when there is none.
    pub fn size_of(&self, dims: &[u32]) -> Option<i64> {
        match dims {
            [] => Some(1),
            &[dim] => self.sizes.get(dim as usize).copied(),
            _ => None,
        }
    }

    /// The indexing map of the encoded operand.
    pub fn map(&self) -> Option<AffineMap> {
        self.maps.get(self.operand).copied()
    }
}

/// The layouts in `#iree_encoding.layout<[…]>`.
pub fn layouts(attr: Attr) -> Option<&'static [Attr]> {
    attr.dialect_params("iree_encoding.layout")?.first()?.as_array()
}

/// `#iree_encoding.layout<[…]>`
pub fn layout_attr(layouts: &[Attr]) -> Attr {
    Attr::dialect("iree_encoding.layout", &[Attr::array(layouts)])
}

/// Whether a tensor with this encoding lies in memory as one without.
pub fn is_identity(encoding: Attr) -> bool {
    let none = |padding: &[Attr]| {
        let sizes = padding.first().and_then(|sizes| sizes.as_array()).unwrap_or(&[]);
        sizes.iter().all(|size| size.as_int() == Some(0))
    };
    encoding.dialect_params("iree_encoding.identity").is_some()
        || encoding.dialect_params("iree_encoding.padding").is_some_and(none)
}

/// A ranked tensor type with another encoding; other types as they are.
pub fn with_encoding(ty: Type, encoding: Option<Attr>) -> Type {
    match ty.data() {
        TypeData::RankedTensor { shape, element, .. } => Type::tensor(shape, *element, encoding),
        _ => ty,
    }
}

/// The smallest power of two that is not below a size; [`DYNAMIC`] stays.
pub fn power_of_two_ceil(size: i64) -> i64 {
    match u64::try_from(size) {
        Ok(size) => i64::try_from(size.max(1).next_power_of_two()).unwrap_or(i64::MAX),
        Err(_) => DYNAMIC,
    }
}
