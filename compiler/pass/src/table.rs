//! The passes that can run: tables with their Rust.

use std::borrow::Cow;
use std::sync::Arc;

use indexmap::IndexMap;
use tegula_ir::Registry;
use tegula_schema::{PassBody, PassDef, PipelineDef, Scope, Source};

use crate::{PassImpl, PassRun, builtin};

/// One pass that can run.
#[derive(Clone)]
pub struct RegisteredPass {
    /// Its table.
    pub def: Cow<'static, PassDef>,
    /// Its Rust; none for passes whose body is a set of patterns.
    pub run: Option<PassRun>,
}

/// Why a pass or pipeline cannot run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PassTableError {
    /// The argument of the pass, or the name of the pipeline.
    pub pass: String,
    /// Where it is defined.
    pub source: Source,
    /// One sentence without a final stop.
    pub message: String,
}

/// All passes that can run, by argument.
#[derive(Clone, Default)]
pub struct PassTable {
    passes: IndexMap<String, Arc<RegisteredPass>>,
    pipelines: IndexMap<String, PipelineDef>,
    errors: Vec<PassTableError>,
}

impl PassTable {
    /// The passes of a registry with their Rust, and those that belong to no dialect. A pass
    /// without its Rust is left out, and [`PassTable::errors`] says so.
    pub fn new(registry: &Registry, impls: impl IntoIterator<Item = PassImpl>) -> PassTable {
        let impls: IndexMap<&str, PassRun> = impls.into_iter().map(|i| (i.name, i.run)).collect();
        let mut table = PassTable::default();
        for (def, run) in builtin::passes() {
            table.passes.insert(
                def.name.to_string(),
                Arc::new(RegisteredPass { def: Cow::Owned(def), run: Some(run) }),
            );
        }
        for (_, def) in registry.passes() {
            if table.passes.contains_key(def.name.as_ref()) {
                table.complain(&def.name, &def.source, "another pass has this name");
                continue;
            }
            let run = match &def.body {
                PassBody::Hook(name) => {
                    let name = if name.is_empty() { def.name.as_ref() } else { name.as_ref() };
                    match impls.get(name) {
                        Some(run) if fits(def.scope, run) => Some(*run),
                        Some(_) => {
                            table.complain(
                                &def.name,
                                &def.source,
                                "its Rust is of another scope than its table says",
                            );
                            continue;
                        }
                        None => {
                            table.complain(&def.name, &def.source, "no Rust is registered for it");
                            continue;
                        }
                    }
                }
                // Rust of the pass's name runs in place of the patterns and asks for them itself.
                PassBody::Greedy(_) | PassBody::Convert(_) => match impls.get(def.name.as_ref()) {
                    Some(run) if !fits(def.scope, run) => {
                        table.complain(
                            &def.name,
                            &def.source,
                            "its Rust is of another scope than its table says",
                        );
                        continue;
                    }
                    run => run.copied(),
                },
            };
            let pass = RegisteredPass { def: Cow::Owned(def.clone()), run };
            table.passes.insert(def.name.to_string(), Arc::new(pass));
        }
        for pipeline in registry.pipelines() {
            if table.names().any(|name| name == pipeline.name) {
                let message = "another pass or pipeline has this name";
                table.complain(&pipeline.name, &pipeline.source, message);
                continue;
            }
            table.pipelines.insert(pipeline.name.to_string(), pipeline.clone());
        }
        table
    }

    fn complain(&mut self, name: &str, source: &Source, message: &str) {
        self.errors.push(PassTableError {
            pass: name.to_owned(),
            source: source.clone(),
            message: message.to_owned(),
        });
    }

    /// What could not be registered.
    pub fn errors(&self) -> &[PassTableError] {
        &self.errors
    }

    /// The pass of that argument.
    pub fn get(&self, name: &str) -> Option<&Arc<RegisteredPass>> {
        self.passes.get(name)
    }

    /// The pipeline of that name.
    pub fn pipeline(&self, name: &str) -> Option<&PipelineDef> {
        self.pipelines.get(name)
    }

    /// All passes in order of registration.
    pub fn passes(&self) -> impl Iterator<Item = &Arc<RegisteredPass>> {
        self.passes.values()
    }

    /// The names of all passes and pipelines, for messages.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.passes.keys().chain(self.pipelines.keys()).map(String::as_str)
    }
}

fn fits(scope: Scope, run: &PassRun) -> bool {
    match run {
        PassRun::Local(_) => scope == Scope::Local,
        PassRun::Outline(_) => scope == Scope::Outline,
        PassRun::Header(_) => scope == Scope::Header,
        PassRun::Module(_) | PassRun::ModuleUnless(..) => {
            matches!(scope, Scope::Merge | Scope::Module)
        }
        PassRun::Solved(_) | PassRun::BySubject(_) => scope == Scope::Solved,
        PassRun::BottomUp(_) => scope == Scope::BottomUp,
    }
}
