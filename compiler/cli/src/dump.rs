//! Text of the IR between passes.

use tegula_ir::text::{PrintOptions, print_module, print_op};
use tegula_ir::{Module, Names, Registry};
use tegula_pass::{Changed, Instrument, PassInfo, PassResult, Target, header_line};
use tegula_rewrite::Application;

/// The printed names of a module's identities.
pub fn names(module: &Module) -> Names {
    let symbols = module.bodies.iter().filter_map(|b| b.symbol_name(b.root()?));
    Names::assign(symbols.collect::<Vec<_>>())
}

/// A module's text.
pub fn module_text(registry: &Registry, module: &Module, options: &PrintOptions) -> String {
    let text = print_module(registry, module, options);
    names(module).resolve(&text).into_owned()
}

/// Prints to standard error after passes.
pub struct StderrDump<'a> {
    /// The installed definitions.
    pub registry: &'a Registry,
    /// How ops are printed.
    pub options: PrintOptions,
    /// Only after passes that changed something.
    pub after_change: bool,
    /// The printed names of the module as it last was.
    pub names: Names,
}

impl Instrument for StderrDump<'_> {
    fn module(&mut self, module: &Module) {
        self.names = names(module);
    }

    fn after(&mut self, pass: &PassInfo, target: Target<'_>, result: PassResult) {
        if self.after_change && result == Ok(Changed::No) {
            return;
        }
        let text = match target {
            Target::Module(module) => {
                self.names = names(module);
                print_module(self.registry, module, &self.options)
            }
            Target::Op { body, op: Some(op), .. } => {
                print_op(self.registry, body, op, &self.options)
            }
            Target::Op { op: None, .. } => return,
        };
        eprintln!("{}{}\n", header_line(pass), self.names.resolve(&text));
    }
}

/// Prints to standard error which patterns were applied, and passes everything on.
pub struct StderrApplied<'a> {
    /// What else watches.
    pub inner: &'a mut dyn Instrument,
}

impl Instrument for StderrApplied<'_> {
    fn module(&mut self, module: &Module) {
        self.inner.module(module);
    }

    fn before(&mut self, pass: &PassInfo, target: Target<'_>) {
        self.inner.before(pass, target);
    }

    fn applied(&mut self, pass: &PassInfo, applied: &[Application]) {
        for application in applied {
            let Application { pattern, source, op, .. } = application;
            eprintln!("{}: {pattern} ({}:{}) on {op}", pass.argument, source.file, source.line);
        }
        self.inner.applied(pass, applied);
    }

    fn after(&mut self, pass: &PassInfo, target: Target<'_>, result: PassResult) {
        self.inner.after(pass, target, result);
    }
}
