//! The program from outside: exit codes, messages, and that what fails leaves no output.
//!
//! Each run happens in a folder of its own, so that paths in messages are the same everywhere.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// What a run must never say: these are words of the compiler, not of its users.
const INTERNAL: [&str; 8] = [
    "panicked",
    "RUST_BACKTRACE",
    "os error",
    "not in a register",
    "Some(",
    "Err(",
    "OpId",
    "/.tegula-",
];

struct Ran {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

/// Runs the program in a folder.
fn tegula(folder: &Path, args: &[&str], input: &[u8], path: Option<&str>) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tegula"));
    command.args(args).current_dir(folder).env("COLUMNS", "100");
    command.env_remove("TEGULA_AS").env_remove("TEGULA_CC").env_remove("TEGULA_QEMU");
    if let Some(path) = path {
        command.env("PATH", path);
    }
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    // A program that reads no input closes it.
    let _ = child.stdin.take().expect("its input").write_all(input);
    let output = child.wait_with_output().expect("the program ends");
    // Messages name the program by the path that started it.
    let text = |bytes: Vec<u8>| {
        let text = String::from_utf8(bytes).expect("UTF-8 text");
        text.replace(env!("CARGO_BIN_EXE_tegula"), "tegula")
    };
    let ran = Ran {
        code: output.status.code(),
        stdout: text(output.stdout),
        stderr: text(output.stderr),
    };
    for word in INTERNAL {
        assert!(!ran.stderr.contains(word), "{args:?} says `{word}`:\n{}", ran.stderr);
    }
    let errors: Vec<&str> = ran.stderr.split("\nerror").collect();
    for (index, error) in errors.iter().enumerate() {
        assert!(!errors[..index].contains(error), "{args:?} repeats itself:\n{}", ran.stderr);
    }
    ran
}

fn fixtures(kind: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/cli").join(kind);
    let entries = fs::read_dir(&folder).expect("the fixtures");
    let mut out: Vec<PathBuf> = entries.map(|entry| entry.expect("a fixture").path()).collect();
    out.sort();
    assert!(!out.is_empty(), "{} is empty", folder.display());
    out
}

/// A folder with a copy of a fixture.
fn folder_with(fixture: &Path) -> (TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let name = fixture.file_name().expect("a name").to_string_lossy().into_owned();
    fs::copy(fixture, folder.path().join(&name)).expect("a copy");
    (folder, name)
}

/// A folder with the program that compiles.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let good = fixtures("accept").into_iter().find(|p| p.ends_with("implicit_module.mlir"));
    fs::copy(good.expect("the fixture"), folder.path().join("good.mlir")).expect("a copy");
    folder
}

fn check(place: &str, name: &str, text: &str) {
    let mut settings = insta::Settings::new();
    let snapshots = Path::new(env!("CARGO_MANIFEST_DIR")).join("snapshots/cli").join(place);
    settings.set_snapshot_path(snapshots);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

/// Runs that fail, one after the other, as a transcript; nothing new lies in the folder after them.
fn transcript(folder: &Path, code: i32, runs: &[&[&str]]) -> String {
    let listed = |folder: &Path| {
        let entries = fs::read_dir(folder).expect("the folder");
        let mut names: Vec<_> = entries.map(|entry| entry.expect("a file").file_name()).collect();
        names.sort();
        names
    };
    let before = listed(folder);
    let mut out = String::new();
    for args in runs {
        let ran = tegula(folder, args, b"", None);
        assert_eq!(ran.code, Some(code), "{args:?}:\n{}", ran.stderr);
        assert_eq!(ran.stdout, "", "{args:?} fails and writes");
        assert_eq!(listed(folder), before, "{args:?} leaves something");
        let _ = writeln!(out, "$ tegula {}\n{}", args.join(" "), ran.stderr);
    }
    out
}

#[test]
fn rejected_programs() {
    for fixture in fixtures("reject") {
        let (folder, name) = folder_with(&fixture);
        let ran = tegula(folder.path(), &["compile", &name, "-o", "out.s"], b"", None);
        assert_eq!(ran.code, Some(1), "{name}: {}", ran.stderr);
        assert_eq!(ran.stdout, "", "{name}");
        assert!(!folder.path().join("out.s").exists(), "{name} leaves an output");
        let places = ran.stderr.matches("error[").count();
        assert_eq!(ran.stderr.matches("┌─").count(), places, "{name}: an error without a place");
        let stem = fixture.file_stem().expect("a name").to_string_lossy();
        check("reject", &stem, &ran.stderr);
    }
}

#[test]
fn accepted_programs() {
    for fixture in fixtures("accept") {
        let (folder, name) = folder_with(&fixture);
        let ran = tegula(folder.path(), &["compile", &name, "-o", "out.s"], b"", None);
        assert_eq!((ran.code, &*ran.stderr), (Some(0), ""), "{name}");
        let text = fs::read_to_string(folder.path().join("out.s")).expect("the output");
        assert!(text.contains(".globl"), "{name}: no function in\n{text}");
        // What a phase writes is a program, too.
        let args = ["compile", &name, "--compile-to=input", "-o", "out.mlir"];
        let ran = tegula(folder.path(), &args, b"", None);
        assert_eq!((ran.code, &*ran.stderr), (Some(0), ""), "{name}");
        let again = ["compile", "out.mlir", "-o", "again.s"];
        let ran = tegula(folder.path(), &again, b"", None);
        assert_eq!((ran.code, &*ran.stderr), (Some(0), ""), "{name} written and read");
        let again = fs::read_to_string(folder.path().join("again.s")).expect("the output");
        assert!(again.contains(".globl"), "{name}: no function in\n{again}");
    }
}

/// An output of an earlier run is what it was after one that fails, whatever its kind.
#[test]
fn an_older_output_survives() {
    let fixture = fixtures("reject").into_iter().find(|p| p.ends_with("f64.mlir"));
    let (folder, name) = folder_with(&fixture.expect("the fixture"));
    for output in ["old.s", "old.o", "old.so", "old.mlir"] {
        let path = folder.path().join(output);
        fs::write(&path, "older").expect("a file");
        let ran = tegula(folder.path(), &["compile", &name, "-o", output], b"", None);
        assert_eq!(ran.code, Some(1), "{output}: {}", ran.stderr);
        assert_eq!(fs::read(&path).expect("the file"), b"older", "{output}");
    }
    assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 5);
}

/// Bytes that are no program, and programs that editors write in odd ways.
#[test]
fn odd_bytes() {
    let good = fs::read_to_string(folder().path().join("good.mlir")).expect("the fixture");
    let accepted: [(&str, Vec<u8>); 3] = [
        ("crlf.mlir", good.replace('\n', "\r\n").into_bytes()),
        ("mark.mlir", format!("\u{feff}{good}").into_bytes()),
        ("unfinished_line.mlir", good.trim_end().as_bytes().to_vec()),
    ];
    let folder = folder();
    let wanted = tegula(folder.path(), &["compile", "good.mlir"], b"", None);
    for (name, bytes) in accepted {
        fs::write(folder.path().join(name), bytes).expect("a file");
        let ran = tegula(folder.path(), &["compile", name], b"", None);
        assert_eq!((ran.code, &*ran.stderr), (Some(0), ""), "{name}");
        assert_eq!(ran.stdout, wanted.stdout, "{name}");
    }
    let ran = tegula(folder.path(), &["compile", "-"], good.as_bytes(), None);
    assert_eq!((ran.code, ran.stdout), (Some(0), wanted.stdout), "standard input");

    let rejected: [(&str, Vec<u8>); 5] = [
        ("empty.mlir", Vec::new()),
        ("latin1.mlir", b"func.func @a() {\n  return\n}\n// gr\xFC\xDFe\n".to_vec()),
        ("utf16.mlir", b"\xFF\xFEf\0u\0n\0c\0".to_vec()),
        ("zeros.mlir", vec![0; 64]),
        ("crlf_mistake.mlir", good.replace("outs", "\r\n  outz").into_bytes()),
    ];
    let mut runs = Vec::new();
    for (name, bytes) in &rejected {
        fs::write(folder.path().join(name), bytes).expect("a file");
        runs.push(["compile", name, "-o", "out.s"]);
    }
    let runs: Vec<&[&str]> = runs.iter().map(|run| &run[..]).collect();
    check("", "odd_bytes", &transcript(folder.path(), 1, &runs));
}

#[test]
fn odd_paths() {
    let folder = folder();
    fs::create_dir(folder.path().join("folder.s")).expect("a folder");
    let runs: &[&[&str]] = &[
        &["compile", "missing.mlir", "-o", "out.s"],
        &["compile", "folder.s", "-o", "out.s"],
        &["compile", "good.mlir", "-o", "folder.s"],
        &["compile", "good.mlir", "-o", "missing/out.s"],
        &["compile", "good.mlir", "-o", "good.mlir/out.s"],
        &["compile", "good.mlir", "-o", "out.vmfb"],
        &["compile", "good.mlir", "-o", "out"],
        &["compile", "good.mlir", "--compile-to=flow", "-o", "out.o"],
        &["opt", "missing.mlir"],
        &["opt", "good.mlir", "-o", "missing/out.mlir"],
        &["opt", "good.mlir", "--dialect", "missing.td"],
        &["td", "missing.td"],
        &["td", "folder.s"],
        &["doc", "lynalg"],
    ];
    check("", "odd_paths", &transcript(folder.path(), 1, runs));
}

/// Each flag of the command line that the road is known by, with a value that does not exist.
#[test]
fn unsupported_values() {
    let folder = folder();
    let runs: &[&[&str]] = &[
        &["compile", "good.mlir", "--iree-hal-target-backends=cuda"],
        &["compile", "good.mlir", "--iree-llvmcpu-target-cpu", "apple-m44"],
        &["compile", "good.mlir", "--iree-llvmcpu-target-triple=x86_64-linux-gnu"],
        &["compile", "good.mlir", "--iree-llvmcpu-target-triple=aarch64-pc-windows-msvc"],
        &["compile", "good.mlir", "--iree-opt-level=O2"],
        &["compile", "good.mlir", "--iree-opt-data-tiling=false"],
        &["compile", "good.mlir", "--iree-llvmcpu-disable-distribution=false"],
        &["compile", "good.mlir", "--iree-llvmcpu-enable-ukernels=all"],
        &["compile", "good.mlir", "--compile-to=hall"],
        &["compile", "good.mlir", "--mlir-print-ir-after-change"],
        &["compile", "good.mlir", "--mlir-print-ir-tree-dir=tree"],
        &["compile", "good.mlir", "--iree-opt-level=", "--iree-opt-data-tiling=maybe"],
        &["opt", "good.mlir", "--mlir-print-ir-tree-dir=tree"],
        &["opt", "good.mlir", "--pass", "cse", "--pass-pipeline=builtin.module(cse)"],
    ];
    check("", "unsupported_values", &transcript(folder.path(), 1, runs));
}

/// All flags of the seed's command line at once, with the values that it gives.
#[test]
fn the_flags_of_the_seed() {
    let folder = folder();
    let args = [
        "compile",
        "good.mlir",
        "--iree-hal-target-backends=llvm-cpu",
        "--iree-llvmcpu-target-cpu=apple-m4",
        "--iree-opt-level=O3",
        "--iree-llvmcpu-disable-distribution=true",
        "--iree-opt-data-tiling=true",
        "--iree-llvmcpu-enable-ukernels=none",
        "--mlir-disable-threading",
        "--mlir-print-ir-after-all",
        "--mlir-print-ir-after-change",
        "--mlir-print-ir-tree-dir=tree",
        "-o",
        "out.s",
    ];
    let ran = tegula(folder.path(), &args, b"", None);
    assert_eq!((ran.code, &*ran.stderr), (Some(0), ""));
    assert!(folder.path().join("out.s").is_file());
    assert!(fs::read_dir(folder.path().join("tree")).expect("the tree").count() > 0);
}

#[test]
fn pipelines() {
    let folder = folder();
    let runs: &[&[&str]] = &[
        &["opt", "good.mlir", "--pass-pipeline=builtin.module(canonicalise)"],
        &["opt", "good.mlir", "--pass-pipeline=builtin.modul(cse)"],
        &["opt", "good.mlir", "--pass-pipeline=builtin.module(func.fun(cse),csee)"],
        &["opt", "good.mlir", "--pass-pipeline=builtin.module(cse),builtin.module(cse)"],
        &["opt", "good.mlir", "--pass-pipeline=builtin.module(func.func(cse)"],
        &["opt", "good.mlir", "--pass-pipeline=builtin.module(cse{depth=1})"],
        &["opt", "good.mlir", "--pass-pipeline=builtin.module(canonicalize{max-iterations=many})"],
        &["opt", "good.mlir", "--pass=symbol-dec"],
    ];
    check("", "pipelines", &transcript(folder.path(), 1, runs));
}

/// Command lines that do not parse.
#[test]
fn usage() {
    let folder = folder();
    let runs: &[&[&str]] = &[
        &["compil", "good.mlir"],
        &["compile", "good.mlir", "--iree-opt-levl=O3"],
        &["compile"],
        &["compile", "good.mlir", "good.mlir"],
        &["run", "good.mlir", "--random=many"],
        &["td", "good.mlir", "--dump-json", "--print-records"],
    ];
    check("", "usage", &transcript(folder.path(), 1, runs));
    for command in ["compile", "opt", "run", "bisect", "td", "doc"] {
        for flag in ["--help", "--version"] {
            let ran = tegula(folder.path(), &[command, flag], b"", None);
            assert_eq!((ran.code, &*ran.stderr), (Some(0), ""), "{command} {flag}");
            assert!(ran.stdout.contains(command), "{command} {flag}: {}", ran.stdout);
        }
    }
}

/// All mistakes of a dialect's file are told, to every command that loads it.
#[test]
fn mistakes_in_definitions() {
    for fixture in fixtures("td") {
        let (folder, name) = folder_with(&fixture);
        fs::write(folder.path().join("empty.mlir"), "").expect("a file");
        let text = transcript(folder.path(), 1, &[&["td", &name]]);
        let stem = fixture.file_stem().expect("a name").to_string_lossy();
        check("td", &stem, &text);
        let ran = tegula(folder.path(), &["opt", "empty.mlir", "--dialect", &name], b"", None);
        assert_eq!(ran.code, Some(1), "{name}");
        assert!(text.ends_with(&format!("{}\n", ran.stderr)), "{name}: opt says\n{}", ran.stderr);
    }
}

/// Without an assembler the message says what was looked for.
#[test]
fn no_assembler() {
    let folder = folder();
    for output in ["out.o", "out.so"] {
        let args = ["compile", "good.mlir", "-o", output];
        let ran = tegula(folder.path(), &args, b"", Some("/nonexistent"));
        assert_eq!(ran.code, Some(1), "{}", ran.stderr);
        assert!(ran.stderr.contains("error[tool-missing]"), "{}", ran.stderr);
        assert!(ran.stderr.contains("TEGULA_CC"), "{}", ran.stderr);
        assert!(!folder.path().join(output).exists());
    }
}

/// Nesting is bounded by memory, not by the stack.
#[test]
fn deep_nesting() {
    let folder = folder();
    let depth = 2000;
    let regions = ("scf.if %c {\n".repeat(depth), "}\n".repeat(depth));
    let text = format!("func.func @deep(%c: i1) {{\n{}{}return\n}}\n", regions.0, regions.1);
    fs::write(folder.path().join("deep.mlir"), text).expect("a file");
    let ran = tegula(folder.path(), &["opt", "deep.mlir", "-o", "out.mlir"], b"", None);
    assert_eq!((ran.code, &*ran.stderr), (Some(0), ""));
    let ran = tegula(folder.path(), &["compile", "deep.mlir", "-o", "out.s"], b"", None);
    assert_eq!(ran.code, Some(1), "scalars have no place in the C interface");
    assert!(ran.stderr.contains("error[no-c-signature]"), "{}", ran.stderr);
}

/// Parts of a file are modules of their own, and mistakes are told where they stand in the file.
#[test]
fn parts_of_a_file() {
    let folder = folder();
    let path = folder.path().join("parts.mlir");
    let good = "func.func @a() {\n  return\n}\n";
    fs::write(&path, [good, good].join("// -----\n")).expect("a file");
    let args = ["opt", "parts.mlir", "--split-input-file"];
    let ran = tegula(folder.path(), &args, b"", None);
    assert_eq!((ran.code, &*ran.stderr), (Some(0), ""));
    assert_eq!(ran.stdout.matches("@a").count(), 2, "{}", ran.stdout);
    let bad = ["func.func @b() {\n  retrun\n}\n", "func.func @c(%c: i37x) {\n  return\n}\n"];
    fs::write(&path, [good, bad[0], good, bad[1]].join("// -----\n")).expect("a file");
    check("", "parts_of_a_file", &transcript(folder.path(), 1, &[&args]));
}
