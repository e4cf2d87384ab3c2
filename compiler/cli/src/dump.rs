//! Text of the IR between passes.

use tegula_ir::text::{PrintOptions, print_module, print_op};
use tegula_ir::{Module, Names, Registry};
use tegula_pass::{Changed, Instrument, Moment, PassInfo, PassResult, Target, header_line};
use tegula_rewrite::Application;

use crate::output::aside;

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

/// Which passes IR is printed around.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Chosen {
    /// None.
    #[default]
    Nowhere,
    /// All.
    All,
    /// Those of these names.
    Named(Vec<String>),
}

impl Chosen {
    /// What a flag for all and one with names choose together.
    pub fn of(all: bool, names: &[String]) -> Chosen {
        match names {
            _ if all => Chosen::All,
            [] => Chosen::Nowhere,
            names => Chosen::Named(names.to_vec()),
        }
    }

    fn holds(&self, pass: &PassInfo) -> bool {
        match self {
            Chosen::Nowhere => false,
            Chosen::All => true,
            Chosen::Named(names) => names.contains(&pass.argument),
        }
    }
}

/// Prints to standard error around passes.
pub struct StderrDump<'a> {
    /// The installed definitions.
    pub registry: &'a Registry,
    /// How ops are printed.
    pub options: PrintOptions,
    /// Before which passes.
    pub before: Chosen,
    /// After which passes.
    pub after: Chosen,
    /// After them only where they changed something.
    pub after_change: bool,
    /// After those that give up.
    pub after_failure: bool,
    /// The printed names of the module as it last was.
    pub names: Names,
}

impl StderrDump<'_> {
    fn print(&mut self, moment: Moment, pass: &PassInfo, target: Target<'_>) {
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
        aside(format_args!("{}{}\n", header_line(moment, pass), self.names.resolve(&text)));
    }
}

impl Instrument for StderrDump<'_> {
    fn module(&mut self, module: &Module) {
        self.names = names(module);
    }

    fn before(&mut self, pass: &PassInfo, target: Target<'_>) {
        if self.before.holds(pass) {
            self.print(Moment::Before, pass, target);
        }
    }

    fn after(&mut self, pass: &PassInfo, target: Target<'_>, result: PassResult) {
        let unchanged = self.after_change && result == Ok(Changed::No);
        if result.is_err() && self.after_failure {
            self.print(Moment::AfterFailure, pass, target);
        } else if self.after.holds(pass) && !unchanged {
            self.print(Moment::After, pass, target);
        }
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
            let Application { pattern, op, .. } = application;
            let (name, source) = (pattern.name(), pattern.source());
            let (argument, file, line) = (&pass.argument, &source.file, source.line);
            aside(format_args!("{argument}: {name} ({file}:{line}) on {op}"));
        }
        self.inner.applied(pass, applied);
    }

    fn after(&mut self, pass: &PassInfo, target: Target<'_>, result: PassResult) {
        self.inner.after(pass, target, result);
    }
}
