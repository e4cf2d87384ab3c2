//! The cases of a switch: their values as one attribute, and how they are printed.

use tegula_ir::text::{OpPrinter, dense_attr};
use tegula_ir::{Attr, AttrData, BlockId, DenseData, OpId, Type, ValueId};

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

/// Values part by part.
pub fn parts<'v>(
    mut values: &'v [ValueId],
    sizes: &'v [i64],
) -> impl Iterator<Item = &'v [ValueId]> {
    sizes.iter().map(move |&size| {
        let (these, others) = values.split_at((size as usize).min(values.len()));
        values = others;
        these
    })
}

/// Prints the cases of a switch that has `case_values` and `case_operand_segments`, each on a line
/// of its own, with commas between them; one before the first, too, where something precedes it.
pub fn print_cases(
    p: &mut OpPrinter<'_>,
    op: OpId,
    blocks: &[BlockId],
    operands: &[ValueId],
    precedes: bool,
) {
    let body = p.body();
    let values = body.attr(op, "case_values");
    let sizes = body.attr(op, "case_operand_segments").and_then(Attr::as_dense_array);
    let operands = parts(operands, sizes.unwrap_or(&[]));
    for (index, (&block, these)) in blocks.iter().zip(operands).enumerate() {
        p.write(if precedes || index > 0 { "," } else { "" });
        p.newline();
        p.display(values.and_then(|values| case_value(values, index)).unwrap_or(0));
        p.write(": ");
        p.successor_with_operands(block, these);
    }
}
