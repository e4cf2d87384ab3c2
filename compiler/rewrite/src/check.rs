//! Structured predicates over types and attributes, with what they spell as text read once.
//!
//! The meaning is that of [`check_pred`], which every other kind of predicate goes to.

use tegula_ir::verify::check_pred;
use tegula_ir::{Attr, Registry, Subject, Type};
use tegula_schema::{Pred, Str};

/// The types and attributes that a predicate spells as text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spelled {
    types: Vec<(Str, Type)>,
    attrs: Vec<(Str, Attr)>,
}

/// Reads what a predicate spells as text.
pub(crate) fn spelled(registry: &Registry, pred: &Pred) -> Result<Spelled, String> {
    let mut out = Spelled::default();
    let mut open = vec![pred];
    while let Some(pred) = open.pop() {
        match pred {
            Pred::TypeText(text) => {
                let ty = tegula_ir::text::type_from_text(registry, text)
                    .ok_or_else(|| format!("`{text}` is not a type"))?;
                out.types.push((text.clone(), ty));
            }
            Pred::AttrText(text) => {
                let attr = tegula_ir::text::attr_from_text(registry, text)
                    .ok_or_else(|| format!("`{text}` is not an attribute"))?;
                out.attrs.push((text.clone(), attr));
            }
            Pred::And(inner) | Pred::Or(inner) | Pred::Not(inner) | Pred::ElementType(inner) => {
                open.extend(inner.iter());
            }
            _ => {}
        }
    }
    Ok(out)
}

/// Whether a predicate holds of a type or attribute.
pub(crate) fn holds(registry: &Registry, spelled: &Spelled, pred: &Pred, subject: Subject) -> bool {
    let ty = match subject {
        Subject::Type(ty) => Some(ty),
        Subject::Attr(attr) => attr.as_type(),
    };
    match pred {
        Pred::And(all) => all.iter().all(|p| holds(registry, spelled, p, subject)),
        Pred::Or(any) => any.iter().any(|p| holds(registry, spelled, p, subject)),
        Pred::Not(all) => !all.iter().all(|p| holds(registry, spelled, p, subject)),
        Pred::TypeText(text) => {
            let wanted = spelled.types.iter().find(|(t, _)| t == text).map(|(_, ty)| *ty);
            wanted.is_some() && wanted == ty
        }
        Pred::AttrText(text) => {
            let wanted = spelled.attrs.iter().find(|(t, _)| t == text).map(|(_, attr)| *attr);
            wanted.is_some_and(|wanted| subject == Subject::Attr(wanted))
        }
        Pred::ElementType(inner) => ty.and_then(Type::element).is_some_and(|element| {
            inner.iter().all(|p| holds(registry, spelled, p, Subject::Type(element)))
        }),
        _ => check_pred(registry, pred, subject),
    }
}
