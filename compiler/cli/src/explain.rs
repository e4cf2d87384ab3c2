//! `tegula opt --explain=PATTERN FILE:LINE`: why a pattern does or does not apply.

use std::fmt::Write;
use std::path::Path;

use tegula_diag::{Diagnostic, SourceId};
use tegula_ir::text::SourceMap;
use tegula_ir::{Body, Module, OpId};
use tegula_pass::{NoInstrument, Plan, run_pipeline};
use tegula_pipelines::Setup;
use tegula_rewrite::{Explanation, Pattern, explain};
use tegula_schema::{ConversionDef, PassBody};

use crate::args::OptArgs;
use crate::context::{Context, Done};
use crate::opt;

/// Explains what a pattern finds at a line, after the passes of the plan.
pub fn run(cx: &mut Context, setup: &Setup, args: &OptArgs, plan: &Plan, name: &str) -> Done {
    let (path, line) = place(cx, &args.input)?;
    let patterns = patterns(cx, setup, name)?;
    let source = cx.read(Path::new(&path))?;
    let (module, map, found) = opt::read(cx, setup, args, source);
    cx.show(&found)?;
    let poll = || {};
    let env = setup.env(&poll, args.verify_each);
    let run = run_pipeline(env, plan, module, &mut NoInstrument);
    let found: Vec<Diagnostic> =
        run.reports.iter().map(|report| tegula_db::report_diagnostic(report, &map)).collect();
    cx.show(&found)?;
    let module = run.value;
    let ops = ops_at(cx, &module, &map, source, line);
    if ops.is_empty() {
        let message = format!("no op comes from line {line} of {path}");
        return cx.fail(Diagnostic::error("nothing-to-explain", message));
    }
    let mut out = String::new();
    for pattern in &patterns {
        // Other ops of the line are of no interest when one could be the root.
        let is_root = |body: &Body, op| pattern.root().is_none_or(|root| root == body.name(op));
        let some_root = ops.iter().any(|&(body, op)| is_root(body, op));
        for &(body, op) in ops.iter().filter(|(body, op)| !some_root || is_root(body, *op)) {
            let conversion = conversion_of(setup, pattern);
            let (registry, all) = (&setup.registry, &setup.patterns);
            let found = explain(registry, all, conversion, body, (pattern, op));
            let op = body.name(op);
            let _ = writeln!(out, "{path}:{line}: {op}: {}", told(&found));
        }
    }
    cx.write(&args.output, out.as_bytes())
}

fn told(found: &Explanation) -> String {
    let file = &found.source.file;
    let mut out = format!("`{}` ({file}:{})", found.pattern, found.source.line);
    let Some(reason) = found.reason().filter(|_| !found.matches) else {
        match &found.breaks {
            Some(broken) => {
                let _ = write!(out, " matches, and breaks when it is applied\n  {broken}");
            }
            None => out.push_str(" applies"),
        }
        return out;
    };
    out.push_str(" does not apply");
    let mut told = vec![reason];
    let _ = write!(out, "\n  {file}:{}: {}", reason.line, reason.message);
    // Alternatives that failed earlier.
    for failure in &found.failures {
        let known = told.iter().any(|t| (t.line, &t.message) == (failure.line, &failure.message));
        if !known {
            let _ = write!(out, "\n  {file}:{}: before that, {}", failure.line, failure.message);
            told.push(failure);
        }
    }
    out
}

/// The file and the line of `FILE:LINE`.
fn place(cx: &mut Context, input: &Path) -> Done<(String, u32)> {
    let text = input.to_string_lossy().into_owned();
    let place = text.rsplit_once(':').and_then(|(path, line)| {
        let line = line.parse::<u32>().ok().filter(|&line| line > 0)?;
        Some((path.to_owned(), line))
    });
    match place {
        Some(place) => Ok(place),
        None => {
            let message = format!("--explain takes a place, as in `{text}:12`");
            cx.fail(Diagnostic::error("no-place", message))
        }
    }
}

fn patterns<'s>(cx: &mut Context, setup: &'s Setup, name: &str) -> Done<Vec<&'s Pattern>> {
    let found: Vec<&Pattern> = setup.patterns.all().filter(|p| p.name() == name).collect();
    if !found.is_empty() {
        return Ok(found);
    }
    let error = Diagnostic::error("unknown-pattern", format!("no pattern is named `{name}`"));
    cx.fail(error.suggest(name, setup.patterns.all().map(Pattern::name)))
}

/// The ops that come from what begins at a line.
fn ops_at<'m>(
    cx: &Context,
    module: &'m Module,
    map: &SourceMap,
    source: SourceId,
    line: u32,
) -> Vec<(&'m Body, OpId)> {
    let mut found = Vec::new();
    for body in &module.bodies {
        for op in body.walk_all() {
            let span = map.op_span(body, op).filter(|span| span.source == source);
            if span.is_some_and(|span| cx.sources.line_col(span).line == line) {
                found.push((body, op));
            }
        }
    }
    found
}

/// A conversion that runs the pattern's group, for the types that it converts to.
fn conversion_of<'s>(setup: &'s Setup, pattern: &Pattern) -> Option<&'s ConversionDef> {
    setup.registry.passes().find_map(|(_, pass)| match &pass.body {
        PassBody::Convert(conversion) => {
            conversion.groups.iter().any(|group| group == pattern.group()).then_some(conversion)
        }
        _ => None,
    })
}
