//! Definitions that are installed over compiled ones.

use std::borrow::Cow;
use std::collections::BTreeSet;

use tegula_schema::{DialectDef, HookKind, OpDef, Source, Str};

use crate::{DialectEntry, Hooks, Registry};

/// Hooks that no longer fit a definition and do not run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DisabledHooks {
    /// The op, type or attribute that changed, by its full name.
    pub definition: String,
    /// Where the new definition stands.
    pub source: Source,
    /// The hooks by name.
    pub hooks: Vec<String>,
}

impl Registry {
    /// Installs definitions that were read at run time over those of the same dialect.
    ///
    /// Hooks that were compiled for the dialect go on, but for those that a changed definition
    /// names: they may read slots that are elsewhere now. Prose and places do not count as a
    /// change, nor do patterns and passes, which have no compiled accessors.
    pub fn install_live(&mut self, def: DialectDef) -> Vec<DisabledHooks> {
        let mut hooks = Hooks::default();
        let mut disabled = Vec::new();
        if let Some(installed) = self.dialect(&def.name) {
            hooks = installed.hooks.clone();
            if installed.def.schema_hash != def.schema_hash {
                disabled = changed(&installed.def, &def);
            }
        }
        for entry in &disabled {
            for (kind, name) in &entry.1 {
                hooks.remove(*kind, name);
            }
        }
        self.install(DialectEntry { def: Cow::Owned(def), hooks });
        let named = disabled.into_iter().filter(|(_, hooks)| !hooks.is_empty());
        named
            .map(|((definition, source), hooks)| DisabledHooks {
                definition,
                source,
                hooks: hooks.into_iter().map(|(_, name)| name).collect(),
            })
            .collect()
    }
}

type Changed = ((String, Source), BTreeSet<(HookKind, String)>);

/// The definitions of `new` that differ from those of the same name in `old`, with their hooks.
fn changed(old: &DialectDef, new: &DialectDef) -> Vec<Changed> {
    let mut out: Vec<Changed> = Vec::new();
    for op in new.ops.iter() {
        let before = old.ops.iter().find(|o| o.name == op.name);
        if before.is_some_and(|before| bare_op(before) != bare_op(op)) {
            let mut hooks = BTreeSet::new();
            op.each_hook(&mut |kind, name| {
                hooks.insert((kind, name.to_owned()));
            });
            out.push(((op.name.to_string(), op.source.clone()), hooks));
        }
    }
    for ty in new.types.iter() {
        let before = old.types.iter().find(|t| t.name == ty.name);
        if before.is_some_and(|b| (&b.params, &b.format) != (&ty.params, &ty.format)) {
            let mut hooks = BTreeSet::new();
            ty.each_hook(&mut |kind, name| {
                hooks.insert((kind, name.to_owned()));
            });
            out.push(((ty.name.to_string(), ty.source.clone()), hooks));
        }
    }
    for attr in new.attrs.iter() {
        let before = old.attrs.iter().find(|a| a.name == attr.name);
        if before.is_some_and(|b| (&b.params, &b.format) != (&attr.params, &attr.format)) {
            let mut hooks = BTreeSet::new();
            attr.each_hook(&mut |kind, name| {
                hooks.insert((kind, name.to_owned()));
            });
            out.push(((attr.name.to_string(), attr.source.clone()), hooks));
        }
    }
    out
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
    /// Takes a hook out.
    fn remove(&mut self, kind: HookKind, name: &str) {
        match kind {
            HookKind::Verify => drop(self.verify.remove(name)),
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
        let hooks = registry.dialect("t").map(|d| d.hooks.verify.contains_key("b"));
        assert_eq!(hooks, Some(true));
        assert_eq!(registry.dialect("t").map(|d| d.hooks.verify.len()), Some(1));
    }
}
