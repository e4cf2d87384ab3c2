//! `tegula opt`

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use tegula_diag::{Diagnostic, SourceId, Sources};
use tegula_ir::text::{
    LocationLookup, MARKER, ParseOptions, PrintOptions, SourceMap, modules, parse_module_with,
    tokens,
};
use tegula_ir::verify::{verify_calls, verify_module};
use tegula_ir::{Ident, Module, Names};
use tegula_pass::{DumpTree, Instrument, NoInstrument, Plan, run_pipeline};
use tegula_pipelines::{Phase, Setup};

use crate::args::OptArgs;
use crate::context::{Context, Done, byte_position};
use crate::dump::{Chosen, StderrApplied, StderrDump, module_text};
use crate::flags::{self, CommandLine};
use crate::output::reason;
use crate::{expect, explain, pipeline};

/// Runs the command.
pub fn run(args: &OptArgs, line: &CommandLine) -> Done {
    let mut cx = Context::new();
    let wrong = flags::check_print(&args.print, line, &mut cx.sources);
    cx.show(&wrong)?;
    let setup =
        cx.setup(&args.target, &args.dialect, &args.input, line, Phase::Input..=Phase::Input)?;
    if args.list_passes {
        return pipeline::list(&mut cx, &setup);
    }
    // The command line is told before a program is waited for.
    let plan = pipeline::plan(&mut cx, &setup, args, line)?;
    if let Some(pattern) = &args.explain {
        return explain::run(&mut cx, &setup, args, &plan, pattern);
    }
    let source = cx.read(&args.input)?;
    let sources = match &args.split_input_file {
        Some(marker) => parts(&mut cx, source, marker),
        None => vec![source],
    };
    let mut texts = Vec::new();
    let mut done = Ok(());
    for source in sources {
        let (text, found) = one(&cx, &setup, args, &plan, source);
        let found = match args.verify_diagnostics {
            Some(level) => expect::check(&cx.sources, source, &found, level),
            None => found,
        };
        texts.extend(text);
        done = done.and(cx.show(&found));
    }
    done?;
    cx.write(&args.output, texts.join(&format!("{MARKER}\n")).as_bytes())
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
    };
    let (mut module, map, found) = parse_module_with(&setup.registry, source, text, options);
    cx.locate_module(&mut module, source, map.module());
    (module, map, found)
}

/// The text that one module becomes, unless something is wrong with it, and what was found.
fn one(
    cx: &Context,
    setup: &Setup,
    args: &OptArgs,
    plan: &Plan,
    source: SourceId,
) -> (Option<String>, Vec<Diagnostic>) {
    let (module, map, mut found) = read(cx, setup, args, source);
    if found.is_empty() {
        found.extend(verify_module(&setup.registry, &module, &map));
    }
    if tegula_diag::has_errors(&found) {
        return (None, found);
    }
    let print = PrintOptions {
        local_scope: args.mlir_print_local_scope,
        generic: args.mlir_print_op_generic,
        debuginfo: args.mlir_print_debuginfo,
        locations: args.mlir_print_debuginfo.then(|| locations(&cx.sources, &map)),
        ..PrintOptions::default()
    };
    let poll = || {};
    let env = setup.env(&poll, args.verify_each);
    let mut tree = None;
    let mut stderr = None;
    let mut nothing = NoInstrument;
    let dump: &mut dyn Instrument = match tree_folder(args) {
        Some(folder) => {
            let after_change = args.print.mlir_print_ir_after_change;
            tree.insert(DumpTree::new(folder, &setup.registry, print.clone(), after_change))
        }
        None if prints(args) => stderr.insert(StderrDump {
            registry: &setup.registry,
            options: print.clone(),
            before: Chosen::of(args.mlir_print_ir_before_all, &args.mlir_print_ir_before),
            after: Chosen::of(args.print.mlir_print_ir_after_all, &args.mlir_print_ir_after),
            after_change: args.print.mlir_print_ir_after_change,
            after_failure: args.mlir_print_ir_after_failure,
            names: Names::default(),
        }),
        None => &mut nothing,
    };
    let mut applied;
    let instrument: &mut dyn Instrument = if args.print_applied_patterns {
        applied = StderrApplied { inner: dump };
        &mut applied
    } else {
        dump
    };
    let run = run_pipeline(env, plan, module, instrument);
    found.extend(run.reports.iter().map(|r| tegula_db::report_diagnostic(r, &map)));
    if run.result.is_err() && !tegula_diag::has_errors(&found) {
        found.push(Diagnostic::error("pass-failed", "a pass gave up without saying why"));
    }
    if args.verify_each && !tegula_diag::has_errors(&found) {
        found.extend(verify_calls(&setup.registry, &run.value, &map));
    }
    if let Some((path, error)) = tree.iter().flat_map(|t| t.errors()).next() {
        let message = format!("cannot write {}: {}", path.display(), reason(error));
        found.push(Diagnostic::error("unwritable-output", message));
    }
    if tegula_diag::has_errors(&found) {
        return (None, found);
    }
    // As MLIR's tools do, with an empty line after each module.
    (Some(module_text(&setup.registry, &run.value, &print) + "\n"), found)
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

/// The folder of the tree that the IR is printed into.
fn tree_folder(args: &OptArgs) -> Option<&Path> {
    args.print.mlir_print_ir_tree_dir.as_deref().filter(|_| args.print.mlir_print_ir_after_all)
}

/// Whether IR is printed around some pass.
fn prints(args: &OptArgs) -> bool {
    args.print.mlir_print_ir_after_all
        || args.mlir_print_ir_before_all
        || args.mlir_print_ir_after_failure
        || !args.mlir_print_ir_before.is_empty()
        || !args.mlir_print_ir_after.is_empty()
}
