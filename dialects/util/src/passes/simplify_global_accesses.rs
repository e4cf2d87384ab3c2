//! `iree-util-simplify-global-accesses`: globals are read early and once, and written late and once.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;
use tegula_ir::{Attr, BlockId, Body, InsertPoint, OpId, Registry};
use tegula_pass::{Changed, Failed, Header, PassCx, PassResult, Solve};
use tegula_rewrite::Rewriter;

const LOAD: &str = "util.global.load";
const STORE: &str = "util.global.store";

/// The pass.
pub struct SimplifyGlobalAccesses;

/// What one body says of globals.
#[derive(Debug, PartialEq, Eq)]
pub enum Summary {
    /// It is a global.
    Global {
        /// Its name.
        name: &'static str,
        /// Whether it changes after initialization.
        is_mutable: bool,
    },
    /// It reads globals of these names.
    Reads(BTreeSet<&'static str>),
}

impl Solve for SimplifyGlobalAccesses {
    type Summary = Summary;
    /// The globals that it reads and that do not change.
    type Projection = BTreeSet<&'static str>;

    fn sees(&self, body: &Body, root: OpId) -> bool {
        body.is(root, "util.global")
    }

    fn summarize(&self, _: &Header, body: &Body, root: OpId) -> Summary {
        if body.is(root, "util.global") {
            let name = body.symbol_name(root).unwrap_or_default();
            return Summary::Global { name, is_mutable: body.attr(root, "is_mutable").is_some() };
        }
        // An initializer may well be what sets a global that does not change afterwards.
        let runs_later = !body.is(root, "util.initializer");
        let loads = body.walk(root).filter(|&op| runs_later && body.is(op, LOAD));
        Summary::Reads(loads.filter_map(|op| global_of(body, op)).collect())
    }

    fn solve(
        &self,
        _: &mut PassCx<'_>,
        summaries: &[&Summary],
    ) -> Result<Vec<BTreeSet<&'static str>>, Failed> {
        let constant: BTreeSet<&str> = (summaries.iter())
            .filter_map(|summary| match summary {
                Summary::Global { name, is_mutable: false } => Some(*name),
                _ => None,
            })
            .collect();
        let projection = |summary: &&Summary| match summary {
            Summary::Global { .. } => BTreeSet::new(),
            Summary::Reads(names) => {
                names.iter().copied().filter(|name| constant.contains(name)).collect()
            }
        };
        Ok(summaries.iter().map(projection).collect())
    }

    fn apply(
        &self,
        cx: &mut PassCx<'_>,
        body: &mut Body,
        root: OpId,
        constant: &BTreeSet<&'static str>,
    ) -> PassResult {
        let Some(region) = body.region(root, 0) else { return Ok(Changed::No) };
        let blocks: Vec<BlockId> = body.blocks(region).collect();
        let Some(&entry) = blocks.first() else { return Ok(Changed::No) };
        let mut pass = Pass { rw: cx.rewriter(body), constant, changed: Changed::No };
        pass.read_first(entry, &blocks);
        // What is read or written through addresses may be any global.
        let mut ops = blocks.iter().flat_map(|&block| pass.rw.body.block_ops(block));
        if ops.any(|op| pass.rw.body.name(op).as_str().ends_with(".indirect")) {
            return Ok(pass.changed);
        }
        for &block in &blocks {
            while pass.rearrange(block) {}
        }
        Ok(pass.changed)
    }
}

fn global_of(body: &Body, op: OpId) -> Option<&'static str> {
    Some(body.attr(op, "global").and_then(Attr::as_symbol_root)?.as_str())
}

/// Whether globals may be read or written while the op runs.
fn stops_motion(registry: &Registry, body: &Body, op: OpId) -> bool {
    let stops = ["CallOpInterface", "YieldPoint", "Terminator"];
    let info = registry.op(body.name(op));
    info.is_none_or(|info| stops.iter().any(|name| info.def().has_trait(name)))
}

struct Pass<'a, 'b> {
    rw: Rewriter<'a>,
    /// Globals that do not change.
    constant: &'b BTreeSet<&'static str>,
    changed: Changed,
}

impl Pass<'_, '_> {
    /// Moves an op, unless it is there already.
    fn move_op(&mut self, op: OpId, at: InsertPoint) {
        let body = &*self.rw.body;
        let is_there = match at {
            InsertPoint::Before(next) => next == op || body.next_op(op) == Some(next),
            InsertPoint::After(last) => last == op || body.prev_op(op) == Some(last),
            InsertPoint::Start(block) => body.first_op(block) == Some(op),
            InsertPoint::End(block) => body.last_op(block) == Some(op),
        };
        if !is_there {
            self.rw.move_op(op, at);
            self.changed = Changed::Yes;
        }
    }

    /// Globals that do not change are read once, at the beginning.
    fn read_first(&mut self, entry: BlockId, blocks: &[BlockId]) {
        let mut first: IndexMap<&'static str, OpId> = IndexMap::new();
        let ops = blocks.iter().flat_map(|&block| self.rw.body.block_ops(block));
        let loads: Vec<OpId> = ops.filter(|&op| self.rw.body.is(op, LOAD)).collect();
        for load in loads {
            let name = global_of(self.rw.body, load).filter(|name| self.constant.contains(name));
            let Some(name) = name else { continue };
            if let Some(&known) = first.get(name) {
                let value = self.rw.body.result(known, 0);
                self.rw.replace(load, &[value]);
                self.changed = Changed::Yes;
                continue;
            }
            let at = first
                .last()
                .map_or(InsertPoint::Start(entry), |(_, &last)| InsertPoint::After(last));
            self.move_op(load, at);
            first.insert(name, load);
        }
    }

    /// Simplifies what a block does with each global between ops over which nothing moves; says
    /// whether an op is gone.
    fn rearrange(&mut self, block: BlockId) -> bool {
        let mut stretches: Vec<BTreeMap<&'static str, Vec<OpId>>> = vec![BTreeMap::new()];
        for op in self.rw.body.block_ops(block) {
            let body = &*self.rw.body;
            let access = global_of(body, op).filter(|name| {
                body.is(op, STORE) || body.is(op, LOAD) && !self.constant.contains(name)
            });
            if let (Some(name), Some(last)) = (access, stretches.last_mut()) {
                last.entry(name).or_default().push(op);
            } else if stops_motion(self.rw.registry, body, op) {
                stretches.push(BTreeMap::new());
            }
        }
        let mut removed = false;
        for accesses in stretches.into_iter().flat_map(BTreeMap::into_values) {
            removed |= self.simplify(accesses);
        }
        removed
    }

    /// Accesses of one global, in order: what is stored is what is loaded next, and only the last
    /// store counts.
    fn simplify(&mut self, mut accesses: Vec<OpId>) -> bool {
        let before = accesses.len();
        for at in (1..before).rev() {
            let (previous, current) = (accesses[at - 1], accesses[at]);
            let stores = [previous, current].map(|op| self.rw.body.is(op, STORE));
            let known = match stores {
                [true, false] => self.rw.body.operand(previous, 0),
                [false, false] => self.rw.body.result(previous, 0),
                [true, true] => {
                    self.rw.erase(accesses.remove(at - 1));
                    continue;
                }
                [false, true] => continue,
            };
            self.rw.replace(current, &[known]);
            accesses.remove(at);
        }
        if let Some(&load) = accesses.first().filter(|&&op| self.rw.body.is(op, LOAD)) {
            let mut at = load;
            while let Some(before) = self.movable(self.rw.body.prev_op(at)) {
                at = before;
            }
            self.move_op(load, InsertPoint::Before(at));
        }
        if let Some(&store) = accesses.last().filter(|&&op| self.rw.body.is(op, STORE)) {
            let mut at = store;
            while let Some(after) = self.movable(self.rw.body.next_op(at)) {
                at = after;
            }
            self.move_op(store, InsertPoint::After(at));
        }
        let removed = accesses.len() < before;
        self.changed |= Changed::when(removed);
        removed
    }

    fn movable(&self, op: Option<OpId>) -> Option<OpId> {
        op.filter(|&op| !stops_motion(self.rw.registry, self.rw.body, op))
    }
}
