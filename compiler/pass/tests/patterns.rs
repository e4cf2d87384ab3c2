//! Patterns from `.td` text to rewritten IR.
//!
//! A fixture is a `.td` file with definitions and one comment: a pipeline on the first line, MLIR
//! text below. The snapshot is the module after the pipeline, or what was found wrong.

use std::borrow::Cow;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use tegula_diag::{Renderer, Sources, has_errors};
use tegula_ir::text::{PrintOptions, parse_module, print_module};
use tegula_ir::verify::verify_body;
use tegula_ir::{Attr, DialectEntry, Hooks, NewOp, Registry};
use tegula_pass::{Env, NoInstrument, PassTable, Plan, Settings, run_pipeline};
use tegula_rewrite::{Bound, Patterns, RewriteHooks};

fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).expect("the crate lies two folders deep").to_path_buf()
}

fn number(bound: Option<&Bound>) -> Option<i64> {
    bound?.attr()?.as_int()
}

/// The hooks that fixtures name.
fn hooks() -> RewriteHooks {
    RewriteHooks::new()
        .predicate("is_even", |_, _, args| number(args.first()).is_some_and(|n| n % 2 == 0))
        .compute("half", |_, _, args| {
            let half = number(args.first())? / 2;
            // Sixes are left alone, to see a computation fail.
            (half != 3).then(|| Bound::Attr(Attr::i64(half)))
        })
        .rewrite("mark_once", |rw, op| {
            if rw.body.attr(op, "marked").is_some() {
                return rw.no_match(op, "it is marked already");
            }
            rw.set_attr(op, "marked", Attr::unit());
            true
        })
        .builder("scaled_twice", |rw, args| {
            let (Some(x), Some(by)) = (args[0].value(), args[1].attr()) else {
                return Bound::Absent;
            };
            let ty = rw.body.ty(x);
            let scale = |x| NewOp::new("t.scale").operand(x).attr("factor", by).result(ty);
            let once = rw.create_value(scale(x));
            let twice = rw.create_value(NewOp::new("t.add").operands([once, once]).result(ty));
            Bound::Value(twice)
        })
}

/// The text of the fixture's comment, and what precedes it.
fn split(text: &str) -> Option<(&str, &str)> {
    let comment = text.split_once("/*")?.1.split_once("*/")?.0;
    comment.trim_start().split_once('\n')
}

fn run(path: &Path) -> String {
    let mut sources = Sources::default();
    let loaded = tegula_model::load(path, &[], &mut sources);
    if has_errors(&loaded.diagnostics) {
        let renderer = Renderer::plain(&sources);
        let all = loaded.diagnostics.iter().map(|d| renderer.render(d));
        let folder = format!("{}/", root().join("tests/fixtures").display());
        return all.collect::<Vec<_>>().join("\n").replace(&folder, "");
    }
    let entries = loaded.dialects.into_iter();
    let registry = Registry::new(
        entries.map(|def| DialectEntry { def: Cow::Owned(def), hooks: Hooks::default() }),
    );
    let patterns = Patterns::new(&registry, hooks());
    assert_eq!(patterns.errors(), &[], "every pattern links");
    let text = std::fs::read_to_string(path).expect("the fixture exists");
    let (pipeline, mlir) = split(&text).expect("the fixture has a comment with a pipeline");
    let table = PassTable::new(&registry, []);
    let plan = match Plan::new(&table, pipeline.trim(), &[]) {
        Ok(plan) => plan,
        Err(errors) => return errors.iter().map(|e| format!("{e}\n")).collect(),
    };
    let source = sources.add("input.mlir", mlir);
    let (module, _, diagnostics) = parse_module(&registry, source, mlir);
    let renderer = Renderer::plain(&sources);
    let mut out: String = diagnostics.iter().map(|d| renderer.render(d)).collect();
    let env = Env {
        registry: &registry,
        patterns: &patterns,
        settings: &Settings::default(),
        poll: &|| (),
        verify: Some(|registry, body| {
            let errors = verify_body(registry, body).into_iter();
            errors.map(|error| (error.op, error.message)).collect()
        }),
        until: None,
    };
    let run = run_pipeline(env, &plan, module, &mut NoInstrument);
    for report in &run.reports {
        let _ = writeln!(
            out,
            "{}[{}] at {}: {}",
            report.severity.as_str(),
            report.code,
            report.op,
            report.message
        );
        for (_, note) in &report.notes {
            let _ = writeln!(out, "  {note}");
        }
    }
    out + &print_module(&registry, &run.value, &PrintOptions::default())
}

fn check(folder: &str) {
    let folder_path = root().join("tests/fixtures").join(folder);
    let mut names: Vec<PathBuf> = std::fs::read_dir(&folder_path)
        .expect("the folder exists")
        .map(|entry| entry.expect("the folder can be listed").path())
        .filter(|path| path.extension().is_some_and(|e| e == "td"))
        .filter(|path| path.file_stem().is_some_and(|stem| stem != "test"))
        .collect();
    names.sort();
    assert!(!names.is_empty());
    for path in names {
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path(root().join("snapshots").join(folder));
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        let stem = path.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned());
        let output = run(&path);
        settings.bind(|| insta::assert_snapshot!(stem, output));
    }
}

#[test]
fn patterns_rewrite() {
    check("patterns");
}

#[test]
fn mistakes_are_located() {
    check("patterns/bad");
}
