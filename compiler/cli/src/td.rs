//! `tegula td`

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
