//! How fast the greedy driver folds a chain of sums of constants.
//!
//! `cargo bench -p tegula-pass` prints the time with a fold pattern, which is bytecode, and with a
//! fold in Rust, and what `mlir-opt-22 --canonicalize` takes for the same chain of `arith.addi`, by
//! its own timing, when it is installed. An argument gives another length than 1,000,000.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tegula_diag::Sources;
use tegula_ir::{
    Attr, AttrData, Body, DialectEntry, FoldContext, FoldResult, Hooks, InsertPoint, NewOp,
    Registry, Type,
};
use tegula_rewrite::{GreedyConfig, Patterns, RewriteHooks, greedy};

/// The allocator of the shipped program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Rounds of which the fastest counts.
const ROUNDS: usize = 3;

fn main() {
    let count = std::env::args().skip(1).find_map(|arg| arg.parse().ok()).unwrap_or(1_000_000);
    let registry = registry();
    let bytecode = fold(&registry, "b.add", count, 0);
    let native = fold(&registry, "b.hooked_add", count, ROUNDS);
    println!("{count} sums of constants");
    println!("  a fold pattern (bytecode)   {:>8.1} ms", millis(bytecode));
    println!("  a fold in Rust              {:>8.1} ms", millis(native));
    println!("  bytecode / Rust             {:>8.2}", ratio(bytecode, native));
    match peer(count) {
        Some(peer) => {
            println!("  mlir-opt-22 --canonicalize  {:>8.1} ms", millis(peer));
            println!("  mlir-opt-22 / bytecode      {:>8.2}", ratio(peer, bytecode));
        }
        None => println!("  mlir-opt-22 is not installed, or tells no time"),
    }
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

fn ratio(a: Duration, b: Duration) -> f64 {
    a.as_secs_f64() / b.as_secs_f64()
}

fn registry() -> Registry {
    let mut sources = Sources::default();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/fold.td");
    let loaded = tegula_model::load(&path, &[], &mut sources);
    assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
    let mut hooks = Hooks::default();
    hooks.fold.insert("sum", sum);
    let entries = loaded.dialects.into_iter();
    Registry::new(entries.map(|def| DialectEntry { def: Cow::Owned(def), hooks: hooks.clone() }))
}

/// What [`registry`]'s pattern does, in Rust.
fn sum(cx: &FoldContext<'_>) -> Option<Vec<FoldResult>> {
    let [Some(a), Some(b)] = cx.constants else { return None };
    let (AttrData::Integer { value: a, ty }, AttrData::Integer { value: b, .. }) =
        (a.data(), b.data())
    else {
        return None;
    };
    Some(vec![FoldResult::Attr(Attr::int(a.checked_add(*b)?, *ty))])
}

/// The fastest of some runs over a function of `count` ops of that name. A round counts on from
/// where the one before it ended: interned constants stay, and none shall find its own already made.
fn fold(registry: &Registry, name: &'static str, count: usize, first_round: usize) -> Duration {
    let patterns = Patterns::new(registry, RewriteHooks::new());
    let index = patterns.select(&["canonicalize"]);
    let mut fastest = Duration::MAX;
    for round in first_round..first_round + ROUNDS {
        let mut body = Body::new();
        let top = InsertPoint::End(body.top_block());
        let func = NewOp::new("b.func").attr("sym_name", Attr::string("f")).regions(1);
        let func = body.insert(top, func);
        let region = body.region(func, 0).expect("the function has a region");
        let block = body.append_block(region);
        let at = InsertPoint::End(block);
        let mut constant = |value: usize| {
            let value = Attr::int(value as i128, Type::int(64));
            let op = NewOp::new("b.const").attr("value", value).result(Type::int(64));
            let op = body.insert(at, op);
            body.result(op, 0)
        };
        let one = constant(1);
        let mut value = constant((round + 1) * (count + 1));
        for _ in 0..count {
            let op = NewOp::new(name).operands([value, one]).result(Type::int(64));
            let op = body.insert(at, op);
            value = body.result(op, 0);
        }
        body.insert(at, NewOp::new("b.use").operand(value));
        let start = Instant::now();
        let result = greedy(registry, &patterns, &index, &mut body, func, GreedyConfig::default());
        fastest = fastest.min(start.elapsed());
        assert!(result.is_ok_and(|result| result.converged), "the chain folds");
        assert_eq!(body.block_ops(block).count(), 2, "a constant and its use remain");
    }
    fastest
}

/// What the peer's canonicalizer takes, by its own timing.
fn peer(count: usize) -> Option<Duration> {
    let mut text = String::from("func.func @f() -> i64 {\n  %c = arith.constant 1 : i64\n");
    let mut last = "%c".to_owned();
    for index in 0..count {
        let _ = writeln!(text, "  %{index} = arith.addi {last}, %c : i64");
        last = format!("%{index}");
    }
    let _ = write!(text, "  return {last} : i64\n}}\n");
    let mut fastest: Option<Duration> = None;
    for _ in 0..ROUNDS {
        let mut child = Command::new("mlir-opt-22")
            .args(["--canonicalize", "--mlir-timing", "--mlir-timing-display=list", "-o=/dev/null"])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .ok()?;
        child.stdin.take()?.write_all(text.as_bytes()).ok()?;
        let output = child.wait_with_output().ok()?;
        let report = String::from_utf8_lossy(&output.stderr).into_owned();
        // `   0.4563 ( 50.1%)  Canonicalizer`
        let line = report.lines().find(|line| line.contains("Canonicalizer"))?;
        let seconds: f64 = line.split_whitespace().next()?.parse().ok()?;
        let time = Duration::from_secs_f64(seconds);
        fastest = Some(fastest.map_or(time, |known| known.min(time)));
    }
    fastest
}
