//! The indices of addresses.

use tegula_ir::text::{OpParser, OpPrinter, ParseArgs, ParseResult, PrintArgs, print_type};
use tegula_ir::{Attr, Body, OpId, Registry, Type};

/// Stands among the constant indices for the next of the dynamic ones.
const DYNAMIC: i32 = i32::MIN;

/// `custom<GEPIndices>($dynamicIndices, $rawConstantIndices)`: values and integers.
pub(crate) fn parse_indices(p: &mut OpParser<'_>, args: &mut ParseArgs<'_>) -> ParseResult<bool> {
    let (mut values, mut constants) = (Vec::new(), Vec::new());
    loop {
        if let Some(value) = p.eat_operand()? {
            values.push(value);
            constants.push(DYNAMIC);
        } else {
            let span = p.span();
            let index = i32::try_from(p.integer()?).ok().filter(|&index| index != DYNAMIC);
            constants.push(index.ok_or_else(|| p.error_at(span, "the index has over 32 bits"))?);
        }
        if !p.eat(",") {
            break;
        }
    }
    *args.operands(p, 0)? = values;
    *args.attr(p, 1)? = Some(Attr::i32_array(&constants));
    Ok(true)
}

/// Prints `custom<GEPIndices>`.
pub(crate) fn print_indices(p: &mut OpPrinter<'_>, _: OpId, args: &PrintArgs) {
    let mut values = args.operands(0).iter();
    let constants = args.attr(1).and_then(Attr::as_dense_array).unwrap_or(&[]);
    for (at, &constant) in constants.iter().enumerate() {
        p.write(if at > 0 { ", " } else { "" });
        if constant == i64::from(DYNAMIC) {
            values.next().into_iter().for_each(|&value| p.operand(value));
        } else {
            p.display(constant);
        }
    }
}

/// Each dynamic index has its place, and what is indexed has parts.
pub(crate) fn verify(registry: &Registry, body: &Body, op: OpId) -> Result<(), String> {
    let constants = body.attr(op, "rawConstantIndices").and_then(Attr::as_dense_array);
    let constants = constants.unwrap_or(&[]);
    let places = constants.iter().filter(|&&index| index == i64::from(DYNAMIC)).count();
    let given = registry.operands_of(body, op, "dynamicIndices").len();
    if places != given {
        return Err(format!("has {given} dynamic indices for {places} places"));
    }
    let Some(mut ty) = body.attr(op, "elem_type").and_then(Attr::as_type) else { return Ok(()) };
    for (at, &index) in constants.iter().enumerate().skip(1) {
        ty = indexed(registry, ty, index).map_err(|why| format!("index {at}: {why}"))?;
    }
    Ok(())
}

/// The type of the part that an index leads to.
fn indexed(registry: &Registry, ty: Type, index: i64) -> Result<Type, String> {
    let text = |ty: Type| print_type(registry, ty);
    if let Some([_, body, ..]) = ty.dialect_params("llvm.struct") {
        if index == i64::from(DYNAMIC) {
            return Err(format!("'{}' takes constant indices only", text(ty)));
        }
        let fields = body.as_array().unwrap_or(&[]);
        let field = usize::try_from(index).ok().and_then(|index| fields.get(index));
        return field
            .and_then(|ty| ty.as_type())
            .ok_or_else(|| format!("'{}' has no part {index}", text(ty)));
    }
    let element = match ty.dialect_params("llvm.array") {
        Some([element, _]) => element.as_type(),
        _ => ty.element(),
    };
    element.ok_or_else(|| format!("'{}' has no parts", text(ty)))
}
