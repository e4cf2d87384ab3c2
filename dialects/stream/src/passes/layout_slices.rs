//! `iree-stream-layout-slices`: places the slices of `stream.resource.pack` and gives their
//! offsets.
//!
//! Slices of constant size are placed one by one into the smallest gap that their lifetimes leave,
//! the others side by side behind them: two of these share bytes only when they have the same size
//! value and their lifetimes don't meet.

use std::collections::BTreeMap;

use tegula_dialect_util::constants::constant_index;
use tegula_ir::{Attr, Body, InsertPoint, NewOp, OpId, Type, ValueId};
use tegula_pass::{Changed, Failed, PassCx, PassResult};
use tegula_rewrite::{Patterns, Rewriter, create_or_fold};

use super::support::{add_index, index_constant, ops_named};
use crate::config::ResourceConfig;

#[derive(Clone, Copy, Debug)]
struct Slice {
    first: i64,
    last: i64,
    size: ValueId,
    offset: ValueId,
}

impl Slice {
    /// Whether the slices are alive at the same time; both ends of an interval count.
    fn meets(&self, other: &Slice) -> bool {
        self.first <= other.last && other.first <= self.last
    }
}

/// Offsets before one pack: each constant is made once.
struct Constants {
    at: InsertPoint,
    made: BTreeMap<i64, ValueId>,
}

impl Constants {
    fn get(&mut self, rw: &mut Rewriter<'_>, value: i64) -> ValueId {
        *self.made.entry(value).or_insert_with(|| index_constant(rw, self.at, value))
    }
}

/// Runs the pass.
pub(crate) fn run(cx: &mut PassCx<'_>, body: &mut Body, root: OpId) -> PassResult {
    let packs = ops_named(body, root, "stream.resource.pack");
    let changed = Changed::when(!packs.is_empty());
    for pack in packs {
        place(cx, body, pack)?;
    }
    Ok(changed)
}

fn place(cx: &mut PassCx<'_>, body: &mut Body, pack: OpId) -> Result<(), Failed> {
    let registry = cx.registry;
    let config = ResourceConfig::at(body, pack);
    let intervals = body.attr(pack, "lifetime_intervals").and_then(Attr::as_array).unwrap_or(&[]);
    let bounds: Vec<i64> = intervals.iter().filter_map(|a| a.as_int()).collect();
    let sizes = registry.operands_of(body, pack, "dynamic_slice_sizes");
    let offsets = registry.results_of(body, pack, "packed_offsets");
    let (ends, _) = bounds.as_chunks::<2>();
    let slices: Vec<Slice> = (ends.iter().zip(sizes).zip(offsets))
        .map(|((&[first, last], size), offset)| Slice { first, last, size, offset })
        .collect();
    let (fixed, dynamic): (Vec<Slice>, Vec<Slice>) =
        slices.into_iter().partition(|s| constant_index(body, s.size).is_some());

    let base = registry.operand_of(body, pack, "offset");
    let mut rw = cx.rewriter(body);
    let at = InsertPoint::Before(pack);
    let mut constants = Constants { at, made: BTreeMap::new() };
    let mut end = base.unwrap_or_else(|| constants.get(&mut rw, 0));
    if !fixed.is_empty() {
        let Some(next) = place_fixed(&mut rw, &mut constants, end, &fixed, &config) else {
            return Err(cx.error(
                body,
                pack,
                "size-overflow",
                "the slices together are larger than an index can count",
            ));
        };
        end = next;
    }
    if !dynamic.is_empty() {
        let mut place = Placement { rw: &mut rw, patterns: cx.patterns, at };
        end = place.dynamic(end, &dynamic, &config);
    }
    let total = rw.body.result(pack, 0);
    rw.replace_all_uses(total, end);
    rw.erase(pack);
    Ok(())
}

/// Gives each slice its offset from `base` and returns where the next may start; none on overflow.
fn place_fixed(
    rw: &mut Rewriter<'_>,
    constants: &mut Constants,
    base: ValueId,
    slices: &[Slice],
    config: &ResourceConfig,
) -> Option<ValueId> {
    // Slice, offset, size; by ascending offset.
    let mut placed: Vec<(Slice, i64, i64)> = Vec::new();
    let mut high = 0i64;
    for slice in slices {
        let size = align(constant_index(rw.body, slice.size)?, config.range_alignment)?;
        let mut best: Option<(i64, i64)> = None;
        let mut current = 0i64;
        for (other, offset, length) in placed.iter().filter(|(other, ..)| other.meets(slice)) {
            let start = align(current, config.offset_alignment)?;
            let fits = start.checked_add(size)? <= *offset;
            if fits && best.is_none_or(|(_, gap)| offset - start < gap) {
                best = Some((start, offset - current));
            }
            debug_assert!(other.meets(slice));
            current = current.max(offset.checked_add(*length)?);
        }
        let offset = match best {
            Some((offset, _)) => offset,
            None => align(current, config.offset_alignment)?,
        };
        let before = placed.partition_point(|(_, o, _)| *o < offset);
        placed.insert(before, (*slice, offset, size));
        high = high.max(offset.checked_add(size)?);
        let constant = constants.get(rw, offset);
        let value = add_index(rw, constants.at, base, constant);
        rw.replace_all_uses(slice.offset, value);
    }
    let high = constants.get(rw, align(high, config.range_alignment)?);
    Some(add_index(rw, constants.at, base, high))
}

/// Where slices of dynamic sizes are placed.
struct Placement<'a, 'r> {
    rw: &'a mut Rewriter<'r>,
    patterns: &'a Patterns,
    at: InsertPoint,
}

impl Placement<'_, '_> {
    /// Places slices one after the other, those of a size that do not live at the same time at the
    /// same place; gives the end.
    fn dynamic(&mut self, base: ValueId, slices: &[Slice], config: &ResourceConfig) -> ValueId {
        let mut by_size: Vec<(ValueId, Vec<Slice>)> = Vec::new();
        for slice in slices {
            match by_size.iter_mut().find(|(size, _)| *size == slice.size) {
                Some((_, same)) => same.push(*slice),
                None => by_size.push((slice.size, vec![*slice])),
            }
        }
        let mut offset = base;
        for (size, mut same) in by_size {
            let size = self.aligned(size, config.range_alignment);
            same.sort_by_key(|s| (s.first, s.last));
            let mut bins: Vec<(ValueId, Vec<Slice>)> = Vec::new();
            for slice in same {
                let free =
                    bins.iter_mut().find(|(_, inside)| inside.iter().all(|s| !s.meets(&slice)));
                let place = match free {
                    Some((place, inside)) => {
                        inside.push(slice);
                        *place
                    }
                    None => {
                        let place = offset;
                        bins.push((place, vec![slice]));
                        let end = self.sum(offset, size);
                        offset = self.aligned(end, config.offset_alignment);
                        place
                    }
                };
                self.rw.replace_all_uses(slice.offset, place);
            }
        }
        self.aligned(offset, config.range_alignment)
    }

    fn sum(&mut self, a: ValueId, b: ValueId) -> ValueId {
        // Constants stand behind other values.
        let (a, b) = match (constant_index(self.rw.body, a), constant_index(self.rw.body, b)) {
            (Some(_), None) => (b, a),
            _ => (a, b),
        };
        self.folded("arith.addi", a, b)
    }

    fn aligned(&mut self, value: ValueId, alignment: i64) -> ValueId {
        if alignment == 1 {
            return value;
        }
        let alignment = index_constant(self.rw, self.at, alignment);
        self.folded("util.align", value, alignment)
    }

    /// What an op of two numbers gives, without the op where that is known.
    fn folded(&mut self, name: &str, a: ValueId, b: ValueId) -> ValueId {
        self.rw.set_insertion_point(self.at);
        let op = NewOp::new(name).operands([a, b]).result(Type::index());
        create_or_fold(self.rw, self.patterns, op).first().copied().unwrap_or(a)
    }
}

fn align(value: i64, alignment: i64) -> Option<i64> {
    Some(value.checked_add(alignment - 1)? / alignment * alignment)
}
