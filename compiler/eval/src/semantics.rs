//! The meaning of ops, as tables that dialects fill.

use rustc_hash::FxHashMap;
use tegula_ir::{Attr, Body, OpId, OpName, Type};

use crate::{EvalError, Flow, Frame, Interp, Kernel, ScalarType};

/// Evaluates one op: reads operands from the frame, writes results to it, says where control goes.
/// An error need not know its op; the engine attaches it.
pub type OpFn = for<'m> fn(&mut Interp<'m>, &mut Frame<'m>, OpId) -> Result<Flow, EvalError>;

/// Makes the element-wise kernels of an op, one a result; none when its types are not supported.
pub type KernelFn = fn(&KernelCx<'_>) -> Option<LaneOp>;

/// What an element-wise op is to a lane program.
pub enum LaneOp {
    /// One kernel a result, each a function of all operands.
    Kernels(Vec<Kernel>),
    /// The same bits in every lane.
    Constant(u64),
    /// The current iteration number along a dimension of the innermost nest (`linalg.index`); only
    /// inside of one.
    IterationIndex(usize),
}

impl From<Kernel> for LaneOp {
    fn from(kernel: Kernel) -> LaneOp {
        LaneOp::Kernels(vec![kernel])
    }
}

/// What a kernel's maker sees.
pub struct KernelCx<'a> {
    /// The body.
    pub body: &'a Body,
    /// The op.
    pub op: OpId,
}

impl KernelCx<'_> {
    /// The scalar format of an operand: that of its elements when it is shaped.
    pub fn operand(&self, index: usize) -> Option<ScalarType> {
        let value = self.body.operands(self.op).nth(index)?;
        ScalarType::of(self.body.ty(value).element_or_self())
    }

    /// The scalar format of a result: that of its elements when it is shaped.
    pub fn result(&self, index: usize) -> Option<ScalarType> {
        let value = self.body.results(self.op).nth(index)?;
        ScalarType::of(self.body.ty(value).element_or_self())
    }

    /// An attribute.
    pub fn attr(&self, name: &str) -> Option<Attr> {
        self.body.attr(self.op, name)
    }

    /// The type of an operand.
    pub fn operand_ty(&self, index: usize) -> Option<Type> {
        self.body.operands(self.op).nth(index).map(|value| self.body.ty(value))
    }
}

/// The meaning of the ops of some dialects.
#[derive(Clone, Default)]
pub struct Semantics {
    ops: FxHashMap<OpName, OpFn>,
    kernels: FxHashMap<OpName, KernelFn>,
}

impl Semantics {
    /// An empty table.
    pub fn new() -> Semantics {
        Semantics::default()
    }

    /// Adds an op.
    pub fn op(mut self, name: &str, f: OpFn) -> Semantics {
        self.ops.insert(OpName::of(name), f);
        self
    }

    /// Adds an element-wise op: it applies to scalars, and element by element to vectors and
    /// tensors.
    pub fn kernel(mut self, name: &str, f: KernelFn) -> Semantics {
        self.kernels.insert(OpName::of(name), f);
        self
    }

    /// Adds everything of another table; its entries win.
    pub fn extend(&mut self, other: Semantics) {
        self.ops.extend(other.ops);
        self.kernels.extend(other.kernels);
    }

    /// Merges tables; later ones win.
    pub fn merge(tables: impl IntoIterator<Item = Semantics>) -> Semantics {
        let mut all = Semantics::new();
        for table in tables {
            all.extend(table);
        }
        all
    }

    /// Whether the op has a meaning here.
    pub fn knows(&self, name: OpName) -> bool {
        self.ops.contains_key(&name) || self.kernels.contains_key(&name)
    }

    /// The function of an op that is not element-wise.
    pub fn op_fn(&self, name: OpName) -> Option<OpFn> {
        self.ops.get(&name).copied()
    }

    /// The kernels of an element-wise op.
    pub fn lane_op(&self, body: &Body, op: OpId) -> Option<LaneOp> {
        self.kernels.get(&body.name(op))?(&KernelCx { body, op })
    }

    pub(crate) fn kernel_fn(&self, name: OpName) -> Option<KernelFn> {
        self.kernels.get(&name).copied()
    }
}
