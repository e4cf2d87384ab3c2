//! Diagnostics in the layout of LLVM's tools.

use crate::{Diagnostic, Sources, Span};

/// One diagnostic; ends in a line end.
pub(crate) fn render(sources: &Sources, diagnostic: &Diagnostic) -> String {
    let mut out = String::new();
    let message = format!("{} [{}]", diagnostic.message, diagnostic.code);
    entry(&mut out, sources, diagnostic.primary, diagnostic.severity.as_str(), &message);
    for (span, text) in &diagnostic.labels {
        entry(&mut out, sources, Some(*span), "note", text);
    }
    for note in &diagnostic.notes {
        entry(&mut out, sources, None, "note", note);
    }
    if let Some(fix) = &diagnostic.fix {
        let text = format!("fix: {}", fix.description);
        entry(&mut out, sources, Some(fix.span), "note", &text);
    }
    out
}

fn entry(out: &mut String, sources: &Sources, span: Option<Span>, kind: &str, message: &str) {
    let Some((span, source)) = span.and_then(|span| Some((span, sources.get(span.source)?))) else {
        out.push_str(&format!("{kind}: {message}\n"));
        return;
    };
    let index = source.line_index(span.start);
    let line = source.line(index).unwrap_or("");
    let from = source.line_range(index).map_or(0, |range| range.start);
    let place = source.clamp(span.start).saturating_sub(from);
    let before = line.get(..place).unwrap_or(line);
    let marked = line.get(place..source.clamp(span.end).saturating_sub(from));
    let marked = marked.or(line.get(place..)).unwrap_or("").chars().count();
    // A mark stands below what it marks: tabs stay tabs.
    let blank: String = before.chars().map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
    let tail = "~".repeat(marked.saturating_sub(1));
    let place = sources.locate(span);
    out.push_str(&format!("{place}: {kind}: {message}\n{line}\n{blank}^{tail}\n"));
}
