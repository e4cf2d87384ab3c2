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
    /// Maps that follow that of the operand: the tensor stands where the last takes the operand's
    /// indices.
    pub followed_by: Vec<AffineMap>,
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
        let operand = usize::try_from(operand.as_int()?).ok()?;
        let steps: Vec<Vec<AffineMap>> =
            maps.as_array()?.iter().map(|&map| steps_of(map)).collect::<Option<_>>()?;
        Some(Encoding {
            operand,
            element_types: elements
                .as_array()?
                .iter()
                .map(|e| e.as_type())
                .collect::<Option<_>>()?,
            maps: steps.iter().map(|steps| steps.first().copied()).collect::<Option<_>>()?,
            followed_by: steps.get(operand)?.get(1..)?.to_vec(),
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
        let maps = self.maps.iter().enumerate().map(|(at, &map)| {
            let followed = if at == self.operand { &self.followed_by[..] } else { &[] };
            let steps: Vec<Attr> =
                std::iter::once(&map).chain(followed).map(|&map| Attr::map(map)).collect();
            if followed.is_empty() { Attr::map(map) } else { Attr::array(&steps) }
        });
        let maps: Vec<Attr> = maps.collect();
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

    /// The map from the loops to the encoded tensor.
    pub fn map(&self) -> Option<AffineMap> {
        let own = self.maps.get(self.operand).copied()?;
        Some(self.followed_by.iter().fold(own, |map, next| next.compose(map)))
    }
}

/// The number of results of the last of the maps that take the op's loops to its operand; none of
/// what is no encoding with maps.
pub fn encoded_rank(encoding: Attr) -> Option<usize> {
    let (operand, maps) = operand_maps(encoding)?;
    let own = *maps.get(operand)?;
    let last = own.as_array().map_or(Some(own), |steps| steps.last().copied())?;
    Some(last.as_map()?.results().len())
}

/// The encoding of a tensor whose elements stand where a map takes the indices of the encoded one.
pub fn mapped(encoding: Attr, map: AffineMap) -> Option<Attr> {
    let (operand, maps) = operand_maps(encoding)?;
    let mut params = encoding.dialect_params("iree_encoding.encoding")?.to_vec();
    let mut maps = maps.to_vec();
    let own = *maps.get(operand)?;
    let mut steps = own.as_array().map_or_else(|| vec![own], <[Attr]>::to_vec);
    steps.push(Attr::map(map));
    maps[operand] = Attr::array(&steps);
    *params.get_mut(4)? = Attr::array(&maps);
    Some(Attr::dialect("iree_encoding.encoding", &params))
}

/// Maps that are applied one after the other.
fn steps_of(attr: Attr) -> Option<Vec<AffineMap>> {
    attr.as_map().map(|map| vec![map]).or_else(|| maps_of(attr))
}

/// The operand's number and the maps of all operands.
fn operand_maps(encoding: Attr) -> Option<(usize, &'static [Attr])> {
    let params = encoding.dialect_params("iree_encoding.encoding")?;
    let operand = usize::try_from(params.first()?.as_int()?).ok()?;
    Some((operand, params.get(4)?.as_array()?))
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
