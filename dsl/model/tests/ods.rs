//! Definitions over MLIR's own classes: what of their C++ is told, and what is listed.

use std::fmt::Write;
use std::path::Path;

use insta::Settings;
use tegula_diag::{Renderer, Sources};
use tegula_model::load;

#[test]
fn fixtures() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let root = root.canonicalize().expect("the root of the workspace");
    let folder = root.join("tests/fixtures/dsl/ods");
    for name in ["predicates", "ops", "mistakes"] {
        let mut sources = Sources::new();
        let path = folder.join(name).with_extension("td");
        let loaded = load(&path, &[folder.join("include")], &mut sources);
        let text = Renderer::plain(&sources).render_all(&loaded.diagnostics);
        let mut out = text.replace(&format!("{}/", folder.display()), "");
        for dialect in &loaded.dialects {
            for op in dialect.ops.iter() {
                let _ = writeln!(out, "\n{}", op.name);
                for value in op.operands.iter() {
                    let _ = writeln!(out, "  ${}: {:?}", value.name, value.constraint.pred);
                    let built = value.constraint.buildable.iter();
                    built.for_each(|ty| out.push_str(&format!("    always {ty}\n")));
                }
                for attr in op.attrs.iter() {
                    let _ = writeln!(out, "  ${}: {:?}", attr.name, attr.constraint.pred);
                    let (kind, default) = (&attr.kind, attr.default.as_deref());
                    let _ = writeln!(out, "    {kind:?}, default {default:?}");
                }
                for region in op.regions.iter() {
                    let (most, some) = (region.max_blocks, region.non_empty);
                    let _ = writeln!(out, "  ${}: at most {most} blocks, one: {some}", region.name);
                }
                for t in op.traits.iter() {
                    let _ = writeln!(out, "  {}<{}>", t.name, t.args.join(", "));
                }
                op.type_rules.iter().for_each(|rule| out.push_str(&format!("  {rule:?}\n")));
            }
        }
        let mut settings = Settings::clone_current();
        settings.set_snapshot_path(root.join("snapshots/dsl/ods"));
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.bind(|| insta::assert_snapshot!(name, out));
    }
}
