//! The phases of the plan: what each makes of one symbol, and what it decides for all of them.

use std::sync::Arc;

use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashMap;
use tegula_ir::{Body, FrozenBody, Ident};
use tegula_pass::{
    Fact, Header, Phase as Step, Report, Run, Statement, apply, apply_verdicts, callees, decide,
    run_bottom_up, run_header, run_local, solve, state, summarize,
};

use crate::database::{Database, Db, poll};
use crate::inputs::{Calls, Given, Level, Stage, Topic};

/// What a phase makes of one symbol.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Outcome {
    /// The symbol's body afterwards; none when it is gone or the phase failed on it.
    pub(crate) body: Option<Arc<FrozenBody>>,
    /// New symbols, to stand before it.
    pub(crate) emitted: Vec<Arc<FrozenBody>>,
    /// What the passes said.
    pub(crate) reports: Vec<Report>,
    /// The phase gave up on the symbol.
    pub(crate) failed: bool,
}

impl Outcome {
    /// A symbol that the phase leaves as it is.
    pub(crate) fn same(body: Arc<FrozenBody>) -> Outcome {
        Outcome { body: Some(body), emitted: Vec::new(), reports: Vec::new(), failed: false }
    }
}

/// What a phase makes of a symbol. Only phases that see one symbol at a time get here.
#[salsa::tracked(returns(ref), lru = 0)]
pub(crate) fn outcome(db: &dyn Db, stage: Stage) -> Outcome {
    let (level, body) = (stage.level(db), stage.body(db).clone());
    let Some(step) = level.step(db) else { return Outcome::same(body) };
    let header = level.header(db);
    let poll = poll(db);
    let env = level.program(db).setup(db).env(&poll, false);
    match (&**step, stage.given(db)) {
        (Step::Local(nodes), _) => {
            several(body.clone(), run_local(env, nodes, header, body.thaw()))
        }
        (Step::Solved(_, step), Given::Projection(projection)) => {
            several(body.clone(), apply(env, step, header, body.thaw(), projection))
        }
        (Step::BySubject(_, step), Given::Verdicts(common, verdicts)) => {
            let run = apply_verdicts(env, step, header, body.thaw(), common, verdicts);
            several(body.clone(), run)
        }
        (Step::Solved(..) | Step::BySubject(..), Given::Unsolved) => {
            Outcome { body: None, failed: true, ..Outcome::same(body) }
        }
        (Step::BottomUp(anchor, step), given) => {
            let stages = match given {
                Given::Callees(stages) => &stages[..],
                _ => &[],
            };
            let called: Vec<Body> = (stages.iter())
                .filter_map(|&callee| outcome(db, callee).body.as_ref().map(|b| b.thaw()))
                .collect();
            single(&body, run_bottom_up(env, step, anchor, header, body.thaw(), &called))
        }
        _ => Outcome::same(body),
    }
}

/// Whether the database remembers what phases made of symbols once an input changes.
pub(crate) fn remember_outcomes(db: &mut Database, remember: bool) {
    const ALL: usize = 0;
    const AS_FEW_AS_CAN_BE: usize = 1;
    outcome::set_lru_capacity(db, if remember { ALL } else { AS_FEW_AS_CAN_BE });
}

fn freeze(body: Body) -> Arc<FrozenBody> {
    Arc::new(body.freeze())
}

/// What takes the place of a symbol.
fn several(before: Arc<FrozenBody>, run: Run<Vec<Body>>) -> Outcome {
    let Run { mut value, reports, result } = run;
    match result {
        Ok(changed) if !changed.is_yes() => Outcome { reports, ..Outcome::same(before) },
        Ok(_) => {
            // New symbols come first; the symbol itself is last unless it is gone.
            let own = value.pop();
            Outcome {
                body: own.map(freeze),
                emitted: value.into_iter().map(freeze).collect(),
                reports,
                failed: false,
            }
        }
        Err(_) => Outcome { body: None, emitted: Vec::new(), reports, failed: true },
    }
}

fn single(before: &Arc<FrozenBody>, run: Run<Body>) -> Outcome {
    let failed = run.result.is_err();
    let body = match run.result {
        Ok(changed) if !changed.is_yes() => Some(before.clone()),
        Ok(_) => run.value.root().is_some().then(|| freeze(run.value)),
        Err(_) => None,
    };
    Outcome { body, emitted: Vec::new(), reports: run.reports, failed }
}

/// What a phase has made of a symbol once a pass within it is done.
#[salsa::tracked(returns(clone))]
pub(crate) fn bodies_until(db: &dyn Db, stage: Stage, pass: usize) -> Vec<Arc<FrozenBody>> {
    let level = stage.level(db);
    let body = stage.body(db);
    let Some(Step::Local(nodes)) = level.step(db).as_deref() else { return vec![body.clone()] };
    let poll = poll(db);
    let mut env = level.program(db).setup(db).env(&poll, false);
    env.until = Some(pass);
    let run = run_local(env, nodes, level.header(db), body.thaw());
    run.value.into_iter().map(freeze).collect()
}

/// What a header phase gives: the header, and the bodies that it adds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct HeaderOutcome {
    pub(crate) header: Header,
    pub(crate) added: Vec<Arc<FrozenBody>>,
    pub(crate) reports: Vec<Report>,
    pub(crate) failed: bool,
}

/// Runs a header phase; none when the phase is another one.
#[salsa::tracked(returns(ref))]
pub(crate) fn header_outcome(db: &dyn Db, level: Level) -> Option<HeaderOutcome> {
    let Some(Step::Header(step)) = level.step(db).as_deref() else { return None };
    let poll = poll(db);
    let env = level.program(db).setup(db).env(&poll, false);
    let Run { value, reports, result } = run_header(env, step, level.header(db));
    let header = Header::of(&value);
    let added = value.bodies.into_iter().map(freeze).collect();
    Some(HeaderOutcome { header, added, reports, failed: result.is_err() })
}

/// What a solved phase needs to know of a symbol; none when it does not concern it.
#[salsa::tracked(returns(clone))]
pub(crate) fn summary(db: &dyn Db, stage: Stage) -> Option<Fact> {
    let level = stage.level(db);
    let Some(Step::Solved(anchor, step)) = level.step(db).as_deref() else { return None };
    summarize(step, anchor, level.header(db), stage.body(db).body())
}

/// What a solve decides.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Solution {
    /// A projection for each summary; none when the solve failed.
    pub(crate) projections: Option<Vec<Fact>>,
    /// What the pass said.
    pub(crate) reports: Vec<Report>,
}

/// The solve of a solved phase.
#[salsa::tracked(returns(ref))]
pub(crate) fn solution(db: &dyn Db, level: Level) -> Solution {
    let Some(Step::Solved(_, step)) = level.step(db).as_deref() else {
        return Solution::default();
    };
    let poll = poll(db);
    let env = level.program(db).setup(db).env(&poll, false);
    let run = solve(env, step, level.header(db), level.summaries(db));
    Solution { projections: run.result.is_ok().then_some(run.value), reports: run.reports }
}

/// What a symbol says in a phase that decides subject by subject; none when it does not concern it.
#[salsa::tracked(returns(ref))]
pub(crate) fn statement(db: &dyn Db, stage: Stage) -> Option<Statement<Fact, Fact>> {
    let level = stage.level(db);
    let Some(Step::BySubject(anchor, step)) = level.step(db).as_deref() else { return None };
    let poll = poll(db);
    let env = level.program(db).setup(db).env(&poll, false);
    state(env, step, anchor, level.header(db), stage.body(db).body())
}

/// What a solve by subject decides; none when it failed.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Decision {
    pub(crate) fact: Option<Fact>,
    /// What the pass said.
    pub(crate) reports: Vec<Report>,
}

/// What follows from what is said to all.
#[salsa::tracked(returns(ref))]
pub(crate) fn common(db: &dyn Db, level: Level) -> Decision {
    let Some(Step::BySubject(_, step)) = level.step(db).as_deref() else {
        return Decision::default();
    };
    let poll = poll(db);
    let env = level.program(db).setup(db).env(&poll, false);
    let run = tegula_pass::common(env, step, level.header(db), level.summaries(db));
    Decision { fact: run.value, reports: run.reports }
}

/// What is decided about a subject.
#[salsa::tracked(returns(ref))]
pub(crate) fn verdict(db: &dyn Db, topic: Topic) -> Decision {
    let level = topic.level(db);
    let Some(common) = &common(db, level).fact else { return Decision::default() };
    let Some(Step::BySubject(_, step)) = level.step(db).as_deref() else {
        return Decision::default();
    };
    let poll = poll(db);
    let env = level.program(db).setup(db).env(&poll, false);
    let run = decide(env, step, level.header(db), common, topic.subject(db), topic.claims(db));
    Decision { fact: run.value, reports: run.reports }
}

/// What a symbol is named and calls.
#[salsa::tracked(returns(ref))]
pub(crate) fn calls(db: &dyn Db, stage: Stage) -> Calls {
    let body = stage.body(db).body();
    let name = body.root().and_then(|root| body.symbol_name(root)).map(Ident::of);
    (name, callees(&stage.level(db).program(db).setup(db).registry, body))
}

/// Who calls whom, symbols by their place in module order.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CallGraph {
    /// Whom each calls, those that call back left out.
    pub(crate) callees: Vec<Vec<usize>>,
    /// All, each after those that it calls.
    pub(crate) callees_first: Vec<usize>,
}

/// The call graph at the start of a bottom-up phase.
#[salsa::tracked(returns(ref))]
pub(crate) fn call_graph(db: &dyn Db, level: Level) -> CallGraph {
    let calls = level.calls(db);
    let mut graph: DiGraph<(), ()> = DiGraph::new();
    let nodes: Vec<NodeIndex> = calls.iter().map(|_| graph.add_node(())).collect();
    let named = calls.iter().zip(&nodes).filter_map(|((name, _), &node)| Some(((*name)?, node)));
    let by_name: FxHashMap<Ident, NodeIndex> = named.collect();
    for ((_, callees), &node) in calls.iter().zip(&nodes) {
        for target in callees.iter().filter_map(|callee| by_name.get(callee)) {
            graph.update_edge(node, *target, ());
        }
    }
    let components = tarjan_scc(&graph);
    let mut component = vec![0; calls.len()];
    for (number, members) in components.iter().enumerate() {
        for member in members {
            component[member.index()] = number;
        }
    }
    let mut callees = vec![Vec::new(); calls.len()];
    for edge in graph.raw_edges() {
        let (from, to) = (edge.source().index(), edge.target().index());
        if component[from] != component[to] {
            callees[from].push(to);
        }
    }
    let callees_first = components.into_iter().flatten().map(NodeIndex::index).collect();
    CallGraph { callees, callees_first }
}
