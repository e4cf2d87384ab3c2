//! Type converters: what types become.

use rustc_hash::FxHashMap;
use smallvec::smallvec;
use tegula_ir::{Body, Registry, Type, TypeData};
use tegula_schema::{CastDef, ConverterDef, TypeConversionDef};

use super::ConversionError;
use crate::link::{Code, ConverterCode};
use crate::machine::{self, Registers, Scope, TypeList, Types};
use crate::{Bound, Patterns};

/// A type converter, ready to run.
pub(crate) struct Converter<'a> {
    pub(super) def: Option<&'a ConverterDef>,
    rules: Vec<(&'a Code, &'a TypeConversionDef)>,
    pub(super) casts: Vec<(&'a Code, &'a CastDef)>,
    /// What types become; none for those that are refused.
    cache: FxHashMap<Type, Option<TypeList>>,
    /// The types that are being converted, outer before inner, with the numbers of their rules.
    open: Vec<(Type, usize)>,
    /// Why there is no end of converting a type, once that was found out.
    endless: Option<String>,
}

/// Rules that ask for the conversion of other types are cut at this depth.
const MAX_OPEN: usize = 256;

impl<'a> Converter<'a> {
    pub(crate) fn new(
        registry: &'a Registry,
        patterns: &'a Patterns,
        name: &str,
    ) -> Result<Converter<'a>, ConversionError> {
        let mut converter = Converter {
            def: None,
            rules: Vec::new(),
            casts: Vec::new(),
            cache: FxHashMap::default(),
            open: Vec::new(),
            endless: None,
        };
        if name.is_empty() {
            return Ok(converter);
        }
        let mut defs = registry.dialects().flat_map(|d| d.def.converters.iter());
        let def = defs.find(|def| def.name == name);
        let Some((def, linked)) = def.zip(patterns.converter(name)) else {
            let message = format!("no type converter is named `{name}`");
            return Err(ConversionError::NoConverter(message));
        };
        let ConverterCode { rules, casts } = linked.as_ref().map_err(|message| {
            let tegula_schema::Source { file, line } = &def.source;
            let message =
                format!("the type converter `{name}` ({file}:{line}) does not run: {message}");
            ConversionError::NoConverter(message)
        })?;
        converter.rules = rules.iter().zip(def.rules.iter()).collect();
        converter.casts = casts.iter().zip(def.casts.iter()).collect();
        converter.def = Some(def);
        Ok(converter)
    }

    /// What a type becomes; none when it is refused. Types inside of function types are converted
    /// one by one.
    pub(super) fn convert(
        &mut self,
        registry: &Registry,
        body: &Body,
        ty: Type,
    ) -> Option<TypeList> {
        if let Some(known) = self.cache.get(&ty) {
            return known.clone();
        }
        let again = self.open.iter().position(|(open, _)| *open == ty);
        let cut = (self.open.len() == MAX_OPEN).then_some(MAX_OPEN / 2);
        if let Some(from) = again.or(cut) {
            self.endless.get_or_insert_with(|| endless(self.def, &self.open, from));
            return None;
        }
        let mut registers = Registers::default();
        let mut converted = None;
        for index in 0..self.rules.len() {
            let (code, rule) = self.rules[index];
            // A rule may convert the types that a type is made of.
            self.open.push((ty, index));
            let mut inner = Inner { converter: self, whole: ty };
            let mut scope = Scope { registry, body, types: Some(&mut inner), failures: None };
            let matched = machine::run(&mut scope, code, Bound::Type(ty), &mut registers);
            // The rule decides now; where its results do not exist the type has no conversion.
            let found = matched
                .map(|rest| machine::search_from(&mut scope, code, rest, &mut registers).is_some());
            self.open.pop();
            let Some(found) = found else { continue };
            let types = rule.results.iter().flat_map(|&reg| registers.get(reg).types());
            let converts = found && !rule.refused;
            converted = Some(converts.then(|| types.copied().collect()));
            break;
        }
        let converted = match (converted, ty.data()) {
            (Some(types), _) => types,
            (None, TypeData::Function { inputs, results }) => {
                let mut side = |types: &[Type]| -> Option<TypeList> {
                    let mut all = TypeList::new();
                    for &ty in types {
                        all.extend(self.convert(registry, body, ty)?);
                    }
                    Some(all)
                };
                let (inputs, results) = (side(inputs), side(results));
                match (inputs, results) {
                    (Some(inputs), Some(results)) => {
                        Some(smallvec![Type::function(&inputs, &results)])
                    }
                    _ => None,
                }
            }
            (None, _) => Some(smallvec![ty]),
        };
        self.cache.insert(ty, converted.clone());
        converted
    }

    /// Why there is no end of converting a type, once that was found out.
    pub(super) fn take_endless(&mut self) -> Option<String> {
        self.endless.take()
    }

    pub(super) fn is_legal(&mut self, registry: &Registry, body: &Body, ty: Type) -> bool {
        self.convert(registry, body, ty).is_some_and(|types| types.as_slice() == [ty])
    }
}

/// Says which rules of a converter lead to each other: those of the types that are being converted,
/// from one on.
fn endless(def: Option<&ConverterDef>, open: &[(Type, usize)], from: usize) -> String {
    let mut all: Vec<usize> = open.iter().skip(from).map(|(_, rule)| *rule).collect();
    all.sort_unstable();
    all.dedup();
    let name = def.map_or("", |def| &def.name);
    let rules = all.iter().filter_map(|&rule| def?.rules.get(rule)).map(|rule| {
        let of = rule.reads.first().map_or("", |reads| reads);
        format!("`{of}` ({}:{})", rule.source.file, rule.source.line)
    });
    let rules: Vec<String> = rules.collect();
    let first = open.first().map_or_else(String::new, |(ty, _)| ty.to_string());
    let which = match rules.as_slice() {
        [one] => format!("rule for {one} leads to itself"),
        all => format!("rules for {} lead to each other", all.join(", ")),
    };
    format!("the type converter `{name}` finds no end of converting `{first}`: its {which}")
}

/// The converter as its own rules see it: within the rule for a type that type stays.
struct Inner<'c, 'a> {
    converter: &'c mut Converter<'a>,
    whole: Type,
}

impl Types for Inner<'_, '_> {
    fn convert_type(&mut self, registry: &Registry, body: &Body, ty: Type) -> Option<TypeList> {
        if ty == self.whole {
            return Some(smallvec![ty]);
        }
        self.converter.convert(registry, body, ty)
    }
}

impl Types for Converter<'_> {
    fn convert_type(&mut self, registry: &Registry, body: &Body, ty: Type) -> Option<TypeList> {
        self.convert(registry, body, ty)
    }
}
