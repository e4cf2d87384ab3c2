//! How fast text is read, verified and printed, beside what MLIR's own tool takes.
//!
//! `cargo bench --bench text` makes modules of `func`, `arith` and `scf` in generic form, gives them
//! to `tegula opt` and to `mlir-opt-22`, when that is installed, and prints for both the time of the
//! processor and of the clock and the peak memory, by GNU `time`. Arguments: other sizes than 10 and
//! 100, in megabytes.

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

/// Rounds of which the fastest counts.
const ROUNDS: usize = 5;

/// Ops with a result that a function holds outside of regions.
const OPS: usize = 100;

fn main() -> ExitCode {
    let sizes: Vec<usize> = std::env::args().filter_map(|arg| arg.parse().ok()).collect();
    let sizes = if sizes.is_empty() { vec![10, 100] } else { sizes };
    for size in sizes {
        if let Err(error) = compare(size) {
            eprintln!("{size} MB: {error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

fn compare(size: usize) -> std::io::Result<()> {
    let folder = tempfile::tempdir()?;
    let input = folder.path().join("input.mlir");
    std::fs::write(&input, module(size * 1_000_000))?;
    println!("{size} MB          user s   wall s   MiB");
    for form in ["generic", "custom"] {
        let flags = if form == "generic" { &["--mlir-print-op-generic"][..] } else { &[] };
        let own = measure(Command::new(env!("CARGO_BIN_EXE_tegula")).arg("opt"), &input, flags);
        let Some(own) = own else {
            println!("  {form}: `tegula opt` fails, or GNU `time` is not installed");
            continue;
        };
        own.show(&format!("{form}: tegula"));
        match measure(&mut Command::new("mlir-opt-22"), &input, flags) {
            Some(peer) => {
                peer.show(&format!("{form}: mlir"));
                peer.over(&own).show("  mlir / tegula");
            }
            None => println!("  mlir-opt-22 is not installed, or fails"),
        }
    }
    Ok(())
}

/// What a run takes.
struct Cost {
    user: f64,
    wall: f64,
    mebibytes: f64,
}

impl Cost {
    fn over(&self, other: &Cost) -> Cost {
        Cost {
            user: self.user / other.user,
            wall: self.wall / other.wall,
            mebibytes: self.mebibytes / other.mebibytes,
        }
    }

    fn show(&self, what: &str) {
        println!("  {what:<16} {:6.2}   {:6.2}   {:6.1}", self.user, self.wall, self.mebibytes);
    }
}

/// The least that a command takes for a file in some rounds; none when it fails.
fn measure(command: &mut Command, input: &Path, flags: &[&str]) -> Option<Cost> {
    command.arg(input).args(flags).args(["-o", "/dev/null"]);
    let mut least: Option<Cost> = None;
    for _ in 0..ROUNDS {
        let mut timed = Command::new("time");
        timed.args(["-f", "%U %e %M"]).arg(command.get_program()).args(command.get_args());
        let output = timed.stdin(Stdio::null()).output().ok().filter(|o| o.status.success())?;
        let report = String::from_utf8_lossy(&output.stderr).into_owned();
        let mut numbers = report.lines().last()?.split(' ').map(str::parse::<f64>);
        let mut number = || numbers.next()?.ok();
        let cost = Cost { user: number()?, wall: number()?, mebibytes: number()? / 1024.0 };
        least = Some(match least {
            None => cost,
            Some(known) => Cost {
                user: known.user.min(cost.user),
                wall: known.wall.min(cost.wall),
                mebibytes: known.mebibytes.min(cost.mebibytes),
            },
        });
    }
    least
}

/// A module of about so many bytes in generic form.
fn module(bytes: usize) -> String {
    let mut out = String::with_capacity(bytes + (16 << 10));
    out.push_str("\"builtin.module\"() ({\n");
    let mut random = Random(1);
    let mut count = 0;
    while out.len() < bytes {
        function(&mut out, count, &mut random);
        count += 1;
    }
    out.push_str("}) : () -> ()\n");
    out
}

/// Appends a function of integer and float arithmetic, branches and loops.
fn function(out: &mut String, number: usize, random: &mut Random) {
    const NO_OVERFLOW: &str = "<{overflowFlags = #arith.overflow<none>}> : (i64, i64) -> i64";
    const NO_FASTMATH: &str = "<{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32";
    let mut text = format!(
        "  \"func.func\"() <{{function_type = (i64, f32, index) -> i64, sym_name = \"f{number}\"}}> \
         ({{\n  ^bb0(%a: i64, %b: f32, %n: index):\n    \
         %c0 = \"arith.constant\"() <{{value = 0 : index}}> : () -> index\n    \
         %c1 = \"arith.constant\"() <{{value = 1 : index}}> : () -> index\n"
    );
    let mut ints = vec!["%a".to_owned()];
    let mut floats = vec!["%b".to_owned()];
    for k in 0..OPS {
        let (x, y) = (random.recent(&ints), random.recent(&ints));
        let (f, g) = (random.recent(&floats), random.recent(&floats));
        let last = ints.last().cloned().unwrap_or_default();
        let (v, float) = (format!("%v{k}"), format!("%f{k}"));
        let kind = random.below(7);
        let written = match kind {
            0 => {
                let value = random.below(1 << 20);
                writeln!(
                    text,
                    "    {v} = \"arith.constant\"() <{{value = {value} : i64}}> : () -> i64"
                )
            }
            1 | 2 => writeln!(text, "    {v} = \"arith.addi\"({x}, {y}) {NO_OVERFLOW}"),
            3 => writeln!(text, "    {v} = \"arith.xori\"({x}, {y}) : (i64, i64) -> i64"),
            4 => writeln!(text, "    {float} = \"arith.mulf\"({f}, {g}) {NO_FASTMATH}"),
            5 => writeln!(
                text,
                "    %p{k} = \"arith.cmpi\"({x}, {y}) <{{predicate = 2 : i64}}> : (i64, i64) -> i1\n    \
                 {v} = \"scf.if\"(%p{k}) ({{\n      \
                 %u{k} = \"arith.muli\"({x}, {y}) {NO_OVERFLOW}\n      \
                 \"scf.yield\"(%u{k}) : (i64) -> ()\n    }}, {{\n      \
                 \"scf.yield\"({last}) : (i64) -> ()\n    }}) : (i1) -> i64"
            ),
            _ => writeln!(
                text,
                "    {v} = \"scf.for\"(%c0, %n, %c1, {last}) ({{\n    \
                 ^bb0(%i{k}: index, %s{k}: i64):\n      \
                 %w{k} = \"arith.index_cast\"(%i{k}) : (index) -> i64\n      \
                 %t{k} = \"arith.addi\"(%s{k}, %w{k}) {NO_OVERFLOW}\n      \
                 \"scf.yield\"(%t{k}) : (i64) -> ()\n    }}) : (index, index, index, i64) -> i64"
            ),
        };
        // Writing to a string does not fail.
        let _ = written;
        match kind {
            4 => floats.push(float),
            _ => ints.push(v),
        }
    }
    let last = ints.last().cloned().unwrap_or_default();
    let _ = write!(text, "    \"func.return\"({last}) : (i64) -> ()\n  }}) : () -> ()\n");
    out.push_str(&text);
}

/// A sequence of numbers that is the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }

    /// One of the last names.
    fn recent(&mut self, names: &[String]) -> String {
        let from = names.len().saturating_sub(8);
        names[from + self.below(names.len() - from)].clone()
    }
}
