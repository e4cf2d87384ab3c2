//! Fill patterns, which are bytes whatever their type.

use tegula_ir::{Attr, AttrData, Body, Registry, Type};
use tegula_rewrite::Bound;

/// The shortest integer, of at least a byte, whose repetition is the constant; none when that is the
/// constant itself.
pub(super) fn narrow(_: &Registry, _: &Body, bound: &[Bound]) -> Option<Bound> {
    let value = bound.first()?.attr()?;
    let (bits, width) = match value.data() {
        AttrData::Integer { value, ty } => (*value as u128, ty.bit_width()?),
        AttrData::Float { bits, ty } => (*bits, ty.bit_width()?),
        _ => return None,
    };
    if !matches!(width, 16 | 32 | 64) {
        return None;
    }
    let part = |width: u32, index: u32| (bits >> (index * width)) & ((1 << width) - 1);
    let repeats = |short: u32| (1..width / short).all(|index| part(short, index) == part(short, 0));
    let short = [8, 16, 32].into_iter().find(|&short| short < width && repeats(short))?;
    let unsigned = part(short, 0) as i128;
    let signed = if unsigned >> (short - 1) == 1 { unsigned - (1 << short) } else { unsigned };
    Some(Bound::Attr(Attr::int(signed, Type::int(short))))
}
