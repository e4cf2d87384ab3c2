//! Each fixture after each pass that changes it, as text that verifies and reads back the same.

use std::path::Path;

use tegula_diag::{Renderer, Sources};
use tegula_ir::text::{PrintOptions, parse_module, print_module};
use tegula_ir::verify::verify_body;
use tegula_ir::{Module, Registry};

use crate::support::{pipeline, registry, run_passes};

fn parse(registry: &Registry, name: &str, text: &str) -> Module {
    let mut sources = Sources::new();
    let source = sources.add(name, text);
    let (module, _, diagnostics) = parse_module(registry, source, text);
    assert!(diagnostics.is_empty(), "{}", Renderer::plain(&sources).render_all(&diagnostics));
    module
}

fn print(registry: &Registry, module: &Module) -> String {
    print_module(registry, module, &PrintOptions::default())
}

fn snapshot(pass: &str, fixture: &str, text: &str) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../snapshots/codegen/cpu");
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(Path::new(folder).join(pass));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(fixture, text));
}

fn check(fixture: &str) {
    let registry = registry();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/codegen/cpu");
    let text = std::fs::read_to_string(folder.join(fixture).with_extension("mlir")).unwrap();
    let mut module = parse(&registry, fixture, &text);
    let mut before = print(&registry, &module);
    for pass in pipeline() {
        module = run_passes(module, &[pass]).unwrap_or_else(|r| panic!("{fixture}, {pass}: {r:?}"));
        let errors = verify_body(&registry, &module.bodies[0]);
        let messages: Vec<&str> = errors.iter().map(|e| e.message.as_str()).collect();
        assert!(messages.is_empty(), "{fixture}, after {pass}: {messages:?}");
        let after = print(&registry, &module);
        let again = print(&registry, &parse(&registry, pass, &after));
        assert_eq!(after, again, "{fixture}, after {pass}: reads back differently");
        if after != before {
            let folder = pass.trim_end_matches('}').replace(['{', '='], "-");
            snapshot(&folder, fixture, &after);
        }
        before = after;
    }
}

#[test]
fn pack_lhs() {
    check("pack_lhs");
}

#[test]
fn pack_rhs() {
    check("pack_rhs");
}

#[test]
fn multiply() {
    check("multiply");
}

#[test]
fn elementwise() {
    check("elementwise");
}
