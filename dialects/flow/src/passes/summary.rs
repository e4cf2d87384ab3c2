//! A short text that says what a dispatch computes.

use tegula_dialect_iree_encoding::contraction::ContractionDims;
use tegula_ir::{Attr, Body, DYNAMIC, OpId, Type};

use crate::computations::{Computation, contracts_several};
use crate::structured::{Structured, is_structured};

/// A stand-in for the size of a loop whose size is not known.
const DYNAMIC_COST: i64 = 1024;

/// The summary of the most expensive op in a function; empty when nothing in it has one. A later op
/// of the same cost wins.
pub fn summarize(body: &Body, func: OpId) -> String {
    let mut best: Option<(i64, OpId)> = None;
    let mut moves_only = false;
    for op in body.walk(func) {
        if let Some(cost) = cost(body, op)
            && best.is_none_or(|(most, _)| cost >= most)
        {
            best = Some((cost, op));
        }
        moves_only |= stores_what_was_loaded(body, op);
    }
    match best {
        Some((_, op)) => {
            let (first, last) = packing(body, func, op);
            let prefix = if first { "unpack_" } else { "" };
            let suffix = if last { "_pack" } else { "" };
            sanitize(&format!("{prefix}{}{suffix}", describe(body, op)))
        }
        None if moves_only => "slow_memcpy".to_owned(),
        None => String::new(),
    }
}

/// Whether what a function computes begins with unpacking and ends with packing, other than what the
/// summary is about.
fn packing(body: &Body, func: OpId, best: OpId) -> (bool, bool) {
    let mut tiled = body.walk(func).filter(|&op| {
        is_structured(body, op) || matches!(body.name(op).as_str(), "linalg.pack" | "linalg.unpack")
    });
    let first = tiled.next();
    let last = tiled.last().or(first);
    let is = |op: Option<OpId>, name: &str| op.is_some_and(|op| body.is(op, name));
    (
        is(first, "linalg.unpack") && !body.is(best, "linalg.unpack"),
        is(last, "linalg.pack") && !body.is(best, "linalg.pack"),
    )
}

/// The estimated cost of an op: its iterations, twice when it sums. None for ops that do not count.
fn cost(body: &Body, op: OpId) -> Option<i64> {
    match body.name(op).as_str() {
        "iree_encoding.set_encoding"
        | "iree_encoding.unset_encoding"
        | "linalg.pack"
        | "linalg.unpack" => Some(0),
        _ if is_structured(body, op) => {
            let (ranges, sums) = loops(body, op);
            let size = |r: &i64| if *r == DYNAMIC { DYNAMIC_COST } else { *r };
            let product = ranges.iter().map(size).fold(1, i64::saturating_mul);
            Some(if sums { product.saturating_mul(2) } else { product })
        }
        _ => None,
    }
}

/// The loops of a structured op, and whether one of them sums.
fn loops(body: &Body, op: OpId) -> (Vec<i64>, bool) {
    let structured = Structured::read(body, op);
    let ranges = structured.as_ref().and_then(|s| s.loop_ranges(body));
    match (structured, ranges) {
        (Some(structured), Some(ranges)) => (ranges, !structured.is_parallel()),
        // Ops without maps loop over their result.
        _ => {
            let result = body.results(op).next();
            let shape = result.and_then(|r| body.ty(r).shape()).unwrap_or(&[]);
            (shape.to_vec(), false)
        }
    }
}

fn stores_what_was_loaded(body: &Body, op: OpId) -> bool {
    body.is(op, "iree_tensor_ext.dispatch.tensor.store")
        && body
            .operands(op)
            .next()
            .and_then(|v| body.defining_op(v))
            .is_some_and(|source| body.is(source, "iree_tensor_ext.dispatch.tensor.load"))
}

fn describe(body: &Body, op: OpId) -> String {
    let name = body.name(op).as_str();
    let short = name.split_once('.').map_or(name, |(_, rest)| rest);
    match name {
        "iree_encoding.set_encoding" => encoding_summary(body, op, short, body.result(op, 0)),
        "iree_encoding.unset_encoding" => encoding_summary(body, op, short, body.operand(op, 0)),
        "linalg.pack" | "linalg.unpack" => {
            format!("{short}_{}", body.ty(body.operand(op, 0)).element_or_self())
        }
        _ => {
            let (ranges, _) = loops(body, op);
            let prefix = structured_prefix(body, op).unwrap_or(short);
            let sizes = join_sizes(&ranges);
            if sizes.is_empty() {
                return prefix.to_owned();
            }
            format!("{prefix}_{sizes}_{}", element_types(body, op))
        }
    }
}

fn encoding_summary(body: &Body, op: OpId, name: &str, encoded: tegula_ir::ValueId) -> String {
    let ty = body.ty(encoded);
    let which = ty.encoding().and_then(encoded_operand).unwrap_or("UNKNOWN");
    let shape = body.ty(body.result(op, 0)).shape().unwrap_or(&[]);
    format!("{name}_{which}_{}", join_sizes(shape))
}

/// What an encoding calls the operand that it is for.
fn encoded_operand(encoding: Attr) -> Option<&'static str> {
    let &[operand, kind, ..] = encoding.dialect_params("iree_encoding.encoding")? else {
        return None;
    };
    let names: &[&str] = match kind.as_str()? {
        "matmul" => &["LHS", "RHS", "RESULT"],
        "scaled_matmul" => &["LHS", "RHS", "LHS_SCALES", "RHS_SCALES", "RESULT"],
        "conv" => &["CONV_IN", "CONV_FILTER", "CONV_OUT"],
        _ => return None,
    };
    names.get(usize::try_from(operand.as_int()?).ok()?).copied()
}

/// What kind of op this is, when its maps tell more than its name.
fn structured_prefix(body: &Body, op: OpId) -> Option<&'static str> {
    let structured = Structured::read(body, op)?;
    let (inputs, outs) = structured.maps.split_at(structured.inputs.len());
    let block = body.region_entry(op, 0);
    let only_yields = block.is_some_and(|b| body.first_op(b) == body.last_op(b));
    let permutation = |m: &tegula_ir::AffineMap| {
        m.is_projected_permutation() && m.results().len() == m.dims() as usize
    };
    if only_yields && structured.maps.iter().all(permutation) {
        return Some("transpose");
    }
    if !body.is(op, "linalg.generic") {
        return None;
    }
    let identity_outs = outs.iter().all(|m| m.is_identity());
    let permuted_outs = outs.iter().all(permutation);
    let projected_ins = inputs.iter().all(|m| m.is_projected_permutation());
    let identities = inputs.iter().filter(|m| m.is_identity()).count();
    let permutations = inputs.iter().filter(|m| permutation(m)).count();
    let identity_root = identities > 0 && identities == permutations;
    if identity_outs && projected_ins && identity_root {
        return Some("elementwise");
    }
    let transposes = (identity_root && !identity_outs) || permutations > identities;
    if permuted_outs && projected_ins && transposes {
        return Some("elementwise_transpose");
    }
    if permuted_outs && projected_ins && permutations == 0 {
        return Some("elementwise_broadcast");
    }
    if let Some(dims) = structured.contraction(body, op) {
        let ranges = structured.loop_ranges(body).unwrap_or_default();
        return Some(contraction_prefix(&dims, &ranges));
    }
    match Computation::of(body, op, &structured) {
        Some(Computation::ScaledContraction) => return Some("scaled_matmul_like"),
        Some(Computation::Convolution) => return Some("conv"),
        Some(Computation::Contraction) | None => {}
    }
    if contracts_several(body, op, &structured) {
        return Some("horizontal_multi_contract");
    }
    (!structured.is_parallel()).then_some("reduction")
}

fn contraction_prefix(dims: &ContractionDims, ranges: &[i64]) -> &'static str {
    let unit = |loops: &[u32]| loops.iter().all(|&d| ranges.get(d as usize) == Some(&1));
    if unit(&dims.m) || unit(&dims.n) {
        "matvec_like"
    } else if dims.batch.len() + dims.m.len() + dims.n.len() >= 2 {
        "matmul_like"
    } else {
        "contract"
    }
}

/// `4x?x8` with `D` for what is not known.
fn join_sizes(sizes: &[i64]) -> String {
    let text = |s: &i64| if *s == DYNAMIC { "D".to_owned() } else { s.to_string() };
    sizes.iter().map(text).collect::<Vec<_>>().join("x")
}

/// The operands' element types with `x` between them, or the one that they share.
fn element_types(body: &Body, op: OpId) -> String {
    let types: Vec<Type> = body.operands(op).map(|v| body.ty(v).element_or_self()).collect();
    match types.first() {
        Some(first) if types.iter().all(|t| t == first) => first.to_string(),
        _ => types.iter().map(Type::to_string).collect::<Vec<_>>().join("x"),
    }
}

/// Only letters, digits and underscores may stand in a symbol of device code.
fn sanitize(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' }).collect()
}
