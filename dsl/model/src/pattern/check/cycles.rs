//! Patterns that undo each other.
//!
//! A pattern is run on what it is known to match: a root of which nothing more is known than what
//! the pattern asks. Patterns of the same group are tried on the op that it makes in the root's
//! place, and so on. One that comes back to a pattern which has been applied on the way goes on
//! without end. Only what certainly matches counts, and only where nothing that goes before it may
//! match, folds included, so that every cycle that is reported is one. A conversion goes on from what
//! must go only.

use std::collections::{BTreeMap, BTreeSet};

use tegula_diag::Diagnostic;
use tegula_schema::{Arity, DialectDef, Inst, OpDef, PassBody, PatternDef, PatternKind, Pred, Reg};

use super::coverage::must_go;
use super::span;
use crate::cx::Cx;
use crate::pattern::ops::segment;

/// Longer cycles are not looked for.
const MAX_LENGTH: usize = 6;

pub(super) fn check(cx: &Cx<'_>, dialects: &[DialectDef], found: &mut Vec<Diagnostic>) {
    let ops: BTreeMap<&str, &OpDef> =
        dialects.iter().flat_map(|d| d.ops.iter()).map(|op| (op.name.as_ref(), op)).collect();
    let folds: Vec<&PatternDef> = dialects
        .iter()
        .flat_map(|dialect| dialect.patterns.iter())
        .filter(|pattern| pattern.kind == PatternKind::Fold)
        .collect();
    let mut reported: BTreeSet<BTreeSet<&str>> = BTreeSet::new();
    for patterns in &sets(dialects) {
        for start in patterns.iter().filter(|pattern| !pattern.root.is_empty()) {
            let (path, cycle) = (Vec::new(), None);
            let mut search = Search { ops: &ops, folds: &folds, patterns, path, cycle };
            let mut terms = Terms::default();
            let root = terms.node(&start.root, false);
            search.apply(start, terms, root, true);
            let Some(cycle) = search.cycle else { continue };
            let names: BTreeSet<&str> = cycle.iter().map(|(p, _)| p.name.as_ref()).collect();
            let Some(place) = cycle.first().and_then(|(pattern, _)| span(cx, pattern)) else {
                continue;
            };
            if !reported.insert(names) {
                continue;
            }
            let mut shown = cycle.first().map_or_else(String::new, |(p, _)| p.root.to_string());
            for (pattern, made) in &cycle {
                shown.push_str(&format!(" → ({}) {made}", pattern.name));
            }
            let message = format!("patterns apply without end: {shown}");
            let mut diagnostic = Diagnostic::error("pattern-cycle", message).at(place);
            for (pattern, _) in cycle.iter().skip(1) {
                if let Some(place) = span(cx, pattern) {
                    diagnostic = diagnostic.label(place, "and this one");
                }
            }
            found.push(diagnostic);
        }
    }
}

/// The patterns that are tried on what each other makes: those of a group, and of a conversion those
/// of ops that must go. Each set is in the order in which they are tried.
fn sets(dialects: &[DialectDef]) -> Vec<Vec<&PatternDef>> {
    let all = || dialects.iter().flat_map(|d| d.patterns.iter());
    let mut groups: BTreeMap<&str, Vec<&PatternDef>> = BTreeMap::new();
    for pattern in all().filter(|pattern| pattern.kind == PatternKind::Rewrite) {
        groups.entry(&pattern.group).or_default().push(pattern);
    }
    let mut sets: Vec<Vec<&PatternDef>> = groups.into_values().collect();
    for pass in dialects.iter().flat_map(|dialect| dialect.passes.iter()) {
        let PassBody::Convert(conversion) = &pass.body else { continue };
        let own = || all().filter(|pattern| conversion.groups.contains(&pattern.group));
        let legal = |kind| kind == PatternKind::Legal;
        // What a rule says of an op depends on more than its name.
        let ruled: BTreeSet<&str> =
            own().filter(|p| legal(p.kind)).map(|p| p.root.as_ref()).collect();
        let goes = |root: &str| must_go(conversion, root) && !ruled.contains(root);
        let edits = |kind| matches!(kind, PatternKind::Rewrite | PatternKind::Convert);
        let tried = |p: &&PatternDef| edits(p.kind) && (p.root.is_empty() || goes(&p.root));
        sets.push(own().filter(tried).collect());
    }
    for set in &mut sets {
        set.sort_by_key(|pattern| (std::cmp::Reverse(pattern.benefit), pattern.root.is_empty()));
    }
    sets
}

/// Something that a register holds, as far as it is known.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Term {
    /// Of which nothing is known but what [`Terms::facts`] says.
    Some(usize),
    /// An op, or its results.
    Node(usize),
    /// An attribute or type by its text.
    Text(String),
    TypeOf(Box<Term>),
    Absent,
}

/// An op that is matched or made.
#[derive(Clone, Debug)]
struct Node {
    name: String,
    /// All of its operands and attributes are known.
    made: bool,
    operands: BTreeMap<String, Term>,
    attrs: BTreeMap<String, Term>,
}

#[derive(Clone, Debug, Default)]
struct Terms {
    nodes: Vec<Node>,
    next: usize,
    /// What is required of terms: a predicate's text, or that the term is a constant.
    facts: BTreeSet<(Term, String)>,
    /// Unknown terms that are operands. They are assumed to be different from each other, and made by
    /// no op, unless a pattern asks for it: that they may be is enough.
    values: BTreeSet<usize>,
    constants: BTreeMap<Term, Term>,
    /// Converted values by the originals.
    remapped: BTreeMap<Term, Term>,
}

impl Terms {
    fn node(&mut self, name: &str, made: bool) -> usize {
        let (operands, attrs) = (BTreeMap::new(), BTreeMap::new());
        self.nodes.push(Node { name: name.to_owned(), made, operands, attrs });
        self.nodes.len() - 1
    }

    fn unknown(&mut self) -> Term {
        self.next += 1;
        Term::Some(self.next)
    }
}

struct Search<'s, 'd> {
    ops: &'s BTreeMap<&'d str, &'d OpDef>,
    folds: &'s [&'d PatternDef],
    patterns: &'s [&'d PatternDef],
    /// The patterns applied so far, with the name of what each made.
    path: Vec<(&'d PatternDef, String)>,
    cycle: Option<Vec<(&'d PatternDef, String)>>,
}

impl<'d> Search<'_, 'd> {
    /// Applies a pattern to a root, and then others to what it has made. `assume` lets what the
    /// pattern asks hold; otherwise it must be known.
    fn apply(&mut self, pattern: &'d PatternDef, mut terms: Terms, root: usize, assume: bool) {
        let mut run = Run::new(self.ops, &mut terms, pattern, root, assume);
        if run.matches(pattern) != Some(true) {
            return;
        }
        let Some(next) = run.edits(pattern) else { return };
        let name = terms.nodes[next].name.clone();
        if let Some(at) = self.path.iter().position(|(p, _)| p.name == pattern.name) {
            self.cycle = Some(self.path[at..].to_vec());
            return;
        }
        if self.path.len() == MAX_LENGTH {
            return;
        }
        self.path.push((pattern, name));
        if let Some(pattern) = self.next(&terms, next) {
            self.apply(pattern, terms, next, false);
        }
        self.path.pop();
    }

    /// The pattern that certainly applies to an op, before any other.
    fn next(&self, terms: &Terms, node: usize) -> Option<&'d PatternDef> {
        let name = terms.nodes.get(node)?.name.as_str();
        if self.ops.get(name)?.folder.is_some() {
            return None;
        }
        let tried = self.folds.iter().chain(self.patterns);
        for pattern in tried.filter(|p| p.root == name || p.root.is_empty()) {
            let mut terms = terms.clone();
            let matches = Run::new(self.ops, &mut terms, pattern, node, false).matches(pattern);
            match matches {
                Some(false) => {}
                Some(true) if pattern.kind != PatternKind::Fold => return Some(pattern),
                Some(true) | None => return None,
            }
        }
        None
    }
}

struct Run<'r, 'd> {
    ops: &'r BTreeMap<&'d str, &'d OpDef>,
    terms: &'r mut Terms,
    regs: Vec<Term>,
    assume: bool,
    /// What failed certainly does not hold.
    refuted: bool,
}

impl<'r, 'd> Run<'r, 'd> {
    fn new(
        ops: &'r BTreeMap<&'d str, &'d OpDef>,
        terms: &'r mut Terms,
        pattern: &PatternDef,
        root: usize,
        assume: bool,
    ) -> Run<'r, 'd> {
        let regs = vec![Term::Absent; usize::from(pattern.registers)];
        let mut run = Run { ops, terms, regs, assume, refuted: false };
        run.set(0, Term::Node(root));
        run
    }

    fn set(&mut self, reg: Reg, term: Term) {
        if let Some(slot) = self.regs.get_mut(usize::from(reg)) {
            *slot = term;
        }
    }

    fn get(&self, reg: Reg) -> Term {
        self.regs.get(usize::from(reg)).cloned().unwrap_or(Term::Absent)
    }

    /// Whether the pattern matches; none when that is not certain.
    fn matches(&mut self, pattern: &PatternDef) -> Option<bool> {
        for inst in pattern.code.iter() {
            if *inst == Inst::Commit {
                return Some(true);
            }
            if self.look(inst).is_none() {
                return self.refuted.then_some(false);
            }
        }
        None
    }

    /// The op that takes the root's place; none when the pattern does anything but make ops and
    /// replace the root by one.
    fn edits(&mut self, pattern: &PatternDef) -> Option<usize> {
        let mut next = None;
        for inst in pattern.code.iter().skip_while(|inst| **inst != Inst::Commit).skip(1) {
            match inst {
                Inst::Create { .. } => self.create(inst)?,
                Inst::Replace { op: 0, with } => {
                    let [one] = with.as_ref() else { return None };
                    let Term::Node(node) = self.get(*one) else { return None };
                    next = self.terms.nodes.get(node).filter(|n| n.made).map(|_| node);
                }
                inst => self.look(inst)?,
            }
        }
        next
    }

    fn create(&mut self, inst: &Inst) -> Option<()> {
        let Inst::Create { name, operands, attrs, attr_dicts, fold: false, into, .. } = inst else {
            return None;
        };
        if !attr_dicts.is_empty() {
            return None;
        }
        let def = *self.ops.get(name.as_ref())?;
        let node = self.terms.node(name, true);
        for (index, &reg) in operands.iter().enumerate() {
            let key = segment(def, false, index)?;
            let term = self.get(reg);
            self.terms.nodes[node].operands.insert(format!("{key:?}"), term);
        }
        for attr in attrs.iter() {
            let term = self.get(attr.reg);
            self.terms.nodes[node].attrs.insert(attr.name.to_string(), term);
        }
        self.set(*into, Term::Node(node));
        Some(())
    }

    /// Whether a term is a value of which nothing is known.
    fn is_any_value(&self, term: &Term) -> bool {
        let constant = self.terms.constants.contains_key(term);
        !constant && matches!(term, Term::Some(id) if self.terms.values.contains(id))
    }

    fn node_of(&self, reg: Reg) -> Option<usize> {
        match self.get(reg) {
            Term::Node(node) => Some(node),
            _ => None,
        }
    }

    fn look(&mut self, inst: &Inst) -> Option<()> {
        match inst {
            Inst::Operand { op, segment, into, .. } => {
                let node = self.node_of(*op)?;
                let key = format!("{segment:?}");
                let term = match self.terms.nodes[node].operands.get(&key) {
                    Some(term) => term.clone(),
                    None if self.terms.nodes[node].made => return None,
                    None => {
                        let term = self.terms.unknown();
                        self.terms.values.insert(self.terms.next);
                        self.terms.nodes[node].operands.insert(key, term.clone());
                        term
                    }
                };
                self.set(*into, term);
            }
            Inst::Attr { op, name, optional, default, into } => {
                let node = self.node_of(*op)?;
                let term = match self.terms.nodes[node].attrs.get(name.as_ref()) {
                    Some(term) => term.clone(),
                    None if self.terms.nodes[node].made => match default {
                        Some(text) => Term::Text(text.to_string()),
                        None if *optional => Term::Absent,
                        None => return None,
                    },
                    None if *optional && !self.assume => return None,
                    None => {
                        let term = self.terms.unknown();
                        self.terms.nodes[node].attrs.insert(name.to_string(), term.clone());
                        term
                    }
                };
                self.set(*into, term);
            }
            Inst::Def { value, name, into } => match self.get(*value) {
                Term::Node(node) if self.terms.nodes[node].name == name.as_ref() => {
                    self.set(*into, Term::Node(node));
                }
                // What stands there is assumed to be made by such an op, from here on.
                Term::Some(id) if self.assume && !name.is_empty() => {
                    let node = self.terms.node(name, false);
                    self.substitute(&Term::Some(id), &Term::Node(node));
                    self.set(*into, Term::Node(node));
                }
                term => {
                    self.refuted = match term {
                        Term::Node(node) => self.terms.nodes[node].made && !name.is_empty(),
                        term => self.is_any_value(&term),
                    };
                    return None;
                }
            },
            Inst::Constant { value, into } => {
                let value = self.get(*value);
                let attr = match (&value, self.terms.constants.get(&value)) {
                    (_, Some(attr)) => attr.clone(),
                    (Term::Node(node), None) => {
                        let node = &self.terms.nodes[*node];
                        let constant = self
                            .ops
                            .get(node.name.as_str())
                            .is_some_and(|op| op.has_trait("ConstantLike"));
                        node.attrs.get("value").filter(|_| constant)?.clone()
                    }
                    (Term::Some(_), None) if self.assume => {
                        let attr = self.terms.unknown();
                        self.terms.constants.insert(value, attr.clone());
                        attr
                    }
                    (value, None) => {
                        self.refuted = self.is_any_value(value);
                        return None;
                    }
                };
                self.set(*into, attr);
            }
            Inst::Check { reg, pred, .. } => {
                let term = self.get(*reg);
                let fact = (term.clone(), format!("{pred:?}"));
                let known = self.terms.facts.contains(&fact) || certain(&term, pred);
                if !known {
                    if !self.assume || matches!(term, Term::Text(_)) {
                        self.refuted = refuted(&term, pred);
                        return None;
                    }
                    self.terms.facts.insert(fact);
                }
            }
            Inst::Same { a, b } => {
                let (a, b) = (self.get(*a), self.get(*b));
                if a == b {
                    return Some(());
                }
                match (&a, &b) {
                    (Term::Some(_), _) if self.assume => self.substitute(&a, &b),
                    (_, Term::Some(_)) if self.assume => self.substitute(&b, &a),
                    _ => {
                        self.refuted = self.is_any_value(&a) && self.is_any_value(&b);
                        return None;
                    }
                }
            }
            Inst::Present { reg, present } => {
                let term = self.get(*reg);
                if self.assume && !present && matches!(term, Term::Some(_)) {
                    self.substitute(&term, &Term::Absent);
                    return Some(());
                }
                let there = match term {
                    Term::Absent => false,
                    Term::Some(_) | Term::TypeOf(_) => return None,
                    Term::Node(_) | Term::Text(_) => true,
                };
                self.refuted = there != *present;
                return (!self.refuted).then_some(());
            }
            Inst::TypeOf { from, into } => {
                let term = Term::TypeOf(Box::new(self.get(*from)));
                self.set(*into, term);
            }
            Inst::Literal { text, into } | Inst::TypeLiteral { text, into } => {
                self.set(*into, Term::Text(text.to_string()));
            }
            Inst::Absent { into } => self.set(*into, Term::Absent),
            Inst::Remap { from, into } => {
                let from = self.get(*from);
                if let Some(known) = self.terms.remapped.get(&from).cloned() {
                    self.set(*into, known);
                    return Some(());
                }
                let term = self.terms.unknown();
                if self.is_any_value(&from) {
                    self.terms.values.insert(self.terms.next);
                }
                self.terms.remapped.insert(from, term.clone());
                self.set(*into, term);
            }
            // An op stands for its results.
            Inst::Result { op, arity: Arity::One, into, .. } => {
                let node = self.node_of(*op)?;
                self.set(*into, Term::Node(node));
            }
            Inst::IsOp { op, name } => {
                let node = self.node_of(*op)?;
                return (self.terms.nodes[node].name == name.as_ref()).then_some(());
            }
            _ => return None,
        }
        Some(())
    }

    /// Lets one term stand for another everywhere.
    fn substitute(&mut self, from: &Term, to: &Term) {
        fn replaced(term: &Term, from: &Term, to: &Term) -> Term {
            match term {
                term if term == from => to.clone(),
                Term::TypeOf(inner) => Term::TypeOf(Box::new(replaced(inner, from, to))),
                term => term.clone(),
            }
        }
        for term in &mut self.regs {
            *term = replaced(term, from, to);
        }
        for node in &mut self.terms.nodes {
            for term in node.operands.values_mut().chain(node.attrs.values_mut()) {
                *term = replaced(term, from, to);
            }
        }
        let facts = std::mem::take(&mut self.terms.facts);
        self.terms.facts =
            facts.into_iter().map(|(term, fact)| (replaced(&term, from, to), fact)).collect();
    }
}

/// Whether a predicate certainly holds of an attribute that is known by its text.
fn certain(term: &Term, pred: &Pred) -> bool {
    let Term::Text(text) = term else { return *pred == Pred::Any };
    let number = text.split(':').next().and_then(|n| n.trim().parse::<i64>().ok());
    match (pred, number) {
        (Pred::Any, _) => true,
        (Pred::IntRange(min, max), Some(n)) => (*min..=*max).contains(&n),
        _ => false,
    }
}

/// Whether a predicate certainly does not hold of an attribute that is known by its text.
fn refuted(term: &Term, pred: &Pred) -> bool {
    let Term::Text(text) = term else { return false };
    let number = text.split(':').next().and_then(|n| n.trim().parse::<i64>().ok());
    match (pred, number) {
        (Pred::IntRange(min, max), Some(n)) => !(*min..=*max).contains(&n),
        _ => false,
    }
}
