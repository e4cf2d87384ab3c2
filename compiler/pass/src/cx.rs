//! What a pass sees besides what it edits.

use indexmap::IndexMap;
use tegula_ir::{Attr, Body, Ident, Module, OpId, Registry};
use tegula_rewrite::{Application, GreedyResult, Patterns, Rewriter};
use tegula_schema::{PassBody, PassDef};

use crate::{Changed, Failed, Options, PassResult, Report, Severity, builtin};

/// The part of a module that every pass may read: all but its symbols.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Header {
    /// The module's name.
    pub name: Option<Ident>,
    /// The module's attributes as a dictionary.
    pub attrs: Attr,
}

impl Header {
    /// The header of a module.
    pub fn of(module: &Module) -> Header {
        Header { name: module.name, attrs: module.attrs }
    }

    /// The module attribute of that name.
    pub fn attr(&self, name: &str) -> Option<Attr> {
        self.attrs.get(name)
    }
}

/// Settings of the whole run by name, from the command line: the target's triple and features,
/// optimization levels. A pass reads the few that it documents.
pub type Settings = IndexMap<String, String>;

/// What a [`PassCx`] borrows; the same for all bodies.
#[derive(Clone, Copy)]
pub struct PassInputs<'a> {
    /// The installed definitions.
    pub registry: &'a Registry,
    /// All patterns, ready to run, with their native hooks.
    pub patterns: &'a Patterns,
    /// The module's header as it is before the pass.
    pub header: &'a Header,
    /// Settings of the whole run.
    pub settings: &'a Settings,
    /// Called between units of work; unwinds when the result is no longer wanted.
    pub poll: &'a (dyn Fn() + Sync),
}

/// What one run of a pass sees besides what it edits, and where it puts what it says.
pub struct PassCx<'a> {
    /// The installed definitions.
    pub registry: &'a Registry,
    /// All patterns, ready to run, with their native hooks.
    pub patterns: &'a Patterns,
    /// The module's header as it is before the pass. A module pass edits the module's own.
    pub header: &'a Header,
    /// The options of this run.
    pub options: &'a Options,
    settings: &'a Settings,
    poll: &'a (dyn Fn() + Sync),
    pass: &'a str,
    body: &'a PassBody,
    pub(crate) reports: Vec<Report>,
    pub(crate) emitted: Vec<Body>,
    pub(crate) applied: Vec<Application>,
    pub(crate) statistics: IndexMap<&'static str, u64>,
}

impl<'a> PassCx<'a> {
    /// The context of one run.
    pub fn new(inputs: PassInputs<'a>, def: &'a PassDef, options: &'a Options) -> PassCx<'a> {
        PassCx {
            registry: inputs.registry,
            patterns: inputs.patterns,
            header: inputs.header,
            options,
            settings: inputs.settings,
            poll: inputs.poll,
            pass: &def.name,
            body: &def.body,
            reports: Vec::new(),
            emitted: Vec::new(),
            applied: Vec::new(),
            statistics: IndexMap::new(),
        }
    }

    /// A rewriter over a body that nobody listens to.
    pub fn rewriter<'b>(&self, body: &'b mut Body) -> Rewriter<'b>
    where
        'a: 'b,
    {
        Rewriter::new(body, self.registry)
    }

    /// A setting of the whole run.
    pub fn setting(&self, name: &str) -> Option<&'a str> {
        self.settings.get(name).map(String::as_str)
    }

    /// Gives up when the result is no longer wanted (by unwinding to whoever asked for it). Long
    /// loops call it once in a while.
    pub fn poll(&self) {
        (self.poll)();
    }

    /// What [`PassCx::poll`] calls, for drivers that call it themselves.
    pub fn poller(&self) -> &'a (dyn Fn() + Sync) {
        self.poll
    }

    /// Says that something is wrong with an op; `return Err(cx.error(…))`.
    pub fn error(
        &mut self,
        body: &Body,
        op: OpId,
        code: impl Into<String>,
        message: impl Into<String>,
    ) -> Failed {
        self.report(Report::at(Severity::Error, body, op, code, message));
        Failed(())
    }

    /// Says that something is wrong, with a report that was made before.
    pub fn fail(&mut self, report: Report) -> Failed {
        self.report(report);
        Failed(())
    }

    /// Says that something is wrong that no op stands for.
    pub fn error_no_op(&mut self, code: impl Into<String>, message: impl Into<String>) -> Failed {
        self.report(Report::error(code, message));
        Failed(())
    }

    /// Says something about an op that stops nothing.
    pub fn warning(
        &mut self,
        body: &Body,
        op: OpId,
        code: impl Into<String>,
        message: impl Into<String>,
    ) {
        self.report(Report::at(Severity::Warning, body, op, code, message));
    }

    /// Remarks on what was or was not done.
    pub fn remark(
        &mut self,
        body: &Body,
        op: OpId,
        code: impl Into<String>,
        message: impl Into<String>,
    ) {
        self.report(Report::at(Severity::Note, body, op, code, message));
    }

    /// Adds a report as it is.
    pub fn report(&mut self, mut report: Report) {
        report.pass = self.pass.to_owned();
        self.reports.push(report);
    }

    /// Applies the patterns of these groups to what is in the op's regions, until none applies.
    /// Not to come to an end is an error.
    pub fn greedy(&mut self, body: &mut Body, op: OpId, groups: &[&str]) -> PassResult {
        builtin::greedy_on(self, body, op, groups)
    }

    /// Applies the patterns that the pass's `.td` names to what is in the op's regions. Nothing
    /// happens where the pass is Rust only.
    pub fn patterns_of_pass(&mut self, body: &mut Body, op: OpId) -> PassResult {
        match self.body {
            PassBody::Greedy(groups) => builtin::greedy_on(self, body, op, groups),
            PassBody::Convert(conversion) => builtin::convert_on(self, body, op, conversion),
            PassBody::Hook(_) => Ok(Changed::No),
        }
    }

    /// Records the patterns that a driver has applied.
    pub fn applied(&mut self, result: GreedyResult) {
        self.applied.extend(result.applied);
    }

    /// Adds a new symbol right before the one that the pass is working on, after those emitted
    /// before. Only for passes of scope `outline` and `solved`.
    pub fn emit(&mut self, body: Body) {
        self.emitted.push(body);
    }

    /// Adds to a statistic of the pass.
    pub fn statistic(&mut self, name: &'static str, count: u64) {
        *self.statistics.entry(name).or_default() += count;
    }
}
