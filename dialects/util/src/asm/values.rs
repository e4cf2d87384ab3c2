//! Lists of values with their types or sizes, and results that name the operand they are tied to.

use tegula_ir::OpId;
use tegula_ir::text::{OpParser, OpPrinter, ParseArgs, ParseResult, PrintArgs, UnresolvedOperand};

use super::shaped::{parse_sized_type, print_dims};

/// `custom<ValueTypeList>($values, type($values))`: `[%a : i32, %b : f32]`.
pub fn parse_value_type_list(p: &mut OpParser<'_>, args: &mut ParseArgs<'_>) -> ParseResult<bool> {
    let (mut values, mut types) = (Vec::new(), Vec::new());
    p.expect("[")?;
    while let Some(value) = p.eat_operand()? {
        values.push(value);
        p.expect(":")?;
        types.push(p.ty()?);
        if !p.eat(",") {
            break;
        }
    }
    p.expect("]")?;
    *args.operands(p, 0)? = values;
    *args.types(p, 1)? = types;
    Ok(true)
}

/// Prints `custom<ValueTypeList>`.
pub fn print_value_type_list(p: &mut OpPrinter<'_>, _: OpId, args: &PrintArgs) {
    p.write("[");
    for (index, (&value, &ty)) in args.operands(0).iter().zip(args.types(1)).enumerate() {
        p.write(if index > 0 { ", " } else { "" });
        p.operand(value);
        p.write(" : ");
        p.ty(ty);
    }
    p.write("]");
}

/// `custom<TypedValueList>(ref(type($like)), $values, type($values))`: values of one type.
pub fn parse_typed_value_list(p: &mut OpParser<'_>, args: &mut ParseArgs<'_>) -> ParseResult<bool> {
    let like = args.types(p, 0)?.first().copied();
    let values = p.operands_in("[", "]")?;
    let Some(like) = like else { return Err(p.error("the type of the values is not known")) };
    *args.types(p, 2)? = vec![like; values.len()];
    *args.operands(p, 1)? = values;
    Ok(true)
}

/// Prints `custom<TypedValueList>`.
pub fn print_typed_value_list(p: &mut OpPrinter<'_>, _: OpId, args: &PrintArgs) {
    p.write("[");
    p.operands(args.operands(1).iter().copied());
    p.write("]");
}

/// `custom<PassedTypes>(type($operands), type($results))`: the types of operands that are also those
/// of the results.
pub fn parse_passed_types(p: &mut OpParser<'_>, args: &mut ParseArgs<'_>) -> ParseResult<bool> {
    let mut types = vec![p.ty()?];
    while p.eat(",") {
        types.push(p.ty()?);
    }
    args.types(p, 0)?.clone_from(&types);
    *args.types(p, 1)? = types;
    Ok(true)
}

/// Prints `custom<PassedTypes>`.
pub fn print_passed_types(p: &mut OpPrinter<'_>, _: OpId, args: &PrintArgs) {
    for (index, &ty) in args.types(0).iter().enumerate() {
        p.write(if index > 0 { ", " } else { "" });
        p.ty(ty);
    }
}

/// `[%offset for %length]`
pub fn parse_range(p: &mut OpParser<'_>) -> ParseResult<[UnresolvedOperand; 2]> {
    p.expect("[")?;
    let offset = p.operand()?;
    p.expect("for")?;
    let length = p.operand()?;
    p.expect("]")?;
    Ok([offset, length])
}

/// `custom<RangeList>($offsets, $lengths)`: `[%offset for %length], …`.
pub fn parse_range_list(p: &mut OpParser<'_>, args: &mut ParseArgs<'_>) -> ParseResult<bool> {
    let (mut offsets, mut lengths) = (Vec::new(), Vec::new());
    loop {
        let [offset, length] = parse_range(p)?;
        offsets.push(offset);
        lengths.push(length);
        if !p.eat(",") {
            break;
        }
    }
    *args.operands(p, 0)? = offsets;
    *args.operands(p, 1)? = lengths;
    Ok(true)
}

/// Prints `custom<RangeList>`.
pub fn print_range_list(p: &mut OpPrinter<'_>, _: OpId, args: &PrintArgs) {
    for (index, (&offset, &length)) in args.operands(0).iter().zip(args.operands(1)).enumerate() {
        p.write(if index > 0 { ", [" } else { "[" });
        p.operand(offset);
        p.write(" for ");
        p.operand(length);
        p.write("]");
    }
}

/// `custom<SizeAwareType>(type($value), $size)`: `type{%size}`.
pub fn parse_size_aware_type(p: &mut OpParser<'_>, args: &mut ParseArgs<'_>) -> ParseResult<bool> {
    let ty = p.ty()?;
    p.expect("{")?;
    let size = p.operand()?;
    p.expect("}")?;
    *args.types(p, 0)? = vec![ty];
    *args.operands(p, 1)? = vec![size];
    Ok(true)
}

/// Prints `custom<SizeAwareType>`.
pub fn print_size_aware_type(p: &mut OpPrinter<'_>, _: OpId, args: &PrintArgs) {
    if let Some(&ty) = args.types(0).first() {
        p.ty(ty);
    }
    p.write("{");
    p.operands(args.operands(1).iter().copied());
    p.write("}");
}

/// `custom<ShapedTiedResult>(ref($target), type($target), $dims)`: `%target as type{%dims}`. The
/// result lives in the storage of the operand; text may leave the operand out.
pub fn parse_shaped_tied_result(
    p: &mut OpParser<'_>,
    args: &mut ParseArgs<'_>,
) -> ParseResult<bool> {
    if p.eat_operand()?.is_some() {
        p.expect("as")?;
    }
    let mut dims = Vec::new();
    *args.types(p, 1)? = vec![parse_sized_type(p, &mut dims)?];
    *args.operands(p, 2)? = dims;
    Ok(true)
}

/// Prints `custom<ShapedTiedResult>`.
pub fn print_shaped_tied_result(p: &mut OpPrinter<'_>, _: OpId, args: &PrintArgs) {
    if let (Some(&target), Some(&ty)) = (args.operands(0).first(), args.types(1).first()) {
        p.operand(target);
        p.write(" as ");
        p.ty(ty);
        print_dims(p, ty, &mut args.operands(2));
    }
}
