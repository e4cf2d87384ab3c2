//! Functions that come with a program because ops of it become calls of them.

use tegula_diag::Sources;
use tegula_ir::text::parse_module;
use tegula_ir::{Attr, AttrData, Body, InsertPoint, LocData, OpId, TypeData};
use tegula_rewrite::{IrMapping, Rewriter};

/// A function, and the ops that need it.
struct Supplied {
    text: &'static str,
    needed: fn(&Body, OpId) -> bool,
}

const LIBRARY: [Supplied; 1] =
    [Supplied { text: include_str!("itoa.mlir"), needed: writes_a_number }];

fn writes_a_number(body: &Body, op: OpId) -> bool {
    let number = |value| !matches!(body.ty(value).data(), TypeData::Dialect { .. });
    body.is(op, "util.string.itoa")
        || (body.is(op, "util.string.format") && body.operands(op).any(number))
}

/// Puts those functions at `at` that ops within a module need.
pub(crate) fn supply(rw: &mut Rewriter<'_>, module: OpId, at: InsertPoint) {
    let unknown = Attr::new(AttrData::Loc(LocData::Unknown));
    for supplied in &LIBRARY {
        if !rw.body.walk(module).any(|op| (supplied.needed)(rw.body, op)) {
            continue;
        }
        let source = Sources::new().add("library.mlir", supplied.text);
        let (parsed, _, diagnostics) = parse_module(rw.registry, source, supplied.text);
        debug_assert!(diagnostics.is_empty(), "{diagnostics:?}");
        for mut function in parsed.bodies {
            let Some(root) = function.root() else { continue };
            for op in function.walk(root).collect::<Vec<_>>() {
                function.set_loc(op, unknown);
            }
            let copied = rw.clone_from(&function, root, at, &mut IrMapping::new());
            debug_assert!(copied.is_ok(), "a function uses nothing from outside");
        }
    }
}
