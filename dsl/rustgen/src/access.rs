//! How an attribute reads in Rust, by its kind.

use tegula_schema::{AttrDef, DialectDef, ParamKind, Pred, Str};

use crate::names::{enum_type, ident};

/// A Rust type that attributes are read as.
pub(crate) struct Access {
    /// The Rust type.
    pub(crate) ty: String,
    /// An expression of type `Option<ty>` over `attr`.
    pub(crate) read: String,
    /// An expression of type `ir::Attr` over a value named `value`; none when there is no way
    /// that needs nothing else.
    pub(crate) write: Option<String>,
    /// The type that a constructor takes.
    pub(crate) input: String,
}

impl Access {
    fn new(ty: &str, read: &str, input: &str, write: &str) -> Access {
        Access {
            ty: ty.to_owned(),
            read: read.to_owned(),
            input: input.to_owned(),
            write: Some(write.to_owned()),
        }
    }

    /// As any attribute.
    pub(crate) fn raw() -> Access {
        Access::new("ir::Attr", "Some(attr)", "ir::Attr", "value")
    }
}

/// How an op's attribute reads.
pub(crate) fn of_attr(attr: &AttrDef, dialect: &DialectDef) -> Access {
    if let ParamKind::Enum(name) = &attr.kind
        && let Some(def) = dialect.enums.iter().find(|e| e.name == *name)
        && def.width > 0
    {
        let ty = format!("super::enums::{}", enum_type(name));
        return Access {
            read: format!("attr.as_int().and_then({ty}::from_value)"),
            write: Some(format!(
                "ir::Attr::int(value.value().into(), ir::Type::int({}))",
                def.width
            )),
            input: ty.clone(),
            ty,
        };
    }
    match attr.value_type.as_ref() {
        "i1" => return Access::new("bool", "attr.as_bool()", "bool", "ir::Attr::bool(value)"),
        "index" => return Access::new("i64", "attr.as_int()", "i64", "ir::Attr::index(value)"),
        text => {
            if let Some(width) = text.strip_prefix('i').and_then(|w| w.parse::<u32>().ok()) {
                let write = format!("ir::Attr::int(value.into(), ir::Type::int({width}))");
                return Access::new("i64", "attr.as_int()", "i64", &write);
            }
        }
    }
    match kind_of(&attr.constraint.pred) {
        "affine_map" => {
            return Access::new(
                "ir::AffineMap",
                "attr.as_map()",
                "ir::AffineMap",
                "ir::Attr::map(value)",
            );
        }
        "array" => {
            return Access::new(
                "&'static [ir::Attr]",
                "attr.as_array()",
                "&[ir::Attr]",
                "ir::Attr::array(value)",
            );
        }
        "flat_symbol_ref" => {
            return Access::new(
                "ir::Ident",
                "attr.as_symbol_root()",
                "&str",
                "ir::Attr::symbol(value)",
            );
        }
        _ => {}
    }
    of_kind(&attr.kind, dialect)
}

/// The attribute kind that a predicate implies; empty when it implies none.
fn kind_of(pred: &Pred) -> &str {
    match pred {
        Pred::AttrKind(kind) => kind,
        Pred::And(preds) => preds.iter().map(kind_of).find(|kind| !kind.is_empty()).unwrap_or(""),
        _ => "",
    }
}

/// Whether an attribute is there or not and says nothing else.
pub(crate) fn is_unit(attr: &AttrDef) -> bool {
    kind_of(&attr.constraint.pred) == "unit"
}

/// How a parameter reads.
pub(crate) fn of_kind(kind: &ParamKind, dialect: &DialectDef) -> Access {
    match kind {
        ParamKind::Type => {
            Access::new("ir::Type", "attr.as_type()", "ir::Type", "ir::Attr::ty(value)")
        }
        ParamKind::Int => Access::new("i64", "attr.as_int()", "i64", "ir::Attr::i64(value)"),
        ParamKind::Bool => Access::new("bool", "attr.as_bool()", "bool", "ir::Attr::bool(value)"),
        ParamKind::String | ParamKind::SymbolName => {
            Access::new("&'static str", "attr.as_str()", "&str", "ir::Attr::string(value)")
        }
        ParamKind::Enum(name) if dialect.enums.iter().any(|e| e.name == *name) => {
            let ty = format!("super::enums::{}", enum_type(name));
            let bits = dialect.enums.iter().any(|e| e.name == *name && e.bit_enum);
            let write = if bits {
                "ir::Attr::string(&value.keywords())"
            } else {
                "ir::Attr::string(value.keyword())"
            };
            let parse = if bits { "from_keywords" } else { "from_keyword" };
            Access {
                read: format!("attr.as_str().and_then({ty}::{parse})"),
                write: Some(write.to_owned()),
                input: ty.clone(),
                ty,
            }
        }
        ParamKind::Array(_) => Access::new(
            "&'static [ir::Attr]",
            "attr.as_array()",
            "&[ir::Attr]",
            "ir::Attr::array(value)",
        ),
        ParamKind::DenseArray(elem) => Access {
            ty: "&'static [i64]".to_owned(),
            read: "attr.as_dense_array()".to_owned(),
            write: (elem == "i64").then(|| "ir::Attr::i64_array(value)".to_owned()),
            input: "&[i64]".to_owned(),
        },
        ParamKind::Dims => Access::new(
            "&'static [i64]",
            "attr.as_dense_array()",
            "&[i64]",
            "ir::Attr::i64_array(value)",
        ),
        ParamKind::AttrOf(name) => match name.as_ref() {
            "affine_map" => Access::new(
                "ir::AffineMap",
                "attr.as_map()",
                "ir::AffineMap",
                "ir::Attr::map(value)",
            ),
            _ => own_attr(name, dialect).unwrap_or_else(Access::raw),
        },
        ParamKind::Attr | ParamKind::Enum(_) => Access::raw(),
    }
}

/// An attribute that the dialect itself defines reads as its wrapper.
fn own_attr(name: &Str, dialect: &DialectDef) -> Option<Access> {
    let def = dialect.attrs.iter().find(|a| a.name == *name)?;
    let ty = format!("super::attrs::{}", crate::names::wrapper(&def.def_name, &dialect.name));
    Some(Access {
        read: format!("{ty}::cast(attr)"),
        write: Some("value.0".to_owned()),
        input: ty.clone(),
        ty,
    })
}

/// The default of an accessor as a Rust expression, where the text says it plainly.
pub(crate) fn default_of(text: &str, access: &Access, dialect: &DialectDef) -> Option<String> {
    let bare = text.split(" : ").next().unwrap_or(text).trim();
    match access.ty.as_str() {
        "bool" | "i64" => {
            let plain = bare == "true" || bare == "false" || bare.parse::<i64>().is_ok();
            plain.then(|| bare.to_owned())
        }
        "&'static str" => text.starts_with('"').then(|| text.to_owned()),
        ty => {
            let name = ty.strip_prefix("super::enums::")?;
            let def = dialect.enums.iter().find(|e| enum_type(&e.name) == name)?;
            if def.bit_enum {
                return None;
            }
            let word = bare.trim_matches('"');
            let case =
                def.cases.iter().find(|c| c.keyword == word || c.value.to_string() == bare)?;
            Some(format!("{ty}::{}", ident(&crate::names::camel(&case.symbol))))
        }
    }
}
