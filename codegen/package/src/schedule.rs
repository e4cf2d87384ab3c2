//! The host's side of a function: which dispatches run on which bytes of which buffers.
//!
//! A function whose work is `stream.cmd.execute` with sizes and offsets known at compile time needs
//! no runtime: its schedule is a list of steps. Everything in a group of concurrent commands runs in
//! order, too.

use indexmap::IndexMap;
use tegula_ir::{Attr, AttrData, Body, OpId, Registry, ValueId};

use crate::{Signature, byte_size};

const NO_TENSOR: &str = "only tensors can be returned";

/// How a function's steps run, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// The function's symbol.
    pub function: String,
    /// The bytes of each tensor argument, in order.
    pub inputs: Vec<i64>,
    /// The bytes of each result, in order.
    pub outputs: Vec<i64>,
    /// The bytes of memory that is used between steps only; aligned to 64 bytes.
    pub scratch: i64,
    /// What runs.
    pub steps: Vec<Step>,
}

/// A range of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The buffer.
    pub buffer: Buffer,
    /// Where the range starts in it, in bytes.
    pub offset: i64,
    /// Bytes.
    pub length: i64,
}

/// A buffer of a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Buffer {
    /// Argument number.
    Input(usize),
    /// Result number.
    Output(usize),
    /// Scratch memory.
    Scratch,
}

/// One step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Runs a device function as a single workgroup.
    Dispatch {
        /// The executable's symbol.
        executable: String,
        /// The export's symbol.
        export: String,
        /// The 32-bit constants that it takes.
        constants: Vec<i32>,
        /// The bytes behind each binding, with whether they are written.
        bindings: Vec<(Range, bool)>,
    },
    /// Fills a range with a repeated pattern of 1, 2 or 4 bytes.
    Fill {
        /// The target.
        range: Range,
        /// The pattern in the low bytes.
        pattern: u32,
        /// Its size in bytes.
        width: u32,
    },
    /// Copies a range to another of the same length.
    Copy {
        /// The source.
        from: Range,
        /// The target.
        to: Range,
    },
}

impl Step {
    /// Whether it writes to a result.
    fn writes(&self, number: usize) -> bool {
        let is_there = |range: &Range| range.buffer == Buffer::Output(number);
        match self {
            Step::Dispatch { bindings, .. } => {
                bindings.iter().any(|(range, written)| *written && is_there(range))
            }
            Step::Fill { range, .. } => is_there(range),
            Step::Copy { to, .. } => is_there(to),
        }
    }
}

/// Why a function has no schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoSchedule {
    /// The op that stands in the way.
    pub op: OpId,
    /// What about it, as one sentence.
    pub why: String,
}

/// The next place in scratch memory where a buffer may start; none when there is no such address.
pub fn scratch_end(bytes: i64) -> Option<i64> {
    Some(bytes.checked_add(63)? & !63)
}

type Found<T> = Result<T, NoSchedule>;

struct Reader<'a> {
    registry: &'a Registry,
    body: &'a Body,
    signature: &'a Signature,
    schedule: Schedule,
    places: IndexMap<ValueId, (Buffer, i64)>,
    /// Results whose memory nothing computes into, by the op that gives them out: what it is given,
    /// and the results' numbers.
    copied: IndexMap<OpId, (ValueId, Vec<usize>)>,
}

/// The schedule of a function that was compiled up to commands on memory. Its signature says how
/// large arguments are that are only given back.
pub fn schedule(
    registry: &Registry,
    body: &Body,
    function: OpId,
    signature: &Signature,
) -> Found<Schedule> {
    let refuse = |op, why: &str| NoSchedule { op, why: why.to_owned() };
    let name =
        body.symbol_name(function).ok_or_else(|| refuse(function, "the function has no name"))?;
    let region =
        body.region(function, 0).ok_or_else(|| refuse(function, "the function has no body"))?;
    let block =
        body.first_block(region).ok_or_else(|| refuse(function, "the function has no body"))?;
    if body.next_block(block).is_some() {
        return Err(refuse(
            function,
            "functions with control flow can't be scheduled ahead of time",
        ));
    }
    let schedule = Schedule {
        function: name.to_owned(),
        inputs: vec![0; body.block_args(block).len()],
        outputs: Vec::new(),
        scratch: 0,
        steps: Vec::new(),
    };
    let (places, copied) = (IndexMap::new(), IndexMap::new());
    let mut reader = Reader { registry, body, signature, schedule, places, copied };
    reader.place_results(block)?;
    for op in body.block_ops(block) {
        reader.host_op(op, block)?;
    }
    for (number, &bytes) in reader.schedule.outputs.iter().enumerate() {
        if bytes > 0 && !reader.schedule.steps.iter().any(|step| step.writes(number)) {
            return Err(refuse(function, &format!("nothing computes result {number}")));
        }
    }
    Ok(reader.schedule)
}

impl Reader<'_> {
    fn refuse<T>(&self, op: OpId, why: impl Into<String>) -> Found<T> {
        Err(NoSchedule { op, why: why.into() })
    }

    fn operand(&self, op: OpId, group: &str) -> Found<ValueId> {
        match self.registry.operand_of(self.body, op, group) {
            Some(value) => Ok(value),
            None => self.refuse(op, format!("the operand `{group}` is missing")),
        }
    }

    fn integer(&self, op: OpId, value: ValueId) -> Found<i64> {
        let constant = (self.body.defining_op(value))
            .filter(|&def| self.body.is(def, "arith.constant"))
            .and_then(|def| self.body.attr(def, "value"))
            .and_then(Attr::as_int);
        match constant {
            Some(value) => Ok(value),
            None => {
                self.refuse(op, "a size or offset is only known at run time; shapes must be static")
            }
        }
    }

    fn size(&self, op: OpId, group: &str) -> Found<i64> {
        self.integer(op, self.operand(op, group)?)
    }

    fn place(&self, op: OpId, value: ValueId) -> Found<(Buffer, i64)> {
        match self.places.get(&value) {
            Some(&place) => Ok(place),
            None => self.refuse(op, "a resource of this op is no argument, result or allocation"),
        }
    }

    /// Finds the memory of each result, from the return backwards. An allocation is a result's own
    /// memory when that result alone is all of it; results that lie elsewhere, in an argument or in
    /// the memory of another result, are copied from there.
    fn place_results(&mut self, block: tegula_ir::BlockId) -> Found<()> {
        let Some(end) = self.body.last_op(block) else { return Ok(()) };
        let (body, args) = (self.body, self.body.block_args(block));
        for (number, value) in body.operands(end).enumerate() {
            if let Some(input) = args.iter().position(|&arg| arg == value) {
                self.give_back(end, input, number)?;
                continue;
            }
            let Some(export) =
                self.body.defining_op(value).filter(|&op| self.body.is(op, "stream.tensor.export"))
            else {
                return self.refuse(end, NO_TENSOR);
            };
            let bytes = self.size(export, "source_size")?;
            self.schedule.outputs.push(bytes);
            let source = self.operand(export, "source")?;
            match self.own_memory(source).filter(|memory| !self.places.contains_key(memory)) {
                Some(memory) => {
                    self.places.insert(memory, (Buffer::Output(number), 0));
                }
                None => {
                    let (_, numbers) = self.copied.entry(export).or_insert((source, Vec::new()));
                    numbers.push(number);
                }
            }
        }
        Ok(())
    }

    /// Copies an argument to a result, before anything is written.
    fn give_back(&mut self, end: OpId, input: usize, number: usize) -> Found<()> {
        let param = self.signature.params.iter().find(|param| param.input == Some(input));
        let Some(length) = param.and_then(|param| byte_size(param.ty)) else {
            return self.refuse(end, "an argument of unknown size is returned");
        };
        self.schedule.inputs[input] = length;
        self.schedule.outputs.push(length);
        let from = Range { buffer: Buffer::Input(input), offset: 0, length };
        let to = Range { buffer: Buffer::Output(number), offset: 0, length };
        self.schedule.steps.push(Step::Copy { from, to });
        Ok(())
    }

    /// The allocation, or the part of one, that a resource is; none when it can't be elsewhere.
    fn own_memory(&self, resource: ValueId) -> Option<ValueId> {
        let mut at = resource;
        loop {
            let op = self.body.defining_op(at)?;
            match self.body.name(op).as_str() {
                "stream.timepoint.await" => (_, at) = self.awaited(at)?,
                "stream.resource.subview" => return (!self.is_used_whole(op)).then_some(at),
                "stream.resource.alloca" => return Some(at),
                _ => return None,
            }
        }
    }

    /// Whether work sees all of what a subview is a part of, so that the part can't be elsewhere.
    fn is_used_whole(&self, subview: OpId) -> bool {
        let Ok(mut whole) = self.operand(subview, "source") else { return true };
        let mut waiting = None;
        loop {
            let parts = ["stream.resource.subview", "stream.resource.dealloca"];
            let mut users = self.body.users(whole).filter(|&user| Some(user) != waiting);
            if users.any(|user| !parts.contains(&self.body.name(user).as_str())) {
                return true;
            }
            // Who waits for memory has what was waited for.
            match self.awaited(whole) {
                Some((op, source)) => (waiting, whole) = (Some(op), source),
                None => return false,
            }
        }
    }

    /// The op that waits for a resource, and the resource as it was before.
    fn awaited(&self, value: ValueId) -> Option<(OpId, ValueId)> {
        let op = self.body.defining_op(value)?;
        if !self.body.is(op, "stream.timepoint.await") {
            return None;
        }
        let index = self.body.results(op).position(|result| result == value)?;
        let sources = self.registry.operands_of(self.body, op, "resource_operands");
        Some((op, *sources.get(index)?))
    }

    fn host_op(&mut self, op: OpId, block: tegula_ir::BlockId) -> Found<()> {
        match self.body.name(op).as_str() {
            "stream.tensor.import" => {
                let source = self.operand(op, "source")?;
                let args = self.body.block_args(block);
                let Some(number) = args.iter().position(|&a| a == source) else {
                    return self.refuse(op, "only arguments can be imported");
                };
                self.schedule.inputs[number] = self.size(op, "result_size")?;
                self.places.insert(self.body.result(op, 0), (Buffer::Input(number), 0));
            }
            "stream.resource.alloca" | "stream.resource.alloc" => {
                let result = self.body.result(op, 0);
                // Subviews that are results lie in their own buffers; the whole is scratch.
                if !self.places.contains_key(&result) {
                    let start = self.schedule.scratch;
                    let size = self.size(op, "storage_size")?;
                    let end = start.checked_add(size).and_then(scratch_end);
                    let Some(end) = end else {
                        return self
                            .refuse(op, "scratch memory is larger than an address can hold");
                    };
                    self.schedule.scratch = end;
                    self.places.insert(result, (Buffer::Scratch, start));
                }
            }
            "stream.resource.subview" => {
                let result = self.body.result(op, 0);
                if !self.places.contains_key(&result) {
                    let (buffer, base) = self.place(op, self.operand(op, "source")?)?;
                    let offset = self.size(op, "source_offset")?;
                    self.places.insert(result, (buffer, base + offset));
                }
            }
            "stream.timepoint.await" => {
                let sources = self.registry.operands_of(self.body, op, "resource_operands");
                for (source, result) in sources.into_iter().zip(self.body.results(op)) {
                    let place = self.place(op, source)?;
                    self.places.insert(result, place);
                }
            }
            "stream.cmd.execute" => {
                let Some(inner) = self.body.region_entry(op, 0) else { return Ok(()) };
                let operands = self.registry.operands_of(self.body, op, "resource_operands");
                for (operand, &arg) in operands.into_iter().zip(self.body.block_args(inner)) {
                    let place = self.place(op, operand)?;
                    self.places.insert(arg, place);
                }
                self.commands(inner)?;
            }
            "stream.tensor.export" => {
                if let Some((value, numbers)) = self.copied.get(&op) {
                    let (buffer, offset) = self.place(op, *value)?;
                    let length = self.size(op, "source_size")?;
                    let from = Range { buffer, offset, length };
                    self.schedule.steps.extend(numbers.iter().map(|&number| {
                        let to = Range { buffer: Buffer::Output(number), offset: 0, length };
                        Step::Copy { from, to }
                    }));
                }
            }
            // What is checked at run time by the caller, or only orders what runs in order anyway.
            "arith.constant"
            | "hal.element_type"
            | "hal.encoding_type"
            | "hal.buffer_view.assert"
            | "stream.resource.dealloca"
            | "stream.timepoint.join"
            | "stream.timepoint.immediate"
            | "util.return" => {}
            name => return self.refuse(op, format!("{name} can't be scheduled ahead of time")),
        }
        Ok(())
    }

    fn commands(&mut self, block: tegula_ir::BlockId) -> Found<()> {
        for op in self.body.block_ops(block) {
            match self.body.name(op).as_str() {
                "stream.cmd.concurrent" | "stream.cmd.serial" => {
                    if let Some(inner) = self.body.region_entry(op, 0) {
                        self.commands(inner)?;
                    }
                }
                "stream.cmd.dispatch" => self.dispatch(op)?,
                "stream.cmd.fill" => self.fill(op)?,
                "stream.cmd.copy" => self.copy(op)?,
                "stream.yield"
                | "stream.cmd.flush"
                | "stream.cmd.invalidate"
                | "stream.cmd.discard"
                | "arith.constant" => {}
                name => return self.refuse(op, format!("{name} can't be scheduled ahead of time")),
            }
        }
        Ok(())
    }

    fn dispatch(&mut self, op: OpId) -> Found<()> {
        let refs = self.body.attr(op, "entry_points").and_then(Attr::as_array).unwrap_or(&[]);
        let Some(AttrData::SymbolRef { root, nested }) = refs.first().map(|r| r.data()) else {
            return self.refuse(op, "the dispatch has no entry point");
        };
        let Some(export) = nested.last() else {
            return self.refuse(op, "the entry point names no export");
        };
        let of = |group| self.registry.operands_of(self.body, op, group);
        let accesses =
            self.body.attr(op, "resource_accesses").and_then(Attr::as_array).unwrap_or(&[]);
        let mut bindings = Vec::new();
        let ranges =
            of("resources").into_iter().zip(of("resource_offsets")).zip(of("resource_lengths"));
        for (index, ((resource, offset), length)) in ranges.enumerate() {
            let (buffer, base) = self.place(op, resource)?;
            let offset = base + self.integer(op, offset)?;
            let range = Range { buffer, offset, length: self.integer(op, length)? };
            let written =
                accesses.get(index).and_then(|a| a.as_int()).is_none_or(|bits| bits & 2 != 0);
            bindings.push((range, written));
        }
        let uniforms = of("uniform_operands").into_iter();
        let constants: Found<Vec<i32>> =
            uniforms.map(|v| self.integer(op, v).map(|c| c as i32)).collect();
        self.schedule.steps.push(Step::Dispatch {
            executable: root.as_str().to_owned(),
            export: export.as_str().to_owned(),
            constants: constants?,
            bindings,
        });
        Ok(())
    }

    fn range(&self, op: OpId, resource: &str, offset: &str, length: &str) -> Found<Range> {
        let (buffer, base) = self.place(op, self.operand(op, resource)?)?;
        Ok(Range { buffer, offset: base + self.size(op, offset)?, length: self.size(op, length)? })
    }

    fn fill(&mut self, op: OpId) -> Found<()> {
        let range = self.range(op, "target", "target_offset", "target_length")?;
        let value = self.operand(op, "value")?;
        let bits = self.body.ty(value).bit_width().unwrap_or(32);
        let pattern = self.integer(op, value)? as u32;
        self.schedule.steps.push(Step::Fill { range, pattern, width: bits.div_ceil(8) });
        Ok(())
    }

    fn copy(&mut self, op: OpId) -> Found<()> {
        let from = self.range(op, "source", "source_offset", "length")?;
        let to = self.range(op, "target", "target_offset", "length")?;
        self.schedule.steps.push(Step::Copy { from, to });
        Ok(())
    }
}
