//! Names, visibility and references of symbols.

use tegula_ir::text::{OpParser, OpPrinter, ParseArgs, ParseResult, PrintArgs};
use tegula_ir::{Attr, AttrData, OpId};

/// `custom<SymbolVisibility>($sym_visibility)`: a keyword; `public` when there is none.
pub fn parse_symbol_visibility(
    p: &mut OpParser<'_>,
    args: &mut ParseArgs<'_>,
) -> ParseResult<bool> {
    let keyword = p.eat_keyword_of(&["public", "private", "nested"]);
    *args.attr(p, 0)? = keyword.map(Attr::string);
    Ok(keyword.is_some())
}

/// Prints `custom<SymbolVisibility>`.
pub fn print_symbol_visibility(p: &mut OpPrinter<'_>, _: OpId, args: &PrintArgs) {
    p.write(args.attr(0).and_then(Attr::as_str).unwrap_or("public"));
}

/// `custom<SymbolAlias>($sym_name, $function_ref)`: `@function`, or `@function as("name")` when the
/// symbol bears another name than the function.
pub fn parse_symbol_alias(p: &mut OpParser<'_>, args: &mut ParseArgs<'_>) -> ParseResult<bool> {
    let function = p.symbol_name()?;
    let name = if p.eat("as") {
        p.expect("(")?;
        let name = p.string()?;
        p.expect(")")?;
        name
    } else {
        function.as_str().to_owned()
    };
    *args.attr(p, 0)? = Some(Attr::string(&name));
    *args.attr(p, 1)? = Some(Attr::symbol(function.as_str()));
    Ok(true)
}

/// Prints `custom<SymbolAlias>`.
pub fn print_symbol_alias(p: &mut OpPrinter<'_>, _: OpId, args: &PrintArgs) {
    let name = args.attr(0).and_then(Attr::as_str).unwrap_or_default();
    let function = args.attr(1).and_then(Attr::as_symbol_root).map_or(name, |s| s.as_str());
    p.symbol_name(function);
    if function != name {
        p.write(" as(");
        p.string(name.as_bytes());
        p.write(")");
    }
}

/// `custom<DispatchEntryPoints>($entry_points)`: one symbol, or several in braces.
pub fn parse_dispatch_entry_points(
    p: &mut OpParser<'_>,
    args: &mut ParseArgs<'_>,
) -> ParseResult<bool> {
    let mut entries = Vec::new();
    if p.eat("{") {
        loop {
            entries.push(symbol_ref(p)?);
            if !p.eat(",") {
                break;
            }
        }
        p.expect("}")?;
    } else {
        entries.push(symbol_ref(p)?);
    }
    *args.attr(p, 0)? = Some(Attr::array(&entries));
    Ok(true)
}

fn symbol_ref(p: &mut OpParser<'_>) -> ParseResult<Attr> {
    let at = p.span();
    let attr = p.attr()?;
    match attr.data() {
        AttrData::SymbolRef { .. } => Ok(attr),
        _ => Err(p.error_at(at, "expected a symbol (`@name`)")),
    }
}

/// Prints `custom<DispatchEntryPoints>`.
pub fn print_dispatch_entry_points(p: &mut OpPrinter<'_>, _: OpId, args: &PrintArgs) {
    let entries = args.attr(0).and_then(Attr::as_array).unwrap_or(&[]);
    if let [one] = entries {
        return p.attr(*one);
    }
    p.write("{");
    p.comma_list(entries, |p, &entry| p.attr(entry));
    p.write("}");
}

/// `custom<TypeOrAttr>($type, $value)`: `: type`, `= value` when the value has the type, or both.
pub fn parse_type_or_attr(p: &mut OpParser<'_>, args: &mut ParseArgs<'_>) -> ParseResult<bool> {
    let mut ty = None;
    if p.eat(":") {
        ty = Some(p.ty()?);
    }
    let mut value = None;
    if p.eat("=") {
        let at = p.span();
        let attr = p.attr()?;
        if ty.is_none() {
            ty = p.registry().value_type(attr);
        }
        if ty.is_none() {
            return Err(p.error_at(at, "the value has no type, so one must stand before it"));
        }
        value = Some(attr);
    }
    let Some(ty) = ty else { return Err(p.error("expected `:` and a type, or `=` and a value")) };
    *args.attr(p, 0)? = Some(Attr::ty(ty));
    *args.attr(p, 1)? = value;
    Ok(true)
}

/// Prints `custom<TypeOrAttr>`.
pub fn print_type_or_attr(p: &mut OpPrinter<'_>, _: OpId, args: &PrintArgs) {
    let ty = args.attr(0).and_then(Attr::as_type);
    let value = args.attr(1);
    let implied = value.and_then(|v| p.registry().value_type(v));
    let mut blank = "";
    if let Some(ty) = ty.filter(|_| implied != ty) {
        p.write(": ");
        p.ty(ty);
        blank = " ";
    }
    if let Some(value) = value {
        p.write(blank);
        p.write("= ");
        p.attr(value);
    }
}
