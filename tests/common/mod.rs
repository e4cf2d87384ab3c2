//! Modules as text, for tests that go from one to the other.

use tegula_diag::Sources;
use tegula_ir::Module;
use tegula_ir::text::{PrintOptions, parse_module, print_module};
use tegula_pipelines::Setup;

/// A module as text, in custom or generic form.
pub fn print(setup: &Setup, module: &Module, generic: bool) -> String {
    let options = PrintOptions { generic, ..PrintOptions::default() };
    print_module(&setup.registry, module, &options)
}

/// The module that a text without mistakes says.
pub fn parse(setup: &Setup, text: &str) -> Module {
    let mut sources = Sources::new();
    let id = sources.add_virtual("<module>", text);
    let (module, _, found) = parse_module(&setup.registry, id, text);
    assert!(found.is_empty(), "{:?}\n{text}", found.first());
    module
}
