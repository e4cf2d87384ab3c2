//! Running flattened functions.

use std::fmt;

use tegula_ir::{Attr, Body, OpId, OpName};

use super::arith::{Flags, Float2};
use super::code::Code;
use super::flatten::{Edge, Flat, FlatInst, Program};
use super::memory::{Memory, Region};

/// What went wrong in a run of machine ops.
#[derive(Clone, Debug, PartialEq)]
pub struct MachineRunError {
    /// The function.
    pub function: String,
    /// The op at which the run stopped.
    pub op: OpName,
    /// Its id in the function's body.
    pub op_id: OpId,
    /// Its location.
    pub loc: Attr,
    /// What is wrong, a sentence without its subject.
    pub message: String,
}

impl MachineRunError {
    pub(super) fn new(function: &str, body: &Body, op: OpId, message: String) -> MachineRunError {
        let (name, loc) = (body.name(op), body.loc(op));
        MachineRunError { function: function.to_owned(), op: name, op_id: op, loc, message }
    }
}

impl fmt::Display for MachineRunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` in @{} {}", self.op, self.function, self.message)
    }
}

impl std::error::Error for MachineRunError {}

/// A register: a vector, or a number in its low end.
type Register = u128;

/// The most calls that may be open at once.
const MAX_DEPTH: usize = 64;

/// The largest frame or heap allocation, in bytes.
const MAX_ALLOCATION: u64 = 1 << 34;

/// The instructions after which a run is taken not to end.
const MAX_STEPS: u64 = 1 << 40;

fn lanes(value: Register) -> [u32; 4] {
    [0, 32, 64, 96].map(|at| (value >> at) as u32)
}

fn vector(lanes: [u32; 4]) -> Register {
    u128::from(lanes[0])
        | u128::from(lanes[1]) << 32
        | u128::from(lanes[2]) << 64
        | u128::from(lanes[3]) << 96
}

enum Next {
    Following,
    Edge(u32),
    Return(u64),
}

struct Runner<'p, 'a, 'm> {
    program: &'p Program<'a>,
    memory: &'m mut Memory,
    steps: u64,
    depth: usize,
}

impl Program<'_> {
    /// Calls a function with integers; gives what is in x0 afterwards when it returns a value.
    pub fn call(
        &self,
        memory: &mut Memory,
        symbol: &str,
        args: &[u64],
    ) -> Result<u64, MachineRunError> {
        let mut runner = Runner { program: self, memory, steps: 0, depth: 0 };
        runner.function(symbol, args)
    }
}

impl Runner<'_, '_, '_> {
    fn function(&mut self, symbol: &str, args: &[u64]) -> Result<u64, MachineRunError> {
        let program = self.program;
        let Some((symbol, flat)) = program.functions.get_key_value(symbol) else {
            let found = program.functions.first();
            let (body, op) = found.map_or((None, None), |(_, f)| (Some(f.body), f.body.root()));
            let message = format!("calls @{symbol}, which is not there");
            return Err(match body.zip(op) {
                Some((body, op)) => MachineRunError::new(symbol, body, op, message),
                None => unlinked(symbol, message),
            });
        };
        let fail = |inst: &FlatInst, message: String| {
            MachineRunError::new(symbol, flat.body, inst.op, message)
        };
        let Some(first) = flat.insts.first() else {
            return Ok(0);
        };
        if args.len() != flat.params.len() {
            let message = format!("is given {} arguments of {}", args.len(), flat.params.len());
            return Err(fail(first, message));
        }
        if self.depth >= MAX_DEPTH {
            return Err(fail(first, "calls deeper than the evaluator goes".to_owned()));
        }
        let constants: Vec<Region> =
            flat.constants.iter().map(|bytes| self.memory.add(bytes.clone())).collect();
        let frame: Vec<Region> =
            flat.frame.iter().map(|&size| self.memory.add(vec![0; size])).collect();
        let mut registers: Vec<Register> = vec![0; flat.registers.max(1)];
        for (&register, &arg) in flat.params.iter().zip(args) {
            registers[register as usize] = arg.into();
        }
        let mut at = 0;
        let mut scratch = Vec::new();
        let result = loop {
            let Some(inst) = flat.insts.get(at) else { break 0 };
            self.steps += 1;
            if self.steps > MAX_STEPS {
                return Err(fail(inst, "runs longer than the evaluator waits".to_owned()));
            }
            let next = match inst.code {
                Code::Call(callee) => self.call_inst(flat, inst, callee, &mut registers, symbol)?,
                Code::Constant(number) => {
                    let address = constants[number as usize].address();
                    registers[inst.outs[0] as usize] = address.into();
                    Next::Following
                }
                Code::Bits(number) => {
                    registers[inst.outs[0] as usize] = flat.bits[number as usize];
                    Next::Following
                }
                Code::Frame(number) => {
                    let address = frame[number as usize].address();
                    registers[inst.outs[0] as usize] = address.into();
                    Next::Following
                }
                _ => self.inst(inst, &mut registers).map_err(|message| fail(inst, message))?,
            };
            match next {
                Next::Following => at += 1,
                Next::Edge(edge) => {
                    let edge = &flat.edges[edge as usize];
                    take_edge(edge, &mut registers, &mut scratch);
                    at = edge.target;
                }
                Next::Return(value) => break value,
            }
        };
        for region in frame.into_iter().chain(constants) {
            self.memory.take(region);
        }
        Ok(result)
    }

    fn call_inst(
        &mut self,
        flat: &Flat<'_>,
        inst: &FlatInst,
        callee: u32,
        registers: &mut [Register],
        symbol: &str,
    ) -> Result<Next, MachineRunError> {
        let program = self.program;
        let fail = |message: String| MachineRunError::new(symbol, flat.body, inst.op, message);
        let args: Vec<u64> =
            inst.args.iter().map(|&register| registers[register as usize] as u64).collect();
        let name = program.symbols[callee as usize].as_str();
        let value = if program.functions.contains_key(name) {
            self.depth += 1;
            let value = self.function(name, &args)?;
            self.depth -= 1;
            value
        } else {
            self.external(name, &args).map_err(fail)?
        };
        if flat.body.num_results(inst.op) > 0 {
            registers[inst.outs[0] as usize] = value.into();
        }
        Ok(Next::Following)
    }

    /// The functions of the C library that entries call.
    fn external(&mut self, name: &str, args: &[u64]) -> Result<u64, String> {
        match (name, args) {
            ("malloc", &[size]) if size <= MAX_ALLOCATION => {
                Ok(self.memory.add(vec![0; size as usize]).address())
            }
            ("malloc", &[_]) => Ok(0),
            ("free", &[address]) => self.memory.free(address).map(|()| 0),
            ("abort", _) => Err("aborts: there is no memory for its scratch".to_owned()),
            _ => Err(format!("calls @{name}, which is not there")),
        }
    }

    fn inst(&mut self, inst: &FlatInst, r: &mut [Register]) -> Result<Next, String> {
        let [a, b, c] = inst.ins.map(|register| r[register as usize]);
        let [imm, imm2] = inst.imms;
        let (x, y, z) = (a as u64, b as u64, c as u64);
        let out = inst.outs[0] as usize;
        let floats = &self.program.floats;
        let two = |op: Float2, a: Register, b: Register| {
            let (a, b) = (lanes(a), lanes(b));
            vector([0, 1, 2, 3].map(|i| floats.two(op, a[i], b[i])))
        };
        let fused = |acc: Register, a: Register, b: [u32; 4], negate: bool| {
            let sign = if negate { 1 << 31 } else { 0 };
            let (acc, a) = (lanes(acc), lanes(a));
            vector([0, 1, 2, 3].map(|i| floats.fma(acc[i], a[i] ^ sign, b[i])))
        };
        let lane = |value: Register, at: i64| lanes(value)[at as usize & 3];
        let shifted = |value: u64, by: u32| value.wrapping_shl(by);
        let near = |base: u64| base.wrapping_add(imm as u64);
        let value: Register = match inst.code {
            Code::Load(bytes) => self.load(near(x), bytes)?,
            Code::LoadIndexed(bytes, shift) => {
                self.load(x.wrapping_add(shifted(y, shift)), bytes)?
            }
            Code::LoadPost => {
                let value = self.load(x, 16)?;
                r[inst.outs[1] as usize] = near(x).into();
                value
            }
            Code::LoadPair => {
                r[inst.outs[1] as usize] = self.load(near(x).wrapping_add(16), 16)?;
                self.load(near(x), 16)?
            }
            Code::LoadSplat => vector([self.load(x, 4)? as u32; 4]),
            Code::LoadLane => {
                let mut lanes = lanes(a);
                lanes[imm as usize & 3] = self.load(y, 4)? as u32;
                vector(lanes)
            }
            Code::Store(bytes) => return self.store(near(y), bytes, a),
            Code::StoreIndexed(bytes, shift) => {
                return self.store(y.wrapping_add(shifted(z, shift)), bytes, a);
            }
            Code::StorePost => {
                self.store(y, 16, a)?;
                near(y).into()
            }
            Code::StorePair => {
                self.store(near(z), 16, a)?;
                return self.store(near(z).wrapping_add(16), 16, b);
            }
            Code::StoreLane => return self.store(y, 4, lane(a, imm).into()),
            Code::Float4(op) => two(op, a, b),
            Code::FloatS(op) => floats.two(op, a as u32, b as u32).into(),
            Code::Neg4 => vector(lanes(a).map(|lane| lane ^ 1 << 31)),
            Code::NegS => (a as u32 ^ 1 << 31).into(),
            Code::Fused4(negate) => fused(a, b, lanes(c), negate),
            Code::FusedLane4(negate) => fused(a, b, [lane(c, imm); 4], negate),
            Code::FusedS4 => fused(a, b, [c as u32; 4], false),
            Code::MulLane4 => two(Float2::Mul, a, vector([lane(b, imm); 4])),
            Code::MulS4 => two(Float2::Mul, a, vector([b as u32; 4])),
            Code::FusedS => floats.fma(a as u32, b as u32, c as u32).into(),
            Code::Zero => 0,
            Code::DupLane4 => vector([lane(a, imm); 4]),
            Code::Dup4 => vector([a as u32; 4]),
            Code::Lane => lane(a, imm).into(),
            Code::InsLane => {
                let mut lanes = lanes(a);
                lanes[imm as usize & 3] = lane(b, imm2);
                vector(lanes)
            }
            Code::InsS => {
                let mut lanes = lanes(a);
                lanes[imm as usize & 3] = b as u32;
                vector(lanes)
            }
            Code::Permute4(mask) => {
                let (a, b) = (lanes(a), lanes(b));
                let all = [a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3]];
                vector(mask.map(|from| all[from as usize & 7]))
            }
            Code::Ext => match imm as u32 & 15 {
                0 => a,
                bytes => a >> (8 * bytes) | b << (128 - 8 * bytes),
            },
            Code::Copy => a,
            Code::AddX => x.wrapping_add(y).into(),
            Code::SubX => x.wrapping_sub(y).into(),
            Code::MulX => x.wrapping_mul(y).into(),
            Code::SDivX => match y {
                0 => 0,
                _ => ((x as i64).wrapping_div(y as i64) as u64).into(),
            },
            Code::UDivX => x.checked_div(y).unwrap_or(0).into(),
            Code::AndX => (x & y).into(),
            Code::OrrX => (x | y).into(),
            Code::EorX => (x ^ y).into(),
            Code::LslX => x.wrapping_shl(y as u32).into(),
            Code::LsrX => x.wrapping_shr(y as u32).into(),
            Code::AsrX => ((x as i64).wrapping_shr(y as u32) as u64).into(),
            Code::AddImm(shift) => x.wrapping_add(shifted(imm as u64, shift)).into(),
            Code::SubImm(shift) => x.wrapping_sub(shifted(imm as u64, shift)).into(),
            Code::LslImm => x.wrapping_shl(imm as u32).into(),
            Code::LsrImm => x.wrapping_shr(imm as u32).into(),
            Code::AsrImm => ((x as i64).wrapping_shr(imm as u32) as u64).into(),
            Code::AddShifted => x.wrapping_add(shifted(y, imm as u32)).into(),
            Code::SubShifted => x.wrapping_sub(shifted(y, imm as u32)).into(),
            Code::MAddX => z.wrapping_add(x.wrapping_mul(y)).into(),
            Code::MSubX => z.wrapping_sub(x.wrapping_mul(y)).into(),
            Code::Movz => shifted(imm as u64, imm2 as u32).into(),
            Code::Movn => (!shifted(imm as u64, imm2 as u32)).into(),
            Code::Movk | Code::MovkW => {
                let kept = x & !shifted(0xffff, imm2 as u32);
                let value = kept | shifted(imm as u64, imm2 as u32);
                if inst.code == Code::MovkW { (value as u32).into() } else { value.into() }
            }
            Code::CmpX => Flags::of_difference(x, y).bits().into(),
            Code::CmpImm => Flags::of_difference(x, imm as u64).bits().into(),
            Code::SubsImm => {
                r[inst.outs[1] as usize] = Flags::of_difference(x, imm as u64).bits().into();
                x.wrapping_sub(imm as u64).into()
            }
            Code::Csel(condition) => {
                if Flags::from_bits(x).holds(condition) {
                    b
                } else {
                    c
                }
            }
            Code::Cset(condition) => Flags::from_bits(x).holds(condition).into(),
            Code::Branch => return Ok(Next::Edge(inst.edges[0])),
            Code::BranchIf(condition) => {
                let taken = Flags::from_bits(x).holds(condition);
                return Ok(Next::Edge(inst.edges[usize::from(!taken)]));
            }
            Code::BranchIfZero => return Ok(Next::Edge(inst.edges[usize::from(x != 0)])),
            Code::BranchIfNotZero => return Ok(Next::Edge(inst.edges[usize::from(x == 0)])),
            Code::Return => {
                let value = inst.args.first().map_or(0, |&register| r[register as usize] as u64);
                return Ok(Next::Return(value));
            }
            Code::Remainder(signed) => match (y, signed) {
                (0, _) => x.into(),
                (_, true) => ((x as i64).wrapping_rem(y as i64) as u64).into(),
                (_, false) => (x % y).into(),
            },
            Code::Choose(condition) => {
                if Flags::of_difference(x, y).holds(condition) {
                    a
                } else {
                    b
                }
            }
            Code::Compare(condition) => Flags::of_difference(x, y).holds(condition).into(),
            Code::Select => {
                if x != 0 {
                    b
                } else {
                    c
                }
            }
            Code::Fma4 => fused(c, a, lanes(b), false),
            Code::InsertS => {
                let mut lanes = lanes(b);
                lanes[imm as usize & 3] = a as u32;
                vector(lanes)
            }
            // The caller has these.
            Code::Call(_) | Code::Constant(_) | Code::Frame(_) | Code::Bits(_) => 0,
        };
        r[out] = value;
        Ok(Next::Following)
    }

    fn load(&self, address: u64, bytes: u32) -> Result<Register, String> {
        Ok(match bytes {
            4 => u32::from_le_bytes(self.memory.load(address)?).into(),
            8 => u64::from_le_bytes(self.memory.load(address)?).into(),
            _ => u128::from_le_bytes(self.memory.load(address)?),
        })
    }

    fn store(&mut self, address: u64, bytes: u32, value: Register) -> Result<Next, String> {
        match bytes {
            4 => self.memory.store(address, (value as u32).to_le_bytes())?,
            8 => self.memory.store(address, (value as u64).to_le_bytes())?,
            _ => self.memory.store(address, value.to_le_bytes())?,
        }
        Ok(Next::Following)
    }
}

fn take_edge(edge: &Edge, registers: &mut [Register], scratch: &mut Vec<Register>) {
    if !edge.parallel {
        for &(from, to) in &edge.moves {
            registers[to as usize] = registers[from as usize];
        }
        return;
    }
    scratch.clear();
    scratch.extend(edge.moves.iter().map(|&(from, _)| registers[from as usize]));
    for (&(_, to), &value) in edge.moves.iter().zip(scratch.iter()) {
        registers[to as usize] = value;
    }
}

/// An error of a program without any function.
fn unlinked(symbol: &str, message: String) -> MachineRunError {
    let mut body = Body::new();
    let at = tegula_ir::InsertPoint::End(body.top_block());
    let op = body.insert(at, tegula_ir::NewOp::new("neon.bl"));
    MachineRunError::new(symbol, &body, op, message)
}
