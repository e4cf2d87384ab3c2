//! What a pass is.

use indexmap::IndexMap;
use tegula_ir::{Body, Module, OpId, Registry};

use crate::{Header, PassCx, SolvedPass, SubjectPass};

/// Whether a pass touched anything.
///
/// Dumps after change follow what a pass says, and so does reuse: after `No` the body is the one
/// that was there before. A pass that edits and undoes its edits may say either.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Changed {
    /// Something was edited.
    Yes,
    /// Nothing was edited.
    No,
}

impl Changed {
    /// `Yes` when the condition holds.
    pub fn when(condition: bool) -> Changed {
        if condition { Changed::Yes } else { Changed::No }
    }

    /// Whether this is `Yes`.
    pub fn is_yes(self) -> bool {
        self == Changed::Yes
    }
}

impl std::ops::BitOr for Changed {
    type Output = Changed;

    fn bitor(self, other: Changed) -> Changed {
        Changed::when(self.is_yes() || other.is_yes())
    }
}

impl std::ops::BitOrAssign for Changed {
    fn bitor_assign(&mut self, other: Changed) {
        *self = *self | other;
    }
}

/// A pass gave up, having said why with [`PassCx::error`], which makes this value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failed(pub(crate) ());

/// What a pass gives.
pub type PassResult = Result<Changed, Failed>;

/// The bodies that a bottom-up pass may read: those it calls, as they are after the pass.
#[derive(Default)]
pub struct Callees<'a> {
    pub(crate) bodies: IndexMap<&'a str, &'a Body>,
}

impl<'a> Callees<'a> {
    /// The body of a called symbol; none when it is outside of the module or calls back, directly
    /// or through others.
    pub fn get(&self, symbol: &str) -> Option<&'a Body> {
        self.bodies.get(symbol).copied()
    }
}

/// Whether a body, given the header of its module, gives a pass on the module nothing to do. Where
/// all are idle an incremental layer passes them on one by one.
pub type IdleBody = fn(&Registry, &Header, &Body) -> bool;

/// The Rust of one pass.
#[derive(Clone, Copy)]
pub struct PassImpl {
    /// The argument on the command line, which is the name in its `.td`.
    pub name: &'static str,
    /// What it runs.
    pub run: PassRun,
}

/// What a pass runs; the kind must be that of the scope in its `.td`.
#[derive(Clone, Copy)]
pub enum PassRun {
    /// Scope `local`: edits the anchor op and what is below it, and sees nothing else.
    Local(fn(&mut PassCx<'_>, &mut Body, OpId) -> PassResult),
    /// Scope `outline`: as `local`, and may add symbols with [`PassCx::emit`].
    Outline(fn(&mut PassCx<'_>, &mut Body, OpId) -> PassResult),
    /// Scope `header`: edits the attributes of a module without bodies, and adds bodies, which
    /// become the module's first.
    Header(fn(&mut PassCx<'_>, &mut Module) -> PassResult),
    /// Scopes `merge` and `module`: edits the whole module.
    Module(fn(&mut PassCx<'_>, &mut Module) -> PassResult),
    /// The same, for a pass that leaves a module as it is in which every body is idle.
    ModuleUnless(fn(&mut PassCx<'_>, &mut Module) -> PassResult, IdleBody),
    /// Scope `solved`: a summary of each body, one solve, a projection for each body, an apply.
    Solved(&'static dyn SolvedPass),
    /// Scope `solved` where each body's question falls apart by subject.
    BySubject(&'static dyn SubjectPass),
    /// Scope `bottom-up`: as `local`, and reads the results of what it calls.
    BottomUp(fn(&mut PassCx<'_>, &mut Body, OpId, &Callees<'_>) -> PassResult),
}
