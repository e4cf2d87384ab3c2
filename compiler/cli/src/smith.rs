//! `tegula smith`

use tegula_diag::Diagnostic;
use tegula_ir::text::{MARKER, PrintOptions, print_module};
use tegula_pipelines::Setup;
use tegula_smith::{Options, Smith};

use crate::args::{SmithArgs, TargetArgs};
use crate::context::{Context, Done, settings};
use crate::flags::CommandLine;

/// Runs the command.
pub fn run(args: &SmithArgs, line: &CommandLine) -> Done {
    let mut cx = Context::new();
    let live = cx.dialects(&args.dialect)?;
    let setup = Setup::new(settings(&TargetArgs::defaults()), live);
    cx.check_setup(&setup)?;
    let options = Options {
        dialects: args.made_of.clone(),
        except: Vec::new(),
        ops: args.ops,
        optional_attrs: !args.no_optional_attributes,
    };
    let smith = match Smith::new(&setup.registry, options) {
        Ok(smith) => smith,
        Err(name) => {
            let names: Vec<&str> = setup.registry.dialects().map(|d| d.def.name.as_ref()).collect();
            let span = line.locate(&mut cx.sources, "--dialects");
            let message = format!("no dialect is named `{name}`");
            let error = Diagnostic::error("unknown-dialect", message).at(span);
            return cx.fail(error.suggest(&name, names));
        }
    };
    let print = PrintOptions { generic: args.mlir_print_op_generic, ..PrintOptions::default() };
    let mut texts = Vec::new();
    for seed in (0..args.count).map(|at| args.seed.wrapping_add(at)) {
        let Some(module) = smith.module(seed) else {
            let message = format!("nothing that is drawn for the seed {seed} verifies");
            return cx.fail(Diagnostic::error("nothing-verifies", message));
        };
        texts.push(print_module(&setup.registry, &module, &print));
    }
    cx.write(&args.output, texts.join(&format!("{MARKER}\n")).as_bytes())
}
