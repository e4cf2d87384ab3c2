//! Pass bodies that are sets of patterns.

use tegula_ir::{Body, OpId, OpName};
use tegula_rewrite::{
    Application, BrokenPattern, ConversionError, Explanation, GreedyConfig, GreedyResult, convert,
    greedy,
};
use tegula_schema::{ConversionDef, Source};

use crate::report::{Report, Severity};
use crate::{Changed, Failed, PassCx, PassResult};

/// Says that a pattern's program is wrong.
pub(crate) fn broken(cx: &mut PassCx<'_>, broken: BrokenPattern) -> Failed {
    let BrokenPattern { what, source, op, loc, message } = broken;
    let message =
        format!("{what} ({}:{}) failed after it had matched: {message}", source.file, source.line);
    let op = op.map_or_else(String::new, |op| op.as_str().to_owned());
    cx.fail(Report { loc: Some(loc), op, ..Report::error("broken-pattern", message) })
}

/// Applies the patterns of some groups until none applies.
pub(crate) fn greedy_on(
    cx: &mut PassCx<'_>,
    body: &mut Body,
    op: OpId,
    groups: &[impl AsRef<str>],
) -> PassResult {
    let index = cx.patterns.select(groups);
    let config = GreedyConfig { poll: Some(cx.poller()), ..GreedyConfig::default() };
    match greedy(cx.registry, cx.patterns, &index, body, op, config) {
        Ok(result) if result.converged => {
            let changed = Changed::when(result.changed);
            cx.applied(result);
            Ok(changed)
        }
        Ok(result) => {
            let groups: Vec<&str> = groups.iter().map(AsRef::as_ref).collect();
            let message = format!("there is no end of the patterns of {}", groups.join(", "));
            let report = Report::at(Severity::Error, body, op, "no-fixed-point", message);
            let report = unsettled(report, &result);
            cx.applied(result);
            Err(cx.fail(report))
        }
        Err(error) => Err(broken(cx, error)),
    }
}

/// Names the patterns of which there is no end.
pub(crate) fn unsettled(report: Report, result: &GreedyResult) -> Report {
    naming(report, result.applied.get(result.unsettled.clone()).unwrap_or_default())
}

/// Runs a dialect conversion.
pub(crate) fn convert_on(
    cx: &mut PassCx<'_>,
    body: &mut Body,
    op: OpId,
    conversion: &ConversionDef,
) -> PassResult {
    match convert(cx.registry, cx.patterns, conversion, body, op) {
        Ok(result) => {
            cx.applied.extend(result.applied);
            Ok(Changed::when(result.changed))
        }
        Err(ConversionError::Illegal { op, message, tried, help }) => {
            // The message names the op.
            let report = Report::at(Severity::Error, body, op, "illegal-op", message);
            let mut report = Report { op: String::new(), ..report };
            if tried.as_ref().is_some_and(Vec::is_empty) {
                report = report.note(None, "no pattern of the pass has such an op as its root");
            }
            let tried = tried.iter().flatten().map(reason);
            let notes = tried.chain(help);
            cx.report(notes.fold(report, |report, note| report.note(None, note)));
            Err(Failed(()))
        }
        Err(ConversionError::Endless { op, message, applied }) => {
            let report = Report::at(Severity::Error, body, op, "illegal-op", message);
            cx.report(naming(Report { op: String::new(), ..report }, &applied));
            Err(Failed(()))
        }
        Err(ConversionError::Broken(error)) => Err(broken(cx, error)),
        Err(ConversionError::EndlessTypes { op, message }) => {
            Err(cx.error(body, op, "endless-conversion", message))
        }
        Err(ConversionError::NoConverter(message)) => {
            Err(cx.error(body, op, "no-type-converter", message))
        }
    }
}

/// Names the patterns that have applied, each once, newest first.
fn naming(report: Report, applied: &[Application]) -> Report {
    let mut named: Vec<(&Source, OpName)> = Vec::new();
    let mut report = report;
    for one in applied.iter().rev() {
        let what = (one.pattern.source(), one.op);
        if !named.contains(&what) {
            named.push(what);
            report = report.note(None, format!("{one} still applied to `{}`", one.op));
        }
    }
    report
}

/// A pattern that was tried, and why it does not apply.
fn reason(tried: &Explanation) -> String {
    let file = &tried.source.file;
    let (line, why) = match tried.reason() {
        Some(reason) => (reason.line, reason.message.as_str()),
        None => (tried.source.line, "it applies, but what it makes stays illegal"),
    };
    format!("`{}` ({file}:{line}): {why}", tried.pattern)
}
