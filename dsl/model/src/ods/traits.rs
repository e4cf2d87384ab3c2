//! Traits as MLIR's own files name them.

use std::borrow::Cow;

use tegula_record::Record;
use tegula_schema::{Derivation, Slot, Str, TraitDef, TypeRule};

use super::cpp::{self, Expr, last};
use crate::cx::{Cx, Get};

/// Traits that equate the types of what they name, in the field `values`.
const MATCHES: &[&str] = &["AllTypesMatch", "AllElementTypesMatch", "AllShapesMatch"];

impl<'a> Cx<'a> {
    /// A trait by the name that ours has; none for what is not understood.
    pub(crate) fn ods_trait(&mut self, record: &'a Record) -> Option<TraitDef> {
        let named = |name: &str, args: Vec<Str>| {
            Some(TraitDef { name: Cow::Owned(name.to_owned()), args: Cow::Owned(args) })
        };
        let text = record.text("trait").unwrap_or_default();
        if record.isa("SingleBlockImplicitTerminatorImpl") {
            return named("SingleBlockImplicitTerminator", self.ops_of(text)?);
        }
        if record.isa("ParentOneOf") || record.isa("HasParent") {
            let ops = self.ops_of(text)?;
            return named(if ops.len() == 1 { "HasParent" } else { "ParentOneOf" }, ops);
        }
        if let Some(class) = MATCHES.iter().find(|class| record.isa(class)) {
            return named(class, record.strs("values"));
        }
        if record.isa("TypesMatchWith") {
            return named("TypesMatchWith", vec![record.str("lhs"), record.str("rhs")]);
        }
        if record.isa("SideEffectsTraitBase") && record.anonymous {
            let effects = self.ods_effects(record, "effects");
            let words = [(1, "read"), (2, "write"), (4, "alloc"), (8, "free")];
            let words = words.iter().filter(|(bit, _)| effects.0 & bit != 0);
            return match words.map(|(_, word)| Cow::Borrowed(*word)).collect::<Vec<Str>>() {
                none if none.is_empty() => named("NoMemoryEffect", none),
                some => named("MemoryEffects", some),
            };
        }
        if record.isa("PredTrait") {
            let summary = record.text("summary").unwrap_or_default();
            self.untranslated(&format!("the trait that {summary}"));
            return None;
        }
        if let Some(class) = record.text("cppInterfaceName").filter(|_| record.anonymous) {
            // Declared methods are an interface, which has a name of its own.
            let records = self.records;
            let interface = records
                .derived("Interface")
                .find(|i| !i.anonymous && i.text("cppInterfaceName") == Some(class));
            return named(interface.map_or(class, |i| &i.name), Vec::new());
        }
        if !record.anonymous {
            return named(&record.name, Vec::new());
        }
        named(last(text.split('<').next().unwrap_or(text)), Vec::new())
    }

    /// The names of the ops whose C++ classes are the arguments of a trait.
    fn ops_of(&mut self, text: &str) -> Option<Vec<Str>> {
        let args = text.split_once('<').and_then(|(_, rest)| rest.rsplit_once('>'));
        let classes = args.map_or("", |(args, _)| args).split(',').map(str::trim);
        let mut ops = Vec::new();
        for class in classes {
            match self.op_of(class) {
                Some(op) => ops.push(Cow::Owned(op)),
                None => {
                    self.untranslated(&format!("the trait `{text}`"));
                    return None;
                }
            }
        }
        Some(ops)
    }

    /// The name of the op of a C++ class: that of its definition behind the first `_`.
    fn op_of(&self, class: &str) -> Option<String> {
        let name = last(class);
        let records = self.records;
        let of_class = |op: &&std::sync::Arc<Record>| {
            let (_, rest) = op.name.split_once('_').unwrap_or(("", &op.name));
            rest == name || &*op.name == name
        };
        let namespace = class.strip_suffix(name).unwrap_or_default().trim_end_matches("::");
        let mut found = records
            .derived("Op")
            .filter(of_class)
            .filter(|op| op.text("cppNamespace").is_some_and(|of| of.ends_with(namespace)));
        let op = match (found.next(), found.next()) {
            (Some(only), None) => only,
            (None, _) if name == "ModuleOp" => return Some("builtin.module".to_owned()),
            _ => return None,
        };
        let dialect = self.field_def(op, "opDialect")?.text("name")?;
        Some(format!("{dialect}.{}", op.text("opName")?))
    }

    /// The equation that a `TypesMatchWith` states.
    pub(crate) fn ods_match(
        &mut self,
        record: &'a Record,
        from: Slot,
        to: Slot,
    ) -> Option<TypeRule> {
        let text = record.text("transformer").unwrap_or_default();
        let how = match cpp::parse(text) {
            Some(Expr::Name(name)) if name == "$_self" => match from {
                Slot::Attr(_) => Some(Derivation::AttrType),
                _ => return Some(TypeRule::Same(Cow::Owned(vec![from, to]))),
            },
            Some(Expr::Call(name, _, _)) if name == "getI1SameShape" => Some(Derivation::BoolOf),
            Some(Expr::Call(name, _, _)) if name == "getElementTypeOrSelf" => {
                Some(Derivation::ElementType)
            }
            Some(Expr::Method(of, method, _, args)) if args.is_empty() => match *of {
                Expr::Call(cast, types, args) if cast == "cast" && is_self(&args) => {
                    let param = super::snake(method.strip_prefix("get").unwrap_or_default());
                    let class = types.first().and_then(|class| self.defined_class(class));
                    let has =
                        class.and_then(|class| class.graph("parameters")).is_some_and(|dag| {
                            dag.args.iter().any(|arg| arg.name.as_deref() == Some(&param))
                        });
                    match method.as_str() {
                        _ if has => Some(Derivation::Param(Cow::Owned(param))),
                        "getElementType" => Some(Derivation::ElementType),
                        _ => None,
                    }
                }
                _ => None,
            },
            _ => None,
        };
        let Some(how) = how else {
            self.untranslated(&format!("the type `{text}`"));
            return None;
        };
        let summary = record.str("summary");
        Some(TypeRule::Derived { from, to, how, summary })
    }
}

fn is_self(args: &[Expr]) -> bool {
    matches!(args, [Expr::Name(name)] if name == "$_self")
}
