//! Layout of MLIR text: `tegula fmt`.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tegula_diag::Sources;
use tegula_pass::Settings;
use tegula_pipelines::Setup;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn texts(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(texts(&path));
        } else if path.extension() == Some(OsStr::new("mlir")) {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn format(setup: &Setup, text: &str) -> Option<String> {
    let mut sources = Sources::new();
    let id = sources.add_virtual("<text>", text);
    match tegula_format::format(&setup.registry, id, text) {
        Ok(text) => Some(text),
        Err(errors) => {
            let changes = errors.iter().find(|error| error.code == "layout-changes-text");
            assert_eq!(changes, None, "{text}");
            None
        }
    }
}

#[test]
fn texts_are_laid_out() {
    let setup = Setup::new(Settings::default(), []);
    for path in texts(&root().join("tests/fixtures/format")) {
        let text = fs::read_to_string(&path).expect("a fixture");
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let mut settings = insta::Settings::new();
        settings.set_snapshot_path(root().join("snapshots/format"));
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        let laid_out = format(&setup, &text).expect("a text that parses");
        settings.bind(|| insta::assert_snapshot!(name, laid_out));
    }
}

#[test]
fn what_is_laid_out_stays() {
    let setup = Setup::new(Settings::default(), []);
    let mut formatted = 0;
    for path in texts(&root().join("tests/fixtures")) {
        let Ok(text) = fs::read_to_string(&path) else { continue };
        let Some(once) = format(&setup, &text) else { continue };
        formatted += 1;
        assert_eq!(format(&setup, &once).as_ref(), Some(&once), "{}", path.display());
    }
    assert!(formatted > 300, "{formatted}");
}

fn fmt(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tegula"));
    command.arg("fmt").args(args).current_dir(folder).output().expect("the program")
}

#[test]
fn files_are_written_over_when_they_can_be_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("a file");
    let content = |name: &str| fs::read_to_string(folder.path().join(name)).expect("a file");
    let (rough, even) = ("func.func  private @f( )\n", "func.func private @f()\n");
    file("rough.mlir", rough);
    file("even.mlir", even);
    file("broken.mlir", "func.func private @f(\n");
    let all = ["broken.mlir", "even.mlir", "rough.mlir"];

    let checked = fmt(folder.path(), &[&["--check"], &all[1..]].concat());
    assert_eq!(checked.status.code(), Some(1));
    assert_eq!(String::from_utf8_lossy(&checked.stdout), "rough.mlir\n");
    assert_eq!(content("rough.mlir"), rough);

    let written = fmt(folder.path(), &all);
    assert_eq!(written.status.code(), Some(1));
    let said = String::from_utf8_lossy(&written.stderr);
    assert!(said.starts_with("error[syntax]") && said.contains("broken.mlir:1:"), "{said}");
    assert_eq!(content("rough.mlir"), even, "an error in one file says nothing of others");
    assert_eq!(content("broken.mlir"), "func.func private @f(\n");

    let again = fmt(folder.path(), &[&["--check"], &all[1..]].concat());
    assert_eq!((again.status.code(), again.stdout.len()), (Some(0), 0));
    let definitions = fmt(folder.path(), &["a.td"]);
    assert!(String::from_utf8_lossy(&definitions.stderr).contains("error[unknown-format]"));
}
