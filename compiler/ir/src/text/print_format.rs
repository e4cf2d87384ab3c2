//! Ops to text by their format programs.

use std::ops::Range;

use smallvec::SmallVec;
use tegula_schema::{
    Anchor, AttrDef, FormatElem, FunctionalSide, OiClause, OpDef, ParamKind, Pred, Slot,
};

use super::defaults::enum_attr_keyword;
use super::directive::{PrintArg, PrintArgs};
use super::op_printer::{OpPrinter, implicit_terminator};
use super::spacing::Spacing;
use crate::{Attr, Groups, OpId, OpInfo, RegionId, Type, ValueId};

impl<'a> OpPrinter<'a> {
    pub(crate) fn format_program(&mut self, op: OpId, info: &'a OpInfo, elems: &[FormatElem]) {
        let registry = self.asm.registry;
        let mut mentioned = SmallVec::new();
        mentioned_attrs(elems, &mut mentioned);
        let whole = |count: usize| std::iter::once(0..count).collect();
        let body = self.body;
        let mut program = Program {
            op,
            info,
            operands: registry
                .operand_groups(body, op)
                .unwrap_or_else(|| whole(body.num_operands(op))),
            results: registry
                .result_groups(body, op)
                .unwrap_or_else(|| whole(body.num_results(op))),
            mentioned,
            spacing: Spacing::new(),
            emit: true,
        };
        program.run(self, elems);
    }
}

/// Whether the definition is of a unit attribute.
pub(crate) fn is_unit(def: &AttrDef) -> bool {
    matches!(&def.constraint.pred, Pred::AttrKind(kind) if kind == "unit")
}

/// The attributes that a program writes itself, so that its dictionary leaves them out.
pub(crate) fn mentioned_attrs(elems: &[FormatElem], out: &mut SmallVec<[u16; 8]>) {
    for elem in elems {
        match elem {
            FormatElem::Attr(index) => out.push(*index),
            FormatElem::Qualified(inner) | FormatElem::Custom(_, inner) => {
                mentioned_attrs(inner, out);
            }
            FormatElem::Optional { then, otherwise, .. } => {
                mentioned_attrs(then, out);
                mentioned_attrs(otherwise, out);
            }
            FormatElem::OiList(clauses) => {
                clauses.iter().for_each(|clause| mentioned_attrs(&clause.elems, out));
            }
            _ => {}
        }
    }
}

/// The regions of a region group: the last group takes what is left.
pub(crate) fn region_group(def: &OpDef, count: usize, group: usize) -> Range<usize> {
    let start = group.min(count);
    let variadic = def.regions.get(group).is_some_and(|g| g.arity != tegula_schema::Arity::One);
    if variadic { start..count } else { start..(start + 1).min(count) }
}

struct Program<'p> {
    op: OpId,
    info: &'p OpInfo,
    operands: Groups,
    results: Groups,
    mentioned: SmallVec<[u16; 8]>,
    spacing: Spacing,
    /// Unset in a branch that is not taken: its elements still decide the blanks after it.
    emit: bool,
}

impl Program<'_> {
    fn run(&mut self, p: &mut OpPrinter<'_>, elems: &[FormatElem]) {
        for elem in elems {
            self.element(p, elem, false);
        }
    }

    fn values(&self, p: &OpPrinter<'_>, slot: Slot) -> SmallVec<[ValueId; 4]> {
        match slot {
            Slot::Operand(group) => {
                let range = self.operands.get(usize::from(group)).cloned().unwrap_or(0..0);
                p.body.operands(self.op).skip(range.start).take(range.len()).collect()
            }
            Slot::Result(group) => {
                let range = self.results.get(usize::from(group)).cloned().unwrap_or(0..0);
                p.body.results(self.op).skip(range.start).take(range.len()).collect()
            }
            Slot::Attr(_) => SmallVec::new(),
        }
    }

    fn types(&self, p: &OpPrinter<'_>, slot: Slot) -> SmallVec<[Type; 4]> {
        match slot {
            Slot::Attr(index) => {
                let ty = self
                    .attr(p, index)
                    .and_then(|a| a.as_type().or_else(|| p.registry.value_type(a)));
                ty.into_iter().collect()
            }
            _ => self.values(p, slot).into_iter().map(|v| p.body.ty(v)).collect(),
        }
    }

    fn attr_def(&self, index: u16) -> Option<&AttrDef> {
        self.info.def().attrs.get(usize::from(index))
    }

    /// The attribute of the definition's number that the op itself has.
    fn own_attr(&self, p: &OpPrinter<'_>, index: u16) -> Option<Attr> {
        let name = self.info.attr_names().get(usize::from(index))?;
        let mut entries = p.body.attr_entries(self.op).iter();
        entries.find(|(given, _)| given == name).map(|&(_, attr)| attr)
    }

    fn attr(&self, p: &OpPrinter<'_>, index: u16) -> Option<Attr> {
        let own = self.own_attr(p, index);
        own.or_else(|| self.info.attr_default(p.asm.registry, index.into()))
    }

    /// Whether the attribute is there and not the one that stands for its absence.
    fn attr_present(&self, p: &OpPrinter<'_>, index: u16) -> bool {
        match self.own_attr(p, index) {
            Some(attr) => self.info.attr_default(p.asm.registry, index.into()) != Some(attr),
            None => false,
        }
    }

    fn regions(&self, p: &OpPrinter<'_>, group: u16) -> Vec<RegionId> {
        let regions = p.body.regions(self.op);
        regions[region_group(self.info.def(), regions.len(), usize::from(group))].to_vec()
    }

    fn present(&self, p: &OpPrinter<'_>, slot: Slot) -> bool {
        match slot {
            Slot::Attr(index) => self.attr_present(p, index),
            _ => !self.values(p, slot).is_empty(),
        }
    }

    fn anchor(&self, p: &OpPrinter<'_>, anchor: &Anchor) -> bool {
        match anchor {
            Anchor::Slot(slot) => self.present(p, *slot),
            Anchor::Region(group) => {
                self.regions(p, *group).iter().any(|&r| p.body.first_block(r).is_some())
            }
            Anchor::Successor(group) => p.body.successors(self.op).len() > usize::from(*group),
            Anchor::Custom(slots) => slots.iter().any(|&slot| self.present(p, slot)),
            Anchor::Param(index) => self.attr_present(p, *index),
        }
    }

    fn element(&mut self, p: &mut OpPrinter<'_>, elem: &FormatElem, qualified: bool) {
        match elem {
            FormatElem::Literal(text) => self.spacing.literal(&mut p.asm.out, text, self.emit),
            FormatElem::Whitespace(text) if text == "\n" => {
                if self.emit {
                    p.newline();
                }
            }
            FormatElem::Whitespace(text) => {
                self.spacing.whitespace(&mut p.asm.out, text, self.emit);
            }
            FormatElem::AttrDict { keyword } => {
                if self.emit {
                    self.attr_dict(p, *keyword);
                }
                self.spacing.after_dict();
            }
            FormatElem::PropDict => {
                if self.emit {
                    self.prop_dict(p);
                }
                self.spacing.after_dict();
            }
            FormatElem::Optional { then, otherwise, anchor, inverted } => {
                self.optional(p, then, otherwise, anchor, *inverted);
            }
            FormatElem::OiList(clauses) => self.oilist(p, clauses),
            FormatElem::Qualified(inner) => {
                for elem in inner.iter() {
                    self.element(p, elem, true);
                }
            }
            // `ref` occurs only among the arguments of a custom directive.
            FormatElem::Ref(_) | FormatElem::Params | FormatElem::Struct(_) => {}
            _ => {
                self.spacing.before_element(&mut p.asm.out, self.emit);
                if self.emit {
                    self.variable(p, elem, qualified);
                }
            }
        }
    }

    fn optional(
        &mut self,
        p: &mut OpPrinter<'_>,
        then: &[FormatElem],
        otherwise: &[FormatElem],
        anchor: &Anchor,
        inverted: bool,
    ) {
        let taken = self.anchor(p, anchor) != inverted;
        let emit = self.emit;
        // A unit attribute that anchors a group is said by the group's presence, unless nothing
        // else would say it.
        let silent = match anchor {
            Anchor::Slot(Slot::Attr(index)) if self.attr_def(*index).is_some_and(is_unit) => {
                let own = FormatElem::Attr(*index);
                let needed = then.first() == Some(&own) || otherwise.first() == Some(&own);
                (!needed).then_some(own)
            }
            _ => None,
        };
        self.emit = emit && taken;
        for elem in then.iter().filter(|elem| Some(*elem) != silent.as_ref()) {
            self.element(p, elem, false);
        }
        self.emit = emit && !taken;
        for elem in otherwise.iter().filter(|elem| Some(*elem) != silent.as_ref()) {
            self.element(p, elem, false);
        }
        self.emit = emit;
    }

    fn oilist(&mut self, p: &mut OpPrinter<'_>, clauses: &[OiClause]) {
        let emit = self.emit;
        for clause in clauses {
            let silent = |elem: &FormatElem| matches!(elem, FormatElem::Attr(i) if self.attr_def(*i).is_some_and(is_unit));
            let elems: Vec<&FormatElem> = clause.elems.iter().filter(|e| !silent(e)).collect();
            let present = clause.elems.iter().any(|elem| match elem {
                FormatElem::Operand(g) => self.present(p, Slot::Operand(*g)),
                FormatElem::Attr(i) => self.attr_present(p, *i),
                FormatElem::Type(slot) => self.present(p, *slot),
                FormatElem::Custom(_, args) => args.iter().any(|arg| match arg {
                    FormatElem::Operand(g) => self.present(p, Slot::Operand(*g)),
                    FormatElem::Attr(i) => self.attr_present(p, *i),
                    FormatElem::Region(g) => {
                        self.regions(p, *g).iter().any(|&r| p.body.first_block(r).is_some())
                    }
                    _ => false,
                }),
                FormatElem::Region(g) => {
                    self.regions(p, *g).iter().any(|&r| p.body.first_block(r).is_some())
                }
                _ => false,
            });
            self.emit = emit && present;
            self.spacing.literal(&mut p.asm.out, &clause.keyword, self.emit);
            for elem in elems {
                self.element(p, elem, false);
            }
        }
        self.emit = emit;
    }

    fn attr_dict(&self, p: &mut OpPrinter<'_>, keyword: bool) {
        let apart = match &self.info.def().format {
            tegula_schema::Format::Program(elems) => elems.contains(&FormatElem::PropDict),
            _ => false,
        };
        let mut elided: SmallVec<[&str; 4]> = SmallVec::new();
        for (index, def) in self.info.def().attrs.iter().enumerate() {
            let index = index as u16;
            if apart
                || self.mentioned.contains(&index)
                || (def.default.is_some() && !self.attr_present(p, index))
            {
                elided.push(&def.name);
            }
        }
        if keyword {
            p.attr_dict_with_keyword(self.op, &elided);
        } else {
            p.attr_dict(self.op, &elided);
        }
    }

    fn prop_dict(&self, p: &mut OpPrinter<'_>) {
        let is_meant =
            |&index: &u16| !self.mentioned.contains(&index) && self.attr_present(p, index);
        let all = 0..self.info.def().attrs.len() as u16;
        let indices: Vec<u16> = all.filter(is_meant).collect();
        if indices.is_empty() {
            return;
        }
        p.write(" <");
        for (at, &index) in indices.iter().enumerate() {
            let Some(def) = self.attr_def(index) else { continue };
            p.write(if at > 0 { ", " } else { "" });
            p.write(&def.name);
            if !is_unit(def) {
                p.write(" = ");
                self.print_attr(p, index, false);
            }
        }
        p.write(">");
    }

    fn variable(&mut self, p: &mut OpPrinter<'_>, elem: &FormatElem, qualified: bool) {
        let body = p.body;
        match elem {
            FormatElem::Operand(group) => {
                let values = self.values(p, Slot::Operand(*group));
                p.operands(values);
            }
            FormatElem::Operands => p.operands(body.operands(self.op)),
            FormatElem::Attr(index) => self.print_attr(p, *index, qualified),
            FormatElem::Region(group) => {
                let regions = self.regions(p, *group);
                self.print_regions(p, &regions);
            }
            FormatElem::Regions => self.print_regions(p, body.regions(self.op)),
            FormatElem::Successor(group) => {
                let all = body.successors(self.op);
                let group = usize::from(*group);
                let variadic = self
                    .info
                    .def()
                    .successors
                    .get(group)
                    .is_some_and(|s| s.arity != tegula_schema::Arity::One);
                let end = if variadic { all.len() } else { (group + 1).min(all.len()) };
                self.print_successors(p, all.get(group..end).unwrap_or(&[]));
            }
            FormatElem::Successors => self.print_successors(p, body.successors(self.op)),
            FormatElem::Type(slot) => {
                let types = self.types(p, *slot);
                match *types {
                    [ty] if !qualified && self.strips_type(p, *slot) => p.ty_stripped(ty),
                    _ => p.types(types),
                }
            }
            FormatElem::OperandTypes => p.types_of(body.operands(self.op)),
            FormatElem::ResultTypes => p.types_of(body.results(self.op)),
            FormatElem::FunctionalType(ins, outs) => {
                let side = |side: &FunctionalSide| -> SmallVec<[Type; 4]> {
                    match side {
                        FunctionalSide::Operands => {
                            body.operands(self.op).map(|v| body.ty(v)).collect()
                        }
                        FunctionalSide::Results => {
                            body.results(self.op).map(|v| body.ty(v)).collect()
                        }
                        FunctionalSide::Group(slot) => self.types(p, *slot),
                    }
                };
                let (ins, outs) = (side(ins), side(outs));
                p.functional_type(ins, outs);
            }
            FormatElem::Custom(name, args) => self.custom(p, name, args),
            _ => {}
        }
    }

    /// Whether the slot's constraint is one dialect type whose format says how its parameters are
    /// written, so that the prefix is not needed.
    fn strips_type(&self, p: &OpPrinter<'_>, slot: Slot) -> bool {
        strips_type(p.asm.registry, self.info.def(), slot)
    }

    fn print_attr(&self, p: &mut OpPrinter<'_>, index: u16, qualified: bool) {
        let (Some(attr), Some(def)) = (self.attr(p, index), self.attr_def(index)) else { return };
        match &def.kind {
            ParamKind::Enum(name) => {
                let def = p.asm.registry.enumeration(name);
                // Only a single bit is a word: of others the keywords may be words of several bits.
                let is_word = def.is_none_or(|def| !def.bit_enum)
                    || attr.as_int().is_none_or(|bits| bits.count_ones() == 1);
                match def.and_then(|def| enum_attr_keyword(def, attr)) {
                    Some(keyword) if is_word => p.enum_keyword(&keyword),
                    Some(keyword) => p.string(keyword.as_bytes()),
                    None => p.attr(attr),
                }
            }
            ParamKind::DenseArray(_) => p.attr_stripped(attr),
            ParamKind::Array(_) | ParamKind::Dims => p.attr(attr),
            ParamKind::Attr if !def.value_type.is_empty() => p.attr_no_type(attr),
            kind => p.param(kind, attr, qualified),
        }
    }

    fn print_regions(&self, p: &mut OpPrinter<'_>, regions: &[RegionId]) {
        let implicit = implicit_terminator(self.info);
        for (index, &region) in regions.iter().enumerate() {
            if index > 0 {
                p.write(", ");
            }
            let bare = |op: OpId| {
                Some(p.body.name(op).as_str()) == implicit
                    && p.body.num_operands(op) == 0
                    && p.body.num_results(op) == 0
                    && p.body.attr_entries(op).is_empty()
            };
            let last = p.body.first_block(region).and_then(|b| p.body.last_op(b));
            let terminator = implicit.is_none() || !last.is_some_and(bare);
            p.region_with(region, true, terminator, false);
        }
    }

    fn print_successors(&self, p: &mut OpPrinter<'_>, blocks: &[crate::BlockId]) {
        for (index, &block) in blocks.iter().enumerate() {
            if index > 0 {
                p.write(", ");
            }
            p.successor(block);
        }
    }

    fn custom(&self, p: &mut OpPrinter<'_>, name: &str, args: &[FormatElem]) {
        let args = PrintArgs { args: args.iter().map(|arg| self.custom_arg(p, arg)).collect() };
        match self.info.dialect().hooks.print_directive.get(name) {
            Some(hook) => hook(p, self.op, &args),
            // Without its hook a directive is written as the attributes that it stands for.
            None => {
                let attrs: Vec<Attr> = (0..args.len()).filter_map(|i| args.attr(i)).collect();
                p.comma_list(attrs, |p, attr| p.attr(attr));
            }
        }
    }

    fn custom_arg(&self, p: &OpPrinter<'_>, arg: &FormatElem) -> PrintArg {
        let body = p.body;
        match arg {
            FormatElem::Operand(group) => {
                PrintArg::Operands(self.values(p, Slot::Operand(*group)).into_vec())
            }
            FormatElem::Operands => PrintArg::Operands(body.operands(self.op).collect()),
            FormatElem::Attr(index) => PrintArg::Attr(self.attr(p, *index)),
            FormatElem::Region(group) => PrintArg::Regions(self.regions(p, *group)),
            FormatElem::Regions => PrintArg::Regions(body.regions(self.op).to_vec()),
            FormatElem::Successor(_) | FormatElem::Successors => {
                PrintArg::Successors(body.successors(self.op).to_vec())
            }
            FormatElem::Type(slot) => PrintArg::Types(self.types(p, *slot).into_vec()),
            FormatElem::OperandTypes => {
                PrintArg::Types(body.operands(self.op).map(|v| body.ty(v)).collect())
            }
            FormatElem::ResultTypes => {
                PrintArg::Types(body.results(self.op).map(|v| body.ty(v)).collect())
            }
            FormatElem::AttrDict { .. } | FormatElem::PropDict => {
                PrintArg::Attrs(body.attrs(self.op))
            }
            FormatElem::Literal(text) => PrintArg::Text(text.clone()),
            FormatElem::Ref(inner) | FormatElem::Qualified(inner) => match inner.first() {
                Some(inner) => self.custom_arg(p, inner),
                None => PrintArg::Attr(None),
            },
            _ => PrintArg::Attr(None),
        }
    }
}

/// Whether values in the slot have a dialect type that is written without its prefix.
pub(crate) fn strips_type(registry: &crate::Registry, def: &OpDef, slot: Slot) -> bool {
    let values = match slot {
        Slot::Operand(group) => def.operands.get(usize::from(group)),
        Slot::Result(group) => def.results.get(usize::from(group)),
        Slot::Attr(_) => None,
    };
    let Some(values) = values.filter(|v| v.arity == tegula_schema::Arity::One) else {
        return false;
    };
    let Pred::TypeKind(kind) = &values.constraint.pred else { return false };
    registry.ty(kind).is_some_and(|(_, ty)| {
        ty.def_name == values.constraint.name
            && matches!(ty.format, tegula_schema::ParamFormat::Program(_))
    })
}
