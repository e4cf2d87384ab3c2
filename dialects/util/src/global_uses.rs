//! What refers to a global, against the global.

use tegula_ir::verify::Symbols;
use tegula_ir::{Attr, Body, OpId, Registry, Type, TypeData};

/// A global begins with a value of its type.
pub fn verify_initial(registry: &Registry, body: &Body, op: OpId) -> Result<(), String> {
    let ty = body.attr(op, "type").and_then(Attr::as_type);
    let initial = body.attr(op, "initial_value").and_then(|value| registry.value_type(value));
    match (ty, initial) {
        (Some(ty), Some(initial)) if !holds(ty, initial) => Err(format!(
            "initial value type mismatch; global \"{}\" is '{ty}' but initial value provided is \
             '{initial}'",
            body.symbol_name(op).unwrap_or_default()
        )),
        _ => Ok(()),
    }
}

/// There is such a global, and what says that it is never written names one that is not.
pub fn verify_address(symbols: &Symbols<'_>, body: &Body, op: OpId) -> Result<(), String> {
    global(symbols, body, op).map(drop)
}

/// What is read is of the global's type.
pub fn verify_load(symbols: &Symbols<'_>, body: &Body, op: OpId) -> Result<(), String> {
    let ty = global(symbols, body, op)?;
    let access = body.results(op).next().map(|value| body.ty(value));
    type_fits(body, op, (ty, access), ("load", holds))
}

/// What is written is of the global's type.
pub fn verify_store(symbols: &Symbols<'_>, body: &Body, op: OpId) -> Result<(), String> {
    let ty = global(symbols, body, op)?;
    let access = body.operands(op).next().map(|value| body.ty(value));
    type_fits(body, op, (ty, access), ("store", |a, b| a == b))
}

/// The type of the global that an op names.
fn global(symbols: &Symbols<'_>, body: &Body, op: OpId) -> Result<Option<Type>, String> {
    let Some((there, global)) = symbols.with_trait(body, op, "global", "GlobalOpInterface") else {
        return Err(format!("undefined global: @{}", name_of(body, op)));
    };
    if body.attr(op, "is_immutable").is_some() && there.attr(global, "is_mutable").is_some() {
        return Err("is marked as immutable but the global is mutable".to_owned());
    }
    Ok(there.attr(global, "type").and_then(Attr::as_type))
}

fn name_of(body: &Body, op: OpId) -> &'static str {
    let symbol = body.attr(op, "global").and_then(Attr::as_symbol_root);
    symbol.map_or("", |name| name.as_str())
}

fn type_fits(
    body: &Body,
    op: OpId,
    (global, access): (Option<Type>, Option<Type>),
    (what, fits): (&str, fn(Type, Type) -> bool),
) -> Result<(), String> {
    match (global, access) {
        (Some(global), Some(access)) if !fits(global, access) => Err(format!(
            "global type mismatch; global \"{}\" is '{global}' but {what} is '{access}'",
            name_of(body, op)
        )),
        _ => Ok(()),
    }
}

/// Whether a global can be read as a type: as what it is, with other sizes where one of the two
/// does not say them, or as a resource of another lifetime.
fn holds(global: Type, access: Type) -> bool {
    let same_kind = match (global.data(), access.data()) {
        (TypeData::Dialect { name, .. }, TypeData::Dialect { name: other, .. }) => name == other,
        _ => false,
    };
    global == access || same_kind || global.has_compatible_shape(access)
}
