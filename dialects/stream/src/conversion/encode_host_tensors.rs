//! `iree-stream-encode-host-tensors`: sizes become numbers, tensors bytes.
//!
//! The patterns convert what can be; what can't is told before.

use tegula_ir::{Attr, Body, OpId, Type};
use tegula_pass::{Changed, Failed, PassCx, PassResult};

use super::layouts::{bytes_of, element_bits, fills, of_vector_length};

/// How many times as long as they are at least vectors of the target are, where they may be longer.
const VECTOR_SCALE: &str = "iree-experimental-vscale-value";

/// Runs the pass on one function.
pub(crate) fn run(cx: &mut PassCx<'_>, body: &mut Body, root: OpId) -> PassResult {
    let mut changed = Changed::No;
    let scale = cx.setting(VECTOR_SCALE).and_then(|scale| scale.parse().ok());
    for op in body.walk(root).collect::<Vec<OpId>>() {
        if let Some(scale) = scale.filter(|_| body.name(op).dialect() == "stream") {
            changed |= fix_tiles(cx, body, op, scale);
        }
        check(cx, body, op)?;
    }
    Ok(changed | cx.patterns_of_pass(body, root)?)
}

/// Gives tiles that depend on the length of vectors their size.
fn fix_tiles(cx: &PassCx<'_>, body: &mut Body, op: OpId, scale: i64) -> Changed {
    let mut changed = Changed::No;
    for &(name, attr) in body.attr_entries(op).to_vec().iter() {
        let ty = attr.as_type().and_then(|ty| of_vector_length(ty, scale));
        if let Some(ty) = ty {
            cx.rewriter(body).set_attr(op, name.as_str(), Attr::ty(ty));
            changed = Changed::Yes;
        }
    }
    changed
}

fn check(cx: &mut PassCx<'_>, body: &Body, op: OpId) -> Result<(), Failed> {
    let encoding = |name: &str| body.attr(op, name).and_then(Attr::as_type);
    let name = body.name(op).as_str();
    match name {
        "stream.tensor.sizeof" => sized(cx, body, op, encoding("encoding")),
        "stream.tensor.constant" | "stream.tensor.parameter.load" => {
            sized(cx, body, op, encoding("result_encoding"))
        }
        "stream.tensor.splat" | "stream.tensor.fill" => {
            let tensor = encoding("result_encoding").or_else(|| encoding("target_encoding"));
            let value = cx.registry.operand_of(body, op, "value").map(|value| body.ty(value));
            match value.zip(tensor) {
                Some((value, tensor)) if !fills(value, tensor) => {
                    let message = format!("values of `{value}` cannot fill `{tensor}`");
                    Err(cx.error(body, op, "unsupported-splat", message))
                }
                _ => Ok(()),
            }
        }
        _ => Ok(()),
    }
}

/// Tells when the size of a tensor has to be known and is not.
fn sized(cx: &mut PassCx<'_>, body: &Body, op: OpId, ty: Option<Type>) -> Result<(), Failed> {
    let Some(ty) = ty.filter(|ty| ty.has_static_shape() && bytes_of(*ty).is_none()) else {
        return Ok(());
    };
    let shares = ty.encoding().is_none() && element_bits(ty).is_some_and(|bits| bits < 8);
    let message = if shares {
        format!(
            "failed to calculate total byte count: '{ty}' does not have integral number of total \
             bytes"
        )
    } else {
        format!("the size of `{ty}` in bytes is not known or overflows 64 bits")
    };
    Err(cx.error(body, op, "tensor-size", message))
}
