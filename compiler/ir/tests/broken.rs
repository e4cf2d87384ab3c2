//! Whatever the text is, reading it gives diagnostics and no panic.

use proptest::prelude::*;
use tegula_diag::SourceId;
use tegula_ir::Registry;
use tegula_ir::text::{ParseOptions, PrintOptions, parse_module_with, print_module, split};

const SEEDS: [&str; 2] = [
    include_str!("../../../tests/fixtures/ir/text/types_and_attributes.mlir"),
    include_str!("../../../tests/fixtures/ir/text/structure.mlir"),
];

fn survives(text: &str) {
    let registry = Registry::default();
    let options = ParseOptions { allow_unregistered: true };
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
    fn noise_does_no_harm(text in "[-\"%@#!^{}()\\[\\]<>:=,.*+?a-z0-9 \n]{0,60}") {
        survives(&text);
    }
}
