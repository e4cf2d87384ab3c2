//! Dispatches and calls against the entry points and functions that they name.

use tegula_dialect_util::workload::{each_entry, workload_fits};
use tegula_ir::text::print_type;
use tegula_ir::verify::Symbols;
use tegula_ir::{Attr, Body, OpId, Type};

const EXPORT: &str = "stream.executable.export";

/// Entry points take the workload that a dispatch gives. What is not there is not looked at.
pub(crate) fn verify_workload(symbols: &Symbols<'_>, body: &Body, op: OpId) -> Result<(), String> {
    each_entry(symbols, body, op, EXPORT, |there, export| {
        workload_fits(symbols, body, op, (there, export))
    })
}

/// Entry points take the workload, the values and the ranges that a command gives.
pub(crate) fn verify_command(symbols: &Symbols<'_>, body: &Body, op: OpId) -> Result<(), String> {
    each_entry(symbols, body, op, EXPORT, |there, export| {
        workload_fits(symbols, body, op, (there, export))?;
        arguments_fit(symbols, body, op, (there, export))
    })
}

fn arguments_fit(
    symbols: &Symbols<'_>,
    body: &Body,
    op: OpId,
    (there, export): (&Body, OpId),
) -> Result<(), String> {
    let registry = symbols.registry();
    let Some(function) = function_behind(there, export) else { return Ok(()) };
    let ty = there.attr(function, "function_type").and_then(Attr::as_type);
    let Some((inputs, _)) = ty.and_then(Type::as_function) else { return Ok(()) };
    let (bindings, taken): (Vec<Type>, Vec<Type>) =
        inputs.iter().partition(|ty| ty.dialect_params("stream.binding").is_some());
    let given: Vec<Type> =
        registry.operands_of(body, op, "uniform_operands").iter().map(|&v| body.ty(v)).collect();
    let resources = registry.operands_of(body, op, "resources").len();
    if given.len() != taken.len() {
        return Err(format!(
            "function type mismatch; expected {} uniform arguments on exported function, but has {}",
            given.len(),
            taken.len()
        ));
    }
    if resources != bindings.len() {
        return Err(format!(
            "function type mismatch; expected {resources} binding arguments on exported function, \
             but has {}",
            bindings.len()
        ));
    }
    match given.iter().zip(&taken).find(|(given, taken)| given != taken) {
        Some((given, taken)) => Err(format!(
            "uniform dispatch argument type mismatch: expected {given} but got {taken}"
        )),
        None => Ok(()),
    }
}

/// There is such a function, which takes the resources of a call; their lifetimes may be open in
/// the function.
pub(crate) fn verify_async_call(
    symbols: &Symbols<'_>,
    body: &Body,
    op: OpId,
) -> Result<(), String> {
    let Some((there, function)) = symbols.named(body, op, "callee", "stream.async.func") else {
        return Err(undefined(body, op));
    };
    let ty = there.attr(function, "function_type").and_then(Attr::as_type);
    let Some((inputs, results)) = ty.and_then(Type::as_function) else { return Ok(()) };
    let registry = symbols.registry();
    let given = registry.operands_of(body, op, "resource_operands");
    let given: Vec<Type> = given.into_iter().map(|value| body.ty(value)).collect();
    let taken: Vec<Type> = body.results(op).map(|value| body.ty(value)).collect();
    if given.len() != inputs.len() || taken.len() != results.len() {
        return Err(format!(
            "function type mismatch; expected {} but callee is {}",
            print_type(registry, Type::function(&given, &taken)),
            print_type(registry, Type::function(inputs, results))
        ));
    }
    for (what, of_call, of_callee) in [("argument", given, inputs), ("result", taken, results)] {
        if let Some((call, callee)) =
            of_call.into_iter().zip(of_callee).find(|(call, callee)| !covers(**callee, *call))
        {
            return Err(format!(
                "function {what} type mismatch; expected {} but callee provides {}",
                print_type(registry, call),
                print_type(registry, *callee)
            ));
        }
    }
    Ok(())
}

/// Whether what is of one type may be taken for the other.
fn covers(callee: Type, call: Type) -> bool {
    let lifetime = |ty: Type| ty.dialect_params("stream.resource")?.first()?.as_str();
    callee == call || lifetime(callee) == Some("*") && lifetime(call).is_some()
}

/// There is such a function.
pub(crate) fn verify_cmd_call(symbols: &Symbols<'_>, body: &Body, op: OpId) -> Result<(), String> {
    let callee = body.attr(op, "callee").and_then(|callee| symbols.find(body, op, callee));
    callee.map(drop).ok_or_else(|| undefined(body, op))
}

fn undefined(body: &Body, op: OpId) -> String {
    let name = body.attr(op, "callee").and_then(Attr::as_symbol_root);
    format!("undefined external call: {}", name.map_or("", |name| name.as_str()))
}

/// The function behind an entry point: that of the name it gives, in the module beside it.
pub(crate) fn function_behind(body: &Body, export: OpId) -> Option<OpId> {
    let name = match body.attr(export, "function_ref").and_then(Attr::as_symbol_root) {
        Some(name) => name.as_str(),
        None => body.symbol_name(export)?,
    };
    let children = |op: OpId| {
        let regions = body.regions(op).iter();
        let blocks = regions.flat_map(|&region| body.blocks(region));
        blocks.flat_map(|block| body.block_ops(block)).collect::<Vec<_>>()
    };
    let beside = children(body.parent_op(export)?).into_iter();
    let modules = beside.filter(|&op| body.is(op, "builtin.module"));
    modules.flat_map(children).find(|&op| body.symbol_name(op) == Some(name))
}
