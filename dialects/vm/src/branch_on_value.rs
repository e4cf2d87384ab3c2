//! Branches on a value: `cf.switch` names values, `vm.br_table` has a target for each from 0 on.

use std::collections::BTreeMap;

use tegula_ir::{
    Attr, AttrData, BlockId, Body, DenseData, InsertPoint, NewOp, OpId, Registry, Type, ValueId,
};
use tegula_rewrite::{Bound, Rewriter};

/// The longest table: what lies between two cases takes room, too.
const LONGEST: i64 = 1 << 16;

/// Whether the values that a switch names are not negative and lie close to each other.
pub(crate) fn fits(_: &Registry, body: &Body, switch: &[Bound]) -> bool {
    let Some(values) = switch.first().and_then(Bound::op).and_then(|op| values(body, op)) else {
        return false;
    };
    match (values.iter().min(), values.iter().max()) {
        (Some(&least), Some(&greatest)) => {
            least >= 0 && greatest <= i64::from(i32::MAX) && greatest - least < LONGEST
        }
        _ => true,
    }
}

/// The values that a switch names.
fn values(body: &Body, switch: OpId) -> Option<Vec<i64>> {
    let Some(attr) = body.attr(switch, "case_values") else { return Some(Vec::new()) };
    let AttrData::Dense { ty, data } = attr.data() else { return None };
    let width = ty.element()?.bit_width()?;
    let size = usize::try_from(width.div_ceil(8)).ok()?;
    let unused = 64u32.checked_sub(width)?;
    let read = |bytes: &[u8]| {
        let mut raw = [0; 8];
        raw.get_mut(..bytes.len())?.copy_from_slice(bytes);
        Some((i64::from_le_bytes(raw) << unused) >> unused)
    };
    match data {
        DenseData::Splat(one) => {
            let count = usize::try_from(ty.num_elements()?).ok()?;
            Some(vec![read(one.get(..size)?)?; count])
        }
        DenseData::Bytes(all) => all.chunks_exact(size).map(read).collect(),
    }
}

/// Makes the table for a switch: `(value, default operands, case operands, switch)`. Indices that
/// no case names go to the default block, and so do values that are too wide for an index.
pub(crate) fn build(rw: &mut Rewriter<'_>, args: &[Bound]) -> Bound {
    let [index, default, cases, switch] = args else { return Bound::Absent };
    let (Some(mut index), Some(switch)) = (index.value(), switch.op()) else {
        return Bound::Absent;
    };
    let Some((&elsewhere, blocks)) = rw.body.successors(switch).split_first() else {
        return Bound::Absent;
    };
    let blocks = blocks.to_vec();
    let values = values(rw.body, switch).unwrap_or_default();
    let least = values.iter().copied().min().unwrap_or(0);
    let counts = rw.body.attr(switch, "case_operand_segments").and_then(Attr::as_dense_array);
    let mut rest = cases.values();
    let mut targets: BTreeMap<i64, (BlockId, &[ValueId])> = BTreeMap::new();
    for ((value, block), &count) in values.into_iter().zip(blocks).zip(counts.unwrap_or(&[])) {
        let (these, others) = rest.split_at(usize::try_from(count).unwrap_or(0).min(rest.len()));
        rest = others;
        targets.insert(value - least, (block, these));
    }
    let Some(last) = targets.keys().last().copied() else {
        let go = NewOp::new("vm.br").operands(default.values().iter().copied());
        return Bound::Op(rw.create(go.successor(elsewhere)));
    };
    let i32 = Type::int(32);
    let value = index;
    if rw.body.ty(value) != i32 {
        let narrow = NewOp::new("vm.trunc.i64.i32").operand(value).result(i32);
        index = rw.create_value(narrow);
    }
    if least > 0 {
        let least = i32::try_from(least).unwrap_or(i32::MAX);
        let least = NewOp::new("vm.const.i32").attr("value", Attr::i32(least)).result(i32);
        let least = rw.create_value(least);
        index = rw.create_value(NewOp::new("vm.sub.i32").operands([index, least]).result(i32));
    }
    if rw.body.ty(value) != i32 {
        table_apart(rw, value, (elsewhere, default.values()), switch);
    }
    let mut table = NewOp::new("vm.br_table").operand(index).successor(elsewhere);
    table = table.operands(default.values().iter().copied());
    let mut counts = Vec::new();
    for value in 0..=last {
        let (block, operands) =
            targets.get(&value).copied().unwrap_or((elsewhere, default.values()));
        counts.push(i32::try_from(operands.len()).unwrap_or(i32::MAX));
        table = table.operands(operands.iter().copied()).successor(block);
    }
    let total = counts.iter().sum();
    let defaults = i32::try_from(default.values().len()).unwrap_or(i32::MAX);
    table = table
        .attr("case_operand_segments", Attr::i32_array(&counts))
        .attr("operandSegmentSizes", Attr::i32_array(&[1, defaults, total]));
    Bound::Op(rw.create(table))
}

/// Goes on in a block of its own, which is reached with values that fit an index; others branch to
/// `elsewhere`. The insertion point is there from then on.
fn table_apart(
    rw: &mut Rewriter<'_>,
    value: ValueId,
    (elsewhere, operands): (BlockId, &[ValueId]),
    switch: OpId,
) {
    let block = rw.body.parent_block(switch);
    let Some(region) = block.and_then(|block| rw.body.block_parent(block)) else { return };
    let limit = NewOp::new("vm.const.i64").attr("value", Attr::i64(i64::from(u32::MAX) + 1));
    let limit = rw.create_value(limit.result(Type::int(64)));
    let fits = NewOp::new("vm.cmp.lt.i64.u").operands([value, limit]).result(Type::int(32));
    let fits = rw.create_value(fits);
    let table = rw.append_block(region, &[]);
    let others = i32::try_from(operands.len()).unwrap_or(i32::MAX);
    let branch = NewOp::new("vm.cond_br")
        .operand(fits)
        .operands(operands.iter().copied())
        .attr("operandSegmentSizes", Attr::i32_array(&[1, 0, others]))
        .successor(table)
        .successor(elsewhere);
    rw.create(branch);
    rw.set_insertion_point(InsertPoint::End(table));
}
