//! What is known at one phase of a program's road.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use salsa::Setter;
use tegula_ir::FrozenBody;
use tegula_pass::{
    Fact, Header, PassRun, PassStep, Phase as Step, Plan, Report, Statement, Subject,
};

use crate::Program;
use crate::database::Database;
use crate::inputs::{Calls, Given, Level, Stage, Topic};
use crate::phase::{Decision, Outcome, common, header_outcome, solution};
use crate::road::Track;
use crate::whole::Whole;

/// The symbols at the start of a phase, and what became of them in it.
pub(crate) struct Crossing {
    pub(crate) level: Level,
    /// The numbers of the phase's passes.
    pub(crate) passes: Vec<usize>,
    /// In module order.
    pub(crate) order: Vec<Track>,
    /// All that have ever been here, by track.
    rows: Vec<Option<Row>>,
    /// What became of them, by track; apart from the rows, since every new order looks at all.
    becomes: Vec<Becomes>,
    /// Those in the order whose outcome is not of what they are now.
    pub(crate) dirty: FxHashSet<Track>,
    /// What follows from all symbols together is not of what they are now.
    pub(crate) stale: bool,
    /// What symbols become is not what the next phase's order was made of.
    pub(crate) reordered: bool,
    /// Those that are no longer in the order.
    pub(crate) gone: Vec<Track>,
    /// Of a bottom-up phase: its symbols after those that they call, and who calls whom.
    pub(crate) callees_first: Vec<Track>,
    pub(crate) callers: FxHashMap<Track, Vec<Track>>,
    /// Of a phase that decides subject by subject.
    pub(crate) talk: Talk,
    /// Of a phase that sees the whole module.
    pub(crate) whole: Option<Whole>,
    /// Whether such a phase had nothing to do.
    pub(crate) was_idle: bool,
    /// The symbols that give it something to do.
    pub(crate) busy: FxHashSet<Track>,
    /// What is left of a phase that was let go.
    left: Option<Left>,
}

/// What outlives the symbols of a phase.
struct Left {
    reports: Vec<Report>,
    failed: bool,
}

/// A symbol in a phase.
pub(crate) struct Row {
    pub(crate) stage: Stage,
    pub(crate) outcome: Option<Outcome>,
    /// What a solved phase knows of it.
    pub(crate) fact: Option<Fact>,
    /// What it says in a phase that decides subject by subject.
    pub(crate) statement: Option<Statement<Fact, Fact>>,
    /// Whom it calls, in a bottom-up phase.
    pub(crate) calls: Calls,
}

/// What is said and decided in a phase that decides subject by subject.
#[derive(Default)]
pub(crate) struct Talk {
    pub(crate) topics: FxHashMap<Subject, Said>,
    /// Subjects of which more than one symbol says something.
    pub(crate) disputed: FxHashSet<Subject>,
    /// Subjects of which something else may be said than was decided about.
    pub(crate) open: FxHashSet<Subject>,
    /// Symbols that may be given other verdicts.
    pub(crate) waiting: FxHashSet<Track>,
    /// Something else may be said to all.
    pub(crate) shared: bool,
}

/// What is said of one subject.
#[derive(Default)]
pub(crate) struct Said {
    pub(crate) topic: Option<Topic>,
    /// Who says something of it.
    pub(crate) by: Vec<Track>,
    /// Who asks about it.
    pub(crate) askers: Vec<Track>,
    /// None as long as nothing is said.
    pub(crate) verdict: Option<Decision>,
}

/// What stands in a symbol's place in the next phase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Becomes {
    Nothing,
    Itself,
    /// These in order, itself included when it is among them.
    These(Vec<Track>),
}

impl Row {
    pub(crate) fn new(stage: Stage) -> Row {
        let calls = (None, Vec::new());
        Row { stage, outcome: None, fact: None, statement: None, calls }
    }

    /// Whether the step leaves the symbol as it is. One on the whole module does where it is idle.
    pub(crate) fn is_untouched(&self, step: &Step) -> bool {
        match step {
            Step::Header(_) | Step::Module(_) => true,
            Step::Solved(..) => self.fact.is_none(),
            Step::BySubject(..) => self.statement.is_none(),
            _ => false,
        }
    }
}

impl Crossing {
    fn new(level: Level, passes: Vec<usize>) -> Crossing {
        Crossing {
            level,
            passes,
            order: Vec::new(),
            rows: Vec::new(),
            becomes: Vec::new(),
            dirty: FxHashSet::default(),
            stale: true,
            reordered: true,
            gone: Vec::new(),
            callees_first: Vec::new(),
            callers: FxHashMap::default(),
            talk: Talk::default(),
            whole: None,
            was_idle: false,
            busy: FxHashSet::default(),
            left: None,
        }
    }

    /// Lets go of the symbols once they are at the next phase, where `nothing` stands in their
    /// places here.
    pub(crate) fn let_go(&mut self, db: &mut Database, nothing: &Arc<FrozenBody>) {
        if self.left.is_some() {
            return;
        }
        let left = Left { reports: self.reports(db), failed: self.failed(db) };
        for row in std::mem::take(&mut self.rows).into_iter().flatten() {
            row.stage.set_body(db).to(nothing.clone());
            row.stage.set_given(db).to(Given::Nothing);
        }
        let passes = std::mem::take(&mut self.passes);
        *self = Crossing {
            stale: false,
            reordered: false,
            left: Some(left),
            ..Crossing::new(self.level, passes)
        };
    }

    /// Whether a phase that sees the whole module has nothing to do there.
    pub(crate) fn is_idle(&mut self, db: &Database, step: &PassStep) -> bool {
        let Some(PassRun::ModuleUnless(_, is_idle)) = step.pass.run else { return false };
        let header = self.level.header(db);
        let setup = self.level.program(db).setup(db);
        let touched: Vec<Track> = match self.stale {
            true => self.order.clone(),
            false => self.pending(),
        };
        for track in touched {
            let Some(row) = self.row(track) else { continue };
            let idle = is_idle(&setup.registry, header, row.stage.body(db).body());
            match idle {
                true => self.busy.remove(&track),
                false => self.busy.insert(track),
            };
        }
        for track in std::mem::take(&mut self.gone) {
            // What has come back meanwhile is dirty.
            if !self.order.contains(&track) {
                self.busy.remove(&track);
            }
        }
        let is_idle = self.busy.is_empty();
        if is_idle && !self.was_idle {
            self.dirty.extend(&self.order);
            self.reordered = true;
            self.whole = None;
            for track in self.order.clone() {
                if let Some(row) = self.row_mut(track) {
                    row.outcome = None;
                }
            }
        }
        self.was_idle = is_idle;
        is_idle
    }

    /// Nothing differs from what was brought to the next phase.
    pub(crate) fn is_settled(&self) -> bool {
        self.dirty.is_empty() && !self.stale && !self.reordered
    }

    pub(crate) fn row(&self, track: Track) -> Option<&Row> {
        self.rows.get(track.index())?.as_ref()
    }

    pub(crate) fn row_mut(&mut self, track: Track) -> Option<&mut Row> {
        self.rows.get_mut(track.index())?.as_mut()
    }

    pub(crate) fn insert(&mut self, track: Track, row: Row) {
        if self.rows.len() <= track.index() {
            self.rows.resize_with(track.index() + 1, || None);
            self.becomes.resize(track.index() + 1, Becomes::Nothing);
        }
        self.rows[track.index()] = Some(row);
    }

    /// Says what stands in a symbol's place in the next phase.
    pub(crate) fn set_becomes(&mut self, track: Track, becomes: Becomes) {
        if let Some(place) = self.becomes.get_mut(track.index())
            && *place != becomes
        {
            *place = becomes;
            self.reordered = true;
        }
    }

    /// The symbols in module order with what stands in their places in the next phase.
    pub(crate) fn becoming(&self) -> impl Iterator<Item = (Track, &Becomes)> {
        self.order.iter().filter_map(|&track| Some((track, self.becomes.get(track.index())?)))
    }

    /// The symbols whose outcome is not of what they are now, in an order that says nothing.
    pub(crate) fn pending(&self) -> Vec<Track> {
        let mut pending: Vec<Track> = self.dirty.iter().copied().collect();
        pending.sort_unstable();
        pending
    }

    /// Gives the phase another order. What comes back may have missed edits.
    pub(crate) fn set_order(&mut self, order: Vec<Track>) {
        if self.order == order {
            return;
        }
        // What begins and ends both orders is where it was.
        let same = |(a, b): &(&Track, &Track)| a == b;
        let begin = self.order.iter().zip(&order).take_while(same).count();
        let (before, now) = (&self.order[begin..], &order[begin..]);
        let end = before.iter().rev().zip(now.iter().rev()).take_while(same).count();
        let before = &before[..before.len() - end];
        let now = &now[..now.len() - end];
        let was: FxHashSet<Track> = before.iter().copied().collect();
        let is: FxHashSet<Track> = now.iter().copied().collect();
        self.dirty.extend(is.difference(&was));
        for &track in before.iter().filter(|track| !is.contains(track)) {
            self.dirty.remove(&track);
            self.gone.push(track);
        }
        self.order = order;
        self.reordered = true;
    }

    /// The symbols that are here, in module order.
    pub(crate) fn stages(&self) -> impl Iterator<Item = Stage> {
        self.order.iter().filter_map(|&track| Some(self.row(track)?.stage))
    }

    /// What became of them, as far as they were taken one at a time.
    fn outcomes(&self) -> impl Iterator<Item = &Outcome> {
        self.order.iter().filter_map(|&track| self.row(track)?.outcome.as_ref())
    }

    /// The phase gave up on something.
    pub(crate) fn failed(&self, db: &Database) -> bool {
        if let Some(left) = &self.left {
            return left.failed;
        }
        self.whole.as_ref().is_some_and(|made| made.bodies.is_none())
            || header_outcome(db, self.level).as_ref().is_some_and(|made| made.failed)
            || self.outcomes().any(|made| made.failed)
    }

    /// What the passes of the phase said.
    pub(crate) fn reports(&self, db: &Database) -> Vec<Report> {
        if let Some(left) = &self.left {
            return left.reports.clone();
        }
        let mut out = Vec::new();
        out.extend(self.whole.iter().flat_map(|made| made.reports.iter().cloned()));
        let head = header_outcome(db, self.level);
        out.extend(head.iter().flat_map(|made| made.reports.iter().cloned()));
        out.extend(self.outcomes().flat_map(|made| made.reports.iter().cloned()));
        out.extend(solution(db, self.level).reports.iter().cloned());
        out.extend(common(db, self.level).reports.iter().cloned());
        let mut told = FxHashSet::default();
        for statement in self.order.iter().filter_map(|&t| self.row(t)?.statement.as_ref()) {
            let subjects = statement.claims.iter().map(|(subject, _)| *subject);
            for subject in subjects.filter(|&subject| told.insert(subject)) {
                let verdict = self.talk.topics.get(&subject).and_then(|s| s.verdict.as_ref());
                out.extend(verdict.into_iter().flat_map(|v| v.reports.iter().cloned()));
            }
        }
        out
    }
}

/// The phases of a program's plan, and its end. The pipelines are part of the setup, and whoever
/// makes a setup checks them; one that can't be planned has no phases.
pub(crate) fn crossings(db: &Database, program: Program) -> Vec<Crossing> {
    let plan = program.setup(db).plan(program.phase(db)).unwrap_or_default();
    let header = Header::of(&tegula_ir::Module::default());
    let crossing = |step: Option<Step>| {
        let one = Plan { phases: step.iter().cloned().collect(), count: 0 };
        let passes = one.steps().iter().map(|step| step.index).collect();
        let step = step.map(Arc::new);
        let level = Level::new(db, program, step, header.clone(), Vec::new(), Vec::new());
        Crossing::new(level, passes)
    };
    plan.stretches().into_iter().map(Some).chain([None]).map(crossing).collect()
}
