//! Programs of several matmuls: every pass keeps what each function computes, to the bit, and the
//! whole road ends in code that computes it.

use std::path::{Path, PathBuf};
use std::process::Command;

fn fixtures() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/programs");
    let entries = std::fs::read_dir(folder).expect("the fixtures");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a file").path()).collect();
    paths.sort();
    paths
}

/// The names of the functions that a fixture defines.
fn functions(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).expect("the fixture");
    let name = |rest: &str| rest.split('(').next().map(str::to_owned);
    text.lines().filter_map(|line| name(line.strip_prefix("func.func @")?)).collect()
}

fn check(path: &Path, function: &str, args: &[&str], said: &str) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tegula"));
    command.arg(args[0]).arg(path).arg(format!("--function={function}")).args(&args[1..]);
    let output = command.output().expect("the program starts");
    let (out, err) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{path:?} @{function} {args:?}:\n{out}{err}");
    assert!(out.contains(said), "{path:?} @{function} {args:?}:\n{out}{err}");
}

/// The results of code that is assembled where that is possible, or of machine ops.
fn results(path: &Path, function: &str, assembled: bool) -> Vec<Vec<u8>> {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = Command::new(env!("CARGO_BIN_EXE_tegula"));
    command.arg("run").arg(path).arg(format!("--function={function}")).arg("--random=7");
    if !assembled {
        command.env("PATH", "/nonexistent");
        command.env_remove("TEGULA_AS").env_remove("TEGULA_CC").env_remove("TEGULA_QEMU");
    }
    let count = |output: std::process::Output| {
        assert!(output.status.success(), "{path:?} @{function}: {output:?}");
        String::from_utf8_lossy(&output.stdout).matches("\nresult ").count()
    };
    let outputs = count(command.output().expect("the program starts"));
    let file = |number: usize| folder.path().join(format!("{number}.npy"));
    for number in 0..outputs {
        command.arg(format!("--output=@{}", file(number).display()));
    }
    assert_eq!(count(command.output().expect("the program starts")), outputs);
    (0..outputs).map(|number| std::fs::read(file(number)).expect("a result")).collect()
}

#[test]
fn every_pass_keeps_the_result() {
    for path in fixtures() {
        let functions = functions(&path);
        assert!(!functions.is_empty(), "{path:?} defines nothing");
        for function in functions {
            check(&path, &function, &["bisect", "--every-pass"], "passes keeps the result");
            check(&path, &function, &["run", "--random=7", "--check"], "largest error");
            assert_eq!(results(&path, &function, true), results(&path, &function, false));
        }
    }
}
