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
    let found = crate::split::tokens(text, at..range.end).next();
    let span = match &found {
        Some(token) => Span::new(source, token.start as u32, token.end as u32),
        None => {
            // The end of the item: point behind its last token, not at blanks.
            let end = text.get(..range.end).unwrap_or("").trim_end().len();
            Span::at(source, end as u32)
        }
    };
    let found_text = match &found {
        Some(token) => {
            let word = text.get(token.start..token.end).unwrap_or("");
            let short: String = word.chars().take(24).collect();
            let dots = if short.len() < word.len() { "…" } else { "" };
            format!("`{short}{dots}`")
        }
        None => "the end of the item".to_owned(),
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
    let mut diagnostic = Diagnostic::error("syntax", message).at(span);
    if expected.contains(&"`;`") && expected.len() <= 3 {
        let end = text.get(..span.start as usize).unwrap_or("").trim_end().len() as u32;
        diagnostic = diagnostic.fix(Span::at(source, end), ";", "insert `;`");
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
