//! Evaluates a file: `td [--dump-json] [-I DIR]… [-D MACRO]… [FILE]` prints its records as `llvm-tblgen` does.

use std::process::ExitCode;

use tegula_diag::{Renderer, Severity, Sources, Style, has_errors};
use tegula_record::{Files, json, load_with_macros, print};
use tegula_syntax::Macros;

fn main() -> ExitCode {
    let (mut files, mut main, mut as_json, mut short) = (Files::new(), None, false, false);
    let mut macros = Macros::default();
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "-o" if args.next().as_deref() == Some("-") => {}
            "--dump-json" | "-dump-json" => as_json = true,
            "--short" => short = true,
            "-I" => match args.next() {
                Some(directory) => files = files.dir(directory),
                None => return usage(),
            },
            _ if arg.starts_with("-D") => {
                macros.define(&arg[2..]);
            }
            _ => match arg.strip_prefix("-I") {
                Some(directory) => files = files.dir(directory),
                None if arg.starts_with('-') && arg != "-" => return usage(),
                None => main = Some(arg),
            },
        }
    }
    let main = main.unwrap_or_else(|| "-".to_owned());
    if main == "-" {
        match std::io::read_to_string(std::io::stdin()) {
            Ok(text) => files = files.file("-", text),
            Err(error) => {
                eprintln!("the input can't be read: {error}");
                return ExitCode::FAILURE;
            }
        }
    }
    let mut sources = Sources::new();
    let (records, diagnostics) = load_with_macros(&main, macros, &files, &mut sources);
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
    eprintln!("usage: td [--dump-json] [--short] [-I DIR]… [-D MACRO]… [FILE]");
    ExitCode::from(2)
}
