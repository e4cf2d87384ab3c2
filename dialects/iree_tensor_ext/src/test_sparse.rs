//! `iree-tensor-ext-test-sparse-op-interface-methods`: shows what loops over ragged rows become.

use tegula_dialect_affine::mixed::{Mixed, mixed_segment};
use tegula_ir::{Attr, AttrData, Body, DYNAMIC, InsertPoint, NewOp, OpId, Type, ValueId};
use tegula_pass::{Changed, Failed, PassCx, PassResult};

use crate::sparse::{CAST, DISTRIBUTABLE, Maker, Range, Refused, dims, resolver};

const DIMS: &str = "iree_tensor_ext.sparse_iteration_dims";

/// An op that something is wrong with, and what.
type Wrong = (OpId, String);

/// Runs the pass on an op.
pub(crate) fn run(cx: &mut PassCx<'_>, body: &mut Body, root: OpId) -> PassResult {
    let named = |body: &Body, name: &str| -> Vec<OpId> {
        body.walk(root).filter(|&op| body.is(op, name)).collect()
    };
    let casts = named(body, CAST);
    let mut maker = Maker { rw: cx.rewriter(body), at: InsertPoint::Before(root) };
    let body = &*maker.rw.body;
    let done = if cx.options.bool("test-resolve-range") {
        match (&casts[..], &named(body, "test.range")[..]) {
            (&[cast], &[range]) => resolve(&mut maker, cast, range),
            _ => Err((root, "expected one cast and one test.range".to_owned())),
        }
    } else if cx.options.bool("test-get-distribution-info") {
        casts.iter().for_each(|&cast| distribution(&mut maker, cast));
        Ok(())
    } else {
        match named(body, "scf.forall")[..] {
            [nest] if cx.options.bool("test-lower-loop-range") => lower(&mut maker, nest),
            [nest] if cx.options.bool("test-get-estimated-loop-range") => {
                estimate(&mut maker, nest)
            }
            [_] => return Ok(Changed::No),
            _ => Err((root, "expected a single ForallOp".to_owned())),
        }
    };
    match done {
        Ok(()) => Ok(Changed::Yes),
        Err((op, why)) => {
            let body = &*maker.rw.body;
            let failed: Failed = cx.error(body, op, "sparse-loops", why);
            Err(failed)
        }
    }
}

fn at(op: OpId) -> impl Fn(Refused) -> Wrong {
    move |why| (op, why.to_owned())
}

fn resolve(maker: &mut Maker<'_>, cast: OpId, range: OpId) -> Result<(), Wrong> {
    let operands: Vec<ValueId> = maker.rw.body.operands(range).collect();
    let (ranges, rest) = operands.as_chunks::<3>();
    if !rest.is_empty() {
        return Err((range, "takes offset, size and stride of each dimension".to_owned()));
    }
    maker.at = InsertPoint::Before(range);
    let resolved = maker.resolved(cast, ranges).map_err(at(cast))?;
    let new = NewOp::new("test.resolved_range").operands(resolved.into_iter().flatten());
    maker.rw.insert(maker.at, new);
    maker.rw.erase(range);
    Ok(())
}

fn distribution(maker: &mut Maker<'_>, cast: OpId) {
    let values = DISTRIBUTABLE.iter().map(|&may| may.into()).collect();
    let info = Attr::new(AttrData::DenseArray { element: Type::int(1), values });
    let new = NewOp::new("test.distribution_info").attr("distributable", info);
    maker.rw.insert(InsertPoint::After(cast), new);
}

/// The loops of a nest: bounds and steps, and of the sparse ones the cast and its dimension.
struct Nest {
    loops: Vec<[Mixed; 3]>,
    sparse: Vec<usize>,
}

impl Nest {
    fn of(body: &Body, op: OpId) -> Result<Nest, Wrong> {
        let list = |name: &str, group: usize| mixed_segment(body, op, name, group);
        let lists =
            list("staticLowerBound", 0).zip(list("staticUpperBound", 1)).zip(list("staticStep", 2));
        let dims = body.attr(op, DIMS);
        let params = dims.and_then(|d| d.dialect_params("iree_tensor_ext.sparse_iteration_dims"));
        let sparse = params.and_then(|p| p.first()?.as_array());
        let (Some(((lower, upper), step)), Some(sparse)) = (lists, sparse) else {
            return Err((op, "expected sparse_iteration_dims attribute on ForallOp".to_owned()));
        };
        let bounds = lower.into_iter().zip(upper).zip(step);
        let loops: Vec<_> = bounds.map(|((lower, upper), step)| [lower, upper, step]).collect();
        let places = sparse.iter().map(|dim| usize::try_from(dim.as_int()?).ok());
        let places: Option<Vec<usize>> = places.collect();
        match places.filter(|places| places.iter().all(|&at| at < loops.len())) {
            Some(sparse) => Ok(Nest { loops, sparse }),
            None => Err((op, "its sparse dimensions are no loops".to_owned())),
        }
    }

    /// The loops that go through dimensions of the same cast as a loop: the cast, its dimensions in
    /// order, and the loops.
    fn group(&self, body: &Body, op: OpId, at: usize) -> Result<Group, Wrong> {
        let of = |at: usize| match self.loops[at][1] {
            Mixed::Value(upper) => resolver(body, upper),
            Mixed::Constant(_) => None,
        };
        let Some((cast, _)) = of(at).filter(|&(cast, _)| dims(body, cast).is_some()) else {
            return Err((op, format!("expected a sparse resolver for loop dim {at}")));
        };
        let same = self.sparse.iter().filter_map(|&other| {
            let (maker, dim) = of(other)?;
            (maker == cast).then_some((dim, other))
        });
        let mut pairs: Vec<(i64, usize)> = same.collect();
        pairs.sort_unstable();
        let (dims, loops) = pairs.into_iter().unzip();
        Ok(Group { cast, dims, loops })
    }
}

struct Group {
    cast: OpId,
    dims: Vec<i64>,
    loops: Vec<usize>,
}

fn value(maker: &mut Maker<'_>, mixed: Mixed) -> ValueId {
    match mixed {
        Mixed::Value(value) => value,
        Mixed::Constant(value) => maker.constant(value),
    }
}

fn range(maker: &mut Maker<'_>, bounds: [Mixed; 3]) -> Range {
    bounds.map(|bound| value(maker, bound))
}

fn lower(maker: &mut Maker<'_>, op: OpId) -> Result<(), Wrong> {
    let nest = Nest::of(maker.rw.body, op)?;
    let block = maker.rw.body.region_entry(op, 0);
    let Some(block) = block.filter(|_| maker.rw.body.num_results(op) == 0) else {
        return Err((op, "has results".to_owned()));
    };
    maker.at = InsertPoint::Before(op);
    let mut counters: Vec<Option<ValueId>> = vec![None; nest.loops.len()];
    for at_loop in 0..nest.loops.len() {
        if counters[at_loop].is_some() {
            continue;
        }
        if !nest.sparse.contains(&at_loop) {
            let bounds = range(maker, nest.loops[at_loop]);
            counters[at_loop] = maker.enter(bounds);
            continue;
        }
        let group = nest.group(maker.rw.body, op, at_loop)?;
        let ranges: Vec<Range> =
            group.loops.iter().map(|&other| range(maker, nest.loops[other])).collect();
        let made = maker.lowered(group.cast, &group.dims, &ranges).map_err(at(group.cast))?;
        for (&other, counter) in group.loops.iter().zip(made) {
            counters[other] = Some(counter);
        }
    }
    let Some(counters) = counters.into_iter().collect::<Option<Vec<ValueId>>>() else {
        return Err((op, "a loop has no counter".to_owned()));
    };
    if let Some(end) = maker.rw.body.last_op(block) {
        maker.rw.erase(end);
    }
    let inside = maker.at;
    maker.rw.inline_block(block, inside, &counters);
    maker.rw.erase(op);
    Ok(())
}

fn estimate(maker: &mut Maker<'_>, op: OpId) -> Result<(), Wrong> {
    let nest = Nest::of(maker.rw.body, op)?;
    maker.at = InsertPoint::Before(op);
    let mut upper: Vec<Mixed> = nest.loops.iter().map(|[_, upper, _]| *upper).collect();
    let mut done: Vec<usize> = Vec::new();
    for &at_loop in &nest.sparse {
        if done.contains(&at_loop) {
            continue;
        }
        let group = nest.group(maker.rw.body, op, at_loop)?;
        let bounds: Vec<ValueId> =
            group.loops.iter().map(|&other| value(maker, nest.loops[other][1])).collect();
        let made = maker.estimated(group.cast, &group.dims, &bounds).map_err(at(group.cast))?;
        for (&other, bound) in group.loops.iter().zip(made) {
            upper[other] = Mixed::Value(bound);
        }
        done.extend(group.loops);
    }
    let constants: Vec<i64> = upper.iter().map(|u| u.as_constant().unwrap_or(DYNAMIC)).collect();
    let values = upper.iter().filter_map(|u| match u {
        Mixed::Value(value) => Some(*value),
        Mixed::Constant(_) => None,
    });
    let values: Vec<ValueId> = values.collect();
    let registry = maker.rw.registry;
    maker.rw.modify(op, |body| {
        registry.set_operands_of(body, op, "dynamicUpperBound", &values);
        body.set_attr(op, "staticUpperBound", Attr::i64_array(&constants));
        body.remove_attr(op, DIMS);
    });
    Ok(())
}
