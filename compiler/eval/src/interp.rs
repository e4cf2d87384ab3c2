//! Control: blocks, regions and calls.

use std::any::{Any, TypeId};
use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use tegula_ir::{Attr, AttrData, BlockId, Body, Module, OpId, RegionId};

use crate::semantics::KernelFn;
use crate::{
    EvalError, Frame, Kernel, LaneOp, Memory, OpFn, ScalarType, Semantics, Span, Tensor, Value,
    Vector,
};

/// Bounds on a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The number of ops that may be evaluated; an iteration of a structured op counts as one.
    pub steps: u64,
    /// The bytes that buffers may hold at once.
    pub memory: usize,
    /// How deep regions and calls may nest.
    pub depth: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { steps: 1 << 40, memory: 8 << 30, depth: 200 }
    }
}

/// Where control goes after an op.
#[derive(Clone, Debug, PartialEq)]
pub enum Flow {
    /// To the next op.
    Next,
    /// To a block, whose arguments get the values.
    Branch(BlockId, Vec<Value>),
    /// Out of the region with these values.
    Exit(Vec<Value>),
}

/// How control left a region.
#[derive(Clone, Debug, PartialEq)]
pub struct Exit {
    /// The terminator.
    pub terminator: OpId,
    /// Its values.
    pub values: Vec<Value>,
}

/// What one body's ops mean, looked up once.
#[derive(Default)]
struct BodyCache {
    ops: Vec<Option<Meaning>>,
}

#[derive(Clone)]
enum Meaning {
    Op(OpFn),
    Kernels(SmallVec<[Kernel; 1]>),
    Constant(u64),
}

/// A run of a module.
pub struct Interp<'m> {
    /// The module.
    pub module: &'m Module,
    /// The meaning of ops.
    pub semantics: &'m Semantics,
    /// The buffers.
    pub memory: Memory,
    steps: u64,
    depth: usize,
    limits: Limits,
    caches: Vec<BodyCache>,
    cache_of: FxHashMap<*const Body, usize>,
    state: BTreeMap<TypeId, Box<dyn Any>>,
    /// The current iteration of each nest whose body is being interpreted, outermost first.
    pub(crate) iterations: Vec<(OpId, Vec<i64>)>,
}

impl<'m> Interp<'m> {
    /// A run that has not begun.
    pub fn new(module: &'m Module, semantics: &'m Semantics, limits: Limits) -> Interp<'m> {
        Interp {
            module,
            semantics,
            memory: Memory::new(limits.memory),
            steps: 0,
            depth: 0,
            limits,
            caches: Vec::new(),
            cache_of: FxHashMap::default(),
            state: BTreeMap::new(),
            iterations: Vec::new(),
        }
    }

    /// A dialect's own state, made on first use: globals, devices, counters.
    pub fn state<T: Any + Default>(&mut self) -> &mut T {
        let slot = self.state.entry(TypeId::of::<T>()).or_insert_with(|| Box::new(T::default()));
        match slot.downcast_mut() {
            Some(state) => state,
            // The key is the type's id, so the box holds a T.
            None => unreachable!("state of another type"),
        }
    }

    /// The number of steps so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Counts steps; an error when the limit is passed.
    pub fn charge(&mut self, steps: u64) -> Result<(), EvalError> {
        self.steps = self.steps.saturating_add(steps);
        if self.steps > self.limits.steps {
            return Err(EvalError::new(format!(
                "evaluation takes more than {} steps",
                self.limits.steps
            )));
        }
        Ok(())
    }

    /// Evaluates a region of the frame's body, its entry block's arguments being `args`, until a
    /// terminator leaves it.
    pub fn run_region(
        &mut self,
        frame: &mut Frame<'m>,
        region: RegionId,
        args: &[Value],
    ) -> Result<Exit, EvalError> {
        let entry = frame.body.first_block(region).ok_or("has an empty region")?;
        if self.depth >= self.limits.depth {
            return Err(EvalError::new(format!(
                "regions and calls nest deeper than {}",
                self.limits.depth
            )));
        }
        self.depth += 1;
        let result = self.run_blocks(frame, entry, args);
        self.depth -= 1;
        result
    }

    fn run_blocks(
        &mut self,
        frame: &mut Frame<'m>,
        entry: BlockId,
        args: &[Value],
    ) -> Result<Exit, EvalError> {
        bind(frame, entry, args.iter().cloned())?;
        let mut at = frame.body.first_op(entry);
        loop {
            let op = at.ok_or("has a block without a terminator")?;
            let flow = self.run_op(frame, op).map_err(|e| e.at(frame.body, op))?;
            match flow {
                Flow::Next => at = frame.body.next_op(op),
                Flow::Branch(block, values) => {
                    bind(frame, block, values).map_err(|e| e.at(frame.body, op))?;
                    at = frame.body.first_op(block);
                }
                Flow::Exit(values) => return Ok(Exit { terminator: op, values }),
            }
        }
    }

    /// Evaluates one op.
    pub fn run_op(&mut self, frame: &mut Frame<'m>, op: OpId) -> Result<Flow, EvalError> {
        self.charge(1)?;
        let cached = self.caches[frame.cache].ops.get(op.index()).and_then(Option::as_ref);
        match cached {
            Some(Meaning::Op(f)) => f(self, frame, op),
            Some(Meaning::Kernels(kernels)) => {
                run_elementwise(frame, op, kernels)?;
                Ok(Flow::Next)
            }
            Some(Meaning::Constant(bits)) => {
                let bits = *bits;
                let ty = frame.body.ty(frame.body.result(op, 0));
                let elem = ScalarType::of(ty).ok_or("has a result of unsupported type")?;
                frame.set_result(op, 0, Value::Scalar(crate::Scalar::new(elem, bits)))?;
                Ok(Flow::Next)
            }
            None => {
                let meaning = self.meaning(frame.body, op)?;
                let ops = &mut self.caches[frame.cache].ops;
                if op.index() >= ops.len() {
                    ops.resize(op.index() + 1, None);
                }
                ops[op.index()] = Some(meaning);
                self.steps -= 1;
                self.run_op(frame, op)
            }
        }
    }

    fn meaning(&self, body: &Body, op: OpId) -> Result<Meaning, EvalError> {
        let name = body.name(op);
        if let Some(f) = self.semantics.op_fn(name) {
            return Ok(Meaning::Op(f));
        }
        let make: KernelFn = self
            .semantics
            .kernel_fn(name)
            .ok_or("has no meaning in the evaluator: no dialect in use defines it")?;
        match make(&crate::KernelCx { body, op }) {
            Some(LaneOp::Kernels(kernels)) => Ok(Meaning::Kernels(kernels.into())),
            Some(LaneOp::Constant(bits)) => Ok(Meaning::Constant(bits)),
            Some(LaneOp::IterationIndex(_)) => {
                Err("stands outside of a structured op's body".into())
            }
            None => Err("has operands of a type that the evaluator does not support".into()),
        }
    }

    pub(crate) fn new_frame(&mut self, body: &'m Body, callee: OpId) -> Frame<'m> {
        let key: *const Body = body;
        let cache = match self.cache_of.get(&key) {
            Some(&cache) => cache,
            None => {
                self.caches.push(BodyCache::default());
                self.cache_of.insert(key, self.caches.len() - 1);
                self.caches.len() - 1
            }
        };
        Frame::new(body, callee, cache)
    }

    /// Calls a function-like op: evaluates its first region in a new frame and gives the values of
    /// the terminator. Scratch buffers of the frame die.
    pub fn call(
        &mut self,
        body: &'m Body,
        callee: OpId,
        args: &[Value],
    ) -> Result<Vec<Value>, EvalError> {
        let region = body
            .region(callee, 0)
            .filter(|&region| body.first_block(region).is_some())
            .ok_or("is called but has no body")?;
        let mut frame = self.new_frame(body, callee);
        let result = self.run_region(&mut frame, region, args);
        for (_, span) in std::mem::take(&mut frame.scratch) {
            self.memory.free(span.buffer)?;
        }
        match result {
            Ok(exit) => Ok(exit.values),
            Err(mut error) => {
                error.calls.push(body.symbol_name(callee).unwrap_or("<anonymous>").to_owned());
                Err(error)
            }
        }
    }

    /// Zeroed memory that dies with the frame. An op that runs again gets the same memory, for what
    /// it held is dead by then.
    pub fn scratch(
        &mut self,
        frame: &mut Frame<'m>,
        op: OpId,
        size: usize,
    ) -> Result<Span, EvalError> {
        let known = frame.scratch.iter().find(|(o, span)| *o == op && span.length == size);
        if let Some((_, span)) = known {
            self.memory.bytes_mut(*span)?.fill(0);
            return Ok(*span);
        }
        let span = self.memory.alloc(size)?;
        frame.scratch.push((op, span));
        Ok(span)
    }

    /// Calls what a symbol attribute of an op refers to.
    pub fn call_symbol(
        &mut self,
        frame: &Frame<'m>,
        op: OpId,
        symbol: Attr,
        args: &[Value],
    ) -> Result<Vec<Value>, EvalError> {
        let (body, callee) = self
            .resolve(frame.body, op, symbol)
            .ok_or_else(|| EvalError::new("calls a symbol that is not defined"))?;
        self.call(body, callee, args)
    }

    /// Resolves a symbol reference from an op: in the nearest symbol table around it that has the
    /// root, then outwards to the module.
    pub fn resolve(&self, body: &'m Body, from: OpId, symbol: Attr) -> Option<(&'m Body, OpId)> {
        let AttrData::SymbolRef { root, nested } = symbol.data() else { return None };
        let mut scope = Some(from);
        let mut found = None;
        while let Some(op) = scope {
            found = symbol_in(body, op, root.as_str());
            if found.is_some() {
                break;
            }
            scope = body.parent_op(op);
        }
        let (body, mut op) = match found {
            Some(op) => (body, op),
            None => {
                let body = self.module.symbol(root.as_str())?;
                (body, body.root()?)
            }
        };
        for name in nested {
            op = symbol_in(body, op, name.as_str())?;
        }
        Some((body, op))
    }
}

/// The op of that symbol directly inside of `table`; a nested anonymous module is looked through.
fn symbol_in(body: &Body, table: OpId, name: &str) -> Option<OpId> {
    for &region in body.regions(table) {
        for block in body.blocks(region) {
            for op in body.block_ops(block) {
                if body.symbol_name(op) == Some(name) {
                    return Some(op);
                }
                if body.is(op, "builtin.module")
                    && body.symbol_name(op).is_none()
                    && let Some(inner) = symbol_in(body, op, name)
                {
                    return Some(inner);
                }
            }
        }
    }
    None
}

fn bind(
    frame: &mut Frame<'_>,
    block: BlockId,
    values: impl IntoIterator<Item = Value>,
) -> Result<(), EvalError> {
    let body = frame.body;
    let mut args = body.block_args(block).iter();
    for value in values {
        let &arg = args.next().ok_or("passes more values than the block has arguments")?;
        frame.set(arg, value);
    }
    match args.next() {
        Some(_) => Err("passes fewer values than the block has arguments".into()),
        None => Ok(()),
    }
}

/// Applies an element-wise op to scalars, vectors or tensors. Scalars among shaped operands stand
/// for every element (`arith.select` on an `i1`).
pub fn run_elementwise(
    frame: &mut Frame<'_>,
    op: OpId,
    kernels: &[Kernel],
) -> Result<(), EvalError> {
    let body = frame.body;
    let mut bits = SmallVec::<[u64; 4]>::new();
    for operand in body.operands(op) {
        match frame.get(operand)? {
            Value::Scalar(scalar) => bits.push(scalar.bits),
            _ => return run_shaped(frame, op, kernels),
        }
    }
    for (result, kernel) in body.results(op).zip(kernels) {
        let ty = ScalarType::of(body.ty(result)).ok_or("has a result of unsupported type")?;
        let value = kernel.scalar(&bits)?;
        frame.set(result, Value::Scalar(crate::Scalar::new(ty, value)));
    }
    Ok(())
}

fn run_shaped(frame: &mut Frame<'_>, op: OpId, kernels: &[Kernel]) -> Result<(), EvalError> {
    let body = frame.body;
    let mut shape: Option<SmallVec<[i64; 4]>> = None;
    let mut lanes: SmallVec<[Vec<u64>; 4]> = SmallVec::new();
    let mut count = 0;
    for operand in body.operands(op) {
        match frame.get(operand)? {
            Value::Scalar(scalar) => lanes.push(vec![scalar.bits]),
            Value::Vector(vector) => lanes.push(vector.bits()?),
            Value::Tensor(tensor) => {
                let size = tensor.elem.bytes();
                lanes.push(tensor.data.chunks_exact(size).map(|c| tensor.elem.load(c)).collect());
                if shape.as_ref().is_some_and(|shape| *shape != tensor.shape) {
                    return Err("has tensor operands of different sizes".into());
                }
                shape = Some(tensor.shape.clone());
            }
            _ => return Err("has operands of a kind that is not element-wise".into()),
        }
        if !matches!(frame.get(operand)?, Value::Scalar(_)) {
            count = lanes.last().map_or(0, Vec::len);
        }
    }
    for (operand, lanes) in body.operands(op).zip(&mut lanes) {
        if matches!(frame.get(operand)?, Value::Scalar(_)) {
            *lanes = vec![lanes[0]; count];
        }
    }
    let ins: SmallVec<[&[u64]; 4]> = lanes.iter().map(Vec::as_slice).collect();
    for (result, kernel) in body.results(op).zip(kernels) {
        let ty = body.ty(result);
        let elem =
            ScalarType::of(ty.element_or_self()).ok_or("has a result of unsupported type")?;
        let mut out = vec![0; count];
        kernel.lanes(&mut out, &ins)?;
        let value = match &shape {
            Some(shape) => {
                let mut data = vec![0; count * elem.bytes()];
                for (chunk, bits) in data.chunks_exact_mut(elem.bytes()).zip(out) {
                    elem.store(bits & elem.mask(), chunk);
                }
                Value::Tensor(Tensor::from_bytes(shape, elem, data)?)
            }
            None => {
                for bits in &mut out {
                    *bits &= elem.mask();
                }
                Value::Vector(Vector::from_bits(ty, &out)?)
            }
        };
        frame.set(result, value);
    }
    Ok(())
}
