//! Evaluates a file: `td [--dump-json] [-I DIR]… FILE` prints its records as `llvm-tblgen` does.

use std::process::ExitCode;

use tegula_diag::{Renderer, Severity, Sources, Style, has_errors};
use tegula_record::{Files, json, load, print};

fn main() -> ExitCode {
    let (mut files, mut main, mut as_json, mut short) = (Files::new(), None, false, false);
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--dump-json" => as_json = true,
            "--short" => short = true,
            "-I" => match args.next() {
                Some(directory) => files = files.dir(directory),
                None => return usage(),
            },
            _ => match arg.strip_prefix("-I") {
                Some(directory) => files = files.dir(directory),
                None if arg.starts_with('-') && arg != "-" => return usage(),
                None => main = Some(arg),
            },
        }
    }
    let Some(main) = main else { return usage() };
    let mut sources = Sources::new();
    let (records, diagnostics) = load(&main, &files, &mut sources);
    let style = if short { Style::Short } else { Style::Plain };
    let renderer = Renderer::new(&sources, style);
    for diagnostic in diagnostics.iter().filter(|d| d.severity >= Severity::Note) {
        eprint!("{}", renderer.render(diagnostic));
    }
    if has_errors(&diagnostics) {
        return ExitCode::FAILURE;
    }
    print!("{}", if as_json { json::dump(&records, &sources) } else { print::dump(&records) });
    ExitCode::SUCCESS
}

fn usage() -> ExitCode {
    eprintln!("usage: td [--dump-json] [--short] [-I DIR]… FILE");
    ExitCode::from(2)
}
