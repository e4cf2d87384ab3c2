//! Structured predicates over types and attributes, evaluated.

use tegula_ir::{Attr, AttrData, DialectEntry, FloatKind, Registry, Subject, Type, TypeData};
use tegula_schema::{ParamDef, Pred, Signedness, Str};

/// The types and attributes that a predicate spells as text, read once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spelled {
    types: Vec<(Str, Type)>,
    attrs: Vec<(Str, Attr)>,
}

impl Spelled {
    fn ty(&self, text: &str) -> Option<Type> {
        self.types.iter().find(|(t, _)| t == text).map(|(_, ty)| *ty)
    }

    fn attr(&self, text: &str) -> Option<Attr> {
        self.attrs.iter().find(|(t, _)| t == text).map(|(_, attr)| *attr)
    }
}

/// Reads what a predicate spells as text.
pub(crate) fn spelled(registry: &Registry, pred: &Pred) -> Result<Spelled, String> {
    let mut out = Spelled::default();
    let mut open = vec![pred];
    while let Some(pred) = open.pop() {
        match pred {
            Pred::TypeText(text) | Pred::DenseArrayOf(text) => {
                let ty = tegula_ir::text::type_from_text(registry, text)
                    .ok_or_else(|| format!("`{text}` is not a type"))?;
                out.types.push((text.clone(), ty));
            }
            Pred::AttrText(text) => {
                let attr = tegula_ir::text::attr_from_text(registry, text)
                    .ok_or_else(|| format!("`{text}` is not an attribute"))?;
                out.attrs.push((text.clone(), attr));
            }
            Pred::And(inner)
            | Pred::Or(inner)
            | Pred::Not(inner)
            | Pred::ElementType(inner)
            | Pred::Param(_, inner)
            | Pred::AttrType(inner)
            | Pred::TypeAttrOf(inner)
            | Pred::ArrayOf(inner) => open.extend(inner.iter()),
            _ => {}
        }
    }
    Ok(out)
}

/// Whether a predicate of a dialect holds of a type or attribute.
pub(crate) fn holds(
    registry: &Registry,
    dialect: &DialectEntry,
    spelled: &Spelled,
    pred: &Pred,
    subject: Subject,
) -> bool {
    let inner = |preds: &[Pred], subject| {
        preds.first().is_none_or(|pred| holds(registry, dialect, spelled, pred, subject))
    };
    match pred {
        Pred::Any => true,
        Pred::And(all) => all.iter().all(|p| holds(registry, dialect, spelled, p, subject)),
        Pred::Or(any) => any.iter().any(|p| holds(registry, dialect, spelled, p, subject)),
        Pred::Not(one) => !inner(one, subject),
        Pred::Hook(name) => {
            dialect.hooks.predicate.get(name.as_ref()).is_some_and(|hook| hook(registry, subject))
        }
        _ => match subject {
            Subject::Type(ty) => type_holds(registry, spelled, pred, ty, &inner),
            Subject::Attr(attr) => attr_holds(registry, spelled, pred, attr, &inner),
        },
    }
}

type Inner<'a> = dyn Fn(&[Pred], Subject) -> bool + 'a;

fn type_holds(
    registry: &Registry,
    spelled: &Spelled,
    pred: &Pred,
    ty: Type,
    inner: &Inner<'_>,
) -> bool {
    match pred {
        Pred::TypeKind(kind) => type_is(ty, kind),
        Pred::TypeText(text) => spelled.ty(text) == Some(ty),
        Pred::Integer { width, sign } => match ty.data() {
            TypeData::Integer { width: w, sign: s } => {
                (*width == 0 || w == width) && sign.is_none_or(|sign| sign == *s)
            }
            _ => false,
        },
        Pred::Float { width } => match ty.data() {
            TypeData::Float(kind) => *width == 0 || kind.width() == *width,
            _ => false,
        },
        Pred::ElementType(pred) => {
            ty.element().is_some_and(|element| inner(pred, Subject::Type(element)))
        }
        Pred::Rank(ranks) => ty.shape().is_some_and(|shape| ranks.contains(&(shape.len() as i64))),
        Pred::HasRank => ty.shape().is_some(),
        Pred::StaticShape => ty.has_static_shape(),
        Pred::Param(name, pred) => match ty.data() {
            TypeData::Dialect { name: kind, params } => {
                let def = registry.ty(kind.as_str()).map(|(_, def)| def.params.as_ref());
                param(def, params, name).is_some_and(|attr| inner(pred, attr_subject(attr)))
            }
            _ => false,
        },
        _ => false,
    }
}

fn attr_holds(
    registry: &Registry,
    spelled: &Spelled,
    pred: &Pred,
    attr: Attr,
    inner: &Inner<'_>,
) -> bool {
    match pred {
        Pred::AttrKind(kind) => attr_is(attr, kind),
        Pred::AttrType(pred) => attr.value_type().is_some_and(|ty| inner(pred, Subject::Type(ty))),
        Pred::TypeAttrOf(pred) => attr.as_type().is_some_and(|ty| inner(pred, Subject::Type(ty))),
        Pred::ArrayOf(pred) => match attr.data() {
            AttrData::Array(items) => items.iter().all(|&i| inner(pred, Subject::Attr(i))),
            AttrData::DenseArray { element, values } => {
                values.iter().all(|&v| inner(pred, Subject::Attr(Attr::int(v.into(), *element))))
            }
            _ => false,
        },
        Pred::IntRange(min, max) => match attr.data() {
            AttrData::Integer { value, .. } => (*min as i128..=*max as i128).contains(value),
            _ => false,
        },
        Pred::Length(min, max) => {
            let len = match attr.data() {
                AttrData::Array(items) => items.len(),
                AttrData::DenseArray { values, .. } => values.len(),
                _ => return false,
            };
            (*min as usize..=*max as usize).contains(&len)
        }
        Pred::DenseArrayOf(text) => match attr.data() {
            AttrData::DenseArray { element, .. } => spelled.ty(text) == Some(*element),
            _ => false,
        },
        Pred::AttrText(text) => spelled.attr(text) == Some(attr),
        Pred::EnumCase(name) => registry.enumeration(name).is_some_and(|def| match attr.data() {
            AttrData::Integer { value, .. } => {
                def.cases.iter().any(|case| i128::from(case.value) == *value)
            }
            AttrData::String { .. } => {
                attr.as_str().is_some_and(|text| def.cases.iter().any(|c| c.keyword == text))
            }
            AttrData::Dialect { name, .. } => name.as_str() == def.attr_name,
            _ => false,
        }),
        Pred::Param(name, pred) => match attr.data() {
            AttrData::Dialect { name: kind, params } => {
                let def = registry.attr(kind.as_str()).map(|(_, def)| def.params.as_ref());
                param(def, params, name).is_some_and(|attr| inner(pred, attr_subject(attr)))
            }
            _ => false,
        },
        _ => false,
    }
}

/// A parameter that holds a type is judged as one.
fn attr_subject(attr: Attr) -> Subject {
    attr.as_type().map_or(Subject::Attr(attr), Subject::Type)
}

fn param(def: Option<&[ParamDef]>, params: &[Attr], name: &str) -> Option<Attr> {
    let index = def?.iter().position(|p| p.name == name)?;
    params.get(index).copied().filter(|attr| !attr.is_absent())
}

fn type_is(ty: Type, kind: &str) -> bool {
    match ty.data() {
        TypeData::Index => kind == "index",
        TypeData::None => kind == "none",
        TypeData::Integer { .. } => kind == "integer",
        TypeData::Float(FloatKind::BF16) => kind == "bf16" || kind == "float",
        TypeData::Float(float) => kind == "float" || kind == float.keyword(),
        TypeData::Function { .. } => kind == "function",
        TypeData::RankedTensor { .. } => kind == "tensor" || kind == "ranked_tensor",
        TypeData::UnrankedTensor { .. } => kind == "tensor" || kind == "unranked_tensor",
        TypeData::MemRef { .. } => kind == "memref" || kind == "ranked_memref",
        TypeData::UnrankedMemRef { .. } => kind == "memref" || kind == "unranked_memref",
        TypeData::Vector { .. } => kind == "vector",
        TypeData::Tuple(_) => kind == "tuple",
        TypeData::Complex(_) => kind == "complex",
        TypeData::Dialect { name, .. } => name.as_str() == kind,
        TypeData::Opaque { dialect, text } => {
            kind.strip_prefix(dialect.as_str()).and_then(|rest| rest.strip_prefix('.'))
                == Some(text.split('<').next().unwrap_or(text))
        }
    }
}

fn attr_is(attr: Attr, kind: &str) -> bool {
    match attr.data() {
        AttrData::Unit => kind == "unit",
        AttrData::Integer { ty, .. } => {
            kind == "integer" || (kind == "bool" && is_signless_bool(*ty))
        }
        AttrData::Float { .. } => kind == "float",
        AttrData::String { .. } => kind == "string",
        AttrData::Array(_) => kind == "array",
        AttrData::Dict(_) => kind == "dictionary",
        AttrData::Type(_) => kind == "type",
        AttrData::SymbolRef { nested, .. } => {
            kind == "symbol_ref" || (kind == "flat_symbol_ref" && nested.is_empty())
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
        AttrData::Opaque { dialect, text } => {
            kind.strip_prefix(dialect.as_str()).and_then(|rest| rest.strip_prefix('.'))
                == Some(text.split('<').next().unwrap_or(text))
        }
        AttrData::Absent => false,
    }
}

fn is_signless_bool(ty: Type) -> bool {
    matches!(ty.data(), TypeData::Integer { width: 1, sign: Signedness::Signless })
}
