//! `tegula opt` as people know it who run passes: pipelines, dumps, diffs, reports, reproducers.

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

const PROGRAM: &str = "\
func.func @sum(%a: i32) -> i32 {
  %0 = arith.addi %a, %a : i32
  %1 = arith.addi %a, %a : i32
  %2 = arith.muli %0, %1 : i32
  return %2 : i32
}
func.func private @unused()
";

/// Reads a global that is initialized after it.
const TOO_EARLY: &str = "\
util.initializer {
  %0 = util.global.load @late : i32
  %1 = util.optimization_barrier %0 : i32
  util.return
}
util.global private mutable @late : i32
";

const BOTH: &str = "--pass-pipeline=builtin.module(func.func(cse,canonicalize),symbol-dce)";

fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("in.mlir"), PROGRAM).expect("a file");
    fs::write(folder.path().join("early.mlir"), TOO_EARLY).expect("a file");
    folder
}

/// Runs `tegula opt`; the exit code, standard output and standard error.
fn opt(folder: &Path, args: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tegula"));
    let ran = command.arg("opt").args(args).current_dir(folder).output().expect("the program");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (ran.status.code(), text(&ran.stdout), text(&ran.stderr))
}

/// What a run that succeeds says aside.
fn aside(folder: &Path, args: &[&str]) -> String {
    let (code, _, stderr) = opt(folder, args);
    assert_eq!(code, Some(0), "{args:?}: {stderr}");
    stderr
}

fn check(name: &str, text: &str) {
    let mut settings = insta::Settings::new();
    let snapshots = Path::new(env!("CARGO_MANIFEST_DIR")).join("snapshots/opt");
    settings.set_snapshot_path(snapshots);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

#[test]
fn pipelines_are_dumped() {
    let folder = folder();
    let nested = "--pass-pipeline=builtin.module(func.func(canonicalize{max-iterations=3},cse),\
                  iree-op-pipeline-adaptor(util.func|func.func(cse),util.initializer(cse)))";
    check(
        "pipelines_are_dumped",
        &aside(folder.path(), &["in.mlir", nested, "--dump-pass-pipeline"]),
    );
}

#[test]
fn passes_count() {
    let folder = folder();
    let tree = aside(folder.path(), &["in.mlir", BOTH, "--mlir-pass-statistics"]);
    let list = ["--mlir-pass-statistics", "--mlir-pass-statistics-display=list"];
    let list = aside(folder.path(), &[&["in.mlir", BOTH], &list[..]].concat());
    check("passes_count", &format!("{tree}\n{list}"));
}

#[test]
fn passes_are_timed() {
    let folder = folder();
    let names = |flags: &[&str]| -> Vec<String> {
        let report = aside(folder.path(), &[&["in.mlir", BOTH, "--mlir-timing"], flags].concat());
        let lines = report.lines().filter_map(|line| line.split_once("%)  "));
        lines.map(|(_, name)| name.to_owned()).collect()
    };
    let passes = ["'func.func' Pipeline", "  CSEPass", "  CanonicalizerPass", "SymbolDCEPass"];
    let tree = [&["Parser"][..], &passes, &["Output", "Rest", "Total"]].concat();
    assert_eq!(names(&[]), tree);
    let mut list = names(&["--mlir-timing-display=list"]);
    list.sort();
    let all =
        ["CSEPass", "CanonicalizerPass", "Output", "Parser", "Rest", "SymbolDCEPass", "Total"];
    assert_eq!(list, all);
}

#[test]
fn changes_are_shown_as_diffs() {
    let folder = folder();
    check(
        "changes_are_shown_as_diffs",
        &aside(folder.path(), &["in.mlir", BOTH, "--print-ir-diff"]),
    );
}

#[test]
fn dumps_stand_around_passes() {
    let folder = folder();
    let cse = "--pass-pipeline=builtin.module(func.func(cse))";
    let whole = ["in.mlir", cse, "--mlir-print-ir-after-all", "--mlir-print-ir-module-scope"];
    let dumps = aside(folder.path(), &whole);
    assert_eq!(dumps.matches("func.func private @unused()").count(), 2, "{dumps}");
    assert_eq!(dumps.matches("arith.addi").count(), 2, "{dumps}");

    let all = ["--mlir-print-ir-before-all", "--mlir-print-ir-after-all"];
    let tree = ["in.mlir", "--cse", "--mlir-print-ir-tree-dir=tree"];
    aside(folder.path(), &[&tree[..], &all].concat());
    let moment = |file: &str| {
        let path = folder.path().join("tree/builtin_module_no-symbol-name").join(file);
        let text = fs::read_to_string(path).expect("a dump");
        text.lines().next().unwrap_or_default().to_owned()
    };
    assert_eq!(moment("0_cse.mlir"), "// -----// IR Dump Before CSEPass: cse //----- //");
    assert_eq!(moment("1_cse.mlir"), "// -----// IR Dump After CSEPass: cse //----- //");

    let (code, _, stderr) = opt(folder.path(), &["in.mlir", "--mlir-print-ir-after=cze"]);
    assert_eq!(code, Some(1));
    check("no_such_pass", &stderr);
}

#[test]
fn failures_are_reproduced() {
    let folder = folder();
    let failing = ["early.mlir", "--canonicalize", "--iree-util-verify-initialization-order"];
    let reproducer = "--mlir-pass-pipeline-crash-reproducer=rep.mlir";
    let (code, _, stderr) = opt(folder.path(), &[&failing[..], &[reproducer]].concat());
    assert_eq!(code, Some(1));
    assert!(stderr.contains("rep.mlir reproduces this"), "{stderr}");
    let whole = fs::read_to_string(folder.path().join("rep.mlir")).expect("a reproducer");
    let local = "--mlir-pass-pipeline-local-reproducer";
    opt(folder.path(), &[&failing[..], &[reproducer, local]].concat());
    let one = fs::read_to_string(folder.path().join("rep.mlir")).expect("a reproducer");
    check("failures_are_reproduced", &format!("{whole}\n// just the pass that fails\n{one}"));

    let (code, _, again) = opt(folder.path(), &["rep.mlir", "--run-reproducer"]);
    assert_eq!(code, Some(1));
    assert!(again.contains("accesses global '@late'"), "{again}");

    let (code, _, stderr) = opt(folder.path(), &["in.mlir", "--run-reproducer"]);
    assert_eq!(code, Some(1));
    assert!(stderr.contains("error[no-reproducer]"), "{stderr}");
}

#[test]
fn errors_come_before_the_ir() {
    let folder = folder();
    let flags = ["--iree-util-verify-initialization-order", "--mlir-print-ir-after-failure"];
    let (code, _, stderr) = opt(folder.path(), &[&["early.mlir"], &flags[..]].concat());
    assert_eq!(code, Some(1));
    let (error, dump) = (stderr.find("error[initialization-order]"), stderr.find("IR Dump"));
    assert!(error.is_some() && error < dump, "{stderr}");
    assert_eq!(stderr.matches("error[").count(), 1, "{stderr}");
}
