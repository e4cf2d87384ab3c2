//! Folds and patterns of the standard dialects. The first line of a fixture names the pattern
//! groups; its snapshot has the same name.

use crate::common;

use std::path::Path;

use tegula_ir::verify::verify_body;
use tegula_rewrite::{GreedyConfig, Patterns, RewriteHooks, greedy};

fn hooks() -> RewriteHooks {
    let mut all = RewriteHooks::new();
    for hooks in [
        tegula_dialect_arith::rewrites(),
        tegula_dialect_cf::rewrites(),
        tegula_dialect_affine::rewrites(),
        tegula_dialect_scf::rewrites(),
        tegula_dialect_tensor::rewrites(),
        tegula_dialect_memref::rewrites(),
        tegula_dialect_vector::rewrites(),
        tegula_dialect_linalg::rewrites(),
    ] {
        all.merge(hooks);
    }
    all
}

fn check(name: &str) {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let path = root.join("tests/fixtures/dialects/rewrites").join(name).with_extension("mlir");
    let text = std::fs::read_to_string(&path).expect("the fixture is readable");
    let groups = text
        .lines()
        .next()
        .and_then(|line| line.strip_prefix("// rewrite: "))
        .expect("the first line names the pattern groups");
    let registry = common::registry();
    let patterns = Patterns::new(&registry, hooks());
    assert_eq!(patterns.errors(), []);
    let index = patterns.select(&groups.split(' ').collect::<Vec<_>>());
    let mut module = common::parse(&registry, &text);
    for body in &mut module.bodies {
        let root = body.root().expect("a top-level op");
        let config = GreedyConfig::default();
        let result = greedy(&registry, &patterns, &index, body, root, config).expect("it rewrites");
        assert!(result.converged);
        assert_eq!(verify_body(&registry, body), []);
    }
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(root.join("snapshots/dialects/linalg/rewrites"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, common::print(&registry, &module)));
}

macro_rules! rewrites {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            check(stringify!($name));
        })*
    };
}

rewrites! { affine arith_floats arith_integers branches generalize tensors }
