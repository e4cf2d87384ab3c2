//! Everything that a compilation reads besides its program, made once.

use std::sync::Arc;

use tegula_eval::Semantics;
use tegula_ir::{Body, DialectEntry, OpId, Registry, verify};
use tegula_pass::text::PipelineError;
use tegula_pass::{Env, PassTable, Plan, Settings};
use tegula_rewrite::Patterns;

use crate::{Phase, dialects};

/// Definitions, patterns and passes, linked, and the settings of a run. Immutable; a live edit of a
/// definition makes a new one.
pub struct Setup {
    /// The installed definitions.
    pub registry: Registry,
    /// All patterns.
    pub patterns: Patterns,
    /// All passes.
    pub passes: PassTable,
    /// Settings of the whole run by name.
    pub settings: Settings,
    /// The meaning of ops, for evaluation.
    pub semantics: Semantics,
    generation: u64,
}

impl PartialEq for Setup {
    fn eq(&self, other: &Setup) -> bool {
        self.generation == other.generation
    }
}

impl Eq for Setup {}

impl std::fmt::Debug for Setup {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Setup").field("generation", &self.generation).finish_non_exhaustive()
    }
}

impl Setup {
    /// The built-in definitions, and dialects that are installed over them.
    pub fn new(settings: Settings, live: impl IntoIterator<Item = DialectEntry>) -> Arc<Setup> {
        use std::sync::atomic::{AtomicU64, Ordering};
        static GENERATIONS: AtomicU64 = AtomicU64::new(0);
        let registry = Registry::new(dialects::entries().into_iter().chain(live));
        let patterns = Patterns::new(&registry, dialects::rewrites());
        let passes = PassTable::new(&registry, dialects::passes());
        let semantics = dialects::semantics();
        let generation = GENERATIONS.fetch_add(1, Ordering::Relaxed);
        Arc::new(Setup { registry, patterns, passes, settings, semantics, generation })
    }

    /// What in the definitions does not fit together: patterns and passes that could not be linked,
    /// pipelines that can't be planned.
    pub fn problems(&self) -> Vec<String> {
        let patterns = self.patterns.errors().iter().map(|e| {
            format!("{}:{}: pattern {}: {}", e.source.file, e.source.line, e.pattern, e.message)
        });
        let passes = self.passes.errors().iter().map(|e| {
            format!("{}:{}: pass {}: {}", e.source.file, e.source.line, e.pass, e.message)
        });
        let plan = self.plan(Phase::LAST).err().unwrap_or_default();
        let plan = plan.into_iter().map(|e| format!("the pipelines of the road: {}", e.message));
        patterns.chain(passes).chain(plan).collect()
    }

    /// The names of the CPUs that code can be made for.
    pub fn cpus(&self) -> Vec<String> {
        let targets = self.registry.dialects().flat_map(|d| d.def.targets.iter());
        targets.map(|t| t.name.to_string()).collect()
    }

    /// The plan up to a phase.
    pub fn plan(&self, phase: Phase) -> Result<Plan, Vec<PipelineError>> {
        Plan::new(&self.passes, &phase.pipeline(), &[])
    }

    /// What passes share, with a check of what each leaves when asked for.
    pub fn env<'a>(&'a self, poll: &'a (dyn Fn() + Sync), verify_each: bool) -> Env<'a> {
        Env {
            registry: &self.registry,
            patterns: &self.patterns,
            settings: &self.settings,
            poll,
            verify: verify_each.then_some(verify_body),
            until: None,
        }
    }
}

fn verify_body(registry: &Registry, body: &Body) -> Vec<(OpId, String)> {
    verify::verify_body(registry, body).into_iter().map(|e| (e.op, e.message)).collect()
}
