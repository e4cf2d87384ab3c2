//! Passes that see callees before their callers.

use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashMap;
use tegula_ir::{AttrData, Body, Ident, Module, Registry};

use super::{Env, Exec, Run, Said};
use crate::plan::{Anchor, Node, PassStep};
use crate::{Callees, Changed, Header, PassResult, PassRun};

/// How often a body is simplified at most.
const ROUNDS: usize = 4;

/// The symbols that a body calls, in order of first call, each once.
pub fn callees(registry: &Registry, body: &Body) -> Vec<Ident> {
    let mut out: Vec<Ident> = Vec::new();
    for op in body.walk_all() {
        let calls =
            registry.op(body.name(op)).is_some_and(|info| info.def().has_trait("CallOpInterface"));
        if !calls {
            continue;
        }
        for (_, attr) in body.attr_entries(op) {
            if let AttrData::SymbolRef { root, nested } = attr.data()
                && nested.is_empty()
                && !out.contains(root)
            {
                out.push(*root);
            }
        }
    }
    out
}

/// Runs a bottom-up pass on one body, given the results of those that it calls.
pub fn run_bottom_up(
    env: Env<'_>,
    step: &PassStep,
    anchor: &Anchor,
    header: &Header,
    body: Body,
    called: &[Body],
) -> Run<Body> {
    let mut exec = Exec::new(env, header.clone(), None);
    let mut body = body;
    let named = called.iter().filter_map(|b| Some((b.symbol_name(b.root()?)?, b)));
    let callees = Callees { bodies: named.collect() };
    let result = exec.bottom_up_on(anchor, step, &mut body, &callees);
    Run { value: body, reports: exec.reports, result }
}

impl Exec<'_, '_> {
    pub(super) fn bottom_up(
        &mut self,
        anchor: &Anchor,
        step: &PassStep,
        module: &mut Module,
    ) -> PassResult {
        let graph = CallGraph::new(self.env.registry, module);
        let mut changed = Changed::No;
        for component in graph.components() {
            for &at in &component {
                let mut body = std::mem::take(&mut module.bodies[at]);
                let callees = graph.callees(at, &component, module);
                let result = self.bottom_up_on(anchor, step, &mut body, &callees);
                module.bodies[at] = body;
                changed |= result?;
            }
        }
        Ok(changed)
    }

    fn bottom_up_on(
        &mut self,
        anchor: &Anchor,
        step: &PassStep,
        body: &mut Body,
        callees: &Callees<'_>,
    ) -> PassResult {
        let Some(simplifier) = &step.simplifier else {
            return self.bottom_up_once(anchor, step, body, callees);
        };
        let mut changed = Changed::No;
        for _ in 0..ROUNDS {
            changed |= self.simplify(anchor, simplifier, body)?;
            let result = self.bottom_up_once(anchor, step, body, callees)?;
            if !result.is_yes() {
                break;
            }
            changed = Changed::Yes;
        }
        Ok(changed)
    }

    /// Simplifies each function in a body.
    fn simplify(&mut self, anchor: &Anchor, step: &PassStep, body: &mut Body) -> PassResult {
        let mut changed = Changed::No;
        let functions = body.walk_all().filter(|&op| {
            let info = self.env.registry.op(body.name(op));
            info.is_some_and(|info| info.def().has_trait("FunctionOpInterface"))
        });
        for function in functions.collect::<Vec<_>>() {
            let root = body.root().filter(|&root| anchor.accepts(body.name(root)));
            if root.is_some() && !body.is_erased(function) {
                changed |= self.node_on_op(&Node::Pass(step.clone()), body, function)?;
            }
        }
        Ok(changed)
    }

    fn bottom_up_once(
        &mut self,
        anchor: &Anchor,
        step: &PassStep,
        body: &mut Body,
        callees: &Callees<'_>,
    ) -> PassResult {
        let Some(PassRun::BottomUp(run)) = step.pass.run else { return Ok(Changed::No) };
        let Some(root) = body.root().filter(|&root| anchor.accepts(body.name(root))) else {
            return Ok(Changed::No);
        };
        let header = self.header.clone();
        let mut cx = self.cx(step, &header);
        let result = run(&mut cx, body, root, callees);
        let said = Said::of(&mut cx);
        let applied = self.hear(step, said);
        if result?.is_yes() {
            self.settle(body, &step.pass.def.name, &applied)?;
        }
        result
    }
}

/// Who calls whom among the bodies of a module, by position.
struct CallGraph {
    graph: DiGraph<usize, ()>,
}

impl CallGraph {
    fn new(registry: &Registry, module: &Module) -> CallGraph {
        let mut graph = DiGraph::new();
        let nodes: Vec<NodeIndex> = (0..module.bodies.len()).map(|at| graph.add_node(at)).collect();
        let symbols: FxHashMap<&str, usize> = module
            .bodies
            .iter()
            .enumerate()
            .filter_map(|(at, body)| Some((body.symbol_name(body.root()?)?, at)))
            .collect();
        for (at, body) in module.bodies.iter().enumerate() {
            for callee in callees(registry, body) {
                if let Some(&callee) = symbols.get(callee.as_str()) {
                    graph.update_edge(nodes[at], nodes[callee], ());
                }
            }
        }
        CallGraph { graph }
    }

    /// Groups of bodies that call each other, callees before callers, each in module order.
    fn components(&self) -> Vec<Vec<usize>> {
        let components = tarjan_scc(&self.graph).into_iter().map(|component| {
            let mut places: Vec<usize> = component.into_iter().map(|n| self.graph[n]).collect();
            places.sort_unstable();
            places
        });
        components.collect()
    }

    fn callees<'m>(&self, at: usize, component: &[usize], module: &'m Module) -> Callees<'m> {
        let mut callees: Vec<usize> =
            self.graph.neighbors(NodeIndex::new(at)).map(|n| self.graph[n]).collect();
        callees.sort_unstable();
        let bodies = callees.into_iter().filter(|c| !component.contains(c)).filter_map(|place| {
            let body = &module.bodies[place];
            Some((body.symbol_name(body.root()?)?, body))
        });
        Callees { bodies: bodies.collect() }
    }
}
