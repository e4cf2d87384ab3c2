//! `tegula doc`

use tegula_diag::Diagnostic;
use tegula_pipelines::Setup;

use crate::args::{DocArgs, TargetArgs};
use crate::context::{Context, Done, settings};

/// Runs the command.
pub fn run(args: &DocArgs) -> Done {
    let mut cx = Context::new();
    let live = cx.dialects(&args.dialect)?;
    let setup = Setup::new(settings(&TargetArgs::defaults()), live);
    match setup.registry.dialect(&args.name) {
        Some(dialect) => {
            let text = tegula_rustgen::reference(&dialect.def);
            cx.write(std::path::Path::new("-"), text.as_bytes())
        }
        None => {
            let names = setup.registry.dialects().map(|d| d.def.name.to_string());
            let names: Vec<String> = names.collect();
            let message = format!("no dialect is named `{}`", args.name);
            let error = Diagnostic::error("unknown-dialect", message);
            let error = error.suggest(&args.name, names.iter().map(String::as_str));
            cx.fail(error.note(format!("there are: {}", names.join(", "))))
        }
    }
}
