//! The syntax of functions.

use tegula_ir::text::{OpParser, OpPrinter, OpState, ParseResult, RegionArg, print_type};
use tegula_ir::{Attr, Body, OpId, Registry, Type, ValueId};

use crate::enums::{eat_word, word_of};
use crate::types::{Signature, function_type, signature};

/// Attributes that words before the name say, and the enums of these.
const WORDS: [(&str, &str); 4] = [
    ("linkage", "Linkage"),
    ("visibility_", "Visibility"),
    ("unnamed_addr", "UnnamedAddr"),
    ("CConv", "CConv"),
];

/// What stands elsewhere than in the dictionary.
const WRITTEN: [&str; 10] = [
    "CConv",
    "arg_attrs",
    "comdat",
    "function_type",
    "linkage",
    "res_attrs",
    "sym_name",
    "unnamed_addr",
    "visibility_",
    "vscale_range",
];

/// Arguments and results as they are written.
#[derive(Default)]
struct Written {
    args: Vec<RegionArg>,
    inputs: Vec<Type>,
    input_dicts: Vec<Attr>,
    variadic: bool,
    result: Option<(Type, Attr)>,
}

/// Reads `internal fastcc @name(%arg: type, ...) -> type attributes {…} {…}`.
pub(crate) fn parse(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
    for (name, enumeration) in WORDS {
        state.attr_opt(name, eat_word(p, enumeration));
    }
    let name = p.symbol_name()?;
    state.attr("sym_name", Attr::string(name.as_str()));
    let written = parse_written(p)?;
    add_types(state, &written);
    if p.eat("vscale_range") {
        parse_vscale_range(p, state)?;
    }
    if p.eat("comdat") {
        p.expect("(")?;
        let comdat = p.symbol_ref()?;
        state.attr("comdat", comdat);
        p.expect(")")?;
    }
    p.attr_dict_with_keyword(state)?;
    let types_only = written.args.is_empty() && !written.inputs.is_empty();
    let body = if types_only { None } else { p.eat_region(&written.args)? };
    let body = body.unwrap_or_else(|| p.empty_region());
    state.regions.push(body);
    Ok(())
}

fn parse_written(p: &mut OpParser<'_>) -> ParseResult<Written> {
    let mut written = Written::default();
    p.expect("(")?;
    if !p.eat(")") {
        loop {
            written.variadic = p.eat("...");
            if written.variadic {
                break;
            }
            if p.at("%") {
                let arg = p.argument_with_type()?;
                written.inputs.push(arg.ty);
                written.input_dicts.push(arg.attrs);
                written.args.push(RegionArg { attrs: Attr::empty_dict(), ..arg });
            } else {
                written.inputs.push(p.ty()?);
                written.input_dicts.push(eat_dict(p)?);
            }
            if !p.eat(",") {
                break;
            }
        }
        p.expect(")")?;
    }
    if !written.args.is_empty() && written.args.len() != written.inputs.len() {
        return Err(p.error("either all arguments have names or none has"));
    }
    if p.eat("->") {
        written.result = parse_result(p)?;
    }
    Ok(written)
}

fn parse_result(p: &mut OpParser<'_>) -> ParseResult<Option<(Type, Attr)>> {
    if !p.eat("(") {
        return Ok(Some((p.ty()?, Attr::empty_dict())));
    }
    if p.eat(")") {
        return Ok(None);
    }
    let result = (p.ty()?, eat_dict(p)?);
    p.expect(")")?;
    Ok(Some(result))
}

fn eat_dict(p: &mut OpParser<'_>) -> ParseResult<Attr> {
    if p.at("{") { p.dict() } else { Ok(Attr::empty_dict()) }
}

fn add_types(state: &mut OpState, written: &Written) {
    let signature = Signature {
        result: written.result.map(|(ty, _)| ty).filter(|ty| !is_void(*ty)),
        inputs: written.inputs.clone(),
        variadic: written.variadic,
    };
    state.attr("function_type", Attr::ty(function_type(&signature)));
    let empty = Attr::empty_dict();
    if written.input_dicts.iter().any(|&dict| dict != empty) {
        state.attr("arg_attrs", Attr::array(&written.input_dicts));
    }
    if let Some((_, dict)) = written.result.filter(|&(_, dict)| dict != empty) {
        state.attr("res_attrs", Attr::array(&[dict]));
    }
}

fn is_void(ty: Type) -> bool {
    ty.dialect_params("llvm.void").is_some()
}

fn parse_vscale_range(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
    let bound = |p: &mut OpParser<'_>| {
        let (span, bound) = (p.span(), p.integer()?);
        let bound = i32::try_from(bound);
        bound.map(Attr::i32).map_err(|_| p.error_at(span, "the bound has over 32 bits"))
    };
    p.expect("(")?;
    let least = bound(p)?;
    p.expect(",")?;
    let most = bound(p)?;
    p.expect(")")?;
    state.attr("vscale_range", Attr::dialect("llvm.vscale_range", &[least, most]));
    Ok(())
}

/// Prints a function.
pub(crate) fn print(p: &mut OpPrinter<'_>, op: OpId) {
    let body = p.body();
    for (name, enumeration) in WORDS {
        if let Some(word) = word_of(p, enumeration, body.attr(op, name)) {
            p.write(" ");
            p.write(&word);
        }
    }
    p.write(" ");
    p.symbol_name(body.symbol_name(op).unwrap_or_default());
    if let Some(ty) = body.attr(op, "function_type").and_then(Attr::as_type)
        && let Some(signature) = signature(ty)
    {
        print_inputs(p, op, &signature);
        print_result(p, op, &signature);
    }
    let range = body.attr(op, "vscale_range");
    if let Some([least, most]) = range.and_then(|range| range.dialect_params("llvm.vscale_range")) {
        let [least, most] = [least, most].map(|bound| bound.as_int().unwrap_or_default());
        p.display(format_args!(" vscale_range({least}, {most})"));
    }
    if let Some(comdat) = body.attr(op, "comdat") {
        p.write(" comdat(");
        p.attr(comdat);
        p.write(")");
    }
    p.function_attributes(op, &WRITTEN);
    let entry = body.region_entry(op, 0);
    if let Some(region) = body.region(op, 0).filter(|_| entry.is_some()) {
        p.write(" ");
        p.region_with(region, false, true, true);
    }
}

fn print_inputs(p: &mut OpPrinter<'_>, op: OpId, signature: &Signature) {
    let body = p.body();
    let entry = body.region_entry(op, 0);
    let args: &[ValueId] = entry.map_or(&[], |entry| body.block_args(entry));
    let dicts = body.attr(op, "arg_attrs").and_then(Attr::as_array).unwrap_or(&[]);
    p.write("(");
    for (index, &ty) in signature.inputs.iter().enumerate() {
        p.write(if index > 0 { ", " } else { "" });
        p.function_input(args.get(index).copied(), ty, dicts.get(index));
    }
    if signature.variadic {
        p.write(if signature.inputs.is_empty() { "..." } else { ", ..." });
    }
    p.write(")");
}

fn print_result(p: &mut OpPrinter<'_>, op: OpId, signature: &Signature) {
    let Some(result) = signature.result else { return };
    let dicts = p.body().attr(op, "res_attrs").and_then(Attr::as_array).unwrap_or(&[]);
    let dict = dicts.first().filter(|&&dict| dict != Attr::empty_dict());
    p.write(if dict.is_some() { " -> (" } else { " -> " });
    p.ty(result);
    print_dict(p, dict);
    p.write(if dict.is_some() { ")" } else { "" });
}

fn print_dict(p: &mut OpPrinter<'_>, dict: Option<&Attr>) {
    let entries = dict.and_then(|dict| dict.as_dict()).unwrap_or(&[]);
    p.optional_dict(entries, &[]);
}

/// A body takes what the type says; what has none is defined elsewhere.
pub(crate) fn verify(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
    let ty = body.attr(op, "function_type").and_then(Attr::as_type);
    let Some(signature) = ty.and_then(signature) else { return Ok(()) };
    let Some(entry) = body.region_entry(op, 0) else {
        let linkage = body.attr(op, "linkage");
        let params = linkage.and_then(|linkage| linkage.dialect_params("llvm.linkage"));
        let word = params.and_then(|params| params.first()?.as_str()).unwrap_or("external");
        return match word {
            "external" | "extern_weak" => Ok(()),
            _ => Err(format!("has no body, so that its linkage cannot be `{word}`")),
        };
    };
    let args: Vec<Type> = body.block_args(entry).iter().map(|&arg| body.ty(arg)).collect();
    if args != signature.inputs {
        return Err("its body takes other arguments than its type says".to_owned());
    }
    Ok(())
}

/// A return gives what its function or global is declared to be.
pub(crate) fn verify_return(registry: &Registry, body: &Body, op: OpId) -> Result<(), String> {
    let Some(parent) = body.parent_op(op) else { return Ok(()) };
    let ty = |name: &str| body.attr(parent, name).and_then(Attr::as_type);
    let wanted = match body.name(parent).as_str() {
        "llvm.func" => match ty("function_type").and_then(signature) {
            Some(signature) => signature.result,
            None => return Ok(()),
        },
        "llvm.mlir.global" => ty("global_type"),
        _ => return Ok(()),
    };
    let given = body.operands(op).next().map(|value| body.ty(value));
    let said = |ty: Option<Type>| match ty {
        Some(ty) => format!("'{}'", print_type(registry, ty)),
        None => "nothing".to_owned(),
    };
    if given != wanted {
        return Err(format!("gives {}, but {} is declared", said(given), said(wanted)));
    }
    Ok(())
}
