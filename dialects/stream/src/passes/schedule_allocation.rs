//! `iree-stream-schedule-allocation`: gives the resources of execution regions memory and turns
//! their ops into commands on it.
//!
//! Results get an allocation each, or one that they share; what lives within a region is packed
//! into one transient allocation that is freed behind it.

use indexmap::IndexMap;
use tegula_ir::{
    Attr, BlockId, Body, InsertPoint, NewOp, OpId, Registry, Type, ValueId, ValueKind,
};
use tegula_pass::{Changed, PassCx, PassResult};
use tegula_rewrite::Rewriter;

use super::aliases::{Aliases, intervals, yielded};
use super::commands::issue;
use super::functions;
use super::support::{
    add_index, index_constant, join_timepoints, lifetime, ops_named, resource_type, sizes_of,
    tied_operands, timepoint_type,
};

/// A range of memory inside of the region.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Range {
    /// The region's argument for the resource.
    pub(crate) resource: ValueId,
    /// The size of the whole resource.
    pub(crate) size: ValueId,
    /// Where the range starts.
    pub(crate) offset: ValueId,
}

/// The memory of the values of one region.
pub(crate) struct Memory {
    aliases: Aliases,
    ranges: IndexMap<ValueId, Range>,
    /// Values that are ranges of others.
    parts: IndexMap<ValueId, Range>,
    /// The constant 0.
    pub(crate) zero: ValueId,
}

impl Memory {
    /// Where the value's bytes are.
    pub(crate) fn range(&self, value: ValueId) -> Option<Range> {
        let whole = || self.ranges.get(&self.aliases.find(value));
        self.parts.get(&value).or_else(whole).copied()
    }

    fn place(&mut self, value: ValueId, range: Range) {
        self.ranges.insert(self.aliases.find(value), range);
    }
}

/// What an op of the region is that can't be turned into commands, and why.
pub(crate) struct Refused {
    /// The op.
    pub(crate) op: OpId,
    /// The reason, for the message.
    pub(crate) why: &'static str,
}

/// Runs the pass.
pub(crate) fn run(cx: &mut PassCx<'_>, body: &mut Body, root: OpId) -> PassResult {
    if body.is(root, "stream.async.func") {
        functions::on_memory(&mut cx.rewriter(body), root);
        return Ok(Changed::Yes);
    }
    let executes = ops_named(body, root, "stream.async.execute");
    let changed = Changed::when(!executes.is_empty());
    for execute in executes {
        let refused = allocate(&mut cx.rewriter(body), execute);
        if let Err(Refused { op, why }) = refused {
            return Err(cx.error(body, op, "no-allocation", why));
        }
    }
    // What is left is done by the host, or by whoever has the parameters.
    let is_left = |op: OpId| body.name(op).as_str().starts_with("stream.async.");
    match body.walk(root).any(is_left) {
        true => Ok(changed | cx.patterns_of_pass(body, root)?),
        false => Ok(changed),
    }
}

/// The parts of the new region op as they are found.
struct Plan {
    execute: OpId,
    block: BlockId,
    affinity: Option<Attr>,
    awaits: Vec<ValueId>,
    operands: Vec<ValueId>,
    sizes: Vec<ValueId>,
    /// For each result of the old op what takes its place.
    replacements: Vec<Option<ValueId>>,
    transient: Option<(ValueId, ValueId)>,
}

fn allocate(rw: &mut Rewriter<'_>, execute: OpId) -> Result<(), Refused> {
    let registry = rw.registry;
    let no_region = Refused { op: execute, why: "the region is empty" };
    let block = rw.body.region_entry(execute, 0).ok_or(no_region)?;
    let zero = index_constant(rw, InsertPoint::Before(execute), 0);
    let aliases = Aliases::of(registry, rw.body, block);
    let mut memory = Memory { aliases, ranges: IndexMap::new(), parts: IndexMap::new(), zero };
    let await_timepoint = registry.operand_of(rw.body, execute, "await_timepoint");
    let mut plan = Plan {
        execute,
        block,
        affinity: rw.body.attr(execute, "affinity"),
        awaits: await_timepoint.into_iter().collect(),
        operands: registry.operands_of(rw.body, execute, "resource_operands"),
        sizes: registry.operands_of(rw.body, execute, "resource_operand_sizes"),
        replacements: Vec::new(),
        transient: None,
    };
    let args = rw.body.block_args(block).to_vec();
    for (&arg, &size) in args.iter().zip(&plan.sizes) {
        memory.place(arg, Range { resource: arg, size, offset: zero });
    }
    allocate_results(rw, &mut plan, &mut memory, await_timepoint)?;
    allocate_transients(rw, &mut plan, &mut memory, await_timepoint)?;
    find_parts(rw, block, &mut memory);
    let commands = into_commands(rw, &plan);
    issue(rw, block, &mut memory)?;
    release(rw, &plan, commands);
    if rw.body.is_unused(zero)
        && let Some(op) = rw.body.defining_op(zero)
    {
        rw.erase(op);
    }
    Ok(())
}

/// The memory of subviews that the region takes, and of what is written to them in place.
fn find_parts(rw: &mut Rewriter<'_>, block: BlockId, memory: &mut Memory) {
    let registry = rw.registry;
    let ops: Vec<OpId> = rw.body.block_ops(block).collect();
    for op in ops {
        if let Some(inner) = rw.body.region_entry(op, 0) {
            find_parts(rw, inner, memory);
        }
        if rw.body.is(op, "stream.resource.subview") {
            let (source, part) = (rw.body.operand(op, 0), rw.body.result(op, 0));
            let offset = registry.operand_of(rw.body, op, "source_offset");
            if let (Some(range), Some(offset)) = (memory.range(source), offset) {
                let offset = add_index(rw, InsertPoint::Before(op), range.offset, offset);
                memory.parts.insert(part, Range { offset, ..range });
            }
            continue;
        }
        let ties = tied_operands(registry, rw.body, op);
        for (result, tie) in rw.body.results(op).zip(ties) {
            let source = tie.map(|index| rw.body.operand(op, index));
            if let Some(&range) = source.and_then(|source| memory.parts.get(&source)) {
                memory.parts.insert(result, range);
            }
        }
    }
}

/// Memory for what the region gives out.
fn allocate_results(
    rw: &mut Rewriter<'_>,
    plan: &mut Plan,
    memory: &mut Memory,
    await_timepoint: Option<ValueId>,
) -> Result<(), Refused> {
    let registry = rw.registry;
    let results = registry.results_of(rw.body, plan.execute, "results");
    let sizes = registry.operands_of(rw.body, plan.execute, "result_sizes");
    let inner = yielded(registry, rw.body, plan.block);
    // By lifetime: the position of the result, its size and the value that is yielded.
    let mut wanted: IndexMap<&'static str, Vec<(usize, ValueId, ValueId)>> = IndexMap::new();
    for (index, ((&result, &size), &value)) in results.iter().zip(&sizes).zip(&inner).enumerate() {
        match base_argument(registry, rw.body, plan.block, value) {
            Some((arg, parts)) => {
                let is_inside = |&offset: &ValueId| {
                    let made_by = rw.body.defining_op(offset);
                    made_by.is_some_and(|op| rw.body.ancestor_in_block(plan.block, op).is_some())
                };
                if parts.iter().any(is_inside) {
                    let why = "where a part of a resource lies is not known before the region";
                    return Err(Refused { op: plan.execute, why });
                }
                let whole = plan.operands.get(arg).copied().zip(plan.sizes.get(arg).copied());
                let replacement = whole.map(|whole| subview(rw, plan, whole, &parts, size));
                plan.replacements.push(replacement);
            }
            None => {
                plan.replacements.push(None);
                let lifetime = lifetime(rw.body.ty(result)).unwrap_or("transient");
                wanted.entry(lifetime).or_default().push((index, size, value));
            }
        }
    }
    for (lifetime, reservations) in wanted {
        let sizes: Vec<ValueId> = reservations.iter().map(|r| r.1).collect();
        let parts = suballocate(rw, plan, lifetime, &sizes, await_timepoint);
        for ((index, size, value), part) in reservations.into_iter().zip(parts) {
            plan.operands.push(part);
            plan.sizes.push(size);
            plan.replacements[index] = Some(part);
            let arg = rw.add_block_arg(plan.block, resource_type(lifetime));
            memory.place(value, Range { resource: arg, size, offset: memory.zero });
        }
    }
    Ok(())
}

/// The part of a resource that subviews of it take, the last one first.
fn subview(
    rw: &mut Rewriter<'_>,
    plan: &Plan,
    (whole, size): (ValueId, ValueId),
    parts: &[ValueId],
    length: ValueId,
) -> ValueId {
    let at = InsertPoint::Before(plan.execute);
    let Some((&first, rest)) = parts.split_last() else { return whole };
    let mut offset = first;
    for &next in rest.iter().rev() {
        offset = add_index(rw, at, offset, next);
    }
    let subview = NewOp::new("stream.resource.subview")
        .operands([whole, size, offset, length])
        .result(rw.body.ty(whole));
    rw.insert_value(at, subview)
}

/// The region argument whose storage a value is, through ties and concurrent regions, and the offsets
/// of the subviews that are taken of it, the last one first.
fn base_argument(
    registry: &Registry,
    body: &Body,
    block: BlockId,
    value: ValueId,
) -> Option<(usize, Vec<ValueId>)> {
    let mut at = value;
    let mut parts = Vec::new();
    loop {
        match body.definition(at) {
            ValueKind::Arg(owner, index) if owner == block => {
                return Some((index as usize, parts));
            }
            ValueKind::Arg(owner, index) => {
                let op = body.block_parent_op(owner)?;
                at = *registry.operands_of(body, op, "resource_operands").get(index as usize)?;
            }
            ValueKind::Result(op, index) if body.is(op, "stream.async.concurrent") => {
                let inner = body.region_entry(op, 0)?;
                at = *yielded(registry, body, inner).get(index as usize)?;
            }
            ValueKind::Result(op, index) => {
                if body.is(op, "stream.resource.subview") {
                    parts.extend(registry.operand_of(body, op, "source_offset"));
                }
                let tie =
                    tied_operands(registry, body, op).get(index as usize).copied().flatten()?;
                at = (tie < body.num_operands(op)).then(|| body.operand(op, tie))?;
            }
        }
    }
}

/// One allocation for resources of the given sizes; several share it as subviews.
fn suballocate(
    rw: &mut Rewriter<'_>,
    plan: &mut Plan,
    lifetime: &str,
    sizes: &[ValueId],
    await_timepoint: Option<ValueId>,
) -> Vec<ValueId> {
    let registry = rw.registry;
    let at = InsertPoint::Before(plan.execute);
    let [only] = sizes else {
        let pack = pack(rw, plan, &vec![(0, 0); sizes.len()], sizes);
        let total = rw.body.result(pack, 0);
        let whole = alloca(rw, plan, lifetime, total, await_timepoint);
        let offsets = registry.results_of(rw.body, pack, "packed_offsets");
        return sizes
            .iter()
            .zip(offsets)
            .map(|(&size, offset)| {
                let subview = NewOp::new("stream.resource.subview")
                    .operands([whole, total, offset, size])
                    .result(resource_type(lifetime));
                rw.insert_value(at, subview)
            })
            .collect();
    };
    vec![alloca(rw, plan, lifetime, *only, await_timepoint)]
}

fn alloca(
    rw: &mut Rewriter<'_>,
    plan: &mut Plan,
    lifetime: &str,
    size: ValueId,
    await_timepoint: Option<ValueId>,
) -> ValueId {
    let op = rw.registry.new_op("stream.resource.alloca");
    let op = op
        .operands("storage_size", [size])
        .operands("await_timepoint", await_timepoint)
        .results("result", [resource_type(lifetime)])
        .results("result_timepoint", [timepoint_type()])
        .attr_opt("affinity", plan.affinity)
        .build();
    let op = rw.insert(InsertPoint::Before(plan.execute), op);
    plan.awaits.push(rw.body.result(op, 1));
    rw.body.result(op, 0)
}

fn pack(rw: &mut Rewriter<'_>, plan: &Plan, intervals: &[(i64, i64)], sizes: &[ValueId]) -> OpId {
    let bounds: Vec<Attr> =
        intervals.iter().flat_map(|&(a, b)| [Attr::index(a), Attr::index(b)]).collect();
    let op = rw.registry.new_op("stream.resource.pack");
    let op = op
        .operands("dynamic_slice_sizes", sizes.iter().copied())
        .results("total_length", [Type::index()])
        .results("packed_offsets", vec![Type::index(); sizes.len()])
        .attr("lifetime_intervals", Attr::array(&bounds))
        .attr_opt("affinity", plan.affinity)
        .build();
    rw.insert(InsertPoint::Before(plan.execute), op)
}

/// One allocation for all that lives within the region.
fn allocate_transients(
    rw: &mut Rewriter<'_>,
    plan: &mut Plan,
    memory: &mut Memory,
    await_timepoint: Option<ValueId>,
) -> Result<(), Refused> {
    let registry = rw.registry;
    let mut values = Vec::new();
    let mut lives = Vec::new();
    for (value, interval) in intervals(rw.body, plan.block, &memory.aliases) {
        if memory.range(value).is_none() {
            values.push(value);
            lives.push(interval);
        }
    }
    if values.is_empty() {
        return Ok(());
    }
    let unknown = Refused { op: plan.execute, why: "the size of a transient is not known" };
    let sizes = sizes_of(registry, rw.body, &values).ok_or(unknown)?;
    let pack = pack(rw, plan, &lives, &sizes);
    let total = rw.body.result(pack, 0);
    let whole = alloca(rw, plan, "transient", total, await_timepoint);
    plan.operands.push(whole);
    plan.sizes.push(total);
    plan.transient = Some((whole, total));
    let arg = rw.add_block_arg(plan.block, resource_type("transient"));
    let offsets = registry.results_of(rw.body, pack, "packed_offsets");
    for (value, offset) in values.into_iter().zip(offsets) {
        memory.place(value, Range { resource: arg, size: total, offset });
    }
    Ok(())
}

/// Whether an op is in an initializer, and in nothing there that may run several times.
fn runs_once(body: &Body, op: OpId) -> bool {
    body.parent_op(op).is_some_and(|around| {
        body.is(around, "util.initializer") && body.region_entry(around, 0) == body.parent_block(op)
    })
}

/// Makes the `stream.cmd.execute` that takes over the region, and replaces the old op.
fn into_commands(rw: &mut Rewriter<'_>, plan: &Plan) -> OpId {
    let registry = rw.registry;
    let at = InsertPoint::Before(plan.execute);
    let timepoint = join_timepoints(rw, at, &plan.awaits);
    let commands = registry.new_op("stream.cmd.execute");
    let commands = commands
        .operands("resource_operands", plan.operands.iter().copied())
        .operands("resource_operand_sizes", plan.sizes.iter().copied())
        .operands("await_timepoint", timepoint)
        .results("result_timepoint", [timepoint_type()])
        .attr_opt("affinity", plan.affinity)
        .attr_opt("once", runs_once(rw.body, plan.execute).then(Attr::unit))
        .regions(1)
        .build();
    let commands = rw.insert(at, commands);
    let regions = (rw.body.region(plan.execute, 0), rw.body.region(commands, 0));
    if let (Some(from), Some(to)) = regions {
        rw.take_region(from, to);
    }
    let results: Vec<ValueId> = rw.body.results(plan.execute).collect();
    for (&result, replacement) in results.iter().zip(&plan.replacements) {
        if let Some(replacement) = replacement {
            rw.replace_all_uses(result, *replacement);
        }
    }
    if let Some(&old) = results.last() {
        let reached = rw.body.result(commands, 0);
        rw.replace_all_uses(old, reached);
    }
    rw.erase(plan.execute);
    commands
}

/// Frees the transient allocation behind the commands; later work waits for that, too.
fn release(rw: &mut Rewriter<'_>, plan: &Plan, commands: OpId) {
    let Some((resource, size)) = plan.transient else { return };
    let reached = rw.body.result(commands, 0);
    let freed = rw.registry.new_op("stream.resource.dealloca");
    let freed = freed
        .operands("operand", [resource])
        .operands("operand_size", [size])
        .operands("await_timepoint", [reached])
        .results("result_timepoint", [timepoint_type()])
        .attr_opt("affinity", plan.affinity)
        .build();
    let freed = rw.insert(InsertPoint::After(commands), freed);
    let timepoint = rw.body.result(freed, 0);
    let Some(joined) = join_timepoints(rw, InsertPoint::After(freed), &[timepoint, reached]) else {
        return;
    };
    let join = rw.body.defining_op(joined);
    rw.replace_uses_if(reached, joined, |body, slot| {
        let owner = body.use_owner(slot);
        owner != freed && Some(owner) != join
    });
}
