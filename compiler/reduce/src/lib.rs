//! Shrinking a module while something holds of it.
//!
//! Purpose: from a module of which something holds (a command fails on it) to a small one of which
//! it holds as well. Everything is done by what definitions say of ops, so that it works for
//! dialects that are known from `.td` only. Non-goals: what is asked of a module, and how; text.
//!
//! Each kind of step makes modules smaller by a measure of its own that no other kind makes
//! larger without end: bodies, ops that are no constants, blocks, arguments, operands, attributes,
//! how far back an operand reaches. So rounds of all steps come to an end.

#![warn(missing_docs)]

mod attrs;
mod blocks;
mod operands;
mod ops;
mod regions;
mod search;
mod signature;
mod substitute;
mod symbols;

use tegula_ir::text::SourceMap;
use tegula_ir::verify::verify_module;
use tegula_ir::{Module, OpId, Registry};

/// Who decides whether a module is still of interest.
pub trait Judge {
    /// Whether what is looked for holds of the module, too. A module is asked about only when it
    /// verifies, unless the first one did not.
    fn holds(&mut self, module: &Module) -> bool;

    /// A kind of step has been tried throughout.
    fn tried(&mut self, step: &str, module: &Module) {
        let _ = (step, module);
    }
}

/// Shrinks a module of which it holds.
pub fn reduce(registry: &Registry, module: Module, judge: &mut dyn Judge) -> Module {
    let valid = verify_module(registry, &module, &SourceMap::new()).is_empty();
    let mut state = State { registry, module, valid, judge };
    while round(&mut state) {}
    state.module
}

/// The steps in the order in which they are tried: what takes most away comes first.
const STEPS: [(&str, Step); 12] = [
    ("symbols", symbols::erase),
    ("function bodies", symbols::declare),
    ("ops", ops::erase),
    ("regions", regions::unwrap),
    ("branches", blocks::end_early),
    ("blocks", blocks::merge),
    ("block arguments", blocks::arguments),
    ("loop values", regions::results),
    ("function results", signature::results),
    ("function arguments", signature::arguments),
    ("operands", operands::shorten),
    ("attributes", attrs::remove),
];

/// Tries one kind of step throughout; says whether something became smaller.
type Step = fn(&mut State<'_>) -> bool;

fn round(state: &mut State<'_>) -> bool {
    let mut changed = false;
    for (name, step) in STEPS {
        changed |= step(state);
        state.judge.tried(name, &state.module);
    }
    changed
}

/// The smallest module so far.
struct State<'a> {
    registry: &'a Registry,
    module: Module,
    valid: bool,
    judge: &'a mut dyn Judge,
}

impl State<'_> {
    /// Tries an edit, which says whether it did anything; keeps the result when it still holds.
    fn attempt(&mut self, edit: impl FnOnce(&Registry, &mut Module) -> bool) -> bool {
        let mut candidate = self.module.clone();
        if !edit(self.registry, &mut candidate) {
            return false;
        }
        if self.valid && !verify_module(self.registry, &candidate, &SourceMap::new()).is_empty() {
            return false;
        }
        let holds = self.judge.holds(&candidate);
        if holds {
            self.module = candidate;
        }
        holds
    }

    /// All ops of which something is true, each with the position of its body. Ids stay what they
    /// are through edits; what is named may have been erased by then.
    fn ops(&self, wanted: impl Fn(&tegula_ir::Body, OpId) -> bool) -> Vec<(usize, OpId)> {
        let bodies = self.module.bodies.iter().enumerate();
        bodies
            .flat_map(|(at, body)| {
                body.walk_all().filter(|&op| wanted(body, op)).map(move |op| (at, op))
            })
            .collect()
    }
}
