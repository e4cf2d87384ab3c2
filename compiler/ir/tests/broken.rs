//! Whatever the text is, reading it gives diagnostics and no panic.

use proptest::prelude::*;
use tegula_diag::SourceId;
use tegula_ir::Registry;
use tegula_ir::text::{
    ParseOptions, PrintOptions, parse_module_with, print_module, resplit, split,
};

const SEEDS: [&str; 2] = [
    include_str!("../../../tests/fixtures/ir/text/types_and_attributes.mlir"),
    include_str!("../../../tests/fixtures/ir/text/structure.mlir"),
];

const ITEMS: &str = "\
#m = affine_map<(d0) -> (d0)>
func.func private @a(i32) -> i32
// Twice.
func.func @b(%x: i32) -> i32 {
  %0 = func.call @a(%x) : (i32) -> i32 // {
  func.return %0 : i32
} func.func @c() { func.return }
!t = i32
util.initializer {
  util.return
}
func.func @d() {
  func.return
}
";

fn survives(text: &str) {
    let registry = Registry::default();
    let options = ParseOptions { allow_unregistered: true, ..ParseOptions::default() };
    let (module, _, diagnostics) = parse_module_with(&registry, SourceId(0), text, options);
    for item in split(text).items {
        assert!(text.get(item.range).is_some());
    }
    if diagnostics.is_empty() {
        let print = PrintOptions::default();
        let printed = print_module(&registry, &module, &print);
        let (again, _, errors) = parse_module_with(&registry, SourceId(0), &printed, options);
        assert!(errors.is_empty(), "{printed}\n{errors:?}");
        assert_eq!(print_module(&registry, &again, &print), printed);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..Default::default() })]

    #[test]
    fn typos_do_no_harm(
        seed in 0usize..2,
        at in any::<prop::sample::Index>(),
        cut in 0usize..6,
        insert in "[ -~]{0,3}",
    ) {
        let text = SEEDS[seed];
        let from = at.index(text.len());
        let to = (from + cut).min(text.len());
        survives(&format!("{}{insert}{}", &text[..from], &text[to..]));
    }

    #[test]
    fn an_edited_text_is_cut_like_any_other(
        seed in 0usize..5,
        at in any::<prop::sample::Index>(),
        cut in 0usize..40,
        insert in "[-\"%@#!^{}()=:.a-z \n/]{0,4}|func\\.func @f\\(\\) \\{\n\\}\n",
    ) {
        let module = format!("module @m {{\n{ITEMS}}}\n#z = 1\n");
        let generic = format!("#a = 1\n\"builtin.module\"() ({{\n^bb0:\n{ITEMS}}}) : () -> ()\n");
        let text = [SEEDS[0], SEEDS[1], ITEMS, &module, &generic][seed];
        let from = text.floor_char_boundary(at.index(text.len()));
        let to = text.floor_char_boundary((from + cut).min(text.len()));
        let edited = format!("{}{insert}{}", &text[..from], &text[to..]);
        prop_assert_eq!(resplit(&split(text), text, &edited), split(&edited), "{}", edited);
        prop_assert_eq!(resplit(&split(&edited), &edited, text), split(text), "back from {}", edited);
    }

    #[test]
    fn noise_does_no_harm(text in "[-\"%@#!^{}()\\[\\]<>:=,.*+?a-z0-9 \n]{0,60}") {
        survives(&text);
    }
}

#[test]
fn a_bracket_that_is_missing_further_on_counts() {
    let later = "] high {\n    } : i32\n    %i = t.a %a[0, i32>\n    %g = t.b {\n    }\n  }\n}";
    let before = format!("module {{\n  t.f @f(%a: i32, %b: i32) {{\n    %p = t.c %a{later}");
    let edited = format!("module {{\n  t.f @f(%a: i32, %b{later}");
    assert_eq!(resplit(&split(&before), &before, &edited), split(&edited));
}
