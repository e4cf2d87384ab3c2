//! Executables: dispatch tensors come from bindings.

use tegula_ir::{Attr, Body, InsertPoint, NewOp, OpId, Type, ValueId};
use tegula_pass::{Failed, PassCx};
use tegula_rewrite::Rewriter;

/// Ops and what they become, attributes and regions as they are.
const RENAMED: &[(&str, &str)] = &[
    ("flow.dispatch.workgroup.count", "stream.dispatch.workgroup.count"),
    ("flow.dispatch.workgroup.id", "stream.dispatch.workgroup.id"),
    ("flow.dispatch.workgroup.size", "stream.dispatch.workgroup.size"),
    ("flow.executable.export", "stream.executable.export"),
    ("flow.executable_end", "stream.executable.end"),
    ("flow.return", "stream.return"),
];

const DISPATCH_TENSOR: &str = "iree_tensor_ext.dispatch.tensor";
const TIE_SHAPE: &str = "flow.dispatch.tie_shape";

/// Converts an executable in place of the old one.
pub(crate) fn convert(cx: &mut PassCx<'_>, body: &mut Body, root: OpId) -> Result<(), Failed> {
    let named = |body: &Body, names: &[&str]| -> Vec<OpId> {
        body.walk(root).filter(|&op| names.contains(&body.name(op).as_str())).collect()
    };
    for func in named(body, &["func.func", "util.func"]) {
        let visibility = body.attr(func, "sym_visibility").and_then(Attr::as_str);
        if visibility != Some("private") {
            bind_arguments(cx, body, func)?;
        }
    }
    let ties = named(body, &[TIE_SHAPE]);
    let mut rewriter = cx.rewriter(body);
    for tie in ties {
        let tensor = rewriter.body.operand(tie, 0);
        rewriter.replace(tie, &[tensor]);
    }
    let inner: Vec<OpId> = rewriter.body.walk(root).collect();
    for op in inner.into_iter().rev() {
        let name = rewriter.body.name(op).as_str();
        if let Some(&(_, to)) = RENAMED.iter().find(|(from, _)| *from == name) {
            rename(&mut rewriter, op, to);
        }
    }
    rename(&mut rewriter, root, "stream.executable");
    Ok(())
}

/// Replaces an op by one of another name.
fn rename(rewriter: &mut Rewriter<'_>, op: OpId, name: &'static str) {
    let types: Vec<Type> = rewriter.body.results(op).map(|r| rewriter.body.ty(r)).collect();
    let operands: Vec<ValueId> = rewriter.body.operands(op).collect();
    let regions = rewriter.body.regions(op).len();
    let new = NewOp::new(name)
        .operands(operands)
        .results(types)
        .attrs(rewriter.body.attrs(op))
        .regions(regions)
        .loc(rewriter.body.loc(op));
    let made = rewriter.insert(InsertPoint::Before(op), new);
    for index in 0..regions {
        if let (Some(from), Some(to)) =
            (rewriter.body.region(op, index), rewriter.body.region(made, index))
        {
            rewriter.take_region(from, to);
        }
    }
    let values: Vec<ValueId> = rewriter.body.results(made).collect();
    rewriter.replace(op, &values);
}

/// Makes bindings of the arguments that are dispatch tensors, and takes the tensors from them: at the
/// head of the function, or where it is said what their dynamic dimensions are.
fn bind_arguments(cx: &mut PassCx<'_>, body: &mut Body, func: OpId) -> Result<(), Failed> {
    let Some(entry) = body.region_entry(func, 0) else { return Ok(()) };
    let tied = |body: &Body, arg| body.users(arg).find(|&user| body.is(user, TIE_SHAPE));
    let args: Vec<ValueId> = body.block_args(entry).to_vec();
    let bound = |ty: Type| match ty.dialect_params(DISPATCH_TENSOR) {
        Some([_, bound]) => bound.as_type(),
        _ => None,
    };
    for &arg in &args {
        let open = bound(body.ty(arg)).is_some_and(|tensor| !tensor.has_static_shape());
        if open && !body.is_unused(arg) && tied(body, arg).is_none() {
            let message = format!(
                "nothing says what the dynamic dimensions of `{}` are; a `{TIE_SHAPE}` has to",
                body.ty(arg)
            );
            return Err(cx.error(body, func, "dynamic-binding", message));
        }
    }
    let mut rewriter = cx.rewriter(body);
    let loc = rewriter.body.loc(func);
    let zero = NewOp::new("arith.constant").attr("value", Attr::index(0)).result(Type::index());
    let first = rewriter.body.first_op(entry);
    let at = first.map_or(InsertPoint::End(entry), InsertPoint::Before);
    let zero = rewriter.insert_value(at, zero.loc(loc));
    for arg in args {
        let ty = rewriter.body.ty(arg);
        let Some(tensor) = bound(ty) else { continue };
        let tie = tied(rewriter.body, arg).filter(|_| !tensor.has_static_shape());
        let dims = tie.map(|tie| rewriter.body.operands(tie).skip(1).collect()).unwrap_or_default();
        rewriter.set_type(arg, Type::dialect("stream.binding", &[]));
        if rewriter.body.is_unused(arg) {
            continue;
        }
        let dims: Vec<ValueId> = dims;
        let subspan = rewriter
            .registry
            .new_op("stream.binding.subspan")
            .operands("binding", [arg])
            .operands("byte_offset", [zero])
            .operands("dynamic_dims", dims)
            .results("result", [ty])
            .loc(loc)
            .build();
        let subspan = rewriter.insert(tie.map_or(at, InsertPoint::Before), subspan);
        let tensor = rewriter.body.result(subspan, 0);
        rewriter.replace_uses_if(arg, tensor, |body, slot| body.use_owner(slot) != subspan);
    }
    let types: Vec<Type> =
        rewriter.body.block_args(entry).iter().map(|&a| rewriter.body.ty(a)).collect();
    rewriter.set_attr(func, "function_type", Attr::ty(Type::function(&types, &[])));
    Ok(())
}
