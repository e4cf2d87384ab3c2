//! Turning the async ops of a region into commands on its memory.

use tegula_dialect_util::constants::constant_index;
use tegula_ir::{Attr, BlockId, Body, InsertPoint, NewOp, OpId, ValueId};
use tegula_rewrite::Rewriter;

use super::schedule_allocation::{Memory, Range, Refused};
use super::support::{add_index, is_resource, size_of, tied_operands};

/// A dispatch reads the range.
pub(crate) const READ: &str = "ro";
/// A dispatch writes the range.
pub(crate) const WRITE: &str = "wo";
/// A dispatch reads and writes the range.
pub(crate) const READ_WRITE: &str = "rw";

/// The attribute of an access, whose bits are read (1) and write (2).
pub(crate) fn access_attr(access: &str) -> Attr {
    let bits = match access {
        READ => 1,
        WRITE => 2,
        _ => 3,
    };
    Attr::i32(bits)
}

/// The bit of an access that says that the range is written.
pub(crate) const WRITES: i64 = 2;

/// Replaces all async ops of the block, and of concurrent regions in it, by commands.
pub(crate) fn issue(
    rw: &mut Rewriter<'_>,
    block: BlockId,
    memory: &mut Memory,
) -> Result<(), Refused> {
    // Users come after what they use, so that erasing goes from the end.
    let ops: Vec<OpId> = rw.body.block_ops(block).collect();
    for &op in ops.iter().rev() {
        if rw.body.is(op, "stream.yield") {
            rw.insert(InsertPoint::Before(op), rw.registry.new_op("stream.yield").build());
            rw.erase(op);
        } else if rw.body.is(op, "stream.async.concurrent") {
            concurrent(rw, op, memory)?;
        } else if rw.body.name(op).as_str().starts_with("stream.async.") {
            command(rw, op, memory)?;
            rw.erase(op);
        } else if rw.body.is(op, "stream.resource.subview") {
            rw.erase(op);
        }
    }
    Ok(())
}

fn concurrent(rw: &mut Rewriter<'_>, op: OpId, memory: &mut Memory) -> Result<(), Refused> {
    let empty = Refused { op, why: "the region is empty" };
    let inner = rw.body.region_entry(op, 0).ok_or(empty)?;
    issue(rw, inner, memory)?;
    let group = rw.insert(InsertPoint::Before(op), NewOp::new("stream.cmd.concurrent").regions(1));
    if let (Some(from), Some(to)) = (rw.body.region(op, 0), rw.body.region(group, 0)) {
        rw.take_region(from, to);
    }
    for index in (0..rw.body.block_args(inner).len()).rev() {
        rw.remove_block_arg(inner, index);
    }
    rw.erase(op);
    Ok(())
}

fn range_of(memory: &Memory, op: OpId, value: ValueId) -> Result<Range, Refused> {
    memory.range(value).ok_or(Refused { op, why: "a resource of this op has no memory" })
}

fn command(rw: &mut Rewriter<'_>, op: OpId, memory: &Memory) -> Result<(), Refused> {
    match rw.body.name(op).as_str() {
        "stream.async.dispatch" => dispatch(rw, op, memory),
        "stream.async.call" => call(rw, op, memory),
        "stream.async.collective" => collective(rw, op, memory),
        "stream.async.alloca" => Ok(()),
        "stream.async.splat" => {
            let target = rw.body.result(op, 0);
            let offset = memory.zero;
            let length = named(rw.body, rw, op, "result_size")?;
            fill(rw, op, memory, target, offset, length)
        }
        "stream.async.fill" => {
            let target = rw.body.result(op, 0);
            let offset = named(rw.body, rw, op, "target_offset")?;
            let length = named(rw.body, rw, op, "target_length")?;
            fill(rw, op, memory, target, offset, length)
        }
        "stream.async.clone" | "stream.async.transfer" => {
            let length = named(rw.body, rw, op, "result_size")?;
            copy(
                rw,
                op,
                memory,
                (named(rw.body, rw, op, "source")?, memory.zero),
                memory.zero,
                length,
            )
        }
        "stream.async.slice" => {
            let offset = named(rw.body, rw, op, "source_offset")?;
            let length = named(rw.body, rw, op, "result_size")?;
            copy(rw, op, memory, (named(rw.body, rw, op, "source")?, offset), memory.zero, length)
        }
        "stream.async.update" => {
            let update = named(rw.body, rw, op, "update")?;
            let offset = named(rw.body, rw, op, "target_offset")?;
            let length = named(rw.body, rw, op, "update_size")?;
            copy(rw, op, memory, (update, memory.zero), offset, length)
        }
        "stream.async.copy" => {
            let source = named(rw.body, rw, op, "source")?;
            let from = named(rw.body, rw, op, "source_offset")?;
            let offset = named(rw.body, rw, op, "target_offset")?;
            let length = named(rw.body, rw, op, "length")?;
            copy(rw, op, memory, (source, from), offset, length)
        }
        _ => Err(Refused { op, why: "this op can't be turned into commands on memory" }),
    }
}

fn named(body: &Body, rw: &Rewriter<'_>, op: OpId, group: &str) -> Result<ValueId, Refused> {
    let missing = Refused { op, why: "an operand of this op is missing" };
    rw.registry.operand_of(body, op, group).ok_or(missing)
}

fn fill(
    rw: &mut Rewriter<'_>,
    op: OpId,
    memory: &Memory,
    target: ValueId,
    offset: ValueId,
    length: ValueId,
) -> Result<(), Refused> {
    let range = range_of(memory, op, target)?;
    let value = named(rw.body, rw, op, "value")?;
    let at = InsertPoint::Before(op);
    let offset = within(rw, at, range.offset, offset);
    let new = rw.registry.new_op("stream.cmd.fill");
    let new = new
        .operands("target", [range.resource])
        .operands("target_size", [range.size])
        .operands("target_offset", [offset])
        .operands("target_length", [length])
        .operands("value", [value])
        .build();
    rw.insert(at, new);
    Ok(())
}

fn copy(
    rw: &mut Rewriter<'_>,
    op: OpId,
    memory: &Memory,
    (source, source_offset): (ValueId, ValueId),
    target_offset: ValueId,
    length: ValueId,
) -> Result<(), Refused> {
    let from = range_of(memory, op, source)?;
    let to = range_of(memory, op, rw.body.result(op, 0))?;
    let at = InsertPoint::Before(op);
    let source_offset = within(rw, at, from.offset, source_offset);
    let target_offset = within(rw, at, to.offset, target_offset);
    let new = rw.registry.new_op("stream.cmd.copy");
    let new = new
        .operands("source", [from.resource])
        .operands("source_size", [from.size])
        .operands("source_offset", [source_offset])
        .operands("target", [to.resource])
        .operands("target_size", [to.size])
        .operands("target_offset", [target_offset])
        .operands("length", [length])
        .build();
    rw.insert(at, new);
    Ok(())
}

/// An offset within a range as one into the resource. Where the range begins the resource, it is the
/// offset itself.
fn within(rw: &mut Rewriter<'_>, at: InsertPoint, start: ValueId, offset: ValueId) -> ValueId {
    match constant_index(rw.body, start) {
        Some(0) => offset,
        _ => add_index(rw, at, start, offset),
    }
}

/// The operands of device code or of a function as they are on memory.
#[derive(Default)]
struct Used {
    /// What is passed by value.
    values: Vec<ValueId>,
    /// All operands, resources in their place and those that are made behind them.
    all: Vec<ValueId>,
    resources: Vec<ValueId>,
    sizes: Vec<ValueId>,
    offsets: Vec<ValueId>,
    lengths: Vec<ValueId>,
    accesses: Vec<Attr>,
}

impl Used {
    fn range(&mut self, range: Range, offset: ValueId, length: ValueId, access: &str) {
        self.all.push(range.resource);
        self.resources.push(range.resource);
        self.sizes.push(range.size);
        self.offsets.push(offset);
        self.lengths.push(length);
        self.accesses.push(access_attr(access));
    }
}

/// What an op uses of the resources that it takes, and of those that it makes.
fn used(rw: &mut Rewriter<'_>, op: OpId, memory: &Memory) -> Result<Used, Refused> {
    let registry = rw.registry;
    let at = InsertPoint::Before(op);
    let mut used = Used::default();
    let ties = tied_operands(registry, rw.body, op);
    let first = registry.operand_range(rw.body, op, "resource_operands").map_or(0, |r| r.start);
    let range_offsets = registry.operands_of(rw.body, op, "resource_operand_offsets");
    let range_lengths = registry.operands_of(rw.body, op, "resource_operand_lengths");
    let mut ranges = range_offsets.into_iter().zip(range_lengths);
    let operands = registry.operands_of(rw.body, op, "resource_operands");
    for (index, operand) in operands.into_iter().enumerate() {
        if !is_resource(rw.body, operand) {
            used.values.push(operand);
            used.all.push(operand);
            continue;
        }
        let missing = Refused { op, why: "a resource of this op has no range" };
        let (offset, length) = ranges.next().ok_or(missing)?;
        let range = range_of(memory, op, operand)?;
        let tied = ties.contains(&Some(first + index));
        let offset = within(rw, at, range.offset, offset);
        used.range(range, offset, length, if tied { READ_WRITE } else { READ });
    }
    let results: Vec<ValueId> = rw.body.results(op).collect();
    for (result, tie) in results.into_iter().zip(&ties) {
        if tie.is_some() {
            continue;
        }
        let range = range_of(memory, op, result)?;
        let unknown = Refused { op, why: "the size of a result is not known" };
        let length = size_of(registry, rw.body, result).ok_or(unknown)?;
        used.range(range, range.offset, length, WRITE);
    }
    Ok(used)
}

fn dispatch(rw: &mut Rewriter<'_>, op: OpId, memory: &Memory) -> Result<(), Refused> {
    let used = used(rw, op, memory)?;
    let workload = rw.registry.operands_of(rw.body, op, "workload");
    let new = rw.registry.new_op("stream.cmd.dispatch");
    let new = new
        .operands("workload", workload)
        .operands("uniform_operands", used.values)
        .operands("resources", used.resources)
        .operands("resource_sizes", used.sizes)
        .operands("resource_offsets", used.offsets)
        .operands("resource_lengths", used.lengths)
        .attr_opt("entry_points", rw.body.attr(op, "entry_points"))
        .attr("resource_accesses", Attr::array(&used.accesses))
        .build();
    rw.insert(InsertPoint::Before(op), new);
    Ok(())
}

fn call(rw: &mut Rewriter<'_>, op: OpId, memory: &Memory) -> Result<(), Refused> {
    let used = used(rw, op, memory)?;
    let new = rw.registry.new_op("stream.cmd.call");
    let new = new
        .operands("resource_operands", used.all)
        .operands("resource_operand_sizes", used.sizes)
        .operands("resource_operand_offsets", used.offsets)
        .operands("resource_operand_lengths", used.lengths)
        .attr_opt("callee", rw.body.attr(op, "callee"))
        .attr("resource_operand_accesses", Attr::array(&used.accesses))
        .build();
    rw.insert(InsertPoint::Before(op), new);
    Ok(())
}

fn collective(rw: &mut Rewriter<'_>, op: OpId, memory: &Memory) -> Result<(), Refused> {
    let registry = rw.registry;
    let at = InsertPoint::Before(op);
    let mut used = Used::default();
    for (group, access) in [("source", READ), ("target", WRITE)] {
        let part = |what: &str| format!("{group}_{what}");
        let range = range_of(memory, op, named(rw.body, rw, op, group)?)?;
        let offset = named(rw.body, rw, op, &part("offset"))?;
        let length = named(rw.body, rw, op, &part("length"))?;
        let offset = within(rw, at, range.offset, offset);
        used.range(range, offset, length, access);
    }
    let new = registry.new_op("stream.cmd.collective");
    let new = new
        .operands("channel", registry.operand_of(rw.body, op, "channel"))
        .operands("element_count", registry.operand_of(rw.body, op, "element_count"))
        .operands("param", registry.operand_of(rw.body, op, "param"))
        .operands("resources", used.resources)
        .operands("resource_sizes", used.sizes)
        .operands("resource_offsets", used.offsets)
        .operands("resource_lengths", used.lengths)
        .attr_opt("op", rw.body.attr(op, "op"))
        .attr("resource_accesses", Attr::array(&used.accesses))
        .build();
    rw.insert(at, new);
    Ok(())
}
