//! Which values become which: what branches, regions and selections pass on, as ops declare it.
//!
//! `PassesValues<"from", "to">` says that the values of an operand group, or those that the
//! terminators of a region pass on, become the last arguments of a region or a group of results;
//! `PassesOn<"operands">` names those of a terminator's operands that it passes on where not all are.

use rustc_hash::FxHashMap;
use tegula_ir::{BlockId, Body, OpId, RegionId, Registry, ValueId, successor_operands};
use tegula_schema::{Arity, OpDef};

/// How values flow within one op.
#[derive(Debug, Default)]
pub struct Flow {
    sources: FxHashMap<ValueId, Vec<(ValueId, OpId)>>,
    targets: FxHashMap<ValueId, Vec<ValueId>>,
}

impl Flow {
    /// The flow in all regions of an op.
    pub fn of(registry: &Registry, body: &Body, root: OpId) -> Flow {
        let mut flow = Flow::default();
        for op in body.walk(root) {
            flow.op(registry, body, op);
            for &region in body.regions(op) {
                for block in body.blocks(region).skip(1) {
                    flow.block(registry, body, region, block);
                }
            }
        }
        flow
    }

    /// The values of which this is one, each with the op that passes it on; none where not all of
    /// them are known.
    pub fn sources(&self, value: ValueId) -> &[(ValueId, OpId)] {
        self.sources.get(&value).map_or(&[], Vec::as_slice)
    }

    /// The values that this may become.
    pub fn targets(&self, value: ValueId) -> &[ValueId] {
        self.targets.get(&value).map_or(&[], Vec::as_slice)
    }

    fn pass(&mut self, (from, by): (ValueId, OpId), to: ValueId) {
        self.sources.entry(to).or_default().push((from, by));
        self.targets.entry(from).or_default().push(to);
    }

    fn op(&mut self, registry: &Registry, body: &Body, op: OpId) {
        let Some(info) = registry.op(body.name(op)) else { return };
        let def = info.def();
        for rule in def.traits.iter().filter(|t| t.name == "PassesValues") {
            let [from, to] = rule.args.as_ref() else { continue };
            let given: Vec<(OpId, Vec<ValueId>)> = match regions_named(body, op, def, from) {
                Some(regions) => regions.iter().flat_map(|&r| given(registry, body, r)).collect(),
                None => vec![(op, registry.operands_of(body, op, from))],
            };
            let taken = match regions_named(body, op, def, to) {
                Some(regions) => regions.iter().filter_map(|&r| entry_args(body, r)).collect(),
                None => vec![registry.results_of(body, op, to)],
            };
            for (by, values) in &given {
                for places in &taken {
                    let skipped = places.len().saturating_sub(values.len());
                    for (&value, &place) in values.iter().zip(&places[skipped..]) {
                        self.pass((value, *by), place);
                    }
                }
            }
        }
    }

    /// What branches pass to a block; nothing is known where one of them does not say.
    fn block(&mut self, registry: &Registry, body: &Body, region: RegionId, block: BlockId) {
        let args = body.block_args(block).to_vec();
        if args.is_empty() {
            return;
        }
        let mut passed: Vec<((ValueId, OpId), ValueId)> = Vec::new();
        for last in body.blocks(region).filter_map(|pred| body.last_op(pred)) {
            if !body.successors(last).contains(&block) {
                continue;
            }
            let Some(ranges) = successor_operands(registry, body, last) else { return };
            for (range, _) in
                ranges.into_iter().zip(body.successors(last)).filter(|s| *s.1 == block)
            {
                let values =
                    range.zip(&args).map(|(at, &arg)| ((body.operand(last, at), last), arg));
                passed.extend(values);
            }
        }
        for (from, to) in passed {
            self.pass(from, to);
        }
    }
}

/// The regions of a group.
fn regions_named<'a>(body: &'a Body, op: OpId, def: &OpDef, name: &str) -> Option<&'a [RegionId]> {
    let at = def.regions.iter().position(|region| region.name == name)?;
    let all = body.regions(op);
    let end = if def.regions[at].arity == Arity::Variadic { all.len() } else { at + 1 };
    all.get(at..end)
}

fn entry_args(body: &Body, region: RegionId) -> Option<Vec<ValueId>> {
    Some(body.block_args(body.first_block(region)?).to_vec())
}

/// What each terminator of a region that ends it passes on.
fn given(registry: &Registry, body: &Body, region: RegionId) -> Vec<(OpId, Vec<ValueId>)> {
    let ends = body.blocks(region).filter_map(|block| body.last_op(block));
    ends.filter_map(|end| Some((end, passed_on(registry, body, end)?))).collect()
}

/// What a terminator passes on to what is around its region; none where it does not leave it.
pub fn passed_on(registry: &Registry, body: &Body, end: OpId) -> Option<Vec<ValueId>> {
    let def = registry.op(body.name(end))?.def();
    let leaves = def.has_trait("ReturnLike") || def.has_trait("RegionBranchTerminatorOpInterface");
    if !leaves || !body.successors(end).is_empty() {
        return None;
    }
    let some = def.traits.iter().find(|t| t.name == "PassesOn").and_then(|t| t.args.first());
    Some(match some {
        Some(group) => registry.operands_of(body, end, group),
        None => body.operands(end).collect(),
    })
}
