//! The values that definitions give as MLIR text: defaults, buildable types, enum cases.

use std::cell::RefCell;

use rustc_hash::FxHashMap;
use tegula_diag::SourceId;
use tegula_schema::{AttrDef, EnumDef, ParamDef, ParamKind};

use super::alias::AliasTable;
use super::asm_parser::{AsmParser, TextOrigin};
use crate::{Attr, Registry, Type, TypeData};
use tegula_schema::Signedness;

thread_local! {
    /// Texts of definitions are few and asked for often. What a text means does not depend on the
    /// registry, except for the parameters of dialect types and attributes, so only texts without
    /// any are kept.
    static TYPES: RefCell<FxHashMap<Box<str>, Option<Type>>> = RefCell::default();
    static ATTRS: RefCell<FxHashMap<Box<str>, Option<Attr>>> = RefCell::default();
}

fn parse<T>(
    registry: &Registry,
    text: &str,
    read: impl FnOnce(&mut AsmParser<'_>) -> super::ParseResult<T>,
) -> Option<T> {
    let aliases = AliasTable::new();
    let origin = TextOrigin { source: SourceId(u32::MAX), base: 0 };
    let mut parser = AsmParser::new(registry, text, origin, &aliases);
    let value = read(&mut parser).ok()?;
    parser.at_end().then_some(value)
}

/// The type of that text; none when it is no type.
pub fn type_from_text(registry: &Registry, text: &str) -> Option<Type> {
    if text.contains(['!', '#']) {
        return parse(registry, text, |p| p.ty());
    }
    if let Some(known) = TYPES.with_borrow(|types| types.get(text).copied()) {
        return known;
    }
    let ty = parse(registry, text, |p| p.ty());
    TYPES.with_borrow_mut(|types| types.insert(text.into(), ty));
    ty
}

/// The attribute of that text; none when it is no attribute.
pub fn attr_from_text(registry: &Registry, text: &str) -> Option<Attr> {
    if text.contains(['!', '#']) {
        return parse(registry, text, |p| p.attr());
    }
    if let Some(known) = ATTRS.with_borrow(|attrs| attrs.get(text).copied()) {
        return known;
    }
    let attr = parse(registry, text, |p| p.attr());
    ATTRS.with_borrow_mut(|attrs| attrs.insert(text.into(), attr));
    attr
}

/// The value that stands for an absent attribute of an op.
pub fn attr_default(registry: &Registry, def: &AttrDef) -> Option<Attr> {
    let text = def.default.as_deref()?;
    default_of(registry, text, &def.kind, &def.value_type, false)
}

/// The value of a parameter that is not written.
pub fn param_default(registry: &Registry, def: &ParamDef) -> Option<Attr> {
    default_of(registry, def.default.as_deref()?, &def.kind, "", true)
}

fn default_of(
    registry: &Registry,
    text: &str,
    kind: &ParamKind,
    value_type: &str,
    parameter: bool,
) -> Option<Attr> {
    match kind {
        ParamKind::Enum(name) => {
            let def = registry.enumeration(name)?;
            let keyword = text.trim_matches('"');
            if parameter {
                if enum_value(def, keyword).is_some() {
                    return Some(Attr::string(keyword));
                }
            } else if let Some(attr) = enum_attr(def, keyword) {
                return Some(attr);
            }
        }
        ParamKind::AttrOf(name) => {
            let bare = !text.starts_with('#');
            if let Some(def) = registry.enum_of_attr(name).filter(|_| bare)
                && enum_value(def, text).is_some()
            {
                return Some(Attr::dialect(name, &[Attr::string(text)]));
            }
        }
        ParamKind::DenseArray(element) => {
            let inner = text.trim();
            if let Some(list) = inner.strip_prefix('[').and_then(|t| t.strip_suffix(']')) {
                let list = list.trim();
                let colon = if list.is_empty() { "" } else { ": " };
                return attr_from_text(registry, &format!("array<{element}{colon}{list}>"));
            }
        }
        ParamKind::Type => return type_from_text(registry, text).map(Attr::ty),
        _ => {}
    }
    let attr = attr_from_text(registry, text)?;
    // A bare number takes the type that the definition fixes.
    let fixed = (!value_type.is_empty() && !text.contains(':'))
        .then(|| type_from_text(registry, value_type))
        .flatten();
    match (attr.data(), fixed) {
        (crate::AttrData::Integer { value, .. }, Some(ty)) => Some(Attr::int(*value, ty)),
        _ => Some(attr),
    }
}

/// The number of an enum's keyword; combined keywords of a bit enum give all of their bits.
pub fn enum_value(def: &EnumDef, keyword: &str) -> Option<i64> {
    if let Some(case) = def.cases.iter().find(|c| c.keyword == keyword) {
        return Some(case.value);
    }
    if !def.bit_enum {
        return None;
    }
    let separator = def.separator.trim();
    let separator = if separator.is_empty() { "|" } else { separator };
    let mut bits = 0;
    for part in keyword.split(separator) {
        bits |= def.cases.iter().find(|c| c.keyword == part.trim())?.value;
    }
    Some(bits)
}

/// The keyword of an enum's number; of a bit enum those of all cases that are in it.
pub fn enum_keyword(def: &EnumDef, value: i64) -> Option<String> {
    let exact = def.cases.iter().find(|c| c.value == value);
    if !def.bit_enum || value == 0 || def.primary_groups && exact.is_some() {
        return exact.map(|case| case.keyword.to_string());
    }
    let cases = def.cases.iter().filter(|c| c.value != 0);
    if !def.primary_groups {
        let held: Vec<_> = cases.filter(|c| value & c.value == c.value).collect();
        let words: Vec<&str> = held.iter().map(|c| c.keyword.as_ref()).collect();
        let bits = held.iter().fold(0, |bits, c| bits | c.value);
        return (bits == value).then(|| words.join(&def.separator));
    }
    // Larger groups first, as a group's name stands for all of its bits.
    let mut cases: Vec<_> = cases.collect();
    cases.sort_by_key(|c| std::cmp::Reverse(c.value.count_ones()));
    let mut rest = value;
    let mut chosen = Vec::new();
    for case in cases {
        if rest & case.value == case.value {
            rest &= !case.value;
            chosen.push(case);
        }
    }
    if rest != 0 || chosen.is_empty() {
        return None;
    }
    chosen.sort_by_key(|c| c.value);
    let words: Vec<&str> = chosen.iter().map(|c| c.keyword.as_ref()).collect();
    Some(words.join(&def.separator))
}

/// An op's attribute for an enum's keyword: a dialect attribute when the enum is one, a string for
/// an enum without a width, else an integer of the enum's width.
pub fn enum_attr(def: &EnumDef, keyword: &str) -> Option<Attr> {
    let value = enum_value(def, keyword)?;
    Some(if !def.attr_name.is_empty() {
        Attr::dialect(&def.attr_name, &[Attr::string(keyword)])
    } else if def.width == 0 {
        Attr::string(keyword)
    } else {
        let sign = Signedness::Signless;
        Attr::int(value.into(), Type::new(TypeData::Integer { width: def.width, sign }))
    })
}

/// The keyword that an op's enum attribute stands for.
pub fn enum_attr_keyword(def: &EnumDef, attr: Attr) -> Option<String> {
    if let Some(value) = attr.as_int() {
        return enum_keyword(def, value);
    }
    if let Some(text) = attr.as_str() {
        return Some(text.to_owned());
    }
    let params = attr.dialect_params(&def.attr_name)?;
    params.first()?.as_str().map(str::to_owned)
}
