//! What a pattern requires, as a set of statements that do not depend on its registers.

use std::collections::BTreeSet;

use tegula_schema::{Inst, PatternDef, Reg};

/// The statements that hold of whatever a pattern matches.
pub(super) struct Facts {
    all: BTreeSet<String>,
    /// There is nothing more that the pattern requires.
    complete: bool,
}

impl Facts {
    /// Reads a program up to its first choice.
    pub(super) fn of(pattern: &PatternDef) -> Facts {
        let mut reader = Reader {
            terms: vec![String::from("?"); usize::from(pattern.registers)],
            facts: Facts { all: BTreeSet::new(), complete: true },
        };
        reader.set(0, "root".to_owned());
        for inst in pattern.code.iter() {
            if matches!(inst, Inst::Commit) {
                return reader.facts;
            }
            if !reader.read(inst) {
                break;
            }
        }
        reader.facts.complete = false;
        reader.facts
    }

    /// Whether all that is required here is required there too.
    pub(super) fn follow_from(&self, other: &Facts) -> bool {
        self.complete && self.all.is_subset(&other.all)
    }
}

struct Reader {
    /// What each register holds, in terms of the root.
    terms: Vec<String>,
    facts: Facts,
}

impl Reader {
    fn set(&mut self, reg: Reg, term: String) {
        if let Some(slot) = self.terms.get_mut(usize::from(reg)) {
            *slot = term;
        }
    }

    fn get(&self, reg: Reg) -> &str {
        self.terms.get(usize::from(reg)).map_or("?", String::as_str)
    }

    fn list(&self, regs: &[Reg]) -> String {
        regs.iter().map(|&reg| self.get(reg)).collect::<Vec<_>>().join(", ")
    }

    /// Something that is computed; a computation that may fail is required to succeed.
    fn computed(&mut self, into: Reg, term: String, may_fail: bool) {
        if may_fail {
            self.facts.all.insert(format!("there is {term}"));
        }
        self.set(into, term);
    }

    fn require(&mut self, fact: String) {
        self.facts.all.insert(fact);
    }

    /// Reads an instruction; false when what follows it cannot be told.
    fn read(&mut self, inst: &Inst) -> bool {
        match inst {
            Inst::Operand { op, segment, into, arity } => {
                let term = format!("operand({}, {segment:?}, {arity:?})", self.get(*op));
                self.computed(*into, term, false);
            }
            Inst::Result { op, segment, into, arity } => {
                let term = format!("result({}, {segment:?}, {arity:?})", self.get(*op));
                self.computed(*into, term, false);
            }
            Inst::Attr { op, name, optional, default, into } => {
                let term = format!("attr({}, {name}, {default:?})", self.get(*op));
                self.computed(*into, term, !optional);
            }
            Inst::Def { value, name, into } => {
                let term = format!("def({})", self.get(*value));
                self.require(format!("{term} is {name}"));
                self.set(*into, term);
            }
            Inst::Constant { value, into } => {
                self.computed(*into, format!("constant({})", self.get(*value)), true);
            }
            Inst::Parent { op, name, into } => {
                self.computed(*into, format!("parent({}, {name})", self.get(*op)), true);
            }
            Inst::Ancestor { op, names, into } => {
                self.computed(*into, format!("ancestor({}, {names:?})", self.get(*op)), true);
            }
            Inst::Earlier { op, names, into } => {
                self.computed(*into, format!("earlier({}, {names:?})", self.get(*op)), true);
            }
            Inst::NestedOps { op, into } => {
                self.computed(*into, format!("nested({})", self.get(*op)), false);
            }
            Inst::Captures { op, into } => {
                self.computed(*into, format!("captures({})", self.get(*op)), false);
            }
            Inst::Users { value, into } => {
                self.computed(*into, format!("users({})", self.get(*value)), false);
            }
            Inst::Tied { value, into } => {
                self.computed(*into, format!("ties({})", self.get(*value)), false);
            }
            Inst::SizeOf { value, at, into } => {
                let term = format!("size({}, {})", self.get(*value), self.get(*at));
                self.computed(*into, term, true);
            }
            Inst::RegionOps { op, index, into } => {
                self.computed(*into, format!("ops({}, {index})", self.get(*op)), true);
            }
            Inst::RegionArgs { op, index, into } => {
                self.computed(*into, format!("args({}, {index})", self.get(*op)), true);
            }
            Inst::TypeOf { from, into } => {
                self.computed(*into, format!("type({})", self.get(*from)), false);
            }
            Inst::Derive { from, how, into } => {
                self.computed(*into, format!("derived({}, {how:?})", self.get(*from)), true);
            }
            Inst::Param { from, name, index, into } => {
                let term = format!("param({}, {name}, {index})", self.get(*from));
                self.computed(*into, term, true);
            }
            Inst::Item { list, index, into } => {
                self.computed(*into, format!("item({}, {index})", self.get(*list)), true);
            }
            Inst::ItemAt { list, index, into } => {
                let term = format!("item({}, {})", self.get(*list), self.get(*index));
                self.computed(*into, term, true);
            }
            Inst::Splat { from, into } => {
                self.computed(*into, format!("splat({})", self.get(*from)), true);
            }
            Inst::Precedes { first, then } => {
                self.require(format!("{} before {}", self.get(*first), self.get(*then)));
            }
            Inst::Count { list, into } => {
                self.computed(*into, format!("count({})", self.get(*list)), true);
            }
            Inst::Positions { list, into } => {
                self.computed(*into, format!("positions({})", self.get(*list)), true);
            }
            Inst::Shape { from, into } => {
                self.computed(*into, format!("shape({})", self.get(*from)), true);
            }
            Inst::WithShape { from, sizes, into } => {
                let term = format!("shaped({}, {})", self.get(*from), self.get(*sizes));
                self.computed(*into, term, true);
            }
            Inst::BitWidth { from, into } => {
                self.computed(*into, format!("width({})", self.get(*from)), true);
            }
            Inst::Dense { ty, list, into } => {
                let term = format!("dense({}, {})", self.get(*ty), self.get(*list));
                self.computed(*into, term, true);
            }
            Inst::SymbolNames { from, into } => {
                self.computed(*into, format!("names({})", self.get(*from)), true);
            }
            Inst::Symbol { names, into } => {
                self.computed(*into, format!("symbol({})", self.list(names)), true);
            }
            Inst::IntOf { from, ty, into } => {
                let term = format!("int({}, {})", self.get(*from), self.get(*ty));
                self.computed(*into, term, true);
            }
            Inst::Unique { list, into } => {
                self.computed(*into, format!("unique({})", self.get(*list)), true);
            }
            Inst::Literal { text, into } | Inst::TypeLiteral { text, into } => {
                self.computed(*into, format!("{text:?}"), false);
            }
            Inst::Absent { into } => self.computed(*into, "absent".to_owned(), false),
            Inst::Concat { parts, types, into } => {
                self.computed(*into, format!("all({types}, {})", self.list(parts)), false);
            }
            Inst::Array { items, into } => {
                self.computed(*into, format!("array({})", self.list(items)), true);
            }
            Inst::MakeAttr { name, params, into } | Inst::MakeType { name, params, into } => {
                self.computed(*into, format!("{name}({})", self.list(params)), true);
            }
            Inst::TypeAttr { from, into } => {
                self.computed(*into, format!("attribute({})", self.get(*from)), true);
            }
            Inst::Arith { how, a, b, into } => {
                let term = format!("{how:?}({}, {})", self.get(*a), self.get(*b));
                self.computed(*into, term, true);
            }
            Inst::ConvertType { from, into } => {
                self.computed(*into, format!("converted({})", self.get(*from)), true);
            }
            Inst::Compute { hook, args, into } => {
                self.computed(*into, format!("{hook}!({})", self.list(args)), true);
            }
            Inst::Check { reg, pred, .. } => {
                self.require(format!("{} satisfies {pred:?}", self.get(*reg)));
            }
            Inst::IsOp { op, name } => self.require(format!("{} is {name}", self.get(*op))),
            Inst::HasTrait { op, name } => {
                self.require(format!("{} has {name}", self.get(*op)));
            }
            Inst::Same { a, b } => {
                let (a, b) = (self.get(*a), self.get(*b));
                let (a, b) = if a <= b { (a, b) } else { (b, a) };
                self.require(format!("{a} == {b}"));
            }
            Inst::OneUse { value } => self.require(format!("{} has one use", self.get(*value))),
            Inst::NoUse { value } => self.require(format!("{} has no use", self.get(*value))),
            Inst::Present { reg, present } => {
                self.require(format!("{} is there: {present}", self.get(*reg)));
            }
            Inst::Compare { how, a, b } => {
                self.require(format!("{how:?}({}, {})", self.get(*a), self.get(*b)));
            }
            Inst::Predicate { hook, args, expect } => {
                self.require(format!("{hook}!({}) is {expect}", self.list(args)));
            }
            _ => return false,
        }
        true
    }
}
