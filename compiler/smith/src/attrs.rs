//! Attributes, as their constraints ask for them.

use tegula_ir::text::{
    attr_default, attr_from_text, dense_of, enum_attr, enum_value, float_from_f64, param_default,
    type_from_text,
};
use tegula_ir::verify::{check_constraint, check_pred, signedness};
use tegula_ir::{Attr, AttrData, Ident, LocData, OpInfo, Registry, Subject, Type, TypeData};
use tegula_schema::{AttrDef, EnumDef, ParamDef, ParamKind, Pred, Signedness};

use crate::{Maker, Random};

/// How often an attribute is drawn before there is none.
const TRIES: usize = 12;

/// The numbers at which programs go wrong, more often than others.
const NUMBERS: [i128; 14] = [0, 1, -1, 2, 3, 4, 7, 8, 31, 32, 63, 64, -2, 100];

impl Maker<'_, '_> {
    /// A value for an op's attribute, of a type where it has to have one.
    pub(crate) fn attr(&mut self, info: &OpInfo, def: &AttrDef, ty: Option<Type>) -> Option<Attr> {
        if info.symbol && def.name == "sym_name" {
            let name = self.name();
            return Some(Attr::string(&name));
        }
        (0..TRIES).find_map(|_| {
            let attr = self.propose(def, ty)?;
            let fits = check_constraint(self.registry, &def.constraint, Subject::Attr(attr));
            fits.then_some(attr)
        })
    }

    fn propose(&mut self, def: &AttrDef, ty: Option<Type>) -> Option<Attr> {
        let registry = self.registry;
        if let Some(ty) = ty {
            return number(&mut self.random, ty);
        }
        if let Some(attr) = of_kind(registry, &mut self.random, &self.smith.types.all, &def.kind) {
            return Some(attr);
        }
        if self.random.one_in(4)
            && let Some(attr) = attr_default(registry, def)
        {
            return Some(attr);
        }
        if let Some(ty) = type_from_text(registry, &def.value_type)
            && let Some(attr) = number(&mut self.random, ty)
        {
            return Some(attr);
        }
        self.of_pred(&def.constraint.pred, 0)
    }

    fn of_pred(&mut self, pred: &Pred, depth: usize) -> Option<Attr> {
        let registry = self.registry;
        if depth > 3 {
            return None;
        }
        match pred {
            Pred::Any => number(&mut self.random, Type::int(32)),
            Pred::Or(all) => {
                let one = self.random.below(all.len());
                self.of_pred(all.get(one)?, depth + 1)
            }
            Pred::And(all) => {
                // One of them says what the attribute is; all others are checked.
                let range = all.iter().find_map(|pred| match pred {
                    Pred::IntRange(low, high) => Some((*low, *high)),
                    _ => None,
                });
                let length = all.iter().find_map(|pred| match pred {
                    Pred::Length(low, high) => Some((*low, *high)),
                    _ => None,
                });
                let made = all.iter().find_map(|pred| self.of_pred(pred, depth + 1))?;
                let made = within(&mut self.random, made, range);
                Some(as_long(made, length))
            }
            Pred::AttrKind(kind) => self.of_attr_kind(kind),
            Pred::AttrType(inner) => {
                let ty = self.type_of(inner)?;
                number(&mut self.random, ty)
            }
            Pred::TypeAttrOf(inner) => self.type_of(inner).map(Attr::ty),
            Pred::ArrayOf(inner) => {
                let count = self.random.below(4);
                let items: Option<Vec<Attr>> = (0..count)
                    .map(|_| match inner.first() {
                        Some(pred) => self.of_pred(pred, depth + 1),
                        None => Some(Attr::unit()),
                    })
                    .collect();
                items.map(|items| Attr::array(&items))
            }
            Pred::DenseArrayOf(element) => {
                let element = type_from_text(registry, element)?;
                let count = self.random.below(4);
                let values = (0..count).map(|_| self.random.small(4)).collect();
                Some(Attr::new(AttrData::DenseArray { element, values }))
            }
            Pred::AttrText(text) => attr_from_text(registry, text),
            Pred::EnumCase(name) => {
                let def = registry.enumeration(name)?;
                let keyword = keyword(&mut self.random, def)?;
                enum_attr(def, &keyword)
            }
            _ => None,
        }
    }

    /// A type that satisfies all of these.
    fn type_of(&mut self, preds: &[Pred]) -> Option<Type> {
        let fits = |ty: Type| preds.iter().all(|p| check_pred(self.registry, p, Subject::Type(ty)));
        let types: Vec<Type> =
            self.smith.types.all.iter().copied().filter(|&ty| fits(ty)).collect();
        self.random.choose(&types).copied()
    }

    fn of_attr_kind(&mut self, kind: &str) -> Option<Attr> {
        let registry = self.registry;
        Some(match kind {
            "unit" => Attr::unit(),
            "bool" => Attr::bool(self.random.one_in(2)),
            "integer" => {
                let width = *self.random.choose(&[1, 8, 32, 64])?;
                number(&mut self.random, Type::int(width))?
            }
            "float" => number(&mut self.random, Type::f32())?,
            "string" => Attr::string(self.random.choose(&["", "a", "b c", "d\"\\\n\u{e9}"])?),
            "array" => Attr::array(&[]),
            "dictionary" => Attr::dict([(Ident::of("k"), Attr::unit())]),
            "type" => Attr::ty(*self.random.choose(&self.smith.types.all)?),
            "symbol_ref" | "flat_symbol_ref" => {
                let at = self.random.below(self.symbols.len());
                Attr::symbol(&self.symbols.get(at)?.name)
            }
            "affine_map" => {
                let texts =
                    ["affine_map<(d0) -> (d0)>", "affine_map<(d0, d1)[s0] -> (d0 + s0, d1)>"];
                attr_from_text(registry, self.random.choose(&texts)?)?
            }
            "dense_elements" | "elements" => {
                let types = &self.smith.types.all;
                let shaped: Vec<Type> =
                    types.iter().copied().filter(|ty| ty.has_static_shape()).collect();
                let ty = *self.random.choose(&shaped)?;
                number(&mut self.random, ty)?
            }
            "location" => Attr::new(AttrData::Loc(LocData::Unknown)),
            name => {
                let kind = ParamKind::AttrOf(name.to_owned().into());
                of_kind(registry, &mut self.random, &self.smith.types.all, &kind)?
            }
        })
    }
}

/// A typed attribute: an integer, a float, or an array of them.
pub(crate) fn number(random: &mut Random, ty: Type) -> Option<Attr> {
    match ty.data() {
        TypeData::Integer { width, .. } => {
            let value = if random.one_in(4) {
                i128::from(random.bits().cast_signed())
            } else {
                *random.choose(&NUMBERS)?
            };
            Some(Attr::int(wrapped(value, *width, ty), ty))
        }
        TypeData::Index => {
            let value = *random.choose(&NUMBERS)?;
            Some(Attr::int(value, ty))
        }
        TypeData::Float(_) => {
            let values = [0.0, -0.0, 1.0, -1.0, 0.5, 3.0, 1.0e10, f64::INFINITY, f64::NAN, 0.1];
            let bits = float_from_f64(*random.choose(&values)?, ty)?;
            Some(Attr::new(AttrData::Float { bits, ty }))
        }
        _ => {
            let (count, element) = (ty.num_elements()?, ty.element()?);
            let splat = random.one_in(2);
            let first = number(random, element)?;
            let elements: Option<Vec<Attr>> = (0..count)
                .map(|_| if splat { Some(first) } else { number(random, element) })
                .collect();
            dense_of(ty, &elements?)
        }
    }
}

/// The number that a type of so many bits makes of a larger one.
fn wrapped(value: i128, width: u32, ty: Type) -> i128 {
    if width >= 128 {
        return value;
    }
    let shift = 128 - width;
    let unsigned = signedness(ty) == Some(Signedness::Unsigned);
    if unsigned {
        (value.cast_unsigned() << shift >> shift).cast_signed()
    } else {
        value << shift >> shift
    }
}

fn within(random: &mut Random, attr: Attr, range: Option<(i64, i64)>) -> Attr {
    let (Some((low, high)), AttrData::Integer { ty, .. }) = (range, attr.data()) else {
        return attr;
    };
    let span = high.saturating_sub(low).clamp(0, 8) as usize;
    Attr::int(i128::from(low) + random.below(span + 1) as i128, *ty)
}

/// A list cut, or lengthened by what it ends in, to an allowed length.
fn as_long(attr: Attr, length: Option<(u32, u32)>) -> Attr {
    let Some((low, high)) = length else { return attr };
    let (low, high) = (low as usize, high as usize);
    match attr.data() {
        AttrData::Array(items) => {
            let mut items = items.to_vec();
            items.truncate(high);
            while let Some(&last) = items.last().filter(|_| items.len() < low) {
                items.push(last);
            }
            Attr::array(&items)
        }
        AttrData::DenseArray { element, values } => {
            let mut values = values.to_vec();
            values.truncate(high);
            values.resize(values.len().max(low), 0);
            Attr::new(AttrData::DenseArray { element: *element, values: values.into() })
        }
        _ => attr,
    }
}

fn keyword(random: &mut Random, def: &EnumDef) -> Option<String> {
    let case = random.choose(&def.cases)?;
    enum_value(def, &case.keyword).map(|_| case.keyword.to_string())
}

/// A parameter of a dialect type or attribute.
pub(crate) fn param(
    registry: &Registry,
    random: &mut Random,
    types: &[Type],
    def: &ParamDef,
) -> Option<Attr> {
    if def.optional && random.one_in(2) {
        return Some(Attr::absent());
    }
    if let Some(default) = param_default(registry, def).filter(|_| random.one_in(2)) {
        return Some(default);
    }
    let drawn = match &def.kind {
        ParamKind::Enum(name) => {
            registry.enumeration(name).and_then(|e| keyword(random, e)).map(|k| Attr::string(&k))
        }
        kind => of_kind(registry, random, types, kind),
    };
    drawn.or_else(|| def.optional.then(Attr::absent)).or_else(|| param_default(registry, def))
}

/// An attribute of a kind; none where the kind does not say enough.
fn of_kind(
    registry: &Registry,
    random: &mut Random,
    types: &[Type],
    kind: &ParamKind,
) -> Option<Attr> {
    Some(match kind {
        ParamKind::Attr | ParamKind::SymbolName => return None,
        ParamKind::Type => Attr::ty(*random.choose(types)?),
        ParamKind::Int => Attr::i64(random.small(4)),
        ParamKind::Bool => Attr::bool(random.one_in(2)),
        ParamKind::String => Attr::string(random.choose(&["a", "b c"])?),
        ParamKind::Enum(name) => {
            let def = registry.enumeration(name)?;
            let keyword = keyword(random, def)?;
            enum_attr(def, &keyword)?
        }
        ParamKind::Array(item) => {
            let count = random.below(3);
            let items: Option<Vec<Attr>> =
                (0..count).map(|_| of_kind(registry, random, types, item)).collect();
            Attr::array(&items?)
        }
        ParamKind::AttrOf(name) => {
            if let Some(def) = registry.enum_of_attr(name) {
                let keyword = keyword(random, def)?;
                return Some(Attr::dialect(name, &[Attr::string(&keyword)]));
            }
            let (_, def) = registry.attr(name)?;
            let params: Option<Vec<Attr>> =
                def.params.iter().map(|p| param(registry, random, types, p)).collect();
            Attr::dialect(name, &params?)
        }
        ParamKind::Dims => Attr::i64_array(&[4, 2][..random.below(3)]),
        ParamKind::DenseArray(element) => {
            let element = type_from_text(registry, element)?;
            let values = (0..random.below(4)).map(|_| random.small(4)).collect();
            Attr::new(AttrData::DenseArray { element, values })
        }
    })
}
