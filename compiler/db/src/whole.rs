//! Phases that see the whole module: the exception, which reruns on every edit.

use std::sync::Arc;

use tegula_ir::{FrozenBody, Module};
use tegula_pass::{Header, NoInstrument, Phase as Step, Plan, Report, run_pipeline};

use crate::database::{Database, poll};
use crate::inputs::Level;

/// What such a phase makes of the module.
#[derive(Clone, Debug)]
pub(crate) struct Whole {
    pub(crate) header: Header,
    /// None when the phase failed.
    pub(crate) bodies: Option<Vec<Arc<FrozenBody>>>,
    pub(crate) reports: Vec<Report>,
}

/// Runs such a phase.
pub(crate) fn whole(db: &Database, level: Level, step: &Step, bodies: &[Arc<FrozenBody>]) -> Whole {
    let header = level.header(db);
    let bodies = bodies.iter().map(|body| body.thaw()).collect();
    let module = Module { name: header.name, attrs: header.attrs, bodies, ..Module::default() };
    let one = Plan { phases: vec![step.clone()], count: 0 };
    let poll = poll(db);
    let env = level.program(db).setup(db).env(&poll, false);
    let run = run_pipeline(env, &one, module, &mut NoInstrument);
    let bodies = run.value.bodies.iter().map(|body| Arc::new(body.freeze()));
    Whole {
        header: Header::of(&run.value),
        bodies: run.result.is_ok().then(|| bodies.collect()),
        reports: run.reports,
    }
}
