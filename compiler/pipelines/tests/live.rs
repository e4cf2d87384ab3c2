//! Dialects that are read at run time, over those that are built in.
//!
//! A fixture is a `.td` file with definitions and one comment: a pipeline on the first line, MLIR
//! text below. The snapshot is the module after the pipeline, or what was found wrong. This is
//! where `docs/new-dialect.md` leads.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use tegula_diag::{Diagnostic, Renderer, Sources, has_errors};
use tegula_ir::text::{PrintOptions, SourceMap, parse_module, print_module};
use tegula_ir::verify::verify_body;
use tegula_pass::{Env, NoInstrument, PassTable, Plan, Report, Settings, run_pipeline};
use tegula_pipelines::dialects;
use tegula_rewrite::Patterns;

fn root() -> PathBuf {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    path.canonicalize().expect("the root of the workspace")
}

/// The text of the fixture's comment: the pipeline and the module.
fn comment(text: &str) -> Option<(&str, &str)> {
    text.split_once("/*")?.1.split_once("*/")?.0.trim_start().split_once('\n')
}

fn diagnostic(report: &Report, map: &SourceMap) -> Diagnostic {
    let place = report.loc.and_then(|loc| map.locate(loc));
    let said = Diagnostic::new(report.severity, report.code.clone(), report.message.clone());
    report.notes.iter().fold(said.at_opt(place), |said, (_, note)| said.note(note.clone()))
}

fn run(path: &Path) -> String {
    let mut sources = Sources::default();
    let directories = ["dialects", "codegen"].map(|folder| root().join(folder));
    let (live, diagnostics) = tegula_model::load_live(path, &directories, &mut sources);
    let mut out = Renderer::plain(&sources).render_all(&diagnostics);
    if has_errors(&diagnostics) {
        return out.replace(&format!("{}/", root().join("tests/fixtures/live").display()), "");
    }
    let mut registry = dialects::registry();
    for def in live {
        for disabled in registry.install_live(def) {
            let hooks = disabled.hooks.join(", ");
            let _ = writeln!(out, "{} goes on without its hooks {hooks}", disabled.definition);
        }
    }
    let patterns = Patterns::new(&registry, dialects::rewrites());
    for error in patterns.errors() {
        let _ = writeln!(out, "{}: {}", error.what, error.message);
    }
    let text = std::fs::read_to_string(path).expect("the fixture exists");
    let Some((pipeline, mlir)) = comment(&text) else {
        panic!("{} has no comment with a pipeline and a module", path.display())
    };
    let table = PassTable::new(&registry, dialects::passes());
    let plan = match Plan::new(&table, pipeline.trim(), &[]) {
        Ok(plan) => plan,
        Err(errors) => return errors.iter().fold(out, |out, e| out + &format!("{e}\n")),
    };
    let source = sources.add("input.mlir", mlir);
    let (module, map, diagnostics) = parse_module(&registry, source, mlir);
    out += &Renderer::plain(&sources).render_all(&diagnostics);
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
    let found: Vec<Diagnostic> = run.reports.iter().map(|r| diagnostic(r, &map)).collect();
    out += &Renderer::plain(&sources).render_all(&found);
    out + &print_module(&registry, &run.value, &PrintOptions::default())
}

#[test]
fn live_dialects() {
    let folder = root().join("tests/fixtures/live");
    let entries = std::fs::read_dir(&folder).expect("the folder exists");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == "td"));
    paths.sort();
    assert!(!paths.is_empty());
    for path in paths {
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path(root().join("snapshots/live"));
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        let stem = path.file_stem().expect("a name").to_string_lossy().into_owned();
        settings.bind(|| insta::assert_snapshot!(stem, run(&path)));
    }
}
