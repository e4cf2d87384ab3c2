//! The program from outside: exit codes, messages, and that what fails leaves no output.
//!
//! Each run happens in a folder of its own, so that paths in messages are the same everywhere.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tegula_ide::{Finding, Language, Options, Workspace};
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
        &["compile", "good.mlir", "-o", "out.exe"],
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
        &["opt", "good.mlir", "--pass-pipeline=builtin.module(linalg.matmul(cse))"],
        &["opt", "good.mlir", "--pass-pipeline=builtin.module(func.func(symbol-dce))"],
        &["opt", "good.mlir", "--pass=symbol-dec"],
        &["opt", "good.mlir", "--canonicalise"],
        &["opt", "good.mlir", "-split-input-fil", "--cse"],
        &["opt", "good.mlir", "--canonicalize=max-iterations=many"],
        &["opt", "good.mlir", "--cse{depth=1}"],
    ];
    check("", "pipelines", &transcript(folder.path(), 1, runs));
}

/// Flags of `opt` as LLVM's tools take them.
#[test]
fn flags_of_opt() {
    let folder = folder();
    let text = fs::read_to_string(folder.path().join("good.mlir")).expect("the fixture");
    fs::write(folder.path().join("two.mlir"), format!("{text}\n// -----\n{text}")).expect("a file");
    let run = |args: &[&str]| {
        let ran = tegula(folder.path(), args, b"", None);
        assert_eq!(ran.code, Some(0), "{args:?}: {}", ran.stderr);
        ran
    };
    let plain = run(&["opt", "good.mlir", "--pass-pipeline=builtin.module(canonicalize,cse)"]);
    for args in [
        &["opt", "good.mlir", "--canonicalize", "--cse"][..],
        &["opt", "-canonicalize=max-iterations=5 top-down=true", "-cse", "good.mlir"],
        &["opt", "--canonicalize{max-iterations=5}", "--cse", "good.mlir", "--verify-each=false"],
    ] {
        assert_eq!(run(args).stdout, plain.stdout, "{args:?}");
    }
    let two = run(&["opt", "two.mlir", "-split-input-file", "--canonicalize", "--cse"]);
    assert_eq!(two.stdout, format!("{0}// -----\n{0}", plain.stdout));
    let printed = |flags: &[&str]| -> Vec<String> {
        let args = [&["opt", "good.mlir", "--canonicalize", "--cse"], flags].concat();
        let ran = run(&args);
        let lines = ran.stderr.lines().filter(|line| line.contains("IR Dump"));
        lines.map(|line| line.trim_start_matches("// -----// IR Dump ").to_owned()).collect()
    };
    assert_eq!(printed(&["--mlir-print-ir-before=cse"]), ["Before CSEPass: cse //----- //"]);
    assert_eq!(printed(&["--mlir-print-ir-after=cse"]), ["After CSEPass: cse //----- //"]);
    assert_eq!(printed(&["--mlir-print-ir-before-all"]).len(), 2);
    assert_eq!(printed(&["--mlir-print-ir-after-failure"]).len(), 0);
    fs::write(folder.path().join("index.mlir"), "util.func @f(%a: index) {\n  util.return\n}\n")
        .expect("a file");
    let narrow = "--iree-vm-target-index-bits=32";
    let width = |flags: &[&str]| {
        let ran = run(&[&["opt", "index.mlir"], flags].concat());
        ran.stdout.contains("%arg0: i32")
    };
    assert!(width(&[narrow, "--iree-vm-conversion"]));
    assert!(!width(&["--iree-vm-conversion"]));
    assert!(!width(&["--iree-vm-conversion=index-bits=64", narrow]));
    let help = run(&["opt", "-help"]).stdout;
    assert!(help.contains("--canonicalize") && help.contains("max-iterations"), "{help}");
}

/// Ops and arguments are located where they stand: an op at its name.
#[test]
fn places_of_ops() {
    let folder = folder();
    let text = "  module {\nfunc.func @f(%a: i32) -> i32 {\n  %0, %more = \"t.two\"(%a) : (i32) -> (i32, i32)\n  return %0 : i32\n}\n}\n";
    fs::write(folder.path().join("places.mlir"), text).expect("a file");
    let args = ["opt", "places.mlir", "--mlir-print-debuginfo", "--allow-unregistered-dialect"];
    let ran = tegula(folder.path(), &args, b"", None);
    check("", "places_of_ops", &ran.stdout);
}

/// A line, and a comment with it, ends with any of the line ends there are.
#[test]
fn line_ends() {
    let folder = folder();
    for end in ["\n", "\r\n", "\r"] {
        let text = ["func.func private @a()", "// b", "func.func private @c()", ""].join(end);
        let ran = tegula(folder.path(), &["opt", "-"], text.as_bytes(), None);
        let functions = ran.stdout.matches("func.func private").count();
        assert_eq!((ran.code, functions), (Some(0), 2), "{end:?}: {}", ran.stderr);
    }
}

/// What is wrong with single ops is found, and nothing else.
#[test]
fn refused_ops() {
    for fixture in fixtures("verify") {
        let (folder, name) = folder_with(&fixture);
        let args = ["opt", "--split-input-file", "--verify-diagnostics", &name];
        let ran = tegula(folder.path(), &args, b"", None);
        assert_eq!((ran.code, &*ran.stderr), (Some(0), ""), "{name}");
    }
}

/// A module shrinks while a command fails on it, and only then.
#[test]
#[cfg(unix)]
fn reducing() {
    let folder = folder();
    let reduce = |args: &[&str]| {
        tegula(folder.path(), &[&["reduce", "good.mlir"], args].concat(), b"", None)
    };
    let ran = reduce(&["--test=! grep -q func.func", "-o", "small.mlir"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let small = fs::read_to_string(folder.path().join("small.mlir")).expect("the output");
    let good = fs::read_to_string(folder.path().join("good.mlir")).expect("the fixture");
    assert!(small.contains("func.func") && !small.contains("linalg"), "{small}");
    assert!(small.lines().count() < good.lines().count(), "{small}");
    let ran = reduce(&["--test=grep -q func.func \"$1\"; false"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), "module {\n}\n"), "{}", ran.stderr);
    let runs: &[&[&str]] = &[
        &["reduce", "good.mlir", "--test=true"],
        &["reduce", "good.mlir", "--test=./no-such-command"],
        &["reduce", "good.mlir", "--test=false", "-o", "good.mlir"],
        &["smith", "--dialects=arith,fnc"],
    ];
    check("", "reducing", &transcript(folder.path(), 1, runs));
}

/// Where nothing can be said there is no success, and what was not computed is not as expected.
#[test]
#[cfg(target_os = "linux")]
fn results_that_nobody_hears() {
    let folder = folder();
    let exit = |args: &[&str], out: &str| {
        let out = fs::File::options().write(true).open(out).expect("a device");
        let mut program = Command::new(env!("CARGO_BIN_EXE_tegula"));
        let status =
            program.args(args).current_dir(folder.path()).stdout(out).stderr(Stdio::null());
        status.status().expect("the program starts").code()
    };
    let runs: &[&[&str]] = &[
        &["run", "good.mlir", "--random=1", "--interpret=input"],
        &["bisect", "good.mlir"],
        &["opt", "good.mlir"],
    ];
    for args in runs {
        assert_eq!(exit(args, "/dev/full"), Some(1), "{args:?}");
        assert_eq!(exit(args, "/dev/null"), Some(0), "{args:?}");
    }
}

/// IR that is printed on the side is no result: where standard error is closed the work goes on.
#[test]
#[cfg(target_os = "linux")]
fn standard_error_may_be_closed() {
    let folder = folder();
    let exit = |args: &[&str]| {
        let full = fs::File::options().write(true).open("/dev/full").expect("a device");
        let mut program = Command::new(env!("CARGO_BIN_EXE_tegula"));
        let status =
            program.args(args).current_dir(folder.path()).stdout(Stdio::null()).stderr(full);
        status.status().expect("the program starts").code()
    };
    let printed = "--mlir-print-ir-after-all";
    assert_eq!(exit(&["compile", "good.mlir", "-o", "good.s", printed]), Some(0));
    assert!(folder.path().join("good.s").is_file());
    assert_eq!(exit(&["opt", "good.mlir", "--canonicalize", printed]), Some(0));
    assert_eq!(exit(&["opt", "good.mlir", "--no-such-pass"]), Some(1));
}

/// What is found is held against what the text expects.
#[test]
fn expected_diagnostics() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, inside: &str| {
        let text = format!("func.func @f(%a: f32, %b: i32) {{\n{inside}return\n}}\n");
        fs::write(folder.path().join(name), &text).expect("a file");
        text
    };
    let wrong = "%0 = arith.addf %a, %b : f32";
    file("silent.mlir", &format!("{wrong}\n"));
    file("other.mlir", &format!("{wrong} // expected-error-re {{{{%{{{{[0-9]+}}}}}}}}\n"));
    let runs: &[&[&str]] = &[
        &["opt", "--verify-diagnostics", "silent.mlir"],
        &["opt", "--verify-diagnostics", "other.mlir"],
        &["opt", "--verify-diagnostics=only-expected", "other.mlir"],
        &["opt", "--verify-diagnostics=some", "other.mlir"],
    ];
    check("", "expected_diagnostics", &transcript(folder.path(), 1, runs));
    let met = file("met.mlir", &format!("// expected-error@below {{{{%b}}}}\n{wrong}\n"));
    let fine = file("fine.mlir", "");
    fs::write(folder.path().join("parts.mlir"), format!("{fine}// -----\n{met}")).expect("a file");
    let args = ["opt", "-verify-diagnostics", "-split-input-file", "parts.mlir"];
    let ran = tegula(folder.path(), &args, b"", None);
    assert_eq!((ran.code, &*ran.stderr), (Some(0), ""));
    assert!(ran.stdout.contains("@f"), "{}", ran.stdout);
    let args = ["opt", "--verify-diagnostics=only-expected", "silent.mlir"];
    let ran = tegula(folder.path(), &args, b"", None);
    assert_eq!((ran.code, &*ran.stderr), (Some(0), ""));
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
        &["td", "good.mlir", "--dump-jsn"],
    ];
    check("", "usage", &transcript(folder.path(), 1, runs));
    for command in ["compile", "opt", "run", "bisect", "reduce", "smith", "td", "doc"] {
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
        let text = transcript(folder.path(), 1, &[&["td", "--check", &name]]);
        let stem = fixture.file_stem().expect("a name").to_string_lossy();
        check("td", &stem, &text);
        let ran = tegula(folder.path(), &["opt", "empty.mlir", "--dialect", &name], b"", None);
        assert_eq!(ran.code, Some(1), "{name}");
        assert!(text.ends_with(&format!("{}\n", ran.stderr)), "{name}: opt says\n{}", ran.stderr);
    }
}

/// Records are printed as llvm-tblgen prints them, of one file or of several; the last of two
/// forms wins, and mistakes are told in LLVM's layout.
#[test]
fn records_of_definitions() {
    let folder = folder();
    fs::create_dir(folder.path().join("sub")).expect("a folder");
    let base = "#ifdef WIDE\nclass A<int x> { int y = x; }\n#else\nclass A<int x>;\n#endif\n";
    fs::write(folder.path().join("base.td"), base).expect("a file");
    let one = "include \"base.td\"\ndef One : A<1>;\n";
    fs::write(folder.path().join("one.td"), one).expect("a file");
    let two = "include \"../base.td\"\ndef Two : A<2>;\n";
    fs::write(folder.path().join("sub/two.td"), two).expect("a file");
    let wrong = "include \"base.td\"\ndefm Three : Aa<3>;\ndef Four : A;\n";
    fs::write(folder.path().join("wrong.td"), wrong).expect("a file");
    let mut text = String::new();
    for args in [
        &["td", "one.td", "-D", "WIDE"][..],
        &["td", "one.td", "-dump-json", "-print-records", "--no-warn-on-unused-template-args"],
        &["td", "one.td", "sub/two.td", "-DWIDE", "-print-records", "-dump-json"],
    ] {
        let ran = tegula(folder.path(), args, b"", None);
        assert_eq!((ran.code, &*ran.stderr), (Some(0), ""), "{args:?}");
        let _ = writeln!(text, "$ tegula {}\n{}", args.join(" "), ran.stdout);
    }
    let runs: &[&[&str]] =
        &[&["td", "wrong.td", "-o", "out.txt"], &["td", "one.td", "-o", "one.td"]];
    text.push_str(&transcript(folder.path(), 1, runs));
    check("", "records", &text);
    let args = ["td", "one.td", "sub/two.td", "wrong.td", "-DWIDE", "--dump-json", "-o", "all"];
    assert_eq!(tegula(folder.path(), &args, b"", None).code, Some(1));
    let written = |name: &str| folder.path().join("all").join(name).exists();
    assert_eq!(["one.json", "sub/two.json", "wrong.json"].map(written), [true, true, false]);
    let ran = tegula(folder.path(), &["td", "-DWIDE"], one.as_bytes(), None);
    assert_eq!((ran.code, ran.stdout.contains("def One {\t// A\n")), (Some(0), true));
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

/// Runs the program with one variable of the environment set.
#[cfg(unix)]
fn with_tool(folder: &Path, variable: &str, tool: &str, args: &[&str]) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tegula"));
    command.args(args).current_dir(folder).env("COLUMNS", "100");
    command.env_remove("TEGULA_AS").env_remove("TEGULA_CC").env_remove("TEGULA_QEMU");
    let output = command.env(variable, tool).output().expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8 text");
    Ran { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// Tools that are asked for by name and do not do their work are errors, not reasons for others.
#[cfg(unix)]
#[test]
fn tools_that_do_not_work() {
    use std::os::unix::fs::PermissionsExt;

    let folder = folder();
    let script = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, format!("#!/bin/sh\n{text}\n")).expect("a file");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("its mode");
        path.to_str().expect("UTF-8").to_owned()
    };
    let run = ["run", "good.mlir", "--random=1"];
    let object = ["compile", "good.mlir", "-o", "out.o"];
    let mut wrong = vec![("TEGULA_AS", &run), ("TEGULA_CC", &run)];
    if !cfg!(all(target_arch = "aarch64", target_os = "linux")) {
        wrong.push(("TEGULA_QEMU", &run));
    }
    for (variable, args) in wrong {
        let ran = with_tool(folder.path(), variable, "/missing", args);
        assert_eq!(ran.code, Some(1), "{variable}: {}", ran.stdout);
        let message = format!(
            "error[tool-override]: {variable} is set to `/missing`, which is not a program\n"
        );
        assert_eq!(ran.stderr, message);
    }
    let idle = script("idle", "exit 0");
    let ran = with_tool(folder.path(), "TEGULA_AS", &idle, &object);
    let message = format!("error[tool-failed]: the tool `{idle}` wrote no file\n");
    assert_eq!((ran.code, &*ran.stderr), (Some(1), &*message));
    assert!(!folder.path().join("out.o").exists());
    let asleep = script("asleep", "exec sleep 600");
    // Where nothing can be run nobody is asked for a version.
    let ran = with_tool(folder.path(), "TEGULA_AS", &asleep, &run);
    if ran.stdout.contains("evaluator of machine ops") {
        eprintln!("skipped: {}", ran.stdout);
        return;
    }
    let message =
        format!("error[tool-timeout]: `{asleep} --version` gave no answer in 10 seconds\n");
    assert_eq!((ran.code, &*ran.stderr), (Some(1), &*message));
}

/// Programs that read what nothing has written compile with a warning, to editors too; what they
/// compute is nobody's fault.
#[test]
fn reads_of_nothing() {
    for fixture in fixtures("warn") {
        let (folder, name) = folder_with(&fixture);
        let ran = tegula(folder.path(), &["compile", &name, "-o", "out.s"], b"", None);
        assert_eq!(ran.code, Some(0), "{name}: {}", ran.stderr);
        let stem = fixture.file_stem().expect("a name").to_string_lossy();
        check("warn", &stem, &ran.stderr);
        let path = folder.path().join(&name);
        let mut workspace = Workspace::new(Options::default());
        let text = fs::read_to_string(&fixture).expect("the fixture");
        workspace.set(&path, Language::Mlir, &text).expect("an open file");
        let found = workspace.file(&path).expect("the file").findings().expect("findings");
        assert_eq!(found.len(), ran.stderr.matches("warning[").count(), "{name}: {found:?}");
        for finding in found {
            let said = format!("warning[{}]: {}", finding.code, finding.message);
            let said = said.lines().next().unwrap_or_default();
            assert!(ran.stderr.contains(said), "{name}: {said}\n{}", ran.stderr);
        }
        let args = ["run", &name, "--function=reads", "--random=1", "--check"];
        let ran = tegula(folder.path(), &args, b"", Some("/nonexistent"));
        assert_eq!(ran.code, Some(0), "{name}: {}{}", ran.stdout, ran.stderr);
        assert!(ran.stdout.contains("--check can't judge @reads"), "{name}: {}", ran.stdout);
        let args = ["run", &name, "--function=fills", "--random=1", "--check"];
        let ran = tegula(folder.path(), &args, b"", Some("/nonexistent"));
        assert_eq!((ran.code, &*ran.stderr), (Some(0), ""), "{name}: {}", ran.stdout);
        assert!(ran.stdout.contains("largest error"), "{name}: {}", ran.stdout);
    }
}

/// What an editor is told of a program that does not compile is what the command says.
#[test]
fn an_editor_is_told_the_same() {
    for fixture in fixtures("reject") {
        let (folder, name) = folder_with(&fixture);
        let text = fs::read_to_string(&fixture).expect("the fixture");
        let ran = tegula(folder.path(), &["compile", &name], b"", None);
        let mut said: Vec<String> = ran.stderr.lines().filter_map(error).collect();
        // That nothing is public is nothing wrong with the text.
        said.retain(|line| !line.starts_with("nothing-to-compile"));
        let path = folder.path().join(&name);
        let mut workspace = Workspace::new(Options::default());
        workspace.set(&path, Language::Mlir, &text).expect("an open file");
        let found = workspace.file(&path).expect("the file").findings().expect("findings");
        let first = |finding: &Finding| {
            let message = finding.message.lines().next().unwrap_or_default();
            format!("{}: {message}", finding.code)
        };
        let mut told: Vec<String> = found.iter().map(first).collect();
        said.sort();
        told.sort();
        assert_eq!(told, said, "{name}:\n{}", ran.stderr);
    }
}

/// `code: message` of a line `error[code]: message`.
fn error(line: &str) -> Option<String> {
    Some(line.strip_prefix("error[")?.replacen("]: ", ": ", 1))
}

/// Who writes to the language server without its protocol is told so.
#[test]
fn no_editor() {
    let folder = folder();
    let inputs: [&[u8]; 4] =
        [b"", b"hello\n\n", b"Content-Length: 5\r\n\r\nhello", b"\xFF\xFE\x00Content"];
    for input in inputs {
        let ran = tegula(folder.path(), &["lsp"], input, None);
        assert_eq!((ran.code, &*ran.stdout), (Some(1), ""), "{input:?}");
        assert!(ran.stderr.starts_with("error: the language server "), "{}", ran.stderr);
    }
}

/// Nothing that a command reads is written over, however it is spelled.
#[test]
fn outputs_that_are_inputs() {
    let folder = folder();
    let good = folder.path().join("good.mlir");
    let before = fs::read(&good).expect("the program");
    fs::create_dir(folder.path().join("sub")).expect("a folder");
    #[cfg(unix)]
    std::os::unix::fs::symlink("good.mlir", folder.path().join("link.mlir")).expect("a link");
    fs::write(folder.path().join("empty.td"), "").expect("a file");
    fs::write(folder.path().join("a.npy"), "no array").expect("a file");
    let runs: &[&[&str]] = &[
        &["compile", "good.mlir", "-o", "good.mlir"],
        &["compile", "good.mlir", "-o", "./sub/../good.mlir"],
        &["compile", "link.mlir", "-o", "good.mlir"],
        &["compile", "good.mlir", "-o", "link.mlir"],
        &["compile", "good.mlir", "--dialect", "empty.td", "-o", "empty.td"],
        &["run", "good.mlir", "--random=1", "--output=@good.mlir"],
        &["run", "good.mlir", "--input=@a.npy", "--output=@a.npy"],
    ];
    let text = transcript(folder.path(), 1, runs);
    assert_eq!(text.matches("error[output-is-input]").count(), runs.len() - 1, "{text}");
    assert_eq!(fs::read(&good).expect("the program"), before);
    check("", "outputs_that_are_inputs", &text);
}

/// A dump tree that can't be written is one error, whatever the number of passes.
#[test]
fn unwritable_trees() {
    let folder = folder();
    let tree = "--mlir-print-ir-tree-dir=good.mlir";
    let all = "--mlir-print-ir-after-all";
    let runs: &[&[&str]] = &[
        &["compile", "good.mlir", all, tree, "-o", "out.s"],
        &["opt", "good.mlir", "--pass=cse", "--pass=canonicalize", all, tree],
    ];
    let text = transcript(folder.path(), 1, runs);
    assert_eq!(text.matches("error[unwritable-output]").count(), runs.len(), "{text}");
}

/// Names that do not exist, with those that may have been meant.
#[test]
fn unknown_names() {
    let folder = folder();
    let runs: &[&[&str]] = &[
        &["run", "good.mlir", "--random=1", "--interpret=bogus"],
        &["run", "good.mlir", "--random=1", "--interpret=after canonicalise"],
        &["run", "good.mlir", "--random=1", "--interpret", "inptu"],
        &["run", "good.mlir", "--random=1", "--interpret=iree-stream-conversion#7"],
        &["run", "good.mlir", "--random=1", "--interpret=canonicalize#x"],
        &["run", "good.mlir", "--random=1", "--function=matmull"],
        &["bisect", "good.mlir", "--function=matmull"],
        &["opt", "good.mlir", "--pass=canonicalise"],
        &["opt", "good.mlir:2", "--explain=AddZeroo"],
        &["compile", "good.mlir", "--compile-to=strem"],
    ];
    check("", "unknown_names", &transcript(folder.path(), 1, runs));
}

/// What does not fit in memory is told before any of it is made.
#[test]
fn inputs_that_do_not_fit() {
    let folder = folder();
    let size = 1i64 << 24;
    let text = format!(
        "func.func @huge(%a: tensor<{size}x{size}xf32>) -> tensor<{size}x{size}xf32> {{\n  return \
         %a : tensor<{size}x{size}xf32>\n}}\n"
    );
    fs::write(folder.path().join("huge.mlir"), text).expect("a file");
    for args in [&["run", "huge.mlir", "--random=1"][..], &["bisect", "huge.mlir"]] {
        let ran = tegula(folder.path(), args, b"", None);
        assert_eq!((ran.code, &*ran.stdout), (Some(1), ""), "{args:?}: {}", ran.stderr);
        assert!(ran.stderr.contains("needs 2251799813685248 bytes"), "{}", ran.stderr);
        assert!(ran.stderr.contains("huge.mlir:1:1"), "{}", ran.stderr);
    }
}

/// Arrays of another shape or element type than the arguments.
#[test]
fn arrays_that_do_not_fit() {
    let folder = folder();
    fs::write(folder.path().join("short.npy"), b"\x93NUMPY\x01\x00").expect("a file");
    fs::write(folder.path().join("f.mlir"), IDENTITY).expect("a file");
    let runs: &[&[&str]] = &[
        &["run", "f.mlir", "--input=@missing.npy"],
        &["run", "f.mlir", "--input=@short.npy"],
        &["run", "f.mlir", "--input=@f.mlir"],
        &["run", "f.mlir", "--input=3x2xf32=1"],
        &["run", "f.mlir", "--input=2x3xi32=1"],
        &["run", "f.mlir", "--input=6xf32=1"],
        &["run", "f.mlir"],
        &["run", "f.mlir", "--input=2x3xf32=1,2"],
    ];
    check("", "arrays_that_do_not_fit", &transcript(folder.path(), 1, runs));
}

const IDENTITY: &str = "\
func.func @f(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  return %a : tensor<2x3xf32>
}
";

const SQUARE: &str = "\
func.func @f(%a: tensor<3x3xf32>, %c: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %0 = linalg.matmul ins(%a, %a : tensor<3x3xf32>, tensor<3x3xf32>) outs(%c : tensor<3x3xf32>) -> tensor<3x3xf32>
  return %0 : tensor<3x3xf32>
}
";

/// What is wrong with one function is no matter to another one that is run.
#[test]
fn functions_are_run_on_their_own() {
    let folder = folder();
    let other =
        "func.func @g(%a: tensor<?xf64>) -> tensor<?xf64> {\n  return %a : tensor<?xf64>\n}\n";
    fs::write(folder.path().join("f.mlir"), format!("{other}{SQUARE}")).expect("a file");
    let args = ["run", "f.mlir", "--function=f", "--input=3x3xf32=7", "--input=3x3xf32"];
    let ran = tegula(folder.path(), &args, b"", Some("/nonexistent"));
    assert_eq!((ran.code, &*ran.stderr), (Some(0), ""), "{}", ran.stdout);
    let args = ["run", "f.mlir", "--function=g", "--random=1"];
    let ran = tegula(folder.path(), &args, b"", None);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("error[no-c-signature]"), "{}", ran.stderr);
}

/// Bytes of definitions that are no text are pointed at, in files that are included, too.
#[test]
fn definitions_that_are_no_text() {
    let folder = folder();
    fs::write(folder.path().join("latin1.td"), b"// fine\nclass A; // gr\xFC\xDFe\n")
        .expect("a file");
    fs::write(folder.path().join("outer.td"), "include \"latin1.td\"\n").expect("a file");
    let runs: &[&[&str]] = &[
        &["td", "latin1.td"],
        &["td", "outer.td"],
        &["opt", "good.mlir", "--dialect", "outer.td"],
    ];
    check("", "definitions_that_are_no_text", &transcript(folder.path(), 1, runs));
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
    let into_file = [&args[..], &["-o", "out.mlir"]].concat();
    check("", "parts_of_a_file", &transcript(folder.path(), 1, &[&into_file]));
    // On the terminal the parts in which nothing is wrong are shown.
    let ran = tegula(folder.path(), &args, b"", None);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert_eq!(ran.stdout.matches("@a").count(), 2, "{}", ran.stdout);
    assert_eq!(ran.stdout.matches("// -----").count(), 3, "{}", ran.stdout);
}

/// The region of an op may define what the op itself uses: that is told, as any other use that
/// comes too early.
#[test]
fn a_value_of_the_op_that_uses_it() {
    let folder = folder();
    let path = folder.path().join("own.mlir");
    let body = "  scf.if %x {\n    %x = arith.constant true\n  }\n  return\n";
    fs::write(&path, format!("func.func @f() {{\n{body}}}\n")).expect("a file");
    let args = ["opt", "own.mlir"];
    check("", "a_value_of_the_op_that_uses_it", &transcript(folder.path(), 1, &[&args]));
}

/// What leaves a function is what the function declares, in all dialects that have functions of
/// the host.
#[test]
fn returns_are_held_against_their_function() {
    let folder = folder();
    let path = folder.path().join("returns.mlir");
    let functions = [
        "func.func @none() -> i32 {\n  return\n}\n",
        "util.func @other(%x: i32) -> i64 {\n  util.return %x : i32\n}\n",
        "util.initializer {\n  util.return\n}\n",
        "util.func @more(%x: i32) {\n  util.return %x : i32\n}\n",
    ];
    fs::write(&path, functions.concat()).expect("a file");
    let args = ["opt", "returns.mlir"];
    check("", "returns_are_held_against_their_function", &transcript(folder.path(), 1, &[&args]));
}

/// Ops that a pattern moves are not its making: however deep they were, it ends with them.
#[test]
fn work_in_work_is_converted_at_any_depth() {
    let folder = folder();
    let path = folder.path().join("deep.mlir");
    let (open, close) = ("stream.cmd.serial {\n".repeat(300), "}\n".repeat(300));
    let text = format!(
        "util.func public @deep(%r: !stream.resource<transient>, %s: index) {{
  %0 = stream.cmd.execute with(%r as %a: !stream.resource<transient>{{%s}}) {{
    {open}stream.cmd.flush %a[%s for %s] : !stream.resource<transient>{{%s}}
    {close}
  }} => !stream.timepoint
  util.return
}}
"
    );
    fs::write(&path, text).expect("a file");
    let ran =
        tegula(folder.path(), &["opt", "deep.mlir", "--iree-hal-inline-conversion"], b"", None);
    assert_eq!((ran.code, &*ran.stderr), (Some(0), ""));
    assert!(!ran.stdout.contains("stream."), "{}", ran.stdout);
}

/// A pass of a live dialect takes no other's name.
#[test]
fn names_of_passes_are_taken_once() {
    let folder = folder();
    let text = "include \"tegula/OpBase.td\"\ninclude \"tegula/Passes.td\"\n\
                def My_Dialect : Dialect { let name = \"my\"; }\n\
                def My_Pass : Pass<\"cse\"> { let body = GreedyRewrite<[\"canonicalize\"]>; }\n\
                def My_Pipeline : Pipeline<\"canonicalize\", \"builtin.module(cse)\">;\n";
    fs::write(folder.path().join("my.td"), text).expect("a file");
    fs::write(folder.path().join("in.mlir"), "func.func private @f()\n").expect("a file");
    let args = ["opt", "--dialect=my.td", "--cse", "in.mlir"];
    let ran = tegula(folder.path(), &args, b"", None);
    assert_eq!((ran.code, ran.stdout.contains("@f")), (Some(0), true), "{}", ran.stderr);
    check("", "names_of_passes_are_taken_once", &ran.stderr);
}
