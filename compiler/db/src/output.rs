//! The end of the road: IR after the program's phase, and assembly text in pieces.

use std::sync::Arc;

use tegula_ir::{Attr, FrozenBody, Module};
use tegula_neon::{AsmFile, Flavour};
use tegula_package::{Schedule, Signature};
use tegula_pass::{Plan, Report, run_local};
use tegula_pipelines::{EmitError, Emitter};

use crate::parse::item_signature;
use crate::phase::{body_at, header_at, header_outcome, no_poll, outcome, plan, solution};
use crate::symbols::{Symbol, source_item, symbols_at};
use crate::whole::whole;
use crate::{Item, Program};
use tegula_pass::Phase as Step;

/// The assembly text of one symbol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AsmPiece {
    /// The text; empty for symbols that need none.
    pub text: Arc<str>,
    /// The item of the program that it goes back to, when it goes back to one.
    pub item: Option<Item>,
    /// The C function that it defines, and how its work runs.
    pub entry: Option<(Arc<Signature>, Arc<Schedule>)>,
    /// Why there is no text, with the location of the op in the way.
    pub error: Option<(EmitError, Option<Attr>)>,
}

/// The whole program after its phase.
#[derive(Clone, Debug, PartialEq)]
pub struct Compiled {
    /// The pieces of the assembly text in module order; none unless the phase is the last.
    pub pieces: Vec<AsmPiece>,
    /// What passes said, when one of them gave up.
    pub reports: Vec<Report>,
    /// Some symbol did not get to the end.
    pub failed: bool,
}

/// The number of phases of the plan.
fn end(db: &dyn salsa::Database, program: Program) -> usize {
    plan(db, program).0.phases.len()
}

/// The text of one symbol.
#[salsa::tracked(returns(clone))]
fn piece<'db>(
    db: &'db dyn salsa::Database,
    program: Program,
    symbol: Symbol<'db>,
    flavour: FlavourKey,
) -> AsmPiece {
    let item = source_item(db, symbol);
    let mut piece = AsmPiece { text: Arc::from(""), item, entry: None, error: None };
    let Some(body) = body_at(db, program, end(db, program), symbol) else { return piece };
    let setup = program.setup(db);
    let body = body.body();
    let mut fail = |error: EmitError| {
        let loc = error.op.filter(|op| op.index() < body.bounds().0).map(|op| body.loc(op));
        piece.error = Some((error, loc));
    };
    let emitter = match Emitter::new(setup) {
        Ok(emitter) => emitter,
        Err(error) => {
            fail(error);
            return piece;
        }
    };
    let functions = match emitter.executable(body) {
        Ok(functions) => functions,
        Err(error) => {
            fail(error);
            return piece;
        }
    };
    let mut functions = functions;
    let signature = item.and_then(|item| item_signature(db, program, item));
    if let (Some(signature), Some(schedule)) = (signature, emitter.schedule(body)) {
        let made = signature.and_then(|signature| {
            let schedule = Arc::new(schedule?);
            let entries = emitter.entries(&signature, &schedule)?;
            Ok((signature, schedule, entries))
        });
        match made {
            Ok((signature, schedule, entries)) => {
                functions.extend(entries);
                piece.entry = Some((signature, schedule));
            }
            Err(error) => {
                fail(error);
                return piece;
            }
        }
    }
    let file = AsmFile { functions: functions.iter().collect(), positions: false };
    piece.text = file.render_functions(flavour.flavour()).into();
    piece
}

/// The object format, as a key of queries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, salsa::SalsaValue)]
pub(crate) enum FlavourKey {
    Elf,
    MachO,
}

impl FlavourKey {
    fn of(flavour: Flavour) -> FlavourKey {
        match flavour {
            Flavour::Elf => FlavourKey::Elf,
            Flavour::MachO => FlavourKey::MachO,
        }
    }

    fn flavour(self) -> Flavour {
        match self {
            FlavourKey::Elf => Flavour::Elf,
            FlavourKey::MachO => Flavour::MachO,
        }
    }
}

/// Compiles the program to pieces of assembly text. What passes said is gathered only when one of
/// them gave up; see [`reports`].
pub fn compiled(db: &dyn salsa::Database, program: Program, flavour: Flavour) -> Compiled {
    let end = end(db, program);
    let symbols = symbols_at(db, program, end);
    let mut out = Compiled { pieces: Vec::new(), reports: Vec::new(), failed: symbols.failed };
    for &symbol in &symbols.list {
        let piece = piece(db, program, symbol, FlavourKey::of(flavour));
        out.failed |= piece.error.is_some();
        out.pieces.push(piece);
    }
    if symbols.failed {
        out.reports = reports(db, program);
    }
    out
}

/// What all passes said, in order of the plan.
pub fn reports(db: &dyn salsa::Database, program: Program) -> Vec<Report> {
    let mut out = Vec::new();
    for (number, step) in plan(db, program).0.phases.iter().enumerate() {
        out.extend(phase_reports(db, program, number).iter().cloned());
        if matches!(step, Step::Solved(..)) {
            out.extend(solution(db, program, number).reports.iter().cloned());
        }
    }
    out
}

/// What the passes of one phase said.
#[salsa::tracked(returns(ref))]
fn phase_reports(db: &dyn salsa::Database, program: Program, phase: usize) -> Vec<Report> {
    match plan(db, program).0.phases.get(phase) {
        Some(Step::Header(_)) => header_outcome(db, program, phase).1.reports.clone(),
        Some(Step::Module(_) | Step::FixedPoint(_)) => whole(db, program, phase).reports.clone(),
        _ => {
            let mut out = Vec::new();
            for &symbol in &symbols_at(db, program, phase).list {
                out.extend(outcome(db, program, phase, symbol).reports.iter().cloned());
            }
            out
        }
    }
}

/// The module after the program's phase.
pub(crate) fn module(db: &dyn salsa::Database, program: Program) -> Module {
    let end = end(db, program);
    let header = header_at(db, program, end);
    let bodies = symbols_at(db, program, end).list.iter();
    let bodies = bodies.filter_map(|&s| Some(body_at(db, program, end, s)?.thaw())).collect();
    Module { name: header.name, attrs: header.attrs, loc: None, bodies }
}

/// The module after the pass of that number in the plan, from the results of the phase before it.
pub(crate) fn module_after(db: &dyn salsa::Database, program: Program, pass: usize) -> Module {
    let planned = plan(db, program);
    let reached = planned.0.phases.iter().position(|step| last_pass(step) >= Some(pass));
    let Some(phase) = reached else { return module(db, program) };
    let whole = last_pass(&planned.0.phases[phase]) == Some(pass);
    let at = if whole { phase + 1 } else { phase };
    let header = header_at(db, program, at);
    let mut out = Module { name: header.name, attrs: header.attrs, loc: None, bodies: Vec::new() };
    for &symbol in &symbols_at(db, program, at).list {
        if whole {
            out.bodies.extend(body_at(db, program, at, symbol).map(|b| b.thaw()));
        } else {
            let bodies = bodies_until(db, program, phase, symbol, pass);
            out.bodies.extend(bodies.iter().map(|b| b.thaw()));
        }
    }
    out
}

/// The number of the last pass of a phase.
fn last_pass(step: &Step) -> Option<usize> {
    let one = Plan { phases: vec![step.clone()], count: 0 };
    one.steps().iter().map(|s| s.index).max()
}

/// What a phase has made of a symbol once a pass within it is done.
#[salsa::tracked(returns(clone))]
fn bodies_until<'db>(
    db: &'db dyn salsa::Database,
    program: Program,
    phase: usize,
    symbol: Symbol<'db>,
    pass: usize,
) -> Vec<Arc<FrozenBody>> {
    let Some(body) = body_at(db, program, phase, symbol) else { return Vec::new() };
    let planned = plan(db, program);
    let Some(Step::Local(nodes)) = planned.0.phases.get(phase) else { return vec![body] };
    let mut env = program.setup(db).env(&no_poll, false);
    env.until = Some(pass);
    let run = run_local(env, nodes, &header_at(db, program, phase), body.thaw());
    run.value.iter().map(|b| Arc::new(b.freeze())).collect()
}
