//! Ops from text by their format programs.
//!
//! The program is run over the text and fills in one slot per operand group, type, attribute and
//! region; afterwards types that the text does not spell are inferred, and operands are resolved.

use smallvec::SmallVec;
use tegula_schema::{
    Anchor, Arity, AttrDef, FormatElem, FunctionalSide, OiClause, OpDef, ParamKind, Slot, Str,
};

use super::asm_parser::ParseResult;
use super::defaults::enum_attr;
use super::directive::{ParseArg, ParseArgs};
use super::lexer::Tok;
use super::op_parser::{OpParser, OpState, UnresolvedOperand};
use super::op_printer::implicit_terminator;
use super::print_format::{is_unit, strips_type};
use crate::{Attr, AttrData, BlockId, Ident, OpInfo, RegionId, Type, TypeData};

mod infer;

pub use infer::derive_type;

impl<'a> OpParser<'a> {
    pub(crate) fn format_program(
        &mut self,
        state: &mut OpState,
        info: &'a OpInfo,
        elems: &[FormatElem],
    ) -> ParseResult<()> {
        let def = info.def();
        let mut slots = Slots {
            info,
            def,
            operands: (0..def.operands.len()).map(|_| SmallVec::new()).collect(),
            all_operands: None,
            operand_types: (0..def.operands.len()).map(|_| None).collect(),
            result_types: (0..def.results.len()).map(|_| None).collect(),
            all_operand_types: None,
            all_result_types: None,
            attrs: SmallVec::from_elem(None, def.attrs.len()),
            regions: (0..def.regions.len()).map(|_| Vec::new()).collect(),
            all_regions: None,
            successors: Vec::new(),
            dict: Vec::new(),
        };
        slots.run(self, elems)?;
        slots.finish(self, state)
    }
}

/// The types of a group, mostly one.
type Types = SmallVec<[Type; 1]>;

struct Slots<'i> {
    info: &'i OpInfo,
    def: &'i OpDef,
    operands: SmallVec<[SmallVec<[UnresolvedOperand; 1]>; 4]>,
    all_operands: Option<Vec<UnresolvedOperand>>,
    operand_types: SmallVec<[Option<Types>; 4]>,
    result_types: SmallVec<[Option<Types>; 2]>,
    all_operand_types: Option<Vec<Type>>,
    all_result_types: Option<Vec<Type>>,
    attrs: SmallVec<[Option<Attr>; 4]>,
    regions: SmallVec<[Vec<RegionId>; 1]>,
    all_regions: Option<Vec<RegionId>>,
    successors: Vec<BlockId>,
    dict: Vec<(Ident, Attr)>,
}

impl<'i> Slots<'i> {
    fn run(&mut self, p: &mut OpParser<'_>, elems: &[FormatElem]) -> ParseResult<()> {
        elems.iter().try_for_each(|elem| self.element(p, elem))
    }

    fn element(&mut self, p: &mut OpParser<'_>, elem: &FormatElem) -> ParseResult<()> {
        match elem {
            FormatElem::Literal(text) => p.expect(text),
            FormatElem::Whitespace(_) => Ok(()),
            FormatElem::Operand(group) => self.operand_group(p, usize::from(*group)),
            FormatElem::Operands => {
                self.all_operands = Some(p.operand_list()?);
                Ok(())
            }
            FormatElem::Attr(index) => self.attribute(p, usize::from(*index)),
            FormatElem::Region(group) => self.region_group(p, usize::from(*group)),
            FormatElem::Regions => {
                let mut all = Vec::new();
                while p.tok.kind == Tok::LBrace {
                    all.push(self.region(p)?);
                    if !p.eat(",") {
                        break;
                    }
                }
                self.all_regions = Some(all);
                Ok(())
            }
            FormatElem::Successor(group) => {
                let one = self
                    .def
                    .successors
                    .get(usize::from(*group))
                    .is_none_or(|s| s.arity == Arity::One);
                if one {
                    let block = p.successor()?;
                    self.successors.push(block);
                    return Ok(());
                }
                self.successor_list(p)
            }
            FormatElem::Successors => self.successor_list(p),
            FormatElem::AttrDict { keyword } => {
                if *keyword && !p.eat("attributes") {
                    return Ok(());
                }
                if *keyword || p.tok.kind == Tok::LBrace {
                    let entries = p.dict_entries()?;
                    self.dict.extend(entries);
                }
                Ok(())
            }
            FormatElem::PropDict => {
                if p.at("<") {
                    self.prop_dict(p)?;
                }
                Ok(())
            }
            FormatElem::Type(slot) => self.type_of(p, *slot),
            FormatElem::OperandTypes => {
                self.all_operand_types = Some(maybe_types(p)?);
                Ok(())
            }
            FormatElem::ResultTypes => {
                self.all_result_types = Some(maybe_types(p)?);
                Ok(())
            }
            FormatElem::FunctionalType(ins, outs) => {
                let (inputs, results) = p.function_type()?;
                self.set_side(ins, inputs);
                self.set_side(outs, results);
                Ok(())
            }
            FormatElem::Qualified(inner) => self.run(p, inner),
            FormatElem::Custom(name, args) => self.custom(p, name, args).map(drop),
            FormatElem::Optional { then, otherwise, anchor, inverted } => {
                self.optional(p, then, otherwise, anchor, *inverted)
            }
            FormatElem::OiList(clauses) => self.oilist(p, clauses),
            FormatElem::Ref(_) | FormatElem::Params | FormatElem::Struct(_) => Ok(()),
        }
    }

    fn successor_list(&mut self, p: &mut OpParser<'_>) -> ParseResult<()> {
        while let Some(block) = p.eat_successor() {
            self.successors.push(block);
            if !p.eat(",") {
                break;
            }
        }
        Ok(())
    }

    fn operand_group(&mut self, p: &mut OpParser<'_>, group: usize) -> ParseResult<()> {
        let Some(def) = self.def.operands.get(group) else { return Ok(()) };
        let arity = def.arity;
        let values = &mut self.operands[group];
        values.clear();
        match arity {
            Arity::One => values.push(p.operand()?),
            Arity::Optional => values.extend(p.eat_operand()?),
            Arity::Variadic => p.each_operand(|operand| values.push(operand))?,
        }
        Ok(())
    }

    fn region_group(&mut self, p: &mut OpParser<'_>, group: usize) -> ParseResult<()> {
        let one = self.def.regions.get(group).is_none_or(|r| r.arity == Arity::One);
        let mut regions = Vec::new();
        if one {
            regions.push(self.region(p)?);
        } else {
            while p.tok.kind == Tok::LBrace {
                regions.push(self.region(p)?);
                if !p.eat(",") {
                    break;
                }
            }
        }
        if let Some(slot) = self.regions.get_mut(group) {
            *slot = regions;
        }
        Ok(())
    }

    fn region(&mut self, p: &mut OpParser<'_>) -> ParseResult<RegionId> {
        let region = p.region(&[])?;
        if let Some(name) = implicit_terminator(self.info) {
            p.ensure_terminator(region, name);
        } else if self.def.has_trait("SingleBlock") && p.body.first_block(region).is_none() {
            // `{}` is a block without ops.
            p.body.append_block(region);
        }
        Ok(region)
    }

    fn attribute(&mut self, p: &mut OpParser<'_>, index: usize) -> ParseResult<()> {
        let Some(def) = self.def.attrs.get(index) else { return Ok(()) };
        let attr = parse_attribute(p, def)?;
        if attr.is_some() {
            self.attrs[index] = attr;
        }
        Ok(())
    }

    /// `<name = value, …>`, the values as the attributes of the definition are written.
    fn prop_dict(&mut self, p: &mut OpParser<'_>) -> ParseResult<()> {
        p.expect("<")?;
        loop {
            let at = p.span();
            let name = p.keyword_or_string()?;
            let Some(index) = self.def.attr_index(&name) else {
                return Err(p.error_at(at, format!("the op has no attribute `{name}`")));
            };
            if p.eat("=") {
                self.attribute(p, index)?;
            } else {
                self.attrs[index] = Some(Attr::unit());
            }
            if !p.eat(",") {
                break;
            }
        }
        p.expect(">")
    }

    fn type_of(&mut self, p: &mut OpParser<'_>, slot: Slot) -> ParseResult<()> {
        let arity = match slot {
            Slot::Operand(g) => self.def.operands.get(usize::from(g)).map(|v| v.arity),
            Slot::Result(g) => self.def.results.get(usize::from(g)).map(|v| v.arity),
            Slot::Attr(_) => None,
        };
        let types = match arity {
            Some(Arity::Variadic) => maybe_types(p)?.into(),
            Some(Arity::Optional) => p.eat_type()?.into_iter().collect(),
            _ => Types::from_elem(self.one_type(p, slot)?, 1),
        };
        self.set_types(slot, types);
        Ok(())
    }

    fn one_type(&mut self, p: &mut OpParser<'_>, slot: Slot) -> ParseResult<Type> {
        if p.tok.kind == Tok::Less && strips_type(p.registry, self.def, slot) {
            let constraint = match slot {
                Slot::Operand(g) => &self.def.operands[usize::from(g)].constraint,
                Slot::Result(g) => &self.def.results[usize::from(g)].constraint,
                Slot::Attr(_) => return p.ty(),
            };
            if let tegula_schema::Pred::TypeKind(name) = &constraint.pred
                && let Some((entry, def)) = p.registry.ty(name)
            {
                let params = p.params(entry, &def.format, &def.params)?;
                let (name, params) = (Ident::of(name), params.into());
                return Ok(Type::new(TypeData::Dialect { name, params }));
            }
        }
        p.ty()
    }

    fn set_types(&mut self, slot: Slot, types: Types) {
        let target = match slot {
            Slot::Operand(g) => self.operand_types.get_mut(usize::from(g)),
            Slot::Result(g) => self.result_types.get_mut(usize::from(g)),
            Slot::Attr(g) => {
                if let (Some(slot), [ty]) = (self.attrs.get_mut(usize::from(g)), types.as_slice()) {
                    *slot = Some(Attr::ty(*ty));
                }
                None
            }
        };
        if let Some(target) = target {
            *target = Some(types);
        }
    }

    fn set_side(&mut self, side: &FunctionalSide, types: Vec<Type>) {
        match side {
            FunctionalSide::Operands => self.all_operand_types = Some(types),
            FunctionalSide::Results => self.all_result_types = Some(types),
            FunctionalSide::Group(slot) => self.set_types(*slot, types.into()),
        }
    }

    // ---- optional parts

    fn optional(
        &mut self,
        p: &mut OpParser<'_>,
        then: &[FormatElem],
        otherwise: &[FormatElem],
        anchor: &Anchor,
        inverted: bool,
    ) -> ParseResult<()> {
        // With an inverted condition the first branch is the one without the anchor; the text
        // still begins with it.
        let Some(head) = then.iter().find(|e| !matches!(e, FormatElem::Whitespace(_))) else {
            return self.run(p, otherwise);
        };
        let found = match head {
            FormatElem::Custom(name, args) => self.custom(p, name, args)?,
            head => self.starts(p, head),
        };
        if !found {
            return self.run(p, otherwise);
        }
        if let Anchor::Slot(Slot::Attr(index)) = anchor
            && !inverted
            && self.def.attrs.get(usize::from(*index)).is_some_and(is_unit)
        {
            self.attrs[usize::from(*index)] = Some(Attr::unit());
        }
        let skip_head = matches!(head, FormatElem::Custom(..));
        let mut passed = false;
        for elem in then {
            if skip_head && !passed && std::ptr::eq(elem, head) {
                passed = true;
                continue;
            }
            let unit_anchor = match (elem, anchor) {
                (FormatElem::Attr(i), Anchor::Slot(Slot::Attr(a))) if i == a => {
                    self.def.attrs.get(usize::from(*i)).is_some_and(is_unit)
                }
                _ => false,
            };
            if unit_anchor && !std::ptr::eq(elem, head) {
                continue;
            }
            self.element(p, elem)?;
        }
        Ok(())
    }

    /// Whether the text goes on with that element.
    fn starts(&self, p: &OpParser<'_>, elem: &FormatElem) -> bool {
        match elem {
            FormatElem::Literal(text) => p.at(text),
            FormatElem::Operand(_) | FormatElem::Operands => p.tok.kind == Tok::Percent,
            FormatElem::Attr(index) => match self.def.attrs.get(usize::from(*index)) {
                Some(def) if is_unit(def) => p.at("unit") || p.at(&def.name),
                Some(def) => match def.kind {
                    ParamKind::Attr => p.at_attr(),
                    ParamKind::DenseArray(_) => p.tok.kind == Tok::LSquare,
                    ref kind => p.can_start(kind),
                },
                None => false,
            },
            FormatElem::Region(_) | FormatElem::Regions => p.tok.kind == Tok::LBrace,
            FormatElem::Successor(_) | FormatElem::Successors => p.tok.kind == Tok::Caret,
            FormatElem::AttrDict { keyword: true } => p.at("attributes"),
            FormatElem::AttrDict { keyword: false } => p.tok.kind == Tok::LBrace,
            FormatElem::PropDict => p.tok.kind == Tok::Less,
            FormatElem::FunctionalType(..) => p.tok.kind == Tok::LParen,
            FormatElem::Type(_) | FormatElem::OperandTypes | FormatElem::ResultTypes => {
                matches!(p.tok.kind, Tok::Bang | Tok::LParen) || p.at_type_word()
            }
            FormatElem::Qualified(inner) => inner.first().is_some_and(|e| self.starts(p, e)),
            _ => true,
        }
    }

    fn oilist(&mut self, p: &mut OpParser<'_>, clauses: &[OiClause]) -> ParseResult<()> {
        let mut seen = vec![false; clauses.len()];
        while let Some(at) = clauses.iter().position(|clause| p.at(&clause.keyword)) {
            if std::mem::replace(&mut seen[at], true) {
                let keyword = &clauses[at].keyword;
                return Err(p.error(format!("the clause `{keyword}` is given twice")));
            }
            p.expect(&clauses[at].keyword)?;
            for elem in clauses[at].elems.iter() {
                match elem {
                    FormatElem::Attr(i)
                        if self.def.attrs.get(usize::from(*i)).is_some_and(is_unit) =>
                    {
                        self.attrs[usize::from(*i)] = Some(Attr::unit());
                    }
                    elem => self.element(p, elem)?,
                }
            }
        }
        Ok(())
    }

    // ---- custom directives

    fn custom(
        &mut self,
        p: &mut OpParser<'_>,
        name: &str,
        elems: &[FormatElem],
    ) -> ParseResult<bool> {
        let Some(hook) = self.info.dialect().hooks.parse_directive.get(name) else {
            let dialect = &self.info.dialect().def.name;
            return Err(p.error(format!(
                "the reader `custom<{name}>` of dialect `{dialect}` is not installed"
            )));
        };
        let mut args: Vec<ParseArg> = elems.iter().map(|elem| self.custom_arg(elem)).collect();
        let found = hook(p, &mut ParseArgs { name, args: &mut args })?;
        for (elem, arg) in elems.iter().zip(args) {
            self.take_arg(elem, arg);
        }
        Ok(found)
    }

    fn custom_arg(&self, elem: &FormatElem) -> ParseArg {
        let none = || ParseArg::Attr(None);
        match elem {
            FormatElem::Operand(g) => ParseArg::Operands(
                self.operands.get(usize::from(*g)).map_or_else(Vec::new, |o| o.to_vec()),
            ),
            FormatElem::Operands => {
                ParseArg::Operands(self.all_operands.clone().unwrap_or_default())
            }
            FormatElem::Type(slot @ (Slot::Operand(_) | Slot::Result(_))) => {
                ParseArg::Types(self.known(*slot).map_or_else(Vec::new, |types| types.to_vec()))
            }
            FormatElem::Type(Slot::Attr(g)) => {
                let attr = self.attrs.get(usize::from(*g)).copied().flatten();
                ParseArg::Types(attr.and_then(Attr::as_type).into_iter().collect())
            }
            FormatElem::OperandTypes => {
                ParseArg::Types(self.all_operand_types.clone().unwrap_or_default())
            }
            FormatElem::ResultTypes => {
                ParseArg::Types(self.all_result_types.clone().unwrap_or_default())
            }
            FormatElem::Attr(i) => {
                ParseArg::Attr(self.attrs.get(usize::from(*i)).copied().flatten())
            }
            FormatElem::Region(g) => {
                ParseArg::Regions(self.regions.get(usize::from(*g)).cloned().unwrap_or_default())
            }
            FormatElem::Regions => ParseArg::Regions(self.all_regions.clone().unwrap_or_default()),
            FormatElem::Successor(_) | FormatElem::Successors => {
                ParseArg::Successors(self.successors.clone())
            }
            FormatElem::AttrDict { .. } | FormatElem::PropDict => {
                ParseArg::Attrs(self.dict.clone())
            }
            FormatElem::Literal(text) => ParseArg::Text(text.clone()),
            FormatElem::Ref(inner) | FormatElem::Qualified(inner) => {
                inner.first().map_or_else(none, |inner| self.custom_arg(inner))
            }
            _ => none(),
        }
    }

    fn take_arg(&mut self, elem: &FormatElem, arg: ParseArg) {
        match (elem, arg) {
            (FormatElem::Operand(g), ParseArg::Operands(values)) => {
                if let Some(slot) = self.operands.get_mut(usize::from(*g)) {
                    *slot = values.into();
                }
            }
            (FormatElem::Operands, ParseArg::Operands(values)) => self.all_operands = Some(values),
            (FormatElem::Type(slot), ParseArg::Types(types)) => {
                self.set_types(*slot, types.into());
            }
            (FormatElem::OperandTypes, ParseArg::Types(t)) => self.all_operand_types = Some(t),
            (FormatElem::ResultTypes, ParseArg::Types(t)) => self.all_result_types = Some(t),
            (FormatElem::Attr(i), ParseArg::Attr(attr)) => {
                if let Some(slot) = self.attrs.get_mut(usize::from(*i)) {
                    *slot = attr;
                }
            }
            (FormatElem::Region(g), ParseArg::Regions(regions)) => {
                if let Some(slot) = self.regions.get_mut(usize::from(*g)) {
                    *slot = regions;
                }
            }
            (FormatElem::Regions, ParseArg::Regions(r)) => self.all_regions = Some(r),
            (FormatElem::Successor(_) | FormatElem::Successors, ParseArg::Successors(blocks)) => {
                self.successors = blocks;
            }
            (FormatElem::AttrDict { .. } | FormatElem::PropDict, ParseArg::Attrs(attrs)) => {
                self.dict = attrs;
            }
            (FormatElem::Qualified(inner), arg) => {
                if let Some(inner) = inner.first() {
                    self.take_arg(inner, arg);
                }
            }
            _ => {}
        }
    }
}

fn maybe_types(p: &mut OpParser<'_>) -> ParseResult<Vec<Type>> {
    match p.eat_type()? {
        None => Ok(Vec::new()),
        Some(first) => {
            let mut types = vec![first];
            while p.eat_tok(Tok::Comma) {
                types.push(p.ty()?);
            }
            Ok(types)
        }
    }
}

/// An op's attribute as its definition writes it; none when an optional one is absent.
fn parse_attribute(p: &mut OpParser<'_>, def: &AttrDef) -> ParseResult<Option<Attr>> {
    if is_unit(def) {
        if p.eat("unit") {
            return Ok(Some(Attr::unit()));
        }
        return Ok(p.eat(&def.name).then(Attr::unit));
    }
    let optional = def.optional || def.default.is_some();
    let value_type: Option<&Str> = Some(&def.value_type).filter(|t| !t.is_empty());
    let can_start = match &def.kind {
        ParamKind::Attr | ParamKind::Array(_) | ParamKind::Dims => p.at_attr(),
        ParamKind::DenseArray(_) => p.tok.kind == Tok::LSquare || p.at("array"),
        kind => p.can_start(kind),
    };
    if optional && !can_start {
        return Ok(None);
    }
    let attr = match &def.kind {
        ParamKind::Enum(name) => match p.registry.enumeration(name) {
            Some(cases) if p.tok.kind != Tok::Int => {
                let span = p.span();
                let keyword = p.enum_case(cases)?;
                enum_attr(cases, &keyword).ok_or_else(|| {
                    p.error_at(span, format!("`{keyword}` is no case of `{name}`"))
                })?
            }
            _ => p.attr()?,
        },
        ParamKind::DenseArray(element) if p.tok.kind == Tok::LSquare => {
            let element = p.type_of_text(element)?;
            let values = p.delimited("[", "]", |p| p.dense_array_element(element))?;
            Attr::new(AttrData::DenseArray { element, values: values.into() })
        }
        ParamKind::Attr | ParamKind::Array(_) | ParamKind::Dims | ParamKind::DenseArray(_) => {
            match value_type {
                Some(text) => {
                    let ty = p.type_of_text(text)?;
                    p.attr_of_type(ty)?
                }
                None => p.attr()?,
            }
        }
        ParamKind::Bool => Attr::bool(p.boolean()?),
        ParamKind::Int => match value_type {
            Some(text) => {
                let ty = p.type_of_text(text)?;
                p.attr_of_type(ty)?
            }
            None => p.param(&ParamKind::Int)?,
        },
        ParamKind::String => {
            // A string of no type: what follows a colon is not its own.
            p.attr_of_type(Type::none())?
        }
        kind => p.param(kind)?,
    };
    Ok(Some(attr))
}
