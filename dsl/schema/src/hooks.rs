//! The hooks that tables name.

use crate::{
    AttrKindDef, Constraint, Derivation, DialectDef, Format, FormatElem, Inst, NameHint, OpDef,
    ParamFormat, Pred, Str, TypeDef, TypeRule,
};

/// What a hook does. Names are unique in a kind, not across kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HookKind {
    /// Verifies an op.
    Verify,
    /// Verifies the symbols that an op names.
    VerifySymbols,
    /// Folds an op.
    Fold,
    /// Reads the custom form of an op.
    ParseOp,
    /// Prints the custom form of an op.
    PrintOp,
    /// Reads a directive of an op's format.
    ParseDirective,
    /// Prints a directive of an op's format.
    PrintDirective,
    /// Reads the parameters of a type or attribute.
    ParseParams,
    /// Prints the parameters of a type or attribute.
    PrintParams,
    /// Reads a directive of a type's or attribute's format.
    ParseParamDirective,
    /// Prints a directive of a type's or attribute's format.
    PrintParamDirective,
    /// Verifies the parameters of a type or attribute together.
    VerifyParams,
    /// Verifies a type that has the attribute as its encoding or layout.
    VerifyEncoding,
    /// Derives a type.
    DeriveType,
    /// Names results in text.
    ResultNames,
    /// Names region arguments in text.
    RegionArgNames,
    /// Decides a predicate.
    Predicate,
}

impl DialectDef {
    /// Calls `f` with every hook that the dialect's tables name; a hook may come more than once.
    pub fn each_hook(&self, f: &mut dyn FnMut(HookKind, &str)) {
        self.ops.iter().for_each(|op| op.each_hook(f));
        self.types.iter().for_each(|ty| ty.each_hook(f));
        self.attrs.iter().for_each(|attr| attr.each_hook(f));
        self.patterns.iter().for_each(|pattern| code(&pattern.code, f));
        for converter in self.converters.iter() {
            converter.rules.iter().for_each(|rule| code(&rule.code, f));
            converter.casts.iter().for_each(|cast| code(&cast.code, f));
        }
    }
}

/// Hooks of constraints and derivations that a program applies. Hooks that only patterns know
/// (computations, builders) are another table, that of the rewriter.
fn code(insts: &[Inst], f: &mut dyn FnMut(HookKind, &str)) {
    for inst in insts {
        match inst {
            Inst::Check { pred: subject, .. } => pred(subject, f),
            Inst::Derive { how: Derivation::Hook(name), .. } => f(HookKind::DeriveType, name),
            Inst::Each { body, .. } => code(&body.code, f),
            Inst::Switch { cases, .. } => {
                for case in cases.iter() {
                    code(&case.test.code, f);
                    code(&case.then.code, f);
                }
            }
            _ => {}
        }
    }
}

impl OpDef {
    /// Calls `f` with every hook that the op names.
    pub fn each_hook(&self, f: &mut dyn FnMut(HookKind, &str)) {
        option(&self.verifier, HookKind::Verify, f);
        option(&self.symbol_verifier, HookKind::VerifySymbols, f);
        option(&self.folder, HookKind::Fold, f);
        match &self.format {
            Format::Generic => {}
            Format::Hook(name) => {
                f(HookKind::ParseOp, name);
                f(HookKind::PrintOp, name);
            }
            Format::Program(elems) => {
                let kinds = [HookKind::ParseDirective, HookKind::PrintDirective];
                directives(elems, kinds, f);
            }
        }
        for (hints, kind) in [
            (&self.result_names, HookKind::ResultNames),
            (&self.region_arg_names, HookKind::RegionArgNames),
        ] {
            for hint in hints.iter() {
                if let NameHint::Hook(name) = hint {
                    f(kind, name);
                }
            }
        }
        for rule in self.type_rules.iter() {
            if let TypeRule::Derived { how: Derivation::Hook(name), .. } = rule {
                f(HookKind::DeriveType, name);
            }
        }
        for value in self.operands.iter().chain(self.results.iter()) {
            constraint(&value.constraint, f);
        }
        self.attrs.iter().for_each(|attr| constraint(&attr.constraint, f));
    }
}

impl TypeDef {
    /// Calls `f` with every hook that the type names.
    pub fn each_hook(&self, f: &mut dyn FnMut(HookKind, &str)) {
        params(&self.format, &self.verifier, f);
    }
}

impl AttrKindDef {
    /// Calls `f` with every hook that the attribute names.
    pub fn each_hook(&self, f: &mut dyn FnMut(HookKind, &str)) {
        option(&self.encoding_verifier, HookKind::VerifyEncoding, f);
        params(&self.format, &self.verifier, f);
    }
}

fn option(name: &Option<Str>, kind: HookKind, f: &mut dyn FnMut(HookKind, &str)) {
    if let Some(name) = name {
        f(kind, name);
    }
}

fn params(format: &ParamFormat, verifier: &Option<Str>, f: &mut dyn FnMut(HookKind, &str)) {
    option(verifier, HookKind::VerifyParams, f);
    match format {
        ParamFormat::None => {}
        ParamFormat::Hook(name) => {
            f(HookKind::ParseParams, name);
            f(HookKind::PrintParams, name);
        }
        ParamFormat::Program(elems) => {
            let kinds = [HookKind::ParseParamDirective, HookKind::PrintParamDirective];
            directives(elems, kinds, f);
        }
    }
}

fn directives(elems: &[FormatElem], kinds: [HookKind; 2], f: &mut dyn FnMut(HookKind, &str)) {
    for elem in elems {
        match elem {
            FormatElem::Custom(name, _) => kinds.iter().for_each(|kind| f(*kind, name)),
            FormatElem::Optional { then, otherwise, .. } => {
                directives(then, kinds, f);
                directives(otherwise, kinds, f);
            }
            FormatElem::OiList(clauses) => {
                clauses.iter().for_each(|clause| directives(&clause.elems, kinds, f));
            }
            _ => {}
        }
    }
}

fn constraint(constraint: &Constraint, f: &mut dyn FnMut(HookKind, &str)) {
    pred(&constraint.pred, f);
}

fn pred(subject: &Pred, f: &mut dyn FnMut(HookKind, &str)) {
    match subject {
        Pred::Hook(name) => f(HookKind::Predicate, name),
        Pred::And(preds)
        | Pred::Or(preds)
        | Pred::Not(preds)
        | Pred::ElementType(preds)
        | Pred::Param(_, preds)
        | Pred::AttrType(preds)
        | Pred::TypeAttrOf(preds)
        | Pred::ArrayOf(preds) => preds.iter().for_each(|p| pred(p, f)),
        _ => {}
    }
}
