//! `--verify-diagnostics`: what is found must be what the text's comments expect, and the reverse.
//!
//! ```mlir
//! // expected-error@+1 {{'t.scale' op requires}}
//! t.scale %x {factor = 0}
//! ```
//!
//! `expected-error`, `-warning`, `-note` or `-remark`, then optionally `-re`, a place and how often;
//! it stands at the end of its line. The place is the comment's own line unless it is
//! `@+N` or `@-N` lines away, `@above` or `@below` (the next line that expects nothing itself), or
//! `@unknown`. The text must be part of the message; with `-re`, what stands in inner `{{…}}` is a
//! regular expression. What explains a finding, labels and notes, may be expected as notes and need
//! not be.

use std::sync::LazyLock;

use clap::ValueEnum;
use regex_lite::Regex;
use tegula_diag::{Diagnostic, Severity, SourceId, Sources, Span};

/// What has to be expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Level {
    /// Every finding.
    All,
    /// Nothing: only what is expected has to be found.
    OnlyExpected,
}

/// One comment that expects something.
struct Expected {
    kind: Kind,
    /// From 0; none for findings that are about no place.
    line: Option<usize>,
    text: String,
    pattern: Option<Regex>,
    /// How often it still has to be found.
    open: usize,
    span: Span,
}

/// What can be expected, by the word that says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Error,
    Warning,
    /// A finding that is neither; MLIR calls it so.
    Remark,
    /// What explains a finding.
    Note,
}

impl Kind {
    fn of(severity: Severity) -> Kind {
        match severity {
            Severity::Error => Kind::Error,
            Severity::Warning => Kind::Warning,
            Severity::Note | Severity::Help => Kind::Remark,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Kind::Error => "error",
            Kind::Warning => "warning",
            Kind::Remark => "remark",
            Kind::Note => "note",
        }
    }
}

/// What was found, in terms of expectations.
struct Found<'a> {
    kind: Kind,
    line: Option<usize>,
    message: &'a str,
}

/// Holds findings about a source against its comments: what is found but not expected, and what is
/// expected but not found.
pub fn check(
    sources: &Sources,
    source: SourceId,
    found: &[Diagnostic],
    level: Level,
) -> Vec<Diagnostic> {
    let (mut expected, mut out) = expectations(sources, source);
    let line = |span: Span| {
        let source = sources.get(span.source).filter(|_| span.source == source)?;
        Some(source.line_index(span.start))
    };
    for diagnostic in found {
        let primary = diagnostic.primary.and_then(line);
        let kind = Kind::of(diagnostic.severity);
        let met = meet(&mut expected, &Found { kind, line: primary, message: &diagnostic.message });
        let labels = diagnostic.labels.iter().map(|(span, text)| (line(*span), text));
        let notes = diagnostic.notes.iter().map(|text| (primary, text));
        for (line, message) in labels.chain(notes) {
            meet(&mut expected, &Found { kind: Kind::Note, line, message });
        }
        if !met && level == Level::All {
            let mut unexpected = diagnostic.clone();
            unexpected.severity = Severity::Error;
            unexpected.message = format!("unexpected {}: {}", kind.word(), diagnostic.message);
            out.push(unexpected);
        }
    }
    for expected in expected.iter().filter(|expected| expected.open > 0) {
        let Expected { kind, text, .. } = expected;
        let message = format!("expected {} \"{text}\" was not produced", kind.word());
        out.push(Diagnostic::error("missing-diagnostic", message).at(expected.span));
    }
    out
}

/// Marks the first expectation that a finding meets.
fn meet(expected: &mut [Expected], found: &Found<'_>) -> bool {
    let first = expected.iter_mut().find(|expected| {
        expected.open > 0
            && expected.kind == found.kind
            && expected.line == found.line
            && match &expected.pattern {
                Some(pattern) => pattern.is_match(found.message),
                None => found.message.contains(&expected.text),
            }
    });
    match first {
        Some(expected) => {
            expected.open -= 1;
            true
        }
        None => false,
    }
}

static COMMENT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"expected-(error|warning|note|remark)(-re)? *(?:@([+-][0-9]+|above|below|unknown))? *([0-9]+)? *\{\{(.*)\}\}$",
    )
    .ok()
});

/// The expectations of a source, and what is wrong with them.
fn expectations(sources: &Sources, id: SourceId) -> (Vec<Expected>, Vec<Diagnostic>) {
    let (mut out, mut wrong) = (Vec::new(), Vec::new());
    let (Some(source), Some(comment)) = (sources.get(id), COMMENT.as_ref()) else {
        return (out, wrong);
    };
    // The last line that expects nothing, and those that wait for the next.
    let (mut above, mut below) = (None, Vec::new());
    for number in 0..source.line_count() {
        let line = source.line(number).unwrap_or_default().trim_end();
        let Some(found) = comment.captures(line) else {
            for index in std::mem::take(&mut below) {
                let waiting: Option<&mut Expected> = out.get_mut(index);
                if let Some(expected) = waiting {
                    expected.line = Some(number);
                }
            }
            above = Some(number);
            continue;
        };
        let part = |group| found.get(group).map_or("", |part| part.as_str());
        let start = source.line_range(number).map_or(0, |range| range.start);
        let (from, to) = found.get(0).map_or((0, 0), |whole| (whole.start(), whole.end()));
        let span = Span::new(id, (start + from) as u32, (start + to) as u32);
        let mut bad = |message: String| {
            wrong.push(Diagnostic::error("bad-expectation", message).at(span));
        };
        let kind = match part(1) {
            "error" => Kind::Error,
            "warning" => Kind::Warning,
            "remark" => Kind::Remark,
            _ => Kind::Note,
        };
        let place = match part(3) {
            "" => Some(number),
            "unknown" => None,
            "above" => above,
            "below" => {
                below.push(out.len());
                Some(number)
            }
            away => match away.parse().ok().and_then(|away| number.checked_add_signed(away)) {
                Some(line) => Some(line),
                None => {
                    bad(format!("there is no line `@{away}` of this one"));
                    continue;
                }
            },
        };
        let pattern = if part(2).is_empty() {
            None
        } else {
            match pattern(part(5)) {
                Ok(pattern) => Some(pattern),
                Err(error) => {
                    bad(error);
                    continue;
                }
            }
        };
        out.push(Expected {
            kind,
            line: place,
            text: part(5).to_owned(),
            pattern,
            open: part(4).parse().unwrap_or(1),
            span,
        });
    }
    (out, wrong)
}

/// The regular expression of a text in which inner `{{…}}` are expressions.
fn pattern(text: &str) -> Result<Regex, String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some((plain, behind)) = rest.split_once("{{") {
        out.push_str(&regex_lite::escape(plain));
        let Some((expression, behind)) = behind.split_once("}}") else {
            return Err("an inner `{{` is not closed by `}}`".to_owned());
        };
        out.push_str(&format!("(?:{expression})"));
        rest = behind;
    }
    out.push_str(&regex_lite::escape(rest));
    Regex::new(&out).map_err(|error| format!("not a regular expression: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Holds a text against an error on its line 3 (from 1), and gives what is then wrong.
    fn check(text: &str, message: &str, want: &[&str]) {
        let mut sources = Sources::new();
        let source = sources.add("a.mlir", text);
        let start = sources.get(source).and_then(|s| s.line_range(2)).expect("three lines").start;
        let place = Span::at(source, start as u32);
        let found = [Diagnostic::error("code", message).at(place).note("because")];
        let wrong = super::check(&sources, source, &found, Level::All);
        let wrong: Vec<_> = wrong
            .iter()
            .map(|d| {
                let place = d.primary.map_or(0, |span| sources.line_col(span).line);
                format!("{place}: {}", d.message)
            })
            .collect();
        assert_eq!(wrong, want, "{text}");
    }

    #[test]
    fn places() {
        check("\n\nx // expected-error {{wrong}}\n", "is wrong", &[]);
        check("// expected-error@+2 {{wrong}}\n\nx\n", "is wrong", &[]);
        check("// expected-error @below {{is}}\n// expected-note@below {{cause}}\nx\n", "is", &[]);
        check("\n\nx\n// expected-note@-1 {{bec}}\n// expected-error@above {{is}}", "is", &[]);
        check(
            "// expected-error@unknown {{wrong}}\n\nx\n",
            "is wrong",
            &["3: unexpected error: is wrong", "1: expected error \"wrong\" was not produced"],
        );
        let far = "there is no line `@-1` of this one";
        check(
            "// expected-error@-1 {{w}}\n\nx\n",
            "w",
            &[&format!("1: {far}"), "3: unexpected error: w"],
        );
    }

    #[test]
    fn messages() {
        check("\n\nx // expected-error-re {{op of {{[0-9]+}} (s)}}\n", "an op of 12 (s)", &[]);
        check(
            "\n\nx // expected-error-re {{op of {{[0-9]+}}!}}\n",
            "op of 12?",
            &[
                "3: unexpected error: op of 12?",
                "3: expected error \"op of {{[0-9]+}}!\" was not produced",
            ],
        );
        check(
            "\n\nx // expected-error-re {{a {{b}}\n",
            "a",
            &["3: an inner `{{` is not closed by `}}`", "3: unexpected error: a"],
        );
        check(
            "\n\nx // expected-warning {{a}}\n",
            "a",
            &["3: unexpected error: a", "3: expected warning \"a\" was not produced"],
        );
        check(
            "\n\nx // expected-error 2 {{a}}\n",
            "a",
            &["3: expected error \"a\" was not produced"],
        );
    }
}
