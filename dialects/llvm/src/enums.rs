//! Enums whose words stand in formats of their own.

use tegula_ir::text::{
    AsmParser, AsmPrinter, OpParser, OpPrinter, ParseArgs, ParseResult, PrintArgs, enum_attr,
    enum_attr_keyword,
};
use tegula_ir::{Attr, OpId};

const OVERFLOW: &str = "LLVMIntegerOverflowFlags";
const NO_WRAP: &str = "GEPNoWrapFlags";

/// The words of an enum; of those that are no attributes of the dialect, the first is never written.
fn words<'p>(p: &AsmParser<'p>, name: &str) -> Vec<&'p str> {
    let Some(def) = p.registry().enumeration(name) else { return Vec::new() };
    let unwritten = usize::from(def.attr_name.is_empty());
    def.cases.iter().skip(unwritten).map(|case| case.keyword.as_ref()).collect()
}

/// One of an enum's words, if one comes next.
pub(crate) fn eat_word(p: &mut AsmParser<'_>, name: &str) -> Option<Attr> {
    let words = words(p, name);
    let word = p.eat_keyword_of(&words)?;
    enum_attr(p.registry().enumeration(name)?, word)
}

/// The word of an attribute, unless it is the first of its enum.
pub(crate) fn word_of(p: &AsmPrinter<'_>, name: &str, attr: Option<Attr>) -> Option<String> {
    let def = p.registry().enumeration(name)?;
    let word = enum_attr_keyword(def, attr?)?;
    (def.cases.first()?.keyword != word).then_some(word)
}

fn parse_words(p: &mut OpParser<'_>, name: &str) -> ParseResult<Option<Attr>> {
    let Some(def) = p.registry().enumeration(name) else { return Ok(None) };
    let words = p.enum_case(def)?;
    Ok(enum_attr(def, &words))
}

/// `overflow<nsw, nuw>`
pub(crate) fn parse_overflow(p: &mut OpParser<'_>, args: &mut ParseArgs<'_>) -> ParseResult<bool> {
    if !p.eat("overflow") {
        return Ok(false);
    }
    p.expect("<")?;
    *args.attr(p, 0)? = parse_words(p, OVERFLOW)?;
    p.expect(">")?;
    Ok(true)
}

/// Prints `overflow<nsw, nuw>`.
pub(crate) fn print_overflow(p: &mut OpPrinter<'_>, _: OpId, args: &PrintArgs) {
    if let Some(words) = word_of(p, OVERFLOW, args.attr(0)) {
        p.write("overflow<");
        p.write(&words);
        p.write(">");
    }
}

/// `inbounds|nuw`
pub(crate) fn parse_no_wrap(p: &mut OpParser<'_>, args: &mut ParseArgs<'_>) -> ParseResult<bool> {
    if p.at("%") {
        return Ok(false);
    }
    *args.attr(p, 0)? = parse_words(p, NO_WRAP)?;
    Ok(true)
}

/// Prints `inbounds|nuw`.
pub(crate) fn print_no_wrap(p: &mut OpPrinter<'_>, _: OpId, args: &PrintArgs) {
    if let Some(words) = word_of(p, NO_WRAP, args.attr(0)) {
        p.write(&words);
    }
}

/// A predicate in quotes.
fn parse_predicate(
    p: &mut OpParser<'_>,
    args: &mut ParseArgs<'_>,
    name: &str,
) -> ParseResult<bool> {
    *args.attr(p, 0)? = parse_words(p, name)?;
    Ok(true)
}

fn print_predicate(p: &mut OpPrinter<'_>, args: &PrintArgs, name: &str) {
    let def = p.registry().enumeration(name);
    let word = def.zip(args.attr(0)).and_then(|(def, attr)| enum_attr_keyword(def, attr));
    p.string(word.unwrap_or_default().as_bytes());
}

/// A predicate of integers.
pub(crate) fn parse_icmp(p: &mut OpParser<'_>, args: &mut ParseArgs<'_>) -> ParseResult<bool> {
    parse_predicate(p, args, "ICmpPredicate")
}

/// Prints a predicate of integers.
pub(crate) fn print_icmp(p: &mut OpPrinter<'_>, _: OpId, args: &PrintArgs) {
    print_predicate(p, args, "ICmpPredicate");
}

/// A predicate of floats.
pub(crate) fn parse_fcmp(p: &mut OpParser<'_>, args: &mut ParseArgs<'_>) -> ParseResult<bool> {
    parse_predicate(p, args, "FCmpPredicate")
}

/// Prints a predicate of floats.
pub(crate) fn print_fcmp(p: &mut OpPrinter<'_>, _: OpId, args: &PrintArgs) {
    print_predicate(p, args, "FCmpPredicate");
}
