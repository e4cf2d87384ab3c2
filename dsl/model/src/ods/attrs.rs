//! Attributes, parameters, regions and builders as MLIR's own files describe them.

use std::borrow::Cow;

use tegula_diag::Diagnostic;
use tegula_record::{Record, Value};
use tegula_schema::{AttrDef, Constraint, Effects, ParamKind, Pred};

use super::cpp::{self, Expr, last};
use super::kinds::{dense_array, float_text};
use crate::cx::{Cx, Get};

impl<'a> Cx<'a> {
    /// The one type that `$_builder` makes for a constraint, in MLIR text.
    pub(crate) fn ods_buildable(&self, record: &Record) -> Option<String> {
        let call: String = record.text("builderCall")?.split_whitespace().collect();
        let call = call.replace("/*isSigned=*/", "");
        let (name, args) =
            call.strip_prefix("$_builder.get")?.strip_suffix(')')?.split_once('(')?;
        if name == "IntegerType" {
            let (width, signed) = args.split_once(',').unwrap_or((args, ""));
            let sign = match signed {
                "" => "i",
                "true" => "si",
                _ => "ui",
            };
            return width.parse::<u32>().is_ok().then(|| format!("{sign}{width}"));
        }
        if let Some(class) = name.strip_prefix("Type<") {
            let class = class.strip_suffix('>')?;
            if last(class) == "NoneType" {
                return Some("none".to_owned());
            }
            if let Some(text) = float_text(last(class)) {
                return Some(text);
            }
            return match self.kind(class)? {
                Pred::TypeKind(kind) if kind.contains('.') => Some(format!("!{kind}")),
                _ => None,
            };
        }
        let stem = name.strip_suffix("Type").filter(|_| args.is_empty())?;
        match stem {
            "Index" | "F16" | "F32" | "F64" | "F80" | "F128" | "BF16" | "TF32" | "None" => {
                Some(stem.to_lowercase())
            }
            _ => None,
        }
    }

    /// How a format reads and prints an attribute bare.
    pub(crate) fn ods_bare_kind(&self, base: &Record) -> ParamKind {
        let storage = last(base.text("storageType").unwrap_or_default());
        if base.isa("EnumAttrInfo") {
            return ParamKind::Enum(base.str("className"));
        }
        match storage {
            "StringAttr" if &*base.name == "SymbolNameAttr" => ParamKind::SymbolName,
            "StringAttr" => ParamKind::String,
            "TypeAttr" => ParamKind::Type,
            _ => match dense_array(storage) {
                Some(element) => ParamKind::DenseArray(Cow::Borrowed(element)),
                None => ParamKind::Attr,
            },
        }
    }

    /// Whether a format leaves out the type of an attribute, which its constraint fixes.
    pub(crate) fn ods_elides_type(&self, base: &Record) -> bool {
        let storage = last(base.text("storageType").unwrap_or_default());
        matches!(storage, "IntegerAttr" | "FloatAttr" | "BoolAttr")
    }

    /// A default value, which is a C++ expression, in the short form of a format. None for what is
    /// not understood.
    pub(crate) fn ods_default(&mut self, value: &str, kind: &ParamKind) -> Option<String> {
        let value = value.trim();
        let plain = value.parse::<f64>().is_ok()
            || matches!(value, "true" | "false")
            || (value.starts_with('"') && value.ends_with('"') && value.len() > 1);
        if plain {
            return Some(value.to_owned());
        }
        if matches!(kind, ParamKind::DenseArray(_) | ParamKind::Array(_)) && value == "{}" {
            return Some("[]".to_owned());
        }
        let case = match kind {
            ParamKind::Enum(name) => {
                let cases = value.split('|').map(|case| self.symbol_keyword(name, last(case)));
                cases.collect::<Option<Vec<_>>>().map(|cases| cases.join("|"))
            }
            ParamKind::AttrOf(full) => self
                .enum_of_attr(full)
                .and_then(|class| Some(format!("<{}>", self.symbol_keyword(&class, last(value))?))),
            _ => None,
        };
        if case.is_none() {
            self.untranslated(&format!("the default `{value}`"));
        }
        case
    }

    /// A property of an op as the attribute that it is in generic form.
    pub(crate) fn ods_property(&mut self, name: &str, record: &'a Record) -> AttrDef {
        let mut base = record;
        while let Some(inner) = self.field_def(base, "baseProperty").filter(|b| b.name != base.name)
        {
            base = inner;
        }
        let integer =
            |width: &str| (ParamKind::Attr, Pred::AttrKind("integer".into()), width.to_owned());
        let storage = last(base.text("storageType").unwrap_or_default());
        let info = self.field_def(base, "enum").or(self.field_def(base, "enumInfo"));
        let known = match (info, storage) {
            (Some(info), _) => {
                let width = info.number("bitwidth").unwrap_or(32);
                let kind = ParamKind::Enum(info.str("className"));
                Some((kind, Pred::AttrKind("integer".into()), format!("i{width}")))
            }
            _ if &*base.name == "UnitProp" => {
                Some((ParamKind::Attr, Pred::AttrKind("unit".into()), String::new()))
            }
            (_, "int64_t" | "uint64_t") => Some(integer("i64")),
            (_, "int32_t" | "uint32_t") => Some(integer("i32")),
            (_, "bool") => Some((ParamKind::Attr, Pred::AttrKind("bool".into()), "i1".to_owned())),
            (_, "string") => {
                Some((ParamKind::String, Pred::AttrKind("string".into()), String::new()))
            }
            _ => None,
        };
        let (kind, pred, value_type) = known.unwrap_or_else(|| {
            self.untranslated(&format!("the property of type `{storage}`"));
            (ParamKind::Attr, Pred::Any, String::new())
        });
        let value = record.text("defaultValue").filter(|value| !value.is_empty());
        let unit = &*base.name == "UnitProp";
        let default = value.filter(|_| !unit).and_then(|value| self.ods_default(value, &kind));
        if value.is_some() && default.is_none() && !unit {
            self.untranslated.defaulted.push(name.to_owned());
        }
        let constraint = Constraint {
            name: Cow::Owned(base.def_name().to_owned()),
            summary: record.str("summary"),
            pred,
            buildable: None,
        };
        AttrDef {
            name: Cow::Owned(name.to_owned()),
            constraint,
            optional: unit || (value.is_some() && default.is_none()),
            default: default
                .map(|value| Cow::Owned(crate::default_value::of_attr(&value, &kind, &value_type))),
            value_type: Cow::Owned(value_type),
            kind,
        }
    }

    /// Reports arguments of a method of an interface that are no C++ types.
    pub(crate) fn ods_method(&mut self, record: &'a Record) {
        for arg in record.graph("arguments").map_or(&[][..], |dag| &dag.args) {
            let found = match &arg.value {
                Value::Str(_) | Value::Code(_) => continue,
                Value::Def(name) => format!("`{name}`"),
                other => other.kind().to_owned(),
            };
            let message = format!("expected the C++ type of an argument, found {found}");
            self.diagnostics.push(
                Diagnostic::error("method-argument", message)
                    .at(arg.span)
                    .note("write the type in quotes, as in `\"unsigned\":$index`"),
            );
        }
    }

    /// Whether a parameter may be absent, and what stands for it then.
    pub(crate) fn ods_param_default(
        &mut self,
        param: &Record,
        kind: &ParamKind,
    ) -> (bool, Option<String>) {
        let absent = ["OptionalParameter", "AttributeSelfTypeParameter"];
        if absent.iter().any(|class| param.isa(class)) {
            return (true, None);
        }
        let absent = |value: &&str| value.is_empty() || last(value) == "nullopt";
        match param.text("defaultValue").filter(|value| !absent(value)) {
            Some(value) => (true, self.ods_default(value, kind)),
            None => (param.text("defaultValue").is_some_and(|value| !value.is_empty()), None),
        }
    }

    /// The keyword of a case of the enum of that class.
    fn symbol_keyword(&self, class: &str, symbol: &str) -> Option<String> {
        let info = self.enum_record(class)?;
        let cases = self.field_defs(info, "enumerants");
        let case = cases.into_iter().find(|case| case.text("symbol") == Some(symbol))?;
        Some(case.text("keyword").or(case.text("str"))?.to_owned())
    }

    /// The class of the enum that a dialect attribute holds.
    fn enum_of_attr(&self, full: &str) -> Option<String> {
        let records = self.records;
        let is = |attr: &&std::sync::Arc<Record>| self.full_name(attr).as_deref() == Some(full);
        let attr = records.derived("EnumAttr").find(is)?;
        Some(self.field_def(attr, "enum")?.text("className")?.to_owned())
    }

    /// What decorators of an argument or result say of memory.
    pub(crate) fn ods_effects(&self, record: &Record, field: &str) -> Effects {
        let mut effects = Effects::default();
        for effect in self.field_defs(record, field) {
            effects.0 |= match effect.text("effect").map(last) {
                Some("Read") => Effects::READ.0,
                Some("Write") => Effects::WRITE.0,
                Some("Allocate") => Effects::ALLOC.0,
                Some("Free") => Effects::FREE.0,
                _ => 0,
            };
        }
        effects
    }

    /// How many blocks a region may have (0 for any number), and whether it has one at least.
    pub(crate) fn ods_region(&mut self, region: &'a Record) -> (u32, bool) {
        let predicate = self.field_def(region, "predicate");
        let text = predicate.and_then(|pred| pred.text("predExpr")).unwrap_or_default();
        let bound = match cpp::parse(text) {
            Some(Expr::Name(name)) if name == "true" => return (0, false),
            Some(Expr::Call(name, _, args)) => match args[..] {
                [Expr::Name(_), Expr::Number(n)] => Some((name, u32::try_from(n).unwrap_or(0))),
                _ => None,
            },
            _ => None,
        };
        match bound.as_ref().map(|(name, n)| (name.as_str(), *n)) {
            Some(("hasNItems", n)) => (n, n > 0),
            Some(("hasNItemsOrMore", n)) => (0, n > 0),
            Some(("hasNItemsOrLess", n)) => (n, false),
            _ => {
                self.untranslated(&format!("`{text}`"));
                (0, false)
            }
        }
    }
}
