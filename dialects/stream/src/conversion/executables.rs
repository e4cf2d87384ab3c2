//! Executables: dispatch tensors come from bindings.

use tegula_ir::{Attr, Body, InsertPoint, NewOp, OpId, Type, ValueId};
use tegula_pass::PassCx;
use tegula_rewrite::Rewriter;

/// Ops and what they become, attributes and regions as they are.
const RENAMED: &[(&str, &str)] = &[
    ("flow.executable.export", "stream.executable.export"),
    ("flow.executable_end", "stream.executable.end"),
    ("flow.return", "stream.return"),
];

/// Converts an executable in place of the old one.
pub(crate) fn convert(cx: &PassCx<'_>, body: &mut Body, root: OpId) {
    let mut rewriter = cx.rewriter(body);
    let funcs: Vec<OpId> =
        rewriter.body.walk(root).filter(|&op| rewriter.body.is(op, "func.func")).collect();
    for func in funcs {
        bind_arguments(&mut rewriter, func);
    }
    let inner: Vec<OpId> = rewriter.body.walk(root).collect();
    for op in inner.into_iter().rev() {
        let name = rewriter.body.name(op).as_str();
        if let Some(&(_, to)) = RENAMED.iter().find(|(from, _)| *from == name) {
            rename(&mut rewriter, op, to);
        }
    }
    rename(&mut rewriter, root, "stream.executable");
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

/// Makes bindings of the arguments that are dispatch tensors, and takes the tensors from them.
fn bind_arguments(rewriter: &mut Rewriter<'_>, func: OpId) {
    let Some(entry) = rewriter.body.region_entry(func, 0) else { return };
    let binding = Type::dialect("stream.binding", &[]);
    let loc = rewriter.body.loc(func);
    let args: Vec<ValueId> = rewriter.body.block_args(entry).to_vec();
    let tensors: Vec<(ValueId, Type)> = args
        .iter()
        .map(|&arg| (arg, rewriter.body.ty(arg)))
        .filter(|(_, ty)| ty.dialect_params("iree_tensor_ext.dispatch.tensor").is_some())
        .collect();
    let mut at = InsertPoint::Start(entry);
    let mut zero = None;
    for (arg, ty) in tensors {
        let offset = match zero {
            Some(zero) => zero,
            None => {
                let new = NewOp::new("arith.constant")
                    .attr("value", Attr::index(0))
                    .result(Type::index())
                    .loc(loc);
                let op = rewriter.insert(at, new);
                at = InsertPoint::After(op);
                *zero.insert(rewriter.body.result(op, 0))
            }
        };
        rewriter.set_type(arg, binding);
        let subspan = rewriter
            .registry
            .new_op("stream.binding.subspan")
            .operands("binding", [arg])
            .operands("byte_offset", [offset])
            .results("result", [ty])
            .loc(loc)
            .build();
        let subspan = rewriter.insert(at, subspan);
        at = InsertPoint::After(subspan);
        let tensor = rewriter.body.result(subspan, 0);
        rewriter.replace_uses_if(arg, tensor, |body, slot| body.use_owner(slot) != subspan);
    }
    let types: Vec<Type> =
        rewriter.body.block_args(entry).iter().map(|&a| rewriter.body.ty(a)).collect();
    rewriter.set_attr(func, "function_type", Attr::ty(Type::function(&types, &[])));
}
