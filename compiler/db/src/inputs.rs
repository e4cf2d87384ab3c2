//! Inputs.

use std::sync::Arc;

use tegula_ir::{FrozenBody, Ident};
use tegula_pass::{Fact, Header, Phase as Step, Subject};
use tegula_pipelines::{Phase, Setup};

/// One top-level op as it is written.
#[salsa::input(debug)]
pub struct Item {
    /// The name that locations bear: the symbol, or a made-up name.
    #[returns(ref)]
    pub name: String,
    /// The text.
    #[returns(ref)]
    pub text: Arc<str>,
}

/// The text around the top-level ops.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Frame {
    /// All alias definitions, each on lines of its own.
    pub aliases: String,
    /// The module's name and attributes when the text spells a module: an empty module.
    pub header: String,
}

/// What a program is compiled with, and the text around its top-level ops.
#[salsa::input(debug)]
pub struct Program {
    /// The text around the top-level ops.
    #[returns(ref)]
    pub frame: Arc<Frame>,
    /// Definitions and target.
    #[returns(ref)]
    pub setup: Arc<Setup>,
    /// The phase after which text is made.
    #[returns(copy)]
    pub phase: Phase,
}

/// What a phase sees of the module besides the symbol that it runs on.
#[salsa::input]
pub(crate) struct Level {
    /// The program.
    #[returns(copy)]
    pub(crate) program: Program,
    /// What the phase runs; none at the end of the plan.
    #[returns(ref)]
    pub(crate) step: Option<Arc<Step>>,
    /// The module's name and attributes.
    #[returns(ref)]
    pub(crate) header: Header,
    /// What a solved pass knows of each symbol that it concerns, or what symbols say to all, in
    /// module order.
    #[returns(ref)]
    pub(crate) summaries: Vec<Fact>,
    /// For a bottom-up pass what each symbol is named and calls, in module order.
    #[returns(ref)]
    pub(crate) calls: Vec<Calls>,
}

/// The name of a symbol, and the names that it calls.
pub(crate) type Calls = (Option<Ident>, Vec<Ident>);

/// A symbol as a phase sees it.
#[salsa::input]
pub(crate) struct Stage {
    /// The phase.
    #[returns(copy)]
    pub(crate) level: Level,
    /// The item that the symbol goes back to, when it goes back to one.
    #[returns(copy)]
    pub(crate) item: Option<Item>,
    /// The symbol's body at the start of the phase.
    #[returns(ref)]
    pub(crate) body: Arc<FrozenBody>,
    /// What the rest of the module means for it.
    #[returns(ref)]
    pub(crate) given: Given,
}

/// A subject of a phase that decides subject by subject.
#[salsa::input]
pub(crate) struct Topic {
    /// The phase.
    #[returns(copy)]
    pub(crate) level: Level,
    /// Its name.
    #[returns(copy)]
    pub(crate) subject: Subject,
    /// What is said of it, in module order.
    #[returns(ref)]
    pub(crate) claims: Vec<Fact>,
}

/// What the rest of the module means for a symbol in a phase.
#[derive(Clone, PartialEq)]
pub(crate) enum Given {
    /// Nothing.
    Nothing,
    /// What a solve decided.
    Projection(Fact),
    /// What follows from what is said to all, and the verdicts about the subjects that it asks of.
    Verdicts(Fact, Vec<(Subject, Fact)>),
    /// The solve failed.
    Unsolved,
    /// The symbols that it calls, those that call back left out.
    Callees(Vec<Stage>),
}
