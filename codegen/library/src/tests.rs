//! The text of a library.

use tegula_ir::Ident;

use crate::{Entry, library_text};

#[test]
fn tables() {
    let entry = |name: &str, bindings, constants| Entry {
        name: name.to_owned(),
        symbol: Ident::of(&format!("{name}.workgroup")),
        bindings,
        constants,
    };
    let text = library_text("both \"parts\"", &[entry("first", 2, 0), entry("d$2", 3, 4)]);
    let mut settings = insta::Settings::clone_current();
    settings
        .set_snapshot_path(concat!(env!("CARGO_MANIFEST_DIR"), "/../../snapshots/codegen/library"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!("tables", text));
}
