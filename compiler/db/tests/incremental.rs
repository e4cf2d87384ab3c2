//! An edit reruns what can differ because of it, and gives what a compilation from nothing gives.

mod edits;

use edits::{Edit, Function, assembly, functions, module, session, setup};
use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tegula_db::{Cancelled, Compiled, Database, Session, cancellable};
use tegula_ir::Module;
use tegula_neon::Flavour;
use tegula_pipelines::{EmitError, Phase, Setup};

/// The queries that run for an edit, by name with their counts.
fn executed(session: &mut Session, after: &[Function]) -> Vec<(String, usize)> {
    session.db().take_executed();
    session.set_text(&module(after));
    let made = session.compile(Flavour::Elf);
    assert!(!made.failed, "{:?} of\n{}", made.reports, module(after));
    session.db().take_executed()
}

/// The queries that run for each kind of edit at the first, the middle and the last of `count`
/// functions.
fn report(setup: &Arc<Setup>, count: usize) -> String {
    let original = functions(count);
    let text = module(&original);
    let mut session = session(Database::logging(), setup, &text);
    assembly(&mut session);
    let mut out = String::new();
    for edit in Edit::ALL {
        for (place, index) in [("first", 0), ("middle", count / 2), ("last", count - 1)] {
            let mut after = original.clone();
            edit.apply(&mut after[index], 0);
            let queries = executed(&mut session, &after);
            show(&mut out, &format!("{edit:?} at the {place}"), &queries);
            session.set_text(&text);
            assembly(&mut session);
        }
    }
    let mut moved = original.clone();
    let first = moved.remove(0);
    show(&mut out, "Delete the first", &executed(&mut session, &moved));
    moved.push(first);
    show(&mut out, "Put it back as the last", &executed(&mut session, &moved));
    moved.swap(1, 4);
    show(&mut out, "Exchange two", &executed(&mut session, &moved));
    moved.insert(0, Function { name: "new".to_owned(), ..Function::new(2000) });
    show(&mut out, "Insert at the front", &executed(&mut session, &moved));
    out
}

fn show(out: &mut String, what: &str, queries: &[(String, usize)]) {
    let total: usize = queries.iter().map(|(_, count)| count).sum();
    let _ = writeln!(out, "{what}: {total}");
    for (name, count) in queries {
        let _ = writeln!(out, "  {count} {name}");
    }
}

#[test]
fn queries_of_an_edit_do_not_depend_on_the_size_of_the_module() {
    let setup = setup();
    let small = report(&setup, 10);
    let large = report(&setup, 30);
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(concat!(env!("CARGO_MANIFEST_DIR"), "/../../snapshots/compiler/db"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!("queries_of_an_edit", small));
    assert_eq!(small, large);
}

/// A sequence of numbers that is the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

/// A random edit; `round` makes names.
fn random_edit(numbers: &mut Numbers, functions: &mut Vec<Function>, round: usize) -> String {
    if functions.is_empty() {
        functions.push(Function { name: format!("new_{round}"), ..small_function(numbers) });
        return "insert into nothing".to_owned();
    }
    let at = numbers.below(functions.len());
    let other = numbers.below(functions.len());
    let kind = numbers.below(10);
    match kind {
        0..5 => {
            let edit = Edit::ALL[kind];
            match edit {
                Edit::Shape => functions[at].shape = small_function(numbers).shape,
                Edit::AddMatmul if functions[at].products > 1 => functions[at].products = 1,
                _ => edit.apply(&mut functions[at], round),
            }
            format!("{edit:?} of {at}")
        }
        5 => {
            functions
                .insert(0, Function { name: format!("new_{round}"), ..small_function(numbers) });
            "insert at the front".to_owned()
        }
        6 => {
            functions.remove(at);
            format!("delete {at}")
        }
        7 => {
            functions.swap(at, other);
            format!("exchange {at} and {other}")
        }
        8 => {
            functions[at].broken = !functions[at].broken;
            format!("break or repair {at}")
        }
        _ => {
            // Equal functions share what is named by its content.
            functions[at].shape = functions[other].shape;
            format!("shape of {other} for {at}")
        }
    }
}

/// Few shapes, so that functions share encodings, and small ones.
fn small_function(numbers: &mut Numbers) -> Function {
    let mut out = Function::new(0);
    out.shape = (1 + numbers.below(4) * 5, 1 + numbers.below(4) * 5, 1 + numbers.below(4) * 5);
    out
}

#[test]
fn random_edits_give_what_a_fresh_compilation_gives() {
    let setup = setup();
    let mut numbers = Numbers(42);
    let mut functions: Vec<Function> = (0..3)
        .map(|i| Function { name: format!("f{i}"), ..small_function(&mut numbers) })
        .collect();
    let mut session = session(Database::new(), &setup, &module(&functions));
    let mut history = Vec::new();
    let mut compiled_texts = 0;
    for round in 0..200 {
        history.push(random_edit(&mut numbers, &mut functions, round));
        // More functions than these make the test slow and not better.
        functions.truncate(4);
        session.set_text(&module(&functions));
        let made = session.compile(Flavour::Elf);
        if round % 5 != 4 {
            continue;
        }
        let mut fresh = edits::session(Database::new(), &setup, &module(&functions));
        let fresh = fresh.compile(Flavour::Elf);
        let at = || format!("after {history:#?} of\n{}", module(&functions));
        assert_eq!(texts(&made), texts(&fresh), "{}", at());
        assert_eq!(made.failed, fresh.failed, "{}", at());
        assert_eq!(findings(&made), findings(&fresh), "{}", at());
        compiled_texts += made.pieces.iter().filter(|piece| piece.entry.is_some()).count();
    }
    assert!(compiled_texts > 40, "edits leave hardly a function that compiles: {compiled_texts}");
}

#[test]
fn what_was_given_up_is_taken_up_where_it_was_left() {
    let setup = setup();
    let mut functions = functions(3);
    let mut session = session(Database::new(), &setup, &module(&functions));
    let mut given_up = 0;
    for round in 0..4 {
        let mut patience = 1;
        let made = loop {
            let polls = AtomicUsize::new(0);
            session.give_up_when(move || polls.fetch_add(1, Ordering::Relaxed) >= patience);
            match cancellable(|| session.compile(Flavour::Elf)) {
                Ok(made) => break made,
                Err(Cancelled) => given_up += 1,
            }
            // An edit may come at any time.
            if given_up % 3 == 0 {
                Edit::Comment.apply(&mut functions[given_up % 3], given_up);
                session.set_text(&module(&functions));
            }
            patience += 1 + patience / 2;
        };
        let mut fresh = edits::session(Database::new(), &setup, &module(&functions));
        assert_eq!(texts(&made), texts(&fresh.compile(Flavour::Elf)), "round {round}");
        Edit::ALL[round].apply(&mut functions[round % 3], round);
        session.set_text(&module(&functions));
    }
    assert!(given_up > 20, "hardly anything was given up: {given_up}");
}

#[test]
fn a_session_that_lets_go_gives_what_others_give() {
    let setup = setup();
    for broken in [false, true] {
        let mut functions = functions(4);
        functions[1].broken = broken;
        let text = module(&functions);
        let mut keeping = session(Database::logging(), &setup, &text);
        let mut once = Session::once(Database::logging(), setup.clone(), Phase::LAST, &text);
        assert_same(&keeping.compile(Flavour::Elf), &once.compile(Flavour::Elf));
        assert_eq!(keeping.reports().len(), once.reports().len());
        let queries = keeping.db().take_executed();
        assert_eq!(once.db().take_executed(), queries, "what was let go is asked for again");
        Edit::Shape.apply(&mut functions[0], 0);
        once.set_text(&module(&functions));
        keeping.set_text(&module(&functions));
        assert_same(&keeping.compile(Flavour::Elf), &once.compile(Flavour::Elf));
        let last = once.written().passes().len() - 1;
        for pass in [0, last / 3, last / 2, last] {
            let mut once = Session::once(Database::new(), setup.clone(), Phase::LAST, &text);
            let mut keeping = session(Database::new(), &setup, &text);
            once.compile(Flavour::Elf);
            let bodies = |module: Module| -> Vec<_> {
                module.bodies.iter().map(tegula_ir::Body::freeze).collect()
            };
            assert_eq!(bodies(once.module_after(pass)), bodies(keeping.module_after(pass)));
            assert_same(&keeping.compile(Flavour::Elf), &once.compile(Flavour::Elf));
        }
    }
}

fn assert_same(one: &Compiled, other: &Compiled) {
    assert_eq!(texts(one), texts(other));
    assert_eq!(findings(one), findings(other));
    assert_eq!(one.failed, other.failed);
}

/// The pieces of assembly text, and why there is none.
fn texts(compiled: &Compiled) -> Vec<(&str, Option<&EmitError>)> {
    let pieces = compiled.pieces.iter();
    pieces.map(|p| (&*p.text, p.error.as_ref().map(|(error, _)| error))).collect()
}

/// What passes said. A finding about something that several functions share stands at the one that
/// asked for it first, which bodies that are equal do not tell apart.
fn findings(compiled: &Compiled) -> Vec<(&str, &str, &str)> {
    compiled.reports.iter().map(|r| (&*r.code, &*r.message, &*r.pass)).collect()
}
