//! A parallel nest computed where its result is used.

use tegula_ir::{
    AffineMap, Attr, BlockId, Body, InsertPoint, NewOp, OpId, Type, ValueId, ValueKind,
};
use tegula_rewrite::{IrMapping, Rewriter};

use crate::generic::{Generic, all_loops_index, generic};

/// An input of a nest and the nest that makes it.
struct Fusion {
    /// Which operand of its user the input is.
    at: usize,
    producer: OpId,
    /// Which of its results the input is.
    result: usize,
    made: Generic,
    used: Generic,
    /// From the loops of the user to those of the maker.
    loops: AffineMap,
}

/// Whether the input at this place can be computed where it is used.
pub fn can_fuse(body: &Body, consumer: OpId, at: usize) -> bool {
    Fusion::of(body, consumer, at).is_some()
}

/// Computes the input at this place where it is used. What makes it stays for its other uses.
pub fn fuse(rewriter: &mut Rewriter<'_>, consumer: OpId, at: usize) -> Option<OpId> {
    let fusion = Fusion::of(rewriter.body, consumer, at)?;
    let kept = fusion.kept(rewriter.body, consumer);
    let (made, used) = (&fusion.made, &fusion.used);
    let from_made = |at: usize| (made.operands[at], made.maps[at].compose(fusion.loops));
    let from_used = |at: usize| (used.operands[at], used.maps[at]);
    let inputs = (0..at)
        .map(from_used)
        .chain((0..made.inputs).map(from_made))
        .chain((at + 1..used.inputs).map(from_used));
    let mut operands: Vec<(ValueId, AffineMap)> = inputs.collect();
    let inputs = operands.len();
    operands.extend(kept.iter().map(|&result| from_made(made.inputs + result)));
    operands.extend((used.inputs..used.operands.len()).map(from_used));
    let (values, maps): (Vec<ValueId>, Vec<AffineMap>) = operands.into_iter().unzip();

    let body = &*rewriter.body;
    let types: Vec<Type> = values[inputs..].iter().map(|&output| body.ty(output)).collect();
    let elements: Vec<Type> = values.iter().map(|&v| body.ty(v).element_or_self()).collect();
    let new = generic(values, inputs, &maps, &used.parallel).results(types).loc(body.loc(consumer));
    let fused = rewriter.insert(InsertPoint::Before(consumer), new);
    let region = rewriter.add_region(fused);
    let block = rewriter.append_block(region, &elements);

    let mut mapping = IrMapping::new();
    let old = |rewriter: &Rewriter<'_>, nest: &Generic, from: usize, to: usize| {
        rewriter.body.block_args(nest.block)[from..to].to_vec()
    };
    let mut order = old(rewriter, used, 0, at);
    order.extend(old(rewriter, made, 0, made.inputs));
    order.extend(old(rewriter, used, at + 1, used.inputs));
    let outputs = old(rewriter, made, made.inputs, made.operands.len());
    order.extend(kept.iter().map(|&result| outputs[result]));
    order.extend(old(rewriter, used, used.inputs, used.operands.len()));
    let args = rewriter.body.block_args(block).to_vec();
    order.into_iter().zip(args).for_each(|(from, to)| mapping.map(from, to));

    indices(rewriter, &fusion, block, &mut mapping);
    let given = clone_region(rewriter, made, block, &mut mapping);
    mapping.map(rewriter.body.block_args(used.block)[at], *given.get(fusion.result)?);
    let mut results: Vec<ValueId> = kept.iter().filter_map(|&r| given.get(r).copied()).collect();
    results.extend(clone_region(rewriter, used, block, &mut mapping));
    rewriter.insert(InsertPoint::End(block), NewOp::new("linalg.yield").operands(results));
    let results: Vec<ValueId> = rewriter.body.results(fused).skip(kept.len()).collect();
    rewriter.replace(consumer, &results);
    Some(fused)
}

impl Fusion {
    fn of(body: &Body, consumer: OpId, at: usize) -> Option<Fusion> {
        let used = Generic::of(body, consumer).filter(|used| at < used.inputs)?;
        let ValueKind::Result(producer, result) = body.definition(used.operands[at]) else {
            return None;
        };
        let made = Generic::of(body, producer).filter(Generic::is_parallel)?;
        let result = result as usize;
        let written = made.maps[made.inputs + result];
        let read = used.maps[at];
        if !written.is_permutation() || read.results().len() != made.parallel.len() {
            return None;
        }
        let loops = written.inverse_permutation()?.compose(read);
        let fusion = Fusion { at, producer, result, made, used, loops };
        (fusion.used.is_parallel() || fusion.is_bounded()).then_some(fusion)
    }

    /// Whether what is left of the operands says how often each loop runs.
    fn is_bounded(&self) -> bool {
        let (made, used) = (&self.made, &self.used);
        let fused = used.operands[self.at];
        let own = used.operands.iter().zip(&used.maps).filter(|&(&value, _)| value != fused);
        let inputs = made.maps[..made.inputs].iter().map(|map| map.compose(self.loops));
        all_loops_index(used.parallel.len(), own.map(|(_, &map)| map).chain(inputs))
    }

    /// The results of the maker that the fused op has as well: those that something else uses, that
    /// start from what the region reads, or that tell how often a loop runs.
    fn kept(&self, body: &Body, consumer: OpId) -> Vec<usize> {
        let made = &self.made;
        let mut dropped = Vec::new();
        let mut kept = Vec::new();
        for (at, result) in body.results(self.producer).enumerate() {
            let output = made.inputs + at;
            dropped.push(output);
            let needed = made.reads(body, output)
                || !made.is_bounded_by(|operand| !dropped.contains(&operand))
                || body.users(result).any(|user| user != consumer);
            if needed {
                dropped.pop();
                kept.push(at);
            }
        }
        kept
    }
}

/// What the maker asks of its loops is computed from those of the fused op.
fn indices(rewriter: &mut Rewriter<'_>, fusion: &Fusion, block: BlockId, mapping: &mut IrMapping) {
    let asked: Vec<OpId> = rewriter.body.block_ops(fusion.made.block).collect();
    let asked = asked.into_iter().filter(|&op| rewriter.body.is(op, "linalg.index"));
    let asked: Vec<OpId> = asked.collect();
    if asked.is_empty() {
        return;
    }
    let end = InsertPoint::End(block);
    let index = |dim: usize| {
        NewOp::new("linalg.index").attr("dim", Attr::i64(dim as i64)).result(Type::index())
    };
    let own: Vec<ValueId> =
        (0..fusion.used.parallel.len()).map(|dim| rewriter.insert_value(end, index(dim))).collect();
    for op in asked {
        let dim = rewriter.body.attr(op, "dim").and_then(Attr::as_int).unwrap_or_default();
        let expr = fusion.loops.results().get(dim as usize).copied();
        let map = AffineMap::get(fusion.loops.dims(), 0, expr.as_slice());
        let apply = NewOp::new("affine.apply").operands(own.iter().copied());
        let apply = apply.attr("map", Attr::map(map)).result(Type::index());
        let value = rewriter.insert_value(end, apply);
        mapping.map(rewriter.body.result(op, 0), value);
    }
}

/// Clones the ops of a nest's region; the values that it yields.
fn clone_region(
    rewriter: &mut Rewriter<'_>,
    nest: &Generic,
    block: BlockId,
    mapping: &mut IrMapping,
) -> Vec<ValueId> {
    let ops: Vec<OpId> = rewriter.body.block_ops(nest.block).collect();
    let Some((&end, ops)) = ops.split_last() else { return Vec::new() };
    for &op in ops {
        let known = rewriter.body.results(op).next().and_then(|result| mapping.get(result));
        if known.is_none() {
            rewriter.clone_op(op, InsertPoint::End(block), mapping);
        }
    }
    rewriter.body.operands(end).map(|value| mapping.get_or_same(value)).collect()
}
