//! Parses files and prints what is wrong with them: `parse [--time] FILE…`.

use std::time::{Duration, Instant};
use tegula_diag::{Renderer, Sources};

fn main() -> std::process::ExitCode {
    let (mut errors, mut bytes, mut time) = (0, 0, Duration::ZERO);
    for path in std::env::args().skip(1) {
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) => {
                eprintln!("{path}: {error}");
                errors += 1;
                continue;
            }
        };
        let mut sources = Sources::new();
        let id = sources.add(&path, text);
        let start = Instant::now();
        let (_, diagnostics) = tegula_syntax::parse(id, sources.text(id));
        time += start.elapsed();
        bytes += sources.text(id).len();
        errors += diagnostics.len();
        print!("{}", Renderer::plain(&sources).render_all(&diagnostics));
    }
    eprintln!("{errors} diagnostics, {bytes} bytes in {time:?}");
    if errors == 0 { std::process::ExitCode::SUCCESS } else { std::process::ExitCode::FAILURE }
}
