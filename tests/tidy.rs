//! The rules of `docs/architecture.md` that a machine can check: layers, who may use which crate,
//! module docs, file length, and that every snapshot has its fixture or test.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The layers, lowest first. A crate may depend on crates of its own layer and of those before it.
const LAYERS: &[&[&str]] = &[
    &["dsl/schema", "dsl/diag"],
    &["dsl/syntax", "compiler/ir"],
    &[
        "dsl/record",
        "compiler/analysis",
        "compiler/rewrite",
        "compiler/eval",
        "compiler/format",
        "compiler/reduce",
        "compiler/smith",
    ],
    &["dsl/model", "compiler/pass"],
    &["dsl/rustgen"],
    &["dialects/"],
    &["codegen/"],
    &["compiler/pipelines"],
    &["compiler/db"],
    &["compiler/ide"],
    &["compiler/lsp"],
    &["compiler/cli"],
    &["."],
];

/// Which workspace crates may depend on a third-party crate that the design keeps in one place.
const RESERVED: &[(&str, &[&str])] = &[
    ("salsa", &["compiler/db"]),
    ("lsp-types", &["compiler/lsp"]),
    ("lsp-server", &["compiler/lsp"]),
    ("pest", &["dsl/syntax"]),
    ("regalloc2", &["codegen/neon"]),
    ("flatbuffers", &["codegen/bytecode"]),
    ("codespan-reporting", &["dsl/diag"]),
];

/// The longest file that needs no reason.
const MAX_LINES: usize = 1000;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn layer_of(path: &str) -> usize {
    LAYERS
        .iter()
        .position(|layer| {
            layer.iter().any(|p| path == *p || (p.ends_with('/') && path.starts_with(p)))
        })
        .unwrap_or_else(|| {
            panic!("{path} is in no layer: add it to LAYERS and docs/architecture.md")
        })
}

/// Every workspace crate: its folder and its parsed manifest.
fn manifests() -> BTreeMap<String, toml::Table> {
    let read = |path: &Path| -> toml::Table {
        fs::read_to_string(path).expect("a manifest").parse().expect("valid TOML")
    };
    let workspace = read(&root().join("Cargo.toml"));
    let members = workspace["workspace"]["members"].as_array().expect("members");
    let folders =
        members.iter().map(|m| m.as_str().expect("a path").to_owned()).chain([".".to_owned()]);
    folders.map(|folder| (folder.clone(), read(&root().join(&folder).join("Cargo.toml")))).collect()
}

fn dependencies(manifest: &toml::Table, table: &str) -> Vec<String> {
    manifest
        .get(table)
        .and_then(|t| t.as_table())
        .map(|t| t.keys().cloned().collect())
        .unwrap_or_default()
}

/// All files of the project with one of these endings, generated and built ones left out.
fn files(folder: &Path, endings: &[&str], out: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|n| n.to_str()).unwrap_or_default();
        if path.is_dir() {
            if !name.starts_with('.') && name != "target" {
                files(&path, endings, out);
            }
        } else if endings.iter().any(|e| name.ends_with(e)) {
            out.push(path);
        }
    }
}

fn project_files(endings: &[&str]) -> Vec<PathBuf> {
    let mut out = Vec::new();
    files(&root(), endings, &mut out);
    out.sort();
    out
}

fn report(problems: Vec<String>) {
    assert!(problems.is_empty(), "{} problem(s):\n{}", problems.len(), problems.join("\n"));
}

#[test]
fn crates_depend_downwards() {
    let manifests = manifests();
    let folder_of: BTreeMap<String, String> = manifests
        .iter()
        .filter_map(|(folder, m)| {
            Some((m.get("package")?.get("name")?.as_str()?.to_owned(), folder.clone()))
        })
        .collect();
    let mut problems = Vec::new();
    for (folder, manifest) in &manifests {
        for dependency in dependencies(manifest, "dependencies") {
            let Some(target) = folder_of.get(&dependency) else { continue };
            if layer_of(target) > layer_of(folder) {
                problems.push(format!("{folder} depends on {target}, which is a layer above it"));
            }
            if folder.starts_with("compiler/") && target.starts_with("dsl/") {
                let allowed = ["dsl/schema", "dsl/diag"].contains(&target.as_str())
                    || layer_of(folder) >= layer_of("compiler/pipelines");
                if !allowed {
                    problems.push(format!("the engine ({folder}) depends on {target}"));
                }
            }
        }
        for dependency in dependencies(manifest, "build-dependencies") {
            if folder_of.get(&dependency).is_some_and(|t| t.starts_with("compiler/")) {
                problems.push(format!(
                    "the build script of {folder} depends on the engine ({dependency})"
                ));
            }
        }
    }
    report(problems);
}

#[test]
fn reserved_crates_stay_in_their_place() {
    let mut problems = Vec::new();
    for (folder, manifest) in manifests() {
        for dependency in dependencies(&manifest, "dependencies") {
            for (reserved, owners) in RESERVED {
                if dependency == *reserved && !owners.contains(&folder.as_str()) {
                    problems.push(format!(
                        "{folder} depends on {reserved}, which belongs to {owners:?}"
                    ));
                }
            }
        }
    }
    report(problems);
}

#[test]
fn files_are_documented_and_short() {
    let mut problems = Vec::new();
    for path in project_files(&[".rs", ".td"]) {
        let text = fs::read_to_string(&path).expect("UTF-8 text");
        let shown = path.strip_prefix(root()).unwrap_or(&path).display();
        let fixture = shown.to_string().contains("fixtures/");
        let lines = text.lines().count();
        if lines > MAX_LINES {
            problems.push(format!("{shown}: {lines} lines"));
        }
        let first = text.lines().find(|l| !l.trim().is_empty()).unwrap_or_default();
        if path.extension().is_some_and(|e| e == "rs") && !first.starts_with("//!") {
            problems.push(format!("{shown}: does not open with a module doc"));
        }
        if path.extension().is_some_and(|e| e == "td") && !fixture && !first.starts_with("//") {
            problems.push(format!("{shown}: does not open with a comment that says what it holds"));
        }
    }
    report(problems);
}

#[test]
fn no_unfinished_code() {
    let mut problems = Vec::new();
    let marks = [
        concat!("todo", "!("),
        concat!("unimplemented", "!("),
        concat!("#[ig", "nore"),
        concat!("dbg", "!("),
    ];
    for path in project_files(&[".rs"]) {
        let text = fs::read_to_string(&path).expect("UTF-8 text");
        for (number, line) in text.lines().enumerate() {
            if marks.iter().any(|m| line.contains(m)) && !line.trim_start().starts_with("//") {
                problems.push(format!("{}:{}: {}", path.display(), number + 1, line.trim()));
            }
        }
    }
    report(problems);
}

#[test]
fn snapshots_have_a_fixture_or_a_test() {
    let mut sources = String::new();
    for path in project_files(&[".rs"]) {
        sources.push_str(&fs::read_to_string(path).expect("UTF-8 text"));
    }
    let fixtures = project_files(&[".mlir", ".td", ".txt"]);
    let stems: Vec<&str> = fixtures.iter().filter_map(|p| p.file_stem()?.to_str()).collect();
    let mut problems = Vec::new();
    for path in project_files(&[".snap"]) {
        let name = path.file_name().and_then(|n| n.to_str()).unwrap_or_default();
        let stem = name.trim_end_matches(".snap");
        let known = stems.iter().any(|s| stem == *s || stem.split(['.', '@']).next() == Some(*s));
        if !known && !sources.contains(&format!("\"{stem}\"")) {
            problems.push(format!("{}: no fixture and no test of that name", path.display()));
        }
    }
    report(problems);
}
