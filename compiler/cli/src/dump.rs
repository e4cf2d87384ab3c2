//! Text of the IR between passes.

use std::borrow::Cow;

use tegula_ir::text::{PrintOptions, print_module, print_op, print_pieces};
use tegula_ir::{Body, Module, Names, Registry};
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

/// A module's text in pieces.
pub fn module_pieces(registry: &Registry, module: Module, options: &PrintOptions) -> Vec<String> {
    let names = names(&module);
    let mut pieces = print_pieces(registry, module, options);
    for piece in &mut pieces {
        if let Cow::Owned(resolved) = names.resolve(piece) {
            *piece = resolved;
        }
    }
    pieces
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
    /// The whole module, whatever the pass ran on.
    pub module_scope: bool,
    /// What is to be printed behind the errors.
    pub failure: String,
    /// The printed names of the module as it last was.
    pub names: Names,
    /// That module, when it is printed whole.
    pub module: Module,
}

impl<'a> StderrDump<'a> {
    /// Prints nothing yet.
    pub fn new(registry: &'a Registry) -> StderrDump<'a> {
        StderrDump {
            registry,
            options: PrintOptions::default(),
            before: Chosen::Nowhere,
            after: Chosen::Nowhere,
            after_change: false,
            after_failure: false,
            module_scope: false,
            failure: String::new(),
            names: Names::default(),
            module: Module::default(),
        }
    }

    /// Whether it will print something.
    pub fn prints(&self) -> bool {
        self.before != Chosen::Nowhere || self.after != Chosen::Nowhere || self.after_failure
    }
}

impl StderrDump<'_> {
    fn text(&mut self, moment: Moment, pass: &PassInfo, target: Target<'_>) -> String {
        let text = match target {
            Target::Module(module) => {
                self.names = names(module);
                print_module(self.registry, module, &self.options)
            }
            Target::Op { body, .. } if self.module_scope => {
                let same = |other: &&mut Body| other.lineage() == body.lineage();
                if let Some(other) = self.module.bodies.iter_mut().find(same) {
                    *other = body.clone();
                }
                print_module(self.registry, &self.module, &self.options)
            }
            Target::Op { body, op: Some(op), .. } => {
                // Without its module there is no place for aliases.
                let options = PrintOptions { local_scope: true, ..self.options.clone() };
                print_op(self.registry, body, op, &options)
            }
            Target::Op { op: None, .. } => return String::new(),
        };
        format!("{}{}\n", header_line(moment, pass), self.names.resolve(&text))
    }
}

impl Instrument for StderrDump<'_> {
    fn module(&mut self, module: &Module) {
        self.names = names(module);
        if self.module_scope {
            self.module = module.clone();
        }
    }

    fn before(&mut self, pass: &PassInfo, target: Target<'_>) {
        if self.before.holds(pass) {
            aside(format_args!("{}", self.text(Moment::Before, pass, target)));
        }
    }

    fn after(&mut self, pass: &PassInfo, target: Target<'_>, result: PassResult) {
        let unchanged = self.after_change && result == Ok(Changed::No);
        if result.is_err() && self.after_failure {
            let text = self.text(Moment::AfterFailure, pass, target);
            self.failure.push_str(&text);
        } else if self.after.holds(pass) && !unchanged {
            aside(format_args!("{}", self.text(Moment::After, pass, target)));
        }
    }
}

/// Prints to standard error which patterns were applied.
pub struct StderrApplied;

impl Instrument for StderrApplied {
    fn applied(&mut self, pass: &PassInfo, applied: &[Application]) {
        for application in applied {
            let Application { pattern, op, .. } = application;
            let (name, source) = (pattern.name(), pattern.source());
            let (argument, file, line) = (&pass.argument, &source.file, source.line);
            aside(format_args!("{argument}: {name} ({file}:{line}) on {op}"));
        }
    }
}
