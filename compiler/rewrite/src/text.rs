//! Types and attributes that tables spell as text. Only what tables need: scalars, strings,
//! symbols, and arrays of them.

use tegula_ir::{Attr, AttrData, FloatKind, Registry, Type, TypeData};
use tegula_schema::Signedness;

pub(crate) fn parse_type(_registry: &Registry, text: &str) -> Option<Type> {
    let text = text.trim();
    match text {
        "index" => return Some(Type::index()),
        "none" => return Some(Type::none()),
        _ => {}
    }
    if let Some(kind) = FloatKind::from_keyword(text) {
        return Some(Type::new(TypeData::Float(kind)));
    }
    let signs =
        [("si", Signedness::Signed), ("ui", Signedness::Unsigned), ("i", Signedness::Signless)];
    for (prefix, sign) in signs {
        if let Some(width) = text.strip_prefix(prefix).and_then(|w| w.parse().ok()) {
            return Some(Type::new(TypeData::Integer { width, sign }));
        }
    }
    None
}

pub(crate) fn print_type(_registry: &Registry, ty: Type) -> String {
    match ty.data() {
        TypeData::Index => "index".to_owned(),
        TypeData::None => "none".to_owned(),
        TypeData::Float(kind) => kind.keyword().to_owned(),
        TypeData::Integer { width, sign } => match sign {
            Signedness::Signless => format!("i{width}"),
            Signedness::Signed => format!("si{width}"),
            Signedness::Unsigned => format!("ui{width}"),
        },
        _ => String::new(),
    }
}

pub(crate) fn print_attr(_registry: &Registry, attr: Attr) -> String {
    match attr.data() {
        AttrData::Unit => "unit".to_owned(),
        _ => match attr.as_bool() {
            Some(value) => value.to_string(),
            None => String::new(),
        },
    }
}

pub(crate) fn parse_attr(registry: &Registry, text: &str) -> Option<Attr> {
    let text = text.trim();
    match text {
        "unit" => return Some(Attr::unit()),
        "true" => return Some(Attr::bool(true)),
        "false" => return Some(Attr::bool(false)),
        "[]" => return Some(Attr::array(&[])),
        "{}" => return Some(Attr::empty_dict()),
        _ => {}
    }
    if let Some(name) = text.strip_prefix('@') {
        return Some(Attr::symbol(name));
    }
    if let Some(inner) = text.strip_prefix('"').and_then(|t| t.strip_suffix('"')) {
        return Some(Attr::string(inner));
    }
    let (value, ty) = match text.split_once(':') {
        Some((value, ty)) => (value.trim(), parse_type(registry, ty)?),
        None => match parse_type(registry, text) {
            Some(ty) => return Some(Attr::ty(ty)),
            None if text.contains('.') => (text, Type::f64()),
            None => (text, Type::int(64)),
        },
    };
    if let Ok(value) = value.parse::<i128>()
        && !ty.is_float()
    {
        return Some(Attr::int(value, ty));
    }
    let value: f64 = value.parse().ok()?;
    let bits = match ty.data() {
        TypeData::Float(FloatKind::F32) => u128::from((value as f32).to_bits()),
        TypeData::Float(FloatKind::F64) => u128::from(value.to_bits()),
        _ => return None,
    };
    Some(Attr::new(AttrData::Float { bits, ty }))
}
