//! Constraints and predicates.

use std::borrow::Cow;

use tegula_diag::Span;
use tegula_record::{Record, Value};
use tegula_schema::{AttrDef, Constraint, ParamKind, Pred, Signedness};

use crate::cx::{Cx, Get};
use crate::{default_value, ods};

/// Constraints may refer to each other; a chain longer than this is a cycle.
const MAX_DEPTH: u32 = 64;

impl<'a> Cx<'a> {
    /// The full name of a dialect type or attribute: `stream.resource`.
    pub(crate) fn full_name(&self, record: &Record) -> Option<String> {
        let dialect = self.field_def(record, "dialect")?.text("name")?;
        Some(format!("{dialect}.{}", record.text("mnemonic")?))
    }

    /// A type or attribute constraint.
    pub(crate) fn constraint(&mut self, record: &'a Record) -> Constraint {
        let pred = self.pred_of_constraint(record, record.span, 0);
        let buildable = self.buildable(record);
        let mut summary = record.text("summary").unwrap_or_default().to_owned();
        if summary.is_empty() {
            summary = match self.full_name(record) {
                Some(full) if record.isa("TypeDef") => format!("!{full}"),
                Some(full) if record.isa("AttrDef") => format!("#{full}"),
                _ => record.def_name().to_owned(),
            };
        }
        Constraint {
            name: Cow::Owned(record.def_name().to_owned()),
            summary: Cow::Owned(summary),
            pred,
            buildable: buildable.map(Cow::Owned),
        }
    }

    /// The one type that satisfies a constraint, in MLIR text.
    fn buildable(&self, record: &Record) -> Option<String> {
        if record.isa("TypeDef") {
            let params = record.graph("parameters").map_or(0, |dag| dag.args.len());
            return (params == 0).then(|| self.full_name(record).map(|full| format!("!{full}")))?;
        }
        record.text("typeText").map(str::to_owned).or_else(|| self.ods_buildable(record))
    }

    fn pred_of_constraint(&mut self, record: &'a Record, span: Span, depth: u32) -> Pred {
        if depth > MAX_DEPTH {
            let message = format!("the constraint `{}` requires itself", record.name);
            self.error("constraint-cycle", message, span);
            return Pred::Any;
        }
        // The kinds of the builtin dialect are told by their classes.
        if !ods::is_builtin(self, record) && record.isa("TypeDef") {
            return match self.full_name(record) {
                Some(full) => Pred::TypeKind(Cow::Owned(full)),
                None => Pred::Any,
            };
        }
        if !ods::is_builtin(self, record) && record.isa("AttrDef") {
            return match self.full_name(record) {
                Some(full) => Pred::AttrKind(Cow::Owned(full)),
                None => Pred::Any,
            };
        }
        match self.field_def(record, "predicate") {
            Some(pred) => self.pred(pred, span, depth + 1),
            None => Pred::Any,
        }
    }

    fn pred(&mut self, record: &'a Record, span: Span, depth: u32) -> Pred {
        if depth > MAX_DEPTH {
            self.error("predicate-depth", "the predicate is nested too deeply", span);
            return Pred::Any;
        }
        if self.ods {
            return self.ods_pred(record);
        }
        let has = |class: &str| record.isa(class);
        if has("Satisfies") {
            return match self.field_def(record, "constraint") {
                Some(constraint) => self.pred_of_constraint(constraint, span, depth),
                None => Pred::Any,
            };
        }
        let int = |field: &str| record.number(field).unwrap_or(0);
        let number = |field: &str| u32::try_from(int(field).max(0)).unwrap_or(u32::MAX);
        if has("And") {
            return and(self.children(record, span, depth));
        }
        if has("Or") {
            return or(self.children(record, span, depth));
        }
        if has("Neg") {
            return Pred::Not(Cow::Owned(self.children(record, span, depth)));
        }
        if has("IsTypeKind") {
            return Pred::TypeKind(record.str("kind"));
        }
        if has("IsTypeText") {
            return Pred::TypeText(record.str("text"));
        }
        if has("IsInteger") {
            let sign = match record.text("sign").unwrap_or_default() {
                "signless" => Some(Signedness::Signless),
                "signed" => Some(Signedness::Signed),
                "unsigned" => Some(Signedness::Unsigned),
                "" => None,
                other => {
                    let message = format!(
                        "`{other}` is no signedness: `signless`, `signed`, `unsigned`, or nothing"
                    );
                    self.error("predicate-sign", message, span);
                    None
                }
            };
            return Pred::Integer { width: number("width"), sign };
        }
        if has("IsFloat") {
            return Pred::Float { width: number("width") };
        }
        if has("ElementTypeIs") {
            return Pred::ElementType(Cow::Owned(self.children(record, span, depth)));
        }
        if has("HasRankOf") {
            return Pred::Rank(record.items("ranks").iter().filter_map(Value::as_int).collect());
        }
        if has("ParamIs") {
            let children = self.children(record, span, depth);
            return Pred::Param(record.str("param"), Cow::Owned(children));
        }
        if has("IsAttrKind") {
            return Pred::AttrKind(record.str("kind"));
        }
        if has("AttrTypeIs") {
            return Pred::AttrType(Cow::Owned(self.children(record, span, depth)));
        }
        if has("TypeAttrIs") {
            return Pred::TypeAttrOf(Cow::Owned(self.children(record, span, depth)));
        }
        if has("EachElement") {
            return Pred::ArrayOf(Cow::Owned(self.children(record, span, depth)));
        }
        if has("IntInRange") {
            return Pred::IntRange(int("min"), int("max"));
        }
        if has("LengthInRange") {
            return Pred::Length(number("min"), number("max"));
        }
        if has("IsDenseArrayOf") {
            return Pred::DenseArrayOf(record.str("element"));
        }
        if has("IsAttrText") {
            return Pred::AttrText(record.str("text"));
        }
        if has("IsEnumCase") {
            return Pred::EnumCase(record.str("enumName"));
        }
        if has("PredHook") {
            return Pred::Hook(record.str("hook"));
        }
        match record.name.as_ref() {
            "TruePred" => Pred::Any,
            "HasRankPred" => Pred::HasRank,
            "HasStaticShapePred" => Pred::StaticShape,
            "HasPlainLayoutPred" => Pred::PlainLayout,
            other => {
                let message = format!("the predicate `{other}` is none that the prelude defines");
                self.error("unknown-predicate", message, span);
                Pred::Any
            }
        }
    }

    fn children(&mut self, record: &'a Record, span: Span, depth: u32) -> Vec<Pred> {
        let children = self.field_defs(record, "children");
        children.into_iter().map(|child| self.pred(child, span, depth + 1)).collect()
    }

    /// An attribute of an op: the constraint, how it is written, what stands for an absent one.
    pub(crate) fn attr(&mut self, name: &str, record: &'a Record, span: Span) -> AttrDef {
        let base = self.base_attr(record);
        let mut constraint = self.constraint(record);
        if constraint.name.is_empty() {
            constraint.name = Cow::Owned(base.def_name().to_owned());
        }
        let elided = !self.ods || self.ods_elides_type(base);
        let value_type = self
            .field_def(record, "valueType")
            .filter(|_| elided)
            .and_then(|ty| self.buildable(ty))
            .unwrap_or_default();
        let kind = if base.isa("AttrDef") {
            ParamKind::AttrOf(Cow::Owned(self.full_name(base).unwrap_or_default()))
        } else if self.ods {
            self.ods_bare_kind(base)
        } else {
            self.bare_kind(record, span)
        };
        let mut default = record.text("defaultValue").map(str::to_owned);
        let mut optional = record.flag("isOptional");
        if let Some(value) = default.as_ref().filter(|_| self.ods) {
            // A unit attribute that is false is one that is not there.
            let unit = base.text("storageType").is_some_and(|s| s.contains("UnitAttr"));
            let known = if unit { None } else { self.ods_default(&value.clone(), &kind) };
            if known.is_none() && !unit {
                self.untranslated.defaulted.push(name.to_owned());
            }
            optional |= known.is_none();
            default = known;
        }
        let default = default.as_deref().map(|value| {
            let number = match &kind {
                ParamKind::Enum(name) => self.enum_value(name, value),
                _ => None,
            };
            let value = number.map_or_else(|| value.to_owned(), |number| number.to_string());
            default_value::of_attr(&value, &kind, &value_type)
        });
        AttrDef {
            name: Cow::Owned(name.to_owned()),
            constraint,
            kind,
            value_type: Cow::Owned(value_type),
            optional,
            default: default.map(Cow::Owned),
        }
    }

    /// The attribute that `OptionalAttr`, `DefaultValuedAttr` and `ConfinedAttr` wrap.
    fn base_attr(&self, record: &'a Record) -> &'a Record {
        let mut base = record;
        for _ in 0..MAX_DEPTH {
            match self.field_def(base, "baseAttr") {
                Some(inner) => base = inner,
                None => break,
            }
        }
        base
    }

    fn bare_kind(&mut self, record: &Record, span: Span) -> ParamKind {
        let bare = record.text("bare").unwrap_or_default();
        match bare.split_once(':').unwrap_or((bare, "")) {
            ("attr" | "", _) => ParamKind::Attr,
            ("type", _) => ParamKind::Type,
            ("string", _) => ParamKind::String,
            ("symbol-name", _) => ParamKind::SymbolName,
            ("enum", name) => ParamKind::Enum(Cow::Owned(name.to_owned())),
            ("dense", element) => ParamKind::DenseArray(Cow::Owned(element.to_owned())),
            ("of", kind) => ParamKind::AttrOf(Cow::Owned(kind.to_owned())),
            _ => {
                let message = format!("`{bare}` is no way to write an attribute");
                self.error("attr-bare", message, span);
                ParamKind::Attr
            }
        }
    }

    /// The number of an enum's case, given by keyword or symbol.
    pub(crate) fn enum_value(&self, name: &str, case: &str) -> Option<i64> {
        let info = self.enum_record(name)?;
        let cases = self.field_defs(info, "enumerants");
        let value = |case: &str| {
            let is = |c: &&Record| {
                c.text("keyword").or(c.text("str")) == Some(case) || c.text("symbol") == Some(case)
            };
            cases.iter().copied().find(is)?.number("value")
        };
        if !info.flag("isBitEnum") && !info.isa("BitEnumBase") {
            return value(case);
        }
        // Cases of a bit enum may be joined.
        let parts = case.split(info.text("separator")?.trim());
        parts.map(|part| value(part.trim())).try_fold(0, |bits, part| Some(bits | part?))
    }

    /// The enum of that class name.
    pub(crate) fn enum_record(&self, name: &str) -> Option<&'a Record> {
        let records = self.records;
        let all = records.derived("EnumInfo").chain(records.derived("EnumAttrInfo"));
        all.into_iter().find(|r| r.text("className") == Some(name)).map(|r| &**r)
    }
}

pub(crate) fn and(preds: Vec<Pred>) -> Pred {
    let mut flat = Vec::new();
    for pred in preds {
        match pred {
            Pred::Any => {}
            Pred::And(inner) => flat.extend(inner.into_owned()),
            other => flat.push(other),
        }
    }
    let mut preds = flat;
    match preds.len() {
        0 => Pred::Any,
        1 => preds.remove(0),
        _ => Pred::And(Cow::Owned(preds)),
    }
}

pub(crate) fn or(mut preds: Vec<Pred>) -> Pred {
    if preds.contains(&Pred::Any) {
        return Pred::Any;
    }
    match preds.len() {
        1 => preds.remove(0),
        _ => Pred::Or(Cow::Owned(preds)),
    }
}
