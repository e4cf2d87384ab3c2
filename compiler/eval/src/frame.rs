//! The values of one activation of an isolated region.

use smallvec::SmallVec;
use tegula_ir::{Body, DYNAMIC, OpId, ValueId};

use crate::{EvalError, MemRef, Scalar, Tensor, Value, Vector};

/// One activation: the values that its ops have defined so far. Nested regions share the frame of
/// the op that holds them; a call makes a new one.
pub struct Frame<'m> {
    /// The body whose ops are evaluated.
    pub body: &'m Body,
    /// The function-like op whose region is active.
    pub callee: OpId,
    values: Vec<Option<Value>>,
    pub(crate) cache: usize,
    /// Buffers that die with the frame (`memref.alloca`), by the op that made them.
    pub(crate) scratch: Vec<(OpId, crate::Span)>,
}

impl<'m> Frame<'m> {
    pub(crate) fn new(body: &'m Body, callee: OpId, cache: usize) -> Frame<'m> {
        let (_, values, _) = body.bounds();
        Frame { body, callee, values: vec![None; values], cache, scratch: Vec::new() }
    }

    /// The value of an SSA value.
    pub fn get(&self, value: ValueId) -> Result<&Value, EvalError> {
        self.values
            .get(value.index())
            .and_then(Option::as_ref)
            .ok_or_else(|| EvalError::new("uses a value that is not defined yet"))
    }

    /// Defines an SSA value; a loop defines it again in each iteration.
    pub fn set(&mut self, value: ValueId, to: Value) {
        if let Some(slot) = self.values.get_mut(value.index()) {
            *slot = Some(to);
        }
    }

    /// Takes a value out, so that its only holder can write it without a copy. The SSA value is
    /// undefined until it is set again.
    pub fn take(&mut self, value: ValueId) -> Result<Value, EvalError> {
        self.values
            .get_mut(value.index())
            .and_then(Option::take)
            .ok_or_else(|| EvalError::new("uses a value that is not defined yet"))
    }

    /// The SSA value of operand number `index`.
    pub fn operand_id(&self, op: OpId, index: usize) -> Result<ValueId, EvalError> {
        self.body
            .operands(op)
            .nth(index)
            .ok_or_else(|| EvalError::new(format!("has no operand number {index}")))
    }

    /// Operand number `index`.
    pub fn operand(&self, op: OpId, index: usize) -> Result<&Value, EvalError> {
        self.get(self.operand_id(op, index)?)
    }

    /// The value for overwriting in place: taken from the frame when the op is its only use and
    /// does not run again with the same definition, and copied otherwise. The result is equal
    /// either way; only a copy of the data is saved.
    pub fn operand_owned(&mut self, op: OpId, index: usize) -> Result<Value, EvalError> {
        let value = self.operand_id(op, index)?;
        let same_block = self.body.defining_block(value) == self.body.parent_block(op);
        if same_block && self.body.has_one_use(value) {
            return self.take(value);
        }
        self.get(value).cloned()
    }

    /// All operands.
    pub fn operands(&self, op: OpId) -> Result<Vec<Value>, EvalError> {
        self.values(self.body.operands(op))
    }

    /// The values of these SSA values.
    pub fn values(&self, ids: impl IntoIterator<Item = ValueId>) -> Result<Vec<Value>, EvalError> {
        ids.into_iter().map(|id| self.get(id).cloned()).collect()
    }

    /// The scalar in operand number `index`.
    pub fn scalar(&self, op: OpId, index: usize) -> Result<Scalar, EvalError> {
        self.operand(op, index)?.as_scalar()
    }

    /// The signed integer (or index) in operand number `index`.
    pub fn int(&self, op: OpId, index: usize) -> Result<i64, EvalError> {
        self.operand(op, index)?.as_int()
    }

    /// The signed integers (or indices) of these SSA values.
    pub fn ints(
        &self,
        ids: impl IntoIterator<Item = ValueId>,
    ) -> Result<SmallVec<[i64; 8]>, EvalError> {
        ids.into_iter().map(|id| self.get(id)?.as_int()).collect()
    }

    /// The tensor in operand number `index`.
    pub fn tensor(&self, op: OpId, index: usize) -> Result<&Tensor, EvalError> {
        self.operand(op, index)?.as_tensor()
    }

    /// The memref in operand number `index`.
    pub fn memref(&self, op: OpId, index: usize) -> Result<&MemRef, EvalError> {
        self.operand(op, index)?.as_memref()
    }

    /// The vector in operand number `index`.
    pub fn vector(&self, op: OpId, index: usize) -> Result<&Vector, EvalError> {
        self.operand(op, index)?.as_vector()
    }

    /// Defines result number `index`.
    pub fn set_result(&mut self, op: OpId, index: usize, to: Value) -> Result<(), EvalError> {
        let value = self
            .body
            .results(op)
            .nth(index)
            .ok_or_else(|| EvalError::new(format!("has no result number {index}")))?;
        self.set(value, to);
        Ok(())
    }

    /// Defines all results.
    pub fn set_results(
        &mut self,
        op: OpId,
        values: impl IntoIterator<Item = Value>,
    ) -> Result<(), EvalError> {
        let mut results = self.body.results(op);
        for value in values {
            let id = results.next().ok_or("gives more values than it has results")?;
            self.set(id, value);
        }
        match results.next() {
            Some(_) => Err("gives fewer values than it has results".into()),
            None => Ok(()),
        }
    }

    /// The operands of a group, by the op's `operandSegmentSizes`.
    pub fn segment(&self, op: OpId, group: usize) -> Result<SmallVec<[ValueId; 4]>, EvalError> {
        let sizes = self
            .body
            .attr(op, "operandSegmentSizes")
            .and_then(|attr| attr.as_dense_array())
            .ok_or("has no 'operandSegmentSizes'")?;
        let skip: i64 = sizes.iter().take(group).sum();
        let count = *sizes.get(group).ok_or("has too few operand segments")?;
        Ok(self.body.operands(op).skip(skip as usize).take(count as usize).collect())
    }

    /// A list that mixes constants and values, as `custom<DynamicIndexList>` writes it: the
    /// attribute holds the constants, and [`DYNAMIC`] where the next of `values` belongs.
    pub fn mixed(
        &self,
        op: OpId,
        attribute: &str,
        values: impl IntoIterator<Item = ValueId>,
    ) -> Result<SmallVec<[i64; 8]>, EvalError> {
        let constants = self
            .body
            .attr(op, attribute)
            .and_then(|attr| attr.as_dense_array())
            .ok_or_else(|| EvalError::new(format!("has no '{attribute}'")))?;
        let mut values = values.into_iter();
        constants
            .iter()
            .map(|&constant| match constant {
                DYNAMIC => {
                    let value = values.next().ok_or("has too few dynamic sizes")?;
                    self.get(value)?.as_int()
                }
                constant => Ok(constant),
            })
            .collect()
    }

    /// The same for group number `group` of an op with operand segments.
    pub fn mixed_segment(
        &self,
        op: OpId,
        attribute: &str,
        group: usize,
    ) -> Result<SmallVec<[i64; 8]>, EvalError> {
        self.mixed(op, attribute, self.segment(op, group)?)
    }
}
