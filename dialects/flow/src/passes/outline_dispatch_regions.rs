//! `iree-flow-outline-dispatch-regions`: each dispatch becomes an executable of its own.

use tegula_ir::{Attr, Body, InsertPoint, NewOp, OpId, Type, ValueId};
use tegula_pass::{Changed, Failed, PassCx, PassResult};
use tegula_rewrite::{IrMapping, Rewriter};

/// Runs the pass on one top-level op.
pub fn run(cx: &mut PassCx<'_>, body: &mut Body, root: OpId) -> PassResult {
    let Some(prefix) = body.symbol_name(root) else { return Ok(Changed::No) };
    let dispatches: Vec<OpId> =
        body.walk(root).filter(|&op| body.is(op, "flow.dispatch.workgroups")).collect();
    for (ordinal, &op) in dispatches.iter().enumerate() {
        let name = format!("{prefix}_dispatch_{ordinal}");
        let executable = make_executable(cx, body, op, &name)?;
        cx.emit(executable);
        let mut rewriter = cx.rewriter(body);
        replace(&mut rewriter, op, &name);
    }
    Ok(Changed::when(!dispatches.is_empty()))
}

/// Replaces the region op by a dispatch of the executable.
fn replace(rewriter: &mut Rewriter<'_>, op: OpId, name: &str) {
    let registry = rewriter.registry;
    let group = |rewriter: &Rewriter<'_>, name: &str| registry.operands_of(rewriter.body, op, name);
    let results: Vec<Type> = rewriter.body.results(op).map(|r| rewriter.body.ty(r)).collect();
    let mut new = registry.new_op("flow.dispatch");
    for name in ["workload", "arguments", "argument_dims", "result_dims"] {
        new = new.operands(name, group(rewriter, name));
    }
    let entry = Attr::symbol_path(&[name, name]);
    let mut new = new
        .results("results", results)
        .attr("entry_points", Attr::array(&[entry]))
        .attr_opt("tied_operands", rewriter.body.attr(op, "tied_operands"));
    for &(key, attr) in rewriter.body.attr_entries(op) {
        if key.as_str().contains('.') {
            new = new.attr(key.as_str(), attr);
        }
    }
    rewriter.replace_with(op, new.build());
}

fn make_executable(cx: &mut PassCx<'_>, body: &Body, op: OpId, name: &str) -> Result<Body, Failed> {
    let loc = body.loc(op);
    let mut out = Body::new();
    let mut rewriter = Rewriter::new(&mut out, cx.registry);
    let top = InsertPoint::End(rewriter.body.top_block());
    let executable = NewOp::new("flow.executable")
        .attr("sym_name", Attr::string(name))
        .attr("sym_visibility", Attr::string("private"))
        .regions(1)
        .loc(loc);
    let executable = rewriter.insert(top, executable);
    let block = open_region(&mut rewriter, executable);

    let mut export = NewOp::new("flow.executable.export")
        .attr("sym_name", Attr::string(name))
        .attr("sym_visibility", Attr::string("public"))
        .attr("function_ref", Attr::symbol(name))
        .regions(1)
        .loc(loc);
    for &(key, attr) in body.attr_entries(op) {
        if key.as_str().contains('.') {
            export = export.attr(key.as_str(), attr);
        }
    }
    let export = rewriter.insert(InsertPoint::End(block), export);
    let mut unmapped = false;
    if let (Some(count), Some(region)) = (body.region_entry(op, 1), rewriter.body.region(export, 0))
    {
        let types: Vec<Type> = body.block_args(count).iter().map(|&a| body.ty(a)).collect();
        let target = rewriter.append_block(region, &types);
        let mut mapping = IrMapping::new();
        let args: Vec<ValueId> = rewriter.body.block_args(target).to_vec();
        mapping.map_all(body.block_args(count).iter().copied(), args);
        for inner in body.block_ops(count) {
            let at = InsertPoint::End(target);
            unmapped |= rewriter.clone_from(body, inner, at, &mut mapping).is_err();
        }
    }

    let module = NewOp::new("builtin.module").regions(1).loc(loc);
    let module = rewriter.insert(InsertPoint::End(block), module);
    let module_block = open_region(&mut rewriter, module);
    let entry = body.region_entry(op, 0);
    let args: Vec<ValueId> = entry.map(|e| body.block_args(e).to_vec()).unwrap_or_default();
    let types: Vec<Type> = args.iter().map(|&a| body.ty(a)).collect();
    let func = NewOp::new("func.func")
        .attr("sym_name", Attr::string(name))
        .attr("function_type", Attr::ty(Type::function(&types, &[])))
        .regions(1)
        .loc(loc);
    let func = rewriter.insert(InsertPoint::End(module_block), func);
    if let (Some(entry), Some(region)) = (entry, rewriter.body.region(func, 0)) {
        let target = rewriter.append_block(region, &types);
        let mut mapping = IrMapping::new();
        let new_args: Vec<ValueId> = rewriter.body.block_args(target).to_vec();
        mapping.map_all(args.iter().copied(), new_args);
        for inner in body.block_ops(entry) {
            let at = InsertPoint::End(target);
            if body.is(inner, "flow.return") {
                rewriter.insert(at, NewOp::new("func.return").loc(body.loc(inner)));
            } else {
                unmapped |= rewriter.clone_from(body, inner, at, &mut mapping).is_err();
            }
        }
    }
    rewriter.insert(InsertPoint::End(block), NewOp::new("flow.executable_end").loc(loc));
    if unmapped {
        let message = "the dispatch uses a value that is neither its argument nor in it";
        return Err(cx.error(body, op, "captured-value", message));
    }
    Ok(out)
}

/// Adds a block to the only region of an op.
fn open_region(rewriter: &mut Rewriter<'_>, op: OpId) -> tegula_ir::BlockId {
    let region = match rewriter.body.region(op, 0) {
        Some(region) => region,
        None => rewriter.add_region(op),
    };
    rewriter.append_block(region, &[])
}
