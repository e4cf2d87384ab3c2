//! Module files: what is in them, what has none, and, where `TEGULA_IREE_RUN_MODULE` is a command
//! that runs IREE's `iree-run-module` for AArch64 (its words separated by blanks), that they run.

mod listing;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tegula_pass::Settings;
use tegula_pipelines::{Phase, Setup};
use tegula_toolchain::Search;

fn fixtures(kind: &str) -> Vec<PathBuf> {
    let folder =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/module_file").join(kind);
    let entries = fs::read_dir(folder).expect("the fixtures");
    let mut out: Vec<PathBuf> = entries.map(|entry| entry.expect("a fixture").path()).collect();
    out.sort();
    out
}

fn stem(path: &Path) -> String {
    path.file_stem().expect("a name").to_string_lossy().into_owned()
}

fn check(name: &str, text: &str) {
    let mut settings = insta::Settings::new();
    let snapshots = Path::new(env!("CARGO_MANIFEST_DIR")).join("snapshots/module_file");
    settings.set_snapshot_path(snapshots);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

/// Compiles a file to a module file in the folder; gives what was said otherwise.
fn compile(input: &Path, output: &Path, args: &[&str]) -> Result<(), String> {
    let folder = input.parent().expect("a folder");
    let done = Command::new(env!("CARGO_BIN_EXE_tegula"))
        .args(["compile", &input.file_name().expect("a name").to_string_lossy()])
        .args(args)
        .arg("-o")
        .arg(output)
        .current_dir(folder)
        .output()
        .expect("the program runs");
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    if done.status.success() { Ok(()) } else { Err(said) }
}

/// What a function of a module file gives; none without a runtime to run it.
fn run(module: &Path, function: &str, inputs: &str) -> Option<String> {
    let command = std::env::var("TEGULA_IREE_RUN_MODULE").ok()?;
    let mut words = command.split_whitespace();
    let inputs = inputs.split(", ").filter(|input| !input.is_empty());
    let done = Command::new(words.next()?)
        .args(words)
        .arg("--device=local-sync")
        .arg(format!("--module={}", module.display()))
        .arg(format!("--function={function}"))
        .args(inputs.map(|input| format!("--input={input}")))
        .output()
        .expect("the runtime runs");
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    assert!(done.status.success(), "{function}: {}", String::from_utf8_lossy(&done.stderr));
    let values = said.lines().filter(|line| !line.starts_with("EXEC") && !line.ends_with("view"));
    Some(values.map(|line| line.rsplit('=').next().unwrap_or(line)).collect::<Vec<_>>().join(" "))
}

/// `// @name(inputs) = outputs` in a text.
fn examples(text: &str) -> impl Iterator<Item = (&str, &str, &str)> {
    text.lines().filter_map(|line| {
        let (name, rest) = line.trim().strip_prefix("// @")?.split_once('(')?;
        let (inputs, outputs) = rest.split_once(") = ")?;
        Some((name, inputs, outputs))
    })
}

/// Runs a module file on the examples of what it was made of.
fn run_examples(module: &Path, fixture: &Path) {
    let text = fs::read_to_string(fixture).expect("the fixture");
    for (name, inputs, outputs) in examples(&text) {
        let found = run(module, name, inputs);
        assert!(found.is_none_or(|found| found == outputs), "@{name}({inputs})");
    }
}

#[test]
fn modules() {
    let setup = Setup::after(Phase::Vm, Settings::new(), []);
    for fixture in fixtures("accept") {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("out.vmfb");
        compile(&fixture, &file, &["--compile-from=vm"]).expect("a module file");
        let bytes = fs::read(&file).expect("the file");
        check(&stem(&fixture), &listing::listing(&setup.registry, &bytes));
        run_examples(&file, &fixture);
    }
}

#[test]
fn no_file() {
    for fixture in fixtures("reject") {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("out.vmfb");
        let said = compile(&fixture, &file, &["--compile-from=vm"]).expect_err("no module file");
        assert!(!file.exists(), "{} leaves a file", fixture.display());
        check(&format!("{}.no_file", stem(&fixture)), &said);
    }
}

/// From tensors to numbers: device code is made, loaded and run.
#[test]
fn programs() {
    let toolchain = Search::from_env().toolchain();
    if let Some(error) = toolchain.assembler.err().or(toolchain.linker.err()) {
        eprintln!("no library is made here: {error}");
        return;
    }
    let setup = Setup::new(Settings::new(), []);
    for fixture in fixtures("programs") {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("out.vmfb");
        let text = fs::read_to_string(&fixture).expect("the fixture");
        let from = text.lines().find_map(|line| line.strip_prefix("// phase: ")).unwrap_or("input");
        compile(&fixture, &file, &[&format!("--compile-from={from}")]).expect("a module file");
        let bytes = fs::read(&file).expect("the file");
        let listed = listing::listing(&setup.registry, &bytes);
        let tables = listed.split("\n\n").next().unwrap_or_default();
        // How long the library is does not matter.
        let tables = tables.lines().filter(|line| !line.starts_with("data behind"));
        check(&stem(&fixture), &tables.collect::<Vec<_>>().join("\n"));
        run_examples(&file, &fixture);
    }
}
