//! Many files, each as if it were alone: what several of them begin with is evaluated once.
//!
//! A file with its includes is a sequence of statements. Files are taken in the order of their
//! sequences, so that one shares its beginning with the next, and the state at the end of a
//! shared beginning is kept until the last that begins with it.

use rustc_hash::FxHashMap;
use tegula_diag::{Diagnostic, Span};
use tegula_syntax::ast::{Stmt, StmtKind};

use super::Eval;
use super::export::{Evaluated, Exported};
use super::include::Unit;
use super::store::{Mark, Store};

/// What is done with the records of a unit and what was found.
type Done<'a> = dyn FnMut(usize, &mut Evaluated, Vec<Diagnostic>) + 'a;

/// A statement, and the unit that holds it.
type Step<'u> = (&'u Stmt, &'u Unit);

/// A sequence of statements, and names of theirs: equal ones mean the same.
#[derive(Default)]
struct Sequence<'u> {
    steps: Vec<Step<'u>>,
    names: Vec<u32>,
}

/// A state that files to come begin with.
struct Saved {
    length: usize,
    mark: Mark,
    eval: Eval,
}

/// Evaluates units; those that could not be read give nothing.
pub(crate) fn run(units: &[Option<Unit>], max_depth: u32, done: &mut Done) {
    let mut names = Names::default();
    let mut sequences: Vec<Option<Sequence>> = Vec::with_capacity(units.len());
    for unit in units {
        sequences.push(unit.as_ref().map(|unit| names.sequence(unit)));
    }
    let mut order: Vec<(usize, &Unit, &Sequence)> = Vec::with_capacity(units.len());
    for (index, (unit, sequence)) in units.iter().zip(&sequences).enumerate() {
        match (unit, sequence) {
            (Some(unit), Some(sequence)) => order.push((index, unit, sequence)),
            _ => done(index, &mut Evaluated::new(None, &mut Exported::default()), Vec::new()),
        }
    }
    order.sort_by(|a, b| a.2.names.cmp(&b.2.names));
    let shared: Vec<usize> = order
        .iter()
        .zip(order.iter().skip(1))
        .map(|(one, next)| {
            one.2.names.iter().zip(&next.2.names).take_while(|(a, b)| a == b).count()
        })
        .collect();
    let mut exported = Exported::default();
    let mut saved: Vec<Saved> = Vec::new();
    let mut store = Store::new();
    for (at, (index, unit, sequence)) in order.into_iter().enumerate() {
        let begin = at.checked_sub(1).and_then(|before| shared.get(before)).copied().unwrap_or(0);
        while saved.last().is_some_and(|state| state.length > begin) {
            saved.pop();
        }
        let here = Span::at(unit.file.source, 0);
        let (mut eval, begin) = match saved.last() {
            Some(state) => {
                store.reset(state.mark);
                (state.eval.clone(), state.length)
            }
            None => {
                store = Store::new();
                (Eval::new(here, max_depth), 0)
            }
        };
        (eval.s, eval.here) = (store, here);
        let mut to_save = to_save(shared.get(at..).unwrap_or(&[]), begin);
        for (length, (stmt, unit)) in (begin + 1..).zip(sequence.steps.iter().skip(begin)) {
            eval.stmt(stmt, unit);
            if to_save.last() == Some(&length) {
                to_save.pop();
                let mark = eval.s.mark();
                let store = std::mem::take(&mut eval.s);
                saved.push(Saved { length, mark, eval: eval.clone() });
                eval.s = store;
            }
        }
        let found = std::mem::take(&mut eval.diagnostics);
        done(index, &mut Evaluated::new(Some(&eval), &mut exported), found);
        store = eval.s;
    }
}

/// The lengths at which files to come part with one that begins with a saved state, the shortest
/// last.
fn to_save(shared: &[usize], begin: usize) -> Vec<usize> {
    let mut out: Vec<usize> = Vec::new();
    for length in shared.iter().take_while(|length| **length > begin) {
        if out.last().is_none_or(|last| length < last) {
            out.push(*length);
        }
    }
    out
}

/// Names of statements.
#[derive(Default)]
struct Names {
    known: FxHashMap<*const Stmt, u32>,
    next: u32,
}

impl Names {
    fn sequence<'u>(&mut self, unit: &'u Unit) -> Sequence<'u> {
        let mut out = Sequence::default();
        self.add(&mut out, unit);
        out
    }

    fn add<'u>(&mut self, out: &mut Sequence<'u>, unit: &'u Unit) {
        for stmt in &unit.file.items {
            if let StmtKind::Include(node) = &stmt.kind {
                if let Some(included) = unit.included(node.path_span.start) {
                    self.add(out, included);
                }
                continue;
            }
            out.steps.push((stmt, unit));
            out.names.push(self.name(stmt));
        }
    }

    /// Statements are shared by all units of a text. One that includes files means another thing
    /// in each.
    fn name(&mut self, stmt: &Stmt) -> u32 {
        let next = self.next;
        let name = if includes(stmt) { next } else { *self.known.entry(stmt).or_insert(next) };
        self.next += u32::from(name == next);
        name
    }
}

fn includes(stmt: &Stmt) -> bool {
    matches!(stmt.kind, StmtKind::Include(_)) || stmt.children().any(|child| includes(child))
}
