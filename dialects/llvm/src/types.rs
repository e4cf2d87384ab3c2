//! Types: how they are written within one another, and what they may hold.

use tegula_ir::text::{AsmParser, AsmPrinter, ParseResult, print_type};
use tegula_ir::{Attr, FloatKind, Registry, Type, TypeData};
use tegula_schema::Signedness;

/// The types of the dialect, without its name.
const WORDS: [&str; 10] = [
    "array",
    "func",
    "label",
    "metadata",
    "ppc_fp128",
    "ptr",
    "struct",
    "target",
    "void",
    "x86_amx",
];

/// Reads a type within another: those of the dialect may stand without `!llvm.`.
pub(crate) fn parse_nested(p: &mut AsmParser<'_>) -> ParseResult<Type> {
    match p.eat_keyword_of(&WORDS) {
        Some(word) => p.type_named(&format!("llvm.{word}")),
        None => p.ty(),
    }
}

/// Prints a type within another.
pub(crate) fn print_nested(p: &mut AsmPrinter<'_>, ty: Type) {
    match ty.data() {
        TypeData::Dialect { name, params } if name.as_str().starts_with("llvm.") => {
            p.write(&name.as_str()["llvm.".len()..]);
            if !params.is_empty() {
                p.ty_stripped(ty);
            }
        }
        _ => p.ty(ty),
    }
}

fn print_all(p: &mut AsmPrinter<'_>, types: &[Attr]) {
    p.comma_list(types.iter().filter_map(|ty| ty.as_type()), print_nested);
}

/// What `custom<NestedType>` holds.
pub(crate) fn parse_nested_param(
    p: &mut AsmParser<'_>,
    values: &mut [Option<Attr>],
) -> ParseResult<bool> {
    let ty = parse_nested(p)?;
    if let [value] = values {
        *value = Some(Attr::ty(ty));
    }
    Ok(true)
}

/// Prints what `custom<NestedType>` holds.
pub(crate) fn print_nested_param(p: &mut AsmPrinter<'_>, values: &[Option<Attr>]) {
    if let Some(ty) = values.first().copied().flatten().and_then(Attr::as_type) {
        print_nested(p, ty);
    }
}

// ---- structs

/// Reads `<"name", packed (types)>` and its shorter forms.
pub(crate) fn parse_struct(p: &mut AsmParser<'_>) -> ParseResult<Vec<Attr>> {
    let made = |name: Option<&str>, body: Option<Vec<Attr>>, packed: bool, opaque: bool| {
        let name = name.map_or(Attr::absent(), Attr::string);
        let body = body.map_or(Attr::absent(), |body| Attr::array(&body));
        vec![name, body, Attr::bool(packed), Attr::bool(opaque)]
    };
    p.expect("<")?;
    let name = p.eat_string();
    if name.is_some() {
        if p.eat(">") {
            return Ok(made(name.as_deref(), None, false, false));
        }
        p.expect(",")?;
        if p.eat("opaque") {
            p.expect(">")?;
            return Ok(made(name.as_deref(), None, false, true));
        }
    }
    let packed = p.eat("packed");
    let body = p.delimited("(", ")", |p| parse_nested(p).map(Attr::ty))?;
    p.expect(">")?;
    Ok(made(name.as_deref(), Some(body), packed, false))
}

/// Prints what a struct is.
pub(crate) fn print_struct(p: &mut AsmPrinter<'_>, params: &[Attr]) {
    let &[name, body, packed, opaque] = params else { return };
    p.write("<");
    if let Some(name) = name.as_str() {
        p.string(name.as_bytes());
    }
    let open = |p: &mut AsmPrinter<'_>| p.write(if name.is_absent() { "" } else { ", " });
    if opaque.as_bool() == Some(true) {
        open(p);
        p.write("opaque");
    } else if let Some(body) = body.as_array() {
        open(p);
        p.write(if packed.as_bool() == Some(true) { "packed (" } else { "(" });
        print_all(p, body);
        p.write(")");
    }
    p.write(">");
}

/// Whether a struct or array may hold such values.
fn is_element(ty: Type) -> bool {
    const NEVER: [&str; 4] = ["llvm.void", "llvm.label", "llvm.metadata", "llvm.func"];
    match ty.data() {
        TypeData::Dialect { name, .. } => {
            name.as_str().starts_with("llvm.") && !NEVER.contains(&name.as_str())
        }
        TypeData::Vector { shape, element, .. } => shape.len() == 1 && is_scalar(*element),
        _ => is_scalar(ty),
    }
}

fn is_scalar(ty: Type) -> bool {
    match ty.data() {
        TypeData::Integer { sign, .. } => *sign == Signedness::Signless,
        TypeData::Float(kind) => !matches!(kind, FloatKind::Small(_) | FloatKind::TF32),
        _ => ty.dialect_params("llvm.ptr").is_some(),
    }
}

/// A struct holds values.
pub(crate) fn verify_struct(registry: &Registry, params: &[Attr]) -> Result<(), String> {
    let body = params.get(1).and_then(|body| body.as_array()).unwrap_or(&[]);
    match body.iter().filter_map(|ty| ty.as_type()).find(|&ty| !is_element(ty)) {
        Some(ty) => Err(format!("a struct cannot hold `{}`", print_type(registry, ty))),
        None => Ok(()),
    }
}

/// An array holds values.
pub(crate) fn verify_array(registry: &Registry, params: &[Attr]) -> Result<(), String> {
    match params {
        [_, count] if count.as_int().is_none_or(|count| count < 0) => {
            Err("the length of an array is negative".to_owned())
        }
        [element, _] => match element.as_type().filter(|&ty| !is_element(ty)) {
            Some(ty) => Err(format!("an array cannot hold `{}`", print_type(registry, ty))),
            None => Ok(()),
        },
        _ => Ok(()),
    }
}

// ---- functions

/// Reads `<result (types, ...)>`.
pub(crate) fn parse_func(p: &mut AsmParser<'_>) -> ParseResult<Vec<Attr>> {
    p.expect("<")?;
    let result = parse_nested(p)?;
    p.expect("(")?;
    let mut params = Vec::new();
    let mut variadic = false;
    if !p.eat(")") {
        loop {
            variadic = p.eat("...");
            if variadic {
                break;
            }
            params.push(Attr::ty(parse_nested(p)?));
            if !p.eat(",") {
                break;
            }
        }
        p.expect(")")?;
    }
    p.expect(">")?;
    Ok(vec![Attr::ty(result), Attr::array(&params), Attr::bool(variadic)])
}

/// Prints the type of a function.
pub(crate) fn print_func(p: &mut AsmPrinter<'_>, params: &[Attr]) {
    let &[result, inputs, variadic] = params else { return };
    p.write("<");
    print_all(p, &[result]);
    p.write(" (");
    let inputs = inputs.as_array().unwrap_or(&[]);
    print_all(p, inputs);
    if variadic.as_bool() == Some(true) {
        p.write(if inputs.is_empty() { "..." } else { ", ..." });
    }
    p.write(")>");
}

/// A function takes and gives values.
pub(crate) fn verify_func(registry: &Registry, params: &[Attr]) -> Result<(), String> {
    let never = |ty: Type, names: &[&str]| match ty.data() {
        TypeData::Dialect { name, .. } => names.contains(&name.as_str()),
        _ => false,
    };
    let result = params.first().and_then(|ty| ty.as_type());
    let no_result = ["llvm.func", "llvm.label", "llvm.metadata"];
    if let Some(ty) = result.filter(|&ty| never(ty, &no_result)) {
        return Err(format!("a function cannot give `{}`", print_type(registry, ty)));
    }
    let inputs = params.get(1).and_then(|inputs| inputs.as_array()).unwrap_or(&[]);
    match inputs.iter().filter_map(|ty| ty.as_type()).find(|&ty| never(ty, &["llvm.func"])) {
        Some(ty) => Err(format!("a function cannot take `{}`", print_type(registry, ty))),
        None => Ok(()),
    }
}

/// The parts of a function's type.
#[derive(Clone, Debug)]
pub(crate) struct Signature {
    /// What it gives; none for void.
    pub(crate) result: Option<Type>,
    /// What it takes.
    pub(crate) inputs: Vec<Type>,
    /// Whether it takes more than that.
    pub(crate) variadic: bool,
}

/// The type of a function.
pub(crate) fn function_type(signature: &Signature) -> Type {
    let result = signature.result.unwrap_or_else(|| Type::dialect("llvm.void", &[]));
    let inputs: Vec<Attr> = signature.inputs.iter().map(|&ty| Attr::ty(ty)).collect();
    let params = [Attr::ty(result), Attr::array(&inputs), Attr::bool(signature.variadic)];
    Type::dialect("llvm.func", &params)
}

/// The parts of a function's type.
pub(crate) fn signature(ty: Type) -> Option<Signature> {
    let &[result, inputs, variadic] = ty.dialect_params("llvm.func")? else { return None };
    let result = result.as_type()?;
    Some(Signature {
        result: Some(result).filter(|ty| ty.dialect_params("llvm.void").is_none()),
        inputs: inputs.as_array()?.iter().filter_map(|ty| ty.as_type()).collect(),
        variadic: variadic.as_bool() == Some(true),
    })
}

// ---- types of targets

/// Reads `<"name", types, integers>`.
pub(crate) fn parse_target(p: &mut AsmParser<'_>) -> ParseResult<Vec<Attr>> {
    p.expect("<")?;
    let name = p.string()?;
    let (mut types, mut integers) = (Vec::new(), Vec::new());
    while p.eat(",") {
        match p.eat_integer()? {
            Some(integer) => integers.push(Attr::i64(integer)),
            None if integers.is_empty() => types.push(Attr::ty(parse_nested(p)?)),
            None => return Err(p.error("expected an integer")),
        }
    }
    p.expect(">")?;
    Ok(vec![Attr::string(&name), Attr::array(&types), Attr::array(&integers)])
}

/// Prints a type of a target.
pub(crate) fn print_target(p: &mut AsmPrinter<'_>, params: &[Attr]) {
    let &[name, types, integers] = params else { return };
    p.write("<");
    p.string(name.as_str().unwrap_or_default().as_bytes());
    for ty in types.as_array().unwrap_or(&[]).iter().filter_map(|ty| ty.as_type()) {
        p.write(", ");
        print_nested(p, ty);
    }
    for integer in integers.as_array().unwrap_or(&[]).iter().filter_map(|n| n.as_int()) {
        p.write(", ");
        p.display(integer);
    }
    p.write(">");
}
