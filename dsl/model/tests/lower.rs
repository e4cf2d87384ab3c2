//! Fixtures through the whole model: tables and diagnostics.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use insta::Settings;
use tegula_diag::{Renderer, Sources, has_errors};
use tegula_model::{Loaded, Loader, load, load_with};
use tegula_record::{FileLoader, Files, LoadError, LoadedFile};

fn root() -> PathBuf {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    path.canonicalize().expect("the root of the workspace")
}

/// The fixtures of a folder in order of their names.
fn fixtures(folder: &str) -> Vec<PathBuf> {
    let folder = root().join("tests/fixtures/dsl/model").join(folder);
    let entries = std::fs::read_dir(folder).expect("a folder of fixtures");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == "td"));
    paths.sort();
    assert!(!paths.is_empty());
    paths
}

/// Loads a fixture; diagnostics come as text that names the file without its folder.
fn read(path: &Path) -> (Loaded, String) {
    let mut sources = Sources::new();
    let loaded = load(path, &[], &mut sources);
    let text = Renderer::plain(&sources).render_all(&loaded.diagnostics);
    let folder = path.parent().expect("a folder").to_string_lossy().into_owned() + "/";
    (loaded, text.replace(&folder, ""))
}

fn check(folder: &str, show: impl Fn(&Loaded, &str) -> String) {
    for path in fixtures(folder) {
        let (loaded, diagnostics) = read(&path);
        let mut settings = Settings::clone_current();
        settings.set_snapshot_path(root().join("snapshots/dsl/model").join(folder));
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        let stem = path.file_stem().expect("a name").to_string_lossy().into_owned();
        settings.bind(|| insta::assert_snapshot!(stem, show(&loaded, &diagnostics)));
    }
}

#[test]
fn diagnostics() {
    check("diagnostics", |loaded, text| {
        assert!(!text.is_empty(), "the fixture has no mistake");
        // Codes first: a reader sees at a glance what the fixture is about.
        let codes: Vec<&str> = loaded.diagnostics.iter().map(|d| d.code.as_ref()).collect();
        format!("{}\n\n{text}", codes.join("\n"))
    });
}

#[test]
fn tables() {
    check("tables", |loaded, text| {
        assert!(!has_errors(&loaded.diagnostics), "{text}");
        let mut out = String::new();
        for dialect in &loaded.dialects {
            let _ = writeln!(out, "{dialect:#?}");
        }
        // The hash is a number without meaning to a reader, and has its own test.
        let lines = out.lines().filter(|line| !line.trim_start().starts_with("schema_hash"));
        lines.map(|line| format!("{line}\n")).collect()
    });
}

#[test]
fn hash_depends_on_what_accessors_read() {
    let hash = |body: &str| {
        let head = "include \"tegula/OpBase.td\"\ndef D : Dialect { let name = \"t\"; }\n";
        let text = format!("{head}def AOp : Op<D, \"a\"> {{ {body} }}");
        let loader = WithPrelude(Files::in_memory().file("t.td", text));
        let loaded = load_with(Path::new("t.td"), &loader, &[], &mut Sources::new());
        assert!(!has_errors(&loaded.diagnostics), "{:?}", loaded.diagnostics);
        loaded.dialects[0].schema_hash
    };
    let base = hash("let arguments = (ins AnyType:$x, I64Attr:$y);");
    assert_eq!(
        base,
        hash("let summary = \"said\";\nlet arguments = (ins AnyType:$x, I64Attr:$y);")
    );
    assert_ne!(base, hash("let arguments = (ins AnyType:$x, AnyType:$z, I64Attr:$y);"));
    assert_ne!(base, hash("let arguments = (ins AnyType:$x, I32Attr:$y);"));
}

/// Texts in memory, and the prelude.
struct WithPrelude(Files);

impl FileLoader for WithPrelude {
    fn load(&self, path: &str, from: Option<&Path>) -> Result<Option<LoadedFile>, LoadError> {
        match self.0.load(path, from)? {
            Some(file) => Ok(Some(file)),
            None => Loader::default().load(path, from),
        }
    }
}
