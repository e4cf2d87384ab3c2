//! Rendering over awkward texts: wide characters, CRLF, no final line end, spans outside.

use tegula_diag::{Diagnostic, LineCol, Renderer, SourceId, Sources, Span, Style};

fn check(name: &str, text: &str, make: impl Fn(SourceId) -> Diagnostic) {
    let mut sources = Sources::new();
    let id = sources.add("dir/a.td", text);
    let diagnostic = make(id);
    let out = format!(
        "{}{}{}",
        Renderer::plain(&sources).render(&diagnostic),
        Renderer::new(&sources, Style::Short).render(&diagnostic),
        Renderer::new(&sources, Style::Llvm).render(&diagnostic)
    );
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(concat!(env!("CARGO_MANIFEST_DIR"), "/../../snapshots/dsl/diag"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, out));
}

#[test]
fn everything_at_once() {
    check("everything", "class Foo;\r\ndef é : Fo;\r\n", |id| {
        Diagnostic::error("unknown-class", "no class is named `Fo`")
            .at(Span::new(id, 21, 23))
            .label(Span::new(id, 21, 23), "not found")
            .label(Span::new(id, 6, 9), "a class of a similar name")
            .note("classes must be defined before they are used")
            .fix(Span::new(id, 21, 23), "Foo", "write `Foo`")
    });
}

#[test]
fn no_final_line_end() {
    check("no_final_line_end", "def X", |id| {
        Diagnostic::warning("syntax", "expected `;`").at(Span::at(id, 5))
    });
}

#[test]
fn spans_are_clamped() {
    check("clamped", "a é", |id| {
        Diagnostic::error("syntax", "odd").at(Span { source: id, start: 3, end: 9000 })
    });
    check("no_such_source", "a", |_| {
        Diagnostic::error("io", "gone")
            .at(Span::at(SourceId(7), 3))
            .label(Span::at(SourceId(7), 3), "here")
    });
    check("no_place", "a", |_| Diagnostic::info("io", "nothing to see"));
}

#[test]
fn colours_are_only_in_coloured_style() {
    let mut sources = Sources::new();
    let id = sources.add("a", "x");
    let diagnostic = Diagnostic::error("c", "m").at(Span::new(id, 0, 1));
    assert!(Renderer::new(&sources, Style::Coloured).render(&diagnostic).contains("\u{1b}["));
    assert!(!Renderer::plain(&sources).render(&diagnostic).contains('\u{1b}'));
}

#[test]
fn positions_round_trip() {
    let mut sources = Sources::new();
    let id = sources.add("a", "aé\r\nb\n\nc");
    let source = sources.get(id).expect("was just added");
    for (offset, line, col) in
        [(0, 1, 1), (1, 1, 2), (3, 1, 3), (5, 2, 1), (6, 2, 2), (7, 3, 1), (8, 4, 1), (9, 4, 2)]
    {
        assert_eq!(source.line_col(offset), LineCol { line, col }, "offset {offset}");
        assert_eq!(source.offset(LineCol { line, col }), offset, "line {line} column {col}");
    }
    assert_eq!(source.line_col(2), source.line_col(1), "inside of a character");
    assert_eq!(source.offset(LineCol { line: 1, col: 99 }), 3, "past a line's end");
    assert_eq!(source.offset(LineCol { line: 99, col: 1 }), 9, "past the end");
    assert_eq!(source.line(0), Some("aé"), "a line has no CRLF");
    assert_eq!(sources.slice(Span { source: id, start: 2, end: 400 }), "é\r\nb\n\nc");
}
