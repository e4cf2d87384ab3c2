//! `iree-stream-elide-async-copies`: drops copies that nobody can tell from what they are made of.
//!
//! A copy guards its source against what is written to the result, and the result against what is
//! written to the source. Where neither is written to, or nothing uses the source afterwards, it
//! guards nothing.

use rustc_hash::FxHashSet;
use tegula_analysis::Flow;
use tegula_dialect_util::constants::constant_index;
use tegula_ir::{Attr, Body, InsertPoint, NewOp, OpId, Registry, Type, ValueId};
use tegula_pass::{Changed, Failed, Header, PassCx, PassResult, ShareFacts};
use tegula_rewrite::{Patterns, Rewriter, create_or_fold, tied_operand, ties};

use super::access::{Access, accesses};
use super::moves::{Crossings, Facts, Moves, is_last_user};
use super::support::{is_resource, lifetime};
use super::topology::Topology;
use crate::canonicalize::of_resource;

/// Copies that are dropped make others superfluous; so often they are looked at again.
const MAX_ROUNDS: usize = 30;

/// So many values are looked at to see where one comes from.
const MAX_SOURCES: usize = 256;

/// The pass.
pub(crate) struct ElideAsyncCopies;

impl ShareFacts for ElideAsyncCopies {
    /// What becomes of the resources that go between functions.
    type Shared = Moves;
    type Common = Crossings;

    fn share(&self, registry: &Registry, _: &Header, body: &Body, root: OpId) -> Option<Moves> {
        let moves = Facts::of(registry, body, root).moves;
        moves.crosses().then_some(moves)
    }

    fn common(&self, _: &mut PassCx<'_>, shared: &[&Moves]) -> Result<Crossings, Failed> {
        Ok(Crossings::of(shared))
    }

    fn apply(
        &self,
        cx: &mut PassCx<'_>,
        body: &mut Body,
        root: OpId,
        known: &Crossings,
    ) -> PassResult {
        let mut changed = Changed::No;
        for _ in 0..MAX_ROUNDS {
            let mut facts = Facts::of(cx.registry, body, root);
            facts.moves.learn(known);
            let ops: Vec<OpId> = body.walk(root).collect();
            let topology = Topology::of(cx.header);
            let mut rw = cx.rewriter(body);
            let mut round = Changed::No;
            for op in ops {
                round |= Changed::when(elide(&mut rw, cx.patterns, &facts, topology, op));
            }
            if !round.is_yes() {
                break;
            }
            changed = Changed::Yes;
        }
        Ok(changed)
    }
}

fn elide(
    rw: &mut Rewriter<'_>,
    patterns: &Patterns,
    facts: &Facts,
    topology: Topology,
    op: OpId,
) -> bool {
    if rw.body.is_erased(op) {
        return false;
    }
    match rw.body.name(op).as_str() {
        "stream.async.clone" if is_needless_clone(rw.body, facts, op) => {
            let source = rw.body.operand(op, 0);
            rw.replace(op, &[source]);
        }
        "stream.async.transfer" if is_needless_transfer(rw.registry, rw.body, topology, op) => {
            let source = rw.body.operand(op, 0);
            rw.replace(op, &[source]);
        }
        "stream.async.slice" if is_needless_slice(rw.registry, rw.body, op) => {
            take_part(rw, patterns, op);
        }
        "stream.async.update" if is_needless_update(rw.registry, rw.body, facts, op) => {
            let named = |group: &str| rw.registry.operand_of(rw.body, op, group);
            let (Some(target), Some(update)) = (named("target"), named("update")) else {
                return false;
            };
            let whole = named("update_size") == named("target_size")
                && rw.body.ty(update) == rw.body.ty(target);
            rw.replace(op, &[if whole { update } else { target }]);
        }
        _ => return false,
    }
    true
}

fn same_lifetime(body: &Body, a: ValueId, b: ValueId) -> bool {
    lifetime(body.ty(a)) == lifetime(body.ty(b))
}

fn is_needless_clone(body: &Body, facts: &Facts, op: OpId) -> bool {
    let (source, result) = (body.operand(op, 0), body.result(op, 0));
    if !same_lifetime(body, source, result) {
        return false;
    }
    let written = facts.is_mutated(body, source);
    let result_written = facts.is_mutated(body, result);
    if lifetime(body.ty(source)) == Some("constant") {
        return !written && !result_written;
    }
    let is_argument = body.defining_op(source).is_none();
    if (is_argument && facts.is_kept(source)) || (facts.is_borrowed(source) && result_written) {
        return false;
    }
    (!written && !result_written)
        || body.uses(source).nth(1).is_none()
        || is_last_user(body, source, op)
}

/// Whether a transfer leaves a resource where it is, or where it can be used as it is.
fn is_needless_transfer(registry: &Registry, body: &Body, topology: Topology, op: OpId) -> bool {
    let (source, result) = (body.operand(op, 0), body.result(op, 0));
    if !same_lifetime(body, source, result) {
        return false;
    }
    let said = body.attr(op, "source_affinity");
    let target = body.attr(op, "target_affinity");
    let shared = target.filter(|_| topology.is_known()).and_then(|target| {
        let source = said.or_else(|| place(registry, body, source))?;
        topology.shares(source, target)
    });
    shared.unwrap_or(said == target)
}

/// Where a resource lies, by all ways that it may come.
fn place(registry: &Registry, body: &Body, value: ValueId) -> Option<Attr> {
    let made = of_resource(body, value);
    if made.is_some() {
        return made;
    }
    let flow = Flow::of(registry, body, body.root()?);
    let (mut open, mut seen) = (vec![value], FxHashSet::default());
    let mut found = None;
    while let Some(value) = open.pop() {
        if !seen.insert(value) {
            continue;
        }
        if seen.len() > MAX_SOURCES {
            return None;
        }
        match of_resource(body, value) {
            Some(place) if found.is_none_or(|found| found == place) => found = Some(place),
            Some(_) => return None,
            None if flow.sources(value).is_empty() => return None,
            None => open.extend(flow.sources(value).iter().map(|(source, _)| *source)),
        }
    }
    found
}

/// Whether all that uses a slice can use the range instead, and nothing writes to it.
fn is_needless_slice(registry: &Registry, body: &Body, op: OpId) -> bool {
    let (source, result) = (body.operand(op, 0), body.result(op, 0));
    let takes_ranges = body.users(result).all(|user| {
        matches!(body.name(user).as_str(), "stream.async.copy" | "stream.async.dispatch")
            && !body.results(user).any(|tied| {
                tied_operand(registry, body, tied)
                    .is_some_and(|(_, operand)| body.operand(user, operand) == result)
            })
    });
    if !takes_ranges || ties(registry, body, source).len() > 1 {
        return false;
    }
    let Some(slice) = accesses(registry, body, op) else { return false };
    let Some(slice) = slice.into_iter().find(|access| access.resource == source) else {
        return false;
    };
    body.users(source).filter(|&user| user != op).all(|user| {
        accesses(registry, body, user)
            .is_some_and(|all| all.iter().all(|other| !other.writes || !slice.may_overlap(other)))
    })
}

/// Lets what uses a slice use the range of what it is taken of.
fn take_part(rw: &mut Rewriter<'_>, patterns: &Patterns, slice: OpId) {
    let registry = rw.registry;
    let named = |body: &Body, group: &str| registry.operand_of(body, slice, group);
    let (Some(source), Some(size), Some(offset)) =
        (named(rw.body, "source"), named(rw.body, "source_size"), named(rw.body, "source_offset"))
    else {
        return;
    };
    let result = rw.body.result(slice, 0);
    let users: Vec<OpId> = rw.body.users(result).collect();
    for user in users {
        let group = match rw.body.is(user, "stream.async.copy") {
            true => ["source", "source_offset", "source_end", "source_size"],
            false => [
                "resource_operands",
                "resource_operand_offsets",
                "resource_operand_ends",
                "resource_operand_sizes",
            ],
        };
        let [mut values, mut starts, mut ends, mut sizes] =
            group.map(|group| registry.operands_of(rw.body, user, group));
        let mut resource = 0;
        for value in &mut values {
            if *value == result {
                *value = source;
                starts[resource] = plus(rw, patterns, user, offset, starts[resource]);
                ends[resource] = plus(rw, patterns, user, offset, ends[resource]);
                sizes[resource] = size;
            }
            resource += usize::from(is_resource(rw.body, *value));
        }
        rw.modify(user, |body| {
            for (group, values) in group.iter().zip([values, starts, ends, sizes]) {
                registry.set_operands_of(body, user, group, &values);
            }
        });
    }
    rw.erase(slice);
}

fn plus(rw: &mut Rewriter<'_>, patterns: &Patterns, at: OpId, a: ValueId, b: ValueId) -> ValueId {
    match (constant_index(rw.body, a), constant_index(rw.body, b)) {
        (Some(0), _) => b,
        (_, Some(0)) => a,
        _ => {
            rw.set_insertion_point(InsertPoint::Before(at));
            let sum = NewOp::new("arith.addi").operands([a, b]).result(Type::index());
            create_or_fold(rw, patterns, sum).first().copied().unwrap_or(a)
        }
    }
}

/// Whether nothing reads what an update writes.
fn is_needless_update(registry: &Registry, body: &Body, facts: &Facts, op: OpId) -> bool {
    let named = |op: OpId, group: &str| registry.operand_of(body, op, group);
    let Some(target) = named(op, "target") else { return false };
    let result = body.result(op, 0);
    let base = ties(registry, body, target).last().copied().unwrap_or(target);
    let is_argument = body.defining_op(base).is_none();
    if (is_argument && facts.is_kept(base)) || body.uses(target).nth(1).is_some() {
        return false;
    }
    let (start, end) = (named(op, "target_offset"), named(op, "target_end"));
    let written = Access { resource: result, reads: false, writes: true, start, end };
    let overwrites = |access: &Access| {
        (access.resource == result || access.resource == target)
            && access.writes
            && access.start == start
            && access.end == end
    };
    body.users(result).all(|user| {
        let Some(all) = accesses(registry, body, user) else { return false };
        let is_next = body.is(user, "stream.async.update") && named(user, "target") == Some(result);
        if is_next {
            return named(user, "target_offset") == start && named(user, "target_end") == end;
        }
        let writes_on = body.results(user).any(|tied| {
            tied_operand(registry, body, tied)
                .is_some_and(|(_, operand)| body.operand(user, operand) == result)
        });
        (!writes_on || all.iter().any(overwrites))
            && all.iter().all(|access| !access.reads || !written.may_overlap(access))
    })
}
