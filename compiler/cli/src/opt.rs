//! `tegula opt`

use tegula_diag::Diagnostic;
use tegula_ir::Names;
use tegula_ir::text::{ParseOptions, PrintOptions, parse_module_with};
use tegula_ir::verify::verify_module;
use tegula_pass::{DumpTree, Instrument, NoInstrument, Plan, run_pipeline};
use tegula_pipelines::Setup;

use crate::args::{OptArgs, TargetArgs};
use crate::context::{Context, Done, settings};
use crate::dump::{StderrDump, module_text};

/// Runs the command.
pub fn run(args: &OptArgs) -> Done {
    let mut cx = Context::new();
    let live = cx.dialects(&args.dialect)?;
    let setup = Setup::new(settings(&TargetArgs::defaults()), live);
    cx.check_setup(&setup)?;
    if args.list_passes {
        return list_passes(&mut cx, &setup);
    }
    let source = cx.read(&args.input)?;
    let text = cx.sources.text(source).to_owned();
    let options = ParseOptions { allow_unregistered: args.allow_unregistered_dialect };
    let (module, map, mut found) = parse_module_with(&setup.registry, source, &text, options);
    if found.is_empty() {
        found.extend(verify_module(&setup.registry, &module, &map));
    }
    cx.show(&found)?;

    let plan = plan(&mut cx, &setup, args)?;
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
    let instrument: &mut dyn Instrument = match &args.print.mlir_print_ir_tree_dir {
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
    let run = run_pipeline(env, &plan, module, instrument);
    let found: Vec<Diagnostic> =
        run.reports.iter().map(|r| tegula_db::report_diagnostic(r, &map)).collect();
    cx.show(&found)?;
    if run.result.is_err() {
        return cx.fail(Diagnostic::error("pass-failed", "a pass gave up without saying why"));
    }
    for (path, error) in tree.iter().flat_map(|t| t.errors()) {
        let message = format!("cannot write {}: {error}", path.display());
        return cx.fail(Diagnostic::error("unwritable-output", message));
    }
    let text = module_text(&setup.registry, &run.value, &print);
    cx.write(&args.output, text.as_bytes())
}

fn plan(cx: &mut Context, setup: &Setup, args: &OptArgs) -> Done<Plan> {
    let text = match (&args.pass_pipeline, args.passes.as_slice()) {
        (Some(text), []) => text.clone(),
        (None, passes) => format!("builtin.module({})", passes.join(",")),
        (Some(_), _) => {
            let message = "--pass-pipeline and --pass exclude each other";
            return cx.fail(Diagnostic::error("conflicting-flags", message));
        }
    };
    // What holds of a program in the middle of the road is for its author to know.
    let facts: Vec<String> =
        setup.passes.passes().flat_map(|p| p.def.requires.iter().map(|f| f.to_string())).collect();
    let facts: Vec<&str> = facts.iter().map(String::as_str).collect();
    match Plan::new(&setup.passes, &text, &facts) {
        Ok(plan) => Ok(plan),
        Err(errors) => {
            let source = cx.sources.add_virtual("<pass pipeline>", text);
            let found: Vec<Diagnostic> = (errors.iter())
                .map(|e| {
                    let span = tegula_diag::Span::at(source, e.at as u32);
                    let diagnostic = Diagnostic::error(e.code, e.message.clone()).at(span);
                    e.notes.iter().fold(diagnostic, |d, note| d.note(note.clone()))
                })
                .collect();
            cx.show(&found)?;
            Err(crate::context::Failed)
        }
    }
}

fn list_passes(cx: &mut Context, setup: &Setup) -> Done {
    let mut out = String::new();
    for pass in setup.passes.passes() {
        out.push_str(&format!("{:60} {}\n", pass.def.name, pass.def.summary));
    }
    cx.write(std::path::Path::new("-"), out.as_bytes())
}
