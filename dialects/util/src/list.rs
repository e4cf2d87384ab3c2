//! The text and the rules of `!util.list<T>`.

use tegula_ir::text::{
    AsmParser, AsmPrinter, OpParser, OpPrinter, ParseArgs, ParseResult, PrintArgs,
};
use tegula_ir::{Attr, Body, OpId, Registry, Type};

const LIST: &str = "util.list";
const VARIANT: &str = "util.variant";

/// The element type of a list type.
fn element_of(list: Type) -> Option<Type> {
    list.dialect_params(LIST)?.first()?.as_type()
}

/// Whether a value of one type may stand where a list holds the other: lists of variants hold
/// anything, tensors may differ in shape, and objects are told apart at run time only.
fn compatible(from: Type, to: Type) -> bool {
    let is = |ty: Type, name: &str| ty.dialect_params(name).is_some();
    let tensor = |ty: Type| {
        use tegula_ir::TypeData::{RankedTensor, UnrankedTensor};
        matches!(ty.data(), RankedTensor { .. } | UnrankedTensor { .. })
    };
    from == to
        || is(from, VARIANT)
        || is(to, VARIANT)
        || is(from, "util.object")
        || is(to, "util.object")
        || (tensor(from) && tensor(to))
}

/// The elements of a new list are of its element type.
pub(crate) fn verify_construct(body: &Body, op: OpId) -> Result<(), String> {
    let Some(element) = element_of(body.ty(body.result(op, 0))) else { return Ok(()) };
    for (index, value) in body.operands(op).enumerate() {
        let ty = body.ty(value);
        if !compatible(ty, element) {
            return Err(format!(
                "list[{index}] type '{ty}' cannot be be cast to list type '{element}'"
            ));
        }
    }
    Ok(())
}

/// What is taken out of a list or put into it is of its element type.
pub(crate) fn verify_access(registry: &Registry, body: &Body, op: OpId) -> Result<(), String> {
    let list = registry.operands_of(body, op, "list");
    let element = list.first().and_then(|&list| element_of(body.ty(list)));
    let Some(element) = element else { return Ok(()) };
    let accessed = match registry.operands_of(body, op, "value").first() {
        Some(&value) => body.ty(value),
        None => body.ty(body.result(op, 0)),
    };
    match compatible(element, accessed) {
        true => Ok(()),
        false => Err(format!("list contains '{element}' and cannot be accessed as '{accessed}'")),
    }
}

/// `<T>`, or `<?>` for a list of variants.
pub(crate) fn parse_params(p: &mut AsmParser<'_>) -> ParseResult<Vec<Attr>> {
    p.expect("<")?;
    let element = if p.eat("?") { Type::dialect(VARIANT, &[]) } else { p.ty()? };
    p.expect(">")?;
    Ok(vec![Attr::ty(element)])
}

pub(crate) fn print_params(p: &mut AsmPrinter<'_>, params: &[Attr]) {
    p.write("<");
    match params.first().and_then(|e| e.as_type()) {
        Some(element) if element.dialect_params(VARIANT).is_none() => p.ty(element),
        _ => p.write("?"),
    }
    p.write(">");
}

/// A list type, with its element type.
fn list_type(p: &mut OpParser<'_>) -> ParseResult<(Type, Type)> {
    let at = p.span();
    let list = p.ty()?;
    match element_of(list) {
        Some(element) => Ok((list, element)),
        None => Err(p.error_at(at, "expected a type `!util.list<…>`")),
    }
}

/// `custom<ListTypeGet>(type($list), type($result))`: `list` or `list -> type`.
pub(crate) fn parse_type_get(p: &mut OpParser<'_>, args: &mut ParseArgs<'_>) -> ParseResult<bool> {
    let (list, element) = list_type(p)?;
    let result = if p.eat("->") { p.ty()? } else { element };
    *args.types(p, 0)? = vec![list];
    *args.types(p, 1)? = vec![result];
    Ok(true)
}

pub(crate) fn print_type_get(p: &mut OpPrinter<'_>, _: OpId, args: &PrintArgs) {
    let (Some(&list), Some(&result)) = (args.types(0).first(), args.types(1).first()) else {
        return;
    };
    p.ty(list);
    if element_of(list) != Some(result) {
        p.write(" -> ");
        p.ty(result);
    }
}

/// `custom<ListTypeSet>(type($list), type($value))`: `list` or `type -> list`.
pub(crate) fn parse_type_set(p: &mut OpParser<'_>, args: &mut ParseArgs<'_>) -> ParseResult<bool> {
    let at = p.span();
    let first = p.ty()?;
    let (list, value) = if p.eat("->") {
        (list_type(p)?.0, first)
    } else {
        let Some(element) = element_of(first) else {
            return Err(
                p.error_at(at, "expected a type `!util.list<…>`, or one and `->` before it")
            );
        };
        (first, element)
    };
    *args.types(p, 0)? = vec![list];
    *args.types(p, 1)? = vec![value];
    Ok(true)
}

pub(crate) fn print_type_set(p: &mut OpPrinter<'_>, _: OpId, args: &PrintArgs) {
    let (Some(&list), Some(&value)) = (args.types(0).first(), args.types(1).first()) else {
        return;
    };
    if element_of(list) != Some(value) {
        p.ty(value);
        p.write(" -> ");
    }
    p.ty(list);
}
