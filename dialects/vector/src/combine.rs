//! Combining kinds as kernels.

use tegula_eval::{Kernel, ScalarType};
use tegula_ir::{Attr, OpId};

/// The keyword of an op's combining kind; addition when it states none.
pub fn kind_of(body: &tegula_ir::Body, op: OpId) -> &'static str {
    body.attr(op, "kind").and_then(kind_keyword).unwrap_or("add")
}

/// The keyword of a `#vector.kind`.
pub fn kind_keyword(attr: Attr) -> Option<&'static str> {
    attr.dialect_params("vector.kind")?.first()?.as_str()
}

/// What combines two elements of that format. None when the kind does not apply to it.
pub fn combine(kind: &str, ty: ScalarType) -> Option<Kernel> {
    let signed = move |f: fn(i64, i64) -> i64| {
        Kernel::binary(move |a, b| f(ty.signed(a), ty.signed(b)) as u64)
    };
    let float = matches!(ty, ScalarType::Float(_));
    Some(match kind {
        "add" if float => Kernel::float2(ty, |a, b| a + b, |a, b| a + b)?,
        "mul" if float => Kernel::float2(ty, |a, b| a * b, |a, b| a * b)?,
        "minnumf" => Kernel::float2(ty, f32::min, f64::min)?,
        "maxnumf" => Kernel::float2(ty, f32::max, f64::max)?,
        "minimumf" => Kernel::float2(ty, |a, b| -greater(-a, -b), |a, b| -greater64(-a, -b))?,
        "maximumf" => Kernel::float2(ty, greater, greater64)?,
        _ if float => return None,
        "add" => Kernel::binary(u64::wrapping_add),
        "mul" => Kernel::binary(u64::wrapping_mul),
        "minui" => Kernel::binary(u64::min),
        "maxui" => Kernel::binary(u64::max),
        "minsi" => signed(i64::min),
        "maxsi" => signed(i64::max),
        "and" => Kernel::binary(|a, b| a & b),
        "or" => Kernel::binary(|a, b| a | b),
        "xor" => Kernel::binary(|a, b| a ^ b),
        _ => return None,
    })
}

/// The greater number, NaN when one is NaN, +0 above -0.
fn greater(a: f32, b: f32) -> f32 {
    if a.is_nan() || b.is_nan() {
        a + b
    } else if a > b || (a == b && b.is_sign_negative()) {
        a
    } else {
        b
    }
}

fn greater64(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() {
        a + b
    } else if a > b || (a == b && b.is_sign_negative()) {
        a
    } else {
        b
    }
}
