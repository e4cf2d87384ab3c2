//! `iree-abi-wrap-entry-points`: public functions take and return buffer views.

use std::fmt::Write as _;

use tegula_ir::{Attr, Body, Ident, InsertPoint, NewOp, OpId, Registry, Type, TypeData, ValueId};
use tegula_pass::{
    Changed, Failed, Header, PassCx, PassResult, SolveBySubject, Statement, Subject, Verdicts,
};

/// The pass. Bodies speak of public functions; what is said of one is that it gets a new name.
pub struct WrapEntryPoints;

impl SolveBySubject for WrapEntryPoints {
    type Claim = ();
    type Shared = ();
    type Common = ();
    type Verdict = ();

    fn summarize(&self, _: &Registry, _: &Header, body: &Body, root: OpId) -> Statement<(), ()> {
        let mut out = Statement::default();
        if let Some(name) = entry_point(body, root) {
            out.claims.push((Subject::of(name), ()));
            out.asks.push(Subject::of(name));
        }
        for callee in calls(body, root).filter_map(|call| callee(body, call)) {
            if !out.asks.contains(&callee) {
                out.asks.push(callee);
            }
        }
        out
    }

    fn common(&self, _: &mut PassCx<'_>, _: &[&()]) -> Result<(), Failed> {
        Ok(())
    }

    fn decide(&self, _: &mut PassCx<'_>, (): &(), _: Subject, _: &[&()]) -> Result<(), Failed> {
        Ok(())
    }

    fn apply(
        &self,
        cx: &mut PassCx<'_>,
        body: &mut Body,
        root: OpId,
        (): &(),
        wrapped: &Verdicts<'_, ()>,
    ) -> PassResult {
        let mut changed = Changed::No;
        for call in calls(body, root).collect::<Vec<_>>() {
            let callee = callee(body, call).filter(|&callee| wrapped.get(callee).is_some());
            if let Some(callee) = callee {
                let name = Attr::symbol(&private_name(callee.as_str()));
                cx.rewriter(body).set_attr(call, "callee", name);
                changed = Changed::Yes;
            }
        }
        Ok(changed | wrap(cx, body, root)?)
    }
}

/// The name of a function that the runtime calls.
fn entry_point(body: &Body, root: OpId) -> Option<&'static str> {
    let public = body.is(root, "util.func")
        && body.attr(root, "sym_visibility").and_then(Attr::as_str) != Some("private")
        && body.attr(root, "iree.abi.stub").is_none()
        && body.region_entry(root, 0).is_some();
    body.symbol_name(root).filter(|_| public)
}

fn calls(body: &Body, root: OpId) -> impl Iterator<Item = OpId> + '_ {
    body.walk(root).filter(|&op| body.is(op, "util.call"))
}

fn callee(body: &Body, call: OpId) -> Option<Subject> {
    body.attr(call, "callee").and_then(Attr::as_symbol_root)
}

/// What a function is called once another one stands for it.
fn private_name(name: &str) -> String {
    format!("_{name}")
}

/// Makes a function private, and emits the one that stands for it.
fn wrap(cx: &mut PassCx<'_>, body: &mut Body, root: OpId) -> PassResult {
    let Some(name) = entry_point(body, root) else { return Ok(Changed::No) };
    if cx.options.str("invocation-model") == "coarse-fences" {
        let message = "the invocation model `coarse-fences` is not supported; use `sync`";
        return Err(cx.error(body, root, "unsupported-option", message));
    }
    let function = body.attr(root, "function_type").and_then(Attr::as_type);
    let Some(TypeData::Function { inputs, results }) = function.map(|ty| ty.data()) else {
        return Ok(Changed::No);
    };
    if let Some(ty) = inputs.iter().chain(results).find(|ty| unsupported(**ty)) {
        let message = format!(
            "`{ty}` can't cross the border of the program: tensors must have static shapes"
        );
        return Err(cx.error(body, root, "unsupported-type", message));
    }
    let stub = make_stub(cx, body, root, name, inputs, results);
    cx.emit(stub);

    let mut rewriter = cx.rewriter(body);
    let synchronous = Attr::dialect("hal.abi.convention", &[Attr::string("synchronous")]);
    rewriter.remove_attr(root, "iree.reflection");
    rewriter.add_attrs(
        root,
        [
            (Ident::of("sym_name"), Attr::string(&private_name(name))),
            (Ident::of("sym_visibility"), Attr::string("private")),
            (Ident::of("hal.abi.convention"), synchronous),
        ],
    );
    Ok(Changed::Yes)
}

/// Whether values of the type can't be passed: tensors without a static shape or with an encoding.
fn unsupported(ty: Type) -> bool {
    match ty.data() {
        TypeData::RankedTensor { encoding, .. } => encoding.is_some() || !ty.has_static_shape(),
        TypeData::UnrankedTensor { .. } => true,
        _ => false,
    }
}

fn is_tensor(ty: Type) -> bool {
    matches!(ty.data(), TypeData::RankedTensor { .. })
}

/// What a type is on the outside: a buffer view for tensors, itself otherwise.
fn abi_type(ty: Type) -> Type {
    if is_tensor(ty) { Type::dialect("hal.buffer_view", &[]) } else { ty }
}

/// The entry of the i-th dictionary of an attribute such as `arg_attrs`.
fn io_attr(all: Option<Attr>, index: usize, name: &str) -> Option<Attr> {
    all?.as_array()?.get(index)?.get(name)
}

/// The name of an argument or result: the one that the source gives, or stem and number.
fn io_name(all: Option<Attr>, index: usize, stem: &str) -> String {
    match io_attr(all, index, "iree.abi.name").and_then(Attr::as_str) {
        Some(name) => name.to_owned(),
        None => format!("{stem}{index}"),
    }
}

/// The function's declaration as reflection shows it.
fn declaration(body: &Body, root: OpId, name: &str, inputs: &[Type], results: &[Type]) -> String {
    let mut text = format!("sync func @{name}(");
    let mut list = |types: &[Type], key: &str, stem: &str| {
        let attrs = body.attr(root, key);
        for (index, ty) in types.iter().enumerate() {
            let comma = if index > 0 { ", " } else { "" };
            // Writing to a string does not fail.
            let _ = write!(text, "{comma}%{}: {ty}", io_name(attrs, index, stem));
        }
        text.push(')');
        text.push_str(if key == "arg_attrs" { " -> (" } else { "" });
    };
    list(inputs, "arg_attrs", "input");
    list(results, "res_attrs", "output");
    text
}

/// Builds the public function that calls the one in `body` under its private name.
fn make_stub(
    cx: &PassCx<'_>,
    body: &Body,
    root: OpId,
    name: &str,
    inputs: &[Type],
    results: &[Type],
) -> Body {
    let registry = cx.registry;
    let loc = body.loc(root);
    let abi_inputs: Vec<Type> = inputs.iter().map(|&ty| abi_type(ty)).collect();
    let abi_results: Vec<Type> = results.iter().map(|&ty| abi_type(ty)).collect();
    let mut reflection: Vec<(Ident, Attr)> = Vec::new();
    if let Some(given) = body.attr(root, "iree.reflection").and_then(Attr::as_dict) {
        reflection.extend(given);
    }
    let text = declaration(body, root, name, inputs, results);
    let declared = body.attr(root, "iree.abi.declaration").unwrap_or(Attr::string(&text));
    reflection.push((Ident::of("iree.abi.declaration"), declared));

    let mut stub = Body::new();
    let top = InsertPoint::End(stub.top_block());
    let func = NewOp::new("util.func")
        .attr("sym_name", Attr::string(name))
        .attr("sym_visibility", Attr::string("public"))
        .attr("function_type", Attr::ty(Type::function(&abi_inputs, &abi_results)))
        .attr("iree.abi.stub", Attr::unit())
        .attr("iree.reflection", Attr::dict(reflection))
        .regions(1)
        .loc(loc);
    let mut rewriter = tegula_rewrite::Rewriter::new(&mut stub, registry);
    let func = rewriter.insert(top, func);
    let Some(region) = rewriter.body.region(func, 0) else { return stub };
    let entry = rewriter.append_block(region, &abi_inputs);
    let at = InsertPoint::End(entry);
    let args: Vec<ValueId> = rewriter.body.block_args(entry).to_vec();

    let arg_attrs = body.attr(root, "arg_attrs");
    let mut operands = Vec::with_capacity(args.len());
    for (index, (&arg, &ty)) in args.iter().zip(inputs).enumerate() {
        operands.push(if is_tensor(ty) {
            let import = registry
                .new_op("hal.tensor.import")
                .operands("source", [arg])
                .results("target", [ty])
                .attr("target_encoding", Attr::ty(ty))
                .attr("name", Attr::string(&io_name(arg_attrs, index, "input")))
                .attr_opt("consume", io_attr(arg_attrs, index, "iree.abi.consume"));
            rewriter.insert_value(at, import.build())
        } else {
            arg
        });
    }
    let call = NewOp::new("util.call")
        .attr("callee", Attr::symbol(&private_name(name)))
        .operands(operands)
        .results(results.iter().copied());
    let call = rewriter.insert(at, call);
    let values: Vec<ValueId> = rewriter.body.results(call).collect();

    let res_attrs = body.attr(root, "res_attrs");
    let mut returned = Vec::with_capacity(values.len());
    for (index, (&value, &ty)) in values.iter().zip(results).enumerate() {
        returned.push(if is_tensor(ty) {
            let export = registry
                .new_op("hal.tensor.export")
                .operands("source", [value])
                .results("target", [abi_type(ty)])
                .attr("source_encoding", Attr::ty(ty))
                .attr("name", Attr::string(&io_name(res_attrs, index, "output")));
            rewriter.insert_value(at, export.build())
        } else {
            value
        });
    }
    rewriter.insert(at, NewOp::new("util.return").operands(returned));
    stub
}
