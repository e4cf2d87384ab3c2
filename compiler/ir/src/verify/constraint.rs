//! Structured predicates on types and attributes.

use tegula_schema::{Constraint, Pred, Signedness};

use crate::text::{attr_from_text, enum_attr_keyword, enum_value, type_from_text};
use crate::{Attr, AttrData, Registry, Subject, Type, TypeData};

/// Whether a subject satisfies a constraint.
pub fn check_constraint(registry: &Registry, constraint: &Constraint, subject: Subject) -> bool {
    check_pred(registry, &constraint.pred, subject)
}

/// Whether a predicate holds for a subject. A predicate on types holds for no attribute and the
/// other way round, except that a type attribute is judged as its type where a type is asked for.
#[inline]
pub fn check_pred(registry: &Registry, pred: &Pred, subject: Subject) -> bool {
    matches!(pred, Pred::Any) || check(registry, pred, subject)
}

fn check(registry: &Registry, pred: &Pred, subject: Subject) -> bool {
    match pred {
        Pred::And(all) => return all.iter().all(|p| check_pred(registry, p, subject)),
        Pred::Or(some) => return some.iter().any(|p| check_pred(registry, p, subject)),
        Pred::Not(one) => return !one.iter().all(|p| check_pred(registry, p, subject)),
        Pred::Param(name, inner) => {
            return param(registry, subject, name)
                .is_some_and(|s| inner.iter().all(|p| check_pred(registry, p, s)));
        }
        Pred::Hook(name) => {
            let hook = registry.dialects().find_map(|d| d.hooks.predicate.get(name.as_ref()));
            return hook.is_some_and(|hook| hook(registry, subject));
        }
        _ => {}
    }
    match subject {
        Subject::Type(ty) => check_type(registry, pred, ty),
        Subject::Attr(attr) => check_attr(registry, pred, attr)
            .unwrap_or_else(|| attr.as_type().is_some_and(|ty| check_type(registry, pred, ty))),
    }
}

fn param(registry: &Registry, subject: Subject, name: &str) -> Option<Subject> {
    let (defs, params) = match subject {
        Subject::Type(ty) => match ty.data() {
            TypeData::Dialect { name, params } => (&registry.ty(name.as_str())?.1.params, params),
            _ => return None,
        },
        Subject::Attr(attr) => match attr.data() {
            AttrData::Dialect { name, params } => (&registry.attr(name.as_str())?.1.params, params),
            _ => return None,
        },
    };
    let index = defs.iter().position(|def| def.name == name)?;
    let value = *params.get(index)?;
    Some(value.as_type().map_or(Subject::Attr(value), Subject::Type))
}

fn check_type(registry: &Registry, pred: &Pred, ty: Type) -> bool {
    match pred {
        Pred::TypeKind(kind) => type_kind(ty) == kind.as_ref(),
        Pred::TypeText(text) => type_from_text(registry, text) == Some(ty),
        Pred::Integer { width, sign } => match ty.data() {
            TypeData::Integer { width: w, sign: s } => {
                (*width == 0 || width == w) && sign.is_none_or(|sign| sign == *s)
            }
            _ => false,
        },
        Pred::Float { width } => ty.is_float() && (*width == 0 || ty.bit_width() == Some(*width)),
        Pred::ElementType(inner) => ty
            .element()
            .is_some_and(|e| inner.iter().all(|p| check_pred(registry, p, Subject::Type(e)))),
        Pred::Rank(ranks) => ty.shape().is_some_and(|s| ranks.contains(&(s.len() as i64))),
        Pred::HasRank => ty.shape().is_some(),
        Pred::StaticShape => ty.has_static_shape(),
        Pred::PlainLayout => ty.has_plain_layout(),
        _ => false,
    }
}

/// The name by which predicates know the kind of a type.
fn type_kind(ty: Type) -> &'static str {
    match ty.data() {
        TypeData::Index => "index",
        TypeData::None => "none",
        TypeData::Token => "token",
        TypeData::Function { .. } => "function",
        TypeData::Tuple(_) => "tuple",
        TypeData::Complex(_) => "complex",
        TypeData::Vector { .. } => "vector",
        TypeData::RankedTensor { .. } => "tensor",
        TypeData::UnrankedTensor { .. } => "unranked_tensor",
        TypeData::MemRef { .. } => "memref",
        TypeData::UnrankedMemRef { .. } => "unranked_memref",
        TypeData::Integer { .. } => "integer",
        TypeData::Float(_) => "float",
        TypeData::Dialect { name, .. } => name.as_str(),
        TypeData::Opaque { .. } => "",
    }
}

/// Judges an attribute; none when the predicate is one on types.
fn check_attr(registry: &Registry, pred: &Pred, attr: Attr) -> Option<bool> {
    Some(match pred {
        Pred::AttrKind(kind) => attr_kind(attr, kind),
        Pred::AttrType(inner) => registry
            .value_type(attr)
            .is_some_and(|ty| inner.iter().all(|p| check_pred(registry, p, Subject::Type(ty)))),
        Pred::TypeAttrOf(inner) => attr
            .as_type()
            .is_some_and(|ty| inner.iter().all(|p| check_pred(registry, p, Subject::Type(ty)))),
        Pred::ArrayOf(inner) => match attr.data() {
            AttrData::Array(items) => items
                .iter()
                .all(|&item| inner.iter().all(|p| check_pred(registry, p, Subject::Attr(item)))),
            AttrData::DenseArray { element, values } => values.iter().all(|&value| {
                let item = Subject::Attr(Attr::int(value.into(), *element));
                inner.iter().all(|p| check_pred(registry, p, item))
            }),
            _ => false,
        },
        Pred::IntRange(low, high) => match attr.data() {
            AttrData::Integer { value, ty } => {
                let range = i128::from(*low)..=i128::from(*high);
                ty.readings(*value).any(|number| range.contains(&number))
            }
            _ => false,
        },
        Pred::Length(low, high) => {
            let length = match attr.data() {
                AttrData::Array(items) => items.len(),
                AttrData::DenseArray { values, .. } => values.len(),
                _ => return Some(false),
            };
            (*low as usize..=*high as usize).contains(&length)
        }
        Pred::DenseArrayOf(element) => match attr.data() {
            AttrData::DenseArray { element: own, .. } => {
                type_from_text(registry, element) == Some(*own)
            }
            _ => false,
        },
        Pred::AttrText(text) => attr_from_text(registry, text) == Some(attr),
        Pred::EnumCase(name) => registry.enumeration(name).is_some_and(|def| {
            enum_attr_keyword(def, attr).is_some_and(|word| enum_value(def, &word).is_some())
        }),
        _ => return None,
    })
}

fn attr_kind(attr: Attr, kind: &str) -> bool {
    match attr.data() {
        AttrData::Unit => kind == "unit",
        AttrData::Integer { ty, .. } => kind == "integer" || kind == "bool" && ty.is_int(1),
        AttrData::WideInteger { .. } => kind == "integer",
        AttrData::Float { .. } => kind == "float",
        AttrData::String { .. } => kind == "string",
        AttrData::Array(_) => kind == "array",
        AttrData::Dict(_) => kind == "dictionary",
        AttrData::Type(_) => kind == "type",
        AttrData::SymbolRef { nested, .. } => {
            kind == "symbol_ref" || kind == "flat_symbol_ref" && nested.is_empty()
        }
        AttrData::AffineMap(_) => kind == "affine_map",
        AttrData::IntegerSet(_) => kind == "integer_set",
        AttrData::Dense { .. } | AttrData::DenseStrings { .. } => {
            kind == "dense_elements" || kind == "elements"
        }
        AttrData::DenseResource { .. } | AttrData::Sparse { .. } => kind == "elements",
        AttrData::DenseArray { .. } => kind == "dense_array",
        AttrData::Strided { .. } => kind == "strided",
        AttrData::Distinct { .. } => kind == "distinct",
        AttrData::Loc(_) => kind == "location",
        AttrData::Dialect { name, .. } => name.as_str() == kind,
        AttrData::Opaque { .. } | AttrData::Absent => false,
    }
}

/// The signedness that a type's integers have; none for other types.
pub fn signedness(ty: Type) -> Option<Signedness> {
    match ty.data() {
        TypeData::Integer { sign, .. } => Some(*sign),
        _ => None,
    }
}
