//! The passes that `tegula opt` runs: pipeline text, flags of passes, and listings.

use std::fmt::Write;

use clap::CommandFactory;
use tegula_diag::{Diagnostic, SourceId, Span};
use tegula_ir::Registry;
use tegula_pass::Plan;
use tegula_pass::text::{Element, parse};
use tegula_pipelines::Setup;

use crate::args::{Cli, OptArgs};
use crate::context::{Context, Done};
use crate::flags::CommandLine;

/// The plan of the passes that the command line asks for.
pub fn plan(
    cx: &mut Context,
    setup: &Setup,
    args: &OptArgs,
    reproduced: Option<&str>,
    line: &CommandLine,
) -> Done<Plan> {
    check_names(cx, setup, args, line)?;
    let given = reproduced.or(args.pass_pipeline.as_deref());
    let text = match (given, args.passes.as_slice()) {
        (Some(text), []) => text.to_owned(),
        (None, passes) => {
            let unknown: Vec<Diagnostic> =
                passes.iter().filter_map(|pass| unknown_flag(cx, setup, pass, line)).collect();
            cx.show(&unknown)?;
            let passes: Vec<String> =
                passes.iter().map(|pass| with_flags(setup, pass, args)).collect();
            format!("builtin.module({})", passes.join(","))
        }
        (Some(_), _) => {
            let flag = if reproduced.is_some() { "--run-reproducer" } else { "--pass-pipeline" };
            let message = format!("{flag} and flags of passes exclude each other");
            let span = line.locate(&mut cx.sources, flag);
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
    // A nest that no op can be would run nothing and say nothing.
    if let Ok(elements) = parse(&text) {
        let mut check = Anchors { registry: &setup.registry, source, text: &text, found };
        check.top(&elements);
        found = check.found;
    }
    found.sort_by_key(|d| d.primary.map_or(0, |span| span.start));
    cx.show(&found)?;
    Ok(plan)
}

/// Refuses names of passes around which IR is to be printed and that do not exist.
fn check_names(cx: &mut Context, setup: &Setup, args: &OptArgs, line: &CommandLine) -> Done {
    let flags = [
        ("--mlir-print-ir-before", &args.mlir_print_ir_before),
        ("--mlir-print-ir-after", &args.mlir_print_ir_after),
    ];
    let mut found = Vec::new();
    for (flag, names) in flags {
        for name in names {
            if !setup.passes.names().any(|known| known == name) {
                let message = format!("no pass is named `{name}`");
                let span = line.locate(&mut cx.sources, flag);
                let error = Diagnostic::error("unknown-pass", message).at(span);
                found.push(error.suggest(name, setup.passes.names()));
            }
        }
    }
    cx.show(&found)
}

/// A pass with the options that flags of the whole command give it, where it says nothing itself.
fn with_flags(setup: &Setup, pass: &str, args: &OptArgs) -> String {
    const INDEX_BITS: &str = "index-bits";
    let (name, own) = pass.split_at(pass.find('{').unwrap_or(pass.len()));
    let own = own.trim_start_matches('{').trim_end_matches('}');
    let options = match (setup.passes.get(name), setup.passes.pipeline(name)) {
        (Some(pass), _) => &pass.def.options,
        (None, Some(pipeline)) => &pipeline.options,
        (None, None) => return pass.to_owned(),
    };
    match &args.iree_vm_target_index_bits {
        Some(bits) if options.iter().any(|o| o.name == INDEX_BITS) && !own.contains(INDEX_BITS) => {
            format!("{name}{{{INDEX_BITS}={bits} {own}}}")
        }
        _ => pass.to_owned(),
    }
}

/// The error for a flag that is neither one of the command nor a pass.
fn unknown_flag(
    cx: &mut Context,
    setup: &Setup,
    pass: &str,
    line: &CommandLine,
) -> Option<Diagnostic> {
    let name = pass.split('{').next().unwrap_or_default();
    if setup.passes.names().any(|known| known == name) || line.find(name).is_none() {
        // Other names come by `--pass`, and the planner says what they are.
        return None;
    }
    let command = Cli::command();
    let opt = command.find_subcommand("opt");
    let flags = opt.into_iter().flat_map(|opt| opt.get_arguments().filter_map(|a| a.get_long()));
    let known: Vec<String> =
        setup.passes.names().chain(flags).map(|name| format!("--{name}")).collect();
    let flag = format!("--{name}");
    let span = line.locate(&mut cx.sources, &flag);
    let error = Diagnostic::error("unknown-flag", format!("unknown flag or pass `{flag}`"));
    let error = error.at(span).suggest(&flag, known.iter().map(String::as_str));
    Some(error.note("`tegula opt --help` lists all flags and passes"))
}

/// The name that begins at an offset of pipeline text.
fn word(source: SourceId, text: &str, at: usize) -> Span {
    let rest = text.get(at..).unwrap_or_default();
    let len = rest.find(|c: char| !(c.is_alphanumeric() || "-_.$".contains(c)));
    Span::new(source, at as u32, (at + len.unwrap_or(rest.len())) as u32)
}

/// Looks for nests on what no pipeline can run on.
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
        if anchor == "any" {
            return;
        }
        let ops = || self.registry.dialects().flat_map(|d| d.def.ops.iter());
        let isolated = || ops().filter(|op| op.has_trait("IsolatedFromAbove"));
        let span = word(self.source, self.text, at);
        let error = match ops().find(|op| op.name == anchor) {
            Some(op) if op.has_trait("IsolatedFromAbove") => return,
            Some(_) => {
                let message = format!(
                    "a pipeline cannot run on `{anchor}`: what is in it may use values from \
                     outside, for it is not `IsolatedFromAbove`"
                );
                let dialect = anchor.split('.').next().unwrap_or_default();
                let near = isolated().filter(|op| op.name.split('.').next() == Some(dialect));
                let mut near: Vec<String> = near.map(|op| format!("`{}`", op.name)).collect();
                if near.is_empty() {
                    near.push("`func.func`".to_owned());
                }
                Diagnostic::error("pipeline-anchor", message)
                    .note(format!("nest it in an op that is, like {}", near.join(", ")))
            }
            None => {
                let message = format!("no op is named `{anchor}`, so that nothing would run");
                Diagnostic::error("unknown-op", message)
                    .suggest(anchor, isolated().map(|op| &*op.name))
            }
        };
        self.found.push(error.at(span));
    }
}

/// Prints the passes by name with what they do, and their options.
pub fn list(cx: &mut Context, setup: &Setup) -> Done {
    let mut out = String::new();
    for pass in setup.passes.passes() {
        let _ = writeln!(out, "{:60} {}", pass.def.name, pass.def.summary);
        for option in pass.def.options.iter() {
            let given = format!("{}={}", option.name, option.default);
            let _ = writeln!(out, "    {given:56} {}", option.summary);
        }
    }
    cx.write(std::path::Path::new("-"), out.as_bytes())
}

/// Prints the names of the dialects.
pub fn dialects(cx: &mut Context, setup: &Setup) -> Done {
    let mut names: Vec<&str> = setup.registry.dialects().map(|d| d.def.name.as_ref()).collect();
    names.sort_unstable();
    let out = format!("Available Dialects: {}\n", names.join(","));
    cx.write(std::path::Path::new("-"), out.as_bytes())
}

/// The built-in passes and their options as `--help` shows them.
pub fn listing_of_built_in_passes() -> String {
    let setup = Setup::new(Default::default(), []);
    let mut out = "Passes, flags that run in the order in which they are given:\n".to_owned();
    for pass in setup.passes.passes() {
        let _ = write!(out, "      --{}\n          {}\n", pass.def.name, pass.def.summary);
        for option in pass.def.options.iter() {
            let _ = write!(out, "          {}={}", option.name, option.default);
            let summary = if option.summary.is_empty() { "" } else { ": " };
            let _ = writeln!(out, "{summary}{}", option.summary);
        }
    }
    out.push_str("\nOptions are given as --PASS=\"a=1 b=2\" or --PASS{a=1 b=2}.");
    out
}
