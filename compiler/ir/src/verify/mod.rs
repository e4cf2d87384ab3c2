//! The verifier: what every pass receives and leaves.
//!
//! The first error of each op is reported, at its location. An op's own checks run in layers:
//! counts, then constraints and rules, then its hook, and a layer runs only when those before it
//! hold, so that hooks may rely on the definition.

mod constraint;
mod dominance;
pub(crate) mod op;
pub(crate) mod promises;
mod symbols;
mod uses;

pub use constraint::{check_constraint, check_pred, signedness};
pub use dominance::Dominance;
pub use symbols::{resolve_symbol, symbol_table_of};
pub use uses::{Symbols, takes};

use rustc_hash::FxHashMap;
use tegula_diag::Diagnostic;

use crate::text::{SourceMap, print_type};
use crate::{Attr, BlockId, Body, Module, OpId, Registry, Threads, ValueKind, successor_operands};

/// Something that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifyError {
    /// The op.
    pub op: OpId,
    /// Its location.
    pub loc: Attr,
    /// What is wrong.
    pub message: String,
    /// Further places with what they have to do with it.
    pub notes: Vec<(Attr, String)>,
}

impl VerifyError {
    /// A diagnostic, placed by a source map. Without a place the location is said in a note.
    pub fn to_diagnostic(&self, map: &SourceMap) -> Diagnostic {
        let mut diagnostic =
            Diagnostic::error("verify", self.message.clone()).at_opt(map.locate(self.loc));
        if diagnostic.primary.is_none() {
            diagnostic.notes.push(format!("at {}", self.loc));
        }
        for (loc, note) in &self.notes {
            match map.locate(*loc) {
                Some(span) => diagnostic.labels.push((span, note.clone())),
                None => diagnostic.notes.push(note.clone()),
            }
        }
        diagnostic
    }
}

/// Verifies a module: each body, that symbols are defined once, and that what ops refer to is there and fits.
pub fn verify_module(registry: &Registry, module: &Module, map: &SourceMap) -> Vec<Diagnostic> {
    verify_module_on(Threads::One, registry, module, map)
}

/// Verifies a module on several threads.
pub fn verify_module_on(
    threads: Threads,
    registry: &Registry,
    module: &Module,
    map: &SourceMap,
) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    let mut seen: FxHashMap<&str, Attr> = FxHashMap::default();
    let symbols = Symbols::new(registry, module.bodies.iter());
    let attrs = module.attrs.as_dict().unwrap_or(&[]).iter();
    for (name, _) in attrs.filter(|(name, _)| !is_module_attr(name.as_str())) {
        let message = format!(
            "'builtin.module' op can only contain attributes with dialect-prefixed names, found: \
             '{name}'"
        );
        diagnostics.push(Diagnostic::error("verify", message).at_opt(map.module()));
    }
    let verify = |_: &mut (), at: usize| {
        let body = &module.bodies[at];
        let mut errors = verify_body(registry, body);
        errors.extend(symbols.verify(body));
        errors
    };
    let errors = threads.in_order(module.bodies.len(), || (), verify);
    for (body, errors) in module.bodies.iter().zip(errors) {
        for op in body.block_ops(body.top_block()) {
            let Some(name) = body.symbol_name(op) else { continue };
            let is_symbol = registry.op(body.name(op)).is_none_or(|info| info.symbol);
            if let Some(first) = is_symbol.then(|| seen.insert(name, body.loc(op))).flatten() {
                let error = VerifyError {
                    op,
                    loc: body.loc(op),
                    message: format!("redefinition of symbol named '{name}'"),
                    notes: vec![(first, "see existing symbol definition here".to_owned())],
                };
                diagnostics.push(error.to_diagnostic(map));
            }
        }
        diagnostics.extend(errors.iter().map(|e| e.to_diagnostic(map)));
    }
    diagnostics
}

/// Whether a module may have an attribute of that name.
fn is_module_attr(name: &str) -> bool {
    name.contains('.') || name == "sym_name" || name == "sym_visibility"
}

/// Verifies what the ops of some bodies call and refer to, given all bodies of the module.
pub fn verify_calls<'a>(
    registry: &'a Registry,
    all: impl Iterator<Item = &'a Body>,
    some: impl Iterator<Item = &'a Body>,
    map: &SourceMap,
) -> Vec<Diagnostic> {
    let symbols = Symbols::new(registry, all);
    let errors = some.flat_map(|body| symbols.verify(body));
    errors.map(|error| error.to_diagnostic(map)).collect()
}

/// Whether an op of a body calls or refers to something by name.
pub fn refers(registry: &Registry, body: &Body) -> bool {
    body.walk_all().any(|op| registry.op(body.name(op)).is_some_and(|info| info.refers))
}

/// Verifies one body.
pub fn verify_body(registry: &Registry, body: &Body) -> Vec<VerifyError> {
    let ops = body.walk_all().collect();
    let mut verifier = Verifier { registry, body, ops, errors: Vec::new() };
    verifier.run();
    verifier.errors
}

struct Verifier<'a> {
    registry: &'a Registry,
    body: &'a Body,
    /// All ops in layout order.
    ops: Vec<OpId>,
    errors: Vec<VerifyError>,
}

impl Verifier<'_> {
    fn run(&mut self) {
        let body = self.body;
        for at in 0..self.ops.len() {
            let op = self.ops[at];
            self.op(op);
            for &region in body.regions(op) {
                for block in body.blocks(region) {
                    self.block(op, block);
                }
            }
        }
        // Values are judged only in a body whose blocks end as they should.
        self.dominance();
    }

    fn error(&mut self, op: OpId, message: impl Into<String>) {
        let (name, message) = (self.body.name(op), message.into());
        self.raw_error(op, format!("'{name}' op {message}"));
    }

    fn raw_error(&mut self, op: OpId, message: String) {
        let loc = self.body.loc(op);
        self.errors.push(VerifyError { op, loc, message, notes: Vec::new() });
    }

    fn block(&mut self, parent: OpId, block: BlockId) {
        let (registry, body) = (self.registry, self.body);
        let parent_info = registry.op(body.name(parent));
        let needs_terminator = parent_info.is_some_and(|info| info.needs_terminators);
        let Some(last) = body.last_op(block) else {
            if needs_terminator {
                self.error(parent, "has an empty block: expected a terminator");
            }
            return;
        };
        if needs_terminator && registry.op(body.name(last)).is_some_and(|info| !info.terminator) {
            self.error(last, "is not a terminator, but ends its block");
        }
        for op in body.block_ops(block) {
            if op == last {
                break;
            }
            if registry.op(body.name(op)).is_some_and(|info| info.terminator) {
                self.error(op, "must be the last operation in the parent block");
            }
            if !body.successors(op).is_empty() {
                self.error(op, "has successors, but is not the last operation of its block");
            }
        }
        for &successor in body.successors(last) {
            let region = body.block_parent(successor);
            if region != body.block_parent(block) {
                self.error(last, "branches to a block of another region");
            } else if region.and_then(|region| body.first_block(region)) == Some(successor) {
                self.error(last, "branches to the entry block of its region");
            }
        }
        if !body.successors(last).is_empty() {
            self.passed(last);
        }
    }

    /// A branch passes to each block what the block takes.
    fn passed(&mut self, branch: OpId) {
        let (registry, body) = (self.registry, self.body);
        let Some(ranges) = successor_operands(registry, body, branch) else { return };
        for (index, (range, &to)) in ranges.into_iter().zip(body.successors(branch)).enumerate() {
            let args = body.block_args(to);
            if range.len() != args.len() {
                let (passed, taken) = (range.len(), args.len());
                self.error(
                    branch,
                    format!("passes {passed} values to successor #{index}, which takes {taken}"),
                );
                return;
            }
            for (number, (at, &arg)) in range.zip(args).enumerate() {
                let (given, wanted) = (body.ty(body.operand(branch, at)), body.ty(arg));
                if given != wanted {
                    let [given, wanted] = [given, wanted].map(|ty| print_type(registry, ty));
                    let message = format!(
                        "passes '{given}' as argument #{number} of successor #{index}, which \
                         takes '{wanted}'"
                    );
                    return self.error(branch, message);
                }
            }
        }
    }

    fn dominance(&mut self) {
        let (registry, body) = (self.registry, self.body);
        let ops = std::mem::take(&mut self.ops);
        let dominance = Dominance::in_order(body, ops.iter().copied());
        // What has no op around it stands in the module, whose region is a graph; nothing is known
        // of the regions of ops that no dialect defines.
        let is_graph = |block: BlockId| {
            let parent = body.block_parent_op(block);
            let info = parent.and_then(|parent| registry.op(body.name(parent)));
            info.is_none_or(|info| info.graph)
        };
        for &op in &ops {
            if body.parent_block(op).is_some_and(|block| !dominance.is_reachable(block)) {
                continue;
            }
            for (index, value) in body.operands(op).enumerate() {
                if dominance.value_dominates(value, op) {
                    continue;
                }
                let defined = match body.definition(value) {
                    NOWHERE => {
                        self.error(op, format!("operand #{index} is defined nowhere"));
                        continue;
                    }
                    ValueKind::Result(def, _) => def,
                    ValueKind::Arg(block, _) => match body.block_parent_op(block) {
                        Some(parent) => parent,
                        None => continue,
                    },
                };
                let in_graph = body
                    .defining_block(value)
                    .is_some_and(|block| is_graph(block) && dominance.holds(block, op));
                if in_graph {
                    continue;
                }
                let message = format!("operand #{index} does not dominate this use");
                let name = body.name(op);
                let loc = body.loc(op);
                let notes = vec![(body.loc(defined), "operand defined here".to_owned())];
                let message = format!("'{name}' op {message}");
                self.errors.push(VerifyError { op, loc, message, notes });
            }
        }
        self.isolation(&ops);
    }

    /// Reports values that are used in an isolated region and come from outside of it. What is
    /// not visible at all was reported already.
    fn isolation(&mut self, ops: &[OpId]) {
        let (registry, body) = (self.registry, self.body);
        let isolated = |op: OpId| registry.op(body.name(op)).is_some_and(|info| info.isolated);
        // Nothing comes from outside of the only op at the top.
        let lone = |root: OpId| body.next_op(root).is_none();
        if !ops.iter().any(|&op| isolated(op) && !(body.root() == Some(op) && lone(op))) {
            return;
        }
        // The isolated op around each op; the walk comes to outer ops first.
        let mut around: Vec<Option<OpId>> = vec![None; body.bounds().0];
        for &op in ops {
            if let Some(parent) = body.parent_op(op) {
                around[op.index()] =
                    if isolated(parent) { Some(parent) } else { around[parent.index()] };
            }
        }
        let mut errors = Vec::new();
        for &op in ops {
            let Some(limit) = around[op.index()] else { continue };
            let leaks = body.operands(op).any(|value| {
                let owner = match body.definition(value) {
                    NOWHERE => return false,
                    ValueKind::Result(def, _) => around[def.index()],
                    ValueKind::Arg(block, _) => body.block_parent_op(block).and_then(|parent| {
                        if isolated(parent) { Some(parent) } else { around[parent.index()] }
                    }),
                };
                owner != Some(limit)
            });
            if leaks && self.errors.iter().all(|error| error.op != op) {
                errors.push(VerifyError {
                    op,
                    loc: body.loc(op),
                    message: format!(
                        "'{}' op using value defined outside the region",
                        body.name(op)
                    ),
                    notes: vec![(
                        body.loc(limit),
                        "required by region isolation constraints".to_owned(),
                    )],
                });
            }
        }
        self.errors.append(&mut errors);
    }
}

/// Where a value comes from that was never defined.
const NOWHERE: ValueKind = ValueKind::Result(OpId::NONE, 0);
