//! All dialects of this repository lower without errors, patterns held against each other.

use std::path::{Path, PathBuf};

use tegula_diag::{Renderer, Sources};

fn definitions() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut found = Vec::new();
    for folder in ["dialects", "codegen"] {
        let entries = std::fs::read_dir(root.join(folder)).expect("the folder exists");
        for entry in entries {
            let folder = entry.expect("the folder can be listed").path();
            let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let file = folder.join(format!("{name}.td"));
            if file.exists() {
                found.push(file);
            }
        }
    }
    found.sort();
    found
}

#[test]
fn every_dialect_is_sound() {
    let mut found = String::new();
    let files = definitions();
    assert!(files.len() > 15, "the dialects are found");
    let include = [Path::new(env!("CARGO_MANIFEST_DIR")).join("../../dialects")];
    for file in files {
        let mut sources = Sources::default();
        let loaded = tegula_model::load(&file, &include, &mut sources);
        let renderer = Renderer::plain(&sources);
        for diagnostic in &loaded.diagnostics {
            found.push_str(&renderer.render(diagnostic));
        }
    }
    assert_eq!(found, "");
}
