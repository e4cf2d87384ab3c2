//! Encodings of tensor types and the layouts that they resolve to.

use tegula_dialect_iree_cpu::layout::{PackedLayout, storage_bytes};
use tegula_dialect_iree_encoding::encoding::layouts;
use tegula_ir::Type;

/// The bytes that a tensor takes. None on overflow, for encodings that no target resolved, and for
/// elements that are not whole bytes.
pub(crate) fn bytes_of(ty: Type) -> Option<i64> {
    let Some(encoding) = ty.encoding() else { return storage_bytes(ty, None) };
    // All devices that share a tensor must have room for it.
    let all = layouts(encoding)?;
    let sizes = all.iter().map(|&l| storage_bytes(ty, Some(&PackedLayout::read(l)?)));
    sizes.collect::<Option<Vec<i64>>>()?.into_iter().max()
}
