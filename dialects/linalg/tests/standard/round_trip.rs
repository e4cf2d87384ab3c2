//! Text of the standard dialects, as MLIR prints it, comes back byte for byte. The fixtures are
//! output of `iree-opt` 3.13.

use crate::common;

use std::path::Path;

fn check(dialect: &str) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures/dialects");
    let path = Path::new(folder).join(dialect).join("ops.mlir");
    let text = std::fs::read_to_string(&path).expect("the fixture is readable");
    let registry = common::registry();
    let module = common::parse(&registry, &text);
    let printed = common::print(&registry, &module);
    if printed.trim_end() == text.trim_end() {
        return;
    }
    let differing: Vec<String> = text
        .lines()
        .zip(printed.lines())
        .filter(|(wanted, got)| wanted != got)
        .map(|(wanted, got)| format!("- {wanted}\n+ {got}"))
        .collect();
    panic!("{dialect} does not come back:\n{}", differing.join("\n"));
}

macro_rules! round_trips {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            check(stringify!($name));
        })*
    };
}

round_trips! { affine arith builtin cf func linalg math memref scf tensor ub vector }
