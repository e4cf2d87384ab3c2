//! Text of the dialect, as `iree-opt` 3.13 prints it, comes back byte for byte from its custom and
//! from its generic form; what is wrong in text and in ops is said where it is.

use std::path::{Path, PathBuf};

use tegula_diag::{Renderer, Sources};
use tegula_ir::text::{PrintOptions, parse_module, print_module};
use tegula_ir::verify::{verify_body, verify_module};
use tegula_ir::{Module, Registry};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn registry() -> Registry {
    Registry::new([
        tegula_dialect_builtin::entry(),
        tegula_dialect_func::entry(),
        tegula_dialect_llvm::entry(),
    ])
}

fn fixture(name: &str) -> String {
    let path = root().join("tests/fixtures/dialects/llvm").join(name).with_extension("mlir");
    std::fs::read_to_string(path).expect("the fixture is readable")
}

fn parse(registry: &Registry, text: &str) -> Module {
    let mut sources = Sources::new();
    let source = sources.add_virtual("input.mlir", text.to_owned());
    let (module, _, diagnostics) = parse_module(registry, source, text);
    assert_eq!(Renderer::plain(&sources).render_all(&diagnostics), "");
    for body in &module.bodies {
        assert_eq!(verify_body(registry, body), []);
    }
    module
}

fn snapshot(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(root().join("snapshots/dialects/llvm"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

/// The fixture comes back from both forms; the snapshot is the generic one.
fn comes_back(name: &str) {
    let (registry, text) = (registry(), fixture(name));
    let generic = PrintOptions { generic: true, ..PrintOptions::default() };
    let print = |module: &Module| print_module(&registry, module, &PrintOptions::default());
    let module = parse(&registry, &text);
    assert_eq!(print(&module).trim_end(), text.trim_end(), "from custom form");
    let spelled = print_module(&registry, &module, &generic);
    assert_eq!(print(&parse(&registry, &spelled)).trim_end(), text.trim_end(), "from generic form");
    snapshot(name, &spelled);
}

macro_rules! texts {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            comes_back(stringify!($name));
        })*
    };
}

texts! { arith calls control intrinsics memory symbols types }

#[test]
fn all_that_is_wrong_is_said_where_it_is() {
    let registry = registry();
    for name in ["misspelled", "mistakes"] {
        let text = fixture(name);
        let mut sources = Sources::new();
        let source = sources.add_virtual(format!("{name}.mlir"), text.clone());
        let (module, map, mut found) = parse_module(&registry, source, &text);
        found.extend(verify_module(&registry, &module, &map));
        snapshot(name, &Renderer::plain(&sources).render_all(&found));
    }
}
