//! The pest parser and how its errors read.

use pest::Parser;
use pest::error::{Error, ErrorVariant, InputLocation};
use pest::iterators::Pairs;
use tegula_diag::{Diagnostic, SourceId, Span};

/// The parser that pest derives from the grammar.
#[derive(pest_derive::Parser)]
#[grammar = "td.pest"]
struct Td;

/// Parses `text[range]` by an entry rule. An error's span is that of the token where the parse
/// stopped.
pub(crate) fn run(
    rule: Rule,
    source: SourceId,
    text: &str,
    range: std::ops::Range<usize>,
) -> Result<Pairs<'_, Rule>, Diagnostic> {
    let slice = text.get(range.clone()).unwrap_or("");
    Td::parse(rule, slice).map_err(|error| report(&error, source, text, range))
}

fn report(
    error: &Error<Rule>,
    source: SourceId,
    text: &str,
    range: std::ops::Range<usize>,
) -> Diagnostic {
    let at = match error.location {
        InputLocation::Pos(at) | InputLocation::Span((at, _)) => range.start + at,
    };
    // The head of an item ends where its body begins: what is found is what stands there.
    let found = crate::split::tokens(text, at..text.len()).next();
    let before = text.get(..at).unwrap_or("").trim_end().len();
    let word = found.as_ref().and_then(|token| text.get(token.start..token.end)).unwrap_or("");
    let (span, found_text, apart) = match &found {
        Some(token) => {
            let short: String = word.chars().take(24).collect();
            let dots = if short.len() < word.len() { "…" } else { "" };
            let apart = text.get(before..token.start).is_some_and(|gap| gap.contains('\n'));
            let span = Span::new(source, token.start as u32, token.end as u32);
            (span, format!("`{short}{dots}`"), apart)
        }
        None => (Span::at(source, before as u32), "the end of the file".to_owned(), true),
    };
    let ErrorVariant::ParsingError { positives, .. } = &error.variant else {
        return Diagnostic::error("syntax", error.variant.message().into_owned()).at(span);
    };
    let mut expected: Vec<&str> = Vec::new();
    for rule in positives {
        if let Some(name) = describe(*rule)
            && !expected.contains(&name)
        {
            expected.push(name);
        }
    }
    // Where a value may go on, everything that could continue it is expected too; what ends it
    // is what people forget.
    let ends: Vec<&str> = expected.iter().copied().filter(|name| is_end(name)).collect();
    if !ends.is_empty() {
        expected = ends;
    }
    // A value may always go on with a bracket, which is rarely what is missing.
    let opens = |name: &&str| matches!(*name, "`{`" | "`(`" | "`<`");
    if !expected.iter().all(opens) {
        expected.retain(|name| !opens(name));
    }
    let list = match expected.as_slice() {
        [] => None,
        [one] => Some((*one).to_owned()),
        [init @ .., last] if init.len() < 6 => Some(format!("{} or {last}", init.join(", "))),
        _ => None,
    };
    let message = match list {
        Some(list) => format!("expected {list}, found {found_text}"),
        None => format!("{found_text} does not belong here"),
    };
    // What is missing at the end of a line is missing there, not where the next line begins.
    let point = Span::at(source, before as u32);
    let ends_here = !expected.is_empty() && expected.iter().all(|name| is_end(name));
    let mut diagnostic = if apart && ends_here {
        let diagnostic = Diagnostic::error("syntax", message).at(point);
        if found.is_some() { diagnostic.label(span, "found here") } else { diagnostic }
    } else {
        Diagnostic::error("syntax", message).at(span)
    };
    let closes = found_text == "`}`";
    if expected.contains(&"`;`") && expected.len() <= 3 && (apart || closes) {
        diagnostic = diagnostic.fix(point, ";", "insert `;`");
    }
    if positives.contains(&Rule::ident) && Td::parse(Rule::keyword, word).is_ok() {
        diagnostic = diagnostic.note(format!("{found_text} is a reserved word"));
    }
    diagnostic
}

fn is_end(name: &str) -> bool {
    matches!(name, "`;`" | "`}`" | "`)`" | "`]`" | "`>`" | "`,`" | "`in`" | "`then`" | "`=`")
}

/// What a rule is called in messages; `None` for what would only distract.
fn describe(rule: Rule) -> Option<&'static str> {
    Some(match rule {
        Rule::ident => "a name",
        Rule::int => "an integer",
        Rule::string | Rule::strings => "a string",
        Rule::var => "`$name`",
        Rule::semi | Rule::stray_semi => "`;`",
        Rule::comma | Rule::trailing_comma => "`,`",
        Rule::colon => "`:`",
        Rule::eq => "`=`",
        Rule::lbrace => "`{`",
        Rule::rbrace => "`}`",
        Rule::lparen => "`(`",
        Rule::rparen => "`)`",
        Rule::less => "`<`",
        Rule::greater => "`>`",
        Rule::rsquare => "`]`",
        Rule::r#type => "a type",
        Rule::value | Rule::name_value | Rule::arg | Rule::dag_arg | Rule::range => "a value",
        Rule::stmt => "a statement",
        Rule::body => "a body (`{` or `;`)",
        Rule::body_item => "a field, `let`, `defvar`, `assert` or `dump`",
        Rule::class_ref => "a class",
        Rule::parents => "`:`",
        Rule::param => "a template parameter",
        Rule::block => "`{` or a statement",
        Rule::kw_in => "`in`",
        Rule::kw_then => "`then`",
        Rule::kw_def => "`def`",
        Rule::clause => "a condition",
        Rule::let_item => "a field to assign",
        _ => return None,
    })
}
