//! Texts that would exhaust a stack, and texts that are cut anywhere.

use tegula_diag::{Sources, Span};
use tegula_syntax::parse;

fn codes(text: &str) -> Vec<String> {
    let mut sources = Sources::new();
    let id = sources.add("a.td", text);
    let (_, diagnostics) = parse(id, sources.text(id));
    for diagnostic in &diagnostics {
        let Span { start, end, .. } = diagnostic.primary.expect("every error has a place");
        assert!(start <= end && end as usize <= text.len(), "{diagnostic:?} outside of the text");
    }
    diagnostics.into_iter().map(|diagnostic| diagnostic.code.into_owned()).collect()
}

fn check_nesting(make: impl Fn(usize) -> String) {
    assert_eq!(codes(&make(90)), [] as [&str; 0]);
    assert_eq!(codes(&make(50_000)), ["nesting"]);
}

#[test]
fn deep_values() {
    check_nesting(|n| format!("def a {{ int x = {}1{}; }}", "!add(1, ".repeat(n), ")".repeat(n)));
    check_nesting(|n| format!("def a {{ list<int> x = {}1{}; }}", "[".repeat(n), "]".repeat(n)));
    check_nesting(|n| format!("def a {{ string x = \"\"{}; }}", "#b".repeat(n)));
    check_nesting(|n| format!("def a {{ {}int{} x; }}", "list<".repeat(n), ">".repeat(n)));
    check_nesting(|n| format!("def a {{ A x = {}1{}; }}", "A<".repeat(n), ">".repeat(n)));
}

#[test]
fn deep_statements() {
    check_nesting(|n| format!("{}def a;", "let x = 1 in ".repeat(n)));
    check_nesting(|n| format!("{}def a;{}", "let x = 1 in { ".repeat(n / 2), "}".repeat(n / 2)));
    check_nesting(|n| format!("{}def b;", "if 1 then def a; else ".repeat(n / 2)));
}

#[test]
fn deep_comments_need_no_stack() {
    let text = format!("{}{}class A;", "/*".repeat(100_000), "*/".repeat(100_000));
    assert_eq!(codes(&text), [] as [&str; 0]);
}

#[test]
fn long_texts_are_not_deep() {
    let items = "a#b, ".repeat(10_000);
    assert_eq!(codes(&format!("def a {{ list<string> x = [{items}]; }}")), [] as [&str; 0]);
    let defs = "let x = 1 in def a; ".repeat(10_000);
    assert_eq!(codes(&format!("let y = 1 in {{ {defs} }}")), [] as [&str; 0]);
}

/// Cutting, doubling or replacing any character gives errors at most, inside of the text.
#[test]
fn any_single_typo_is_survived() {
    let text = "#ifdef A\n#else\nclass A<int x = 1, bits<2> y = {0,1}> : B<x> { // é\n  let z{1-0} = y;\n  \
                string s = \"a\\\"b\" # [{ c }] # x; }\n#endif\nmulticlass M<int n> { def a#n : A<n>; }\n\
                let q = [1]<int> in { defm b : M<0x1f>; foreach i = {0-3} in if !eq(i, 1) then def c#i; \
                else { def d#i { dag e = (f g:$h, $j); int k = !cond(1: l[0...2], true: ?); } } }\n";
    for (at, char) in text.char_indices() {
        let (before, after) = text.split_at(at);
        let rest = &after[char.len_utf8()..];
        let middles = ["", "{", "}", "\"", "é", ";", "#", "/*", "[{"];
        let middle = middles[at % middles.len()];
        codes(&format!("{before}{middle}{rest}"));
        codes(&format!("{before}{middle}{after}"));
        codes(if at % 2 == 0 { before } else { after });
    }
}
