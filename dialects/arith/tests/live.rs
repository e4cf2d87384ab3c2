//! The definitions as they are read at run time and as they were generated are the same tables.

use std::path::Path;

use tegula_diag::{Renderer, Sources};

#[test]
fn live_tables_are_the_generated_ones() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let workspace = package.join("../..");
    let directories = ["dialects", "codegen"].map(|folder| workspace.join(folder));
    let mut sources = Sources::new();
    let path = package.join("arith.td");
    let (dialects, diagnostics) = tegula_model::load_live(&path, &directories, &mut sources);
    assert!(diagnostics.is_empty(), "{}", Renderer::plain(&sources).render_all(&diagnostics));
    let generated = tegula_dialect_arith::entry().def;
    let live = dialects.iter().find(|d| d.name == generated.name).expect("the dialect");
    // Op by op first: a difference of whole dialects is too long to read.
    for (live, generated) in live.ops.iter().zip(generated.ops.iter()) {
        assert_eq!(live, generated);
    }
    assert!(*live == *generated);
}
