//! The text of groups of resources: constants, tensors, operands of calls.

use tegula_dialect_util::asm;
use tegula_ir::text::{OpParser, OpPrinter, ParseArgs, ParseResult, PrintArgs};
use tegula_ir::{Attr, OpId};

use crate::passes::is_resource;

/// `custom<ConstantValueList>(type($results), $sizes, $values)`: lines `type{size} = value`.
pub(crate) fn parse_constants(p: &mut OpParser<'_>, args: &mut ParseArgs<'_>) -> ParseResult<bool> {
    let (mut types, mut sizes, mut values) = (Vec::new(), Vec::new(), Vec::new());
    loop {
        types.push(p.ty()?);
        p.expect("{")?;
        sizes.push(p.operand()?);
        p.expect("}")?;
        p.expect("=")?;
        values.push(p.attr()?);
        if !p.eat(",") {
            break;
        }
    }
    *args.types(p, 0)? = types;
    *args.operands(p, 1)? = sizes;
    *args.attr(p, 2)? = Some(Attr::array(&values));
    Ok(true)
}

pub(crate) fn print_constants(p: &mut OpPrinter<'_>, _: OpId, args: &PrintArgs) {
    let values = args.attr(2).and_then(Attr::as_array).unwrap_or(&[]);
    let lines = args.types(0).iter().zip(args.operands(1)).zip(values);
    for (index, ((&ty, &size), &value)) in lines.enumerate() {
        p.write(if index > 0 { "," } else { "" });
        p.newline();
        p.write("  ");
        p.ty(ty);
        p.write("{");
        p.operand(size);
        p.write("} = ");
        p.attr(value);
    }
}

/// `custom<EncodedResourceOperands>($resources, type($resources), $sizes, $encodings, $dims)`: lines
/// `resource : encoding{dims} in type{size}`.
pub(crate) fn parse_tensors(p: &mut OpParser<'_>, args: &mut ParseArgs<'_>) -> ParseResult<bool> {
    let (mut resources, mut types, mut sizes) = (Vec::new(), Vec::new(), Vec::new());
    let (mut encodings, mut dims) = (Vec::new(), Vec::new());
    loop {
        resources.push(p.operand()?);
        p.expect(":")?;
        let encoding = asm::parse_sized_type(p, &mut dims)?;
        encodings.push(Attr::ty(encoding));
        p.expect("in")?;
        types.push(asm::parse_sized_type(p, &mut sizes)?);
        if !p.eat(",") {
            break;
        }
    }
    *args.operands(p, 0)? = resources;
    *args.types(p, 1)? = types;
    *args.operands(p, 2)? = sizes;
    *args.attr(p, 3)? = Some(Attr::array(&encodings));
    *args.operands(p, 4)? = dims;
    Ok(true)
}

pub(crate) fn print_tensors(p: &mut OpPrinter<'_>, _: OpId, args: &PrintArgs) {
    let encodings = args.attr(3).and_then(Attr::as_array).unwrap_or(&[]);
    let (mut sizes, mut dims) = (args.operands(2), args.operands(4));
    let lines = args.operands(0).iter().zip(args.types(1)).zip(encodings);
    p.indented(|p| {
        for (index, ((&resource, &ty), encoding)) in lines.enumerate() {
            p.write(if index > 0 { "," } else { "" });
            p.newline();
            p.operand(resource);
            p.write(" : ");
            if let Some(encoding) = encoding.as_type() {
                p.ty(encoding);
                asm::print_dims(p, encoding, &mut dims);
            }
            p.write(" in ");
            p.ty(ty);
            asm::print_dims(p, ty, &mut sizes);
        }
    });
    p.newline();
}

/// `custom<CmdCallOperands>($operands, $offsets, $lengths, $accesses)`: `ro %resource[%offset for
/// %length]` for resources, just the value for others.
pub(crate) fn parse_call(p: &mut OpParser<'_>, args: &mut ParseArgs<'_>) -> ParseResult<bool> {
    let (mut operands, mut offsets, mut lengths) = (Vec::new(), Vec::new(), Vec::new());
    let mut accesses = Vec::new();
    p.expect("(")?;
    while !p.at(")") {
        let access = match p.eat_keyword_of(&["ro", "wo", "rw"]) {
            Some("ro") => Some(1),
            Some("wo") => Some(2),
            Some(_) => Some(3),
            None => None,
        };
        operands.push(p.operand()?);
        if let Some(access) = access {
            accesses.push(Attr::i32(access));
            let [offset, length] = asm::parse_range(p)?;
            offsets.push(offset);
            lengths.push(length);
        }
        if !p.eat(",") {
            break;
        }
    }
    p.expect(")")?;
    *args.operands(p, 0)? = operands;
    *args.operands(p, 1)? = offsets;
    *args.operands(p, 2)? = lengths;
    *args.attr(p, 3)? = Some(Attr::array(&accesses));
    Ok(true)
}

pub(crate) fn print_call(p: &mut OpPrinter<'_>, _: OpId, args: &PrintArgs) {
    let accesses = args.attr(3).and_then(Attr::as_array).unwrap_or(&[]).iter();
    let mut ranges = args.operands(1).iter().zip(args.operands(2)).zip(accesses);
    p.write("(");
    for (index, &operand) in args.operands(0).iter().enumerate() {
        p.write(if index > 0 { ", " } else { "" });
        if is_resource(p.body(), operand)
            && let Some(((&offset, &length), access)) = ranges.next()
        {
            p.write(match access.as_int() {
                Some(1) => "ro ",
                Some(2) => "wo ",
                _ => "rw ",
            });
            p.operand(operand);
            p.write("[");
            p.operand(offset);
            p.write(" for ");
            p.operand(length);
            p.write("]");
        } else {
            p.operand(operand);
        }
    }
    p.write(")");
}

/// What the parameter of a collective op is called, if it takes one.
fn collective_parameter(op: Option<Attr>) -> Option<&'static str> {
    match op?.dialect_params("stream.collective")?.first()?.as_str()? {
        "broadcast" | "recv" => Some("source"),
        "reduce" | "send" => Some("target"),
        "send_recv" => Some("source_target_pair"),
        _ => None,
    }
}

/// `custom<CollectiveParam>(ref($op), $param)`: `source(%rank)`.
pub(crate) fn parse_collective(
    p: &mut OpParser<'_>,
    args: &mut ParseArgs<'_>,
) -> ParseResult<bool> {
    let Some(keyword) = collective_parameter(*args.attr(p, 0)?) else { return Ok(false) };
    p.expect(keyword)?;
    p.expect("(")?;
    *args.operands(p, 1)? = vec![p.operand()?];
    p.expect(")")?;
    Ok(true)
}

pub(crate) fn print_collective(p: &mut OpPrinter<'_>, _: OpId, args: &PrintArgs) {
    let keyword = collective_parameter(args.attr(0));
    if let (Some(keyword), Some(&value)) = (keyword, args.operands(1).first()) {
        p.write(keyword);
        p.write("(");
        p.operand(value);
        p.write(") ");
    }
}
