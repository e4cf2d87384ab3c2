//! What one phase writes another run goes on from, to the same code.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const PHASES: [&str; 9] = [
    "input",
    "abi",
    "global-optimization",
    "dispatch-creation",
    "flow",
    "stream",
    "executable-sources",
    "executable-configurations",
    "executable-targets",
];

const PROGRAM: &str = "func.func @f(%a: tensor<9x4xf32>, %b: tensor<4x5xf32>) -> tensor<9x5xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<9x5xf32>
  %c = linalg.fill ins(%z : f32) outs(%e : tensor<9x5xf32>) -> tensor<9x5xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<9x4xf32>, tensor<4x5xf32>)
                     outs(%c : tensor<9x5xf32>) -> tensor<9x5xf32>
  return %0 : tensor<9x5xf32>
}\n";

fn tegula(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tegula")).args(args).output().expect("the program starts")
}

fn shown(path: &Path) -> String {
    path.to_str().expect("a name").to_owned()
}

fn done(args: &[&str]) {
    let output = tegula(args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// What the instructions of a program are. Names of what is shared differ: text has numbers for
/// them.
fn mnemonics(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).expect("the output");
    let first = text.lines().filter_map(|line| line.strip_prefix('\t')?.split(['\t', ' ']).next());
    first.map(str::to_owned).collect()
}

#[test]
fn every_phase_is_a_place_to_begin() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name);
    let program = file("program.mlir");
    fs::write(&program, PROGRAM).expect("the program");
    let whole = file("whole.s");
    done(&["compile", &shown(&program), "-o", &shown(&whole)]);
    for phase in PHASES {
        let (ir, rest) = (file(&format!("{phase}.mlir")), file(&format!("{phase}.s")));
        let to = format!("--compile-to={phase}");
        done(&["compile", &shown(&program), &to, "-o", &shown(&ir)]);
        let from = format!("--compile-from={phase}");
        done(&["compile", &shown(&ir), &from, "-o", &shown(&rest)]);
        assert!(mnemonics(&rest) == mnemonics(&whole), "{phase}");
        let inputs = ["--input=9x4xf32=1", "--input=4x5xf32=2", "--expected-output=9x5xf32=8"];
        done(&[&["run", &shown(&ir), &from][..], &inputs].concat());
    }
}

#[test]
fn text_of_another_phase_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name);
    let program = file("program.mlir");
    fs::write(&program, PROGRAM).expect("the program");
    let refused = |ir: &Path, from: &str, code: &str| {
        let out = file("out.s");
        let from = format!("--compile-from={from}");
        let output = tegula(&["compile", &shown(ir), &from, "-o", &shown(&out)]);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && !out.exists(), "{from} {}", shown(ir));
        assert!(told.contains(code), "{from} {}: {told}", shown(ir));
        told
    };
    for (at, phase) in PHASES.iter().enumerate() {
        let ir = file(&format!("{phase}.mlir"));
        let to = format!("--compile-to={phase}");
        done(&["compile", &shown(&program), &to, "-o", &shown(&ir)]);
        for from in &PHASES[at + 1..] {
            let told = refused(&ir, from, "error[wrong-phase]");
            assert!(told.contains(&format!("belongs to the phase `{phase}`")), "{from}: {told}");
        }
    }
    let flow = fs::read_to_string(file("flow.mlir")).expect("the program");
    let nowhere = file("nowhere.mlir");
    fs::write(&nowhere, flow.replace("flow.dispatch @f_", "flow.dispatch @g_")).expect("a file");
    refused(&nowhere, "flow", "error[undefined-entry-point]");
    refused(&file("executable-targets.mlir"), "stream", "'neon.");
}

#[test]
fn named_ops_of_encoded_tensors_are_compiled() {
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/phases/named.flow.mlir");
    done(&["run", program, "--compile-from=flow", "--random=1", "--check"]);
}

#[test]
fn what_is_on_tensors_is_checked_in_more_bits() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| shown(&folder.path().join(name));
    fs::write(file("program.mlir"), PROGRAM).expect("the program");
    let checked = |phase: &str| {
        let (ir, to) = (file(&format!("{phase}.mlir")), format!("--compile-to={phase}"));
        done(&["compile", &file("program.mlir"), &to, "-o", &ir]);
        tegula(&["run", &ir, &format!("--compile-from={phase}"), "--random=1", "--check"])
    };
    let text = String::from_utf8_lossy(&checked("flow").stdout).into_owned();
    assert!(text.contains("rounding allows for it"), "{text}");
    let refused = checked("stream");
    assert_eq!(refused.status.code(), Some(1));
    let text = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(text.contains("after `stream` the program is work on memory"), "{text}");
}

#[test]
fn phases_have_an_order() {
    let args = ["compile", "-", "--compile-from=stream", "--compile-to=flow"];
    let output = tegula(&args);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(text.contains("the phase flow comes before stream"), "{text}");
    assert!(text.contains("--compile-from=stream"), "{text}");
}

#[test]
fn executables_are_written_as_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("program.mlir");
    fs::write(&program, PROGRAM).expect("the program");
    let (program, out) = (shown(&program), folder.path().join("out"));
    let args =
        |flag: &str, to: &Path| format!("--iree-hal-dump-executable-{flag}-to={}", shown(to));
    let assembly = shown(&folder.path().join("out.s"));
    done(&[
        "compile",
        &program,
        &args("sources", &out),
        &args("configurations", &out),
        "-o",
        &assembly,
    ]);
    let entries = fs::read_dir(&out).expect("the folder");
    let mut names: Vec<String> =
        entries.map(|entry| shown(entry.expect("a file").file_name().as_ref())).collect();
    names.sort();
    let executables = ["_encoding_0", "_encoding_1", "f_dispatch_0"];
    let files = ["configured_module_", "module_"]
        .iter()
        .flat_map(|stem| executables.map(|name| format!("{stem}{name}.mlir")));
    assert_eq!(names, files.collect::<Vec<_>>());
    for name in &names {
        let text = fs::read_to_string(out.join(name)).expect("a file");
        assert!(text.starts_with("hal.executable public @"), "{name}: {text}");
        for part in ["translation_info", "iree_codegen.dispatch_config @"] {
            assert_eq!(text.contains(part), name.starts_with("configured_"), "{name}: {part}");
        }
        // What is written is a program: code is made of it.
        let phase = if name.starts_with("configured_") { "configurations" } else { "sources" };
        let from = format!("--compile-from=executable-{phase}");
        let path = shown(&out.join(name));
        done(&["compile", &path, &from, "-o", &shown(&folder.path().join("again.mlir"))]);
    }
}

#[test]
fn what_is_not_passed_through_is_not_written() {
    let args = ["compile", "-", "--compile-to=flow", "--iree-hal-dump-executable-sources-to=there"];
    let output = tegula(&args);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(text.contains("the phase executable-sources"), "{text}");
    assert!(!Path::new("there").exists());
}
