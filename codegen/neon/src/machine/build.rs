//! Building the machine function: virtual registers, operands, edges.

use std::ops::Range;

use regalloc2::{
    Block, Inst, InstRange, Operand, OperandConstraint, OperandKind, OperandPos, PRegSet, RegClass,
    VReg,
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use tegula_ir::{BlockId, Body, OpId, ValueId};

use super::alloc::{call_clobbers, int};
use super::{MachineBlock, MachineError, MachineFunction, MachineInst, MachineKind};
use crate::instr::{Control, InstrRow, InstrTable, RegFile};

/// The most values that are passed in registers to or from a function.
const MAX_ARGUMENTS: usize = 8;

/// A block to be: one of the IR, or one on an edge.
struct Plan {
    source: Option<BlockId>,
    succs: Vec<Dest>,
    args: Vec<Vec<ValueId>>,
}

/// Where a plan's terminator goes.
#[derive(Clone, Copy)]
enum Dest {
    /// To the plan of that number, an edge.
    Edge(usize),
    /// To the plan of that block.
    Block(BlockId),
}

pub(super) fn build(
    table: &InstrTable,
    body: &Body,
    func: OpId,
) -> Result<MachineFunction, MachineError> {
    let Some(region) = body.region(func, 0).filter(|r| body.first_block(*r).is_some()) else {
        return Err(MachineError::new(func, "no-body", "the function has no body"));
    };
    let blocks: Vec<BlockId> = body.blocks(region).collect();
    let (plans, position) = plan_blocks(table, body, func, &blocks)?;
    let mut builder = Builder {
        table,
        body,
        func,
        vregs: vec![None; body.bounds().1],
        flags: None,
        function: MachineFunction {
            func,
            blocks: Vec::new(),
            insts: Vec::new(),
            operands: Vec::new(),
            num_vregs: 0,
            frame_objects: Vec::new(),
            has_calls: false,
        },
    };
    builder.number_values(&blocks)?;
    builder.entry(func, blocks[0])?;
    // Machine block 0 holds the parameters; plan `i` becomes machine block `i + 1`.
    for plan in &plans {
        builder.block(plan, &position)?;
    }
    Ok(builder.finish())
}

/// The blocks in layout order. An edge between a block with several ways out and one with several
/// ways in gets a block of its own, where the allocator can put moves; it stands right behind the
/// block that it leaves.
fn plan_blocks(
    table: &InstrTable,
    body: &Body,
    func: OpId,
    blocks: &[BlockId],
) -> Result<(Vec<Plan>, FxHashMap<BlockId, usize>), MachineError> {
    let mut preds: FxHashMap<BlockId, usize> = FxHashMap::default();
    for &block in blocks {
        let Some(last) = body.last_op(block) else {
            return Err(MachineError::new(func, "no-terminator", "a block has no terminator"));
        };
        for &succ in body.successors(last) {
            *preds.entry(succ).or_default() += 1;
        }
    }
    if preds.contains_key(&blocks[0]) {
        return Err(MachineError::new(func, "branch-to-entry", "the entry block is branched to"));
    }
    let mut plans: Vec<Plan> = Vec::new();
    let mut position: FxHashMap<BlockId, usize> = FxHashMap::default();
    for &block in blocks {
        position.insert(block, plans.len());
        let last = body
            .last_op(block)
            .ok_or_else(|| MachineError::new(func, "no-terminator", "a block has no terminator"))?;
        let succs = body.successors(last);
        let at = plans.len();
        plans.push(Plan { source: Some(block), succs: Vec::new(), args: Vec::new() });
        for (&succ, args) in succs.iter().zip(successor_args(table, body, last)?) {
            if succs.len() > 1 && preds.get(&succ).is_some_and(|&count| count > 1) {
                let edge = plans.len();
                plans[at].succs.push(Dest::Edge(edge));
                plans[at].args.push(Vec::new());
                plans.push(Plan { source: None, succs: vec![Dest::Block(succ)], args: vec![args] });
            } else {
                plans[at].succs.push(Dest::Block(succ));
                plans[at].args.push(args);
            }
        }
    }
    Ok((plans, position))
}

/// The block arguments of a terminator, by successor.
fn successor_args(
    table: &InstrTable,
    body: &Body,
    op: OpId,
) -> Result<Vec<Vec<ValueId>>, MachineError> {
    let row = row_of(table, body, op)?;
    let groups = operand_groups(body, row, op)?;
    let mut variadic = groups
        .iter()
        .zip(&row.operands)
        .filter(|(_, slot)| slot.variadic)
        .map(|(range, _)| range.clone());
    let operands: Vec<ValueId> = body.operands(op).collect();
    Ok(body
        .successors(op)
        .iter()
        .map(|_| variadic.next().map_or_else(Vec::new, |range| operands[range].to_vec()))
        .collect())
}

fn row_of<'t>(table: &'t InstrTable, body: &Body, op: OpId) -> Result<&'t InstrRow, MachineError> {
    table.row(body.name(op)).ok_or_else(|| {
        let message = format!("`{}` is not a machine instruction", body.name(op));
        MachineError::new(op, "not-an-instruction", message)
    })
}

/// The positions of each operand group.
pub(super) type OperandGroups = SmallVec<[Range<usize>; 4]>;

/// Divides an instruction's operands into its groups.
pub(super) fn operand_groups(
    body: &Body,
    row: &InstrRow,
    op: OpId,
) -> Result<OperandGroups, MachineError> {
    let count = body.num_operands(op);
    let variadic = row.operands.iter().filter(|slot| slot.variadic).count();
    let sizes: SmallVec<[usize; 4]> = match body.attr(op, "operandSegmentSizes") {
        Some(sizes) if variadic > 1 => sizes
            .as_dense_array()
            .unwrap_or_default()
            .iter()
            .map(|&size| usize::try_from(size).unwrap_or(usize::MAX))
            .collect(),
        _ => row
            .operands
            .iter()
            .map(
                |slot| {
                    if slot.variadic { (count + 1).saturating_sub(row.operands.len()) } else { 1 }
                },
            )
            .collect(),
    };
    let total = sizes.iter().try_fold(0usize, |sum, &size| sum.checked_add(size));
    if sizes.len() != row.operands.len() || total != Some(count) {
        let message =
            format!("`{}` has {count} operands, which its groups do not add up to", row.name);
        return Err(MachineError::new(op, "operand-count", message));
    }
    let mut at = 0;
    Ok(sizes
        .into_iter()
        .map(|size| {
            at += size;
            at - size..at
        })
        .collect())
}

struct Builder<'a> {
    table: &'a InstrTable,
    body: &'a Body,
    func: OpId,
    vregs: Vec<Option<VReg>>,
    /// What the flags hold at this place of the block.
    flags: Option<ValueId>,
    function: MachineFunction,
}

impl Builder<'_> {
    fn number_values(&mut self, blocks: &[BlockId]) -> Result<(), MachineError> {
        for &block in blocks {
            let args = self.body.block_args(block).iter().map(|&value| (self.func, value));
            let results = self
                .body
                .block_ops(block)
                .flat_map(|op| self.body.results(op).map(move |value| (op, value)));
            let all: Vec<(OpId, ValueId)> = args.chain(results).collect();
            for (op, value) in all {
                let class = match self.table.file(self.body.ty(value)) {
                    Some(RegFile::Int) => RegClass::Int,
                    Some(RegFile::Float) => RegClass::Float,
                    Some(RegFile::Flags) => continue,
                    None => {
                        let message = "a value of the function is not in a register";
                        return Err(MachineError::new(op, "not-a-register", message));
                    }
                };
                self.vregs[value.index()] = Some(VReg::new(self.function.num_vregs, class));
                self.function.num_vregs += 1;
            }
        }
        Ok(())
    }

    fn vreg(&self, op: OpId, value: ValueId) -> Result<VReg, MachineError> {
        self.vregs[value.index()].ok_or_else(|| {
            MachineError::new(op, "not-a-register", "an operand is not in a register")
        })
    }

    fn entry(&mut self, func: OpId, entry: BlockId) -> Result<(), MachineError> {
        let params = self.body.block_args(entry).to_vec();
        if params.len() > MAX_ARGUMENTS {
            let message = format!("a machine function has at most {MAX_ARGUMENTS} parameters");
            return Err(MachineError::new(func, "too-many-arguments", message));
        }
        let mut operands = Vec::new();
        for (number, value) in params.into_iter().enumerate() {
            let vreg = self.vreg(func, value)?;
            if vreg.class() != RegClass::Int {
                let message = "a machine function's parameters are integers";
                return Err(MachineError::new(func, "parameter-type", message));
            }
            operands.push(Operand::reg_fixed_def(vreg, int(number as u8)));
        }
        self.push(MachineKind::Params, operands, PRegSet::empty(), false, false);
        self.push(MachineKind::Jump, Vec::new(), PRegSet::empty(), true, false);
        self.function.blocks.push(MachineBlock {
            insts: InstRange::new(Inst::new(0), Inst::new(2)),
            succs: vec![Block::new(1)],
            preds: Vec::new(),
            params: Vec::new(),
            args: vec![Vec::new()],
        });
        Ok(())
    }

    fn push(
        &mut self,
        kind: MachineKind,
        operands: Vec<Operand>,
        clobbers: PRegSet,
        is_branch: bool,
        is_ret: bool,
    ) {
        let start = self.function.operands.len() as u32;
        self.function.operands.extend(operands);
        let end = self.function.operands.len() as u32;
        self.function.insts.push(MachineInst {
            kind,
            operands: start..end,
            clobbers,
            is_branch,
            is_ret,
        });
    }

    fn block(
        &mut self,
        plan: &Plan,
        position: &FxHashMap<BlockId, usize>,
    ) -> Result<(), MachineError> {
        let first = self.function.insts.len();
        let is_entry = self.function.blocks.len() == 1;
        let mut params = Vec::new();
        match plan.source {
            Some(block) => {
                // The entry block's arguments are defined by the parameters.
                for &value in self.body.block_args(block) {
                    params.extend(self.vregs[value.index()].filter(|_| !is_entry));
                }
                self.flags = None;
                for op in self.body.block_ops(block) {
                    self.op(op)?;
                }
            }
            None => self.push(MachineKind::Jump, Vec::new(), PRegSet::empty(), true, false),
        }
        let last = self.function.insts.len();
        let mut args = Vec::new();
        for values in &plan.args {
            let vregs: Option<Vec<VReg>> =
                values.iter().map(|value| self.vregs[value.index()]).collect();
            args.push(vregs.ok_or_else(|| {
                let message = "a block argument is not in a register";
                MachineError::new(self.func, "not-a-register", message)
            })?);
        }
        let succs: Option<Vec<Block>> = plan
            .succs
            .iter()
            .map(|succ| match succ {
                Dest::Edge(plan) => Some(Block::new(plan + 1)),
                Dest::Block(block) => position.get(block).map(|plan| Block::new(plan + 1)),
            })
            .collect();
        let succs = succs.ok_or_else(|| {
            MachineError::new(self.func, "foreign-block", "a branch leaves the function")
        })?;
        self.function.blocks.push(MachineBlock {
            insts: InstRange::new(Inst::new(first), Inst::new(last)),
            succs,
            preds: Vec::new(),
            params,
            args,
        });
        Ok(())
    }

    fn op(&mut self, op: OpId) -> Result<(), MachineError> {
        let name = self.body.name(op);
        let row = row_of(self.table, self.body, op)?;
        let Some(index) = self.table.index(name) else {
            return Err(MachineError::new(op, "not-an-instruction", "no row"));
        };
        let groups = operand_groups(self.body, row, op)?;
        let operands: Vec<ValueId> = self.body.operands(op).collect();
        let mut slots: Vec<Operand> = Vec::new();
        // Where each operand group went, for ties.
        let mut slot_of: Vec<Option<usize>> = Vec::new();
        for (slot, range) in row.operands.iter().zip(groups) {
            let reads_flags = matches!(slot.file, Some((RegFile::Flags, _)));
            if reads_flags && range.clone().any(|at| Some(operands[at]) != self.flags) {
                let message = "the flags that it reads were overwritten, or are of another block";
                return Err(MachineError::new(op, "flags-lost", message));
            }
            let skip = reads_flags || (slot.variadic && row.control == Control::Branch);
            slot_of.push((!skip).then_some(slots.len()));
            if skip {
                continue;
            }
            let fixed = slot.variadic;
            for (number, at) in range.enumerate() {
                let vreg = self.vreg(op, operands[at])?;
                slots.push(if fixed {
                    self.argument(op, number)?;
                    Operand::reg_fixed_use(vreg, int(number as u8))
                } else {
                    Operand::reg_use(vreg)
                });
            }
        }
        let mut clobbers = PRegSet::empty();
        if row.control == Control::Call {
            self.function.has_calls = true;
            clobbers = call_clobbers();
            self.flags = None;
        }
        for (number, value) in self.body.results(op).enumerate() {
            let Some(vreg) = self.vregs[value.index()] else {
                self.flags = Some(value);
                continue;
            };
            let tied = row.tied.iter().find(|(result, _)| *result == number);
            slots.push(match tied.and_then(|(_, operand)| slot_of.get(*operand).copied()?) {
                Some(at) => Operand::new(
                    vreg,
                    OperandConstraint::Reuse(at),
                    OperandKind::Def,
                    OperandPos::Late,
                ),
                None if row.results.get(number).is_none_or(|slot| slot.variadic) => {
                    self.argument(op, number)?;
                    clobbers.remove(int(number as u8));
                    Operand::reg_fixed_def(vreg, int(number as u8))
                }
                None => Operand::reg_def(vreg),
            });
        }
        if self.body.is(op, "neon.frame_address") {
            let size = self.body.attr(op, "size").and_then(|a| a.as_int()).unwrap_or(0);
            self.function.frame_objects.push((op, u32::try_from(size).unwrap_or(0)));
        }
        let is_branch = row.control == Control::Branch;
        let is_ret = row.control == Control::Return;
        self.push(MachineKind::Op(op, index), slots, clobbers, is_branch, is_ret);
        Ok(())
    }

    fn argument(&self, op: OpId, number: usize) -> Result<(), MachineError> {
        if number < MAX_ARGUMENTS {
            return Ok(());
        }
        let message = format!("at most {MAX_ARGUMENTS} values are passed in registers");
        Err(MachineError::new(op, "too-many-arguments", message))
    }

    fn finish(mut self) -> MachineFunction {
        let edges: Vec<(usize, Block)> = self
            .function
            .blocks
            .iter()
            .enumerate()
            .flat_map(|(from, block)| block.succs.iter().map(move |&to| (from, to)))
            .collect();
        for (from, to) in edges {
            self.function.blocks[to.index()].preds.push(Block::new(from));
        }
        self.function
    }
}
