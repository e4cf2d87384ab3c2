//! The syntax of functions whose results may be tied to arguments.

use tegula_ir::text::{OpParser, OpPrinter, OpState, ParseResult, RegionArg};
use tegula_ir::{Attr, OpId, Type, ValueId};

/// Reads a function, of which results may be tied to arguments: `private @f(%arg0: type) -> %arg0`.
pub fn parse_function(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
    let visibility = p.eat_keyword_of(&["public", "private", "nested"]);
    state.attr_opt("sym_visibility", visibility.map(Attr::string));
    let name = p.symbol_name()?;
    state.attr("sym_name", Attr::string(name.as_str()));
    let (args, unnamed) = parse_arguments(p)?;
    let mut results = Vec::new();
    let mut result_attrs = Vec::new();
    let mut ties = Vec::new();
    if p.eat("->") {
        let open = p.eat("(");
        if !(open && p.eat(")")) {
            loop {
                let (tie, ty) = parse_result(p, &args)?;
                ties.push(Attr::index(tie));
                results.push(ty);
                let attrs = if open && p.at("{") { p.dict()? } else { Attr::empty_dict() };
                result_attrs.push(attrs);
                if !p.eat(",") {
                    break;
                }
            }
            if open {
                p.expect(")")?;
            }
        }
    }
    let named = args.iter().map(|a| (a.ty, a.attrs));
    let (inputs, arg_attrs): (Vec<Type>, Vec<Attr>) = named.chain(unnamed).unzip();
    state.attr("function_type", Attr::ty(Type::function(&inputs, &results)));
    state.attr_opt("arg_attrs", dicts(&arg_attrs));
    state.attr_opt("res_attrs", dicts(&result_attrs));
    if ties.iter().any(|t| t.as_int() != Some(-1)) {
        state.attr("tied_operands", Attr::array(&ties));
    }
    p.attr_dict_with_keyword(state)?;
    let plain: Vec<RegionArg> =
        args.into_iter().map(|a| RegionArg { attrs: Attr::empty_dict(), ..a }).collect();
    state.regions.push(p.function_body(&plain)?);
    Ok(())
}

/// Prints what [`parse_function`] reads.
pub fn print_function(p: &mut OpPrinter<'_>, op: OpId) {
    let body = p.body();
    let text = |name: &str| body.attr(op, name).and_then(Attr::as_str);
    p.write(" ");
    p.write(text("sym_visibility").unwrap_or("public"));
    p.write(" ");
    p.symbol_name(text("sym_name").unwrap_or_default());
    let ty = body.attr(op, "function_type").and_then(Attr::as_type);
    let (inputs, results) = ty.and_then(Type::as_function).unwrap_or_default();
    let entry = body.region_entry(op, 0);
    let values = entry.map(|e| body.block_args(e)).unwrap_or(&[]);
    p.write("(");
    for (index, &ty) in inputs.iter().enumerate() {
        p.write(if index > 0 { ", " } else { "" });
        print_argument_name(p, values, index);
        p.write(": ");
        p.ty(ty);
        print_io_attrs(p, body.attr(op, "arg_attrs"), index);
    }
    p.write(")");
    if !results.is_empty() {
        p.write(" -> ");
        let res_attrs = body.attr(op, "res_attrs");
        let annotated = res_attrs.and_then(Attr::as_array).unwrap_or(&[]).iter();
        let annotated = annotated.into_iter().any(|d| *d != Attr::empty_dict());
        let parens = results.len() != 1 || annotated;
        p.write(if parens { "(" } else { "" });
        let ties = body.attr(op, "tied_operands").and_then(Attr::as_array).unwrap_or(&[]);
        for (index, &ty) in results.iter().enumerate() {
            p.write(if index > 0 { ", " } else { "" });
            let tie = ties.get(index).and_then(|t| usize::try_from(t.as_int()?).ok());
            if let Some(tie) = tie {
                print_argument_name(p, values, tie);
            }
            if tie.is_none_or(|t| inputs.get(t) != Some(&ty)) {
                p.write(if tie.is_some() { " as " } else { "" });
                p.ty(ty);
            }
            print_io_attrs(p, res_attrs, index);
        }
        p.write(if parens { ")" } else { "" });
    }
    let elided =
        ["sym_name", "function_type", "tied_operands", "sym_visibility", "arg_attrs", "res_attrs"];
    p.attr_dict_with_keyword(op, &elided);
    if let Some(region) = body.region(op, 0).filter(|&r| body.first_block(r).is_some()) {
        p.write(" ");
        p.region_with(region, false, true, false);
    }
}

/// The type of an argument without a name, with its attributes.
type TypeAndAttrs = (Type, Attr);

/// The arguments of a function: `%name: type`, or, of a function without a body, just types, with
/// their attributes.
fn parse_arguments(p: &mut OpParser<'_>) -> ParseResult<(Vec<RegionArg>, Vec<TypeAndAttrs>)> {
    p.expect("(")?;
    let (mut named, mut unnamed) = (Vec::new(), Vec::new());
    while !p.at(")") {
        if unnamed.is_empty() && p.at("%") {
            named.push(p.argument_with_type()?);
        } else {
            let ty = p.ty()?;
            let attrs = if p.at("{") { p.dict()? } else { Attr::empty_dict() };
            unnamed.push((ty, attrs));
        }
        if !p.eat(",") {
            break;
        }
    }
    p.expect(")")?;
    Ok((named, unnamed))
}

/// A result's type, or the argument that it is tied to; -1 for none.
fn parse_result(p: &mut OpParser<'_>, args: &[RegionArg]) -> ParseResult<(i64, Type)> {
    let Some(operand) = p.eat_operand()? else { return Ok((-1, p.ty()?)) };
    let name = p.operand_name(operand);
    let Some(index) = args.iter().position(|a| p.operand_name(a.name) == name) else {
        let span = p.operand_span(operand);
        return Err(p.error_at(span, format!("`{name}` is not an argument of the function")));
    };
    let ty = if p.eat("as") { p.ty()? } else { args[index].ty };
    Ok((i64::try_from(index).unwrap_or(i64::MAX), ty))
}

/// The attribute for a list of dictionaries; absent when all of them are empty.
fn dicts(list: &[Attr]) -> Option<Attr> {
    list.iter().any(|&d| d != Attr::empty_dict()).then(|| Attr::array(list))
}

/// The name of an argument; `%argN` when the function has no body.
fn print_argument_name(p: &mut OpPrinter<'_>, values: &[ValueId], index: usize) {
    match values.get(index) {
        Some(&value) => p.operand(value),
        None => p.display(format_args!("%arg{index}")),
    }
}

/// The dictionary of an argument or result, when it is not empty.
fn print_io_attrs(p: &mut OpPrinter<'_>, all: Option<Attr>, index: usize) {
    let dict = all.and_then(Attr::as_array).and_then(|l| l.get(index).copied());
    if let Some(entries) = dict.and_then(Attr::as_dict) {
        p.optional_dict(entries, &[]);
    }
}
