//! What is read from text and printed is read back as it was: `print(parse(print(x))) == print(x)`,
//! in custom and in generic form.

#![no_main]

use std::sync::{Arc, LazyLock};

use libfuzzer_sys::fuzz_target;
use tegula_diag::Sources;
use tegula_ir::Module;
use tegula_ir::text::{ParseOptions, PrintOptions, SourceMap, parse_module_with, print_module};
use tegula_ir::verify::verify_module;
use tegula_pass::Settings;
use tegula_pipelines::Setup;

static SETUP: LazyLock<Arc<Setup>> = LazyLock::new(|| Setup::new(Settings::default(), []));

fn parse(text: &str) -> Option<Module> {
    let mut sources = Sources::new();
    let id = sources.add_virtual("<input>", text);
    let options = ParseOptions { allow_unregistered: true, ..ParseOptions::default() };
    let (module, _, found) = parse_module_with(&SETUP.registry, id, text, options);
    found.is_empty().then_some(module)
}

fn print(module: &Module, generic: bool) -> String {
    let options = PrintOptions { generic, ..PrintOptions::default() };
    print_module(&SETUP.registry, module, &options)
}

fuzz_target!(|text: &str| {
    let Some(module) = parse(text) else { return };
    if !verify_module(&SETUP.registry, &module, &SourceMap::new()).is_empty() {
        return;
    }
    for generic in [false, true] {
        let printed = print(&module, generic);
        let read = parse(&printed).unwrap_or_else(|| panic!("is not read back:\n{printed}"));
        assert_eq!(print(&read, generic), printed);
    }
});
