//! Dispatches against the entry points that they name.

use tegula_ir::verify::Symbols;
use tegula_ir::{Attr, Body, OpId, Type};

/// Entry points take the workload that a dispatch gives. What is not there is not looked at.
pub(crate) fn verify_workload(symbols: &Symbols<'_>, body: &Body, op: OpId) -> Result<(), String> {
    each_entry(symbols, body, op, |there, export| workload_fits(symbols, body, op, (there, export)))
}

/// Entry points take the workload, the values and the ranges that a command gives.
pub(crate) fn verify_command(symbols: &Symbols<'_>, body: &Body, op: OpId) -> Result<(), String> {
    each_entry(symbols, body, op, |there, export| {
        workload_fits(symbols, body, op, (there, export))?;
        arguments_fit(symbols, body, op, (there, export))
    })
}

fn each_entry<'a>(
    symbols: &Symbols<'a>,
    body: &'a Body,
    op: OpId,
    mut fits: impl FnMut(&'a Body, OpId) -> Result<(), String>,
) -> Result<(), String> {
    let entries = body.attr(op, "entry_points").and_then(Attr::as_array).unwrap_or(&[]);
    if entries.is_empty() {
        return Err("at least one entry point must be defined".to_owned());
    }
    for &entry in entries {
        match symbols.find(body, op, entry) {
            Some((there, export)) if there.name(export).as_str() == "stream.executable.export" => {
                fits(there, export)?;
            }
            _ => return Ok(()),
        }
    }
    Ok(())
}

fn workload_fits(
    symbols: &Symbols<'_>,
    body: &Body,
    op: OpId,
    (there, export): (&Body, OpId),
) -> Result<(), String> {
    let Some(entry) = there.region_entry(export, 0) else { return Ok(()) };
    let taken: Vec<Type> = there.block_args(entry).iter().map(|&arg| there.ty(arg)).collect();
    let given = symbols.registry().operands_of(body, op, "workload");
    if taken.len() != given.len() {
        return Err(format!(
            "workload mismatch; entry point expects {} arguments but dispatch provides {}",
            taken.len(),
            given.len()
        ));
    }
    let mut pairs = taken.iter().zip(given.iter().map(|&value| body.ty(value))).enumerate();
    match pairs.find(|(_, (taken, given))| *taken != given) {
        Some((index, (taken, given))) => Err(format!(
            "workload operand {index} type mismatch; expected {taken} but passed {given}"
        )),
        None => Ok(()),
    }
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
