//! The greedy driver: patterns, folds and dead code, until nothing changes.
//!
//! The order is MLIR's. Every iteration puts all ops of the region on a stack, the first in layout
//! order on top, gathering constants at the entry of their region on the way; popped ops are
//! erased when dead, else folded, else given to patterns, best first; edits push what they touch.
//! The order of uses, which decides the order in which users are pushed, is made that of the layout
//! first ([`order_uses`]), so that a body behaves the same whatever its history.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use tegula_analysis::is_trivially_dead;
use tegula_ir::{Attr, Body, InsertPoint, OpId, OpName, RegionId, Registry, Type};
use tegula_schema::Source;

use crate::apply::{Editing, Outcome, try_pattern};
use crate::fold::{fold_to_values, sort_commutative};
use crate::link::Pattern;
use crate::lists::room_for_operands;
use crate::machine::Registers;
use crate::worklist::Worklist;
use crate::{PatternIndex, Patterns, Rewriter, constant_of, regions};

/// How the greedy driver runs.
#[derive(Clone, Copy)]
pub struct GreedyConfig<'a> {
    /// Iterations over the whole region before giving up.
    pub max_iterations: usize,
    /// Applications of patterns before giving up.
    pub max_rewrites: usize,
    /// The first op in layout order first; otherwise inner before outer, last first.
    pub top_down: bool,
    /// Fold ops and erase dead ones.
    pub fold: bool,
    /// Gather equal constants at the entry of the region that they belong to.
    pub gather_constants: bool,
    /// Erase unreachable blocks and unused block arguments.
    pub simplify_regions: bool,
    /// Called once in a while; may unwind.
    pub poll: Option<&'a dyn Fn()>,
}

impl Default for GreedyConfig<'_> {
    fn default() -> Self {
        GreedyConfig {
            max_iterations: 10,
            max_rewrites: usize::MAX,
            top_down: true,
            fold: true,
            gather_constants: true,
            simplify_regions: true,
            poll: None,
        }
    }
}

/// One application of a pattern, folds included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Application {
    /// The pattern.
    pub pattern: Arc<Pattern>,
    /// The name of the op at the root.
    pub op: OpName,
    /// The location of that op.
    pub loc: Attr,
    /// The ops that it made or changed; some may be gone again. None of a fold of the greedy
    /// driver that gives constants, so that ops made later may take the places of those that go.
    pub touched: Box<[OpId]>,
}

impl Application {
    pub(crate) fn new(
        pattern: &Arc<Pattern>,
        (op, loc): (OpName, Attr),
        touched: Vec<OpId>,
    ) -> Self {
        Application { pattern: pattern.clone(), op, loc, touched: touched.into() }
    }

    /// The last of some applications that made or changed an op.
    pub fn last_on(all: &[Application], op: OpId) -> Option<&Application> {
        all.iter().rev().find(|application| application.touched.contains(&op))
    }
}

impl fmt::Display for Application {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, source) = (self.pattern.name(), self.pattern.source());
        write!(f, "`{name}` ({}:{})", source.file, source.line)
    }
}

/// What came of a greedy run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GreedyResult {
    /// Something was edited.
    pub changed: bool,
    /// Nothing is left to do; otherwise an iteration limit stopped the driver.
    pub converged: bool,
    /// The patterns that were applied, in order.
    pub applied: Vec<Application>,
    /// Where nothing was settled: which of `applied` belong to the last rounds.
    pub unsettled: Range<usize>,
}

/// A pattern's program was wrong: it failed after its match had committed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrokenPattern {
    /// The pattern, as in "the pattern `P`", or the cast of a type converter.
    pub what: String,
    /// Where it is defined.
    pub source: Source,
    /// The name of the op that it was tried on; none of a cast.
    pub op: Option<OpName>,
    /// The location of that op.
    pub loc: Attr,
    /// What failed.
    pub message: String,
}

impl BrokenPattern {
    pub(crate) fn new(pattern: &Pattern, (op, loc): (OpName, Attr), message: String) -> Self {
        let what = format!("the pattern `{}`", pattern.name());
        BrokenPattern { what, source: pattern.source().clone(), op: Some(op), loc, message }
    }
}

/// Rewrites all that is in the regions of `root`, which stays as it is.
pub fn greedy(
    registry: &Registry,
    patterns: &Patterns,
    index: &PatternIndex,
    body: &mut Body,
    root: OpId,
    config: GreedyConfig<'_>,
) -> Result<GreedyResult, BrokenPattern> {
    order_uses(body, root);
    let mut result = GreedyResult { converged: true, ..GreedyResult::default() };
    let regions: Vec<RegionId> = body.regions(root).to_vec();
    let mut rewrites = 0;
    for region in regions {
        let mut driver = Driver {
            registry,
            patterns,
            index,
            config,
            root,
            worklist: Worklist::new(body, region),
            registers: Registers::default(),
            applied: &mut result.applied,
            rewrites: &mut rewrites,
        };
        let (changed, unsettled) = driver.run(body, region)?;
        result.changed |= changed;
        if let (Some(from), true) = (unsettled, result.converged) {
            result.converged = false;
            result.unsettled = from..result.applied.len();
        }
    }
    Ok(result)
}

/// Makes the order of uses that of the layout: of all values, the use that comes last in the
/// layout is the newest.
pub fn order_uses(body: &mut Body, root: OpId) {
    body.order_uses_below(root);
}

struct Driver<'a> {
    registry: &'a Registry,
    patterns: &'a Patterns,
    index: &'a PatternIndex,
    config: GreedyConfig<'a>,
    root: OpId,
    worklist: Worklist,
    registers: Registers,
    applied: &'a mut Vec<Application>,
    /// How many of them are no folds.
    rewrites: &'a mut usize,
}

impl Driver<'_> {
    /// Gives whether anything changed and, when there is no end of it, the number of the
    /// application with which the last rounds begin.
    fn run(
        &mut self,
        body: &mut Body,
        region: RegionId,
    ) -> Result<(bool, Option<usize>), BrokenPattern> {
        let mut changed = false;
        let room = room_for_operands(body);
        // The applications with which iterations begin.
        let mut begins = Vec::new();
        for _ in 0..self.config.max_iterations {
            let begin = self.applied.len();
            begins.push(begin);
            self.worklist.clear();
            let before = self.worklist.edits;
            let count = self.collect(body, region);
            // A pair of patterns that undo each other never empties the worklist.
            let limit = count.saturating_mul(64).saturating_add(4096);
            let (mut again, drained) = self.drain(body, limit, room)?;
            if self.config.simplify_regions {
                let mut rw = Rewriter::with_listener(body, self.registry, &mut self.worklist);
                again |= regions::simplify(&mut rw, region);
            }
            changed |= again || self.worklist.edits != before;
            if !drained {
                return Ok((changed, Some(begin.midpoint(self.applied.len()))));
            }
            if !again {
                return Ok((changed, None));
            }
        }
        let middle = begins.get(begins.len() / 2);
        Ok((changed, Some(middle.copied().unwrap_or(self.applied.len()))))
    }

    /// Pushes all ops of the region, those to be looked at first on top, and gathers constants on
    /// the way, which are pushed only where patterns have them as roots. What gathering touches is
    /// pushed when it is touched. Gives the number of ops.
    fn collect(&mut self, body: &mut Body, region: RegionId) -> usize {
        let mut all: Vec<OpId> = Vec::new();
        for block in body.blocks(region) {
            if self.config.top_down {
                let ops = body.block_ops(block).flat_map(|op| body.walk(op));
                ops.for_each(|op| all.push(op));
            } else {
                all.extend(body.post_order_of(block));
            }
        }
        self.worklist.reserve(all.len());
        let mut constants = Constants::default();
        for &op in &all {
            if body.is_erased(op) {
                continue;
            }
            let gathered = self.config.gather_constants && constants.gather(self, body, op);
            if !gathered || !body.is_erased(op) && !self.index.of(body.name(op)).is_empty() {
                self.worklist.push_one(op);
            }
        }
        if self.config.top_down {
            self.worklist.reverse();
        }
        all.len()
    }

    fn drain(
        &mut self,
        body: &mut Body,
        limit: usize,
        room: usize,
    ) -> Result<(bool, bool), BrokenPattern> {
        let mut changed = false;
        let mut steps = 0usize;
        while let Some(op) = self.worklist.pop() {
            if steps.is_multiple_of(256)
                && let Some(poll) = self.config.poll
            {
                poll();
            }
            steps += 1;
            let is_full = *self.rewrites >= self.config.max_rewrites || body.operand_bound() > room;
            if steps > limit || is_full {
                return Ok((changed, false));
            }
            changed |= self.visit(body, op)?;
            self.worklist.forget_erased(body);
        }
        Ok((changed, true))
    }

    fn visit(&mut self, body: &mut Body, op: OpId) -> Result<bool, BrokenPattern> {
        self.worklist.touched.clear();
        let mut rw = Rewriter::with_listener(body, self.registry, &mut self.worklist);
        let name = rw.body.name(op);
        let loc = rw.body.loc(op);
        if self.config.fold {
            if is_trivially_dead(self.registry, rw.body, op) {
                rw.erase(op);
                return Ok(true);
            }
            if let Some(info) = self.registry.op(name).filter(|info| !info.constant_like) {
                if let Some((values, fold)) =
                    fold_to_values(&mut rw, self.patterns, op, &mut self.registers)
                {
                    rw.replace(op, &values);
                    if let Some(fold) = fold {
                        let constant = |&v| constant_of(self.registry, body, v).is_some();
                        let touched = match values.iter().any(constant) {
                            true => Vec::new(),
                            false => self.worklist.take_touched(body),
                        };
                        self.applied.push(Application::new(fold, (name, loc), touched));
                    }
                    return Ok(true);
                }
                if info.commutative && sort_commutative(&mut rw, op) {
                    return Ok(true);
                }
            }
        }
        for pattern in self.index.of(name) {
            let mut with = Editing::new(self.patterns, &mut self.registers, Some(self.root));
            match try_pattern(&mut rw, pattern, op, &mut with) {
                Ok(Outcome::NoMatch | Outcome::Folded(_)) => {}
                Ok(Outcome::Rewritten) => {
                    let folds = with.folds;
                    let touched = self.worklist.take_touched(body);
                    self.applied.push(Application::new(pattern, (name, loc), touched));
                    self.applied.extend(folds);
                    *self.rewrites += 1;
                    return Ok(true);
                }
                Err(message) => return Err(BrokenPattern::new(pattern, (name, loc), message)),
            }
        }
        Ok(false)
    }
}

/// The constants that an iteration has gathered, by the region whose entry they stand in.
#[derive(Default)]
struct Constants {
    known: FxHashMap<(RegionId, &'static str, Attr, Type), OpId>,
    gathered: rustc_hash::FxHashSet<OpId>,
}

impl Constants {
    /// Gathers the op when it is a constant: replaces it by an equal one, or sees to it that it
    /// stands in the entry block, at its start or behind gathered ones. True when there is nothing
    /// more to do for the op.
    fn gather(&mut self, driver: &mut Driver<'_>, body: &mut Body, op: OpId) -> bool {
        let registry = driver.registry;
        if body.num_results(op) != 1 {
            return false;
        }
        let value = body.result(op, 0);
        let Some(attr) = constant_of(registry, body, value) else { return false };
        let Some(region) = home(registry, driver.patterns, body, op) else { return false };
        let name = body.name(op);
        // Ops without a value to tell are the same only when they are the same op.
        let maker = if attr == Attr::unit() { name.as_str() } else { name.dialect() };
        let key = (region, maker, attr, body.ty(value));
        let mut rw = Rewriter::with_listener(body, registry, &mut driver.worklist);
        if let Some(&known) = self.known.get(&key) {
            let known = rw.body.result(known, 0);
            rw.replace(op, &[known]);
            return true;
        }
        let Some(entry) = rw.body.first_block(region) else { return false };
        let in_place = rw.body.parent_block(op) == Some(entry)
            && rw.body.prev_op(op).is_none_or(|prev| self.gathered.contains(&prev));
        if !in_place {
            rw.move_op(op, InsertPoint::Start(entry));
        }
        self.known.insert(key, op);
        self.gathered.insert(op);
        true
    }
}

/// The region whose entry holds the constants of the place where an op stands: the nearest that
/// sees nothing from outside, or that asks for them ([`crate::RewriteHooks::constant_region`]).
fn home(registry: &Registry, patterns: &Patterns, body: &Body, op: OpId) -> Option<RegionId> {
    let mut at = op;
    loop {
        let region = body.block_parent(body.parent_block(at)?)?;
        let Some(parent) = body.region_parent(region) else { return Some(region) };
        let name = body.name(parent);
        let stops = registry.op(name).is_none_or(|info| info.isolated)
            || patterns.hooks().constant_regions.contains(name.as_str())
            || body.parent_op(parent).is_none();
        if stops {
            return Some(region);
        }
        at = parent;
    }
}
