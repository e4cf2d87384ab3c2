//! Lane programs: a structured op's body compiled to kernels over batches of iterations.

use smallvec::SmallVec;
use tegula_ir::{BlockId, ValueId};

use rustc_hash::FxHashMap;

use crate::{EvalError, Frame, Kernel, LaneOp, ScalarType, Semantics, Value};

struct Step {
    kernel: Kernel,
    ins: SmallVec<[usize; 3]>,
    out: usize,
    mask: u64,
}

/// The scalar body of a structured op as straight-line code over registers of lanes.
pub struct Program {
    /// How many registers there are; the first are the block's arguments.
    registers: usize,
    args: usize,
    constants: Vec<(usize, u64)>,
    indices: Vec<(usize, usize)>,
    steps: Vec<Step>,
    yields: Vec<usize>,
    used: Vec<bool>,
}

impl Program {
    /// Compiles a block whose ops are all element-wise on scalars; none when one is not, and the
    /// block has to be interpreted. Values from outside of the block become constants.
    pub fn compile(
        semantics: &Semantics,
        frame: &Frame<'_>,
        block: BlockId,
    ) -> Result<Option<Program>, EvalError> {
        let body = frame.body;
        let mut program = Program {
            registers: 0,
            args: body.block_args(block).len(),
            constants: Vec::new(),
            indices: Vec::new(),
            steps: Vec::new(),
            yields: Vec::new(),
            used: Vec::new(),
        };
        let mut register_of: FxHashMap<ValueId, usize> = FxHashMap::default();
        for &arg in body.block_args(block) {
            if ScalarType::of(body.ty(arg)).is_none() {
                return Ok(None);
            }
            register_of.insert(arg, program.new_register());
        }
        let Some(terminator) = body.last_op(block) else { return Ok(None) };
        for op in body.block_ops(block) {
            let mut ins = SmallVec::new();
            for operand in body.operands(op) {
                let register = match register_of.get(&operand) {
                    Some(&register) => register,
                    None => {
                        let Value::Scalar(scalar) = frame.get(operand)? else { return Ok(None) };
                        let register = program.new_register();
                        program.constants.push((register, scalar.bits));
                        register_of.insert(operand, register);
                        register
                    }
                };
                program.used[register] = true;
                ins.push(register);
            }
            if op == terminator {
                program.yields = ins.to_vec();
                break;
            }
            match semantics.lane_op(body, op) {
                Some(LaneOp::Kernels(kernels)) => {
                    for (result, kernel) in body.results(op).zip(kernels) {
                        let Some(ty) = ScalarType::of(body.ty(result)) else { return Ok(None) };
                        let out = program.new_register();
                        register_of.insert(result, out);
                        let ins = ins.clone();
                        program.steps.push(Step { kernel, ins, out, mask: ty.mask() });
                    }
                }
                Some(LaneOp::Constant(bits)) => {
                    let register = program.new_register();
                    program.constants.push((register, bits));
                    register_of.insert(body.result(op, 0), register);
                }
                Some(LaneOp::IterationIndex(dim)) => {
                    let register = program.new_register();
                    program.indices.push((register, dim));
                    register_of.insert(body.result(op, 0), register);
                }
                None => return Ok(None),
            }
        }
        Ok(Some(program))
    }

    fn new_register(&mut self) -> usize {
        self.registers += 1;
        self.used.push(false);
        self.registers - 1
    }

    /// Whether the program reads argument number `arg`.
    pub fn uses_arg(&self, arg: usize) -> bool {
        arg < self.args && self.used[arg]
    }

    /// The number of values that the body yields.
    pub fn num_yields(&self) -> usize {
        self.yields.len()
    }

    /// The dimensions whose iteration number the program reads, with their registers.
    pub(crate) fn indices(&self) -> &[(usize, usize)] {
        &self.indices
    }

    /// Registers of `lanes` lanes each, constants filled in.
    pub(crate) fn registers(&self, lanes: usize) -> Vec<Vec<u64>> {
        let mut registers = vec![vec![0; lanes]; self.registers];
        for &(register, bits) in &self.constants {
            registers[register].fill(bits);
        }
        registers
    }

    /// Runs the first `lanes` lanes; arguments and indices must be filled in.
    pub(crate) fn run(&self, registers: &mut [Vec<u64>], lanes: usize) -> Result<(), EvalError> {
        for step in &self.steps {
            // No step reads its own output: every result has a register of its own.
            let mut out = std::mem::take(&mut registers[step.out]);
            let ins: SmallVec<[&[u64]; 3]> =
                step.ins.iter().map(|&r| &registers[r][..lanes]).collect();
            let done = step.kernel.lanes(&mut out[..lanes], &ins);
            if step.mask != u64::MAX {
                for bits in &mut out[..lanes] {
                    *bits &= step.mask;
                }
            }
            drop(ins);
            registers[step.out] = out;
            done?;
        }
        Ok(())
    }

    /// The lanes of the value yielded at `index`.
    pub(crate) fn yielded<'r>(&self, registers: &'r [Vec<u64>], index: usize) -> &'r [u64] {
        &registers[self.yields[index]]
    }
}
