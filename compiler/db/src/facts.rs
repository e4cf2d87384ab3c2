//! What passes through queries: values with an equality that stops propagation.

use std::sync::Arc;

use tegula_ir::FrozenBody;
use tegula_pass::{Plan, Report};

use crate::shards::Projections;

/// A plan, equal to itself only: it changes with the setup.
#[derive(Clone)]
pub(crate) struct Planned(pub(crate) Arc<Plan>);

impl PartialEq for Planned {
    fn eq(&self, other: &Planned) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// What a phase makes of one symbol.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Outcome {
    /// The symbol's body afterwards; none when it is gone or the phase failed on it.
    pub(crate) body: Option<Arc<FrozenBody>>,
    /// New symbols, to stand before it.
    pub(crate) emitted: Vec<Arc<FrozenBody>>,
    /// What the passes said.
    pub(crate) reports: Vec<Report>,
    /// The phase gave up on the symbol.
    pub(crate) failed: bool,
}

impl Outcome {
    /// A symbol that the phase leaves as it is.
    pub(crate) fn same(body: Option<Arc<FrozenBody>>) -> Outcome {
        Outcome { body, emitted: Vec::new(), reports: Vec::new(), failed: false }
    }
}

/// What a solve decides.
#[derive(Clone, Debug, PartialEq, salsa::SalsaValue)]
pub(crate) struct Solution<'db> {
    /// A projection for each summary, in shards; none when the solve failed.
    pub(crate) projections: Option<Vec<Projections<'db>>>,
    /// What the pass said.
    pub(crate) reports: Vec<Report>,
}
