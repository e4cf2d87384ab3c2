//! Files with mistakes and what is said about them; files without and their records.

use std::path::Path;

use tegula_diag::{Renderer, Sources};
use tegula_record::{Files, load, print};

fn evaluate(folder: &str, name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let path = root.join(format!("tests/fixtures/dsl/record/{folder}/{name}.td"));
    let text = std::fs::read_to_string(path).expect("the fixture is there");
    let file = format!("{name}.td");
    let files = Files::in_memory()
        .file(&*file, text)
        .file("known.td", "#ifndef KNOWN\n#define KNOWN\nclass Known;\n#endif\n")
        .file("loop.td", "include \"loop.td\"\n")
        .file("broken.td", "class InBroken { int x = ; int y = 1; }\n");
    let mut sources = Sources::new();
    let (records, diagnostics) = load(&file, &files, &mut sources);
    let mut out = Renderer::plain(&sources).render_all(&diagnostics);
    if folder == "semantics" {
        out.push_str(&print::dump(&records));
    }
    out
}

fn check(folder: &str, name: &str) {
    let out = evaluate(folder, name);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(root.join("snapshots/dsl/record").join(folder));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, out));
}

#[test]
fn mistakes() {
    for name in [
        "names",
        "types",
        "arguments",
        "resolution",
        "recursion",
        "duplicates",
        "doubling",
        "statements",
        "includes",
        "warnings",
    ] {
        check("mistakes", name);
    }
}

#[test]
fn semantics() {
    for name in ["fields", "multiclasses", "operators"] {
        check("semantics", name);
    }
}
