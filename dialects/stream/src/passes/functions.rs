//! Declarations of functions outside of the program, once resources have memory.

use tegula_ir::{Attr, InsertPoint, NewOp, OpId, Type, TypeData};
use tegula_rewrite::Rewriter;

use super::support::lifetime;

/// Makes a declaration of `stream.cmd.func` of one of `stream.async.func`: a resource comes with an
/// offset and a length, and so do those that are made, behind all others.
pub(super) fn on_memory(rw: &mut Rewriter<'_>, func: OpId) {
    let ty = rw.body.attr(func, "function_type").and_then(Attr::as_type);
    let Some(TypeData::Function { inputs, results }) = ty.map(|ty| ty.data()) else { return };
    let ties = rw.body.attr(func, "tied_operands").and_then(Attr::as_array).unwrap_or(&[]);
    let is_tied = |at: usize| ties.get(at).and_then(|tie| tie.as_int()).is_some_and(|tie| tie >= 0);
    let made = results.iter().enumerate().filter(|(at, _)| !is_tied(*at)).map(|(_, &ty)| ty);
    let (made, given): (Vec<Type>, Vec<Type>) = made.partition(|&ty| lifetime(ty).is_some());
    let takes: Vec<Type> = inputs
        .iter()
        .copied()
        .chain(made)
        .flat_map(|ty| {
            let range = if lifetime(ty).is_some() { 2 } else { 0 };
            std::iter::once(ty).chain(std::iter::repeat_n(Type::index(), range))
        })
        .collect();
    let new = NewOp::new("stream.cmd.func")
        .attr_opt("sym_name", rw.body.attr(func, "sym_name"))
        .attr_opt("sym_visibility", rw.body.attr(func, "sym_visibility"))
        .attr("function_type", Attr::ty(Type::function(&takes, &given)))
        .loc(rw.body.loc(func))
        .regions(1);
    rw.insert(InsertPoint::Before(func), new);
    rw.erase(func);
}
