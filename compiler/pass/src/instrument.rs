//! What watches a run: dumps, reports, tests.

use indexmap::IndexMap;
use tegula_ir::{Body, Module, OpId};
use tegula_rewrite::Application;

use crate::{Header, PassResult, PassStep};

/// What a pass ran on.
#[derive(Clone, Copy)]
pub enum Target<'a> {
    /// The whole module.
    Module(&'a Module),
    /// One op.
    Op {
        /// The module's header.
        header: &'a Header,
        /// The body.
        body: &'a Body,
        /// The op; none when the pass erased it.
        op: Option<OpId>,
    },
}

/// Who a pass is, for headers and listings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PassInfo {
    /// The definition's name: `CanonicalizerPass`.
    pub class: String,
    /// The argument: `canonicalize`.
    pub argument: String,
    /// The options as text, or empty.
    pub options: String,
    /// The number of the pass in its plan.
    pub index: usize,
}

impl PassInfo {
    /// Who a step's pass is.
    pub fn of(step: &PassStep) -> PassInfo {
        PassInfo {
            class: step.pass.def.def_name.to_string(),
            argument: step.pass.def.name.to_string(),
            options: step.options.text(),
            index: step.index,
        }
    }

    /// Who the adaptor with a number is.
    pub(crate) fn adaptor(index: usize) -> PassInfo {
        PassInfo {
            class: "mlir::iree_compiler::detail::OpPipelineAdaptorPass".to_owned(),
            argument: crate::text::ADAPTOR.to_owned(),
            options: String::new(),
            index,
        }
    }
}

/// Watches a run. It sees every pass, adaptor and iterator, on every op that it runs on, in the
/// order of a single-threaded run.
pub trait Instrument {
    /// The module as it stands before the next element of its pipeline.
    fn module(&mut self, _module: &Module) {}
    /// Before a pass.
    fn before(&mut self, _pass: &PassInfo, _target: Target<'_>) {}
    /// The patterns that a pass has applied, in order, before [`Instrument::after`]: why the IR is
    /// what it is.
    fn applied(&mut self, _pass: &PassInfo, _applied: &[Application]) {}
    /// What a pass has counted, before [`Instrument::after`].
    fn counted(&mut self, _pass: &PassInfo, _statistics: &IndexMap<&'static str, u64>) {}
    /// After a pass.
    fn after(&mut self, _pass: &PassInfo, _target: Target<'_>, _result: PassResult) {}
}

/// Watches nothing.
pub struct NoInstrument;

impl Instrument for NoInstrument {}

/// Several instruments, one after the other.
impl Instrument for Vec<Box<dyn Instrument + '_>> {
    fn module(&mut self, module: &Module) {
        self.iter_mut().for_each(|i| i.module(module));
    }

    fn before(&mut self, pass: &PassInfo, target: Target<'_>) {
        self.iter_mut().for_each(|i| i.before(pass, target));
    }

    fn applied(&mut self, pass: &PassInfo, applied: &[Application]) {
        self.iter_mut().for_each(|i| i.applied(pass, applied));
    }

    fn counted(&mut self, pass: &PassInfo, statistics: &IndexMap<&'static str, u64>) {
        self.iter_mut().for_each(|i| i.counted(pass, statistics));
    }

    fn after(&mut self, pass: &PassInfo, target: Target<'_>, result: PassResult) {
        self.iter_mut().for_each(|i| i.after(pass, target, result));
    }
}
