//! What codegen does not do is an error with a code, at an op, and nothing else.

use crate::support::dispatch::{Function, Matmul, layout};
use crate::support::{module, pipeline, run_passes};
use tegula_ir::{AffineExpr, AffineMap, Attr, Body, DYNAMIC, NewOp, Type};

/// The codes of what the pipeline says of a dispatch that it refuses.
fn codes(body: Body) -> Vec<String> {
    match run_passes(module(body), &pipeline()) {
        Ok(_) => Vec::new(),
        Err(reports) => reports.iter().map(|report| report.code.to_string()).collect(),
    }
}

/// A dispatch that packs a tensor of this shape in tiles.
fn pack(shape: [i64; 2], tiles: [i64; 2]) -> Body {
    let encoding = layout([0, 1], tiles);
    let plain = Type::tensor(&shape, Type::f32(), None);
    let encoded = Type::tensor(&shape, Type::f32(), Some(encoding));
    let mut f = Function::new();
    let source = f.binding(0, "readonly", plain);
    let target = f.binding(1, "writeonly", encoded);
    let value = f.load(source, plain);
    let value = f.value(NewOp::new("iree_encoding.set_encoding").operand(value).result(encoded));
    f.store(value, target);
    f.finish()
}

#[test]
fn sizes_that_overflow() {
    assert_eq!(codes(pack([1 << 40, 1 << 40], [8, 1])), ["unsupported-encoding"]);
    assert_eq!(codes(pack([i64::MAX, 1], [8, 1])), ["unsupported-encoding"]);
}

#[test]
fn dynamic_sizes() {
    assert_eq!(codes(pack([DYNAMIC, 8], [8, 1])), ["unsupported-encoding"]);
}

#[test]
fn tiles_that_make_no_sense() {
    assert_eq!(codes(pack([8, 8], [0, 1])), ["unsupported-encoding"]);
    assert_eq!(codes(pack([8, 8], [-8, 1])), ["unsupported-encoding"]);
}

#[test]
fn encodings_that_nothing_resolves() {
    let unresolved = Attr::dialect("iree_encoding.encoding", &[Attr::index(0)]);
    let plain = Type::tensor(&[8, 8], Type::f32(), None);
    let encoded = Type::tensor(&[8, 8], Type::f32(), Some(unresolved));
    let mut f = Function::new();
    let source = f.binding(0, "readonly", plain);
    let value = f.load(source, plain);
    f.value(NewOp::new("iree_encoding.set_encoding").operand(value).result(encoded));
    assert_eq!(codes(f.finish()), ["unresolved-encoding"]);
}

/// Two consumers of an intermediate that is too large for the stack.
#[test]
fn scratch_that_is_too_large() {
    let ty = Type::tensor(&[1000, 1000], Type::f32(), None);
    let map = Attr::map(AffineMap::get(2, 0, &[AffineExpr::dim(0), AffineExpr::dim(1)]));
    let mut f = Function::new();
    let source = f.binding(0, "readonly", ty);
    let targets = [f.binding(1, "writeonly", ty), f.binding(1, "writeonly", ty)];
    let value = f.load(source, ty);
    for target in targets {
        let empty = f.value(NewOp::new("tensor.empty").result(ty));
        let maps = [map, map];
        let out = f.generic(&maps, &["parallel"; 2], &[value, empty], ty, |_, _, args| args[0]);
        f.store(out, target);
    }
    // Both stores go to one binding, so that neither is computed in place.
    assert_eq!(codes(f.finish()), ["scratch-too-large"]);
}

#[test]
fn what_is_supported_gives_no_error() {
    assert_eq!(codes(Matmul::new(8, 8, 8).multiply()), [] as [&str; 0]);
}
