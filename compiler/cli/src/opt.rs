//! `tegula opt`

use std::ops::Range;
use std::panic::AssertUnwindSafe;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use tegula_diag::{Diagnostic, SourceId, Sources};
use tegula_ir::text::{
    LocationLookup, MARKER, ParseOptions, PrintOptions, SourceMap, modules, parse_module_with,
    tokens,
};
use tegula_ir::verify::{verify_calls, verify_module_on};
use tegula_ir::{Ident, Module, Threads};
use tegula_pass::{Env, NoInstrument, Plan, run_pipeline};
use tegula_pipelines::{Phase, Setup};

use crate::args::OptArgs;
use crate::context::{Context, Done, byte_position};
use crate::dump::{module_pieces, module_text};
use crate::flags::{self, CommandLine};
use crate::output::{aside, reason};
use crate::reproducer::{self, Recipe};
use crate::watch::Watch;
use crate::{expect, explain, pipeline};

/// Runs the command.
pub fn run(args: &OptArgs, line: &CommandLine) -> Done {
    let mut cx = Context::new();
    let prints = args.print.mlir_print_ir_after_all
        || args.mlir_print_ir_before_all
        || !args.mlir_print_ir_before.is_empty()
        || !args.mlir_print_ir_after.is_empty();
    let wrong = flags::check_print(&args.print, prints, line, &mut cx.sources);
    cx.show(&wrong)?;
    let setup =
        cx.setup(&args.target, &args.dialect, &args.input, line, Phase::Input..=Phase::Input)?;
    if args.list_passes {
        return pipeline::list(&mut cx, &setup);
    }
    if args.show_dialects {
        return pipeline::dialects(&mut cx, &setup);
    }
    // A reproducer says itself what to run.
    let recipe = match args.run_reproducer {
        true => {
            let source = cx.read(&args.input)?;
            let recipe = reproducer::read(&mut cx, source)?;
            Some((source, recipe))
        }
        false => None,
    };
    // The command line is told before a program is waited for.
    let recipe_pipeline = recipe.as_ref().map(|(_, recipe)| recipe.pipeline.as_str());
    let plan = pipeline::plan(&mut cx, &setup, args, recipe_pipeline, line)?;
    if args.dump_pass_pipeline {
        aside(format_args!("{}", plan.dump()));
    }
    if let Some(pattern) = &args.explain {
        return explain::run(&mut cx, &setup, args, &plan, pattern);
    }
    let verify_each = recipe.as_ref().map_or(args.verify_each, |(_, recipe)| recipe.verify_each);
    let source = match recipe {
        Some((source, _)) => source,
        None => cx.read(&args.input)?,
    };
    let sources = match &args.split_input_file {
        Some(marker) => parts(&mut cx, source, marker),
        None => vec![source],
    };
    let run = Passes { setup: &setup, args, plan: &plan, verify_each };
    let mut pieces = Vec::new();
    let mut first = true;
    let mut done = Ok(());
    for source in sources {
        let (text, found) = run.on(&mut cx, source);
        let found = match args.verify_diagnostics {
            Some(level) => expect::check(&cx.sources, source, &found, level),
            None => found,
        };
        if !first {
            pieces.push(format!("{MARKER}\n"));
        }
        first = false;
        pieces.extend(text.unwrap_or_default());
        done = done.and(cx.show(&found));
    }
    // The parts in which nothing is wrong are shown, but make no file.
    let is_shown = args.split_input_file.is_some() && args.output == Path::new("-");
    if done.is_ok() || is_shown {
        cx.write_pieces(&args.output, pieces)?;
    }
    done
}

/// The parts of a source as sources, each with empty lines before it, so that places stay right.
fn parts(cx: &mut Context, source: SourceId, marker: &str) -> Vec<SourceId> {
    let name = cx.sources.name(source).to_owned();
    let text = cx.sources.text(source).to_owned();
    let part = |range: Range<usize>| {
        let before = text[..range.start].bytes().filter(|&c| c == b'\n').count();
        "\n".repeat(before) + &text[range]
    };
    modules(&text, marker).into_iter().map(|range| cx.sources.add(&name, part(range))).collect()
}

/// The module of a source.
pub fn read(
    cx: &Context,
    setup: &Setup,
    args: &OptArgs,
    source: SourceId,
) -> (Module, SourceMap, Vec<Diagnostic>) {
    let text = cx.sources.text(source);
    let options = ParseOptions {
        allow_unregistered: args.allow_unregistered_dialect,
        locate_arguments: args.mlir_print_debuginfo,
        threads: threads(args),
    };
    let (mut module, map, found) = parse_module_with(&setup.registry, source, text, options);
    cx.locate_module(&mut module, source, map.module());
    if args.run_reproducer {
        // It has been read, and what is printed is none.
        let others = module.external.iter().filter(|(name, _)| name.as_str() != reproducer::NAME);
        module.external = others.cloned().collect();
    }
    (module, map, found)
}

fn threads(args: &OptArgs) -> Threads {
    match args.print.mlir_disable_threading {
        true => Threads::One,
        false => Threads::All,
    }
}

/// What is done to each module.
struct Passes<'a> {
    setup: &'a Setup,
    args: &'a OptArgs,
    plan: &'a Plan,
    verify_each: bool,
}

impl Passes<'_> {
    /// The text that one module becomes, in pieces, unless something is wrong with it, and what was
    /// found.
    fn on(&self, cx: &mut Context, source: SourceId) -> (Option<Vec<String>>, Vec<Diagnostic>) {
        let Passes { setup, args, plan, verify_each } = *self;
        let registry = &setup.registry;
        let start = Instant::now();
        let (module, map, mut found) = read(cx, setup, args, source);
        if found.is_empty() {
            found.extend(verify_module_on(threads(args), registry, &module, &map));
        }
        if tegula_diag::has_errors(&found) {
            return (None, found);
        }
        let parsing = start.elapsed();
        let print = PrintOptions {
            local_scope: args.mlir_print_local_scope,
            generic: args.mlir_print_op_generic,
            debuginfo: args.mlir_print_debuginfo,
            skip_regions: args.mlir_print_skip_regions,
            elide_elements_if_larger: args.mlir_elide_elementsattrs_if_larger,
            threads: threads(args),
            locations: args.mlir_print_debuginfo.then(|| locations(&cx.sources, &map)),
            ..PrintOptions::default()
        };
        let poll = || {};
        let env = setup.env(&poll, verify_each);
        let mut watch = Watch::new(args, registry, &print);
        let reproducer = args.mlir_pass_pipeline_crash_reproducer.as_deref();
        let original = reproducer.map(|_| module.clone());
        let mut reproduced = None;
        // A crash goes on when the reproducer is written.
        let crash = AssertUnwindSafe(|| run_pipeline(env, plan, module, &mut watch));
        let run = std::panic::catch_unwind(crash);
        let failed = run.as_ref().map_or(true, |run| run.result.is_err());
        if let (Some(path), Some(original), true) = (reproducer, original, failed) {
            let only = watch.failed.filter(|_| args.mlir_pass_pipeline_local_reproducer);
            let until = only.and_then(|index| index.checked_sub(1));
            let env = Env { until, ..env };
            let module = match until {
                Some(_) => run_pipeline(env, plan, original, &mut NoInstrument).value,
                None => original,
            };
            let text = module_text(registry, &module, &PrintOptions::default());
            let recipe = Recipe { pipeline: plan.text(only), verify_each };
            if reproducer::write(cx, path, &text, &recipe).is_err() {
                return (None, found);
            }
            reproduced = Some(path);
        }
        let run = run.unwrap_or_else(|crash| std::panic::resume_unwind(crash));
        found.extend(run.reports.iter().map(|r| tegula_db::report_diagnostic(r, &map)));
        if run.result.is_err() && !tegula_diag::has_errors(&found) {
            found.push(Diagnostic::error("pass-failed", "a pass gave up without saying why"));
        }
        if let (Some(path), Some(error)) = (reproduced, found.iter_mut().find(|d| d.is_error())) {
            error.notes.push(format!("{} reproduces this", path.display()));
        }
        if verify_each && !tegula_diag::has_errors(&found) {
            let bodies = run.value.bodies.iter();
            found.extend(verify_calls(registry, bodies.clone(), bodies, &map));
        }
        if let Some((path, error)) = watch.tree.iter().flat_map(|t| t.errors()).next() {
            let message = format!("cannot write {}: {}", path.display(), reason(error));
            found.push(Diagnostic::error("unwritable-output", message));
        }
        let printing = Instant::now();
        // As MLIR's tools do, with an empty line behind each module that has no local scope.
        let text = (!tegula_diag::has_errors(&found)).then(|| {
            let end = if print.local_scope { "" } else { "\n" };
            let mut pieces = module_pieces(registry, run.value, &print);
            pieces.push(end.to_owned());
            pieces
        });
        if let Some(profile) = &watch.profile {
            let output = [("Output", printing.elapsed())];
            let parser = [("Parser", parsing)];
            if args.mlir_timing {
                let display = args.mlir_timing_display.display();
                let times = profile.times(plan, display, &parser, &output, start.elapsed());
                aside(format_args!("{times}"));
            }
            if args.mlir_pass_statistics {
                let display = args.mlir_pass_statistics_display.display();
                aside(format_args!("{}", profile.statistics(plan, display)));
            }
        }
        if let Some(failure) = watch.stderr.map(|dump| dump.failure).filter(|text| !text.is_empty())
        {
            // What is wrong comes before the IR in which it is.
            let _ = cx.show(&found);
            aside(format_args!("{failure}"));
        }
        (text, found)
    }
}

/// Where the ops and arguments of a text stand: an op at its name, behind its results.
fn locations(sources: &Sources, map: &SourceMap) -> LocationLookup {
    let (sources, map) = (sources.clone(), map.clone());
    Arc::new(move |item, ordinal| {
        let mut span = map.span(item, ordinal)?;
        let text = sources.slice(span);
        let mut behind = tokens(text).skip_while(|token| &text[token.clone()] != "=").skip(1);
        if text.starts_with('%')
            && let Some(name) = behind.next()
        {
            span.start += name.start as u32;
        }
        let (line, column) = byte_position(&sources, span);
        Some((Ident::of(sources.name(span.source)), line, column))
    })
}
