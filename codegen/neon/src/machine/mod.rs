//! From `neon` ops to assembly text: the machine function, register allocation, the frame.

mod alloc;
mod build;
mod emit;
mod error;
mod frame;
#[cfg(test)]
mod tests;

pub use error::MachineError;

use regalloc2::{Block, Inst, InstRange, Operand, PRegSet, RegClass, VReg};
use tegula_ir::{Body, Ident, OpId};

use crate::asm::{AsmFunction, Visibility};
use crate::instr::InstrTable;

/// Makes the assembly text of a function: allocates registers, lays out the frame, prints.
///
/// `func` is a `func.func` whose body consists of `neon` ops. `symbol` is what the text calls it.
pub fn assemble(
    table: &InstrTable,
    body: &Body,
    func: OpId,
    symbol: Ident,
    visibility: Visibility,
) -> Result<AsmFunction, MachineError> {
    let function = build::build(table, body, func)?;
    let output = alloc::run(&function)
        .map_err(|message| MachineError::new(func, "register-allocation", message))?;
    emit::emit(table, body, &function, &output, symbol, visibility)
}

/// A function as the register allocator sees it.
pub(crate) struct MachineFunction {
    /// The function's op.
    pub(crate) func: OpId,
    pub(crate) blocks: Vec<MachineBlock>,
    pub(crate) insts: Vec<MachineInst>,
    pub(crate) operands: Vec<Operand>,
    pub(crate) num_vregs: usize,
    /// Memory in the frame: the op that asks for it, and its size in bytes.
    pub(crate) frame_objects: Vec<(OpId, u32)>,
    pub(crate) has_calls: bool,
}

pub(crate) struct MachineBlock {
    pub(crate) insts: InstRange,
    pub(crate) succs: Vec<Block>,
    pub(crate) preds: Vec<Block>,
    pub(crate) params: Vec<VReg>,
    /// The block arguments that the terminator passes, by successor.
    pub(crate) args: Vec<Vec<VReg>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum MachineKind {
    /// Defines the function's parameters in their registers.
    Params,
    /// Goes to the only successor; made where the IR has no op for it.
    Jump,
    /// An op, by the position of its row.
    Op(OpId, usize),
}

pub(crate) struct MachineInst {
    pub(crate) kind: MachineKind,
    pub(crate) operands: std::ops::Range<u32>,
    pub(crate) clobbers: PRegSet,
    pub(crate) is_branch: bool,
    pub(crate) is_ret: bool,
}

impl regalloc2::Function for MachineFunction {
    fn num_insts(&self) -> usize {
        self.insts.len()
    }

    fn num_blocks(&self) -> usize {
        self.blocks.len()
    }

    fn entry_block(&self) -> Block {
        Block::new(0)
    }

    fn block_insns(&self, block: Block) -> InstRange {
        self.blocks[block.index()].insts
    }

    fn block_succs(&self, block: Block) -> &[Block] {
        &self.blocks[block.index()].succs
    }

    fn block_preds(&self, block: Block) -> &[Block] {
        &self.blocks[block.index()].preds
    }

    fn block_params(&self, block: Block) -> &[VReg] {
        &self.blocks[block.index()].params
    }

    fn is_ret(&self, inst: Inst) -> bool {
        self.insts[inst.index()].is_ret
    }

    fn is_branch(&self, inst: Inst) -> bool {
        self.insts[inst.index()].is_branch
    }

    fn branch_blockparams(&self, block: Block, _inst: Inst, succ: usize) -> &[VReg] {
        &self.blocks[block.index()].args[succ]
    }

    fn inst_operands(&self, inst: Inst) -> &[Operand] {
        let range = &self.insts[inst.index()].operands;
        &self.operands[range.start as usize..range.end as usize]
    }

    fn inst_clobbers(&self, inst: Inst) -> PRegSet {
        self.insts[inst.index()].clobbers
    }

    fn num_vregs(&self) -> usize {
        self.num_vregs
    }

    fn spillslot_size(&self, class: RegClass) -> usize {
        match class {
            RegClass::Int => 1,
            RegClass::Float | RegClass::Vector => 2,
        }
    }
}
