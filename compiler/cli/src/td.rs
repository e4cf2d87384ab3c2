//! `tegula td`

use tegula_diag::Diagnostic;
use tegula_ide::problem_diagnostic;
use tegula_pass::Settings;
use tegula_pipelines::Setup;

use crate::args::TdArgs;
use crate::context::{Context, Done};

/// Runs the command.
pub fn run(args: &TdArgs) -> Done {
    let mut cx = Context::new();
    let loader = tegula_model::Loader::new(&args.includes);
    let (records, found) =
        tegula_record::load(&args.input.to_string_lossy(), &loader, &mut cx.sources);
    cx.show(&found)?;
    let out = std::path::Path::new("-");
    if args.dump_json {
        return cx.write(out, tegula_record::json::dump(&records, &cx.sources).as_bytes());
    }
    if args.print_records {
        return cx.write(out, tegula_record::print::dump(&records).as_bytes());
    }
    let (defs, found) = tegula_model::load_live(&args.input, &args.includes, &mut cx.sources);
    cx.show(&found)?;
    // What only shows when everything is put together: types and values in texts, hooks.
    let setup = Setup::new(Settings::default(), defs.clone());
    let found: Vec<Diagnostic> =
        setup.problems().iter().map(|p| problem_diagnostic(&cx.sources, p)).collect();
    cx.show(&found)?;
    for def in defs {
        crate::output::say!(
            "{}: {} ops, {} types, {} attributes, {} patterns, {} passes",
            def.name,
            def.ops.len(),
            def.types.len(),
            def.attrs.len(),
            def.patterns.len(),
            def.passes.len()
        );
    }
    Ok(())
}
