//! The syntax of imports: `private optional @module.name(%arg : i32, %rest : i64 ...) -> i32`.

use tegula_ir::text::{OpParser, OpPrinter, OpState, ParseResult};
use tegula_ir::{Attr, Ident, OpId, Type};

const NAME: &str = "vm.name";
const VARIADIC: &str = "vm.variadic";

pub(crate) fn parse(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
    let visibility = p.eat_keyword_of(&["public", "private", "nested"]);
    state.attr_opt("sym_visibility", visibility.map(Attr::string));
    if p.eat("optional") {
        state.attr("is_optional", Attr::unit());
    }
    let name = p.symbol_name()?;
    state.attr("sym_name", Attr::string(name.as_str()));
    let (mut inputs, mut attrs) = (Vec::new(), Vec::new());
    p.expect("(")?;
    while !p.eat(")") {
        let mut about: Vec<(Ident, Attr)> = Vec::new();
        if let Some(operand) = p.eat_operand()? {
            let name = p.operand_name(operand).trim_start_matches('%');
            about.push((Ident::of(NAME), Attr::string(name)));
            p.expect(":")?;
        }
        inputs.push(p.ty()?);
        if p.eat("...") {
            about.push((Ident::of(VARIADIC), Attr::unit()));
        }
        attrs.push(Attr::dict(about));
        if !p.eat(",") {
            p.expect(")")?;
            break;
        }
    }
    let results = parse_results(p)?;
    state.attr("function_type", Attr::ty(Type::function(&inputs, &results)));
    if attrs.iter().any(|&dict| dict != Attr::empty_dict()) {
        state.attr("arg_attrs", Attr::array(&attrs));
    }
    p.attr_dict_with_keyword(state)?;
    let body = p.empty_region();
    state.regions.push(body);
    Ok(())
}

/// `-> type`, `-> (types)`, or nothing.
pub(crate) fn parse_results(p: &mut OpParser<'_>) -> ParseResult<Vec<Type>> {
    if !p.eat("->") {
        return Ok(Vec::new());
    }
    if p.at("(") { p.delimited("(", ")", |p| p.ty()) } else { Ok(vec![p.ty()?]) }
}

pub(crate) fn print(p: &mut OpPrinter<'_>, op: OpId) {
    let body = p.body();
    let text = |name: &str| body.attr(op, name).and_then(Attr::as_str);
    p.write(" ");
    p.write(text("sym_visibility").unwrap_or("public"));
    p.write(" ");
    if body.attr(op, "is_optional").is_some() {
        p.write("optional ");
    }
    p.symbol_name(text("sym_name").unwrap_or_default());
    let ty = body.attr(op, "function_type").and_then(Attr::as_type);
    let (inputs, results) = ty.and_then(Type::as_function).unwrap_or_default();
    let attrs = body.attr(op, "arg_attrs").and_then(Attr::as_array).unwrap_or(&[]);
    p.write("(");
    p.comma_list(inputs.iter().enumerate(), |p, (index, &ty)| {
        let about = |name: &str| attrs.get(index).and_then(|dict| dict.get(name));
        if let Some(name) = about(NAME).and_then(Attr::as_str) {
            p.write("%");
            p.write(name);
            p.write(" : ");
        }
        p.ty(ty);
        p.write(if about(VARIADIC).is_some() { " ..." } else { "" });
    });
    p.write(")");
    print_results(p, results);
    let elided =
        ["sym_name", "function_type", "arg_attrs", "res_attrs", "is_optional", "sym_visibility"];
    p.function_attributes(op, &elided);
}

/// What [`parse_results`] reads.
pub(crate) fn print_results(p: &mut OpPrinter<'_>, results: &[Type]) {
    if results.is_empty() {
        return;
    }
    p.write(" -> ");
    let alone = results.len() == 1;
    p.write(if alone { "" } else { "(" });
    p.types(results.iter().copied());
    p.write(if alone { "" } else { ")" });
}
