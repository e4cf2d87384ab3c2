//! Generated text of small fixtures.

use std::path::{Path, PathBuf};

use insta::Settings;
use tegula_diag::{Renderer, Sources, has_errors};

fn root() -> PathBuf {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    path.canonicalize().expect("the root of the workspace")
}

/// Snapshots what `show` makes of the dialect that a fixture defines.
fn check(fixture: &str, folder: &str, show: impl Fn(&tegula_schema::DialectDef, &str) -> String) {
    let path = root().join(format!("tests/fixtures/dsl/rustgen/{fixture}.td"));
    let mut sources = Sources::new();
    let loaded = tegula_model::load(&path, &[], &mut sources);
    let text = Renderer::plain(&sources).render_all(&loaded.diagnostics);
    assert!(!has_errors(&loaded.diagnostics), "{text}");
    let main = loaded.main.and_then(|at| loaded.dialects.get(at)).expect("a dialect");
    let mut settings = Settings::clone_current();
    settings.set_snapshot_path(root().join("snapshots/dsl/rustgen").join(folder));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(fixture, show(main, &format!("{fixture}.td"))));
}

/// The generated module without its tables, which only the smallest fixture shows.
fn without_tables(text: &str) -> String {
    text.split("/// The tables.").next().unwrap_or_default().to_owned()
}

#[test]
fn whole_module() {
    check("small", "rust", tegula_rustgen::generate);
}

#[test]
fn hooks() {
    check("hooks", "rust", |def, file| {
        let text = tegula_rustgen::generate(def, file);
        text.split("/// The ops, typed.").next().unwrap_or_default().to_owned()
    });
}

#[test]
fn wrappers() {
    check("groups", "rust", |def, file| without_tables(&tegula_rustgen::generate(def, file)));
    check("params", "rust", |def, file| without_tables(&tegula_rustgen::generate(def, file)));
}

#[test]
fn reference() {
    for fixture in ["small", "groups", "params"] {
        check(fixture, "reference", |def, _| tegula_rustgen::reference(def));
    }
}
