//! `tegula fmt`

use std::path::{Path, PathBuf};

use tegula_diag::Diagnostic;
use tegula_pipelines::Setup;

use crate::args::{FmtArgs, TargetArgs};
use crate::context::{Context, Done, settings};
use crate::output::say;

/// Runs the command.
pub fn run(args: &FmtArgs) -> Done {
    let mut cx = Context::new();
    let live = cx.dialects(&args.dialect)?;
    let setup = Setup::new(settings(&TargetArgs::defaults()), live);
    cx.check_setup(&setup)?;
    let input = [PathBuf::from("-")];
    let files = if args.files.is_empty() { &input } else { args.files.as_slice() };
    let mut done = Ok(());
    for path in files {
        // One file's errors say nothing about the others.
        done = file(&mut cx, &setup, args.check, path).and(done);
    }
    done
}

fn file(cx: &mut Context, setup: &Setup, check: bool, path: &Path) -> Done {
    if path.extension().is_some_and(|ending| ending == "td") {
        let message = format!("{} is no MLIR text: .td files are not laid out", path.display());
        return cx.fail(Diagnostic::error("unknown-format", message));
    }
    let source = cx.read(path)?;
    let text = cx.sources.text(source);
    let laid_out = match tegula_format::format(&setup.registry, source, text) {
        Ok(laid_out) => laid_out,
        Err(errors) => return cx.show(&errors),
    };
    let same = laid_out == text;
    if check {
        if !same {
            say!("{}", path.display());
            return Err(crate::context::Failed);
        }
        return Ok(());
    }
    if same && path != Path::new("-") {
        return Ok(());
    }
    cx.write(path, laid_out.as_bytes())
}
