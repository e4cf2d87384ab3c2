//! The passes from tensors to stream commands: each fixture names its pipeline in its first line
//! and holds a module at that place of the road; the outcome is a snapshot.

use std::path::{Path, PathBuf};

use tegula_ir::text::{PrintOptions, parse_module, print_module};
use tegula_ir::{Module, Names, Registry, verify};
use tegula_pass::{Env, NoInstrument, PassTable, Plan, Settings, run_pipeline};
use tegula_rewrite::{Patterns, RewriteHooks};

fn registry() -> Registry {
    Registry::new([
        tegula_dialect_builtin::entry(),
        tegula_dialect_func::entry(),
        tegula_dialect_arith::entry(),
        tegula_dialect_affine::entry(),
        tegula_dialect_tensor::entry(),
        tegula_dialect_linalg::entry(),
        tegula_dialect_util::entry(),
        tegula_dialect_iree_tensor_ext::entry(),
        tegula_dialect_iree_encoding::entry(),
        tegula_dialect_iree_cpu::entry(),
        tegula_dialect_iree_codegen::entry(),
        tegula_dialect_flow::entry(),
        tegula_dialect_hal::entry(),
        tegula_dialect_stream::entry(),
    ])
}

fn parse(registry: &Registry, name: &str, text: &str) -> Module {
    let mut sources = tegula_diag::Sources::new();
    let source = sources.add(name, text);
    let (module, _, diagnostics) = parse_module(registry, source, text);
    let shown = tegula_diag::Renderer::plain(&sources).render_all(&diagnostics);
    assert!(diagnostics.is_empty(), "{shown}");
    module
}

fn print(registry: &Registry, module: &Module) -> String {
    let symbols = module.bodies.iter().filter_map(|body| body.symbol_name(body.root()?));
    let names = Names::assign(symbols.collect::<Vec<_>>());
    names.resolve(&print_module(registry, module, &PrintOptions::default())).into_owned()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// Runs the fixtures of a dialect's passes. A fixture's own text must come back from the printer.
fn check(dialect: &str) {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let registry = registry();
    let mut hooks = RewriteHooks::new();
    hooks.merge(tegula_dialect_tensor::rewrites());
    hooks.merge(tegula_dialect_linalg::rewrites());
    hooks.merge(tegula_dialect_stream::rewrites());
    hooks.merge(tegula_dialect_hal::rewrites());
    let patterns = Patterns::new(&registry, hooks);
    let passes = PassTable::new(
        &registry,
        [
            tegula_dialect_util::passes(),
            tegula_dialect_flow::passes(),
            tegula_dialect_stream::passes(),
            tegula_dialect_hal::passes(),
        ]
        .concat(),
    );
    let mut settings = Settings::default();
    for (name, value) in [
        ("iree-hal-target-backends", "llvm-cpu"),
        ("iree-llvmcpu-target-cpu", "apple-m4"),
        ("iree-llvmcpu-enable-ukernels", "none"),
    ] {
        settings.insert(name.into(), value.into());
    }
    let verify_body = |registry: &Registry, body: &tegula_ir::Body| {
        verify::verify_body(registry, body).into_iter().map(|e| (e.op, e.message)).collect()
    };
    let folders = files(&root.join("tests/fixtures/dialects").join(dialect));
    for folder in folders.iter().filter(|folder| folder.is_dir()) {
        let pass = folder.file_name().unwrap().to_str().unwrap();
        let mut snapshots = insta::Settings::clone_current();
        snapshots.set_snapshot_path(root.join("snapshots/dialects").join(dialect).join(pass));
        snapshots.set_prepend_module_to_snapshot(false);
        snapshots.set_omit_expression(true);
        for file in files(folder) {
            let name = file.file_stem().unwrap().to_str().unwrap();
            let text = std::fs::read_to_string(&file).unwrap();
            let (head, body) = text.split_once('\n').unwrap();
            let pipeline = head.trim_start_matches("// ");
            let module = parse(&registry, name, &text);
            assert_eq!(print(&registry, &module).trim_end(), body.trim_end(), "{pass}/{name}");
            let before = [
                "util-functions",
                "devices",
                "tensor-barriers",
                "dispatch-regions",
                "encodings",
                "dispatch-workgroups",
                "executables",
                "resources",
                "layouts",
            ];
            let plan = Plan::new(&passes, pipeline, &before).unwrap();
            let env = Env {
                registry: &registry,
                patterns: &patterns,
                settings: &settings,
                poll: &|| (),
                verify: Some(verify_body),
                until: None,
            };
            let run = run_pipeline(env, &plan, module, &mut NoInstrument);
            assert!(run.result.is_ok(), "{pass}/{name}: {:?}", run.reports);
            let out = print(&registry, &run.value);
            snapshots.bind(|| insta::assert_snapshot!(name, out));
        }
    }
}

#[test]
fn util() {
    check("util");
}

#[test]
fn hal() {
    check("hal");
}

#[test]
fn flow() {
    check("flow");
}

#[test]
fn stream() {
    check("stream");
}
