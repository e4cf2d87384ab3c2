//! Texts with mistakes, and what is said about them; and what remains of the texts.

use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

use tegula_diag::{Renderer, Sources};
use tegula_syntax::ast::{ExprKind, Stmt, StmtKind};
use tegula_syntax::parse;

fn check(name: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let path = format!("tests/fixtures/dsl/syntax/mistakes/{name}.td");
    let text = std::fs::read_to_string(root.join(&path)).expect("the fixture is there");
    let mut sources = Sources::new();
    let id = sources.add(format!("{name}.td"), text);
    let (file, diagnostics) = parse(id, sources.text(id));
    let mut out = Renderer::plain(&sources).render_all(&diagnostics);
    out.push_str("kept:\n");
    outline(&mut out, &file.items, 1);
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(root.join("snapshots/dsl/syntax/mistakes"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, out));
}

fn outline(out: &mut String, items: &[Arc<Stmt>], depth: usize) {
    for item in items {
        let (what, name, count) = match &item.kind {
            StmtKind::Class(node) => ("class", &*node.name.name, node.body.as_ref().map(Vec::len)),
            StmtKind::Def(node) => match node.name.as_ref().map(|name| &name.kind) {
                Some(ExprKind::Ident(name)) => ("def", &**name, node.body.as_ref().map(Vec::len)),
                _ => ("def", "…", node.body.as_ref().map(Vec::len)),
            },
            StmtKind::MultiClass(node) => ("multiclass", &*node.name.name, None),
            StmtKind::Let(_) => ("let", "", None),
            StmtKind::Foreach(node) => ("foreach", &*node.name.name, None),
            StmtKind::If(_) => ("if", "", None),
            StmtKind::Defset(node) => ("defset", &*node.name.name, None),
            _ => ("other", "", None),
        };
        let fields = count.map_or(String::new(), |count| format!(" with {count} items"));
        let note = if item.incomplete { " (incomplete)" } else { "" };
        let _ = writeln!(out, "{:indent$}{what} {name}{fields}{note}", "", indent = 2 * depth);
        let children: Vec<_> = item.children().cloned().collect();
        outline(out, &children, depth + 1);
    }
}

#[test]
fn bodies() {
    check("bodies");
}

#[test]
fn heads() {
    check("heads");
}

#[test]
fn braces() {
    check("braces");
}

#[test]
fn strings() {
    check("strings");
}

#[test]
fn operators() {
    check("operators");
}

#[test]
fn preprocessor() {
    check("preprocessor");
}

#[test]
fn crlf() {
    check("crlf");
}
