//! What a dialect's `build.rs` calls.

use std::path::{Path, PathBuf};
use std::process::exit;

use tegula_diag::{Diagnostic, Renderer, Severity, Sources};

use crate::generate;

/// Generates `$OUT_DIR/<stem>.rs` from a `.td` file beside the `build.rs`.
///
/// Included files are looked for beside the file that includes them, in the package's folder, and
/// in the `dialects` and `codegen` folders of the workspace (`include "arith/arith.td"`). Every
/// file that was read is named to cargo. Errors are printed and end the build.
pub fn build(file: &str) {
    if let Err(message) = try_build(file) {
        eprintln!("{message}");
        exit(1);
    }
}

fn try_build(file: &str) -> Result<(), String> {
    let package = env_path("CARGO_MANIFEST_DIR")?;
    let out_dir = env_path("OUT_DIR")?;
    let mut roots = vec![package.clone()];
    if let Some(workspace) = package.parent().and_then(Path::parent) {
        roots.extend(["dialects", "codegen"].map(|folder| workspace.join(folder)));
    }
    let mut sources = Sources::new();
    let loaded = tegula_model::load(&package.join(file), &roots, &mut sources);
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={file}");
    for (_, source) in sources.iter().filter(|(_, source)| !source.is_virtual()) {
        println!("cargo::rerun-if-changed={}", source.path().display());
    }
    report(&loaded.diagnostics, &sources)?;
    let Some(def) = loaded.main.and_then(|at| loaded.dialects.get(at)) else {
        return Err(format!("{file} defines nothing"));
    };
    let stem = Path::new(file).file_stem().unwrap_or_default();
    let target = out_dir.join(stem).with_extension("rs");
    std::fs::write(&target, generate(def, file))
        .map_err(|error| format!("{} cannot be written: {error}", target.display()))
}

/// Shows warnings through cargo; gives all diagnostics as text when one is an error.
fn report(diagnostics: &[Diagnostic], sources: &Sources) -> Result<(), String> {
    if tegula_diag::has_errors(diagnostics) {
        return Err(Renderer::plain(sources).render_all(diagnostics));
    }
    for diagnostic in diagnostics.iter().filter(|d| d.severity == Severity::Warning) {
        let place = diagnostic.primary.map_or_else(String::new, |at| sources.locate(at) + ": ");
        println!("cargo::warning={place}{} [{}]", diagnostic.message, diagnostic.code);
    }
    Ok(())
}

fn env_path(name: &str) -> Result<PathBuf, String> {
    std::env::var_os(name)
        .map(PathBuf::from)
        .ok_or_else(|| format!("`{name}` is not set: call this from a build script"))
}
