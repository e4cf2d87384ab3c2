//! The syntax of globals and aliases.

use tegula_ir::text::{OpParser, OpPrinter, OpState, ParseResult};
use tegula_ir::verify::Symbols;
use tegula_ir::{Attr, AttrData, Body, Ident, OpId, Registry, Type};

use crate::enums::{eat_word, word_of};

/// What has an address.
const ADDRESSED: [&str; 4] =
    ["llvm.func", "llvm.mlir.alias", "llvm.mlir.global", "llvm.mlir.ifunc"];

/// What is named has an address.
pub(crate) fn verify_address(symbols: &Symbols<'_>, body: &Body, op: OpId) -> Result<(), String> {
    let named = body.attr(op, "global_name").and_then(|symbol| symbols.find(body, op, symbol));
    if named.is_some_and(|(there, found)| ADDRESSED.contains(&there.name(found).as_str())) {
        return Ok(());
    }
    Err("must reference a global defined by 'llvm.mlir.global', 'llvm.mlir.alias' or 'llvm.func' or \
         'llvm.mlir.ifunc'"
        .to_owned())
}

/// What stands elsewhere than in the dictionaries.
const WRITTEN: [&str; 11] = [
    "alias_type",
    "comdat",
    "constant",
    "global_type",
    "linkage",
    "sym_name",
    "sym_visibility",
    "tls_mode",
    "unnamed_addr",
    "value",
    "visibility_",
];

/// Reads the words before the name.
fn parse_words(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
    let external = || Attr::dialect("llvm.linkage", &[Attr::string("external")]);
    state.attr("linkage", eat_word(p, "Linkage").unwrap_or_else(external));
    state.attr_opt("visibility_", eat_word(p, "Visibility"));
    if p.eat("thread_local") {
        let mut mode = Some(Attr::i64(1));
        if p.eat("(") {
            mode = eat_word(p, "TLSMode");
            if mode.is_none() {
                return Err(p.error("expected how the global of a thread is found"));
            }
            p.expect(")")?;
        }
        state.attr_opt("tls_mode", mode);
    }
    state.attr_opt("unnamed_addr", eat_word(p, "UnnamedAddr"));
    Ok(())
}

fn print_words(p: &mut OpPrinter<'_>, op: OpId) {
    let body = p.body();
    let linkage = body.attr(op, "linkage");
    let params = linkage.and_then(|linkage| linkage.dialect_params("llvm.linkage"));
    p.write(" ");
    p.write(params.and_then(|params| params.first()?.as_str()).unwrap_or("external"));
    let word = |p: &mut OpPrinter<'_>, name: &str, enumeration: &str| {
        if let Some(word) = word_of(p, enumeration, body.attr(op, name)) {
            p.write(" ");
            p.write(&word);
        }
    };
    word(p, "visibility_", "Visibility");
    match word_of(p, "TLSMode", body.attr(op, "tls_mode")).as_deref() {
        Some("generaldynamic") => p.write(" thread_local"),
        Some(mode) => p.display(format_args!(" thread_local({mode})")),
        None => {}
    }
    word(p, "unnamed_addr", "UnnamedAddr");
}

/// The type that a string has where no other is written.
fn string_type(value: Option<Attr>) -> Option<Type> {
    let length = match value?.data() {
        AttrData::String { text, .. } => text.len() as i64,
        _ => return None,
    };
    Some(Type::dialect("llvm.array", &[Attr::ty(Type::int(8)), Attr::i64(length)]))
}

// ---- globals

/// Reads `internal constant @name(value) comdat(…) {…} : type {…}`.
pub(crate) fn parse_global(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
    parse_words(p, state)?;
    if p.eat("constant") {
        state.attr("constant", Attr::unit());
    }
    let name = p.symbol_name()?;
    state.attr("sym_name", Attr::string(name.as_str()));
    p.expect("(")?;
    let value = if p.at(")") { None } else { Some(p.attr()?) };
    state.attr_opt("value", value);
    p.expect(")")?;
    if p.eat("comdat") {
        p.expect("(")?;
        let comdat = p.symbol_ref()?;
        state.attr("comdat", comdat);
        p.expect(")")?;
    }
    p.attr_dict(state)?;
    let ty = match p.eat(":") {
        true => Some(p.ty()?),
        false => string_type(value),
    };
    let ty = ty.ok_or_else(|| p.error("expected the type of the global, which is no string"))?;
    state.attr("global_type", Attr::ty(ty));
    let region = p.eat_region(&[])?;
    let region = region.unwrap_or_else(|| p.empty_region());
    state.regions.push(region);
    Ok(())
}

/// Prints a global.
pub(crate) fn print_global(p: &mut OpPrinter<'_>, op: OpId) {
    let body = p.body();
    print_words(p, op);
    p.write(if body.attr(op, "constant").is_some() { " constant " } else { " " });
    p.symbol_name(body.symbol_name(op).unwrap_or_default());
    p.write("(");
    let value = body.attr(op, "value");
    value.into_iter().for_each(|value| p.attr(value));
    p.write(")");
    if let Some(comdat) = body.attr(op, "comdat") {
        p.write(" comdat(");
        p.attr(comdat);
        p.write(")");
    }
    print_global_dict(p, op);
    if string_type(value).is_none()
        && let Some(ty) = body.attr(op, "global_type").and_then(Attr::as_type)
    {
        p.write(" : ");
        p.ty(ty);
    }
    print_initializer(p, op);
}

/// Prints the dictionary of a global, which says the address space whichever it is.
fn print_global_dict(p: &mut OpPrinter<'_>, op: OpId) {
    let body = p.body();
    let mut entries = body.attr_entries(op).to_vec();
    if body.attr(op, "addr_space").is_none() {
        entries.push((Ident::of("addr_space"), Attr::i32(0)));
        entries.sort_by_key(|(name, _)| name.as_str());
    }
    p.optional_dict(&entries, &WRITTEN);
}

fn print_initializer(p: &mut OpPrinter<'_>, op: OpId) {
    let body = p.body();
    let entry = body.region_entry(op, 0);
    if let Some(region) = body.region(op, 0).filter(|_| entry.is_some()) {
        p.write(" ");
        p.region_with(region, false, true, false);
    }
}

/// An attribute or a region says what a global holds, not both.
pub(crate) fn verify_global(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
    let said_twice = body.region_entry(op, 0).is_some() && body.attr(op, "value").is_some();
    if said_twice {
        return Err("has both a value and a region that gives one".to_owned());
    }
    if body.attr(op, "addr_space").and_then(Attr::as_int).is_some_and(|space| space < 0) {
        return Err("the number of its address space is negative".to_owned());
    }
    Ok(())
}

// ---- aliases

/// Reads `external @name {…} : type {…}`.
pub(crate) fn parse_alias(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
    parse_words(p, state)?;
    let name = p.symbol_name()?;
    state.attr("sym_name", Attr::string(name.as_str()));
    p.attr_dict(state)?;
    let ty = p.colon_type()?;
    state.attr("alias_type", Attr::ty(ty));
    let region = p.region(&[])?;
    state.regions.push(region);
    Ok(())
}

/// Prints an alias.
pub(crate) fn print_alias(p: &mut OpPrinter<'_>, op: OpId) {
    let body = p.body();
    print_words(p, op);
    p.write(" ");
    p.symbol_name(body.symbol_name(op).unwrap_or_default());
    p.attr_dict(op, &WRITTEN);
    p.write(" : ");
    if let Some(ty) = body.attr(op, "alias_type").and_then(Attr::as_type) {
        p.ty(ty);
    }
    print_initializer(p, op);
}
