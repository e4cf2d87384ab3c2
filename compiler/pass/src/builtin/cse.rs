//! `cse`: equal ops without effects become one.

use std::borrow::Cow;

use rustc_hash::FxHashMap;
use tegula_analysis::{Dominance, EffectKind, OpEffects, effects, is_trivially_dead};
use tegula_ir::{Attr, BlockId, Body, OpId, OpName, RegionId, Registry, Type, ValueId};
use tegula_rewrite::Rewriter;
use tegula_schema::{PassBody, PassDef, Scope};

use super::same_regions::same_regions;
use super::statistic;
use crate::{Changed, PassCx, PassResult, PassRun};

/// The pass.
pub(crate) fn pass() -> (PassDef, PassRun) {
    let def = PassDef {
        def_name: Cow::Borrowed("CSEPass"),
        name: Cow::Borrowed("cse"),
        summary: Cow::Borrowed("Merges equal computations"),
        scope: Scope::Local,
        statistics: Cow::Owned(vec![
            statistic("num-cse'd", "Computations that were merged with equal ones"),
            statistic("num-dce'd", "Ops that nothing used"),
        ]),
        body: PassBody::Hook(Cow::Borrowed("cse")),
        ..PassDef::default()
    };
    (def, PassRun::Local(run))
}

fn run(cx: &mut PassCx<'_>, body: &mut Body, op: OpId) -> PassResult {
    let (merged, dead) = eliminate(cx.registry, body, op);
    cx.statistic("num-cse'd", merged);
    cx.statistic("num-dce'd", dead);
    Ok(Changed::when(merged + dead > 0))
}

/// Merges equal ops below `root`, and erases dead ones. True when something was edited.
///
/// Ops merge when name, attributes, operands and result types agree, their regions hold the same,
/// and they either do nothing to memory or only read, with nothing that may write between them in
/// the same block. Regions of several blocks are not looked into. The first that dominates stays.
pub fn cse(registry: &Registry, body: &mut Body, root: OpId) -> bool {
    let (merged, dead) = eliminate(registry, body, root);
    merged + dead > 0
}

#[derive(PartialEq, Eq, Hash)]
struct Key {
    name: OpName,
    attrs: Attr,
    operands: Vec<ValueId>,
    results: Vec<Type>,
}

/// What is known where; a scope ends with the region that opened it.
#[derive(Default)]
struct Known {
    known: FxHashMap<Key, Vec<OpId>>,
}

struct Cse<'a> {
    registry: &'a Registry,
    dominance: Dominance,
    scopes: Vec<Known>,
    /// For each open isolated op, the first scope that can be seen.
    floors: Vec<usize>,
    merged: u64,
    dead: u64,
}

/// What is left to do, the next on top.
enum Task {
    Op(OpId),
    Open { isolated: bool },
    Close { isolated: bool },
}

fn eliminate(registry: &Registry, body: &mut Body, root: OpId) -> (u64, u64) {
    let mut cse = Cse {
        registry,
        dominance: Dominance::new(body),
        scopes: Vec::new(),
        floors: vec![0],
        merged: 0,
        dead: 0,
    };
    let mut tasks = Vec::new();
    cse.enter(body, root, &mut tasks);
    while let Some(task) = tasks.pop() {
        match task {
            Task::Open { isolated } => {
                if isolated {
                    cse.floors.push(cse.scopes.len());
                }
                cse.scopes.push(Known::default());
            }
            Task::Close { isolated } => {
                cse.scopes.pop();
                if isolated {
                    cse.floors.pop();
                }
            }
            Task::Op(op) => {
                if !cse.simplify(body, op) {
                    cse.enter(body, op, &mut tasks);
                }
            }
        }
    }
    (cse.merged, cse.dead)
}

impl Cse<'_> {
    /// Schedules what is in an op's regions.
    fn enter(&self, body: &Body, op: OpId, tasks: &mut Vec<Task>) {
        let isolated = self.registry.op(body.name(op)).is_none_or(|info| info.isolated);
        for &region in body.regions(op).iter().rev() {
            tasks.push(Task::Close { isolated });
            let ops: Vec<OpId> =
                body.blocks(region).flat_map(|block: BlockId| body.block_ops(block)).collect();
            tasks.extend(ops.into_iter().rev().map(Task::Op));
            tasks.push(Task::Open { isolated });
        }
    }

    /// Erases or merges an op; false when it stays.
    fn simplify(&mut self, body: &mut Body, op: OpId) -> bool {
        let Some(info) = self.registry.op(body.name(op)) else { return false };
        if info.terminator {
            return false;
        }
        if is_trivially_dead(self.registry, body, op) {
            Rewriter::new(body, self.registry).erase(op);
            self.dead += 1;
            return true;
        }
        let of_blocks = |region: &RegionId| body.blocks(*region).nth(1).is_some();
        if body.regions(op).iter().any(of_blocks) || body.num_results(op) == 0 {
            return false;
        }
        let effects = effects(self.registry, body, op);
        let reads = match &effects {
            effects if effects.is_none() => false,
            effects if effects.only(EffectKind::Read) => true,
            _ => return false,
        };
        let mut operands: Vec<ValueId> = body.operands(op).collect();
        if info.commutative {
            operands.sort_unstable();
        }
        let key = Key {
            name: body.name(op),
            attrs: body.attrs(op),
            operands,
            results: body.results(op).map(|r| body.ty(r)).collect(),
        };
        let floor = self.floors.last().copied().unwrap_or(0);
        let visible = self.scopes.get(floor..).unwrap_or(&[]);
        let candidates = visible.iter().rev().filter_map(|scope| scope.known.get(&key)).flatten();
        let found = candidates.copied().find(|&known| {
            self.dominance.block_dominates_op(body, known, op)
                && same_regions(body, known, op)
                && (!reads || self.unwritten_between(body, known, op))
        });
        match found {
            Some(known) => {
                let values: Vec<ValueId> = body.results(known).collect();
                Rewriter::new(body, self.registry).replace(op, &values);
                self.merged += 1;
                true
            }
            None => {
                if let Some(scope) = self.scopes.last_mut() {
                    let known = scope.known.entry(key).or_default();
                    // The latest read is the one with the fewest writes behind it.
                    known.insert(0, op);
                }
                false
            }
        }
    }

    fn unwritten_between(&self, body: &Body, from: OpId, to: OpId) -> bool {
        if body.parent_block(from) != body.parent_block(to) {
            return false;
        }
        let mut at = body.next_op(from);
        while let Some(op) = at.filter(|&op| op != to) {
            match effects(self.registry, body, op) {
                OpEffects::Unknown => return false,
                known if known.may(EffectKind::Write) || known.may(EffectKind::Free) => {
                    return false;
                }
                _ => {}
            }
            at = body.next_op(op);
        }
        at.is_some()
    }
}
