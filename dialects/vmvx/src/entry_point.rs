//! `tegula-vmvx-entry-point`: device functions take what a dispatch passes as arguments.

use tegula_ir::{Attr, Body, OpId, Type};
use tegula_pass::{Changed, PassCx, PassResult};

/// Numbers of a workgroup: its place, size and count, each in three dimensions.
const NUMBERS: usize = 9;

/// Runs the pass on a function that dispatches call.
pub(crate) fn run(cx: &mut PassCx<'_>, body: &mut Body, func: OpId) -> PassResult {
    let private = body.attr(func, "sym_visibility").and_then(Attr::as_str) == Some("private");
    let Some(entry) = body.region_entry(func, 0).filter(|_| !private) else {
        return Ok(Changed::No);
    };
    let ty = body.attr(func, "function_type").and_then(Attr::as_type);
    let buffer = Type::dialect("util.buffer", &[]);
    let list = Type::dialect("util.list", &[Attr::ty(buffer)]);
    let numbers = std::iter::repeat_n(Type::int(32), NUMBERS);
    let types: Vec<Type> = [buffer, buffer, list].into_iter().chain(numbers).collect();
    let new = Type::function(&types, &[]);
    if ty == Some(new) {
        return Ok(Changed::No);
    }
    if ty != Some(Type::function(&[], &[])) {
        let message = "a function that dispatches call takes and returns nothing";
        return Err(cx.error(body, func, "not-an-entry-point", message));
    }
    let mut rw = cx.rewriter(body);
    for &ty in &types {
        rw.add_block_arg(entry, ty);
    }
    rw.set_attr(func, "function_type", Attr::ty(new));
    Ok(Changed::Yes)
}
