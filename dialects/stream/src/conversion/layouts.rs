//! How tensors lie in memory: the bits of their elements, their bytes, what fills them.

use tegula_dialect_iree_cpu::layout::{PackedLayout, storage_bytes};
use tegula_dialect_iree_encoding::encoding::layouts;
use tegula_ir::{Attr, AttrData, Body, DenseData, Registry, Type, TypeData};
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
        .compute("stream_neighbors", neighbors)
        .compute("stream_stored_contents", stored_contents)
        .predicate("stream_dense", |_, _, args| encoded(args, 0).is_some_and(is_dense))
        .predicate("stream_fills", |_, body, args| {
            let value = args.first().and_then(Bound::value).map(|value| body.ty(value));
            value.zip(encoded(args, 1)).is_some_and(|(value, ty)| fills(value, ty))
        })
        .predicate("stream_sizeable", |_, _, args| {
            encoded(args, 0).is_some_and(|ty| is_dense(ty) || bytes_of(ty).is_some())
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
    let sizes = all.iter().map(|&l| storage_bytes(ty, Some(&PackedLayout::read(l)?)));
    sizes.collect::<Option<Vec<i64>>>()?.into_iter().max()
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
