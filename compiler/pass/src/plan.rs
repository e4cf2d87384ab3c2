//! Pipelines resolved against the passes that exist, checked, and cut into phases.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use indexmap::IndexMap;
use petgraph::algo::toposort;
use petgraph::graph::{DiGraph, NodeIndex};
use tegula_diag::did_you_mean;
use tegula_ir::OpName;
use tegula_schema::{PipelineDef, Scope};

use crate::table::RegisteredPass;
use crate::text::{self, ADAPTOR, Element, FIXED_POINT, PipelineError};
use crate::{Options, PassInfo, PassRun, PassTable};

/// One pass at its place in a pipeline.
#[derive(Clone)]
pub struct PassStep {
    /// The pass.
    pub pass: Arc<RegisteredPass>,
    /// Its options.
    pub options: Arc<Options>,
    /// Its number among all passes of the plan, in order.
    pub index: usize,
    /// Where its name stands in the pipeline's text, for messages.
    pub at: usize,
    /// Of a bottom-up pass: what simplifies functions before it and after each change by it.
    pub simplifier: Option<Box<PassStep>>,
}

/// Which ops a nested pipeline runs on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// Any op.
    Any,
    /// Ops of one of these names.
    Ops(Vec<OpName>),
}

impl Anchor {
    /// Whether an op of that name is meant.
    pub fn accepts(&self, name: OpName) -> bool {
        match self {
            Anchor::Any => true,
            Anchor::Ops(names) => names.contains(&name),
        }
    }
}

/// One element of a plan.
#[derive(Clone)]
pub enum Node {
    /// A pass on the current op.
    Pass(PassStep),
    /// A pipeline on each op of the current op's regions that the anchor accepts.
    Nest {
        /// Which ops.
        anchor: Anchor,
        /// What runs on each.
        nodes: Vec<Node>,
    },
    /// On each op of the current op's regions the first pipeline whose anchor accepts it.
    Adaptor {
        /// The pipelines.
        entries: Vec<(Anchor, Vec<Node>)>,
        /// The number that the adaptor takes among the passes.
        index: usize,
    },
    /// A pipeline repeated until no pass in it asks for another round.
    FixedPoint {
        /// The most rounds.
        max_iterations: i64,
        /// What is repeated, on the module.
        phases: Vec<Phase>,
        /// The text of the pipeline, for dumps.
        text: String,
        /// The number that the iterator takes among the passes.
        index: usize,
    },
    /// Passes that are told as one.
    Group {
        /// Who they are together.
        info: PassInfo,
        /// What runs.
        nodes: Vec<Node>,
    },
}

/// A stretch of a pipeline that an incremental layer keeps one result of, per symbol.
#[derive(Clone)]
pub enum Phase {
    /// Passes that see one body each: the phase is a function of one body and the header.
    Local(Vec<Node>),
    /// One pass of scope `solved`, on bodies that the anchor accepts. Where it names ops, the pass
    /// is told on each of them; else on the module.
    Solved(Anchor, PassStep),
    /// One such pass that decides subject by subject.
    BySubject(Anchor, PassStep),
    /// One pass of scope `bottom-up`, on bodies that the anchor accepts.
    BottomUp(Anchor, PassStep),
    /// One pass of scope `header`.
    Header(PassStep),
    /// One pass of scope `merge` or `module`.
    Module(PassStep),
    /// A fixed point over the module.
    FixedPoint(Node),
    /// Phases that are told as one pass; [`Plan::stretches`] has none.
    Group(PassInfo, Vec<Phase>),
}

/// A pipeline that is ready to run.
#[derive(Clone, Default)]
pub struct Plan {
    /// The phases in order.
    pub phases: Vec<Phase>,
    /// The number of passes, adaptors and iterators.
    pub count: usize,
}

impl Plan {
    /// Resolves pipeline text. `facts` hold before the first pass.
    pub fn new(table: &PassTable, text: &str, facts: &[&str]) -> Result<Plan, Vec<PipelineError>> {
        let mut elements = text::parse(text).map_err(|error| vec![error])?;
        if let [Element::Nest { anchor, elements: inner, .. }] = &mut elements[..]
            && (anchor == "builtin.module" || anchor == "any")
        {
            elements = std::mem::take(inner);
        }
        let mut planner = Planner { table, count: 0, errors: Vec::new(), expanding: Vec::new() };
        let nodes = planner.nodes(&elements);
        let phases = planner.phases(nodes);
        if planner.errors.is_empty() {
            check_facts(&phases, facts, &mut planner.errors);
        }
        if planner.errors.is_empty() {
            Ok(Plan { phases, count: planner.count })
        } else {
            Err(planner.errors)
        }
    }

    /// What holds after a run, where `facts` held before it.
    pub fn facts_after<'a>(&'a self, facts: &[&'a str]) -> Vec<&'a str> {
        let mut holds: BTreeSet<&str> = facts.iter().copied().collect();
        for step in self.steps() {
            for fact in step.pass.def.invalidates.iter() {
                holds.remove(fact.as_ref());
            }
            holds.extend(step.pass.def.establishes.iter().map(|fact| fact.as_ref()));
        }
        holds.into_iter().collect()
    }

    /// The phases without groups, of which an incremental layer has no use.
    pub fn stretches(&self) -> Vec<Phase> {
        let mut out = Vec::new();
        ungroup(&self.phases, &mut out);
        out
    }

    /// All passes in order, nested ones included.
    pub fn steps(&self) -> Vec<&PassStep> {
        let mut out = Vec::new();
        steps_of(&self.phases, &mut out);
        out
    }
}

fn ungroup(phases: &[Phase], out: &mut Vec<Phase>) {
    for phase in phases {
        match (out.last_mut(), phase) {
            (_, Phase::Group(_, inner)) => ungroup(inner, out),
            (Some(Phase::Local(last)), Phase::Local(nodes)) => last.extend(nodes.iter().cloned()),
            (_, phase) => out.push(phase.clone()),
        }
    }
}

fn steps_of<'a>(phases: &'a [Phase], out: &mut Vec<&'a PassStep>) {
    for phase in phases {
        match phase {
            Phase::Local(nodes) => nodes.iter().for_each(|node| steps_of_node(node, out)),
            Phase::Solved(_, step)
            | Phase::BySubject(_, step)
            | Phase::BottomUp(_, step)
            | Phase::Header(step)
            | Phase::Module(step) => steps_of_step(step, out),
            Phase::FixedPoint(node) => steps_of_node(node, out),
            Phase::Group(_, phases) => steps_of(phases, out),
        }
    }
}

fn steps_of_node<'a>(node: &'a Node, out: &mut Vec<&'a PassStep>) {
    match node {
        Node::Pass(step) => steps_of_step(step, out),
        Node::Nest { nodes, .. } | Node::Group { nodes, .. } => {
            nodes.iter().for_each(|node| steps_of_node(node, out));
        }
        Node::Adaptor { entries, .. } => {
            entries.iter().flat_map(|(_, nodes)| nodes).for_each(|node| steps_of_node(node, out));
        }
        Node::FixedPoint { phases, .. } => steps_of(phases, out),
    }
}

/// The passes of a step.
fn steps_of_step<'a>(step: &'a PassStep, out: &mut Vec<&'a PassStep>) {
    out.push(step);
    out.extend(step.simplifier.as_deref());
}

struct Planner<'a> {
    table: &'a PassTable,
    count: usize,
    errors: Vec<PipelineError>,
    expanding: Vec<String>,
}

impl Planner<'_> {
    fn error(&mut self, code: &'static str, message: impl Into<String>, at: usize) {
        self.errors.push(PipelineError::new(code, message, at));
    }

    fn next(&mut self) -> usize {
        self.count += 1;
        self.count - 1
    }

    fn nodes(&mut self, elements: &[Element]) -> Vec<Node> {
        elements.iter().flat_map(|element| self.node(element)).collect()
    }

    fn node(&mut self, element: &Element) -> Vec<Node> {
        match element {
            Element::Nest { anchor, elements, .. } => {
                vec![Node::Nest {
                    anchor: anchor_of([anchor.as_str()]),
                    nodes: self.nodes(elements),
                }]
            }
            Element::Adaptor { entries, .. } => {
                let entries = entries
                    .iter()
                    .map(|(anchors, elements)| {
                        (anchor_of(anchors.iter().map(String::as_str)), self.nodes(elements))
                    })
                    .collect();
                vec![Node::Adaptor { entries, index: self.next() }]
            }
            Element::Pass { name, options, at } if name == FIXED_POINT => {
                let max = options.get("max-iterations").map_or(Ok(10), |text| text.parse());
                let Ok(max_iterations) = max else {
                    self.error("pipeline-option", "`max-iterations` takes an integer", *at);
                    return Vec::new();
                };
                let text = options.get("pipeline").cloned().unwrap_or_default();
                let mut elements = match text::parse(&text) {
                    Ok(elements) => elements,
                    Err(error) => {
                        self.error(error.code, error.message, *at);
                        return Vec::new();
                    }
                };
                if let [Element::Nest { anchor, elements: inner, .. }] = &mut elements[..]
                    && anchor == "builtin.module"
                {
                    elements = std::mem::take(inner);
                }
                let text = format!("builtin.module({})", text::print_brief(&elements));
                let nodes = self.nodes(&elements);
                let phases = self.phases(nodes);
                vec![Node::FixedPoint { max_iterations, phases, text, index: self.next() }]
            }
            Element::Pass { name, options, at } => {
                if let Some(pipeline) = self.table.pipeline(name) {
                    return match Options::read(&pipeline.options, options) {
                        Ok(options) => {
                            let nodes = self.expand(name, &options.fill(&pipeline.text), *at);
                            self.grouped(pipeline, &options, nodes)
                        }
                        Err(error) => {
                            let message = format!("in the pipeline `{name}`: {error}");
                            self.error("pipeline-option", message, *at);
                            Vec::new()
                        }
                    };
                }
                let Some(pass) = self.table.get(name) else {
                    if self.table.errors().iter().any(|error| error.pass == *name) {
                        let message = format!("the pass `{name}` does not run");
                        self.error("disabled-pass", message, *at);
                        return Vec::new();
                    }
                    let message = format!("unknown pass `{name}`");
                    let mut error = PipelineError::new("unknown-pass", message, *at);
                    if name == ADAPTOR {
                        error.notes.push("write its pipelines in parentheses".to_owned());
                    } else {
                        error.notes.extend(did_you_mean(name, self.table.names()));
                    }
                    self.errors.push(error);
                    return Vec::new();
                };
                match Options::read(&pass.def.options, options) {
                    Ok(options) => {
                        let index = self.next();
                        let simplifier = self.simplifier(&pass.def.simplified_by, *at);
                        vec![Node::Pass(PassStep {
                            pass: pass.clone(),
                            options: Arc::new(options),
                            index,
                            at: *at,
                            simplifier,
                        })]
                    }
                    Err(error) => {
                        self.error("pipeline-option", format!("{error} (pass `{name}`)"), *at);
                        Vec::new()
                    }
                }
            }
        }
    }

    /// The pass that simplifies for another one.
    fn simplifier(&mut self, name: &str, at: usize) -> Option<Box<PassStep>> {
        if name.is_empty() {
            return None;
        }
        let local = self.table.get(name).filter(|pass| pass.def.scope == Scope::Local);
        let options = local.map(|pass| Options::read(&pass.def.options, &IndexMap::new()));
        let (Some(pass), Some(Ok(options))) = (local, options) else {
            self.error("unknown-pass", format!("`{name}` is no pass that simplifies"), at);
            return None;
        };
        let (pass, options, index) = (pass.clone(), Arc::new(options), self.next());
        Some(Box::new(PassStep { pass, options, index, at, simplifier: None }))
    }

    /// The passes of a pipeline, told as the pass that it is, if it is one.
    fn grouped(&mut self, def: &PipelineDef, options: &Options, nodes: Vec<Node>) -> Vec<Node> {
        if def.pass.is_empty() {
            return nodes;
        }
        let info = PassInfo {
            class: def.pass.to_string(),
            argument: def.name.to_string(),
            options: options.text(),
            index: self.next(),
        };
        vec![Node::Group { info, nodes }]
    }

    fn expand(&mut self, name: &str, text: &str, at: usize) -> Vec<Node> {
        if self.expanding.iter().any(|n| n == name) {
            let path = self.expanding.join("` → `");
            let message = format!("the pipeline `{name}` contains itself: `{path}` → `{name}`");
            if !self.errors.iter().any(|error| error.message == message) {
                self.error("pipeline-cycle", message, at);
            }
            return Vec::new();
        }
        let elements = match text::parse(text) {
            Ok(elements) => elements,
            Err(error) => {
                let message = format!("in the pipeline `{name}`: {}", error.message);
                self.error(error.code, message, at);
                return Vec::new();
            }
        };
        let elements = match &elements[..] {
            [Element::Nest { anchor, elements: inner, .. }] if anchor == "builtin.module" => {
                inner.clone()
            }
            _ => elements,
        };
        self.expanding.push(name.to_owned());
        let nodes = self.nodes(&elements);
        self.expanding.pop();
        nodes
    }

    /// Cuts module-level nodes into phases.
    fn phases(&mut self, nodes: Vec<Node>) -> Vec<Phase> {
        let mut out: Vec<Phase> = Vec::new();
        for node in nodes {
            for phase in self.phases_of(node) {
                match (out.last_mut(), phase) {
                    (Some(Phase::Local(last)), Phase::Local(nodes)) => last.extend(nodes),
                    (_, phase) => out.push(phase),
                }
            }
        }
        out
    }

    fn phases_of(&mut self, node: Node) -> Vec<Phase> {
        match node {
            Node::Pass(step) => {
                let anchor = if step.pass.def.anchor.is_empty()
                    || step.pass.def.anchor == "builtin.module"
                {
                    Anchor::Any
                } else {
                    anchor_of([step.pass.def.anchor.as_ref()])
                };
                vec![match step.pass.def.scope {
                    Scope::Local | Scope::Outline => Phase::Local(vec![Node::Pass(step)]),
                    Scope::Solved => solved(anchor, step),
                    Scope::BottomUp => Phase::BottomUp(anchor, step),
                    Scope::Header => Phase::Header(step),
                    Scope::Merge | Scope::Module => Phase::Module(step),
                }]
            }
            // What each body does until it asks for nothing more depends on no other body.
            Node::FixedPoint { ref phases, .. } => {
                let local = phases.iter().all(|phase| matches!(phase, Phase::Local(_)));
                vec![if local { Phase::Local(vec![node]) } else { Phase::FixedPoint(node) }]
            }
            Node::Nest { anchor, nodes } => self.phases_in(&anchor, nodes),
            Node::Group { info, nodes } => vec![Phase::Group(info, self.phases(nodes))],
            Node::Adaptor { entries, index }
                if entries.iter().any(|(_, nodes)| sees_others(nodes)) =>
            {
                let mut phases = Vec::new();
                let mut taken = Vec::new();
                for (anchor, nodes) in entries {
                    let Anchor::Ops(names) = anchor else {
                        let message = "what runs on any op must see that op only";
                        self.error("pass-scope", message, 0);
                        continue;
                    };
                    let names = names.into_iter().filter(|name| !taken.contains(name)).collect();
                    taken.extend(&names);
                    phases.extend(self.phases_in(&Anchor::Ops(names), nodes));
                }
                vec![Phase::Group(PassInfo::adaptor(index), phases)]
            }
            Node::Adaptor { ref entries, .. } => {
                for (anchor, nodes) in entries {
                    nodes.iter().for_each(|node| self.expect_local(node, anchor));
                }
                vec![Phase::Local(vec![node])]
            }
        }
    }

    /// Phases of what runs on symbols. A solved pass sees those that the anchor accepts.
    fn phases_in(&mut self, anchor: &Anchor, nodes: Vec<Node>) -> Vec<Phase> {
        let mut out = Vec::new();
        let mut local = Vec::new();
        for node in nodes {
            match node {
                Node::Pass(step) if step.pass.def.scope == Scope::Solved => {
                    self.expect_anchor(&step, anchor);
                    flush(anchor, &mut local, &mut out);
                    out.push(solved(anchor.clone(), step));
                }
                Node::Pass(step) if step.pass.def.scope == Scope::BottomUp => {
                    self.expect_anchor(&step, anchor);
                    flush(anchor, &mut local, &mut out);
                    out.push(Phase::BottomUp(anchor.clone(), step));
                }
                node => {
                    self.expect_local(&node, anchor);
                    local.push(node);
                }
            }
        }
        flush(anchor, &mut local, &mut out);
        out
    }

    /// A pass that runs on ops of one name does nothing in a nest of others.
    fn expect_anchor(&mut self, step: &PassStep, anchor: &Anchor) -> bool {
        let on = step.pass.def.anchor.as_ref();
        if on.is_empty() || anchor.accepts(OpName::of(on)) {
            return true;
        }
        let message = format!("the pass `{}` runs on `{on}` only", step.pass.def.name);
        self.error("pass-anchor", message, step.at);
        false
    }

    /// Inside of a body only passes that see no other body can run; in a nested module those that
    /// see just that module.
    fn expect_local(&mut self, node: &Node, anchor: &Anchor) {
        match node {
            Node::Pass(step) => {
                let on = step.pass.def.anchor.as_ref();
                if !on.is_empty() && !anchor.accepts(OpName::of(on)) {
                    let message = format!("the pass `{}` runs on `{on}` only", step.pass.def.name);
                    self.error("pass-anchor", message, step.at);
                    return;
                }
                let in_module = *anchor == Anchor::Ops(vec![OpName::of("builtin.module")]);
                let fine = match step.pass.def.scope {
                    Scope::Local | Scope::Outline => true,
                    Scope::Merge | Scope::Module => in_module,
                    Scope::Solved | Scope::BottomUp | Scope::Header => false,
                };
                if !fine {
                    let message = format!(
                        "the pass `{}` sees more than one op and must stand in a module's pipeline",
                        step.pass.def.name
                    );
                    self.error("pass-scope", message, step.at);
                }
            }
            Node::Nest { anchor, nodes } => {
                nodes.iter().for_each(|node| self.expect_local(node, anchor));
            }
            Node::Group { nodes, .. } => {
                nodes.iter().for_each(|node| self.expect_local(node, anchor));
            }
            Node::Adaptor { entries, .. } => {
                for (anchor, nodes) in entries {
                    nodes.iter().for_each(|node| self.expect_local(node, anchor));
                }
            }
            Node::FixedPoint { text, .. } => {
                let message =
                    format!("the fixed point of `{text}` must stand in a module's pipeline");
                self.error("pass-scope", message, 0);
            }
        }
    }
}

/// Whether a pass among them sees more than the symbol that it runs on.
fn sees_others(nodes: &[Node]) -> bool {
    let others = [Scope::Solved, Scope::BottomUp];
    nodes
        .iter()
        .any(|node| matches!(node, Node::Pass(step) if others.contains(&step.pass.def.scope)))
}

/// The phase of a pass of scope `solved`.
fn solved(anchor: Anchor, step: PassStep) -> Phase {
    match step.pass.run {
        Some(PassRun::BySubject(_)) => Phase::BySubject(anchor, step),
        _ => Phase::Solved(anchor, step),
    }
}

fn flush(anchor: &Anchor, local: &mut Vec<Node>, out: &mut Vec<Phase>) {
    if !local.is_empty() {
        let nodes = std::mem::take(local);
        out.push(Phase::Local(vec![Node::Nest { anchor: anchor.clone(), nodes }]));
    }
}

fn anchor_of<'a>(names: impl IntoIterator<Item = &'a str>) -> Anchor {
    let names: Vec<&str> = names.into_iter().collect();
    if names.contains(&"any") {
        Anchor::Any
    } else {
        Anchor::Ops(names.into_iter().map(OpName::of).collect())
    }
}

/// Checks that every fact that a pass requires holds where it stands. Each pass is a node; an edge
/// leads from the pass that a fact is due to, to the pass that requires it.
fn check_facts(phases: &[Phase], facts: &[&str], errors: &mut Vec<PipelineError>) {
    let mut steps = Vec::new();
    steps_of(phases, &mut steps);
    let mut graph: DiGraph<&str, &str> = DiGraph::new();
    let nodes: Vec<NodeIndex> =
        steps.iter().map(|step| graph.add_node(step.pass.def.name.as_ref())).collect();
    // For each fact who established it last, and who destroyed it last.
    let mut holds: BTreeMap<&str, Option<usize>> = facts.iter().map(|f| (*f, None)).collect();
    let mut gone: BTreeMap<&str, usize> = BTreeMap::new();
    for (at, step) in steps.iter().enumerate() {
        let def = &step.pass.def;
        for fact in def.requires.iter().map(|f| f.as_ref()) {
            match holds.get(fact) {
                Some(Some(by)) => {
                    graph.add_edge(nodes[*by], nodes[at], fact);
                }
                Some(None) => {}
                None => {
                    let mut error = PipelineError::new(
                        "pass-order",
                        format!(
                            "the pass `{}` requires `{fact}`, which does not hold there",
                            def.name
                        ),
                        step.at,
                    );
                    if let Some(&by) = gone.get(fact) {
                        let path = path_to(&graph, &nodes, by);
                        error.notes.push(format!("`{fact}` was invalidated by {path}"));
                    }
                    let later = steps.iter().skip(at + 1);
                    if let Some(step) =
                        later.into_iter().find(|s| s.pass.def.establishes.iter().any(|f| f == fact))
                    {
                        error.notes.push(format!(
                            "the later pass `{}` establishes it: {} → {}",
                            step.pass.def.name, step.pass.def.name, def.name
                        ));
                    } else if !gone.contains_key(fact) {
                        error.notes.push("no pass of the pipeline establishes it".to_owned());
                    }
                    errors.push(error);
                }
            }
        }
        for fact in def.invalidates.iter().map(|f| f.as_ref()) {
            if holds.remove(fact).is_some() {
                gone.insert(fact, at);
            }
        }
        for fact in def.establishes.iter().map(|f| f.as_ref()) {
            holds.insert(fact, Some(at));
            gone.remove(fact);
        }
    }
    debug_assert!(toposort(&graph, None).is_ok(), "edges lead from earlier to later passes only");
}

/// The passes that a pass rests on, up to it, as `a → b → c`.
fn path_to(graph: &DiGraph<&str, &str>, nodes: &[NodeIndex], at: usize) -> String {
    let mut path = vec![graph[nodes[at]]];
    let mut node = nodes[at];
    while let Some(before) = graph.neighbors_directed(node, petgraph::Direction::Incoming).next() {
        path.push(graph[before]);
        node = before;
    }
    path.reverse();
    let path: Vec<String> = path.into_iter().map(|name| format!("`{name}`")).collect();
    path.join(" → ")
}
