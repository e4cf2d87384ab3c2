//! Printing an allocated function.

use std::fmt::Write;

use regalloc2::{Allocation, Block, Edit, InstOrEdit, Output, PReg, RegClass};
use tegula_ir::{AttrData, Body, DenseData, Ident, LocData, OpId};

use super::alloc::{PRINTER_SCRATCH, is_callee_saved};
use super::build::operand_groups;
use super::frame::{Frame, steps};
use super::{MachineError, MachineFunction, MachineKind};
use crate::asm::{AsmFunction, Piece, Visibility};
use crate::condition::inverse_condition;
use crate::instr::{Control, InstrRow, InstrTable, Part, RegFile, Slot, View};

pub(super) fn emit(
    table: &InstrTable,
    body: &Body,
    function: &MachineFunction,
    output: &Output,
    symbol: Ident,
    visibility: Visibility,
) -> Result<AsmFunction, MachineError> {
    let saved = saved_registers(function, output);
    let sizes: Vec<u32> = function.frame_objects.iter().map(|(_, size)| *size).collect();
    let frame = Frame::new(output.num_spillslots, &sizes, &saved, function.has_calls);
    let frame = frame.ok_or_else(|| {
        let op = function.frame_objects.first().map_or(function.func, |(op, _)| *op);
        MachineError::new(op, "frame-too-large", "the stack frame is 16 MiB or larger")
    })?;
    let mut out = AsmFunction::new(symbol, visibility);
    out.stats.frame = frame.size();
    let layout = Layout::new(function, output);
    let mut emitter = Emitter {
        table,
        body,
        function,
        output,
        frame,
        layout,
        next_block: None,
        last_position: None,
        out,
    };
    emitter.run()?;
    Ok(emitter.out)
}

/// The callee-saved registers that the function writes, in order.
fn saved_registers(function: &MachineFunction, output: &Output) -> Vec<PReg> {
    let mut used: Vec<PReg> = output
        .allocs
        .iter()
        .filter_map(|alloc| alloc.as_reg())
        .chain(output.edits.iter().filter_map(|(_, Edit::Move { to, .. })| to.as_reg()))
        .collect();
    for inst in &function.insts {
        // Calls keep what a callee keeps, but v8–v15 whole are among what they overwrite: the low
        // halves survive by the callee's own saves, so nothing is to be added here.
        debug_assert!(inst.clobbers.is_empty(RegClass::Int) || function.has_calls);
    }
    used.retain(|reg| is_callee_saved(*reg));
    used.sort();
    used.dedup();
    used
}

/// Which blocks are written, and which are jumped to.
struct Layout {
    /// For each block the block that a jump to it really goes to.
    target: Vec<usize>,
    /// The blocks in order, without those that nothing reaches.
    order: Vec<usize>,
}

impl Layout {
    fn new(function: &MachineFunction, output: &Output) -> Layout {
        let count = function.blocks.len();
        // A block of nothing but a jump is the block that it jumps to.
        let forward: Vec<Option<usize>> = (0..count)
            .map(|at| {
                let insts = function.blocks[at].insts;
                let only_jump = insts.len() == 1
                    && is_jump(function, at)
                    && output
                        .block_insts_and_edits(function, Block::new(at))
                        .all(|item| matches!(item, InstOrEdit::Inst(_)));
                (at != 0 && only_jump).then(|| function.blocks[at].succs[0].index())
            })
            .collect();
        let target: Vec<usize> = (0..count)
            .map(|start| {
                let mut at = start;
                // A cycle of empty blocks is an endless loop; it stays where the count runs out.
                for _ in 0..count {
                    match forward[at] {
                        Some(next) => at = next,
                        None => break,
                    }
                }
                at
            })
            .collect();
        let order = (0..count).filter(|&at| target[at] == at).collect();
        Layout { target, order }
    }
}

/// Whether the block ends in an unconditional jump.
fn is_jump(function: &MachineFunction, block: usize) -> bool {
    let last = function.blocks[block].insts.last();
    function.insts[last.index()].is_branch && function.blocks[block].succs.len() == 1
}

struct Emitter<'a> {
    table: &'a InstrTable,
    body: &'a Body,
    function: &'a MachineFunction,
    output: &'a Output,
    frame: Frame,
    layout: Layout,
    next_block: Option<usize>,
    last_position: Option<(Ident, u32, u32)>,
    out: AsmFunction,
}

impl Emitter<'_> {
    fn run(&mut self) -> Result<(), MachineError> {
        self.out.line(".cfi_startproc");
        self.frame.prologue(&mut self.out);
        let order = self.layout.order.clone();
        let labelled = self.labelled(&order);
        for (at, &block) in order.iter().enumerate() {
            self.next_block = order.get(at + 1).copied();
            if labelled[block] {
                self.out.pieces.push(Piece::Label(block as u32));
                self.out.text(":\n");
            }
            self.block(block)?;
        }
        self.out.line(".cfi_endproc");
        Ok(())
    }

    /// The blocks that a written branch names.
    fn labelled(&self, order: &[usize]) -> Vec<bool> {
        let mut labelled = vec![false; self.function.blocks.len()];
        for (at, &block) in order.iter().enumerate() {
            let next = order.get(at + 1).copied();
            for target in self.written_targets(block, next) {
                labelled[target] = true;
            }
        }
        labelled
    }

    fn targets(&self, block: usize) -> Vec<usize> {
        let succs = &self.function.blocks[block].succs;
        succs.iter().map(|succ| self.layout.target[succ.index()]).collect()
    }

    fn written_targets(&self, block: usize, next: Option<usize>) -> Vec<usize> {
        match self.targets(block)[..] {
            [only] if Some(only) != next => vec![only],
            [yes, no] if yes == no && Some(no) != next => vec![no],
            [yes, no] if yes == no => vec![],
            [yes, no] if Some(no) == next => vec![yes],
            [yes, no] if Some(yes) == next => vec![no],
            [yes, no] => vec![yes, no],
            _ => vec![],
        }
    }

    fn block(&mut self, block: usize) -> Result<(), MachineError> {
        let (function, output) = (self.function, self.output);
        for item in output.block_insts_and_edits(function, Block::new(block)) {
            match item {
                InstOrEdit::Edit(Edit::Move { from, to }) => self.move_value(*from, *to),
                InstOrEdit::Inst(inst) => match function.insts[inst.index()].kind {
                    MachineKind::Params => {}
                    MachineKind::Jump => self.jump(block),
                    MachineKind::Op(op, row) => {
                        let row = self.table.at(row);
                        let allocs = output.inst_allocs(inst);
                        self.position(op);
                        self.op(block, op, row, allocs)?;
                    }
                },
            }
        }
        Ok(())
    }

    fn position(&mut self, op: OpId) {
        let position = match self.body.loc(op).data() {
            AttrData::Loc(LocData::File { file, start, .. }) => Some((*file, start.0, start.1)),
            _ => None,
        };
        if let Some((file, line, column)) = position
            && position != self.last_position
        {
            self.last_position = position;
            self.out.pieces.push(Piece::Position { file, line, column });
        }
    }

    fn inst(&mut self, text: &str) {
        self.out.line(text);
        self.out.stats.instructions += 1;
    }

    fn branch(&mut self, start: &str, target: usize) {
        self.out.text("\t");
        self.out.text(start);
        self.out.pieces.push(Piece::Label(target as u32));
        self.out.text("\n");
        self.out.stats.instructions += 1;
    }

    fn jump(&mut self, block: usize) {
        for target in self.written_targets(block, self.next_block) {
            self.branch("b ", target);
        }
    }

    fn op(
        &mut self,
        block: usize,
        op: OpId,
        row: &InstrRow,
        allocs: &[Allocation],
    ) -> Result<(), MachineError> {
        match row.control {
            Control::Return => {
                self.frame.epilogue(&mut self.out);
                self.inst("ret");
                self.frame.after_return(&mut self.out);
                return Ok(());
            }
            Control::Branch => return self.branch_op(block, op, row, allocs),
            Control::None | Control::Call => {}
        }
        if row.text.is_empty() {
            return self.frame_address(op, allocs);
        }
        self.write(op, row, allocs, None)
    }

    fn branch_op(
        &mut self,
        block: usize,
        op: OpId,
        row: &InstrRow,
        allocs: &[Allocation],
    ) -> Result<(), MachineError> {
        let targets = self.targets(block);
        let written = self.written_targets(block, self.next_block);
        match (&targets[..], &written[..]) {
            ([_], _) | (_, []) => self.jump(block),
            ([yes, no], _) if yes == no => self.branch("b ", *no),
            ([yes, no], [one]) if one == no && one != yes => {
                self.write(op, row, allocs, Some((*no, true)))?;
            }
            ([yes, no], _) => {
                self.write(op, row, allocs, Some((*yes, false)))?;
                if written.len() > 1 {
                    self.branch("b ", *no);
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Writes an instruction from its template. `branch` gives the label of a conditional branch,
    /// and whether the branch is taken when the condition does not hold.
    fn write(
        &mut self,
        op: OpId,
        row: &InstrRow,
        allocs: &[Allocation],
        branch: Option<(usize, bool)>,
    ) -> Result<(), MachineError> {
        let mut row = row;
        let inverted = branch.is_some_and(|(_, inverted)| inverted);
        if inverted && let Some(inverse) = row.inverse.and_then(|name| self.table.row(name)) {
            row = inverse;
        }
        let names = SlotNames::new(self.body, op, row, allocs)?;
        self.out.text("\t");
        self.out.stats.instructions += 1;
        for part in &row.text {
            match part {
                Part::Text(text) => self.out.text(text),
                Part::Slot(Slot::Operand(at), view) => {
                    let name = names.register(names.operands.get(*at), *view);
                    self.out.text(&name);
                }
                Part::Slot(Slot::Result(at), view) => {
                    let name = names.register(names.results.get(*at), *view);
                    self.out.text(&name);
                }
                Part::Slot(Slot::Successor(_), _) => {
                    if let Some((target, _)) = branch {
                        self.out.pieces.push(Piece::Label(target as u32));
                    }
                }
                Part::Slot(Slot::Attr(at), view) => {
                    self.attribute(op, row, *at, *view, inverted)?;
                }
            }
        }
        self.out.text("\n");
        Ok(())
    }

    fn attribute(
        &mut self,
        op: OpId,
        row: &InstrRow,
        at: usize,
        view: View,
        inverted: bool,
    ) -> Result<(), MachineError> {
        let slot = &row.attrs[at];
        let missing = || {
            let message = format!("`{}` has no usable `{}`", row.name, slot.name);
            MachineError::new(op, "bad-immediate", message)
        };
        let attr = self.body.attr(op, slot.name.as_str()).ok_or_else(missing)?;
        match attr.data() {
            AttrData::Integer { value, .. } => {
                let value = i64::try_from(*value).map_err(|_| missing())?;
                let fits = slot.range.is_none_or(|(low, high)| (low..=high).contains(&value));
                if !fits || value % slot.unit != 0 {
                    return Err(missing());
                }
                self.out.text(&value.to_string());
            }
            AttrData::String { .. } => {
                let text = attr.as_str().ok_or_else(missing)?;
                let text =
                    if inverted { inverse_condition(text).ok_or_else(missing)? } else { text };
                self.out.text(text);
            }
            AttrData::SymbolRef { root, nested } if nested.is_empty() => {
                self.out.pieces.push(Piece::Symbol(*root));
            }
            AttrData::Dense { data, ty } => {
                let bytes = match data {
                    DenseData::Bytes(bytes) => bytes.to_vec(),
                    DenseData::Splat(element) => {
                        let count = ty.num_elements().and_then(|n| usize::try_from(n).ok());
                        element.repeat(count.ok_or_else(missing)?)
                    }
                };
                let number = self.out.constant(&bytes);
                match view {
                    View::Page => self.out.pieces.push(Piece::ConstantPage(number)),
                    View::Low12 => self.out.pieces.push(Piece::ConstantLow12(number)),
                    View::Plain | View::Letter(_) => return Err(missing()),
                }
            }
            _ => return Err(missing()),
        }
        Ok(())
    }

    fn frame_address(&mut self, op: OpId, allocs: &[Allocation]) -> Result<(), MachineError> {
        let at = self.function.frame_objects.iter().position(|(object, _)| *object == op);
        let place = at.map(|at| self.frame.objects[at]).zip(allocs[0].as_reg());
        let Some((offset, reg)) = place else {
            return Err(MachineError::new(op, "no-text", "the instruction has no text"));
        };
        let number = reg.hw_enc();
        let mut from = "sp".to_owned();
        for step in steps(offset) {
            self.inst(&format!("add x{number}, {from}, {step}"));
            from = format!("x{number}");
        }
        if from == "sp" {
            self.inst(&format!("mov x{number}, sp"));
        }
        Ok(())
    }

    fn move_value(&mut self, from: Allocation, to: Allocation) {
        match (from.as_reg(), to.as_reg()) {
            (Some(from), Some(to)) => {
                self.out.stats.moves += 1;
                match to.class() {
                    RegClass::Int => {
                        self.inst(&format!("mov x{}, x{}", to.hw_enc(), from.hw_enc()))
                    }
                    RegClass::Float | RegClass::Vector => {
                        self.inst(&format!("mov v{}.16b, v{}.16b", to.hw_enc(), from.hw_enc()));
                    }
                }
            }
            (Some(reg), None) => self.spill("str", reg, to),
            (None, Some(reg)) => self.spill("ldr", reg, from),
            (None, None) => debug_assert!(false, "the allocator moves through registers"),
        }
    }

    fn spill(&mut self, mnemonic: &str, reg: PReg, slot: Allocation) {
        self.out.stats.spills += 1;
        let offset = slot.as_stack().map_or(0, |slot| slot.index()) * 8;
        let (letter, limit) = match reg.class() {
            RegClass::Int => ('x', 32760),
            RegClass::Float | RegClass::Vector => ('q', 65520),
        };
        let name = format!("{letter}{}", reg.hw_enc());
        if offset <= limit {
            self.inst(&format!("{mnemonic} {name}, [sp, #{offset}]"));
            return;
        }
        let scratch = PRINTER_SCRATCH;
        self.inst(&format!("movz x{scratch}, #{}", offset & 0xffff));
        self.inst(&format!("movk x{scratch}, #{}, lsl #16", offset >> 16));
        self.inst(&format!("{mnemonic} {name}, [sp, x{scratch}]"));
    }
}

/// The registers of an op's operand and result groups.
struct SlotNames {
    operands: Vec<Option<(char, usize)>>,
    results: Vec<Option<(char, usize)>>,
}

impl SlotNames {
    fn new(
        body: &Body,
        op: OpId,
        row: &InstrRow,
        allocs: &[Allocation],
    ) -> Result<SlotNames, MachineError> {
        // The same walk as when the operands were made: uses by group, then results.
        let groups = operand_groups(body, row, op)?;
        let mut next = allocs.iter();
        let mut take = |letter: char| {
            let reg = next.next().and_then(|alloc| alloc.as_reg());
            reg.map(|reg| (letter, reg.hw_enc()))
                .ok_or_else(|| MachineError::new(op, "no-register", "an operand has no register"))
        };
        let mut operands = Vec::new();
        for (slot, range) in row.operands.iter().zip(groups) {
            let skip = matches!(slot.file, Some((RegFile::Flags, _)))
                || (slot.variadic && row.control == Control::Branch);
            let letter = slot.file.map_or('x', |(_, letter)| letter);
            let mut first = None;
            for _ in range {
                if !skip {
                    let name = take(letter)?;
                    first.get_or_insert(name);
                }
            }
            operands.push(first);
        }
        let mut results = Vec::new();
        for slot in &row.results {
            let skip = slot.variadic || matches!(slot.file, Some((RegFile::Flags, _)));
            let letter = slot.file.map_or('x', |(_, letter)| letter);
            results.push(if skip { None } else { Some(take(letter)?) });
        }
        Ok(SlotNames { operands, results })
    }

    fn register(&self, slot: Option<&Option<(char, usize)>>, view: View) -> String {
        let Some((letter, number)) = slot.copied().flatten() else { return String::new() };
        let letter = match view {
            View::Letter(letter) => letter,
            View::Plain | View::Page | View::Low12 => letter,
        };
        let mut name = String::new();
        // Writing to a string cannot fail.
        let _ = write!(name, "{letter}{number}");
        name
    }
}
