//! `iree-stream-refine-usage`: gives resources of undecided lifetime the one that their uses ask
//! for.

use tegula_ir::{Body, OpId, Registry, ValueId};
use tegula_pass::{Changed, PassCx, PassResult};

use super::support::{is_resource, lifetime, resource_type, tied_operands};

/// Lifetimes by precedence: a class of values takes the first that one of its members has.
const PRECEDENCE: &[&str] = &["external", "staging", "constant", "variable", "transient"];

/// Values that share storage and so have one lifetime.
struct Classes {
    parent: Vec<usize>,
}

impl Classes {
    fn new(values: usize) -> Classes {
        Classes { parent: (0..values).collect() }
    }

    fn find(&mut self, value: ValueId) -> usize {
        let mut at = value.index();
        while self.parent[at] != at {
            self.parent[at] = self.parent[self.parent[at]];
            at = self.parent[at];
        }
        at
    }

    fn union(&mut self, a: ValueId, b: ValueId) {
        let (a, b) = (self.find(a), self.find(b));
        self.parent[a.max(b)] = a.min(b);
    }
}

/// Runs the pass.
pub(crate) fn run(cx: &mut PassCx<'_>, body: &mut Body, root: OpId) -> PassResult {
    let registry = cx.registry;
    let ops: Vec<OpId> = body.walk(root).collect();
    let (_, values, _) = body.bounds();
    let mut classes = Classes::new(values);
    for &op in &ops {
        tie(registry, body, op, &mut classes);
    }

    let mut chosen: Vec<Option<usize>> = vec![None; values];
    let mut undecided = Vec::new();
    for value in resources(body, &ops) {
        match lifetime(body.ty(value)) {
            Some("*") => undecided.push(value),
            Some(decided) => {
                let rank = PRECEDENCE.iter().position(|&l| l == decided);
                let class = &mut chosen[classes.find(value)];
                *class = [*class, rank].into_iter().flatten().min();
            }
            None => {}
        }
    }

    let mut rw = cx.rewriter(body);
    let mut changed = Changed::when(!undecided.is_empty());
    for value in undecided {
        let rank = chosen[classes.find(value)].unwrap_or(PRECEDENCE.len() - 1);
        rw.set_type(value, resource_type(PRECEDENCE[rank]));
    }
    for op in ops {
        if rw.body.is(op, "stream.async.cast") {
            let (source, result) = (rw.body.operand(op, 0), rw.body.result(op, 0));
            if rw.body.ty(source) == rw.body.ty(result) {
                rw.replace(op, &[source]);
                changed = Changed::Yes;
            }
        }
    }
    Ok(changed)
}

fn resources(body: &Body, ops: &[OpId]) -> Vec<ValueId> {
    let mut out = Vec::new();
    for &op in ops {
        out.extend(body.results(op));
        for &region in body.regions(op) {
            for block in body.blocks(region) {
                out.extend(body.block_args(block));
            }
        }
    }
    out.retain(|&v| is_resource(body, v));
    out
}

/// Joins the values that an op makes share storage.
fn tie(registry: &Registry, body: &Body, op: OpId, classes: &mut Classes) {
    match body.name(op).as_str() {
        "stream.async.cast" => {
            let (source, result) = (body.operand(op, 0), body.result(op, 0));
            let open = [source, result].iter().any(|&v| lifetime(body.ty(v)) == Some("*"));
            if open {
                classes.union(source, result);
            }
        }
        "stream.timepoint.await" => {
            let sources = registry.operands_of(body, op, "resource_operands");
            for (source, result) in sources.into_iter().zip(body.results(op)) {
                classes.union(source, result);
            }
        }
        "stream.timepoint.barrier" => classes.union(body.operand(op, 0), body.result(op, 0)),
        "stream.async.execute" | "stream.async.concurrent" => {
            let Some(block) = body.region_entry(op, 0) else { return };
            let sources = registry.operands_of(body, op, "resource_operands");
            for (source, &arg) in sources.into_iter().zip(body.block_args(block)) {
                classes.union(source, arg);
            }
            if let Some(end) = body.last_op(block) {
                let yielded = registry.operands_of(body, end, "resource_operands");
                let results = registry.results_of(body, op, "results");
                for (inner, outer) in yielded.into_iter().zip(results) {
                    classes.union(inner, outer);
                }
            }
        }
        _ => {
            for (result, tie) in body.results(op).zip(tied_operands(registry, body, op)) {
                if let Some(index) = tie.filter(|&i| i < body.num_operands(op)) {
                    classes.union(result, body.operand(op, index));
                }
            }
        }
    }
}
