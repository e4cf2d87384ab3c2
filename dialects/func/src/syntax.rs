//! The syntax of functions, for those of other dialects that look like `func.func`.

use tegula_ir::text::{OpParser, OpPrinter, OpState, ParseResult, RegionArg};
use tegula_ir::{Attr, OpId, Type, TypeData, ValueId};

/// What `attributes {…}` leaves out, because the signature says it.
const IN_SIGNATURE: &[&str] =
    &["arg_attrs", "function_type", "res_attrs", "sym_name", "sym_visibility"];

/// Types with their attribute dictionaries.
type Annotated = Vec<(Type, Attr)>;

/// Reads `visibility @name(args) -> results attributes {…} {body}`.
pub fn parse_function(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
    let visibility = p.eat_keyword_of(&["public", "private", "nested"]);
    state.attr_opt("sym_visibility", visibility.map(Attr::string));
    let name = p.symbol_name()?;
    state.attr("sym_name", Attr::string(name.as_str()));
    let (inputs, args) = parse_inputs(p)?;
    let results = if p.eat("->") { parse_results(p)? } else { Vec::new() };
    let types = |list: &Annotated| list.iter().map(|(ty, _)| *ty).collect::<Vec<_>>();
    let ty = Type::function(&types(&inputs), &types(&results));
    state.attr("function_type", Attr::ty(ty));
    state.attr_opt("arg_attrs", dicts(&inputs));
    state.attr_opt("res_attrs", dicts(&results));
    p.attr_dict_with_keyword(state)?;
    let body = match args {
        Some(args) => p.function_body(&args)?,
        None => p.empty_region(),
    };
    state.regions.push(body);
    Ok(())
}

/// Reads the arguments: with names when there is a body, and with types only in a declaration,
/// which then can have no body.
fn parse_inputs(p: &mut OpParser<'_>) -> ParseResult<(Annotated, Option<Vec<RegionArg>>)> {
    p.expect("(")?;
    if p.eat(")") {
        return Ok((Vec::new(), Some(Vec::new())));
    }
    let mut inputs = Vec::new();
    let mut args = Vec::new();
    let named = p.at("%");
    loop {
        if named {
            let arg = p.argument_with_type()?;
            inputs.push((arg.ty, arg.attrs));
            args.push(RegionArg { attrs: Attr::empty_dict(), ..arg });
        } else {
            inputs.push((p.ty()?, eat_dict(p)?));
            p.eat_trailing_loc()?;
        }
        if !p.eat(",") {
            break;
        }
    }
    p.expect(")")?;
    Ok((inputs, named.then_some(args)))
}

fn eat_dict(p: &mut OpParser<'_>) -> ParseResult<Attr> {
    if p.at("{") { p.dict() } else { Ok(Attr::empty_dict()) }
}

fn parse_results(p: &mut OpParser<'_>) -> ParseResult<Annotated> {
    if !p.eat("(") {
        return Ok(vec![(p.ty()?, Attr::empty_dict())]);
    }
    let mut results = Vec::new();
    if p.eat(")") {
        return Ok(results);
    }
    loop {
        results.push((p.ty()?, eat_dict(p)?));
        if !p.eat(",") {
            break;
        }
    }
    p.expect(")")?;
    Ok(results)
}

/// One dictionary for each value, or nothing when all are empty.
fn dicts(values: &Annotated) -> Option<Attr> {
    let dicts: Vec<Attr> = values.iter().map(|(_, dict)| *dict).collect();
    dicts.iter().any(|&dict| dict != Attr::empty_dict()).then(|| Attr::array(&dicts))
}

/// Prints a function.
pub fn print_function(p: &mut OpPrinter<'_>, op: OpId) {
    let body = p.body();
    let text = |name: &str| body.attr(op, name).and_then(Attr::as_str);
    p.write(" ");
    if let Some(visibility) = text("sym_visibility") {
        p.write(visibility);
        p.write(" ");
    }
    p.symbol_name(text("sym_name").unwrap_or_default());
    let ty = body.attr(op, "function_type").and_then(Attr::as_type);
    let (inputs, results) = ty.and_then(Type::as_function).unwrap_or_default();
    let entry = body.region_entry(op, 0);
    let args: &[ValueId] = entry.map_or(&[], |entry| body.block_args(entry));
    let arg_attrs = body.attr(op, "arg_attrs").and_then(Attr::as_array).unwrap_or(&[]);
    p.write("(");
    for (index, &ty) in inputs.iter().enumerate() {
        p.write(if index > 0 { ", " } else { "" });
        p.function_input(args.get(index).copied(), ty, arg_attrs.get(index));
    }
    p.write(")");
    let res_attrs = body.attr(op, "res_attrs").and_then(Attr::as_array).unwrap_or(&[]);
    print_results(p, results, res_attrs);
    p.function_attributes(op, IN_SIGNATURE);
    if let Some(region) = body.region(op, 0).filter(|_| entry.is_some()) {
        p.write(" ");
        p.region_with(region, false, true, true);
    }
}

fn print_results(p: &mut OpPrinter<'_>, results: &[Type], attrs: &[Attr]) {
    let bare = match results {
        [] => return,
        [one] => {
            !matches!(one.data(), TypeData::Function { .. })
                && attrs.iter().all(|&dict| dict == Attr::empty_dict())
        }
        _ => false,
    };
    p.write(" -> ");
    p.write(if bare { "" } else { "(" });
    for (index, &ty) in results.iter().enumerate() {
        p.write(if index > 0 { ", " } else { "" });
        p.ty(ty);
        print_dict(p, attrs.get(index));
    }
    p.write(if bare { "" } else { ")" });
}

fn print_dict(p: &mut OpPrinter<'_>, dict: Option<&Attr>) {
    if let Some(entries) = dict.and_then(|dict| dict.as_dict()) {
        p.optional_dict(entries, &[]);
    }
}
