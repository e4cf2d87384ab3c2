//! The text of groups of tensors.

use tegula_dialect_util::asm;
use tegula_ir::OpId;
use tegula_ir::text::{OpParser, OpPrinter, ParseArgs, ParseResult, PrintArgs};

/// `custom<ShapedOperandList>($tensors, type($tensors), $dims)`: `%a : type{%dims}, …`.
pub(crate) fn parse_tensors(p: &mut OpParser<'_>, args: &mut ParseArgs<'_>) -> ParseResult<bool> {
    let (mut tensors, mut types, mut dims) = (Vec::new(), Vec::new(), Vec::new());
    loop {
        tensors.push(p.operand()?);
        p.expect(":")?;
        types.push(asm::parse_sized_type(p, &mut dims)?);
        if !p.eat(",") {
            break;
        }
    }
    *args.operands(p, 0)? = tensors;
    *args.types(p, 1)? = types;
    *args.operands(p, 2)? = dims;
    Ok(true)
}

/// Prints `custom<ShapedOperandList>`.
pub(crate) fn print_tensors(p: &mut OpPrinter<'_>, _: OpId, args: &PrintArgs) {
    let mut dims = args.operands(2);
    for (index, (&tensor, &ty)) in args.operands(0).iter().zip(args.types(1)).enumerate() {
        p.write(if index > 0 { ", " } else { "" });
        p.operand(tensor);
        p.write(" : ");
        p.ty(ty);
        asm::print_dims(p, ty, &mut dims);
    }
}
