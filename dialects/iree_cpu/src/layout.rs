//! Packed layouts: what the resolver chooses for an encoded tensor.

use tegula_dialect_iree_encoding::resolver::Request;
use tegula_ir::{Attr, Ident};

/// How a tensor is cut into inner tiles; by default, not at all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PackedLayout {
    /// The tensor dimensions that are tiled, in the order of the inner tile's dimensions.
    pub inner_dims_pos: Vec<i64>,
    /// The sizes of the inner tile.
    pub inner_tile_sizes: Vec<i64>,
    /// The order of the outer dimensions; empty where the tensor stays as it is.
    pub outer_dims_perm: Vec<i64>,
    /// Which sizes of the inner tile are so many times larger as vectors are longer than they are at
    /// least; empty where none may be.
    pub scalable_tiles: Vec<bool>,
}

/// Resolvers that choose packed layouts.
pub(crate) const CPU: &str = "iree_cpu.cpu_encoding_resolver";
pub(crate) const VMVX: &str = "iree_cpu.vmvx_encoding_resolver";

fn ints(attr: Attr, name: &str) -> Option<Vec<i64>> {
    attr.get(name)?.as_array()?.iter().map(|a| a.as_int()).collect()
}

impl PackedLayout {
    /// Reads a resolver attribute that holds a choice.
    pub fn read(attr: Attr) -> Option<PackedLayout> {
        let params = attr.dialect_params(CPU).or_else(|| attr.dialect_params(VMVX));
        let config = *params?.first()?;
        let info = config.get("encoding_info")?;
        Some(PackedLayout {
            inner_dims_pos: ints(info, "innerDimsPos")?,
            inner_tile_sizes: ints(info, "innerTileSizes")?,
            outer_dims_perm: ints(info, "outerDimsPerm")?,
            scalable_tiles: match info.get("scalableTiles") {
                Some(_) => ints(info, "scalableTiles")?.iter().map(|&tile| tile != 0).collect(),
                None => Vec::new(),
            },
        })
    }

    /// The attribute of a resolver that holds this choice.
    pub fn write(&self, request: &Request<'_>) -> Attr {
        let list =
            |values: &[i64]| Attr::array(&values.iter().map(|&v| Attr::i64(v)).collect::<Vec<_>>());
        let flags: Vec<Attr> = self.scalable_tiles.iter().map(|&flag| Attr::bool(flag)).collect();
        let flags = (Ident::of("scalableTiles"), Attr::array(&flags));
        let info = [
            (Ident::of("innerDimsPos"), list(&self.inner_dims_pos)),
            (Ident::of("innerTileSizes"), list(&self.inner_tile_sizes)),
            (Ident::of("outerDimsPerm"), list(&self.outer_dims_perm)),
        ];
        let flags = (!self.scalable_tiles.is_empty()).then_some(flags);
        let info = (Ident::of("encoding_info"), Attr::dict(info.into_iter().chain(flags)));
        match request.resolver.dialect_params(VMVX) {
            Some(_) => {
                let encoding = request.ty.encoding();
                let encoding =
                    encoding.filter(|e| e.dialect_params("iree_encoding.encoding").is_some());
                let encoding = encoding.map(|e| (Ident::of("encoding_attr"), e));
                Attr::dialect(VMVX, &[Attr::dict(encoding.into_iter().chain([info]))])
            }
            None => Attr::dialect(CPU, &[Attr::dict([info])]),
        }
    }

    /// Whether the tensor stays as it is.
    pub fn is_identity(&self) -> bool {
        self.inner_tile_sizes.is_empty()
    }

    /// The shape with every tiled dimension rounded up to its tile; none on overflow or when the
    /// layout does not fit the rank.
    pub fn padded_shape(&self, shape: &[i64]) -> Option<Vec<i64>> {
        let mut padded = shape.to_vec();
        for (&dim, &tile) in self.inner_dims_pos.iter().zip(&self.inner_tile_sizes) {
            let size = padded.get_mut(usize::try_from(dim).ok()?)?;
            let tile = Some(tile).filter(|&t| t > 0)?;
            *size = size.checked_add(tile - 1)? / tile * tile;
        }
        Some(padded)
    }

    /// The shape of the packed tensor: outer dimensions, then the inner tile. None as for
    /// [`PackedLayout::padded_shape`].
    pub fn packed_shape(&self, shape: &[i64]) -> Option<Vec<i64>> {
        let mut outer = self.padded_shape(shape)?;
        for (&dim, &tile) in self.inner_dims_pos.iter().zip(&self.inner_tile_sizes) {
            *outer.get_mut(usize::try_from(dim).ok()?)? /= tile;
        }
        let perm = self.outer_dims_perm.iter();
        let order: Option<Vec<i64>> =
            perm.map(|&d| outer.get(usize::try_from(d).ok()?).copied()).collect();
        let mut packed = if self.outer_dims_perm.is_empty() { outer } else { order? };
        packed.extend(&self.inner_tile_sizes);
        Some(packed)
    }
}
