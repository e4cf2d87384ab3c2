//! How tensors lie in memory: the bits of their elements, their bytes, what fills them.

use tegula_dialect_iree_cpu::layout::PackedLayout;
use tegula_dialect_iree_encoding::encoding::{layout_attr, layouts, with_encoding};
use tegula_ir::{Attr, AttrData, Body, DYNAMIC, DenseData, Ident, Registry, Type, TypeData};
use tegula_rewrite::{Bound, RewriteHooks};

/// The hooks that the patterns in `encode.td` name.
pub(crate) fn rewrites(hooks: RewriteHooks) -> RewriteHooks {
    hooks
        .compute("stream_element_bits", |_, _, args| {
            Some(Bound::Attr(Attr::index(element_bits(args.first()?.ty()?)?)))
        })
        .compute("stream_known_bytes", |_, _, args| {
            Some(Bound::Attr(Attr::index(bytes_of(args.first()?.ty()?)?)))
        })
        .compute("stream_layouts", |_, _, args| {
            Some(Bound::Attr(padded_layouts(args.first()?.ty()?)?))
        })
        .compute("stream_neighbors", neighbors)
        .compute("stream_stored_contents", stored_contents)
        .predicate("stream_dense", |_, _, args| encoded(args, 0).is_some_and(is_dense))
        .predicate("stream_fills", |_, body, args| {
            let value = args.first().and_then(Bound::value).map(|value| body.ty(value));
            value.zip(encoded(args, 1)).is_some_and(|(value, ty)| fills(value, ty))
        })
        .predicate("stream_sizeable", |_, _, args| {
            encoded(args, 0).is_some_and(|ty| {
                is_dense(ty) || bytes_of(ty).is_some() || padded_layouts(ty).is_some()
            })
        })
}

/// The tensor type in an attribute.
fn encoded(args: &[Bound], index: usize) -> Option<Type> {
    args.get(index)?.attr()?.as_type()
}

/// Whether the encoding of a tensor only packs its elements.
fn is_packed(ty: Type) -> bool {
    ty.encoding().is_some_and(|encoding| match encoding.data() {
        AttrData::Dialect { name, .. } => name.as_str() == "iree_encoding.packed_storage",
        _ => false,
    })
}

/// Whether the elements of a tensor lie in row-major order, one behind the other.
fn is_dense(ty: Type) -> bool {
    (ty.encoding().is_none() || is_packed(ty)) && element_bits(ty).is_some()
}

/// The bits of a scalar.
fn scalar_bits(ty: Type) -> Option<u32> {
    match ty.data() {
        TypeData::Index => Some(64),
        TypeData::Complex(element) => scalar_bits(*element)?.checked_mul(2),
        _ => ty.bit_width(),
    }
}

/// The bits that an element of a tensor takes: those that divide a byte share one, truth values only
/// where the encoding says so, and all others take a power of two of bytes.
pub(crate) fn element_bits(ty: Type) -> Option<i64> {
    let bits = scalar_bits(ty.element()?)?;
    let shares = bits < 8 && bits.is_power_of_two() && (bits != 1 || is_packed(ty));
    let stored = if shares { bits } else { bits.div_ceil(8).next_power_of_two().checked_mul(8)? };
    Some(i64::from(stored))
}

/// The bytes that a tensor takes. None on overflow, for encodings that no target resolved, and where
/// elements that share bytes leave one unfinished that nothing asks to fill up.
pub(crate) fn bytes_of(ty: Type) -> Option<i64> {
    let encoding = ty.encoding().filter(|_| !is_packed(ty));
    let Some(encoding) = encoding else {
        let shape = ty.shape().filter(|_| ty.has_static_shape())?;
        let count = shape.iter().try_fold(1i64, |count, &size| count.checked_mul(size))?;
        let bits = count.checked_mul(element_bits(ty)?)?;
        let whole = bits % 8 == 0;
        return (whole || is_packed(ty)).then_some(bits / 8 + i64::from(!whole));
    };
    // All devices that share a tensor must have room for it.
    let all = layouts(encoding)?;
    let sizes = all.iter().map(|&layout| {
        let shape =
            Layout::of(ty, layout)?.padded(ty.shape().filter(|_| ty.has_static_shape())?)?;
        let bytes = element_bits(ty)?.checked_div(8).filter(|&bytes| bytes > 0)?;
        shape.into_iter().try_fold(bytes, i64::checked_mul)
    });
    sizes.collect::<Option<Vec<i64>>>()?.into_iter().max()
}

/// How a layout pads the dimensions of a tensor.
struct Layout {
    /// They are rounded up to whole tiles; else elements follow them.
    tiled: bool,
    /// Dimensions and numbers.
    steps: Vec<(usize, i64)>,
}

impl Layout {
    fn of(ty: Type, layout: Attr) -> Option<Layout> {
        let rank = ty.shape()?.len();
        if layout.dialect_params("iree_encoding.identity").is_some() {
            return Some(Layout { tiled: false, steps: Vec::new() });
        }
        if let Some(padding) = layout.dialect_params("iree_encoding.padding") {
            let sizes = padding.first()?.as_array()?.iter();
            let sizes = sizes.map(|size| size.as_int().filter(|&size| size >= 0));
            let sizes: Vec<i64> = sizes.collect::<Option<_>>()?;
            let steps = sizes.iter().copied().enumerate().filter(|(_, size)| *size != 0);
            return (sizes.len() == rank).then(|| Layout { tiled: false, steps: steps.collect() });
        }
        let packed = PackedLayout::read(layout).filter(|_| scalable(layout).is_none())?;
        let dims = packed.inner_dims_pos.iter().map(|&dim| usize::try_from(dim).ok());
        let steps = dims.zip(packed.inner_tile_sizes).filter(|(_, tile)| *tile != 1);
        let steps: Vec<(usize, i64)> =
            steps.map(|(dim, tile)| Some((dim?, tile))).collect::<Option<_>>()?;
        let known = steps.iter().all(|&(dim, tile)| dim < rank && tile > 0);
        known.then_some(Layout { tiled: true, steps })
    }

    /// The static sizes with their padding; dynamic ones stay.
    fn padded(&self, shape: &[i64]) -> Option<Vec<i64>> {
        let mut padded = shape.to_vec();
        for &(dim, by) in &self.steps {
            let size = padded.get_mut(dim).filter(|size| **size != DYNAMIC);
            let Some(size) = size else { continue };
            *size = match self.tiled {
                true => size.checked_add(by - 1)? / by * by,
                false => size.checked_add(by)?,
            };
        }
        Some(padded)
    }
}

/// The layouts of a tensor as `Stream_BytesInAny` takes them.
fn padded_layouts(ty: Type) -> Option<Attr> {
    let shape = ty.shape()?;
    let bytes = element_bits(ty)?.checked_div(8).filter(|&bytes| bytes > 0)?;
    let dynamic = |dim: usize| shape.iter().take(dim).filter(|&&size| size == DYNAMIC).count();
    let number = |n: usize| i64::try_from(n).ok().map(Attr::i64);
    let all = layouts(ty.encoding()?)?.iter().map(|&layout| {
        let layout = Layout::of(ty, layout)?;
        let known = layout.padded(shape)?.into_iter().filter(|&size| size != DYNAMIC);
        let known = known.into_iter().try_fold(bytes, i64::checked_mul)?;
        let steps = layout.steps.iter().filter(|(dim, _)| shape[*dim] == DYNAMIC);
        let steps: Vec<&(usize, i64)> = steps.collect();
        let dims = (0..shape.len()).filter(|&dim| shape[dim] == DYNAMIC);
        let which = dims.map(|dim| match steps.iter().position(|(other, _)| *other == dim) {
            Some(step) => number(step),
            None => Some(Attr::i64(-1)),
        });
        let which: Vec<Attr> = which.collect::<Option<_>>()?;
        let steps = steps
            .iter()
            .map(|&&(dim, by)| Some(Attr::array(&[number(dynamic(dim))?, Attr::i64(by)])));
        let steps: Vec<Attr> = steps.collect::<Option<_>>()?;
        let tiled = Attr::i64(i64::from(layout.tiled));
        Some(Attr::array(&[Attr::index(known), tiled, Attr::array(&steps), Attr::array(&which)]))
    });
    let all: Vec<Attr> = all.collect::<Option<_>>()?;
    (!all.is_empty()).then(|| Attr::array(&all))
}

/// What a layout says of its tiles, and which of them depend on the length of vectors; none where
/// none does.
fn scalable(layout: Attr) -> Option<(Attr, &'static [Attr])> {
    let AttrData::Dialect { params, .. } = layout.data() else { return None };
    let info = params.first()?.get("encoding_info")?;
    let scalable = info.get("scalableTiles")?.as_array()?;
    scalable.iter().any(|tile| tile.as_int() != Some(0)).then_some((info, scalable))
}

/// The type with tiles in its layouts that are as large as they are when vectors are so many times
/// as long as they are at least; none where no tile depends on that.
pub(crate) fn of_vector_length(ty: Type, scale: i64) -> Option<Type> {
    let all = layouts(ty.encoding()?)?;
    if all.iter().all(|&layout| scalable(layout).is_none()) {
        return None;
    }
    let scaled = all.iter().map(|&layout| {
        let Some((info, scalable)) = scalable(layout) else { return Some(layout) };
        let AttrData::Dialect { name, params } = layout.data() else { return None };
        let tiles = info.get("innerTileSizes")?.as_array()?.iter().zip(scalable);
        let tiles = tiles.map(|(tile, scalable)| {
            let factor = if scalable.as_int() == Some(0) { 1 } else { scale };
            Some(Attr::i64(tile.as_int()?.checked_mul(factor)?))
        });
        let tiles: Vec<Attr> = tiles.collect::<Option<_>>()?;
        let info = replaced(info, "scalableTiles", None)?;
        let info = replaced(info, "innerTileSizes", Some(Attr::array(&tiles)))?;
        let (config, rest) = params.split_first()?;
        let config = replaced(*config, "encoding_info", Some(info))?;
        let params: Vec<Attr> = std::iter::once(config).chain(rest.iter().copied()).collect();
        Some(Attr::dialect(name.as_str(), &params))
    });
    let scaled: Vec<Attr> = scaled.collect::<Option<_>>()?;
    Some(with_encoding(ty, Some(layout_attr(&scaled))))
}

/// A dictionary with another value under a name, or without it.
fn replaced(dict: Attr, name: &str, value: Option<Attr>) -> Option<Attr> {
    let entries = dict.as_dict()?.iter().copied().filter(|(other, _)| other.as_str() != name);
    Some(Attr::dict(entries.chain(value.map(|value| (Ident::of(name), value)))))
}

/// Whether a value of that type can fill a tensor: whole bytes, or parts of one.
pub(crate) fn fills(value: Type, tensor: Type) -> bool {
    let scalar =
        matches!(value.data(), TypeData::Integer { .. } | TypeData::Float { .. } | TypeData::Index);
    let bits = scalar.then(|| scalar_bits(value)).flatten();
    bits.is_some_and(|bits| {
        matches!(bits, 1 | 8 | 16 | 32 | 64) || element_bits(tensor) == Some(i64::from(bits))
    })
}

/// One number for each further element that lies in the byte of a first.
fn neighbors(_: &Registry, _: &Body, args: &[Bound]) -> Option<Bound> {
    let bits = element_bits(args.first()?.ty()?)?;
    let numbers: Vec<Attr> = (1..8 / bits).map(Attr::index).collect();
    Some(Bound::Attr(Attr::array(&numbers)))
}

/// The contents of a constant as they are stored: integers in the bits that they take.
fn stored_contents(_: &Registry, _: &Body, args: &[Bound]) -> Option<Bound> {
    let value = args.first()?.attr()?;
    Some(Bound::Attr(widened(value).unwrap_or(value)))
}

/// A dense attribute with its integers in more bits; none where they have enough.
fn widened(value: Attr) -> Option<Attr> {
    let AttrData::Dense { ty, data } = value.data() else { return None };
    let TypeData::Integer { width, .. } = ty.element()?.data() else { return None };
    let stored = u32::try_from(element_bits(*ty)?).ok()?;
    if stored <= *width {
        return None;
    }
    let (from, to) = (width.div_ceil(8) as usize, stored as usize / 8);
    let last = 0xffu8 >> (from * 8 - *width as usize);
    let widen = |bytes: &[u8]| -> Vec<u8> {
        let mut wide = Vec::with_capacity(bytes.len() / from * to);
        for element in bytes.chunks(from) {
            let masked = element.iter().enumerate();
            wide.extend(masked.map(|(at, &b)| if at + 1 == from { b & last } else { b }));
            wide.extend(std::iter::repeat_n(0, to - from));
        }
        wide
    };
    let data = match data {
        DenseData::Splat(bytes) => DenseData::Splat(widen(bytes).into()),
        DenseData::Bytes(bytes) => DenseData::Bytes(widen(bytes).into()),
    };
    Some(Attr::new(AttrData::Dense { ty: ty.with_element(Type::int(stored)), data }))
}
