//! The engine without any dialect: kernels, shapes, memory.

use tegula_eval::{
    EvalError, Kernel, Memory, ScalarType, Strided, copy_box, eval_expr, for_each_index, kept_dims,
    linear, row_major_strides,
};
use tegula_ir::{AffineExpr, AffineExprData, AffineOp, FloatKind};

const F32: ScalarType = ScalarType::Float(FloatKind::F32);
const F16: ScalarType = ScalarType::Float(FloatKind::F16);

fn bits(value: f32) -> u64 {
    value.to_bits().into()
}

#[test]
fn nans_are_those_of_aarch64() {
    let add = Kernel::float2(F32, |a, b| a + b, |a, b| a + b).expect("f32 has arithmetic");
    let check = |a: u64, b: u64, wanted: u64| {
        assert_eq!(add.scalar(&[a, b]), Ok(wanted), "{a:#x} + {b:#x}");
    };
    let (quiet, signalling) = (0x7fc1_2345, 0xff81_2345);
    check(bits(f32::INFINITY), bits(f32::NEG_INFINITY), 0x7fc0_0000);
    check(quiet, bits(1.0), quiet);
    check(bits(1.0), quiet, quiet);
    check(quiet, signalling, signalling | 0x0040_0000);
    let fma = Kernel::fma(F32).expect("f32 has arithmetic");
    assert_eq!(fma.scalar(&[bits(f32::INFINITY), bits(0.0), quiet]), Ok(0x7fc0_0000));
    assert_eq!(fma.scalar(&[0x7fc0_0001, bits(1.0), 0x7fc0_0002]), Ok(0x7fc0_0002));
}

#[test]
fn fused_and_unfused_differ_where_they_should() {
    let fma = Kernel::fma(F32).expect("f32 has arithmetic");
    let x = 1.0 + f32::EPSILON;
    // (1 + e)^2 - (1 + 2e) is e^2, which the rounded product loses.
    let fused = fma.scalar(&[bits(x), bits(x), bits(-(1.0 + 2.0 * f32::EPSILON))]);
    assert_eq!(fused, Ok(bits(f32::EPSILON * f32::EPSILON)));
}

#[test]
fn narrow_floats_round_once() {
    let multiply = Kernel::float2(F16, |a, b| a * b, |a, b| a * b).expect("f16 has arithmetic");
    // 1.0009765625 squared is 1.001954078…, between 1.001953125 and 1.0029296875.
    assert_eq!(multiply.scalar(&[0x3c01, 0x3c01]), Ok(0x3c02));
}

#[test]
fn affine_division_rounds_down_and_up() {
    let binary = |op, a, b| {
        AffineExpr::new(AffineExprData::Binary(
            op,
            AffineExpr::constant(a),
            AffineExpr::constant(b),
        ))
    };
    let value = |op, a, b| eval_expr(binary(op, a, b), &[], &[]);
    assert_eq!(value(AffineOp::FloorDiv, -7, 2), Ok(-4));
    assert_eq!(value(AffineOp::CeilDiv, -7, 2), Ok(-3));
    assert_eq!(value(AffineOp::Mod, -7, 2), Ok(1));
    assert!(value(AffineOp::Mod, 7, 0).is_err());
}

#[test]
fn linear_forms_know_their_range() {
    let expr = AffineExpr::new(AffineExprData::Binary(
        AffineOp::Add,
        AffineExpr::new(AffineExprData::Binary(
            AffineOp::Mul,
            AffineExpr::dim(0),
            AffineExpr::constant(-2),
        )),
        AffineExpr::dim(1),
    ));
    let form = linear(expr, 2).expect("a linear expression");
    assert_eq!((form.coefficients.as_slice(), form.constant), ([-2, 1].as_slice(), 0));
    assert_eq!(form.range(&[4, 3]), (-6, 2));
}

#[test]
fn dimensions_of_size_one_are_dropped() {
    let kept = |full: &[i64], reduced: &[i64]| kept_dims(full, reduced).map(|k| k.to_vec());
    assert_eq!(kept(&[1, 4, 1, 3], &[4, 3]), Some(vec![1, 3]));
    assert_eq!(kept(&[1, 4], &[1, 4]), Some(vec![0, 1]));
    assert_eq!(kept(&[2, 4], &[4]), None);
    assert_eq!(kept(&[4], &[4, 1]), None);
}

#[test]
fn indices_come_in_row_major_order() {
    let mut seen = Vec::new();
    let all: Result<(), ()> = for_each_index(&[2, 3], |index| {
        seen.push((index[0], index[1]));
        Ok(())
    });
    assert_eq!(all, Ok(()));
    assert_eq!(seen, [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]);
    let none: Result<(), &str> = for_each_index(&[2, 0], |_| Err("an empty shape has no index"));
    assert_eq!(none, Ok(()));
}

#[test]
fn boxes_are_copied_by_strides_and_checked() {
    let from: Vec<u8> = (0..12).collect();
    let mut to = vec![0; 4];
    let rows = Strided { offset: 5, strides: &[4, 1] };
    let dense = row_major_strides(&[2, 2]);
    let target = Strided { offset: 0, strides: &dense };
    assert_eq!(copy_box(&[2, 2], 1, (&from, rows), (&mut to, target)), Ok(()));
    assert_eq!(to, [5, 6, 9, 10]);
    let outside = Strided { offset: 10, strides: &[4, 1] };
    assert!(copy_box(&[2, 2], 1, (&from, outside), (&mut to, target)).is_err());
}

#[test]
fn memory_is_bounded_and_freed_once() {
    let mut memory = Memory::new(16);
    let span = memory.alloc(12).expect("it fits");
    assert!(memory.alloc(8).is_err());
    assert!(span.slice(8, 5).is_err());
    assert_eq!(memory.free(span.buffer), Ok(()));
    assert_eq!(memory.free(span.buffer), Err(EvalError::new("buffer is freed twice")));
    assert!(memory.bytes(span).is_err());
    assert!(memory.alloc(16).is_ok());
}
