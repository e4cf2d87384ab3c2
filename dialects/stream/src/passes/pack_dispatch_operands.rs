//! `iree-stream-pack-dispatch-operands`: dispatches pass only 32-bit integers.
//!
//! What a dispatch does to an operand and what a device function does to its argument depend on the
//! type and the width of an index on the device, so that both sides agree without seeing each other.

use tegula_dialect_util::constants::constant_index;
use tegula_ir::{Attr, Body, InsertPoint, NewOp, OpId, Type, ValueId};
use tegula_pass::{Changed, PassCx, PassResult};
use tegula_rewrite::Rewriter;

use crate::config::ResourceConfig;
use crate::dispatch::{CmdDispatch, arg_attrs, binding_type, exports, set_signature};

/// Runs the pass.
pub(crate) fn run(cx: &mut PassCx<'_>, body: &mut Body, root: OpId) -> PassResult {
    let mut changed = Changed::No;
    for (_, func) in exports(body, root) {
        changed |= unpack_arguments(&mut cx.rewriter(body), func);
    }
    for dispatch in CmdDispatch::all(body, root) {
        let before = dispatch.uniforms(body);
        let after = pack_operands(&mut cx.rewriter(body), &dispatch, &before);
        if let Err(why) = after {
            return Err(cx.error(body, dispatch.op, "unpackable-operand", why));
        }
        changed |= Changed::when(dispatch.uniforms(body) != before);
    }
    Ok(changed)
}

/// The bits of a type as an integer, once `index` has its width on the device.
fn bits_of(ty: Type, index_bits: u32) -> Option<u32> {
    if ty.is_index() { Some(index_bits) } else { ty.bit_width() }
}

fn unary(rw: &mut Rewriter<'_>, at: InsertPoint, name: &str, value: ValueId, ty: Type) -> ValueId {
    rw.insert_value(at, NewOp::new(name).operand(value).result(ty))
}

fn binary(rw: &mut Rewriter<'_>, at: InsertPoint, name: &str, a: ValueId, b: ValueId) -> ValueId {
    let ty = rw.body.ty(a);
    rw.insert_value(at, NewOp::new(name).operands([a, b]).result(ty))
}

fn constant(rw: &mut Rewriter<'_>, at: InsertPoint, value: i64, ty: Type) -> ValueId {
    let attr = Attr::int(value.into(), ty);
    rw.insert_value(at, NewOp::new("arith.constant").attr("value", attr).result(ty))
}

/// An integer constant without its sign, of so many bits.
fn unsigned_constant(body: &Body, value: ValueId, bits: u32) -> Option<u64> {
    let constant = constant_index(body, value)? as u64;
    Some(if bits == 64 { constant } else { constant & ((1 << bits) - 1) })
}

/// A constant of so many bits, whose value is read with its sign.
fn word_constant(rw: &mut Rewriter<'_>, at: InsertPoint, value: u64, bits: u32) -> ValueId {
    let unused = 64 - bits.clamp(1, 64);
    constant(rw, at, (value << unused) as i64 >> unused, Type::int(bits))
}

/// An unsigned conversion of an integer of `from` bits; that of a constant is a constant.
fn cast(
    rw: &mut Rewriter<'_>,
    at: InsertPoint,
    name: &str,
    (value, from): (ValueId, u32),
    bits: u32,
) -> ValueId {
    match unsigned_constant(rw.body, value, from) {
        Some(known) => word_constant(rw, at, known, bits),
        None => unary(rw, at, name, value, Type::int(bits)),
    }
}

/// The upper word of 64 bits; zero shifted is itself, another constant a new one.
fn shift_right(rw: &mut Rewriter<'_>, at: InsertPoint, value: ValueId, by: ValueId) -> ValueId {
    match unsigned_constant(rw.body, value, 64) {
        Some(0) => value,
        Some(known) => word_constant(rw, at, known >> 32, 64),
        None => binary(rw, at, "arith.shrui", value, by),
    }
}

/// Splits the operands of a dispatch, before the region that it is in.
fn pack_operands(
    rw: &mut Rewriter<'_>,
    dispatch: &CmdDispatch,
    operands: &[ValueId],
) -> Result<(), &'static str> {
    let mut outer = dispatch.op;
    while !rw.body.is(outer, "stream.cmd.execute")
        && let Some(parent) = rw.body.parent_op(outer)
    {
        outer = parent;
    }
    let at = InsertPoint::Before(outer);
    let index_bits = ResourceConfig::at(rw.body, outer).index_bits;
    let mut packed = Vec::new();
    for &operand in operands {
        let ty = rw.body.ty(operand);
        let bits = bits_of(ty, index_bits).filter(|&b| b <= 64);
        let bits =
            bits.ok_or("operands of dispatches are integers or floats of at most 64 bits")?;
        let mut value = operand;
        if ty.is_index() {
            value = cast(rw, at, "arith.index_castui", (value, bits), bits);
        } else if ty.is_float() {
            value = unary(rw, at, "arith.bitcast", value, Type::int(bits));
        }
        let word = if bits > 32 { 64 } else { 32 };
        if bits < word {
            value = cast(rw, at, "arith.extui", (value, bits), word);
        }
        if word == 64 {
            packed.push(cast(rw, at, "arith.trunci", (value, 64), 32));
            let shift = constant(rw, at, 32, Type::int(64));
            let high = shift_right(rw, at, value, shift);
            packed.push(cast(rw, at, "arith.trunci", (high, 64), 32));
        } else {
            packed.push(value);
        }
    }
    let registry = rw.registry;
    rw.modify(dispatch.op, |body| {
        registry.set_operands_of(body, dispatch.op, "uniform_operands", &packed);
    });
    Ok(())
}

/// Gives a device function 32-bit arguments and puts the old ones together from them.
fn unpack_arguments(rw: &mut Rewriter<'_>, func: OpId) -> Changed {
    let Some(block) = rw.body.region_entry(func, 0) else { return Changed::No };
    let Some(first) = rw.body.first_op(block) else { return Changed::No };
    let old: Vec<ValueId> = rw.body.block_args(block).to_vec();
    if old.iter().all(|&a| rw.body.ty(a) == binding_type()) {
        return Changed::No;
    }
    let at = InsertPoint::Before(first);
    let index_bits = ResourceConfig::at(rw.body, func).index_bits;
    let old_attrs = arg_attrs(rw.body, func, old.len());
    let mut attrs = Vec::new();
    for (&arg, attr) in old.iter().zip(old_attrs) {
        let ty = rw.body.ty(arg);
        let Some(bits) = bits_of(ty, index_bits).filter(|&b| b <= 64) else {
            let copy = rw.add_block_arg(block, ty);
            rw.replace_all_uses(arg, copy);
            attrs.push(attr);
            continue;
        };
        let value = recompose(rw, at, block, ty, bits);
        match rw.body.defining_op(value) {
            Some(op) => {
                let entries = attr.as_dict().unwrap_or(&[]).iter().copied();
                rw.add_attrs(op, entries);
                attrs.push(Attr::empty_dict());
            }
            None => attrs.push(attr),
        }
        if bits > 32 {
            attrs.push(Attr::empty_dict());
        }
        rw.replace_all_uses(arg, value);
    }
    for index in (0..old.len()).rev() {
        rw.remove_block_arg(block, index);
    }
    rw.modify(func, |body| set_signature(body, func, &attrs));
    Changed::Yes
}

fn recompose(
    rw: &mut Rewriter<'_>,
    at: InsertPoint,
    block: tegula_ir::BlockId,
    ty: Type,
    bits: u32,
) -> ValueId {
    let word = Type::int(32);
    let mut value = rw.add_block_arg(block, word);
    if bits > 32 {
        let high = rw.add_block_arg(block, word);
        let low = unary(rw, at, "arith.extui", value, Type::int(64));
        let high = unary(rw, at, "arith.extui", high, Type::int(64));
        let shift = constant(rw, at, 32, Type::int(64));
        let high = binary(rw, at, "arith.shli", high, shift);
        value = binary(rw, at, "arith.ori", low, high);
    }
    if ty.is_index() {
        return unary(rw, at, "arith.index_castui", value, ty);
    }
    let whole = if bits > 32 { 64 } else { 32 };
    if bits < whole {
        value = unary(rw, at, "arith.trunci", value, Type::int(bits));
    }
    if ty.is_float() { unary(rw, at, "arith.bitcast", value, ty) } else { value }
}
