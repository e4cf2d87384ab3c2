//! Loops over ragged rows, and accesses to them, in terms of what was cast to them.

use tegula_analysis::Dominance;
use tegula_dialect_util::constants::constant_index;
use tegula_ir::{
    AffineExpr, AffineMap, Attr, BlockId, Body, InsertPoint, NewOp, OpId, Type, TypeData, ValueId,
};
use tegula_rewrite::{IrMapping, Rewriter};

use crate::ragged::sparse_dims;

/// The op that casts to ragged rows.
pub(crate) const CAST: &str = "iree_tensor_ext.cast_to_ragged_shape";

/// Offset, size and stride; of a loop, its bounds and step.
pub(crate) type Range = [ValueId; 3];

/// Why something can't be done.
pub(crate) type Refused = &'static str;

/// The cast that an upper bound is a dimension of, and which.
pub(crate) fn resolver(body: &Body, bound: ValueId) -> Option<(OpId, i64)> {
    let (source, dim) = dim_of(body, body.defining_op(bound)?)?;
    let cast = body.defining_op(source).filter(|&def| body.is(def, CAST))?;
    Some((cast, dim))
}

fn dim_of(body: &Body, op: OpId) -> Option<(ValueId, i64)> {
    let is_dim = body.is(op, "memref.dim") || body.is(op, "tensor.dim");
    if !is_dim {
        return None;
    }
    Some((body.operand(op, 0), constant_index(body, body.operand(op, 1))?))
}

/// The ragged dimensions of what a cast makes.
pub(crate) fn dims(body: &Body, cast: OpId) -> Option<[i64; 2]> {
    sparse_dims(body.ty(body.result(cast, 0)))
}

/// Which ragged dimensions workgroups may share: rows, but not what depends on the row.
pub(crate) const DISTRIBUTABLE: [bool; 2] = [true, false];

/// Makes ops one after the other.
pub(crate) struct Maker<'a> {
    /// The rewriter.
    pub rw: Rewriter<'a>,
    /// Where ops go.
    pub at: InsertPoint,
}

impl Maker<'_> {
    fn make(&mut self, new: NewOp) -> ValueId {
        self.rw.insert_value(self.at, new)
    }

    /// A constant of type `index`.
    pub fn constant(&mut self, value: i64) -> ValueId {
        let new = NewOp::new("arith.constant").attr("value", Attr::index(value));
        self.make(new.result(Type::index()))
    }

    fn apply(&mut self, expr: AffineExpr, operands: [ValueId; 2]) -> ValueId {
        let map = Attr::map(AffineMap::get(0, 2, &[expr]));
        let new = NewOp::new("affine.apply").attr("map", map).operands(operands);
        self.make(new.result(Type::index()))
    }

    fn operand(&self, op: OpId, name: &str) -> Option<ValueId> {
        self.rw.registry.operand_of(self.rw.body, op, name)
    }

    fn is_memory(&self, value: ValueId) -> bool {
        matches!(self.rw.body.ty(value).data(), TypeData::MemRef { .. })
    }

    /// Where a row begins, as it is stored.
    fn column_length(&mut self, cast: OpId, row: ValueId) -> Option<ValueId> {
        let lengths = self.operand(cast, "columnLengths")?;
        let name = if self.is_memory(lengths) { "memref.load" } else { "tensor.extract" };
        let element = self.rw.body.ty(lengths).element()?;
        Some(self.make(NewOp::new(name).operands([lengths, row]).result(element)))
    }

    fn as_index(&mut self, value: ValueId) -> ValueId {
        if self.rw.body.ty(value).is_index() {
            return value;
        }
        self.make(NewOp::new("arith.index_cast").operand(value).result(Type::index()))
    }

    fn rows(&mut self, cast: OpId) -> Option<ValueId> {
        if let Some(rows) = self.operand(cast, "numRaggedRows") {
            return Some(rows);
        }
        let body = &*self.rw.body;
        let [row, _] = dims(body, cast)?;
        let shape = body.ty(body.result(cast, 0)).shape()?;
        let size = *shape.get(usize::try_from(row).ok()?)?;
        Some(self.constant(size))
    }

    /// A bound once a dimension of what a cast makes is known: what is computed of it behind the
    /// cast is computed again.
    fn refined(
        &mut self,
        bound: ValueId,
        (cast, dim): (OpId, i64),
        known: &mut dyn FnMut(&mut Self) -> Option<ValueId>,
    ) -> Result<ValueId, Refused> {
        let body = &*self.rw.body;
        let Some(def) = body.defining_op(bound) else { return Ok(bound) };
        if let Some((source, of)) = dim_of(body, def)
            && source == body.result(cast, 0)
        {
            if of != dim {
                return Err("invalid dim expression found in slice");
            }
            return known(self).ok_or("a dimension is not known");
        }
        if !Dominance::new(body).properly_dominates(body, cast, def) {
            return Ok(bound);
        }
        let mut mapping = IrMapping::default();
        let operands: Vec<ValueId> = body.operands(def).collect();
        let at = body.results(def).position(|result| result == bound).unwrap_or_default();
        for operand in operands {
            let new = self.refined(operand, (cast, dim), known)?;
            mapping.map(operand, new);
        }
        let copy = self.rw.clone_op(def, self.at, &mut mapping);
        Ok(self.rw.body.result(copy, at))
    }

    /// Bounds of loops over all ragged dimensions as if all rows were as long as they are on
    /// average.
    pub fn estimated(
        &mut self,
        cast: OpId,
        sparse: &[i64],
        bounds: &[ValueId],
    ) -> Result<Vec<ValueId>, Refused> {
        let expected = dims(self.rw.body, cast).filter(|dims| dims == sparse);
        let (Some([row, column]), &[rows, columns]) = (expected, bounds) else {
            return Err("cannot estimate the loop range for given sparse dimensions");
        };
        let rows = self.refined(rows, (cast, row), &mut |m| m.rows(cast))?;
        let columns = self.refined(columns, (cast, column), &mut |m| {
            let source = m.operand(cast, "source")?;
            let index = m.constant(row);
            let name = if m.is_memory(source) { "memref.dim" } else { "tensor.dim" };
            let all = NewOp::new(name).operands([source, index]).result(Type::index());
            let all = m.make(all);
            let rows = m.rows(cast)?;
            let average = AffineExpr::symbol(0).ceildiv(AffineExpr::symbol(1));
            Some(m.apply(average, [all, rows]))
        })?;
        Ok(vec![rows, columns])
    }

    /// A loop; ops go into it from now on.
    pub fn enter(&mut self, [lower, upper, step]: Range) -> Option<ValueId> {
        let new = NewOp::new("scf.for").operands([lower, upper, step]).regions(1);
        let new = self.rw.insert(self.at, new);
        let region = self.rw.body.region(new, 0)?;
        let block: BlockId = self.rw.append_block(region, &[Type::index()]);
        let end = self.rw.insert(InsertPoint::End(block), NewOp::new("scf.yield"));
        self.at = InsertPoint::Before(end);
        self.rw.body.block_args(block).first().copied()
    }

    /// Loops over the rows and columns that are there; gives their counters. Columns are counted
    /// from where the row begins.
    pub fn lowered(
        &mut self,
        cast: OpId,
        sparse: &[i64],
        ranges: &[Range],
    ) -> Result<Vec<ValueId>, Refused> {
        let dims = dims(self.rw.body, cast);
        let Some([row, column]) = dims.filter(|d| sparse.iter().all(|dim| d.contains(dim))) else {
            return Err("cannot lower the loop range for given sparse dimensions");
        };
        let range = |dim: i64| sparse.iter().position(|&d| d == dim).map(|at| ranges[at]);
        let mut counters = Vec::new();
        if let Some([lower, upper, step]) = range(row) {
            let upper = self.refined(upper, (cast, row), &mut |m| m.rows(cast))?;
            counters.extend(self.enter([lower, upper, step]));
        }
        if let Some([lower, upper, step]) = range(column) {
            let &[counter] = &counters[..] else {
                return Err("cannot lower inner sparse dimension without outer dimension");
            };
            let upper = self.refined(upper, (cast, column), &mut |m| {
                let one = m.constant(1);
                let add = NewOp::new("arith.addi").operands([counter, one]).result(Type::index());
                let next = m.make(add);
                let end = m.column_length(cast, next)?;
                let start = m.column_length(cast, counter)?;
                let (end, start) = (m.as_index(end), m.as_index(start));
                let length = AffineExpr::symbol(0).sub(AffineExpr::symbol(1));
                Some(m.apply(length, [end, start]))
            })?;
            counters.extend(self.enter([lower, upper, step]));
        }
        Ok(counters)
    }

    /// The range in what was cast of a range in one row.
    pub fn resolved(&mut self, cast: OpId, ranges: &[Range]) -> Result<Vec<Range>, Refused> {
        let body = &*self.rw.body;
        let rank = body.ty(body.result(cast, 0)).shape().map_or(0, <[i64]>::len);
        let dims = dims(body, cast).filter(|_| ranges.len() == rank);
        let places = dims.map(|[row, column]| (usize::try_from(row), usize::try_from(column)));
        let Some((Ok(row), Ok(column))) = places else {
            return Err("expected a range for each dimension");
        };
        let [at, size, stride] = ranges[row];
        if [size, stride].iter().any(|&value| constant_index(body, value) != Some(1)) {
            return Err("expected outer sparse dimension size and stride to be 1 in givenRanges");
        }
        let Some(start) = self.column_length(cast, at) else { return Err("has no rows") };
        let start = self.as_index(start);
        let [offset, size, stride] = ranges[column];
        let sum = AffineExpr::symbol(0).add(AffineExpr::symbol(1));
        let offset = self.apply(sum, [start, offset]);
        let mut resolved = ranges.to_vec();
        resolved[row] = [offset, size, stride];
        resolved.remove(column);
        Ok(resolved)
    }
}
