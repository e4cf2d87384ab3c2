//! Tensors that lie in memory alike.

use tegula_dialect_iree_encoding::encoding::{is_identity, with_encoding};
use tegula_ir::{Body, Registry, Type};
use tegula_rewrite::Bound;

/// Whether tensors of two types have the same bytes, though one names a layout and the other does
/// not.
pub(super) fn same(_: &Registry, _: &Body, bound: &[Bound]) -> bool {
    let plain = |bound: &Bound| -> Option<Type> {
        let ty = bound.attr()?.as_type()?;
        Some(match ty.encoding() {
            Some(encoding) if is_identity(encoding) => with_encoding(ty, None),
            _ => ty,
        })
    };
    matches!(bound, [from, to] if plain(from).is_some() && plain(from) == plain(to))
}
