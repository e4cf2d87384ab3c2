//! What dispatches say of the number of workgroups, against the entry points that they name.

use tegula_ir::verify::Symbols;
use tegula_ir::{Attr, Body, OpId, Type};

/// Judges each entry point that a dispatch names. What is not there is not looked at.
pub fn each_entry<'a>(
    symbols: &Symbols<'a>,
    body: &'a Body,
    op: OpId,
    export: &str,
    mut fits: impl FnMut(&'a Body, OpId) -> Result<(), String>,
) -> Result<(), String> {
    let entries = body.attr(op, "entry_points").and_then(Attr::as_array).unwrap_or(&[]);
    if entries.is_empty() {
        return Err("at least one entry point must be defined".to_owned());
    }
    for &entry in entries {
        match symbols.find(body, op, entry) {
            Some((there, found)) if there.name(found).as_str() == export => {
                fits(there, found)?;
            }
            _ => return Ok(()),
        }
    }
    Ok(())
}

/// What computes a number of workgroups gives it in three dimensions.
pub fn verify_count(body: &Body, op: OpId) -> Result<(), String> {
    let Some(region) = body.region(op, 0) else { return Ok(()) };
    for end in body.blocks(region).filter_map(|block| body.last_op(block)) {
        let mut given = body.operands(end).map(|value| body.ty(value));
        if body.successors(end).is_empty() && (given.len() != 3 || !given.all(Type::is_index)) {
            return Err("workgroup count region must return the XYZ dimension counts".to_owned());
        }
    }
    Ok(())
}

/// The values that an entry point takes the number of workgroups from are those that are given.
pub fn workload_fits(
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
