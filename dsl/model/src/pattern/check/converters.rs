//! Type converters whose rules lead to each other.
//!
//! The rules are run on the types that they spell. Only what certainly happens counts, so that every
//! cycle that is reported is one; others are found when types are converted.

use std::fmt;

use tegula_diag::{Diagnostic, Span};
use tegula_record::Record;
use tegula_schema::{ConverterDef, DialectDef, Inst, Pred, Reg, Signedness, TypeConversionDef};

use crate::cx::{Cx, Get};

/// Longer cycles are not looked for.
const MAX_LENGTH: usize = 16;

pub(super) fn check(cx: &Cx<'_>, dialects: &[DialectDef], found: &mut Vec<Diagnostic>) {
    for converter in dialects.iter().flat_map(|dialect| dialect.converters.iter()) {
        let starts = converter.rules.iter().filter_map(|rule| spelled(rule.code.first()?));
        let cycle = starts.filter_map(|start| cycle(converter, start)).next();
        let Some(cycle) = cycle else { continue };
        let Some(record) = record_of(cx, converter) else { continue };
        let [(first, rule), ..] = cycle.as_slice() else { continue };
        let types: Vec<String> = cycle.iter().map(|(ty, _)| ty.to_string()).collect();
        let message = format!(
            "the type converter `{}` finds no end of converting `{first}`: {} → {first}",
            converter.name,
            types.join(" → "),
        );
        let at =
            |rule: usize| -> Option<Span> { Some(record.items("rules").get(rule)?.as_dag()?.span) };
        let mut diagnostic = Diagnostic::error("converter-cycle", message);
        diagnostic = diagnostic.at(at(*rule).unwrap_or(record.span));
        for other in cycle.iter().skip(1).filter_map(|(_, other)| at(*other)) {
            diagnostic = diagnostic.label(other, "and this one");
        }
        found.push(diagnostic);
    }
}

fn record_of<'a>(cx: &Cx<'a>, converter: &ConverterDef) -> Option<&'a Record> {
    let mut all = cx.records.defs.values().map(|record| &**record);
    all.find(|record| record.isa("TypeConverter") && record.str("name") == converter.name)
}

/// The one type that an instruction lets pass, as far as its text is known.
fn spelled(inst: &Inst) -> Option<Term> {
    match inst {
        Inst::Check { reg: 0, pred: Pred::TypeText(text), .. } => {
            Some(Term::Text(text.to_string()))
        }
        Inst::Check { reg: 0, pred: Pred::Integer { width, sign: Some(sign) }, .. } => {
            let sign = match sign {
                Signedness::Signless => "i",
                Signedness::Signed => "si",
                Signedness::Unsigned => "ui",
            };
            (*width > 0).then(|| Term::Text(format!("{sign}{width}")))
        }
        _ => None,
    }
}

/// Types that lead to each other from some type on, with the numbers of their rules.
fn cycle(converter: &ConverterDef, start: Term) -> Option<Vec<(Term, usize)>> {
    let mut path: Vec<(Term, usize)> = Vec::new();
    let mut open = vec![(start, 0)];
    while let Some((term, depth)) = open.pop() {
        path.truncate(depth);
        if let Some(at) = path.iter().position(|(known, _)| *known == term) {
            return Some(path.split_off(at));
        }
        if depth == MAX_LENGTH {
            continue;
        }
        let decides = converter.rules.iter().enumerate().find_map(|(number, rule)| {
            let mut run = Run { regs: vec![Term::Unknown; usize::from(rule.registers)] };
            run.set(0, term.clone());
            match run.matches(rule) {
                Some(false) => None,
                Some(true) => Some(Some((number, run.asked(rule, &term)))),
                None => Some(None),
            }
        });
        let Some(Some((number, asked))) = decides else { continue };
        path.push((term, number));
        open.extend(asked.into_iter().map(|asked| (asked, depth + 1)));
    }
    None
}

/// A type, as far as it is known.
#[derive(Clone, Debug, PartialEq)]
enum Term {
    Text(String),
    Made(String, Vec<Term>),
    Unknown,
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Term::Text(text) => f.write_str(text),
            Term::Made(name, params) => {
                let params: Vec<String> = params.iter().map(Term::to_string).collect();
                write!(f, "!{name}<{}>", params.join(", "))
            }
            Term::Unknown => f.write_str("?"),
        }
    }
}

struct Run {
    regs: Vec<Term>,
}

impl Run {
    fn set(&mut self, reg: Reg, term: Term) {
        if let Some(slot) = self.regs.get_mut(usize::from(reg)) {
            *slot = term;
        }
    }

    fn get(&self, reg: Reg) -> Term {
        self.regs.get(usize::from(reg)).cloned().unwrap_or(Term::Unknown)
    }

    /// Whether a rule matches the type in register 0; none when that is not certain.
    fn matches(&mut self, rule: &TypeConversionDef) -> Option<bool> {
        for inst in rule.code.iter() {
            match inst {
                Inst::Commit => return Some(true),
                Inst::Check { reg, pred, .. } => match satisfies(&self.get(*reg), pred) {
                    Some(true) => {}
                    other => return other,
                },
                Inst::Param { from, name, index, into } => match self.get(*from) {
                    Term::Made(made, params) if made == *name => {
                        self.set(*into, params.get(usize::from(*index))?.clone());
                    }
                    _ => return None,
                },
                _ => return None,
            }
        }
        None
    }

    /// The types that a rule which has matched certainly wants converted; its own stays.
    fn asked(&mut self, rule: &TypeConversionDef, whole: &Term) -> Vec<Term> {
        let mut asked = Vec::new();
        for inst in rule.code.iter().skip_while(|inst| **inst != Inst::Commit).skip(1) {
            match inst {
                Inst::TypeLiteral { text, into } => self.set(*into, Term::Text(text.to_string())),
                Inst::MakeType { name, params, into } => {
                    let params = params.iter().map(|&param| self.get(param)).collect();
                    self.set(*into, Term::Made(name.to_string(), params));
                }
                Inst::ConvertType { from, into } => {
                    let term = self.get(*from);
                    if !term.is_known() {
                        break;
                    }
                    if term != *whole {
                        asked.push(term);
                    }
                    self.set(*into, Term::Unknown);
                }
                Inst::Concat { into, .. } => self.set(*into, Term::Unknown),
                _ => break,
            }
        }
        asked
    }
}

impl Term {
    fn is_known(&self) -> bool {
        match self {
            Term::Text(_) => true,
            Term::Made(_, params) => params.iter().all(Term::is_known),
            Term::Unknown => false,
        }
    }

    /// A type of one word, such as `i32`.
    fn word(&self) -> Option<&str> {
        match self {
            Term::Text(text) if text.chars().all(|c| c.is_ascii_alphanumeric()) => Some(text),
            _ => None,
        }
    }
}

/// Whether a type satisfies a predicate; none when that is not certain.
fn satisfies(term: &Term, pred: &Pred) -> Option<bool> {
    let made = match term {
        Term::Made(name, _) => Some(name.as_str()),
        Term::Text(_) | Term::Unknown => None,
    };
    match pred {
        Pred::Any => Some(true),
        Pred::TypeText(text) => {
            let text = Term::Text(text.to_string());
            match (term.word(), text.word()) {
                _ if *term == text => Some(true),
                (Some(_), Some(_)) => Some(false),
                (_, Some(_)) if made.is_some() => Some(false),
                _ => None,
            }
        }
        Pred::Integer { width, sign } => match term.word() {
            Some(word) => {
                let kinds = [
                    ("si", Signedness::Signed),
                    ("ui", Signedness::Unsigned),
                    ("i", Signedness::Signless),
                ];
                let read = kinds.iter().find_map(|(prefix, kind)| {
                    Some((word.strip_prefix(prefix)?.parse::<u32>().ok()?, *kind))
                });
                Some(read.is_some_and(|(bits, kind)| {
                    (*width == 0 || *width == bits) && sign.is_none_or(|sign| sign == kind)
                }))
            }
            None => made.map(|_| false),
        },
        Pred::TypeKind(name) => match made {
            Some(made) => Some(made == *name),
            // Types of dialects are no words.
            None => (term.word().is_some() && name.contains('.')).then_some(false),
        },
        _ => None,
    }
}
