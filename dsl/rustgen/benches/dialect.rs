//! How long a dialect of many ops builds: clean, and after a change of one op.
//!
//! `cargo bench -p tegula-rustgen --bench dialect -- [OPS [FOLDER]]`: a crate with a dialect of so
//! many ops (1,000) is written to a folder (`target/bench-dialect`) and built there, as the crates
//! in `dialects` are. What it depends on is built first and not counted. Times are those of the
//! clock; those of the processor, on Unix, tell of a busy machine.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

fn main() {
    let mut args = std::env::args().skip(1).filter(|arg| arg != "--bench");
    let ops: usize = args.next().map_or(1_000, |ops| ops.parse().expect("a number of ops"));
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let root = root.canonicalize().expect("the root of the workspace");
    let folder = args.next().map_or_else(|| root.join("target/bench-dialect"), PathBuf::from);
    fs::create_dir_all(folder.join("src")).expect("the folder can be made");
    let write = |path: &str, text: String| {
        fs::write(folder.join(path), text).expect("the folder can be written");
    };
    write("Cargo.toml", manifest(&root));
    fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock")).expect("there is a lock file");
    write("build.rs", "fn main() {\n    tegula_rustgen::build(\"bench.td\");\n}\n".to_owned());
    write("src/lib.rs", LIBRARY.to_owned());
    write("bench.td", definitions(0, ""));
    build(&folder);
    write("bench.td", definitions(ops, "unchanged"));
    println!("{ops} ops, clean: {}", build(&folder));
    write("bench.td", definitions(ops, "changed"));
    println!("one op changed: {}", build(&folder));
}

const LIBRARY: &str = r#"#![allow(dead_code, missing_docs)]
mod generated {
    include!(concat!(env!("OUT_DIR"), "/bench.rs"));
}
struct BenchHooks;
impl generated::Hooks for BenchHooks {}
pub fn entry() -> tegula_ir::DialectEntry {
    generated::entry::<BenchHooks>()
}
"#;

/// The same profile as the workspace has, where build scripts are concerned.
fn manifest(root: &Path) -> String {
    let path = |folder: &str| root.join(folder).display().to_string();
    format!(
        "[package]\nname = \"bench\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\n\
         tegula-ir = {{ path = {:?} }}\ntegula-schema = {{ path = {:?} }}\n\n\
         [build-dependencies]\ntegula-rustgen = {{ path = {:?} }}\n\n[workspace]\n\n\
         [profile.dev]\ndebug = \"line-tables-only\"\n\n\
         [profile.dev.package.\"*\"]\nopt-level = 1\ndebug = false\n\n\
         [profile.dev.build-override]\nopt-level = 1\ndebug = false\n",
        path("compiler/ir"),
        path("dsl/schema"),
        path("dsl/rustgen"),
    )
}

/// Ops with operands, attributes, regions and formats in turn; one of them has a summary of its
/// own and an attribute of that name.
fn definitions(ops: usize, word: &str) -> String {
    let mut out = String::from(
        "include \"tegula/OpBase.td\"\n\ndef Bench_Dialect : Dialect {\n  let name = \"bench\";\n}\n\
         class Bench_Op<string mnemonic, list<Trait> traits = []>\n    \
         : Op<Bench_Dialect, mnemonic, traits>;\n",
    );
    for op in 0..ops {
        let body = match op % 4 {
            0 => {
                "  let arguments = (ins AnyInteger:$lhs, AnyInteger:$rhs);\n  \
                 let results = (outs AnyInteger:$result);\n  \
                 let assemblyFormat = \"$lhs `,` $rhs attr-dict `:` type($result)\";\n"
            }
            1 => {
                "  let arguments = (ins Variadic<AnyType>:$values, I64Attr:$count,\n                       \
                 OptionalAttr<StrAttr>:$label);\n  \
                 let assemblyFormat = \"$count (`label` $label^)? (`(` $values^ `:` type($values) `)`)? attr-dict\";\n"
            }
            2 => {
                "  let arguments = (ins Index:$from, Index:$to);\n  \
                 let regions = (region AnyRegion:$body);\n  \
                 let assemblyFormat = \"$from `to` $to attr-dict-with-keyword $body\";\n"
            }
            _ => {
                "  let arguments = (ins AnyTensor:$source, DenseI64ArrayAttr:$sizes);\n  \
                 let results = (outs AnyTensor:$result);\n  \
                 let assemblyFormat = \"$source $sizes attr-dict `:` type($source) `->` type($result)\";\n"
            }
        };
        let traits = match op % 4 {
            0 => ", [Pure, SameOperandsAndResultType]",
            3 => ", [Pure]",
            _ => "",
        };
        let _ = write!(
            out,
            "def Bench_N{op}Op : Bench_Op<\"n{op}\"{traits}> {{\n  let summary = \"op {op}"
        );
        if op == ops / 2 {
            let _ = write!(out, ", {word}");
        }
        let _ = write!(out, "\";\n{body}}}\n");
    }
    out
}

/// What a build took.
struct Took {
    clock: Duration,
    processor: Option<Duration>,
}

impl std::fmt::Display for Took {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.1} s", self.clock.as_secs_f64())?;
        match self.processor {
            Some(time) => write!(f, ", {:.1} s of processors", time.as_secs_f64()),
            None => Ok(()),
        }
    }
}

fn build(folder: &Path) -> Took {
    let (before, start) = (processor_time(), Instant::now());
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["build", "--quiet"]).current_dir(folder);
    command.env("CARGO_TARGET_DIR", folder.join("target"));
    assert!(command.status().expect("cargo runs").success(), "the dialect does not build");
    let clock = start.elapsed();
    let processor =
        processor_time().zip(before).map(|(after, before)| after.saturating_sub(before));
    Took { clock, processor }
}

/// The processor time of all child processes that have ended, where `/proc` tells it, in the ticks
/// that it counts: hundredths of a second.
fn processor_time() -> Option<Duration> {
    let text = fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |at: usize| fields.get(at)?.parse::<u64>().ok();
    Some(Duration::from_millis(10 * (ticks(13)? + ticks(14)?)))
}
