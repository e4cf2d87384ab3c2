//! The bytes of constant data.

use tegula_ir::{Attr, AttrData, DenseData, Names};

/// The bytes of a value as memory holds it; none when they are not known.
pub(crate) fn bytes(value: Attr, names: &Names) -> Option<Vec<u8>> {
    match value.data() {
        AttrData::String { text, .. } => Some(match std::str::from_utf8(text) {
            Ok(text) => names.resolve(text).into_owned().into_bytes(),
            Err(_) => text.to_vec(),
        }),
        AttrData::Dense { ty, data } => {
            // Elements that are no whole bytes are packed in memory.
            ty.element()?.bit_width().filter(|width| width.is_multiple_of(8))?;
            match data {
                DenseData::Splat(one) => {
                    Some(one.repeat(usize::try_from(ty.num_elements()?).ok()?))
                }
                DenseData::Bytes(all) => Some(all.to_vec()),
            }
        }
        _ => {
            let [size, parts] = value.dialect_params("util.composite")? else { return None };
            let parts = parts.as_array()?.iter().map(|&part| bytes(part, names));
            let all = parts.collect::<Option<Vec<_>>>()?.concat();
            (i64::try_from(all.len()).ok() == size.as_int()).then_some(all)
        }
    }
}
