//! `tegula opt --explain=PATTERN FILE:LINE`, and which patterns were applied, from outside.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

fn transcript(runs: &[&[&str]]) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut out = String::new();
    for args in runs {
        let ran = Command::new(env!("CARGO_BIN_EXE_tegula"))
            .args(*args)
            .args(["--dialect", "program.td"])
            .current_dir(root.join("tests/fixtures/explain"))
            .env("COLUMNS", "100")
            .output()
            .expect("the program runs");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let code = ran.status.code().map_or_else(String::new, |code| format!(" → {code}"));
        let _ = writeln!(out, "$ tegula {}{code}", args.join(" "));
        let _ = writeln!(out, "{}{}", text(&ran.stdout), text(&ran.stderr));
    }
    out
}

fn check(name: &str, runs: &[&[&str]]) {
    let mut settings = insta::Settings::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    settings.set_snapshot_path(root.join("snapshots/explain"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, transcript(runs)));
}

#[test]
fn program() {
    check(
        "program",
        &[
            &["opt", "--explain=NegNeg", "program.mlir:2"],
            &["opt", "--explain=NegNeg", "program.mlir:3"],
            &["opt", "--explain=NegNeg", "program.mlir:4"],
            &["opt", "--explain=AddSmall", "program.mlir:5"],
            &["opt", "--explain=AddSmall", "program.mlir:8"],
            &["opt", "--explain=MulEither", "program.mlir:9"],
            &["opt", "--explain=NegOfWide", "program.mlir:2"],
            &["opt", "--explain=NegOfWide", "program.mlir:10"],
            &["opt", "--explain=MulOfConst", "program.mlir:9"],
            &["opt", "--explain=AddInvalid", "program.mlir:8"],
            &["opt", "--explain=NegToConst", "program.mlir:6"],
            &["opt", "--canonicalize", "--explain=AddSmall", "program.mlir:5"],
        ],
    );
}

#[test]
fn at_the_top() {
    check(
        "at_the_top",
        &[&["opt", "--explain=MarkTop", "top.mlir:1"], &["opt", "--explain=MarkTop", "top.mlir:3"]],
    );
}

#[test]
fn nothing_to_explain() {
    check(
        "nothing_to_explain",
        &[
            &["opt", "--explain=NegNog", "program.mlir:2"],
            &["opt", "--explain=NegNeg", "program.mlir"],
            &["opt", "--explain=NegNeg", "program.mlir:40"],
            &["opt", "--explain=NegNeg", "missing.mlir:2"],
        ],
    );
}

#[test]
fn applied_patterns() {
    let pipeline = "--pass-pipeline=builtin.module(func.func(canonicalize))";
    check(
        "applied_patterns",
        &[
            &["opt", "program.mlir", pipeline, "--print-applied-patterns"],
            &["opt", "folds.mlir", pipeline, "--print-applied-patterns"],
            &["opt", "folds.mlir", "--pass=s-mul-away", "--print-applied-patterns"],
        ],
    );
}
