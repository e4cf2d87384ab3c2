//! `tegula opt`

use tegula_diag::{Diagnostic, SourceId, Span};
use tegula_ir::text::{ParseOptions, PrintOptions, parse_module_with};
use tegula_ir::verify::verify_module;
use tegula_ir::{Names, Registry};
use tegula_pass::text::{Element, parse};
use tegula_pass::{DumpTree, Instrument, NoInstrument, Plan, run_pipeline};
use tegula_pipelines::Setup;

use crate::args::{OptArgs, TargetArgs};
use crate::context::{Context, Done, settings};
use crate::dump::{StderrApplied, StderrDump, module_text};
use crate::explain;
use crate::flags::{self, CommandLine};
use crate::output::reason;

/// Runs the command.
pub fn run(args: &OptArgs, line: &CommandLine) -> Done {
    let mut cx = Context::new();
    let wrong = flags::check_print(&args.print, line, &mut cx.sources);
    cx.show(&wrong)?;
    let live = cx.dialects(&args.dialect)?;
    let setup = Setup::new(settings(&TargetArgs::defaults()), live);
    cx.check_setup(&setup)?;
    if args.list_passes {
        return list_passes(&mut cx, &setup);
    }
    if let Some(pattern) = &args.explain {
        return explain::run(&mut cx, &setup, args, pattern);
    }
    let source = cx.read(&args.input)?;
    let plan = plan(&mut cx, &setup, args, line)?;
    if !args.split_input_file {
        let text = one(&mut cx, &setup, args, &plan, source)?;
        return cx.write(&args.output, text.as_bytes());
    }
    let mut texts = Vec::new();
    let mut done = Ok(());
    for source in parts(&mut cx, source) {
        match one(&mut cx, &setup, args, &plan, source) {
            Ok(text) => texts.push(text),
            Err(failed) => done = Err(failed),
        }
    }
    done?;
    cx.write(&args.output, texts.join("// -----\n").as_bytes())
}

/// The parts of a source as sources, each with empty lines before it, so that places stay right.
fn parts(cx: &mut Context, source: SourceId) -> Vec<SourceId> {
    let name = cx.sources.name(source).to_owned();
    let text = cx.sources.text(source).to_owned();
    let mut parts = vec![String::new()];
    for (number, line) in text.split_inclusive('\n').enumerate() {
        match parts.last_mut() {
            Some(part) if line.trim_end() != "// -----" => part.push_str(line),
            _ => parts.push("\n".repeat(number + 1)),
        }
    }
    parts.into_iter().map(|part| cx.sources.add(&name, part)).collect()
}

/// The text that one module becomes.
fn one(
    cx: &mut Context,
    setup: &Setup,
    args: &OptArgs,
    plan: &Plan,
    source: SourceId,
) -> Done<String> {
    let text = cx.sources.text(source).to_owned();
    let options = ParseOptions { allow_unregistered: args.allow_unregistered_dialect };
    let (module, map, mut found) = parse_module_with(&setup.registry, source, &text, options);
    if found.is_empty() {
        found.extend(verify_module(&setup.registry, &module, &map));
    }
    cx.show(&found)?;
    let print = PrintOptions {
        local_scope: args.mlir_print_local_scope,
        generic: args.mlir_print_op_generic,
        debuginfo: args.mlir_print_debuginfo,
        ..PrintOptions::default()
    };
    let poll = || {};
    let env = setup.env(&poll, true);
    let after_change = args.print.mlir_print_ir_after_change;
    let mut tree = None;
    let mut stderr = None;
    let mut nothing = NoInstrument;
    let dump: &mut dyn Instrument = match &args.print.mlir_print_ir_tree_dir {
        Some(folder) if args.print.mlir_print_ir_after_all => {
            tree.insert(DumpTree::new(folder, &setup.registry, print.clone(), after_change))
        }
        None if args.print.mlir_print_ir_after_all => stderr.insert(StderrDump {
            registry: &setup.registry,
            options: print.clone(),
            after_change,
            names: Names::default(),
        }),
        _ => &mut nothing,
    };
    let mut applied;
    let instrument: &mut dyn Instrument = if args.print_applied_patterns {
        applied = StderrApplied { inner: dump };
        &mut applied
    } else {
        dump
    };
    let run = run_pipeline(env, plan, module, instrument);
    let found: Vec<Diagnostic> =
        run.reports.iter().map(|r| tegula_db::report_diagnostic(r, &map)).collect();
    cx.show(&found)?;
    if run.result.is_err() {
        return cx.fail(Diagnostic::error("pass-failed", "a pass gave up without saying why"));
    }
    if let Some((path, error)) = tree.iter().flat_map(|t| t.errors()).next() {
        let message = format!("cannot write {}: {}", path.display(), reason(error));
        return cx.fail(Diagnostic::error("unwritable-output", message));
    }
    Ok(module_text(&setup.registry, &run.value, &print))
}

fn plan(cx: &mut Context, setup: &Setup, args: &OptArgs, line: &CommandLine) -> Done<Plan> {
    let text = match (&args.pass_pipeline, args.passes.as_slice()) {
        (Some(text), []) => text.clone(),
        (None, passes) => format!("builtin.module({})", passes.join(",")),
        (Some(_), _) => {
            let message = "--pass-pipeline and --pass exclude each other";
            let span = line.locate(&mut cx.sources, "--pass");
            return cx.fail(Diagnostic::error("conflicting-flags", message).at(span));
        }
    };
    // What holds of a program in the middle of the road is for its author to know.
    let facts: Vec<String> =
        setup.passes.passes().flat_map(|p| p.def.requires.iter().map(|f| f.to_string())).collect();
    let facts: Vec<&str> = facts.iter().map(String::as_str).collect();
    let source = cx.sources.add_virtual("<pass pipeline>", text.as_str());
    let mut found = Vec::new();
    let plan = match Plan::new(&setup.passes, &text, &facts) {
        Ok(plan) => plan,
        Err(errors) => {
            found.extend(errors.iter().map(|error| {
                let span = word(source, &text, error.at);
                error.diagnostic(source).at(span)
            }));
            Plan::default()
        }
    };
    // A nest whose ops do not exist would run nothing and say nothing.
    if let Ok(elements) = parse(&text) {
        let mut check = Anchors { registry: &setup.registry, source, text: &text, found };
        check.top(&elements);
        found = check.found;
    }
    found.sort_by_key(|d| d.primary.map_or(0, |span| span.start));
    cx.show(&found)?;
    Ok(plan)
}

/// The name that begins at an offset of pipeline text.
fn word(source: SourceId, text: &str, at: usize) -> Span {
    let rest = text.get(at..).unwrap_or_default();
    let len = rest.find(|c: char| !(c.is_alphanumeric() || "-_.$".contains(c)));
    Span::new(source, at as u32, (at + len.unwrap_or(rest.len())) as u32)
}

/// Looks for nests on ops that do not exist.
struct Anchors<'a> {
    registry: &'a Registry,
    source: SourceId,
    text: &'a str,
    found: Vec<Diagnostic>,
}

impl Anchors<'_> {
    fn top(&mut self, elements: &[Element]) {
        for element in elements {
            if let Element::Nest { anchor, at, .. } = element
                && anchor == "builtin.module"
                && elements.len() > 1
            {
                let message = "`builtin.module(…)` holds the whole pipeline when it is written";
                let span = word(self.source, self.text, *at);
                self.found.push(Diagnostic::error("pipeline-syntax", message).at(span));
            }
        }
        self.nested(elements);
    }

    fn nested(&mut self, elements: &[Element]) {
        for element in elements {
            match element {
                Element::Pass { .. } => {}
                Element::Nest { anchor, elements, at } => {
                    self.anchor(anchor, *at);
                    self.nested(elements);
                }
                Element::Adaptor { entries, at } => {
                    for (anchors, elements) in entries {
                        anchors.iter().for_each(|anchor| self.anchor(anchor, *at));
                        self.nested(elements);
                    }
                }
            }
        }
    }

    fn anchor(&mut self, anchor: &str, at: usize) {
        let ops = || self.registry.dialects().flat_map(|d| d.def.ops.iter().map(|op| &*op.name));
        if anchor == "any" || ops().any(|op| op == anchor) {
            return;
        }
        let span = word(self.source, self.text, at);
        let message = format!("no op is named `{anchor}`, so that nothing would run");
        let error = Diagnostic::error("unknown-op", message).at(span);
        self.found.push(error.suggest(anchor, ops()));
    }
}

fn list_passes(cx: &mut Context, setup: &Setup) -> Done {
    let mut out = String::new();
    for pass in setup.passes.passes() {
        out.push_str(&format!("{:60} {}\n", pass.def.name, pass.def.summary));
    }
    cx.write(std::path::Path::new("-"), out.as_bytes())
}
