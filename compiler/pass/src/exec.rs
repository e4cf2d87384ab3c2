//! Running plans.
//!
//! The same code serves a run from the first pass to the last ([`run_pipeline`]) and an
//! incremental layer that keeps a result of each phase ([`run_local`], [`apply`], …): a
//! phase's result does not depend on how the run is cut.

use indexmap::IndexMap;
use rustc_hash::FxHashSet;
use tegula_ir::{Attr, Body, Module, OpId, Registry};
use tegula_rewrite::{Application, Patterns, order_uses};
use tegula_schema::PassBody;

use crate::plan::{Anchor, Node, PassStep, Phase, Plan};
use crate::{
    Changed, Failed, Header, Instrument, PassCx, PassInfo, PassInputs, PassResult, PassRun, Report,
    Settings, Target, submodule,
};

mod bottom_up;
mod decide;

pub use bottom_up::{callees, run_bottom_up};
pub use decide::{apply, apply_verdicts, common, decide, solve, state, summarize};

/// Checks a body; each finding names an op and says what is wrong with it.
pub type VerifyBody = fn(&Registry, &Body) -> Vec<(OpId, String)>;

/// What all passes of a run share.
#[derive(Clone, Copy)]
pub struct Env<'a> {
    /// The installed definitions.
    pub registry: &'a Registry,
    /// All patterns, ready to run.
    pub patterns: &'a Patterns,
    /// Settings of the whole run.
    pub settings: &'a Settings,
    /// Called between units of work; may unwind.
    pub poll: &'a (dyn Fn() + Sync),
    /// Checks every body that a pass has changed.
    pub verify: Option<VerifyBody>,
    /// The number of the last pass to run; all when none.
    pub until: Option<usize>,
}

/// What came of a run.
#[derive(Clone, Debug)]
pub struct Run<T> {
    /// The result; as far as the run got when it failed.
    pub value: T,
    /// What the passes said, in order.
    pub reports: Vec<Report>,
    /// Whether something changed, or that the run failed.
    pub result: PassResult,
}

/// Runs a plan on a module.
pub fn run_pipeline(
    env: Env<'_>,
    plan: &Plan,
    mut module: Module,
    instrument: &mut dyn Instrument,
) -> Run<Module> {
    let mut exec = Exec::new(env, Header::of(&module), Some(instrument));
    let result = exec.phases(&plan.phases, &mut module);
    Run { value: module, reports: exec.reports, result }
}

/// Runs a phase of local and outline passes on one body. Gives the bodies that take its place: new
/// symbols, then what is left of it.
pub fn run_local(env: Env<'_>, nodes: &[Node], header: &Header, body: Body) -> Run<Vec<Body>> {
    let mut exec = Exec::new(env, header.clone(), None);
    let mut bodies = vec![body];
    let mut result = Ok(Changed::No);
    for node in nodes {
        match exec.node_on_bodies(node, &mut bodies) {
            Ok(changed) => result = result.map(|c| c | changed),
            Err(failed) => {
                result = Err(failed);
                break;
            }
        }
    }
    Run { value: bodies, reports: exec.reports, result }
}

/// Runs a header pass: the module as it gives it has the new attributes and the bodies that it
/// adds.
pub fn run_header(env: Env<'_>, step: &PassStep, header: &Header) -> Run<Module> {
    let mut exec = Exec::new(env, header.clone(), None);
    let mut head = Module { name: header.name, attrs: header.attrs, ..Module::default() };
    let result = exec.header_pass(step, &mut head);
    Run { value: head, reports: exec.reports, result }
}

fn inputs<'a>(env: Env<'a>, header: &'a Header) -> PassInputs<'a> {
    PassInputs {
        registry: env.registry,
        patterns: env.patterns,
        header,
        settings: env.settings,
        poll: env.poll,
    }
}

struct Exec<'a, 'i> {
    env: Env<'a>,
    header: Header,
    reports: Vec<Report>,
    instrument: Option<&'i mut dyn Instrument>,
    /// New symbols of the body at hand.
    emitted: Vec<Body>,
    /// The position of the body at hand.
    position: usize,
    /// Within a fixed point, the pass that has asked last for another round.
    asking: Option<String>,
}

/// The fact that a change by a pass invalidates which asks a fixed point around it for another
/// round.
const FIXED_POINT_FACT: &str = "fixed-point";
/// The module attribute that holds the number of a fixed point's round.
const ROUND: &str = "iree.fixedpoint.iteration";
/// The module attribute that says that there will be another round.
const AGAIN: &str = "iree.fixedpoint.modified";

/// What a pass leaves besides what it edited.
struct Said {
    reports: Vec<Report>,
    applied: Vec<Application>,
    statistics: IndexMap<&'static str, u64>,
}

impl Said {
    fn of(cx: &mut PassCx<'_>) -> Said {
        Said {
            reports: std::mem::take(&mut cx.reports),
            applied: std::mem::take(&mut cx.applied),
            statistics: std::mem::take(&mut cx.statistics),
        }
    }
}

impl<'a, 'i> Exec<'a, 'i> {
    fn new(
        env: Env<'a>,
        header: Header,
        instrument: Option<&'i mut dyn Instrument>,
    ) -> Exec<'a, 'i> {
        Exec {
            env,
            header,
            reports: Vec::new(),
            instrument,
            emitted: Vec::new(),
            position: 0,
            asking: None,
        }
    }

    /// Passes on what a pass has said; gives the patterns that it has applied.
    fn hear(&mut self, step: &PassStep, said: Said) -> Vec<Application> {
        self.reports.extend(said.reports);
        if let Some(instrument) = &mut self.instrument {
            if !said.applied.is_empty() {
                instrument.applied(&PassInfo::of(step), &said.applied);
            }
            if !said.statistics.is_empty() {
                instrument.counted(&PassInfo::of(step), &said.statistics);
            }
        }
        said.applied
    }

    /// Notes that a pass has changed something.
    fn changed_by(&mut self, step: &PassStep) {
        if step.pass.def.invalidates.iter().any(|fact| fact == FIXED_POINT_FACT) {
            self.asking = Some(step.pass.def.name.to_string());
        }
    }

    fn skips(&self, index: usize) -> bool {
        self.env.until.is_some_and(|until| index > until)
    }

    fn phases(&mut self, phases: &[Phase], module: &mut Module) -> PassResult {
        let mut changed = Changed::No;
        for phase in phases {
            changed |= self.phase(phase, module)?;
        }
        Ok(changed)
    }

    fn phase(&mut self, phase: &Phase, module: &mut Module) -> PassResult {
        (self.env.poll)();
        match phase {
            Phase::Local(nodes) => {
                let mut changed = Changed::No;
                for node in nodes {
                    changed |= self.node_on_module(node, module)?;
                }
                Ok(changed)
            }
            Phase::Header(step) => self.watched(step, module, |exec, module| {
                let mut head =
                    Module { name: module.name, attrs: module.attrs, ..Module::default() };
                let result = exec.header_pass(step, &mut head)?;
                if result.is_yes() {
                    module.name = head.name;
                    module.attrs = head.attrs;
                    exec.header = Header::of(module);
                    module.bodies.splice(0..0, head.bodies);
                }
                Ok(result)
            }),
            Phase::Module(step) => self.watched(step, module, |exec, module| {
                let Some(PassRun::Module(run) | PassRun::ModuleUnless(run, _)) = step.pass.run
                else {
                    return exec.all_bodies(step, module);
                };
                let header = exec.header.clone();
                let mut cx = exec.cx(step, &header);
                let result = run(&mut cx, module);
                let said = Said::of(&mut cx);
                exec.hear(step, said);
                let result = result?;
                if result.is_yes() {
                    exec.header = Header::of(module);
                    module.bodies.retain(|body| body.root().is_some());
                    for body in &mut module.bodies {
                        exec.settle(body, &step.pass.def.name, &[])?;
                    }
                }
                Ok(result)
            }),
            Phase::Solved(Anchor::Ops(_), step) if self.skips(step.index) => Ok(Changed::No),
            Phase::Solved(anchor @ Anchor::Ops(_), step) => {
                let result = self.solved(anchor, step, module)?;
                self.note(step, module, result);
                Ok(result)
            }
            Phase::Solved(anchor, step) => {
                self.watched(step, module, |exec, module| exec.solved(anchor, step, module))
            }
            Phase::BySubject(anchor, step) => {
                self.watched(step, module, |exec, module| exec.by_subject(anchor, step, module))
            }
            Phase::BottomUp(anchor, step) => {
                self.watched(step, module, |exec, module| exec.bottom_up(anchor, step, module))
            }
            Phase::FixedPoint(node) => self.fixed_point(node, module),
            Phase::Group(info, phases) if self.skips(info.index) => self.phases(phases, module),
            Phase::Group(info, phases) => {
                self.told(|| info.clone(), module, |exec, module| exec.phases(phases, module))
            }
        }
    }

    /// Runs a pass on a module without bodies, to which it may add some.
    fn header_pass(&mut self, step: &PassStep, head: &mut Module) -> PassResult {
        let Some(PassRun::Header(run)) = step.pass.run else { return Ok(Changed::No) };
        let header = Header::of(head);
        let mut cx = self.cx(step, &header);
        let result = run(&mut cx, head);
        let said = Said::of(&mut cx);
        self.hear(step, said);
        for body in &mut head.bodies {
            self.settle(body, &step.pass.def.name, &[])?;
        }
        result
    }

    /// Runs something as one pass on the module, with the instrument told.
    fn watched(
        &mut self,
        step: &PassStep,
        module: &mut Module,
        run: impl FnOnce(&mut Self, &mut Module) -> PassResult,
    ) -> PassResult {
        if self.skips(step.index) {
            return Ok(Changed::No);
        }
        let run = |exec: &mut Self, module: &mut Module| {
            let result = run(exec, module)?;
            exec.note(step, module, result);
            Ok(result)
        };
        match step.pass.def.quiet {
            true => run(self, module),
            false => self.told(|| PassInfo::of(step), module, run),
        }
    }

    /// Notes what a pass on the module has done.
    fn note(&mut self, step: &PassStep, module: &mut Module, result: Changed) {
        if result.is_yes() {
            self.changed_by(step);
        }
        // Outside of a fixed point there is no round to speak of.
        if self.asking.is_some() && self.header.attr(ROUND).is_some() {
            self.set_header_attr(module, AGAIN, Some(Attr::unit()));
        }
    }

    /// Sets or removes an attribute of the module.
    fn set_header_attr(&mut self, module: &mut Module, name: &str, value: Option<Attr>) {
        module.set_attr(name, value);
        self.header = Header::of(module);
    }

    /// Runs something on the module, with the instrument told who it is.
    fn told(
        &mut self,
        info: impl FnOnce() -> PassInfo,
        module: &mut Module,
        run: impl FnOnce(&mut Self, &mut Module) -> PassResult,
    ) -> PassResult {
        let info = self.instrument.is_some().then(info);
        if let (Some(instrument), Some(info)) = (&mut self.instrument, &info) {
            instrument.before(info, Target::Module(module));
        }
        let result = run(self, module);
        if let (Some(instrument), Some(info)) = (&mut self.instrument, &info) {
            instrument.after(info, Target::Module(module), result);
        }
        result
    }

    /// Runs something on an op, with the instrument told who it is.
    fn told_on_op(
        &mut self,
        info: impl FnOnce() -> PassInfo,
        body: &mut Body,
        op: OpId,
        run: impl FnOnce(&mut Self, &mut Body) -> PassResult,
    ) -> PassResult {
        let info = self.instrument.is_some().then(info);
        if let (Some(instrument), Some(info)) = (&mut self.instrument, &info) {
            let header = &self.header;
            instrument.before(info, Target::Op { header, body, op: Some(op) });
        }
        let result = run(self, body);
        if let (Some(instrument), Some(info)) = (&mut self.instrument, &info) {
            let op = if body.is_erased(op) { body.root() } else { Some(op) };
            let header = &self.header;
            instrument.after(info, Target::Op { header, body, op }, result);
        }
        result
    }

    fn cx<'c>(&self, step: &'c PassStep, header: &'c Header) -> PassCx<'c>
    where
        'a: 'c,
    {
        PassCx::new(inputs(self.env, header), &step.pass.def, &step.options)
    }

    /// After a pass has changed a body: the order of uses is made that of the layout, so that
    /// what follows does not depend on the body's history, and the body is checked. `applied` are
    /// the patterns that the pass has applied to just this body.
    fn settle(
        &mut self,
        body: &mut Body,
        pass: &str,
        applied: &[Application],
    ) -> Result<(), Failed> {
        let Some(root) = body.root() else { return Ok(()) };
        order_uses(body, root);
        let Some(verify) = self.env.verify else { return Ok(()) };
        let findings = verify(self.env.registry, body);
        if findings.is_empty() {
            return Ok(());
        }
        for (op, message) in findings {
            let mut report =
                Report::at(crate::Severity::Error, body, op, "invalid-after-pass", message);
            report.pass = pass.to_owned();
            // The message names it.
            report.op.clear();
            if let Some(last) = Application::last_on(applied, op) {
                report = report.note(None, format!("the pattern {last} made or changed it last"));
            }
            self.reports.push(report);
        }
        Err(Failed(()))
    }

    fn node_on_module(&mut self, node: &Node, module: &mut Module) -> PassResult {
        if let Some(instrument) = &mut self.instrument {
            instrument.module(module);
        }
        match node {
            Node::Pass(step) => {
                self.watched(step, module, |exec, module| exec.all_bodies(step, module))
            }
            Node::Adaptor { index, .. } => {
                if self.skips(*index) {
                    return self.node_on_bodies(node, &mut module.bodies);
                }
                let info = || PassInfo::adaptor(*index);
                self.told(info, module, |exec, module| {
                    exec.node_on_bodies(node, &mut module.bodies)
                })
            }
            Node::Nest { .. } | Node::Group { .. } => self.node_on_bodies(node, &mut module.bodies),
            Node::FixedPoint { .. } => self.fixed_point(node, module),
        }
    }

    /// A local pass in the module's own pipeline runs on every body.
    fn all_bodies(&mut self, step: &PassStep, module: &mut Module) -> PassResult {
        self.each_body(&mut module.bodies, |exec, body, root| exec.quiet_pass(step, body, root))
    }

    fn node_on_bodies(&mut self, node: &Node, bodies: &mut Vec<Body>) -> PassResult {
        if matches!(node, Node::FixedPoint { .. }) {
            return self.fixed_point_on_bodies(node, bodies);
        }
        self.each_body(bodies, |exec, body, root| match node {
            Node::Pass(step) => exec.quiet_pass(step, body, root),
            Node::Nest { anchor, nodes } if anchor.accepts(body.name(root)) => {
                exec.nodes_on_op(nodes, body, root)
            }
            Node::Adaptor { entries, .. } => {
                match entries.iter().find(|(anchor, _)| anchor.accepts(body.name(root))) {
                    Some((_, nodes)) => exec.nodes_on_op(nodes, body, root),
                    None => Ok(Changed::No),
                }
            }
            Node::Nest { .. } | Node::Group { .. } | Node::FixedPoint { .. } => Ok(Changed::No),
        })
    }

    /// Runs something on the root of each body; symbols that it adds go right before the body, and
    /// bodies that it empties go. Of added symbols whose name stands for their content
    /// ([`tegula_ir::identity`]) the first stays.
    fn each_body(
        &mut self,
        bodies: &mut Vec<Body>,
        mut run: impl FnMut(&mut Self, &mut Body, OpId) -> PassResult,
    ) -> PassResult {
        let mut changed = Changed::No;
        let mut failed = None;
        let mut out = Vec::with_capacity(bodies.len());
        let mut contents = identities(bodies);
        for (position, mut body) in std::mem::take(bodies).into_iter().enumerate() {
            if let Some(root) = body.root() {
                (self.env.poll)();
                self.position = position;
                match run(self, &mut body, root) {
                    Ok(result) => changed |= result,
                    // What is wrong with other bodies is said in the same run.
                    Err(error) => failed = Some(error),
                }
                for added in self.emitted.drain(..) {
                    if identity_of(&added).is_none_or(|name| contents.insert(name.to_owned())) {
                        out.push(added);
                    }
                }
            }
            if body.root().is_some() {
                out.push(body);
            }
        }
        *bodies = out;
        failed.map_or(Ok(changed), Err)
    }

    fn nodes_on_op(&mut self, nodes: &[Node], body: &mut Body, op: OpId) -> PassResult {
        let mut changed = Changed::No;
        let top = body.root() == Some(op);
        let mut op = op;
        for node in nodes {
            // A pass may put another op in the root's place; a nested op that is gone is done with.
            if body.is_erased(op) {
                match body.root().filter(|_| top) {
                    Some(root) => op = root,
                    None => break,
                }
            }
            changed |= self.node_on_op(node, body, op)?;
        }
        Ok(changed)
    }

    fn node_on_op(&mut self, node: &Node, body: &mut Body, op: OpId) -> PassResult {
        match node {
            Node::Pass(step) => {
                if self.skips(step.index) {
                    return Ok(Changed::No);
                }
                if step.pass.def.quiet {
                    return self.quiet_pass(step, body, op);
                }
                let info = || PassInfo::of(step);
                self.told_on_op(info, body, op, |exec, body| exec.quiet_pass(step, body, op))
            }
            Node::Nest { anchor, nodes } => {
                let mut changed = Changed::No;
                for inner in inner_ops(body, op) {
                    if !body.is_erased(inner) && anchor.accepts(body.name(inner)) {
                        changed |= self.nodes_on_op(nodes, body, inner)?;
                    }
                }
                Ok(changed)
            }
            Node::Group { info, nodes } if self.skips(info.index) => {
                self.nodes_on_op(nodes, body, op)
            }
            Node::Group { info, nodes } => {
                let info = || info.clone();
                self.told_on_op(info, body, op, |exec, body| exec.nodes_on_op(nodes, body, op))
            }
            Node::Adaptor { entries, index } => {
                let info = || PassInfo::adaptor(*index);
                self.told_on_op(info, body, op, |exec, body| exec.adapted(entries, body, op))
            }
            // The planner reports these.
            Node::FixedPoint { .. } => Ok(Changed::No),
        }
    }

    /// On each op of the op's regions the first pipeline whose anchor accepts it.
    fn adapted(
        &mut self,
        entries: &[(Anchor, Vec<Node>)],
        body: &mut Body,
        op: OpId,
    ) -> PassResult {
        let mut changed = Changed::No;
        for inner in inner_ops(body, op) {
            if body.is_erased(inner) {
                continue;
            }
            let name = body.name(inner);
            if let Some((_, nodes)) = entries.iter().find(|(anchor, _)| anchor.accepts(name)) {
                changed |= self.nodes_on_op(nodes, body, inner)?;
            }
        }
        Ok(changed)
    }

    /// Runs a pass on one op without telling the instrument.
    fn quiet_pass(&mut self, step: &PassStep, body: &mut Body, op: OpId) -> PassResult {
        let def = &step.pass.def;
        let nested_module = body.is(op, "builtin.module");
        let top = body.root() == Some(op);
        let fits = def.anchor.is_empty()
            || body.is(op, &def.anchor)
            // The module itself is no op: what is anchored on it runs on each of its symbols.
            || (top && def.anchor == "builtin.module");
        if !fits {
            return Ok(Changed::No);
        }
        let header = self.header.clone();
        let mut cx = self.cx(step, &header);
        let result = match (step.pass.run, &def.body) {
            (Some(PassRun::Local(run) | PassRun::Outline(run)), _) => run(&mut cx, body, op),
            (Some(PassRun::Module(run) | PassRun::ModuleUnless(run, _)), _) if nested_module => {
                submodule::run(&mut cx, body, op, run)
            }
            (
                Some(
                    PassRun::Solved(_)
                    | PassRun::BySubject(_)
                    | PassRun::BottomUp(_)
                    | PassRun::Header(_)
                    | PassRun::Module(_)
                    | PassRun::ModuleUnless(..),
                ),
                _,
            ) => Err(cx.error(body, op, "pass-scope", "the pass sees more than this op")),
            (None, PassBody::Hook(_)) => {
                Err(cx.error(body, op, "pass-without-rust", "no Rust is registered for the pass"))
            }
            (None, PassBody::Greedy(_) | PassBody::Convert(_)) => cx.patterns_of_pass(body, op),
        };
        let (said, emitted) = (Said::of(&mut cx), std::mem::take(&mut cx.emitted));
        let applied = self.hear(step, said);
        let changed = result?;
        self.take_emitted(step, emitted)?;
        if changed.is_yes() {
            self.changed_by(step);
            self.settle(body, &def.name, &applied)?;
        }
        Ok(changed)
    }

    /// Takes the symbols that a pass has added.
    fn take_emitted(&mut self, step: &PassStep, emitted: Vec<Body>) -> Result<(), Failed> {
        for mut body in emitted {
            self.settle(&mut body, &step.pass.def.name, &[])?;
            self.emitted.push(body);
        }
        Ok(())
    }

    fn fixed_point(&mut self, node: &Node, module: &mut Module) -> PassResult {
        let Node::FixedPoint { phases, text, index, max_iterations, .. } = node else {
            return Ok(Changed::No);
        };
        let info = || PassInfo {
            class: "FixedPointIteratorPass".to_owned(),
            argument: crate::text::FIXED_POINT.to_owned(),
            options: format!("max-iterations={max_iterations} pipeline={text}"),
            index: *index,
        };
        self.told(info, module, |exec, module| {
            let result = exec.rounds(node, |exec, round| {
                exec.set_header_attr(module, ROUND, Some(Attr::index(round)));
                exec.set_header_attr(module, AGAIN, None);
                exec.phases(phases, module)
            });
            exec.set_header_attr(module, ROUND, None);
            exec.set_header_attr(module, AGAIN, None);
            result
        })
    }

    /// A fixed point of passes that see one body each is one of each body.
    fn fixed_point_on_bodies(&mut self, node: &Node, bodies: &mut Vec<Body>) -> PassResult {
        let Node::FixedPoint { phases, .. } = node else { return Ok(Changed::No) };
        self.rounds(node, |exec, _| {
            let mut changed = Changed::No;
            let local = phases.iter().filter_map(|phase| match phase {
                Phase::Local(nodes) => Some(nodes),
                _ => None,
            });
            for node in local.flatten() {
                changed |= exec.node_on_bodies(node, bodies)?;
            }
            Ok(changed)
        })
    }

    /// Runs a round of a fixed point until no pass asks for another one.
    fn rounds(
        &mut self,
        node: &Node,
        mut run: impl FnMut(&mut Self, i64) -> PassResult,
    ) -> PassResult {
        let Node::FixedPoint { max_iterations, text, .. } = node else { return Ok(Changed::No) };
        let mut changed = Changed::No;
        let mut asking = None;
        for round in 0..*max_iterations {
            self.asking = None;
            changed |= run(self, round)?;
            asking = self.asking.take();
            if asking.is_none() {
                return Ok(changed);
            }
        }
        let last = asking.map_or_else(String::new, |pass| {
            format!("; the last to change something was `{pass}`")
        });
        let message = format!("the pipeline `{text}` goes on after {max_iterations} rounds{last}");
        let mut report = Report::error("no-fixed-point", message);
        report.pass = crate::text::FIXED_POINT.to_owned();
        self.reports.push(report);
        Err(Failed(()))
    }
}

/// The name of a body's symbol when it stands for the content.
fn identity_of(body: &Body) -> Option<&str> {
    body.symbol_name(body.root()?).filter(|name| tegula_ir::has_identity(name))
}

fn identities(bodies: &[Body]) -> FxHashSet<String> {
    bodies.iter().filter_map(identity_of).map(str::to_owned).collect()
}

/// The ops right inside of an op's regions.
fn inner_ops(body: &Body, op: OpId) -> Vec<OpId> {
    let regions = body.regions(op).iter();
    regions.flat_map(|&r| body.blocks(r)).flat_map(|block| body.block_ops(block)).collect()
}
