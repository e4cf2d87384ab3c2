//! `iree-codegen-create-dispatch-config` and `iree-codegen-propagate-dispatch-config`: while the code
//! of a dispatch is made, what its entry point says stands beside its function.

use tegula_dialect_hal::executable::{Export, children, exports};
use tegula_ir::{Attr, Body, InsertPoint, NewOp, OpId, Type};
use tegula_pass::{Changed, PassCx, PassResult};
use tegula_rewrite::{IrMapping, Rewriter};

const CONFIG: &str = "iree_codegen.dispatch_config";
const SIZES: [&str; 3] = ["workgroup_size", "subgroup_size", "workgroup_local_memory"];

/// The op and the function that it is about.
fn configs(body: &Body, module: OpId) -> Vec<(OpId, &'static str)> {
    let function = |op| body.attr(op, "function_ref").and_then(Attr::as_symbol_root);
    let configs = children(body, module, CONFIG);
    configs.filter_map(|op| Some((op, function(op)?.as_str()))).collect()
}

/// Runs on a variant.
pub(crate) fn create(cx: &mut PassCx<'_>, body: &mut Body, variant: OpId) -> PassResult {
    let Some(module) = children(body, variant, "builtin.module").next() else {
        return Ok(Changed::No);
    };
    let there: Vec<&str> =
        configs(body, module).into_iter().map(|(_, function)| function).collect();
    let missing: Vec<Export> =
        exports(body, variant).into_iter().filter(|e| !there.contains(&e.name)).collect();
    let mut rw = cx.rewriter(body);
    let mut changed = Changed::No;
    for export in missing {
        let function = children(rw.body, module, "func.func")
            .find(|&op| rw.body.symbol_name(op) == Some(export.name));
        if let Some(function) = function {
            create_after(&mut rw, function, &export);
            changed = Changed::Yes;
        }
    }
    Ok(changed)
}

fn create_after(rw: &mut Rewriter<'_>, function: OpId, export: &Export) {
    let loc = rw.body.loc(function);
    let config = NewOp::new(CONFIG)
        .attr("function_ref", Attr::symbol(export.name))
        .attr_opt("workgroup_local_memory", rw.body.attr(export.op, "workgroup_local_memory"))
        .regions(1)
        .loc(loc);
    let config = rw.insert(InsertPoint::After(function), config);
    let Some(region) = rw.body.region(config, 0) else { return };
    let count = rw.body.region_entry(export.op, 0);
    let types: Vec<Type> = count.map_or(Vec::new(), |block| {
        rw.body.block_args(block).iter().map(|&arg| rw.body.ty(arg)).collect()
    });
    let block = rw.append_block(region, &types);
    let end = InsertPoint::End(block);
    let Some(count) = count.filter(|_| !types.is_empty()) else {
        let one = NewOp::new("arith.constant").attr("value", Attr::index(1)).result(Type::index());
        let one = rw.insert_value(end, one.loc(loc));
        rw.insert(end, NewOp::new("iree_codegen.yield").operands([one; 3]).loc(loc));
        return;
    };
    let mut mapping = IrMapping::new();
    let args = rw.body.block_args(block).to_vec();
    mapping.map_all(rw.body.block_args(count).iter().copied(), args);
    rw.clone_block_ops(count, end, &mut mapping);
    end_with(rw, config, "iree_codegen.yield");
}

/// Gives what the last op of an op's first region gives by another op.
fn end_with(rw: &mut Rewriter<'_>, op: OpId, name: &str) {
    let block = rw.body.region_entry(op, 0);
    if let Some(last) = block.and_then(|block| rw.body.last_op(block)) {
        let operands: Vec<_> = rw.body.operands(last).collect();
        let new = NewOp::new(name).operands(operands).loc(rw.body.loc(last));
        rw.replace_with(last, new);
    }
}

/// Runs on a variant.
pub(crate) fn propagate(cx: &mut PassCx<'_>, body: &mut Body, variant: OpId) -> PassResult {
    let Some(module) = children(body, variant, "builtin.module").next() else {
        return Ok(Changed::No);
    };
    let (configs, exports) = (configs(body, module), exports(body, variant));
    let mut rw = cx.rewriter(body);
    for &(config, function) in &configs {
        if let Some(export) = exports.iter().find(|export| export.name == function) {
            move_to_export(&mut rw, config, export.op);
        }
        rw.erase(config);
    }
    Ok(Changed::when(!configs.is_empty()))
}

fn move_to_export(rw: &mut Rewriter<'_>, config: OpId, export: OpId) {
    for name in SIZES {
        let Some(size) = rw.body.attr(config, name) else { continue };
        // An entry point has its sizes as indices.
        let size = match size.as_dense_array() {
            Some(sizes) => {
                Attr::array(&sizes.iter().map(|&size| Attr::index(size)).collect::<Vec<_>>())
            }
            None => Attr::index(size.as_int().unwrap_or_default()),
        };
        rw.set_attr(export, name, size);
    }
    let regions = (rw.body.region(config, 0), rw.body.region(export, 0));
    let (Some(from), Some(to)) = regions else { return };
    let counts = |body: &Body| body.region_entry(config, 0).map(|b| body.block_args(b).len());
    // A count that is made up for an entry point without one stays beside its function.
    if counts(rw.body) == Some(0) {
        return;
    }
    let old: Vec<_> = rw.body.blocks(to).collect();
    for block in old {
        rw.erase_block(block);
    }
    rw.take_region(from, to);
    end_with(rw, export, "hal.return");
}
