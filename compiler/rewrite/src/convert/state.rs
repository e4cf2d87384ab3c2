//! What a conversion says of ops and types, and what stands for values on the way.

use rustc_hash::FxHashMap;
use smallvec::smallvec;
use tegula_ir::text::print_type;
use tegula_ir::{
    Attr, AttrData, BlockId, Body, InsertPoint, NewOp, OPERAND_SEGMENTS, OpId, RegionId, Registry,
    Type, ValueId, ValueKind,
};
use tegula_schema::{ConversionDef, Str};

use super::converter::Converter;
use super::{CAST, ConversionError};
use crate::apply::Conversion;
use crate::expand::{Counts, divided, expanded};
use crate::machine::{self, Registers, Scope, TypeList, Types, Values};
use crate::{Bound, PatternIndex, Patterns, Rewriter};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Legality {
    Legal,
    Illegal,
    /// Illegal until its types are.
    TypeIllegal,
    Unknown,
}

pub(crate) struct State<'a> {
    pub(super) patterns: &'a Patterns,
    /// What says which ops are legal.
    rules: PatternIndex,
    pub(super) registry: &'a Registry,
    pub(super) conversion: &'a ConversionDef,
    pub(super) converter: Converter<'a>,
    /// Casts of original values, by value.
    casts: FxHashMap<ValueId, Values>,
}

fn names(list: &[Str], name: &str) -> bool {
    list.iter().any(|n| n == name)
}

impl<'a> State<'a> {
    pub(crate) fn new(
        registry: &'a Registry,
        patterns: &'a Patterns,
        conversion: &'a ConversionDef,
    ) -> Result<State<'a>, ConversionError> {
        Ok(State {
            patterns,
            rules: patterns.legality(&conversion.groups),
            registry,
            conversion,
            converter: Converter::new(registry, patterns, &conversion.converter)?,
            casts: FxHashMap::default(),
        })
    }
}

impl State<'_> {
    pub(super) fn legality(&mut self, body: &Body, op: OpId) -> Legality {
        let name = body.name(op);
        let conversion = self.conversion;
        if names(&conversion.opaque, name.as_str()) {
            return Legality::Legal;
        }
        let mut declared = false;
        for index in 0..self.rules.of(name).len() {
            let Some(rule) = self.rules.of(name).get(index).cloned() else { continue };
            declared = true;
            let mut registers = Registers::default();
            let registry = self.registry;
            let mut scope = Scope { registry, body, types: Some(&mut *self), failures: None };
            if machine::run(&mut scope, &rule.code, Bound::Op(op), &mut registers).is_some() {
                return Legality::Legal;
            }
        }
        if declared {
            return Legality::Illegal;
        }
        // What is said of the op goes before what is said of its dialect.
        for name in [name.as_str(), name.dialect()] {
            if names(&conversion.illegal, name) {
                return Legality::Illegal;
            }
            if names(&conversion.type_legal, name) {
                return if self.types_legal(body, op) {
                    Legality::Legal
                } else {
                    Legality::TypeIllegal
                };
            }
            if names(&conversion.legal, name) {
                return Legality::Legal;
            }
        }
        Legality::Unknown
    }

    /// Whether an op lies within one whose regions are not looked at.
    pub(super) fn in_opaque(&self, body: &Body, op: OpId, root: OpId) -> bool {
        if self.conversion.opaque.is_empty() {
            return false;
        }
        let mut at = op;
        while at != root
            && let Some(outer) = body.parent_op(at)
        {
            if names(&self.conversion.opaque, body.name(outer).as_str()) {
                return true;
            }
            at = outer;
        }
        false
    }

    fn types_legal(&mut self, body: &Body, op: OpId) -> bool {
        let registry = self.registry;
        let args = body
            .regions(op)
            .iter()
            .flat_map(|&region| body.blocks(region))
            .flat_map(|block| body.block_args(block).iter().copied());
        let values: Vec<ValueId> = body.operands(op).chain(body.results(op)).chain(args).collect();
        let attrs = body.attr_entries(op).iter().filter_map(|(_, attr)| attr.as_type());
        values
            .into_iter()
            .map(|value| body.ty(value))
            .chain(attrs)
            .all(|ty| self.converter.is_legal(registry, body, ty))
    }

    /// Whether the type of an attribute that is a value of some type stays.
    fn value_is_legal(&mut self, body: &Body, attr: Attr) -> bool {
        let registry = self.registry;
        registry.value_type(attr).is_none_or(|ty| self.converter.is_legal(registry, body, ty))
    }

    /// Whether a cast is one of this conversion.
    pub(super) fn ours(&self, body: &Body, cast: OpId) -> bool {
        self.to_original(body, cast)
            || body.operands(cast).next().is_some_and(|v| self.casts.contains_key(&v))
    }

    /// Whether a cast leads from converted values to one of the original type.
    pub(super) fn to_original(&self, body: &Body, cast: OpId) -> bool {
        body.attr(cast, SOURCE_MARK).is_some()
    }

    /// Gives an op that has no pattern converted operands, results, block arguments and types in
    /// attributes.
    pub(super) fn convert_types(&mut self, rw: &mut Rewriter<'_>, op: OpId) -> Result<(), String> {
        for index in 0..rw.body.regions(op).len() {
            self.convert_region(rw, op, index)?;
        }
        let mut operands = Vec::new();
        let mut counts = Vec::new();
        let old: Values = rw.body.operands(op).collect();
        for value in old {
            let parts = self.remap(rw, value)?;
            counts.push(parts.len());
            operands.extend(parts);
        }
        let result_types: Vec<TypeList> = rw
            .body
            .results(op)
            .map(|r| self.converted(rw.body, rw.body.ty(r)))
            .collect::<Result<_, _>>()?;
        let signature = self.signature(rw.body, op, &counts, &result_types)?;
        let signature = Counts { arguments: &signature[0], results: &signature[1] };
        let mut entries = Vec::new();
        let def = self.registry.op(rw.body.name(op)).map(|info| info.def());
        for &(name, attr) in rw.body.attr_entries(op) {
            // What others have written on the op is not part of it.
            if def.is_some_and(|def| !def.attrs.iter().any(|a| a.name == name.as_str())) {
                entries.push((name, attr));
                continue;
            }
            let attr = match attr.as_type() {
                Some(ty) => match self.converted(rw.body, ty)?.as_slice() {
                    [one] => Attr::ty(*one),
                    _ => return Err(format!("the type in `{name}` does not become just one")),
                },
                None if !self.value_is_legal(rw.body, attr) => {
                    return Err(format!("the value of `{name}` is of a type that is converted"));
                }
                None => expanded(name.as_str(), attr, &signature)
                    .or_else(|| divided(self.registry, rw.body, op, name.as_str(), &counts))
                    .unwrap_or(attr),
            };
            entries.push((name, attr));
        }
        if let Some(AttrData::DenseArray { values, .. }) =
            rw.body.attr(op, OPERAND_SEGMENTS).map(|attr| attr.data())
        {
            let mut at = 0;
            let sizes = values.iter().map(|&size| {
                let size = usize::try_from(size).unwrap_or(0);
                let group = counts.iter().skip(at).take(size).sum::<usize>();
                at += size;
                i32::try_from(group).unwrap_or(i32::MAX)
            });
            let sizes: Vec<i32> = sizes.collect();
            let name = tegula_ir::Ident::of(OPERAND_SEGMENTS);
            entries.retain(|(n, _)| *n != name);
            entries.push((name, Attr::i32_array(&sizes)));
        }
        let attrs = Attr::dict(entries);
        let results_stay = rw
            .body
            .results(op)
            .zip(&result_types)
            .all(|(r, types)| types.as_slice() == [rw.body.ty(r)]);
        if results_stay {
            rw.set_operands(op, &operands);
            rw.set_attrs(op, attrs);
            return Ok(());
        }
        let mut new = NewOp::new(rw.body.name(op))
            .operands(operands)
            .attrs(attrs)
            .results(result_types.iter().flatten().copied())
            .regions(rw.body.regions(op).len())
            .loc(rw.body.loc(op));
        for &successor in rw.body.successors(op) {
            new = new.successor(successor);
        }
        let made = rw.insert(InsertPoint::Before(op), new);
        let regions: Vec<(RegionId, RegionId)> = rw
            .body
            .regions(op)
            .iter()
            .copied()
            .zip(rw.body.regions(made).iter().copied())
            .collect();
        for (from, to) in regions {
            rw.take_region(from, to);
        }
        let mut at = rw.body.results(made);
        let parts: Vec<Values> =
            result_types.iter().map(|types| at.by_ref().take(types.len()).collect()).collect();
        self.replace(rw, op, &parts)
    }
}

impl State<'_> {
    /// How many values the arguments and the results of an op become: those of its function type,
    /// or its own.
    fn signature(
        &mut self,
        body: &Body,
        op: OpId,
        operands: &[usize],
        results: &[TypeList],
    ) -> Result<[Vec<usize>; 2], String> {
        let ty = body.attr(op, "function_type").and_then(Attr::as_type);
        let Some((inputs, outputs)) = ty.and_then(Type::as_function) else {
            return Ok([operands.to_vec(), results.iter().map(TypeList::len).collect()]);
        };
        let mut count = |types: &[Type]| -> Result<Vec<usize>, String> {
            types.iter().map(|&ty| Ok(self.converted(body, ty)?.len())).collect()
        };
        Ok([count(inputs)?, count(outputs)?])
    }
}

/// Marks casts that lead back to an original type; it goes with them.
const SOURCE_MARK: &str = "to_original";

impl Types for State<'_> {
    fn convert_type(&mut self, registry: &Registry, body: &Body, ty: Type) -> Option<TypeList> {
        self.converter.convert(registry, body, ty)
    }
}

impl Conversion for State<'_> {
    fn remap(&mut self, rw: &mut Rewriter<'_>, value: ValueId) -> Result<Values, String> {
        let ty = rw.body.ty(value);
        let types = self.converted(rw.body, ty)?;
        if types.as_slice() == [ty] {
            return Ok(smallvec![value]);
        }
        if let Some(def) = rw.body.defining_op(value)
            && rw.body.is(def, CAST)
            && rw.body.operands(def).map(|v| rw.body.ty(v)).eq(types.iter().copied())
        {
            return Ok(rw.body.operands(def).collect());
        }
        if let Some(known) = self.casts.get(&value) {
            return Ok(known.clone());
        }
        let at = match rw.body.definition(value) {
            ValueKind::Result(op, _) => InsertPoint::After(op),
            ValueKind::Arg(block, _) => InsertPoint::Start(block),
        };
        let cast = rw.insert(at, NewOp::new(CAST).operand(value).results(types));
        let values: Values = rw.body.results(cast).collect();
        self.casts.insert(value, values.clone());
        Ok(values)
    }

    fn parts(&mut self, rw: &mut Rewriter<'_>, value: ValueId) -> Result<Values, String> {
        match rw.body.defining_op(value).filter(|&def| rw.body.is(def, CAST)) {
            Some(cast) if self.to_original(rw.body, cast) => Ok(rw.body.operands(cast).collect()),
            _ => self.remap(rw, value),
        }
    }

    fn convert_region(
        &mut self,
        rw: &mut Rewriter<'_>,
        op: OpId,
        index: usize,
    ) -> Result<(), String> {
        let region = rw.body.region(op, index).ok_or("the region does not exist")?;
        let blocks: Vec<BlockId> = rw.body.blocks(region).collect();
        for block in blocks {
            let old: Vec<ValueId> = rw.body.block_args(block).to_vec();
            let types: Vec<TypeList> = old
                .iter()
                .map(|&arg| self.converted(rw.body, rw.body.ty(arg)))
                .collect::<Result<_, _>>()?;
            if old.iter().zip(&types).all(|(&arg, types)| types.as_slice() == [rw.body.ty(arg)]) {
                continue;
            }
            // All arguments are made anew, in order, and the old ones go.
            for (&arg, types) in old.iter().zip(&types) {
                let parts: Vec<ValueId> =
                    types.iter().map(|&ty| rw.add_block_arg(block, ty)).collect();
                self.stand_in(rw, arg, &parts, InsertPoint::Start(block));
            }
            for index in (0..old.len()).rev() {
                rw.remove_block_arg(block, index);
            }
        }
        Ok(())
    }

    fn replace(&mut self, rw: &mut Rewriter<'_>, op: OpId, with: &[Values]) -> Result<(), String> {
        for (result, parts) in rw.body.results(op).zip(with) {
            self.stand_in(rw, result, parts, InsertPoint::Before(op));
        }
        rw.erase(op);
        Ok(())
    }

    fn stand_for(
        &mut self,
        rw: &mut Rewriter<'_>,
        value: ValueId,
        with: &[ValueId],
        at: InsertPoint,
    ) {
        self.stand_in(rw, value, with, at);
    }
}

impl State<'_> {
    /// What a type becomes.
    fn converted(&mut self, body: &Body, ty: Type) -> Result<TypeList, String> {
        let shown = |ty| print_type(self.registry, ty);
        let Some(types) = self.converter.convert(self.registry, body, ty) else {
            return Err(format!("the type `{}` cannot be converted", shown(ty)));
        };
        let again = |&new: &Type| new != ty && !self.converter.is_legal(self.registry, body, new);
        match types.iter().copied().find(again) {
            Some(new) => {
                let (ty, new) = (shown(ty), shown(new));
                Err(format!("`{ty}` becomes `{new}`, which would have to be converted again"))
            }
            None => Ok(types),
        }
    }

    /// Lets `parts` stand for a value in all of its uses, with a cast when types differ.
    fn stand_in(
        &mut self,
        rw: &mut Rewriter<'_>,
        value: ValueId,
        parts: &[ValueId],
        at: InsertPoint,
    ) {
        // Uses that a cast has converted already take the parts as they are.
        if let Some(known) = self.casts.remove(&value)
            && known.len() == parts.len()
            && known.iter().zip(parts).all(|(&a, &b)| rw.body.ty(a) == rw.body.ty(b))
        {
            for (&from, &to) in known.iter().zip(parts) {
                rw.replace_all_uses(from, to);
            }
            if let Some(cast) = known.first().and_then(|&v| rw.body.defining_op(v)) {
                rw.erase(cast);
            }
        }
        if rw.body.is_unused(value) {
            return;
        }
        match parts {
            [one] if rw.body.ty(*one) == rw.body.ty(value) => rw.replace_all_uses(value, *one),
            _ => {
                let new = NewOp::new(CAST)
                    .operands(parts.iter().copied())
                    .result(rw.body.ty(value))
                    .attr(SOURCE_MARK, Attr::unit());
                let cast = rw.insert(at, new);
                let cast = rw.body.result(cast, 0);
                rw.replace_all_uses(value, cast);
            }
        }
    }
}
