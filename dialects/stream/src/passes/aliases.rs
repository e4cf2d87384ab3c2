//! Which values of an execution region share storage, and for how long it is used.

use indexmap::IndexMap;
use tegula_ir::{BlockId, Body, OpId, Registry, ValueId};

use super::support::{is_resource, tied_operands};

/// The classes of values of one region that share storage: what goes into and comes out of
/// concurrent regions, and results that are tied to operands.
pub(crate) struct Aliases {
    parent: IndexMap<ValueId, ValueId>,
}

impl Aliases {
    /// The classes of an execution region's block.
    pub(crate) fn of(registry: &Registry, body: &Body, block: BlockId) -> Aliases {
        let mut aliases = Aliases { parent: IndexMap::new() };
        aliases.add_block(registry, body, block);
        aliases
    }

    fn add_block(&mut self, registry: &Registry, body: &Body, block: BlockId) {
        for op in body.block_ops(block) {
            if body.is(op, "stream.async.concurrent")
                && let Some(inner) = body.region_entry(op, 0)
            {
                let operands = registry.operands_of(body, op, "resource_operands");
                for (outer, &arg) in operands.into_iter().zip(body.block_args(inner)) {
                    self.join(outer, arg);
                }
                self.add_block(registry, body, inner);
                let yielded = yielded(registry, body, inner);
                for (value, result) in yielded.into_iter().zip(body.results(op)) {
                    self.join(value, result);
                }
                continue;
            }
            for (result, tie) in body.results(op).zip(tied_operands(registry, body, op)) {
                if let Some(index) = tie.filter(|&i| i < body.num_operands(op)) {
                    self.join(body.operand(op, index), result);
                }
            }
        }
    }

    fn join(&mut self, a: ValueId, b: ValueId) {
        let (a, b) = (self.find(a), self.find(b));
        if a != b {
            self.parent.insert(b, a);
        }
    }

    /// The value that stands for the class.
    pub(crate) fn find(&self, value: ValueId) -> ValueId {
        let mut at = value;
        while let Some(&parent) = self.parent.get(&at) {
            at = parent;
        }
        at
    }
}

/// What a region's block yields.
pub(crate) fn yielded(registry: &Registry, body: &Body, block: BlockId) -> Vec<ValueId> {
    match body.last_op(block) {
        Some(end) => registry.operands_of(body, end, "resource_operands"),
        None => Vec::new(),
    }
}

/// The first and last op, by position in the block, at which each class is used; classes in order
/// of definition.
pub(crate) fn intervals(
    body: &Body,
    block: BlockId,
    aliases: &Aliases,
) -> IndexMap<ValueId, (i64, i64)> {
    let mut intervals: IndexMap<ValueId, (i64, i64)> = IndexMap::new();
    let mut touch = |value: ValueId, at: i64| {
        let interval = intervals.entry(aliases.find(value)).or_insert((at, at));
        *interval = (interval.0.min(at), interval.1.max(at));
    };
    for (at, op) in body.block_ops(block).enumerate() {
        let at = at as i64;
        // A class is touched where an op of the block or of its regions defines or uses it.
        let inner: Vec<OpId> = body.walk(op).skip(1).collect();
        let values = body.results(op).chain(body.operands(op));
        for value in values.filter(|&v| is_resource(body, v)) {
            touch(value, at);
        }
        for value in inner.into_iter().flat_map(|op| body.results(op)) {
            if is_resource(body, value) {
                touch(value, at);
            }
        }
    }
    intervals
}
