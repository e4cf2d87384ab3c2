//! The phases of the plan, one symbol at a time.

use std::sync::Arc;

use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashMap;
use tegula_ir::{Body, FrozenBody, Ident};
use tegula_pass::{
    Fact, Header, Phase as Step, Plan, Run, apply, callees, run_bottom_up, run_header, run_local,
    solve, summarize,
};

use crate::Program;
use crate::facts::{Outcome, Planned, Solution};
use crate::parse::{item_body, written_header};
use crate::shards::{Callees, Decided, Projections, entry, shard, shards};
use crate::symbols::{Origin, Symbol, content_body, symbols_at};
use crate::whole::{whole_body, whole_header};

/// The plan up to the program's phase. The pipelines are part of the setup, and whoever makes a
/// setup checks them; one that can't be planned has no phases.
#[salsa::tracked(returns(clone))]
pub(crate) fn plan(db: &dyn salsa::Database, program: Program) -> Planned {
    let plan = program.setup(db).plan(program.phase(db));
    Planned(Arc::new(plan.unwrap_or_else(|_| Plan::default())))
}

/// The header at the start of a phase.
#[salsa::tracked(returns(clone))]
pub(crate) fn header_at(db: &dyn salsa::Database, program: Program, phase: usize) -> Arc<Header> {
    let Some(before) = phase.checked_sub(1) else {
        return Arc::new(written_header(db, program).0.clone());
    };
    match plan(db, program).0.phases.get(before) {
        Some(Step::Header(_)) => header_outcome(db, program, before).0.clone(),
        Some(Step::Module(_) | Step::FixedPoint(_)) => whole_header(db, program, before),
        _ => header_at(db, program, before),
    }
}

/// What a header phase gives: the header, and the bodies that it adds.
#[salsa::tracked(returns(ref))]
pub(crate) fn header_outcome(
    db: &dyn salsa::Database,
    program: Program,
    phase: usize,
) -> (Arc<Header>, Outcome) {
    let header = header_at(db, program, phase);
    let planned = plan(db, program);
    let Some(Step::Header(step)) = planned.0.phases.get(phase) else {
        return (header, Outcome::same(None));
    };
    let setup = program.setup(db);
    let Run { value, reports, result } = run_header(setup.env(&no_poll, false), step, &header);
    let emitted = value.bodies.iter().map(|b| Arc::new(b.freeze())).collect();
    let outcome = Outcome { body: None, emitted, reports, failed: result.is_err() };
    (Arc::new(Header::of(&value)), outcome)
}

/// Queries look at cancellation when they begin; within one there is nothing to poll.
pub(crate) fn no_poll() {}

/// The bodies that a header phase adds.
pub(crate) fn header_added(
    db: &dyn salsa::Database,
    program: Program,
    phase: usize,
) -> &[Arc<FrozenBody>] {
    &header_outcome(db, program, phase).1.emitted
}

/// The body of a symbol at the start of a phase.
pub(crate) fn body_at<'db>(
    db: &'db dyn salsa::Database,
    program: Program,
    phase: usize,
    symbol: Symbol<'db>,
) -> Option<Arc<FrozenBody>> {
    let (born, first) = match symbol.origin(db) {
        Origin::Item(item, index) => {
            (0, (phase == 0).then(|| item_body(db, program, item, index as usize)))
        }
        Origin::Header(at, index) => (
            at + 1,
            (phase == at as usize + 1)
                .then(|| header_added(db, program, at as usize).get(index as usize).cloned()),
        ),
        Origin::Emitted(by, at, index) => (
            at + 1,
            (phase == at as usize + 1).then(|| {
                outcome(db, program, at as usize, by).emitted.get(index as usize).cloned()
            }),
        ),
        Origin::Content(at, name) => {
            (at + 1, (phase == at as usize + 1).then(|| content_body(db, program, at, name)))
        }
        Origin::Whole(at, _) => (at + 1, None),
    };
    if let Some(body) = first {
        return body;
    }
    if phase < born as usize {
        return None;
    }
    let before = phase.checked_sub(1)?;
    match plan(db, program).0.phases.get(before) {
        Some(Step::Module(_) | Step::FixedPoint(_)) => whole_body(db, program, before, symbol),
        Some(Step::Header(_)) => body_at(db, program, before, symbol),
        _ => outcome(db, program, before, symbol).body.clone(),
    }
}

/// What a phase makes of a symbol. Only phases that see one symbol at a time get here.
#[salsa::tracked(returns(ref))]
pub(crate) fn outcome<'db>(
    db: &'db dyn salsa::Database,
    program: Program,
    phase: usize,
    symbol: Symbol<'db>,
) -> Outcome {
    let Some(body) = body_at(db, program, phase, symbol) else { return Outcome::same(None) };
    db.unwind_if_revision_cancelled();
    let planned = plan(db, program);
    let setup = program.setup(db);
    let header = header_at(db, program, phase);
    let env = setup.env(&no_poll, false);
    match planned.0.phases.get(phase) {
        Some(Step::Local(nodes)) => {
            let run = run_local(env, nodes, &header, body.thaw());
            let Run { mut value, reports, result } = run;
            let failed = result.is_err();
            if result.is_ok_and(|changed| !changed.is_yes()) {
                return Outcome { body: Some(body), emitted: Vec::new(), reports, failed };
            }
            // New symbols come first; the symbol itself is last unless it is gone.
            let own = if failed { value.pop().and(None) } else { value.pop() };
            Outcome {
                body: own.map(freeze),
                emitted: if failed { Vec::new() } else { value.into_iter().map(freeze).collect() },
                reports,
                failed,
            }
        }
        Some(Step::Solved(_, step)) => {
            if summary(db, program, phase, symbol).is_none() {
                return Outcome::same(Some(body));
            }
            let Some(projection) = projection(db, program, phase, symbol) else {
                return Outcome { failed: true, ..Outcome::same(None) };
            };
            single(body.clone(), apply(env, step, &header, body.thaw(), &projection))
        }
        Some(Step::BottomUp(anchor, step)) => {
            let called: Vec<Body> = (callee_symbols(db, program, phase, symbol).iter())
                .filter_map(|&callee| {
                    outcome(db, program, phase, callee).body.as_ref().map(|b| b.thaw())
                })
                .collect();
            let run = run_bottom_up(env, step, anchor, &header, body.thaw(), &called);
            single(body, run)
        }
        _ => Outcome::same(Some(body)),
    }
}

fn freeze(body: Body) -> Arc<FrozenBody> {
    Arc::new(body.freeze())
}

fn single(before: Arc<FrozenBody>, run: Run<Body>) -> Outcome {
    let failed = run.result.is_err();
    let body = match run.result {
        Ok(changed) if !changed.is_yes() => Some(before),
        Ok(_) => run.value.root().is_some().then(|| freeze(run.value)),
        Err(_) => None,
    };
    Outcome { body, emitted: Vec::new(), reports: run.reports, failed }
}

/// The summary of a symbol for a solved phase.
#[salsa::tracked(returns(clone))]
pub(crate) fn summary<'db>(
    db: &'db dyn salsa::Database,
    program: Program,
    phase: usize,
    symbol: Symbol<'db>,
) -> Option<Fact> {
    let body = body_at(db, program, phase, symbol)?;
    let planned = plan(db, program);
    let Some(Step::Solved(anchor, step)) = planned.0.phases.get(phase) else { return None };
    summarize(step, anchor, &header_at(db, program, phase), body.body())
}

/// The solve of a solved phase: projections, none when it failed, and what the pass said.
#[salsa::tracked(returns(ref))]
pub(crate) fn solution<'db>(
    db: &'db dyn salsa::Database,
    program: Program,
    phase: usize,
) -> Solution<'db> {
    let planned = plan(db, program);
    let Some(Step::Solved(_, step)) = planned.0.phases.get(phase) else {
        return Solution { projections: None, reports: Vec::new() };
    };
    let mut places = Vec::new();
    let mut summaries = Vec::new();
    for &symbol in &symbols_at(db, program, phase).list {
        if let Some(fact) = summary(db, program, phase, symbol) {
            places.push(symbol);
            summaries.push(fact);
        }
    }
    let setup = program.setup(db);
    let env = setup.env(&no_poll, false);
    let run = solve(env, step, &header_at(db, program, phase), &summaries);
    let projections = run.result.is_ok().then(|| {
        let entries = places.into_iter().zip(run.value.into_iter().map(Decided));
        shards(entries, |number, entries| Projections::new(db, number, entries))
    });
    Solution { projections, reports: run.reports }
}

/// What a solve decides for one symbol; edits that change nothing about it end here.
#[salsa::tracked(returns(clone))]
pub(crate) fn projection<'db>(
    db: &'db dyn salsa::Database,
    program: Program,
    phase: usize,
    symbol: Symbol<'db>,
) -> Option<Fact> {
    let projections = solution(db, program, phase).projections.as_ref()?;
    entry(shard(projections, symbol)?.entries(db), symbol).map(|decided| decided.0.clone())
}

/// The names that a symbol calls.
#[salsa::tracked(returns(ref))]
fn calls<'db>(
    db: &'db dyn salsa::Database,
    program: Program,
    phase: usize,
    symbol: Symbol<'db>,
) -> (Option<Ident>, Vec<Ident>) {
    let Some(body) = body_at(db, program, phase, symbol) else { return (None, Vec::new()) };
    let body = body.body();
    let name = body.root().and_then(|root| body.symbol_name(root)).map(Ident::of);
    (name, callees(&program.setup(db).registry, body))
}

/// Which symbols each symbol calls, those that call back left out.
#[salsa::tracked(returns(ref))]
fn call_graph<'db>(
    db: &'db dyn salsa::Database,
    program: Program,
    phase: usize,
) -> Vec<Callees<'db>> {
    let symbols = &symbols_at(db, program, phase).list;
    let mut graph: DiGraph<Symbol<'db>, ()> = DiGraph::new();
    let mut by_name: FxHashMap<Ident, NodeIndex> = FxHashMap::default();
    let nodes: Vec<NodeIndex> = symbols.iter().map(|&s| graph.add_node(s)).collect();
    for (&symbol, &node) in symbols.iter().zip(&nodes) {
        if let Some(name) = calls(db, program, phase, symbol).0 {
            by_name.insert(name, node);
        }
    }
    for (&symbol, &node) in symbols.iter().zip(&nodes) {
        for callee in &calls(db, program, phase, symbol).1 {
            if let Some(&target) = by_name.get(callee) {
                graph.update_edge(node, target, ());
            }
        }
    }
    let mut component = vec![0; graph.node_count()];
    for (number, members) in tarjan_scc(&graph).into_iter().enumerate() {
        for member in members {
            component[member.index()] = number;
        }
    }
    let mut callees: Vec<Vec<Symbol<'db>>> = vec![Vec::new(); graph.node_count()];
    for edge in graph.edge_indices() {
        if let Some((from, to)) = graph.edge_endpoints(edge)
            && component[from.index()] != component[to.index()]
        {
            callees[from.index()].push(graph[to]);
        }
    }
    let entries = symbols.iter().copied().zip(callees).filter(|(_, callees)| !callees.is_empty());
    shards(entries, |number, entries| Callees::new(db, number, entries))
}

/// The symbols that a symbol calls; edits elsewhere in the call graph end here.
#[salsa::tracked(returns(clone))]
fn callee_symbols<'db>(
    db: &'db dyn salsa::Database,
    program: Program,
    phase: usize,
    symbol: Symbol<'db>,
) -> Vec<Symbol<'db>> {
    let callees = shard(call_graph(db, program, phase), symbol);
    callees.and_then(|shard| entry(shard.entries(db), symbol).cloned()).unwrap_or_default()
}
