//! `iree-stream-pack-dispatch-operands`: dispatches pass only 32-bit integers.
//!
//! What becomes of an operand and of the argument that it is passed as depends on its type and on the
//! width of an index in the device function, which executables say and dispatches ask for.

use tegula_dialect_util::constants::constant_index;
use tegula_ir::{Attr, Body, InsertPoint, NewOp, OpId, Registry, Type, ValueId};
use tegula_pass::{
    Changed, Failed, Header, PassCx, PassResult, SolveBySubject, Statement, Subject, Verdicts,
};
use tegula_rewrite::Rewriter;

use crate::config::ResourceConfig;
use crate::dispatch::{CmdDispatch, arg_attrs, binding_type, declared, exports, set_signature};

/// The pass.
pub(crate) struct PackDispatchOperands;

impl SolveBySubject for PackDispatchOperands {
    /// The width of an index in the device function of an entry.
    type Claim = u32;
    type Shared = ();
    type Common = ();
    type Verdict = Option<u32>;

    fn summarize(&self, _: &Registry, _: &Header, body: &Body, root: OpId) -> Statement<u32, ()> {
        let claims = declared(body, root).into_iter().map(|(entry, export, func)| {
            let device = ResourceConfig::at(body, func.unwrap_or(export));
            (entry.subject(), device.index_bits)
        });
        let mut asks = Vec::new();
        for dispatch in CmdDispatch::all(body, root) {
            for entry in dispatch.entries(body) {
                if !asks.contains(&entry.subject()) {
                    asks.push(entry.subject());
                }
            }
        }
        Statement { claims: claims.collect(), asks, shared: None }
    }

    fn common(&self, _: &mut PassCx<'_>, _: &[&()]) -> Result<(), Failed> {
        Ok(())
    }

    fn decide(
        &self,
        _: &mut PassCx<'_>,
        (): &(),
        _: Subject,
        claims: &[&u32],
    ) -> Result<Option<u32>, Failed> {
        Ok(claims.first().map(|bits| **bits))
    }

    fn apply(
        &self,
        cx: &mut PassCx<'_>,
        body: &mut Body,
        root: OpId,
        (): &(),
        verdicts: &Verdicts<'_, Option<u32>>,
    ) -> PassResult {
        let mut changed = Changed::No;
        for (_, func) in exports(body, root) {
            changed |= unpack_arguments(&mut cx.rewriter(body), func);
        }
        for dispatch in CmdDispatch::all(body, root) {
            let before = dispatch.uniforms(body);
            let packed = width_of_index(body, &dispatch, verdicts).and_then(|bits| match bits {
                Some(bits) => pack_operands(&mut cx.rewriter(body), &dispatch, &before, bits),
                None => Ok(()),
            });
            if let Err(why) = packed {
                return Err(cx.error(body, dispatch.op, "unpackable-operand", why));
            }
            changed |= Changed::when(dispatch.uniforms(body) != before);
        }
        Ok(changed)
    }
}

/// The width of an index in what is dispatched; none where that is not device code of this program.
fn width_of_index(
    body: &Body,
    dispatch: &CmdDispatch,
    verdicts: &Verdicts<'_, Option<u32>>,
) -> Result<Option<u32>, &'static str> {
    let entries = dispatch.entries(body);
    let widths = || entries.iter().map(|entry| verdicts.get(entry.subject()).copied().flatten());
    let first = widths().next().flatten();
    match widths().all(|other| other == first) {
        true => Ok(first),
        false if dispatch.uniforms(body).iter().any(|&value| body.ty(value).is_index()) => {
            Err("the entry points of a dispatch take an index in different ways")
        }
        false => Ok(widths().flatten().next()),
    }
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
    index_bits: u32,
) -> Result<(), &'static str> {
    let mut outer = dispatch.op;
    while !rw.body.is(outer, "stream.cmd.execute")
        && let Some(parent) = rw.body.parent_op(outer)
    {
        outer = parent;
    }
    let at = InsertPoint::Before(outer);
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
