//! How resources are used: what ops do to them, as their definitions say, and where they go.
//!
//! Usage spreads between values that share storage or become each other, in both directions; what a
//! lifetime rules out never comes to a value of it. Transfers spread it only as far as source and
//! result can live alike.

use indexmap::IndexMap;
use rustc_hash::FxHashMap;
use tegula_analysis::Flow;
use tegula_dialect_util::expand::private_function;
use tegula_ir::{Attr, Body, Ident, OpId, Registry, ValueId};
use tegula_rewrite::tied_operand;

use super::support::{is_resource, lifetime};

/// What is done to a resource; several bits of [`NAMES`].
pub(super) type Bits = u16;

/// The names of uses in definitions of ops, in the order of their bits.
const NAMES: [&str; 13] = [
    "indirect",
    "external",
    "mutated",
    "constant",
    "transfer_read",
    "transfer_write",
    "staging_read",
    "staging_write",
    "dispatch_read",
    "dispatch_write",
    "global_read",
    "global_write",
    "global_storage",
];
const INDIRECT: Bits = 1;
const EXTERNAL: Bits = 1 << 1;
const MUTATED: Bits = 1 << 2;
const CONSTANT: Bits = 1 << 3;
const TRANSFER_READ: Bits = 1 << 4;
const TRANSFER_WRITE: Bits = 1 << 5;
const STAGING: Bits = 0b11 << 6;
const DISPATCH_READ: Bits = 1 << 8;
const DISPATCH: Bits = 0b11 << 8;
const GLOBAL_READ: Bits = 1 << 10;
const GLOBAL_WRITE: Bits = 1 << 11;
const GLOBAL_STORAGE: Bits = 1 << 12;
const ALL: Bits = (1 << 13) - 1;
const WRITES: Bits = MUTATED | TRANSFER_WRITE | (1 << 7) | (1 << 9) | GLOBAL_WRITE;

fn bits_named(names: &[std::borrow::Cow<'static, str>]) -> Bits {
    let bit = |name: &str| NAMES.iter().position(|known| *known == name).map_or(0, |at| 1 << at);
    names.iter().fold(0, |bits, name| bits | bit(name))
}

/// The lifetime of a resource that is used so.
pub(super) fn lifetime_of(bits: Bits) -> &'static str {
    let has = |some: Bits| bits & some != 0;
    match () {
        () if has(GLOBAL_STORAGE) && has(CONSTANT) => "constant",
        () if has(INDIRECT | EXTERNAL) => "external",
        () if has(STAGING) => "staging",
        () if has(CONSTANT) => "constant",
        () if has(GLOBAL_READ | GLOBAL_WRITE) && has(WRITES) => "variable",
        () if has(GLOBAL_READ | GLOBAL_WRITE) => "constant",
        () => "transient",
    }
}

/// What a lifetime allows.
fn allowed(lifetime: Option<&str>) -> Bits {
    match lifetime {
        Some("external") => ALL & !(CONSTANT | STAGING),
        Some("staging") => ALL & !(EXTERNAL | CONSTANT | DISPATCH | GLOBAL_READ | GLOBAL_WRITE),
        Some("transient" | "variable") => ALL & !(EXTERNAL | CONSTANT | STAGING),
        Some("constant") => ALL & !(MUTATED | EXTERNAL | STAGING),
        _ => ALL,
    }
}

/// Whether something can be used like this.
fn is_possible(bits: Bits) -> bool {
    let has = |some: Bits| bits & some != 0;
    bits != ALL && !(has(STAGING) && has(DISPATCH)) && !(has(CONSTANT) && has(MUTATED))
}

/// Where values go between functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Point {
    /// An argument of a function.
    Argument(Ident, usize),
    /// A result of a function.
    Result(Ident, usize),
}

impl Point {
    pub(super) fn function(self) -> Ident {
        match self {
            Point::Argument(name, _) | Point::Result(name, _) => name,
        }
    }
}

/// How usage spreads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Edge {
    /// Both values are used alike.
    Same(usize, usize),
    /// What is done to the first is done to the second.
    Into(usize, usize),
    /// A transfer of the first to the second, to another place or not.
    Transfer(usize, usize, bool),
}

/// How the resources of one body are used, and how usage spreads between them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Usage {
    bits: Vec<Bits>,
    allowed: Vec<Bits>,
    edges: Vec<Edge>,
    points: Vec<(Point, usize)>,
    /// The function that the body is, when all of its callers are known.
    function: Option<Ident>,
}

/// The places of values in [`Usage`].
pub(super) type Places = IndexMap<ValueId, usize>;

impl Usage {
    /// What is known of one body.
    pub(super) fn of(registry: &Registry, body: &Body, root: OpId) -> (Usage, Places) {
        let mut usage = Usage { function: private_function(body, root), ..Usage::default() };
        let mut places = Places::new();
        for value in resources(body, root) {
            let lifetime = lifetime(body.ty(value));
            places.insert(value, usage.bits.len());
            usage.bits.push(if lifetime == Some("external") { EXTERNAL } else { 0 });
            usage.allowed.push(allowed(lifetime));
        }
        let flow = Flow::of(registry, body, root);
        for (&value, &at) in &places {
            for target in flow.targets(value).iter().filter_map(|target| places.get(target)) {
                usage.edges.push(Edge::Same(at, *target));
            }
            if let Some((op, operand)) = tied_operand(registry, body, value)
                && let Some(&source) = places.get(&body.operand(op, operand))
            {
                usage.edges.push(Edge::Same(at, source));
            }
        }
        for op in body.walk(root) {
            usage.op(registry, body, op, &places);
        }
        usage.arguments(body, root, &places);
        usage.spread();
        (usage, places)
    }

    /// Whether something that goes between functions is not decided.
    pub(super) fn is_open(&self) -> bool {
        self.points.iter().any(|&(_, at)| self.allowed[at] == ALL)
    }

    /// How a value is used.
    pub(super) fn at(&self, place: usize) -> Bits {
        self.bits[place]
    }

    fn mark(&mut self, places: &Places, value: ValueId, bits: Bits) {
        if let Some(&at) = places.get(&value) {
            self.bits[at] |= bits & self.allowed[at];
        }
    }

    fn op(&mut self, registry: &Registry, body: &Body, op: OpId, places: &Places) {
        let Some(info) = registry.op(body.name(op)) else { return };
        let def = info.def();
        for rule in def.traits.iter() {
            match (rule.name.as_ref(), rule.args.as_ref()) {
                ("ResourceUsage", [group, names @ ..]) => {
                    let operands = registry.operands_of(body, op, group);
                    for value in operands.into_iter().chain(registry.results_of(body, op, group)) {
                        self.mark(places, value, bits_named(names));
                    }
                }
                ("TiedUsage", names) => {
                    for (_, operand) in
                        body.results(op).filter_map(|result| tied_operand(registry, body, result))
                    {
                        self.mark(places, body.operand(op, operand), bits_named(names));
                    }
                }
                _ => {}
            }
        }
        let pair = |usage: &Usage, edge: fn(usize, usize) -> Edge| {
            let (source, result) = (body.operands(op).next()?, body.results(op).next()?);
            let edge = edge(*places.get(&source)?, *places.get(&result)?);
            (!usage.edges.contains(&edge)).then_some(edge)
        };
        let global = |value: ValueId| match lifetime(body.ty(value)) {
            Some("constant") => GLOBAL_STORAGE | CONSTANT,
            _ => GLOBAL_STORAGE,
        };
        let new = match body.name(op).as_str() {
            "stream.tensor.import" => {
                let result = body.result(op, 0);
                self.mark(places, result, imported(lifetime(body.ty(result))));
                None
            }
            "stream.tensor.export" => {
                let source = body.operand(op, 0);
                self.mark(places, source, exported(lifetime(body.ty(source))));
                None
            }
            "util.global.load" => {
                let value = body.result(op, 0);
                self.mark(places, value, GLOBAL_READ | global(value));
                None
            }
            "util.global.store" => {
                let value = body.operand(op, 0);
                self.mark(places, value, GLOBAL_WRITE | global(value));
                None
            }
            "util.global.load.indirect" => {
                self.mark(places, body.result(op, 0), INDIRECT | GLOBAL_READ | GLOBAL_STORAGE);
                None
            }
            "util.global.store.indirect" => {
                self.mark(places, body.operand(op, 0), INDIRECT | GLOBAL_WRITE | GLOBAL_STORAGE);
                None
            }
            "util.optimization_barrier" => {
                for (source, result) in body.operands(op).zip(body.results(op)) {
                    if let (Some(&a), Some(&b)) = (places.get(&source), places.get(&result)) {
                        self.edges.push(Edge::Same(a, b));
                    }
                }
                None
            }
            // A copy that nobody writes to is the resource itself.
            "stream.async.clone" => match is_mutated(registry, body, body.result(op, 0)) {
                true => {
                    self.mark(places, body.result(op, 0), TRANSFER_WRITE);
                    pair(self, |source, result| Edge::Into(result, source))
                }
                false => pair(self, Edge::Same),
            },
            "stream.async.slice" => pair(self, Edge::Same),
            "stream.async.transfer" => {
                let ends = ["source_affinity", "target_affinity"].map(|end| body.attr(op, end));
                match ends[0] == ends[1] {
                    true => pair(self, |source, result| Edge::Transfer(source, result, false)),
                    false => pair(self, |source, result| Edge::Transfer(source, result, true)),
                }
            }
            "util.call" => {
                self.call(body, op, places);
                None
            }
            "util.return" => {
                for (at, value) in body.operands(op).enumerate() {
                    self.goes(places, value, self.function.map(|name| Point::Result(name, at)));
                }
                None
            }
            _ => None,
        };
        self.edges.extend(new);
    }

    fn call(&mut self, body: &Body, op: OpId, places: &Places) {
        let callee = body.attr(op, "callee").and_then(Attr::as_symbol_root);
        for (at, value) in body.operands(op).enumerate() {
            self.goes(places, value, callee.map(|name| Point::Argument(name, at)));
        }
        for (at, value) in body.results(op).enumerate() {
            self.goes(places, value, callee.map(|name| Point::Result(name, at)));
        }
    }

    fn arguments(&mut self, body: &Body, root: OpId, places: &Places) {
        let Some(entry) = body.region_entry(root, 0) else { return };
        for (at, &value) in body.block_args(entry).iter().enumerate() {
            self.goes(places, value, self.function.map(|name| Point::Argument(name, at)));
        }
    }

    /// A value comes from or goes to another function, or to where nothing is known.
    fn goes(&mut self, places: &Places, value: ValueId, point: Option<Point>) {
        match (point, places.get(&value)) {
            (Some(point), Some(&at)) => self.points.push((point, at)),
            _ => self.mark(places, value, EXTERNAL),
        }
    }

    /// Takes over what is known of what goes between functions.
    pub(super) fn learn(&mut self, known: &Known) {
        for &(point, at) in &self.points {
            let bits = known.points.get(&point).copied();
            let outside = if known.functions.contains(&point.function()) { 0 } else { EXTERNAL };
            self.bits[at] |= (bits.unwrap_or(0) | outside) & self.allowed[at];
        }
        self.spread();
    }

    /// Spreads usage until nothing changes.
    fn spread(&mut self) {
        loop {
            let before = self.bits.clone();
            for edge in self.edges.clone() {
                match edge {
                    Edge::Same(a, b) => {
                        self.into(a, b);
                        self.into(b, a);
                    }
                    Edge::Into(from, to) => self.into(from, to),
                    Edge::Transfer(source, result, moves) => {
                        self.transfer(source, result, moves);
                    }
                }
            }
            if self.bits == before {
                break;
            }
        }
    }

    fn into(&mut self, from: usize, to: usize) {
        self.bits[to] |= self.bits[from] & self.allowed[to];
    }

    /// Staging memory is left by a transfer, and so may what the outside sees be where it moves.
    fn transfer(&mut self, source: usize, result: usize, moves: bool) {
        for (from, to) in [(source, result), (result, source)] {
            let is = |at: usize, some: Bits| self.bits[at] & some != 0;
            let leaves_staging = is(from, STAGING) != is(to, STAGING);
            let leaves_outside = moves && is(from, EXTERNAL) && !is(to, EXTERNAL);
            let new = self.bits[to] | (self.bits[from] & self.allowed[to]);
            if !leaves_staging && !leaves_outside && is_possible(new) {
                self.bits[to] = new;
            }
        }
    }
}

/// What is known of all that goes between functions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Known {
    points: FxHashMap<Point, Bits>,
    functions: Vec<Ident>,
}

impl Known {
    /// Decides for bodies together.
    pub(super) fn of(all: &[&Usage]) -> Known {
        let functions: Vec<Ident> = all.iter().filter_map(|usage| usage.function).collect();
        let mut known = Known { points: FxHashMap::default(), functions };
        let mut usages: Vec<Usage> = all.iter().map(|&usage| usage.clone()).collect();
        loop {
            let before = known.points.clone();
            for usage in &mut usages {
                usage.learn(&known);
                for &(point, at) in &usage.points {
                    *known.points.entry(point).or_default() |= usage.bits[at];
                }
            }
            if known.points == before {
                return known;
            }
        }
    }
}

/// All resources of a body in order.
fn resources(body: &Body, root: OpId) -> Vec<ValueId> {
    let mut out = Vec::new();
    for op in body.walk(root) {
        out.extend(body.results(op));
        for &region in body.regions(op) {
            for block in body.blocks(region) {
                out.extend(body.block_args(block));
            }
        }
    }
    out.retain(|&value| is_resource(body, value));
    out
}

/// Whether an op writes to a value in place: one of its results is the value afterwards.
pub(super) fn is_mutated(registry: &Registry, body: &Body, value: ValueId) -> bool {
    body.users(value).any(|user| {
        let Some(info) = registry.op(body.name(user)) else { return false };
        let writes = |operand: usize| {
            info.def().traits.iter().any(|rule| match (rule.name.as_ref(), rule.args.as_ref()) {
                ("ResourceUsage", [group, names @ ..]) => {
                    let range = registry.operand_range(body, user, group);
                    range.is_some_and(|range| range.contains(&operand))
                        && bits_named(names) & MUTATED != 0
                }
                ("TiedUsage", names) => bits_named(names) & MUTATED != 0,
                _ => false,
            })
        };
        body.results(user).any(|result| match tied_operand(registry, body, result) {
            Some((_, operand)) => body.operand(user, operand) == value && writes(operand),
            None => false,
        })
    })
}

fn imported(lifetime: Option<&str>) -> Bits {
    match lifetime {
        Some("staging") => MUTATED | STAGING,
        Some("transient") => MUTATED,
        Some("variable") => MUTATED | GLOBAL_READ | GLOBAL_WRITE,
        Some("constant") => CONSTANT,
        _ => MUTATED | EXTERNAL,
    }
}

fn exported(lifetime: Option<&str>) -> Bits {
    let transfer = TRANSFER_READ | TRANSFER_WRITE;
    match lifetime {
        Some("staging") => MUTATED | STAGING | transfer,
        Some("transient" | "variable") => MUTATED | transfer | DISPATCH,
        Some("constant") => CONSTANT | TRANSFER_READ | DISPATCH_READ,
        _ => MUTATED | EXTERNAL,
    }
}
