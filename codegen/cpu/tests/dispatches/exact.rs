//! After every pass a dispatch computes, bit for bit, what it computed before.

use crate::support::dispatch::Matmul;
use crate::support::{evaluate, module, pipeline, run_passes};
use tegula_ir::Body;

/// Small integers, so that every sum is exact whatever its order.
fn integers(count: i64, seed: i64) -> Vec<f32> {
    (0..count).map(|i| ((i * 7 + seed * 3) % 11 - 5) as f32).collect()
}

/// Runs a dispatch after each pass from the first on that has no encodings any more; gives what
/// the last binding holds in the end.
fn check(what: &str, body: &Body, bindings: &[Vec<f32>]) -> Vec<f32> {
    let passes = pipeline();
    let mut expected: Option<Vec<f32>> = None;
    let mut at = module(body.clone());
    for pass in passes {
        at =
            run_passes(at, &[pass]).unwrap_or_else(|reports| panic!("{what}, {pass}: {reports:?}"));
        let mut out = evaluate(&at, bindings)
            .unwrap_or_else(|error| panic!("{what}, after {pass}: {error:?}"));
        let out = out.pop().unwrap_or_default();
        match &expected {
            None => expected = Some(out),
            Some(expected) => assert!(*expected == out, "{what}: {pass} changes the result"),
        }
    }
    expected.unwrap_or_default()
}

/// Packs, multiplies, and compares with the triple loop.
fn check_matmul(m: i64, n: i64, k: i64) {
    let matmul = Matmul::new(m, n, k);
    let operands = [integers(m * k, 1), integers(k * n, 2), integers(m * n, 3)];
    let mut bindings = Vec::new();
    for (index, plain) in operands.iter().enumerate() {
        // What a dispatch does not write must not matter.
        let target = vec![f32::NAN; matmul.packed_sizes()[index]];
        let what = format!("{matmul:?}, pack {index}");
        bindings.push(check(&what, &matmul.pack(index), &[plain.clone(), target]));
    }
    bindings.push(vec![f32::NAN; (m * n) as usize]);
    let result = check(&format!("{matmul:?}"), &matmul.multiply(), &bindings);
    let [a, b, c] = operands;
    let mut expected = c;
    for i in 0..m {
        for j in 0..n {
            for l in 0..k {
                expected[(i * n + j) as usize] += a[(i * k + l) as usize] * b[(l * n + j) as usize];
            }
        }
    }
    assert!(result == expected, "{matmul:?}: wrong result");
}

#[test]
fn every_pass_keeps_the_result() {
    let shapes = [
        (1, 1, 1),
        (8, 8, 8),
        (3, 5, 7),
        (7, 7, 7),
        (9, 17, 33),
        (16, 8, 20),
        (10, 12, 6),
        (2, 20, 9),
        (20, 2, 9),
        (20, 3, 5),
        (1, 24, 8),
        (24, 1, 8),
        (13, 11, 1),
        (4, 4, 31),
    ];
    for (m, n, k) in shapes {
        check_matmul(m, n, k);
    }
}

#[test]
fn empty_sizes_are_loops_without_trips() {
    for (m, n, k) in [(8, 8, 0), (5, 3, 0), (0, 8, 8), (8, 0, 8), (0, 0, 0)] {
        check_matmul(m, n, k);
    }
}
