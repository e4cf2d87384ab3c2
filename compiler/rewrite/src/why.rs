//! Why a pattern does not apply.

use std::fmt::Display;

use tegula_ir::text::{print_attr, print_type};
use tegula_ir::verify::verify_body;
use tegula_ir::{Body, FoldResult, OpId, Registry};
use tegula_schema::{Comparison, ConversionDef, Gather, Inst, PatternKind, Reg, Source};

use crate::apply::{Conversion, Editing, Outcome, try_pattern};
use crate::convert::State;
use crate::link::{Code, Pattern};
use crate::machine::{self, Failure, Registers, Scope, Types, integer, values_of};
use crate::{Bound, Patterns, Rewriter, constant_of};

/// What came of trying a pattern without applying it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The pattern.
    pub pattern: String,
    /// Where it is defined.
    pub source: Source,
    /// It matches.
    pub matches: bool,
    /// What goes wrong when it is applied nevertheless, as one sentence without a final stop.
    pub breaks: Option<String>,
    /// What was not so, in the order in which it was found out; alternatives come one after the
    /// other.
    pub failures: Vec<Failure>,
}

impl Explanation {
    /// The failure that says most: the one that the pattern came furthest with.
    pub fn reason(&self) -> Option<&Failure> {
        let furthest = self.failures.iter().map(|failure| failure.at).max()?;
        self.failures.iter().find(|failure| failure.at == furthest)
    }
}

/// Tries a pattern on an op, and applies it to a copy of the body when it matches. A pattern in Rust
/// only tells whether the op could be its root. A pattern of a conversion needs to know the
/// conversion, for its types.
pub fn explain(
    registry: &Registry,
    patterns: &Patterns,
    conversion: Option<&ConversionDef>,
    body: &Body,
    (pattern, op): (&Pattern, OpId),
) -> Explanation {
    let state = conversion.and_then(|c| State::new(registry, patterns, c).ok());
    let mut copy = body.clone();
    let mut rw = Rewriter::new(&mut copy, registry);
    let mut registers = Registers::default();
    let anchor = std::iter::successors(Some(op), |&op| body.parent_op(op)).last();
    let Some(mut state) = state else {
        let mut found = explain_with(registry, body, pattern, op, None);
        if found.matches {
            let mut with = Editing::new(patterns, &mut registers, anchor);
            let outcome = try_pattern(&mut rw, pattern, op, &mut with);
            let invalid = || verify_body(registry, &copy).into_iter().next();
            found.breaks = match outcome {
                Err(message) => Some(message),
                Ok(Outcome::Folded(results)) => misfit(registry, body, op, &results),
                Ok(_) => invalid().map(|error| error.message),
            };
        }
        return found;
    };
    let mut found = explain_with(registry, body, pattern, op, Some(&mut state));
    if found.matches {
        // What a conversion leaves is valid at its end only.
        let mut with = Editing::new(patterns, &mut registers, anchor);
        with.conversion = Some(&mut state as &mut dyn Conversion);
        found.breaks = try_pattern(&mut rw, pattern, op, &mut with).err();
    }
    found
}

/// What is wrong with the types of what an op folds to. Where something is, the fold is passed over.
fn misfit(registry: &Registry, body: &Body, op: OpId, results: &[FoldResult]) -> Option<String> {
    body.results(op).zip(results).find_map(|(result, folded)| {
        let wanted = body.ty(result);
        let (given, shown) = match folded {
            FoldResult::Value(value) => (body.ty(*value), "a value".to_owned()),
            FoldResult::Attr(attr) => (attr.value_type()?, print_attr(registry, *attr)),
        };
        (given != wanted).then(|| {
            let (given, wanted) = (print_type(registry, given), print_type(registry, wanted));
            format!("it gives {shown} of type `{given}` for a result of type `{wanted}`")
        })
    })
}

pub(crate) fn explain_with(
    registry: &Registry,
    body: &Body,
    pattern: &Pattern,
    op: OpId,
    types: Option<&mut dyn Types>,
) -> Explanation {
    let mut explanation = Explanation {
        pattern: pattern.name().to_owned(),
        source: pattern.source().clone(),
        matches: false,
        breaks: None,
        failures: Vec::new(),
    };
    let name = body.name(op);
    if let Some(root) = pattern.root().filter(|&root| root != name) {
        explanation.failures.push(Failure {
            line: explanation.source.line,
            message: format!("the op is `{name}`, not `{root}`"),
            at: 0,
        });
        return explanation;
    }
    // A conversion looks at the op that it runs on, too.
    if matches!(pattern.kind, PatternKind::Rewrite | PatternKind::Fold)
        && types.is_none()
        && body.parent_op(op).is_none()
    {
        explanation.failures.push(Failure {
            line: explanation.source.line,
            message: format!("passes apply it to what is in an op, and `{name}` is in none"),
            at: 0,
        });
        return explanation;
    }
    if let [Inst::Rewrite { hook }] = pattern.code.insts.as_ref() {
        explanation.failures.push(Failure {
            line: explanation.source.line,
            message: format!("the hook `{hook}` decides on its own"),
            at: 0,
        });
        return explanation;
    }
    let mut failures = Vec::new();
    let types = types.map(|types| types as &mut dyn Types);
    let mut scope = Scope { registry, body, types, failures: Some(&mut failures) };
    let mut registers = Registers::default();
    explanation.matches =
        machine::run(&mut scope, &pattern.code, Bound::Op(op), &mut registers).is_some();
    explanation.failures = failures;
    for failure in &mut explanation.failures {
        if failure.line == 0 {
            failure.line = explanation.source.line;
        }
    }
    explanation
}

/// Notes why an instruction failed.
pub(crate) fn note(scope: &mut Scope<'_>, code: &Code, pc: usize, registers: &Registers) {
    let Some(inst) = code.insts.get(pc) else { return };
    // What failed in a round is the reason why the loop did.
    if let Inst::Each { lists, gather, .. } = inst
        && *gather != Gather::Any
        && crate::lists::rounds(scope.body, registers, lists).is_some()
    {
        if let Some(failure) = scope.failures.as_mut().and_then(|failures| failures.last_mut()) {
            failure.at = pc;
        }
        return;
    }
    let Some(message) = message(scope.registry, scope.body, inst, registers) else { return };
    let line = code.lines.get(pc).copied().unwrap_or(0);
    if let Some(failures) = &mut scope.failures {
        failures.push(Failure { line, message, at: pc });
    }
}

/// Why an instruction fails, as one sentence without a final stop.
pub(crate) fn message(
    registry: &Registry,
    body: &Body,
    inst: &Inst,
    r: &Registers,
) -> Option<String> {
    let show = |reg: &Reg| describe(registry, body, r.get(*reg));
    Some(match inst {
        Inst::Operand { .. } => "the op has another number of operands".to_owned(),
        Inst::Result { .. } => "the op has another number of results".to_owned(),
        Inst::Attr { name, .. } => format!("the attribute `{name}` is not there"),
        Inst::Def { value, name, .. } => {
            let defines = r.get(*value).value().and_then(|value| body.defining_op(value));
            match defines {
                Some(op) => format!("the value is defined by `{}`, not `{name}`", body.name(op)),
                None => format!("the value is a block argument, not the result of `{name}`"),
            }
        }
        Inst::Constant { value, .. } => match r.get(*value).value() {
            Some(value) if constant_of(registry, body, value).is_none() => {
                "the value is no constant".to_owned()
            }
            _ => "there is no value".to_owned(),
        },
        Inst::Parent { name, .. } if name.is_empty() => "no op is around the op".to_owned(),
        Inst::Parent { name, .. } => format!("the op around it is not `{name}`"),
        Inst::Ancestor { names, .. } if names.is_empty() => "no op is around the op".to_owned(),
        Inst::Ancestor { names, .. } => {
            format!("no op around it is `{}`", names.join("` or `"))
        }
        Inst::Earlier { names, .. } if names.is_empty() => "no op comes before".to_owned(),
        Inst::Earlier { names, .. } => {
            format!("no `{}` comes before", names.join("` or `"))
        }
        Inst::RegionOps { .. } => "the region has several blocks".to_owned(),
        Inst::SizeOf { .. } => "no value stands for the size".to_owned(),
        Inst::Check { reg, what, .. } => format!("{} is not {what}", show(reg)),
        Inst::IsOp { op, name } => match r.get(*op).op() {
            Some(op) => format!("the op is `{}`, not `{name}`", body.name(op)),
            None => format!("{} is not `{name}`", show(op)),
        },
        Inst::HasTrait { name, .. } => format!("the op does not have the trait `{name}`"),
        Inst::Same { a, b } => format!("{} and {} are not the same", show(a), show(b)),
        Inst::Precedes { .. } => "it does not come before".to_owned(),
        Inst::Splat { .. } => "the elements are not all the same".to_owned(),
        Inst::OneUse { .. } => "not just one operand uses the value".to_owned(),
        Inst::NoUse { .. } => "the value is used".to_owned(),
        Inst::Present { present: true, .. } => "it is not there".to_owned(),
        Inst::Present { present: false, .. } => "it is there".to_owned(),
        Inst::Compare { how, a, b } => {
            let sign = match how {
                Comparison::Eq => "==",
                Comparison::Ne => "!=",
                Comparison::Lt => "<",
                Comparison::Le => "<=",
                Comparison::Gt => ">",
                Comparison::Ge => ">=",
            };
            format!("{} {sign} {} does not hold", show(a), show(b))
        }
        Inst::Predicate { hook, expect, .. } => {
            format!("the predicate `{hook}` does not give {expect}")
        }
        Inst::Compute { hook, .. } => format!("the computation `{hook}` gives nothing"),
        Inst::Refuse { message } => message.to_string(),
        Inst::Fail => "a form that must not match does".to_owned(),
        Inst::Each { gather: Gather::Any, .. } => "no round of the list holds".to_owned(),
        Inst::Each { lists, .. } => {
            let lengths = lists.iter().map(|&list| {
                crate::lists::length(body, r.get(list)).map_or("?".to_owned(), |n| n.to_string())
            });
            let lengths: Vec<String> = lengths.collect();
            format!("the lists have {} elements", lengths.join(" and "))
        }
        Inst::Switch { .. } => "no case applies".to_owned(),
        Inst::SymbolNames { from, .. } => format!("{} is no reference to a symbol", show(from)),
        Inst::Item { list, index, .. } => no_element(body, r, *list, &(index + 1)),
        Inst::ItemAt { list, index, .. } => match integer(r.get(*index)) {
            Some((index, _)) => no_element(body, r, *list, &(index + 1)),
            None => format!("{} is no position in a list", show(index)),
        },
        Inst::Take { .. } => "the list has fewer elements".to_owned(),
        Inst::ConvertType { from, .. } => {
            format!("{} cannot be converted", show(from))
        }
        Inst::Derive { from, .. } => format!("no type follows from {}", show(from)),
        Inst::IntOf { from, ty, .. } => format!("{} does not fit {}", show(from), show(ty)),
        Inst::Shape { from, .. } => format!("{} has no shape", show(from)),
        Inst::WithShape { from, sizes, .. } => {
            format!("{} cannot have the shape {}", show(from), show(sizes))
        }
        Inst::BitWidth { from, .. } => format!("{} has no width in bits", show(from)),
        Inst::Dense { ty, list, .. } => {
            format!("{} cannot be the elements of {}", show(list), show(ty))
        }
        Inst::Arith { a, b, .. } => {
            format!("{} and {} cannot be computed with", show(a), show(b))
        }
        Inst::Param { from, name, .. } => format!("{} is not `{name}`", show(from)),
        _ => "something is not there".to_owned(),
    })
}

fn no_element(body: &Body, r: &Registers, list: Reg, number: &dyn Display) -> String {
    match crate::lists::length(body, r.get(list)) {
        Some(length) => {
            format!("the list has {length} elements, but element {number} is asked for")
        }
        None => "there is no list".to_owned(),
    }
}

/// How a message calls something that is bound.
fn describe(registry: &Registry, body: &Body, bound: &Bound) -> String {
    match bound {
        Bound::Value(value) => {
            format!("a value of type `{}`", print_type(registry, body.ty(*value)))
        }
        Bound::Attr(attr) => format!("`{}`", print_attr(registry, *attr)),
        Bound::Type(ty) => format!("`{}`", print_type(registry, *ty)),
        Bound::Types(types) => {
            let types: Vec<String> =
                types.iter().map(|&ty| format!("`{}`", print_type(registry, ty))).collect();
            format!("({})", types.join(", "))
        }
        Bound::Op(op) => format!("`{}`", body.name(*op)),
        Bound::Ops(ops) => format!("{} ops", ops.len()),
        Bound::Values(_) => format!("{} values", values_of(body, bound).len()),
        Bound::Absent => "what is absent".to_owned(),
    }
}
