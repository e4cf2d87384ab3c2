//! One program that is edited and compiled.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use tegula_ir::Module;
use tegula_neon::Flavour;
use tegula_package::{Step, entry_symbols};
use tegula_pass::{Header, Report};
use tegula_pipelines::{EmitError, Phase, Setup};

use crate::crossing::Crossing;
use crate::output::{FlavourKey, piece};
use crate::parallel::{ask_all, on_a_thread};
use crate::phase::bodies_until;
use crate::road::Road;
use crate::{AsmPiece, Compiled, Database, Item, Program, Written};

/// Register allocation and text are as much work as this many passes.
const PIECE: usize = 16;

/// A program under edit, and what the compiler has made of it.
pub struct Session {
    written: Written,
    road: Road,
}

impl Session {
    /// A session on a text.
    pub fn new(db: Database, setup: Arc<Setup>, phase: Phase, text: &str) -> Session {
        Session::on(Road::default(), db, setup, phase, text)
    }

    /// A session on a text that is compiled once: of what the compiler makes on its way it keeps
    /// no more than the way ahead needs. It answers as any session does, but after an edit, and for
    /// what lies between its phases, it compiles everything again.
    pub fn once(db: Database, setup: Arc<Setup>, phase: Phase, text: &str) -> Session {
        Session::on(Road::one_way(), db, setup, phase, text)
    }

    fn on(mut road: Road, db: Database, setup: Arc<Setup>, phase: Phase, text: &str) -> Session {
        let mut written = Written::new(db, setup, phase);
        road.touch(written.set_text(text));
        Session { written, road }
    }

    /// The program as it is written.
    pub fn written(&self) -> &Written {
        &self.written
    }

    /// The database.
    pub fn db(&self) -> &Database {
        self.written.db()
    }

    /// The program.
    pub fn program(&self) -> Program {
        self.written.program()
    }

    /// Compiles with other definitions or another target from now on.
    pub fn set_setup(&mut self, setup: Arc<Setup>) {
        if self.written.set_setup(setup) {
            self.road = Road::default();
        }
    }

    /// Replaces the text.
    pub fn set_text(&mut self, text: &str) {
        self.road.touch(self.written.set_text(text));
    }

    /// From now on gives up what is asked, by unwinding (see [`cancellable`](crate::cancellable)),
    /// once the answer to this is yes. What was done by then is kept.
    pub fn give_up_when(&mut self, stop: impl Fn() -> bool + Send + Sync + 'static) {
        self.written.db_mut().set_stop(Arc::new(stop));
    }

    /// Compiles the text to assembly pieces. What passes said is gathered only when one of them
    /// gave up; see [`Session::reports`].
    pub fn compile(&mut self, flavour: Flavour) -> Compiled {
        let mut pieces = self.pieces_of(flavour, |_| true);
        refuse_clashes(&mut pieces);
        let failed = self.road.levels.iter().any(|crossing| crossing.failed(self.db()));
        let mut out = Compiled { pieces, reports: Vec::new(), failed };
        if failed {
            out.reports = self.reports();
        }
        out.failed |= out.pieces.iter().any(|piece| piece.error.is_some());
        out
    }

    /// The assembly text that goes back to one item of the text; empty when there is none.
    pub fn assembly_of(&mut self, item: &str, flavour: Flavour) -> String {
        let Some(item) = self.written.item_named(item) else { return String::new() };
        let pieces = self.pieces_of(flavour, |of| of == Some(item));
        pieces.iter().map(|piece| &*piece.text).collect()
    }

    /// The assembly text of the symbols that go back to such items.
    fn pieces_of(
        &mut self,
        flavour: Flavour,
        wanted: impl Fn(Option<Item>) -> bool + Sync,
    ) -> Vec<AsmPiece> {
        let flavour = FlavourKey::of(flavour);
        on_a_thread(|| {
            self.advance();
            let db = self.db();
            let last = self.road.levels.last();
            let mut stages: Vec<_> = last.into_iter().flat_map(Crossing::stages).collect();
            stages.retain(|stage| wanted(stage.item(db)));
            ask_all(db, stages.clone(), PIECE, |db, stage| {
                piece(db, stage, flavour);
            });
            stages.into_iter().map(|stage| piece(db, stage, flavour).clone()).collect()
        })
    }

    /// What all passes said, in order of the plan.
    pub fn reports(&mut self) -> Vec<Report> {
        self.advance();
        self.road.levels.iter().flat_map(|crossing| crossing.reports(self.db())).collect()
    }

    /// The module after the phase.
    pub fn module(&mut self) -> Module {
        self.advance();
        match self.road.levels.last() {
            Some(end) => self.module_at(end, None),
            None => Module::default(),
        }
    }

    /// The module after the pass of that number in the plan, from the results of the phase before
    /// it.
    pub fn module_after(&mut self, pass: usize) -> Module {
        self.road.again();
        self.advance();
        let last = |crossing: &Crossing| crossing.passes.iter().copied().max();
        let levels = &self.road.levels;
        let reached = levels.iter().position(|crossing| last(crossing) >= Some(pass));
        let Some(at) = reached else { return self.module() };
        match last(&levels[at]) == Some(pass) {
            true => self.module_at(&levels[at + 1], None),
            false => self.module_at(&levels[at], Some(pass)),
        }
    }

    /// The module at the start of a phase, or once a pass of it is done.
    fn module_at(&self, crossing: &Crossing, until: Option<usize>) -> Module {
        let db = self.db();
        let Header { name, attrs } = crossing.level.header(db).clone();
        let mut out = Module { name, attrs, ..Module::default() };
        for stage in crossing.stages() {
            match until {
                None => out.bodies.push(stage.body(db).thaw()),
                Some(pass) => {
                    out.bodies.extend(bodies_until(db, stage, pass).iter().map(|b| b.thaw()));
                }
            }
        }
        out
    }

    fn advance(&mut self) {
        let (db, program, items) = self.written.parts();
        self.road.advance(db, program, items);
    }
}

/// What entries call, where programs begin, and what linkers define in everything they make, with
/// whose each is.
const TAKEN: [(&str, &str); 6] = [
    ("malloc", "the C library"),
    ("free", "the C library"),
    ("abort", "the C library"),
    ("_start", "the C library"),
    ("_DYNAMIC", "the linker"),
    ("_GLOBAL_OFFSET_TABLE_", "the linker"),
];

/// Of two functions that want the same symbol in an object the later one can't have it.
fn refuse_clashes(pieces: &mut [AsmPiece]) {
    let mut taken: FxHashMap<String, String> = FxHashMap::default();
    taken.extend(TAKEN.map(|(symbol, owner)| (symbol.to_owned(), owner.to_owned())));
    for (signature, schedule) in pieces.iter().filter_map(|piece| piece.entry.as_ref()) {
        for step in &schedule.steps {
            if let Step::Dispatch { executable, export, .. } = step {
                let owner = format!("the device code of @{}", signature.function);
                taken.insert(executable.clone(), owner.clone());
                taken.insert(export.clone(), owner);
            }
        }
    }
    for piece in pieces {
        let Some((signature, _)) = &piece.entry else { continue };
        let function = &signature.function;
        for symbol in entry_symbols(function) {
            if let Some(other) = taken.get(&symbol) {
                let message = format!(
                    "the symbol @{symbol} of the function @{function} is one of {other}, too; \
                     give the function another name"
                );
                piece.error = Some((EmitError { code: "symbol-clash", message, op: None }, None));
            } else {
                taken.insert(symbol, format!("@{function}"));
            }
        }
    }
}
