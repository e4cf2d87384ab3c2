//! `linalg.generic` on tensors, as rewrites see it.

use tegula_ir::{AffineMap, Attr, BlockId, Body, NewOp, OpId, TypeData, ValueId};

use crate::structure::{iterator_attr, num_inputs, structure};

/// A loop nest on tensors.
pub(crate) struct Generic {
    /// The inputs, then the outputs.
    pub(crate) operands: Vec<ValueId>,
    /// One map an operand.
    pub(crate) maps: Vec<AffineMap>,
    pub(crate) parallel: Vec<bool>,
    /// How many operands are inputs.
    pub(crate) inputs: usize,
    pub(crate) block: BlockId,
}

impl Generic {
    /// Reads an op; none for others, and where an output is no tensor.
    pub(crate) fn of(body: &Body, op: OpId) -> Option<Generic> {
        if !body.is(op, "linalg.generic") {
            return None;
        }
        let space = structure(body, op)?;
        let generic = Generic {
            operands: body.operands(op).collect(),
            maps: space.maps,
            parallel: space.parallel,
            inputs: num_inputs(body, op),
            block: body.region_entry(op, 0)?,
        };
        let is_tensor =
            |&value: &ValueId| matches!(body.ty(value).data(), TypeData::RankedTensor { .. });
        let whole = generic.operands.len() == generic.maps.len()
            && body.block_args(generic.block).len() == generic.maps.len()
            && generic.outputs().len() == body.num_results(op)
            && generic.outputs().iter().all(is_tensor)
            && generic.operands.iter().all(|v| is_tensor(v) || body.ty(*v).shape().is_none());
        whole.then_some(generic)
    }

    /// The operands that results start from.
    pub(crate) fn outputs(&self) -> &[ValueId] {
        &self.operands[self.inputs..]
    }

    /// Whether no loop sums.
    pub(crate) fn is_parallel(&self) -> bool {
        self.parallel.iter().all(|&parallel| parallel)
    }

    /// Whether the region reads the elements of an operand.
    pub(crate) fn reads(&self, body: &Body, operand: usize) -> bool {
        body.users(body.block_args(self.block)[operand]).next().is_some()
    }

    /// Whether some of the operands say how often each loop runs.
    pub(crate) fn is_bounded_by(&self, kept: impl Fn(usize) -> bool) -> bool {
        let maps = self.maps.iter().enumerate().filter(|&(at, _)| kept(at)).map(|(_, &map)| map);
        all_loops_index(self.parallel.len(), maps)
    }
}

/// Whether each of so many loops is an index of its own somewhere.
pub(crate) fn all_loops_index(loops: usize, maps: impl Iterator<Item = AffineMap>) -> bool {
    let mut seen = vec![false; loops];
    let dims = maps.flat_map(|map| map.results().iter().filter_map(|expr| expr.as_dim()));
    for dim in dims {
        if let Some(seen) = seen.get_mut(dim as usize) {
            *seen = true;
        }
    }
    seen.into_iter().all(|seen| seen)
}

/// A generic op of these operands, of which so many are inputs; its region is to be added.
pub(crate) fn generic(
    operands: Vec<ValueId>,
    inputs: usize,
    maps: &[AffineMap],
    parallel: &[bool],
) -> NewOp {
    let maps: Vec<Attr> = maps.iter().map(|&map| Attr::map(map)).collect();
    let iterators: Vec<Attr> = parallel.iter().map(|&p| iterator_attr(p)).collect();
    let sizes = [inputs as i32, (operands.len() - inputs) as i32];
    NewOp::new("linalg.generic")
        .operands(operands)
        .attr("indexing_maps", Attr::array(&maps))
        .attr("iterator_types", Attr::array(&iterators))
        .attr("operandSegmentSizes", Attr::i32_array(&sizes))
}
