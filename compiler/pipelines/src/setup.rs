//! Everything that a compilation reads besides its program, made once.

use std::collections::BTreeSet;
use std::sync::Arc;

use tegula_eval::Semantics;
use tegula_ir::{Body, DisabledHooks, DisabledReason, OpId, Registry, verify};
use tegula_neon::InstrTable;
use tegula_pass::text::PipelineError;
use tegula_pass::{Env, PassTable, Plan, Settings};
use tegula_rewrite::Patterns;
use tegula_schema::{DialectDef, PipelineDef, Source};

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
    /// What programs have been through when they are given.
    pub from: Phase,
    /// Settings of the whole run by name.
    pub settings: Settings,
    /// The meaning of ops, for evaluation.
    pub semantics: Semantics,
    /// The machine's instructions; what is wrong with their definitions otherwise.
    pub instructions: Result<InstrTable, Vec<String>>,
    /// Hooks that live definitions name and that do not run.
    disabled: Vec<DisabledHooks>,
    /// The pipelines of live definitions.
    pipelines: Vec<PipelineDef>,
    generation: u64,
}

/// What in the definitions does not fit together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// One sentence without a final stop.
    pub message: String,
    /// Where the definition stands; none when several are concerned.
    pub source: Option<Source>,
    /// Whether nothing can be compiled; otherwise one definition only goes without something.
    pub fatal: bool,
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
    /// The built-in definitions, and definitions read at run time that are installed over them.
    pub fn new(settings: Settings, live: impl IntoIterator<Item = DialectDef>) -> Arc<Setup> {
        Setup::after(Phase::Input, settings, live)
    }

    /// The same for programs that have been through a phase.
    pub fn after(
        from: Phase,
        settings: Settings,
        live: impl IntoIterator<Item = DialectDef>,
    ) -> Arc<Setup> {
        use std::sync::atomic::{AtomicU64, Ordering};
        static GENERATIONS: AtomicU64 = AtomicU64::new(0);
        let mut registry = dialects::registry();
        let (mut disabled, mut pipelines) = (Vec::new(), Vec::new());
        for def in live {
            pipelines.extend(def.pipelines.iter().cloned());
            disabled.extend(registry.install_live(def));
        }
        let patterns = Patterns::new(&registry, dialects::rewrites());
        let passes = PassTable::new(&registry, dialects::passes());
        let semantics = dialects::semantics();
        let instructions = InstrTable::new(&registry);
        let generation = GENERATIONS.fetch_add(1, Ordering::Relaxed);
        Arc::new(Setup {
            registry,
            patterns,
            passes,
            from,
            settings,
            semantics,
            instructions,
            disabled,
            pipelines,
            generation,
        })
    }

    /// What in the definitions does not fit together: hooks that do not run, patterns and passes
    /// that could not be linked, pipelines that can't be planned.
    pub fn problems(&self) -> Vec<Problem> {
        let partial = |source: &Source, message: String| Problem {
            message,
            source: Some(source.clone()),
            fatal: false,
        };
        let hooks = self.disabled.iter().map(|d| {
            let names: Vec<String> = d.hooks.iter().map(|name| format!("`{name}`")).collect();
            let (s, verb) = if names.len() == 1 { ("", "was") } else { ("s", "were") };
            let names = names.join(", ");
            let message = match d.reason {
                DisabledReason::Changed => format!(
                    "`{}` goes without its hook{s} {names}, which {verb} compiled for another \
                     definition",
                    d.definition
                ),
                DisabledReason::Missing => {
                    format!("`{}` goes without its hook{s} {names}: no Rust is there", d.definition)
                }
                DisabledReason::Syntax => format!(
                    "`{}` has only the generic form: no Rust reads and prints {names}",
                    d.definition
                ),
                DisabledReason::Unverified => format!(
                    "of the dialect `{}` these ops have a verifier in C++ for which no Rust stands \
                     in: {names}",
                    d.definition
                ),
                DisabledReason::StandIn => format!(
                    "of the dialect `{}` these definitions have a syntax in C++, and that of the \
                     compiled ones instead: {names}",
                    d.definition
                ),
            };
            partial(&d.source, message)
        });
        let patterns = self.patterns.errors().iter().map(|e| {
            let found = partial(&e.source, format!("{} does not run: {}", e.what, e.message));
            Problem { fatal: !e.needs_rust, ..found }
        });
        let passes = self.passes.errors().iter().map(|e| {
            partial(&e.source, format!("the pass `{}` does not run: {}", e.pass, e.message))
        });
        let mut plan = self.pipeline_problems();
        // What is wrong with one of them is wrong with the road if it is on it.
        if plan.is_empty() {
            let errors = self.plan(Phase::END).err().unwrap_or_default();
            plan.extend(errors.into_iter().map(|e| Problem {
                message: format!("the pipelines of the road: {}", e.message),
                source: None,
                fatal: true,
            }));
        }
        hooks.chain(patterns).chain(passes).chain(plan).collect()
    }

    /// Why pipelines of live definitions can't be planned, whatever holds before them. A mistake is
    /// told of the pipeline that it is in, and not again of those that contain this one.
    fn pipeline_problems(&self) -> Vec<Problem> {
        let facts = self.passes.passes().flat_map(|pass| pass.def.requires.iter());
        let facts: Vec<&str> = facts.map(|fact| fact.as_ref()).collect();
        let planned: Vec<(&PipelineDef, BTreeSet<String>)> = (self.pipelines.iter())
            .map(|def| {
                let text = format!("builtin.module({})", def.name);
                let errors = Plan::new(&self.passes, &text, &facts).err().unwrap_or_default();
                // Passes that do not run are told as such.
                let errors = errors.iter().filter(|error| error.code != "disabled-pass");
                (def, errors.map(PipelineError::to_string).collect())
            })
            .collect();
        let contains = |outer: &PipelineDef, inner: &PipelineDef| {
            let mut words = outer.text.split(|c: char| !(c.is_alphanumeric() || "-_.".contains(c)));
            outer.name != inner.name && words.any(|word| word == inner.name)
        };
        let mut out = Vec::new();
        for (def, errors) in &planned {
            let inner: Vec<&BTreeSet<String>> =
                planned.iter().filter(|(inner, _)| contains(def, inner)).map(|(_, e)| e).collect();
            let own = errors.iter().filter(|error| !inner.iter().any(|told| told.contains(*error)));
            out.extend(own.map(|error| Problem {
                message: format!("the pipeline `{}`: {error}", def.name),
                source: Some(def.source.clone()),
                fatal: true,
            }));
        }
        out
    }

    /// The names of the CPUs that code can be made for.
    pub fn cpus(&self) -> Vec<String> {
        let targets = self.registry.dialects().flat_map(|d| d.def.targets.iter());
        targets.filter(|t| !t.arch.is_empty()).map(|t| t.name.to_string()).collect()
    }

    /// The names of the target backends that there are up to a phase: the road ends at machine
    /// code of one of them.
    pub fn backends(&self, phase: Phase) -> Vec<String> {
        let targets = self.registry.dialects().flat_map(|d| d.def.targets.iter());
        let reached = targets.filter(|t| phase <= Phase::ExecutableSources || !t.arch.is_empty());
        let names: BTreeSet<String> = reached.map(|t| t.backend.to_string()).collect();
        names.into_iter().collect()
    }

    /// The plan up to a phase.
    pub fn plan(&self, phase: Phase) -> Result<Plan, Vec<PipelineError>> {
        self.plan_between(self.from, phase)
    }

    /// The plan from after a phase to after another.
    pub fn plan_between(&self, from: Phase, to: Phase) -> Result<Plan, Vec<PipelineError>> {
        let before = Plan::new(&self.passes, &from.pipeline_from(Phase::Input), &[])?;
        let facts = before.facts_after(&[]);
        Plan::new(&self.passes, &to.pipeline_from(from), &facts)
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
