//! This repository's `.td` files mean under `llvm-tblgen` what they mean here. Runs where
//! `TEGULA_LLVM_TBLGEN` names that program.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tegula_diag::{Renderer, Sources};
use tegula_record::{Files, json, load};

/// The definitions of all dialects, each with the folders that its files include from.
fn definitions(root: &Path) -> Vec<(PathBuf, Vec<PathBuf>)> {
    let mut found = Vec::new();
    for folder in ["dialects", "codegen"] {
        for entry in std::fs::read_dir(root.join(folder)).expect("the folder is there") {
            let folder = entry.expect("the folder can be listed").path();
            let name = folder.file_name().unwrap_or_default().to_string_lossy();
            let file = folder.join(format!("{name}.td"));
            if file.exists() {
                let roots = ["dsl/prelude", "dialects", "codegen"].map(|dir| root.join(dir));
                found.push((file, roots.into_iter().chain([folder.clone()]).collect()));
            }
        }
    }
    found.sort();
    found
}

/// Records by name; where they stand is told in another way.
fn records(text: &str) -> Value {
    let mut all: Value = serde_json::from_str(text).expect("records are JSON");
    for record in all.as_object_mut().expect("records have names").values_mut() {
        if let Some(fields) = record.as_object_mut() {
            fields.remove("!locs");
        }
    }
    all
}

#[test]
fn the_same_records() {
    let Ok(program) = std::env::var("TEGULA_LLVM_TBLGEN") else { return };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let root = root.canonicalize().expect("the root of the workspace");
    let files = definitions(&root);
    assert!(files.len() > 15, "the dialects are found");
    for (file, includes) in files {
        let mut command = Command::new(&program);
        for dir in &includes {
            command.arg("-I").arg(dir);
        }
        let theirs = command.arg("--dump-json").arg(&file).output().expect("the program runs");
        let said = String::from_utf8_lossy(&theirs.stderr);
        assert!(theirs.status.success(), "{}: {said}", file.display());
        let loader = includes.iter().fold(Files::new(), |loader, dir| loader.dir(dir));
        let mut sources = Sources::new();
        let (ours, found) = load(&file.to_string_lossy(), &loader, &mut sources);
        assert_eq!(Renderer::plain(&sources).render_all(&found), "");
        let (ours, theirs) = (
            records(&json::dump(&ours, &sources)),
            records(&String::from_utf8_lossy(&theirs.stdout)),
        );
        let (ours, theirs) = (ours.as_object(), theirs.as_object());
        let (ours, theirs) = (ours.expect("checked"), theirs.expect("checked"));
        let differs: Vec<&String> = theirs
            .keys()
            .chain(ours.keys())
            .filter(|key| ours.get(*key) != theirs.get(*key))
            .collect();
        assert!(differs.is_empty(), "{}: {differs:?}", file.display());
    }
}
