//! Text in and out: each fixture is read, printed in both scopes, and read back.

use std::path::Path;

use insta::{Settings, assert_snapshot};
use tegula_diag::{Renderer, Sources};
use tegula_ir::text::{ParseOptions, PrintOptions, parse_module_with, print_module, print_pieces};
use tegula_ir::{Module, Registry, Threads};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn parse(name: &str, text: &str) -> (Module, String) {
    let mut sources = Sources::new();
    let source = sources.add_virtual(name, text);
    let options = ParseOptions { allow_unregistered: true, ..ParseOptions::default() };
    let (module, _, diagnostics) = parse_module_with(&Registry::default(), source, text, options);
    (module, Renderer::plain(&sources).render_all(&diagnostics))
}

fn fixture(name: &str) -> String {
    let path = Path::new(ROOT).join("tests/fixtures/ir/text").join(format!("{name}.mlir"));
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn snapshot(name: &str, text: &str) {
    let mut settings = Settings::clone_current();
    settings.set_snapshot_path(Path::new(ROOT).join("snapshots/compiler/ir/text"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| assert_snapshot!(name, text));
}

/// Reads a fixture and prints it; what is printed must read back and print the same, in every
/// mode, and freezing must not show.
fn check(name: &str, shown: &PrintOptions) {
    let (module, errors) = parse(name, &fixture(name));
    assert_eq!(errors, "", "{name}");
    let registry = Registry::default();
    let modes = [
        PrintOptions::default(),
        PrintOptions::local(),
        PrintOptions { generic: true, ..PrintOptions::default() },
        PrintOptions { debuginfo: true, ..PrintOptions::default() },
    ];
    for options in &modes {
        let printed = print_module(&registry, &module, options);
        let (again, errors) = parse(name, &printed);
        assert_eq!(errors, "", "{printed}");
        assert_eq!(print_module(&registry, &again, options), printed);
        let mut thawed = again.clone();
        for body in &mut thawed.bodies {
            *body = body.freeze().thaw();
        }
        assert_eq!(print_module(&registry, &thawed, options), printed);
    }
    snapshot(name, &print_module(&registry, &module, shown));
}

#[test]
fn types_and_attributes() {
    check("types_and_attributes", &PrintOptions::default());
}

#[test]
fn elements() {
    check("elements", &PrintOptions::default());
}

#[test]
fn numbers() {
    check("numbers", &PrintOptions::default());
}

#[test]
fn resources() {
    check("resources", &PrintOptions::default());
}

#[test]
fn forms() {
    check("forms", &PrintOptions::default());
}

#[test]
fn blanks_around_dimensions() {
    let text = "\"t.dims\"() {a = tensor<4 x 5 x i32>, b = memref<? x3xf32>} : () -> ()\n";
    let (module, errors) = parse("dims", text);
    assert_eq!(errors, "");
    let printed = print_module(&Registry::default(), &module, &PrintOptions::default());
    assert!(printed.contains("a = tensor<4x5xi32>, b = memref<?x3xf32>"), "{printed}");
}

#[test]
fn structure() {
    check("structure", &PrintOptions::default());
}

#[test]
fn locations() {
    check("locations", &PrintOptions { debuginfo: true, ..PrintOptions::default() });
}

#[test]
fn errors_are_reported_per_item() {
    let (_, errors) = parse("errors.mlir", &fixture("errors"));
    snapshot("errors", &errors);
}

#[test]
fn deep_nesting_is_bounded_by_memory_only() {
    let depth = 10_000;
    let open = "\"t.r\"() ({\n".repeat(depth);
    let close = "}) : () -> ()\n".repeat(depth);
    let (module, errors) = parse("deep", &(open + &close));
    assert_eq!(errors, "");
    assert_eq!(module.bodies[0].walk_all().count(), depth);
    let nested = format!("\"t.a\"() {{a = {}{}}} : () -> ()", "[".repeat(depth), "]".repeat(depth));
    let (module, errors) = parse("nested", &nested);
    assert_eq!(errors, "");
    let printed = print_module(&Registry::default(), &module, &PrintOptions::default());
    assert!(printed.contains(&"[".repeat(depth)));
}

/// Ops enough for a piece of their own, the last of which is `op`.
fn long_body(name: &str, op: &str) -> String {
    let filler = "  \"a.b\"() {n = 1 : i32} : () -> ()\n".repeat(5000);
    format!("\"a.region\"() <{{sym_name = \"{name}\"}}> ({{\n{filler}  {op}\n}}) : () -> ()\n")
}

#[test]
fn what_is_printed_in_pieces_knows_the_aliases_of_all() {
    const TYPE: &str = "tensor<4xi32, affine_map<(d0) -> (d0)>>";
    let elements = format!("\"a.b\"() {{v = dense<0> : {TYPE}}} : () -> ()");
    let result = format!("%0 = \"a.b\"() : () -> {TYPE}");
    let other = "\"a.b\"() {m = affine_map<(d0) -> (0)>} : () -> ()";
    let registry = Registry::default();
    let print = |bodies: &[&str], threads| {
        let names = ["a", "b", "c"];
        let text: String = names.iter().zip(bodies).map(|(name, op)| long_body(name, op)).collect();
        let mut sources = Sources::new();
        let source = sources.add_virtual("long.mlir", text.as_str());
        let options = ParseOptions { allow_unregistered: true, threads, ..ParseOptions::default() };
        let (module, _, found) = parse_module_with(&registry, source, &text, options);
        assert_eq!(found, []);
        let options = PrintOptions { threads, ..PrintOptions::default() };
        let printed = print_module(&registry, &module, &options);
        let pieces = print_pieces(&registry, module, &options);
        assert!(pieces.len() > bodies.len());
        assert_eq!(pieces.concat(), printed);
        printed
    };
    for threads in [Threads::One, Threads::All] {
        // What elements are printed with makes no alias, but takes one.
        let alone = print(&[&elements], threads);
        assert!(alone.contains(&format!("dense<0> : {TYPE}")) && !alone.contains("#map"));
        let all = print(&[&elements, &result, other], threads);
        assert!(all.starts_with("#map = affine_map<(d0) -> (d0)>\n#map1 = "));
        assert!(all.contains("dense<0> : tensor<4xi32, #map>"));
        assert_eq!(all, print(&[&elements, &result, other], Threads::One));
    }
}
