//! Who else sees a resource: what writes to it, whether who passed it on still has it, and whether
//! its memory is somebody else's.
//!
//! Facts go along the ways that values take, through branches, regions and functions.

use indexmap::IndexMap;
use rustc_hash::FxHashMap;
use tegula_analysis::Flow;
use tegula_dialect_util::expand::private_function;
use tegula_ir::{Attr, Body, Ident, OpId, RegionId, Registry, ValueId};
use tegula_rewrite::tied_operand;

use super::support::{is_resource, lifetime};
use super::usage::Point;

type Bits = u8;
/// It is written to in place, here or where it goes.
const MUTATED: Bits = 1;
/// It goes where nothing is known of it.
const UNSEEN: Bits = 1 << 1;
/// Its memory comes from outside and is not ours.
const BORROWED: Bits = 1 << 2;
/// Who passed it here uses it afterwards.
const KEPT: Bits = 1 << 3;
const BACKWARD: Bits = MUTATED | UNSEEN;

/// The facts of one body, and how they spread.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Moves {
    bits: Vec<Bits>,
    /// What the first has of these bits the second has.
    edges: Vec<(usize, usize, Bits)>,
    points: Vec<(Point, usize)>,
    function: Option<Ident>,
}

/// What is known of all that goes between functions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Crossings {
    points: FxHashMap<Point, Bits>,
    functions: Vec<Ident>,
}

impl Crossings {
    /// Decides for bodies together.
    pub(super) fn of(all: &[&Moves]) -> Crossings {
        let functions = all.iter().filter_map(|moves| moves.function).collect();
        let mut known = Crossings { points: FxHashMap::default(), functions };
        let mut bodies: Vec<Moves> = all.iter().map(|&moves| moves.clone()).collect();
        loop {
            let before = known.points.clone();
            for moves in &mut bodies {
                moves.learn(&known);
                for &(point, at) in &moves.points {
                    *known.points.entry(point).or_default() |= moves.bits[at];
                }
            }
            if known.points == before {
                return known;
            }
        }
    }
}

impl Moves {
    /// Whether resources go between functions here.
    pub(super) fn crosses(&self) -> bool {
        !self.points.is_empty()
    }

    fn node(&mut self) -> usize {
        self.bits.push(0);
        self.bits.len() - 1
    }

    /// Takes over what is known of what goes between functions.
    pub(super) fn learn(&mut self, known: &Crossings) {
        for &(point, at) in &self.points {
            let bits = known.points.get(&point).copied().unwrap_or(0);
            let inside = known.functions.contains(&point.function());
            self.bits[at] |= if inside { bits } else { bits | UNSEEN | BORROWED };
        }
        loop {
            let mut changed = false;
            for &(from, to, mask) in &self.edges {
                let new = self.bits[to] | (self.bits[from] & mask);
                changed |= new != self.bits[to];
                self.bits[to] = new;
            }
            if !changed {
                return;
            }
        }
    }
}

/// The facts of one body by value.
pub(super) struct Facts {
    pub(super) moves: Moves,
    places: IndexMap<ValueId, usize>,
}

impl Facts {
    /// What one body says.
    pub(super) fn of(registry: &Registry, body: &Body, root: OpId) -> Facts {
        let function = private_function(body, root);
        let moves = Moves { function, ..Moves::default() };
        let mut facts = Facts { moves, places: IndexMap::new() };
        for op in body.walk(root) {
            let blocks = body.regions(op).iter().flat_map(|&region| body.blocks(region));
            let args = blocks.flat_map(|block| body.block_args(block).iter().copied());
            for value in body.results(op).chain(args.collect::<Vec<_>>()) {
                if is_resource(body, value) {
                    let node = facts.moves.node();
                    facts.places.insert(value, node);
                }
            }
        }
        let flow = Flow::of(registry, body, root);
        for (value, at) in facts.places.clone() {
            facts.value(registry, body, root, &flow, value, at);
        }
        for op in body.walk(root) {
            facts.crossing(body, op);
        }
        facts
    }

    fn has(&self, value: ValueId, bits: Bits) -> bool {
        self.places.get(&value).is_none_or(|&at| self.moves.bits[at] & bits != 0)
    }

    /// Whether a value may be written to in place; of constants that is seen wherever it is.
    pub(super) fn is_mutated(&self, body: &Body, value: ValueId) -> bool {
        let is_constant = lifetime(body.ty(value)) == Some("constant");
        self.has(value, if is_constant { MUTATED } else { BACKWARD })
    }

    /// Whether a value's memory is not ours.
    pub(super) fn is_borrowed(&self, value: ValueId) -> bool {
        self.has(value, BORROWED)
    }

    /// Whether who passed an argument may use it afterwards.
    pub(super) fn is_kept(&self, argument: ValueId) -> bool {
        self.has(argument, KEPT)
    }

    fn value(
        &mut self,
        registry: &Registry,
        body: &Body,
        root: OpId,
        flow: &Flow,
        value: ValueId,
        at: usize,
    ) {
        let moves = &mut self.moves;
        if let Some((op, operand)) = tied_operand(registry, body, value)
            && let Some(&source) = self.places.get(&body.operand(op, operand))
        {
            moves.bits[source] |= MUTATED;
            moves.edges.push((source, at, BORROWED));
        }
        for target in flow.targets(value).iter().filter_map(|target| self.places.get(target)) {
            moves.edges.push((*target, at, BACKWARD));
            moves.edges.push((at, *target, BORROWED));
        }
        match body.defining_op(value) {
            Some(op) if body.is(op, "stream.tensor.import") => {
                if body.attr(op, "consume").is_none() {
                    moves.bits[at] |= BORROWED;
                }
            }
            Some(op) if body.is(op, "stream.async.transfer") => {
                let source = body.operand(op, 0);
                if let Some(&from) = self.places.get(&source)
                    && body.ty(source) == body.ty(value)
                {
                    moves.edges.push((from, at, BORROWED));
                }
            }
            Some(_) => {}
            None => self.argument(body, root, flow, value, at),
        }
    }

    fn argument(&mut self, body: &Body, root: OpId, flow: &Flow, value: ValueId, at: usize) {
        let entry = body.region_entry(root, 0);
        let of_function = entry.filter(|&entry| body.defining_block(value) == Some(entry));
        if let Some(entry) = of_function {
            let place = body.block_args(entry).iter().position(|&arg| arg == value);
            match self.moves.function.zip(place) {
                Some((name, place)) => {
                    let node = self.point(Point::Argument(name, place));
                    self.moves.edges.push((node, at, BORROWED | KEPT));
                    self.moves.edges.push((at, node, BACKWARD));
                }
                None => self.moves.bits[at] |= BORROWED | KEPT,
            }
            return;
        }
        if flow.sources(value).is_empty() {
            self.moves.bits[at] |= BORROWED | KEPT;
        }
        for &(source, by) in flow.sources(value) {
            self.passed(body, source, by, at);
        }
    }

    /// An op passes a value to a place: what passes an argument on has it as long as who passed that.
    fn passed(&mut self, body: &Body, source: ValueId, by: OpId, at: usize) {
        let made_by = body.defining_op(source);
        if let (None, Some(&from)) = (made_by, self.places.get(&source)) {
            self.moves.edges.push((from, at, KEPT));
        }
        let consumed = made_by.is_some_and(|op| {
            body.is(op, "stream.tensor.import") && body.attr(op, "consume").is_some()
        });
        if !consumed && !is_last_user(body, source, by) {
            self.moves.bits[at] |= KEPT;
        }
    }

    fn point(&mut self, point: Point) -> usize {
        let node = self.moves.node();
        self.moves.points.push((point, node));
        node
    }

    /// What goes to other functions and comes from them.
    fn crossing(&mut self, body: &Body, op: OpId) {
        if body.is(op, "util.return") {
            for (place, value) in body.operands(op).enumerate() {
                let Some(&at) = self.places.get(&value) else { continue };
                match self.moves.function {
                    Some(name) => {
                        let node = self.point(Point::Result(name, place));
                        self.moves.edges.push((node, at, BACKWARD));
                        self.moves.edges.push((at, node, BORROWED));
                    }
                    None => self.moves.bits[at] |= UNSEEN,
                }
            }
        }
        let callee = body.attr(op, "callee").and_then(Attr::as_symbol_root);
        let Some(callee) = callee.filter(|_| body.is(op, "util.call")) else { return };
        for (place, value) in body.operands(op).enumerate() {
            let Some(&at) = self.places.get(&value) else { continue };
            let node = self.point(Point::Argument(callee, place));
            self.moves.edges.push((node, at, BACKWARD));
            self.moves.edges.push((at, node, BORROWED));
            self.passed(body, value, op, node);
        }
        for (place, value) in body.results(op).enumerate() {
            let Some(&at) = self.places.get(&value) else { continue };
            let node = self.point(Point::Result(callee, place));
            self.moves.edges.push((at, node, BACKWARD));
            self.moves.edges.push((node, at, BORROWED));
        }
    }
}

/// Whether nothing can use a value after an op that uses it.
pub(super) fn is_last_user(body: &Body, value: ValueId, candidate: OpId) -> bool {
    let region = body.defining_block(value).and_then(|block| body.block_parent(block));
    let Some(region) = region else { return false };
    let Some(here) = in_region(body, candidate, region) else { return false };
    body.users(value).filter(|&user| user != candidate).all(|user| {
        let Some(there) = in_region(body, user, region) else { return true };
        if here == there {
            return are_exclusive(body, candidate, user, here);
        }
        body.parent_block(here) == body.parent_block(there) && body.is_before_in_block(there, here)
    })
}

/// The op of a region that is an op or holds it.
fn in_region(body: &Body, op: OpId, region: RegionId) -> Option<OpId> {
    let mut at = op;
    while body.parent_block(at).and_then(|block| body.block_parent(block)) != Some(region) {
        at = body.parent_op(at)?;
    }
    Some(at)
}

/// Whether of two ops in an op only one is run: they are in regions that don't follow each other.
fn are_exclusive(body: &Body, a: OpId, b: OpId, around: OpId) -> bool {
    let region_of = |op: OpId| {
        let regions = body.regions(around).iter();
        regions.copied().find(|&region| in_region(body, op, region).is_some())
    };
    let chooses = matches!(body.name(around).as_str(), "scf.if" | "scf.index_switch");
    chooses && region_of(a).zip(region_of(b)).is_some_and(|(a, b)| a != b)
}
