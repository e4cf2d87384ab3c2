//! Default values in the full syntax of attributes.
//!
//! A `.td` may write the short form that a format would (`0`, `false`, `none` for an enum); tables
//! hold text that reads as an attribute wherever it stands.

use tegula_schema::ParamKind;

/// The default of an op's attribute.
pub(crate) fn of_attr(value: &str, kind: &ParamKind, value_type: &str) -> String {
    let value = value.trim();
    match kind {
        ParamKind::Attr | ParamKind::Int | ParamKind::Enum(_) => typed(value, value_type),
        _ => of_param(value, kind),
    }
}

/// The default of a parameter of a type or attribute.
pub(crate) fn of_param(value: &str, kind: &ParamKind) -> String {
    let value = value.trim();
    match kind {
        ParamKind::String | ParamKind::SymbolName | ParamKind::Enum(_) => quoted(value),
        ParamKind::Int => typed(value, "i64"),
        ParamKind::DenseArray(element) => dense(value, element),
        ParamKind::AttrOf(name) if name.contains('.') && value.starts_with('<') => {
            format!("#{name}{value}")
        }
        ParamKind::Array(_) if !value.starts_with('[') => format!("[{value}]"),
        _ => value.to_owned(),
    }
}

/// `[1, 2]` and the empty `{}` of C++ as `array<elem: 1, 2>`.
fn dense(value: &str, element: &str) -> String {
    if value.starts_with("array<") {
        return value.to_owned();
    }
    let items = value.trim_matches(['[', ']', '{', '}']).trim();
    if items.is_empty() {
        format!("array<{element}>")
    } else {
        format!("array<{element}: {items}>")
    }
}

fn quoted(value: &str) -> String {
    if value.starts_with('"') { value.to_owned() } else { format!("\"{value}\"") }
}

/// Adds the type that a bare number would not read as.
fn typed(value: &str, value_type: &str) -> String {
    let number = value.parse::<f64>().is_ok();
    let implied = matches!(value_type, "" | "i1") || (value_type == "i64" && !value.contains('.'));
    if number && !implied { format!("{value} : {value_type}") } else { value.to_owned() }
}
