//! What in definitions does not fit together, told where the definition stands.

use tegula_diag::{Diagnostic, Sources, Span};
use tegula_pipelines::Problem;

/// A problem of a setup, located in the sources that its definitions were read from.
pub fn problem_diagnostic(sources: &Sources, problem: &Problem) -> Diagnostic {
    let message = problem.message.clone();
    let diagnostic = if problem.fatal {
        Diagnostic::error("broken-definition", message)
    } else {
        Diagnostic::warning("disabled-definition", message)
    };
    let Some(place) = &problem.source else { return diagnostic };
    match line(sources, &place.file, place.line) {
        Some(span) => diagnostic.at(span),
        // Definitions that are built in have no text here.
        None => diagnostic.note(format!("defined at {}:{}", place.file, place.line)),
    }
}

/// A line of a file that was read, which tables name relative to a folder, without its indentation.
fn line(sources: &Sources, file: &str, line: u32) -> Option<Span> {
    let (id, source) = sources.iter().find(|(_, s)| s.path().ends_with(file))?;
    let range = source.line_range((line as usize).checked_sub(1)?)?;
    let text = source.text().get(range.clone())?;
    let indent = text.len() - text.trim_start().len();
    let (start, end) = (range.start + indent, range.start + text.trim_end().len());
    Some(Span::new(id, start as u32, end as u32))
}
