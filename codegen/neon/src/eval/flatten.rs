//! From bodies to code over numbered registers.

use indexmap::IndexMap;
use rustc_hash::FxHashMap;
use tegula_ir::{AttrData, BlockId, Body, DenseData, OpId, ValueId};

use super::arith::{Condition, Floats};
use super::code::{Code, conditional, plain};
use super::run::MachineRunError;

/// A function of machine ops by its symbol.
#[derive(Clone, Copy)]
pub struct EvalFunction<'a> {
    /// The symbol.
    pub symbol: &'a str,
    /// The body.
    pub body: &'a Body,
    /// The function's op.
    pub func: OpId,
}

/// Functions that are linked by symbol.
pub struct Program<'a> {
    pub(super) functions: IndexMap<&'a str, Flat<'a>>,
    /// The symbols that are called, by number.
    pub(super) symbols: Vec<String>,
    pub(super) floats: Floats,
}

/// A flattened function.
pub(super) struct Flat<'a> {
    pub(super) body: &'a Body,
    pub(super) insts: Vec<FlatInst>,
    pub(super) edges: Vec<Edge>,
    pub(super) registers: usize,
    pub(super) params: Vec<u32>,
    pub(super) constants: Vec<Vec<u8>>,
    /// Constants of ops that are not selected yet.
    pub(super) bits: Vec<u128>,
    pub(super) frame: Vec<usize>,
}

/// Where a branch goes, and which registers the block's arguments come from.
#[derive(Clone, Debug)]
pub(super) struct Edge {
    pub(super) target: usize,
    pub(super) moves: Vec<(u32, u32)>,
    /// A source is also a target.
    pub(super) parallel: bool,
}

/// One instruction; operands beyond the third and results beyond the second are in `more`.
#[derive(Clone, Debug)]
pub(super) struct FlatInst {
    pub(super) code: Code,
    pub(super) outs: [u32; 2],
    pub(super) ins: [u32; 3],
    pub(super) imms: [i64; 2],
    /// For branches the edges, for calls and returns all operands.
    pub(super) edges: [u32; 2],
    pub(super) args: Vec<u32>,
    pub(super) op: OpId,
}

/// The attributes that are immediates, in the order that the code reads them.
const IMMEDIATES: [&str; 6] = ["offset", "imm", "lane", "from", "shift", "size"];

impl<'a> Program<'a> {
    /// Links functions. An op without meaning is an error.
    pub fn new(
        functions: impl IntoIterator<Item = EvalFunction<'a>>,
    ) -> Result<Program<'a>, MachineRunError> {
        let mut program =
            Program { functions: IndexMap::new(), symbols: Vec::new(), floats: Floats::new() };
        for function in functions {
            let flat = program.flatten(function)?;
            program.functions.insert(function.symbol, flat);
        }
        Ok(program)
    }

    fn symbol(&mut self, name: &str) -> u32 {
        let at = self.symbols.iter().position(|symbol| symbol == name).unwrap_or_else(|| {
            self.symbols.push(name.to_owned());
            self.symbols.len() - 1
        });
        at as u32
    }

    fn flatten(&mut self, function: EvalFunction<'a>) -> Result<Flat<'a>, MachineRunError> {
        let EvalFunction { symbol, body, func } = function;
        let fail = |op: OpId, message: String| MachineRunError::new(symbol, body, op, message);
        let Some(region) = body.region(func, 0) else {
            return Err(fail(func, "has no body".to_owned()));
        };
        let blocks: Vec<BlockId> = body.blocks(region).collect();
        let mut registers: FxHashMap<ValueId, u32> = FxHashMap::default();
        for &block in &blocks {
            let results = body.block_ops(block).flat_map(|op| body.results(op));
            for value in body.block_args(block).iter().copied().chain(results) {
                let next = registers.len() as u32;
                registers.insert(value, next);
            }
        }
        let mut starts: FxHashMap<BlockId, usize> = FxHashMap::default();
        let mut at = 0;
        for &block in &blocks {
            starts.insert(block, at);
            at += body.block_ops(block).count();
        }
        let entry = blocks.first().map_or(&[][..], |&block| body.block_args(block));
        let mut flat = Flat {
            body,
            insts: Vec::new(),
            edges: Vec::new(),
            registers: registers.len(),
            params: entry.iter().map(|value| registers[value]).collect(),
            constants: Vec::new(),
            bits: Vec::new(),
            frame: Vec::new(),
        };
        for &block in &blocks {
            for op in body.block_ops(block) {
                let register = |value: ValueId| {
                    registers.get(&value).copied().ok_or_else(|| {
                        fail(op, "uses a value from outside of the function".to_owned())
                    })
                };
                let code = self.code(body, op, &mut flat).map_err(|message| fail(op, message))?;
                let operands: Vec<u32> =
                    body.operands(op).map(register).collect::<Result<_, _>>()?;
                let results: Vec<u32> = body.results(op).map(register).collect::<Result<_, _>>()?;
                let slot = |list: &[u32], at: usize| list.get(at).copied().unwrap_or(0);
                let mut imms = IMMEDIATES
                    .iter()
                    .filter_map(|name| body.attr(op, name).and_then(|attr| attr.as_int()));
                let mut inst = FlatInst {
                    code,
                    outs: [0, 1].map(|at| slot(&results, at)),
                    ins: [0, 1, 2].map(|at| slot(&operands, at)),
                    imms: [imms.next().unwrap_or(0), imms.next().unwrap_or(0)],
                    edges: [0, 0],
                    args: Vec::new(),
                    op,
                };
                if let Some(&[lane]) =
                    body.attr(op, "static_position").and_then(|attr| attr.as_dense_array())
                {
                    inst.imms[0] = lane;
                }
                if matches!(code, Code::Call(_) | Code::Return) {
                    inst.args = operands;
                }
                for (number, &target) in body.successors(op).iter().enumerate().take(2) {
                    let Some(&start) = starts.get(&target) else {
                        return Err(fail(op, "branches out of the function".to_owned()));
                    };
                    let args = crate::select::branch_args(body, op, number);
                    let moves: Vec<(u32, u32)> = args
                        .zip(body.block_args(target))
                        .map(|(from, to)| Ok((register(from)?, register(*to)?)))
                        .collect::<Result<_, MachineRunError>>()?;
                    let parallel =
                        moves.iter().any(|(from, _)| moves.iter().any(|(_, to)| from == to));
                    inst.edges[number] = flat.edges.len() as u32;
                    flat.edges.push(Edge { target: start, moves, parallel });
                }
                flat.insts.push(inst);
            }
        }
        Ok(flat)
    }

    fn code(&mut self, body: &Body, op: OpId, flat: &mut Flat<'_>) -> Result<Code, String> {
        let name = body.name(op).as_str();
        if let Some(code) = plain(name) {
            return Ok(code);
        }
        let condition = body.attr(op, "cond").and_then(|attr| attr.as_str());
        if let Some(condition) = condition {
            let condition = Condition::parse(condition);
            let code = condition.and_then(|condition| conditional(name, condition));
            return code.ok_or_else(|| "has an unknown condition".to_owned());
        }
        match name {
            "neon.adrp" => {
                let bytes = body.attr(op, "data").and_then(constant_bytes);
                flat.constants.push(bytes.ok_or("has no constant")?);
                Ok(Code::Constant(flat.constants.len() as u32 - 1))
            }
            "neon.frame_address" => {
                let size = body.attr(op, "size").and_then(|attr| attr.as_int());
                flat.frame.push(size.and_then(|s| usize::try_from(s).ok()).ok_or("has no size")?);
                Ok(Code::Frame(flat.frame.len() as u32 - 1))
            }
            "neon.bl" => {
                let callee = body.attr(op, "callee").and_then(|attr| attr.as_symbol_root());
                Ok(Code::Call(self.symbol(callee.ok_or("has no callee")?.as_str())))
            }
            _ if body.name(op).dialect() != "neon" => {
                super::unselected::code(body, op, &mut flat.bits)
                    .ok_or_else(|| "has no meaning for the machine evaluator".to_owned())
            }
            _ => Err("has no meaning for the machine evaluator".to_owned()),
        }
    }
}

fn constant_bytes(attr: tegula_ir::Attr) -> Option<Vec<u8>> {
    match attr.data() {
        AttrData::Dense { data: DenseData::Bytes(bytes), .. } => Some(bytes.to_vec()),
        AttrData::Dense { data: DenseData::Splat(one), ty } => {
            Some(one.repeat(usize::try_from(ty.num_elements()?).ok()?))
        }
        _ => None,
    }
}
