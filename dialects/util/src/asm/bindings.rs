//! `custom<Bindings>`: ranges of buffers that device code works on.

use tegula_ir::text::{OpParser, OpPrinter, ParseArgs, ParseResult, PrintArgs};
use tegula_ir::{Body, OpId, Registry};

/// Each buffer comes with an offset and a length.
pub fn verify_bindings(registry: &Registry, body: &Body, op: OpId) -> Result<(), String> {
    let [buffers, offsets, lengths] = ["binding_buffers", "binding_offsets", "binding_lengths"]
        .map(|group| registry.operands_of(body, op, group).len());
    if buffers != offsets || buffers != lengths {
        return Err(format!(
            "binding buffers/offsets/lengths must match; have {buffers}/{offsets}/{lengths}"
        ));
    }
    Ok(())
}

/// `custom<Bindings>($buffers, type($buffers), $offsets, $lengths)`: a line for each range,
/// `(%buffer : type)[%offset, %length]`.
pub fn parse_bindings(p: &mut OpParser<'_>, args: &mut ParseArgs<'_>) -> ParseResult<bool> {
    let (mut buffers, mut types) = (Vec::new(), Vec::new());
    let (mut offsets, mut lengths) = (Vec::new(), Vec::new());
    while p.eat("(") {
        buffers.push(p.operand()?);
        types.push(p.colon_type()?);
        p.expect(")")?;
        p.expect("[")?;
        offsets.push(p.operand()?);
        p.expect(",")?;
        lengths.push(p.operand()?);
        p.expect("]")?;
        if !p.eat(",") {
            break;
        }
    }
    *args.operands(p, 0)? = buffers;
    *args.types(p, 1)? = types;
    *args.operands(p, 2)? = offsets;
    *args.operands(p, 3)? = lengths;
    Ok(true)
}

/// Prints `custom<Bindings>`.
pub fn print_bindings(p: &mut OpPrinter<'_>, _: OpId, args: &PrintArgs) {
    let ranges = args.operands(2).iter().zip(args.operands(3));
    let bindings = args.operands(0).iter().zip(args.types(1)).zip(ranges);
    for (index, ((&buffer, &ty), (&offset, &length))) in bindings.enumerate() {
        p.write(if index > 0 { ", " } else { "" });
        p.newline();
        p.write("  (");
        p.operand(buffer);
        p.write(" : ");
        p.ty(ty);
        p.write(")[");
        p.operand(offset);
        p.write(", ");
        p.operand(length);
        p.write("]");
    }
    p.newline();
}
