//! Definitions that are installed over compiled ones.

use std::borrow::Cow;
use std::collections::BTreeSet;

use tegula_schema::{DialectDef, HookKind, OpDef, Source, Str};

use crate::{DialectEntry, Hooks, Registry, foreign};

/// Hooks that a definition names and that do not run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DisabledHooks {
    /// The op, type or attribute, by its full name.
    pub definition: String,
    /// Where the new definition stands.
    pub source: Source,
    /// Why they do not run.
    pub reason: DisabledReason,
    /// The hooks by name.
    pub hooks: Vec<String>,
}

/// Why hooks do not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DisabledReason {
    /// They were compiled for another definition of that name.
    Changed,
    /// No Rust was compiled under these names.
    Missing,
    /// The syntax of the definition is C++ for which nothing compiled stands in.
    Syntax,
    /// The verifiers of these ops of a dialect are C++ for which nothing compiled stands in.
    Unverified,
    /// The syntax of these definitions of a dialect is C++; the compiled ones stand in.
    StandIn,
}

impl Registry {
    /// Installs definitions that were read at run time over those of the same dialect.
    ///
    /// Hooks that were compiled for the dialect go on, but for those that a changed definition
    /// names: they may read slots that are elsewhere now. Prose and places do not count as a
    /// change, nor do patterns and passes, which have no compiled accessors. Definitions that name
    /// a hook which was never compiled are installed without it.
    ///
    /// Definitions for MLIR's own tools are completed by the compiled dialect of that name.
    pub fn install_live(&mut self, def: DialectDef) -> Vec<DisabledHooks> {
        if def.foreign {
            let (def, hooks, disabled) = foreign::complete(self, def);
            self.install(DialectEntry { def: Cow::Owned(def), hooks });
            return disabled;
        }
        let installed = self.dialect(&def.name);
        let mut hooks = installed.map(|d| d.hooks.clone()).unwrap_or_default();
        let old = installed.map(|d| &*d.def).filter(|old| old.schema_hash != def.schema_hash);
        let mut disabled: Vec<DisabledHooks> = Vec::new();
        let named = definitions(&def);
        let changed = |d: &&Definition| old.is_some_and(|old| d.differs(old, &def));
        let stale = named.iter().filter(changed);
        let mut complain = |definition: &Definition, reason, which: Vec<&Hook>| {
            // A format is read and printed under one name.
            let which: BTreeSet<&String> = which.into_iter().map(|(_, name)| name).collect();
            if !which.is_empty() {
                disabled.push(DisabledHooks {
                    definition: definition.name.clone(),
                    source: definition.source.clone(),
                    reason,
                    hooks: which.into_iter().cloned().collect(),
                });
            }
        };
        let mut lost: BTreeSet<Hook> = BTreeSet::new();
        for definition in stale {
            lost.extend(definition.hooks.iter().filter(|(kind, _)| reads_slots(*kind)).cloned());
        }
        for definition in &named {
            let (known, unknown) = definition.split(|kind, name| self.knows(&hooks, kind, name));
            let known = known.into_iter().filter(|hook| lost.contains(*hook));
            complain(definition, DisabledReason::Changed, known.collect());
            complain(definition, DisabledReason::Missing, unknown);
        }
        for (kind, name) in &lost {
            hooks.remove(*kind, name);
        }
        self.install(DialectEntry { def: Cow::Owned(def), hooks });
        disabled
    }

    /// Whether a hook is there for a dialect with these hooks. Predicates are looked for in all
    /// dialects, since constraints are used across them.
    fn knows(&self, hooks: &Hooks, kind: HookKind, name: &str) -> bool {
        hooks.has(kind, name)
            || (kind == HookKind::Predicate && self.dialects().any(|d| d.hooks.has(kind, name)))
    }
}

/// A hook by kind and name.
type Hook = (HookKind, String);

/// Calls its argument with every hook of a definition.
type Each<'a> = &'a dyn Fn(&mut dyn FnMut(HookKind, &str));

/// An op, type or attribute with the hooks that it names.
struct Definition {
    kind: DefinitionKind,
    name: String,
    source: Source,
    hooks: BTreeSet<Hook>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum DefinitionKind {
    Op(usize),
    Type(usize),
    Attr(usize),
}

/// The definitions of a dialect.
fn definitions(def: &DialectDef) -> Vec<Definition> {
    let collect = |each: Each<'_>| {
        let mut hooks = BTreeSet::new();
        each(&mut |kind, name| {
            hooks.insert((kind, name.to_owned()));
        });
        hooks
    };
    let ops = def.ops.iter().enumerate().map(|(at, op)| Definition {
        kind: DefinitionKind::Op(at),
        name: op.name.to_string(),
        source: op.source.clone(),
        hooks: collect(&|f| op.each_hook(f)),
    });
    let types = def.types.iter().enumerate().map(|(at, ty)| Definition {
        kind: DefinitionKind::Type(at),
        name: ty.name.to_string(),
        source: ty.source.clone(),
        hooks: collect(&|f| ty.each_hook(f)),
    });
    let attrs = def.attrs.iter().enumerate().map(|(at, attr)| Definition {
        kind: DefinitionKind::Attr(at),
        name: attr.name.to_string(),
        source: attr.source.clone(),
        hooks: collect(&|f| attr.each_hook(f)),
    });
    ops.chain(types).chain(attrs).collect()
}

impl Definition {
    /// Whether the dialect `old` defines this name otherwise than `new`, where it stands.
    fn differs(&self, old: &DialectDef, new: &DialectDef) -> bool {
        match self.kind {
            DefinitionKind::Op(at) => {
                let before = old.ops.iter().find(|o| o.name == self.name);
                before.is_some_and(|before| bare_op(before) != bare_op(&new.ops[at]))
            }
            DefinitionKind::Type(at) => {
                let (now, before) =
                    (&new.types[at], old.types.iter().find(|t| t.name == self.name));
                before.is_some_and(|b| (&b.params, &b.format) != (&now.params, &now.format))
            }
            DefinitionKind::Attr(at) => {
                let (now, before) =
                    (&new.attrs[at], old.attrs.iter().find(|a| a.name == self.name));
                before.is_some_and(|b| (&b.params, &b.format) != (&now.params, &now.format))
            }
        }
    }

    /// The hooks that are known and those that are not.
    fn split(&self, known: impl Fn(HookKind, &str) -> bool) -> (Vec<&Hook>, Vec<&Hook>) {
        self.hooks.iter().partition(|(kind, name)| known(*kind, name))
    }
}

/// Whether hooks of a kind read the slots of the definition that names them. Those that are given
/// a type or an attribute alone fit any definition.
fn reads_slots(kind: HookKind) -> bool {
    !matches!(kind, HookKind::Predicate | HookKind::DeriveType)
}

/// An op's definition without prose and place.
fn bare_op(op: &OpDef) -> OpDef {
    OpDef {
        summary: Str::Borrowed(""),
        description: Str::Borrowed(""),
        source: Source::default(),
        ..op.clone()
    }
}

impl Hooks {
    /// Whether a hook is there.
    fn has(&self, kind: HookKind, name: &str) -> bool {
        match kind {
            HookKind::Verify => self.verify.contains_key(name),
            HookKind::VerifySymbols => self.verify_symbols.contains_key(name),
            HookKind::Fold => self.fold.contains_key(name),
            HookKind::ParseOp => self.parse_op.contains_key(name),
            HookKind::PrintOp => self.print_op.contains_key(name),
            HookKind::ParseDirective => self.parse_directive.contains_key(name),
            HookKind::PrintDirective => self.print_directive.contains_key(name),
            HookKind::ParseParams => self.parse_params.contains_key(name),
            HookKind::PrintParams => self.print_params.contains_key(name),
            HookKind::ParseParamDirective => self.parse_param_directive.contains_key(name),
            HookKind::PrintParamDirective => self.print_param_directive.contains_key(name),
            HookKind::VerifyParams => self.verify_params.contains_key(name),
            HookKind::VerifyEncoding => self.verify_encoding.contains_key(name),
            HookKind::DeriveType => self.derive_type.contains_key(name),
            HookKind::ResultNames => self.result_names.contains_key(name),
            HookKind::RegionArgNames => self.region_arg_names.contains_key(name),
            HookKind::Predicate => self.predicate.contains_key(name),
        }
    }

    /// Takes a hook out.
    fn remove(&mut self, kind: HookKind, name: &str) {
        match kind {
            HookKind::Verify => drop(self.verify.remove(name)),
            HookKind::VerifySymbols => drop(self.verify_symbols.remove(name)),
            HookKind::Fold => drop(self.fold.remove(name)),
            HookKind::ParseOp => drop(self.parse_op.remove(name)),
            HookKind::PrintOp => drop(self.print_op.remove(name)),
            HookKind::ParseDirective => drop(self.parse_directive.remove(name)),
            HookKind::PrintDirective => drop(self.print_directive.remove(name)),
            HookKind::ParseParams => drop(self.parse_params.remove(name)),
            HookKind::PrintParams => drop(self.print_params.remove(name)),
            HookKind::ParseParamDirective => drop(self.parse_param_directive.remove(name)),
            HookKind::PrintParamDirective => drop(self.print_param_directive.remove(name)),
            HookKind::VerifyParams => drop(self.verify_params.remove(name)),
            HookKind::VerifyEncoding => drop(self.verify_encoding.remove(name)),
            HookKind::DeriveType => drop(self.derive_type.remove(name)),
            HookKind::ResultNames => drop(self.result_names.remove(name)),
            HookKind::RegionArgNames => drop(self.region_arg_names.remove(name)),
            HookKind::Predicate => drop(self.predicate.remove(name)),
        }
    }
}

#[cfg(test)]
mod tests {
    use tegula_schema::{Arity, ValueDef};

    use super::*;

    fn dialect(operands: usize, schema_hash: u64) -> DialectDef {
        let operands = vec![ValueDef { arity: Arity::One, ..ValueDef::default() }; operands];
        let op = OpDef {
            name: "t.a".into(),
            verifier: Some("a".into()),
            operands: operands.into(),
            ..OpDef::default()
        };
        let other = OpDef { name: "t.b".into(), verifier: Some("b".into()), ..OpDef::default() };
        DialectDef {
            name: "t".into(),
            schema_hash,
            ops: vec![op, other].into(),
            ..DialectDef::default()
        }
    }

    fn registry() -> Registry {
        let mut hooks = Hooks::default();
        hooks.verify.insert("a", |_, _, _| Ok(()));
        hooks.verify.insert("b", |_, _, _| Ok(()));
        Registry::new([DialectEntry { def: Cow::Owned(dialect(1, 1)), hooks }])
    }

    #[test]
    fn an_unchanged_definition_keeps_its_hooks() {
        let mut registry = registry();
        assert_eq!(registry.install_live(dialect(1, 1)), []);
        assert_eq!(registry.dialect("t").map(|d| d.hooks.verify.len()), Some(2));
    }

    #[test]
    fn a_changed_definition_loses_its_own_hooks_only() {
        let mut registry = registry();
        let disabled = registry.install_live(dialect(2, 2));
        assert_eq!(disabled.len(), 1);
        assert_eq!(
            (disabled[0].definition.as_str(), &disabled[0].hooks[..]),
            ("t.a", &["a".to_owned()][..])
        );
        assert_eq!(disabled[0].reason, DisabledReason::Changed);
        let hooks = registry.dialect("t").map(|d| d.hooks.verify.contains_key("b"));
        assert_eq!(hooks, Some(true));
        assert_eq!(registry.dialect("t").map(|d| d.hooks.verify.len()), Some(1));
    }
    #[test]
    fn a_hook_that_was_never_compiled_is_told_and_the_definition_installed() {
        let mut registry = Registry::default();
        let disabled = registry.install_live(dialect(1, 1));
        let told: Vec<_> = disabled.iter().map(|d| (d.definition.as_str(), d.reason)).collect();
        assert_eq!(told, [("t.a", DisabledReason::Missing), ("t.b", DisabledReason::Missing)]);
        assert!(registry.op(crate::OpName::of("t.a")).is_some());
    }
}
