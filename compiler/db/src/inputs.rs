//! Inputs.

use std::sync::Arc;

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

/// A program, and what it is compiled with.
#[salsa::input(debug)]
pub struct Program {
    /// The top-level ops in order.
    #[returns(ref)]
    pub items: Vec<Item>,
    /// The text around them.
    #[returns(ref)]
    pub frame: Arc<Frame>,
    /// Definitions and target.
    #[returns(ref)]
    pub setup: Arc<Setup>,
    /// The phase after which text is made.
    #[returns(copy)]
    pub phase: Phase,
}
