//! The values of the cases of a switch, as one attribute.

use tegula_ir::text::dense_attr;
use tegula_ir::{Attr, AttrData, DenseData, Type};

/// The attribute for the values of the cases, which are of type `ty`; nothing for no cases.
pub fn case_values(ty: Type, values: &[i64]) -> Option<Attr> {
    let width = ty.bit_width().unwrap_or(64).div_ceil(8) as usize;
    let wide = values.iter().map(|&value| i128::from(value).to_le_bytes());
    let bytes: Vec<u8> = wide.flat_map(|bytes| bytes.into_iter().take(width)).collect();
    let shape = Type::vector(&[values.len() as i64], ty);
    (!values.is_empty()).then(|| dense_attr(shape, bytes, false))
}

/// The value of the case number `index`.
pub fn case_value(values: Attr, index: usize) -> Option<i64> {
    let AttrData::Dense { ty, data } = values.data() else { return None };
    let width = ty.element()?.bit_width()?;
    let size = width.div_ceil(8) as usize;
    let bytes: &[u8] = match data {
        DenseData::Splat(one) => one,
        DenseData::Bytes(all) => all.get(index * size..(index + 1) * size)?,
    };
    let mut raw = [0; 8];
    raw.get_mut(..size)?.copy_from_slice(bytes.get(..size)?);
    let unused = 64u32.checked_sub(width)?;
    Some((i64::from_le_bytes(raw) << unused) >> unused)
}
