//! What an op's definition says of it.

use std::ops::Range;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use tegula_schema::{Arity, Derivation, OpDef, Slot, TypeRule, ValueDef};

use super::{Verifier, VerifyError, check_constraint};
use crate::text::{attr_default, derive_type, region_group};
use crate::{Attr, OpId, OpInfo, Subject, Type, ValueId};

/// Traits of ops whose operands agree, of which there is at least one then.
const AGREEING: [&str; 6] = [
    "SameOperandsAndResultElementType",
    "SameOperandsAndResultShape",
    "SameOperandsAndResultType",
    "SameOperandsElementType",
    "SameOperandsShape",
    "SameTypeOperands",
];

/// Whether the operands of an op agree.
pub(crate) fn is_agreeing(def: &OpDef) -> bool {
    AGREEING.iter().any(|name| def.has_trait(name))
}

impl Verifier<'_> {
    /// Reports the first thing that is wrong with an op: what else is wrong often follows from it.
    pub(super) fn op(&mut self, op: OpId) {
        let before = self.errors.len();
        self.op_layers(op, before);
        self.errors.truncate(before + 1);
    }

    fn op_layers(&mut self, op: OpId, before: usize) {
        let (registry, body) = (self.registry, self.body);
        let Some(info) = registry.op(body.name(op)) else { return };
        let def = info.def();
        let operands = info.operand_groups(body, op);
        let results = info.result_groups(body, op);
        if operands.is_none() {
            self.count(op, "operand", &def.operands, body.num_operands(op));
        }
        if results.is_none() {
            self.count(op, "result", &def.results, body.num_results(op));
        }
        self.regions(op, info);
        if info.placed {
            self.parents(op, def);
        }
        if info.symbol && body.symbol_name(op).is_some() {
            self.table_around(op);
        }
        if self.errors.len() > before {
            return;
        }
        let (operands, results) = (operands.unwrap_or_default(), results.unwrap_or_default());
        self.values(op, "operand", &def.operands, &operands, |at| body.operand(op, at));
        self.values(op, "result", &def.results, &results, |at| body.result(op, at));
        self.attrs(op, info);
        if info.symbol {
            self.declaration(op, def);
        }
        if info.function {
            self.signature(op);
        }
        if self.errors.len() > before {
            return;
        }
        self.rules(op, info, &operands, &results);
        if info.agreeing && body.num_operands(op) == 0 {
            self.error(op, "expected 1 or more operands, but found 0");
        }
        if info.function {
            self.signature_attrs(op);
        }
        if info.promises && self.errors.len() == before {
            self.promises(op, def);
        }
        if info.terminator && def.has_trait("FunctionReturn") {
            self.function_return(op);
        }
        if info.symbol_table {
            self.symbol_table(op);
        }
        if info.symbol {
            self.visibility(op);
        }
        if self.errors.len() > before {
            return;
        }
        let hook = def.verifier.as_deref().and_then(|name| info.dialect().hooks.verify.get(name));
        if let Some(hook) = hook
            && let Err(message) = hook(registry, body, op)
        {
            self.error(op, message);
        }
    }

    fn count(&mut self, op: OpId, what: &str, groups: &[ValueDef], found: usize) {
        let least = groups.iter().filter(|g| g.arity == Arity::One).count();
        if groups.iter().all(|g| g.arity == Arity::One) {
            let s = if least == 1 { "" } else { "s" };
            self.error(op, format!("requires {least} {what}{s}, but has {found}"));
        } else if found < least {
            self.error(op, format!("requires at least {least} {what}s, but has {found}"));
        } else {
            self.error(
                op,
                format!("has {found} {what}s, which cannot be divided among its {what} groups"),
            );
        }
    }

    fn regions(&mut self, op: OpId, info: &OpInfo) {
        let (body, def) = (self.body, info.def());
        let found = body.regions(op).len();
        let least = def.regions.iter().filter(|r| r.arity == Arity::One).count();
        let exact = def.regions.iter().all(|r| r.arity == Arity::One);
        if exact && found != least || found < least {
            let s = if least == 1 { "" } else { "s" };
            self.error(op, format!("requires {least} region{s}, but has {found}"));
            return;
        }
        for (group, region_def) in def.regions.iter().enumerate() {
            for index in region_group(def, found, group) {
                let region = body.regions(op)[index];
                let blocks = body.blocks(region).count();
                let name = &region_def.name;
                if region_def.non_empty && blocks == 0 {
                    self.error(op, format!("region #{index} ('{name}') must not be empty"));
                }
                let max = if info.single_block { 1 } else { region_def.max_blocks as usize };
                if max > 0 && blocks > max {
                    self.error(
                        op,
                        format!("region #{index} ('{name}') has {blocks} blocks, but at most {max} may be"),
                    );
                }
            }
        }
        let successors = body.successors(op).len();
        let least = def.successors.iter().filter(|s| s.arity == Arity::One).count();
        let exact = def.successors.iter().all(|s| s.arity == Arity::One);
        if exact && successors != least || successors < least {
            self.error(op, format!("requires {least} successors, but has {successors}"));
        }
    }

    fn parents(&mut self, op: OpId, def: &OpDef) {
        let body = self.body;
        for t in def.traits.iter().filter(|t| t.name == "HasParent" || t.name == "ParentOneOf") {
            let parent = body.parent_op(op).map(|p| body.name(p).as_str());
            // Ops at the top of a body stand in the module.
            let parent = parent.unwrap_or("builtin.module");
            if !t.args.iter().any(|arg| arg == parent) {
                let list: Vec<String> = t.args.iter().map(|a| format!("'{a}'")).collect();
                self.error(op, format!("expects parent op {}", list.join(" or ")));
            }
        }
        if let Some(t) = def.traits.iter().find(|t| t.name == "SingleBlockImplicitTerminator")
            && let Some(wanted) = t.args.first()
        {
            for &region in body.regions(op) {
                let last = body.first_block(region).and_then(|b| body.last_op(b));
                if let Some(last) = last.filter(|&last| body.name(last).as_str() != wanted) {
                    let found = body.name(last);
                    self.error(
                        op,
                        format!("expects regions to end with '{wanted}', found '{found}'"),
                    );
                }
            }
        }
    }

    fn values(
        &mut self,
        op: OpId,
        what: &str,
        groups: &[ValueDef],
        ranges: &[Range<usize>],
        value: impl Fn(usize) -> ValueId,
    ) {
        for (group, range) in groups.iter().zip(ranges) {
            if group.arity == Arity::Optional && range.len() > 1 {
                let (name, n) = (&group.name, range.len());
                self.error(op, format!("{what} '{name}' is optional, but {n} are given"));
            }
            for index in range.clone() {
                let ty = self.body.ty(value(index));
                if !check_constraint(self.registry, &group.constraint, Subject::Type(ty)) {
                    let summary = &group.constraint.summary;
                    let shown = crate::text::print_type(self.registry, ty);
                    let which = match group.arity {
                        Arity::One => "",
                        Arity::Optional => "optional ",
                        Arity::Variadic => "variadic of ",
                    };
                    self.error(
                        op,
                        format!("{what} #{index} must be {which}{summary}, but got '{shown}'"),
                    );
                }
            }
        }
    }

    fn attrs(&mut self, op: OpId, info: &OpInfo) {
        let entries = self.body.attr_entries(op);
        for (attr, &name) in info.def().attrs.iter().zip(info.attr_names()) {
            match entries.iter().find(|(given, _)| *given == name).map(|&(_, value)| value) {
                Some(value) => {
                    let subject = Subject::Attr(value);
                    if !check_constraint(self.registry, &attr.constraint, subject) {
                        let (name, summary) = (&attr.name, &attr.constraint.summary);
                        self.error(
                            op,
                            format!("attribute '{name}' failed to satisfy constraint: {summary}"),
                        );
                    }
                }
                None if attr.optional || attr.default.is_some() => {}
                None => {
                    let name = &attr.name;
                    self.error(op, format!("requires attribute '{name}'"));
                }
            }
        }
    }

    fn rules(
        &mut self,
        op: OpId,
        info: &OpInfo,
        operands: &[Range<usize>],
        results: &[Range<usize>],
    ) {
        let (registry, body) = (self.registry, self.body);
        let def = info.def();
        let group =
            |ranges: &[Range<usize>], g: u16| ranges.get(usize::from(g)).cloned().unwrap_or(0..0);
        let each_type = |slot: Slot, look: &mut dyn FnMut(Type)| match slot {
            Slot::Operand(g) => {
                group(operands, g).for_each(|at| look(body.ty(body.operand(op, at))));
            }
            Slot::Result(g) => {
                group(results, g).for_each(|at| look(body.ty(body.result(op, at))));
            }
            Slot::Attr(i) => {
                let attr = def.attrs.get(usize::from(i)).and_then(|attr| {
                    body.attr(op, &attr.name).or_else(|| attr_default(registry, attr))
                });
                attr.and_then(|a| a.as_type().or_else(|| registry.value_type(a)))
                    .into_iter()
                    .for_each(look);
            }
        };
        let types = |slot: Slot| -> SmallVec<[Type; 4]> {
            let mut types = SmallVec::new();
            each_type(slot, &mut |ty| types.push(ty));
            types
        };
        let name = |slot: &Slot| -> String {
            let name = match *slot {
                Slot::Operand(g) => def.operands.get(usize::from(g)).map(|v| &v.name),
                Slot::Result(g) => def.results.get(usize::from(g)).map(|v| &v.name),
                Slot::Attr(i) => def.attrs.get(usize::from(i)).map(|a| &a.name),
            };
            name.map_or_else(String::new, ToString::to_string)
        };
        for rule in def.type_rules.iter() {
            let (slots, what): (&[Slot], &str) = match rule {
                TypeRule::Same(slots) => (slots, "type"),
                TypeRule::SameElement(slots) => (slots, "element type"),
                TypeRule::SameShape(slots) => {
                    let all: Vec<Type> = slots.iter().flat_map(|&slot| types(slot)).collect();
                    if !have_one_shape(&all) {
                        let names: Vec<String> = slots.iter().map(name).collect();
                        self.error(
                            op,
                            format!(
                                "failed to verify that all of {{{}}} have same shape",
                                names.join(", ")
                            ),
                        );
                    }
                    continue;
                }
                TypeRule::Derived { from, to, how, summary } => {
                    self.derived(op, info, (*from, *to), how, summary, &types);
                    continue;
                }
            };
            let key = |ty: Type| match rule {
                TypeRule::SameElement(_) => ty.element_or_self(),
                _ => ty,
            };
            // Groups that may hold any number of values are the same one by one.
            let any_number = |&slot: &Slot| match slot {
                Slot::Operand(g) => def.operands.get(usize::from(g)).is_some_and(is_variadic),
                Slot::Result(g) => def.results.get(usize::from(g)).is_some_and(is_variadic),
                Slot::Attr(_) => false,
            };
            let one_by_one = matches!(rule, TypeRule::Same(_))
                && slots.iter().all(any_number)
                && !def.has_trait("SameOperandsAndResultType");
            let differ = if one_by_one {
                slots.windows(2).any(|pair| types(pair[0]) != types(pair[1]))
            } else {
                let (mut first, mut differ) = (None, false);
                for &slot in slots {
                    each_type(slot, &mut |ty| {
                        let ty = key(ty);
                        differ |= *first.get_or_insert(ty) != ty;
                    });
                }
                differ
            };
            if differ {
                let names: Vec<String> = slots.iter().map(name).collect();
                self.error(
                    op,
                    format!(
                        "failed to verify that all of {{{}}} have same {what}",
                        names.join(", ")
                    ),
                );
            }
        }
    }

    fn derived(
        &mut self,
        op: OpId,
        info: &OpInfo,
        (from, to): (Slot, Slot),
        how: &Derivation,
        summary: &str,
        types: &dyn Fn(Slot) -> SmallVec<[Type; 4]>,
    ) {
        let (registry, body) = (self.registry, self.body);
        let subject = match from {
            Slot::Attr(i) => {
                let attr = info.def().attrs.get(usize::from(i)).and_then(|attr| {
                    body.attr(op, &attr.name).or_else(|| attr_default(registry, attr))
                });
                attr.map(Subject::Attr)
            }
            _ => types(from).first().copied().map(Subject::Type),
        };
        let Some(subject) = subject else { return };
        let Some(wanted) = derive_type(registry, info, subject, how) else { return };
        if types(to).iter().any(|&ty| ty != wanted) {
            self.error(op, format!("failed to verify that {summary}"));
        }
    }

    /// A symbol stands right in a symbol table.
    fn table_around(&mut self, op: OpId) {
        let parent = self.body.parent_op(op).and_then(|p| self.registry.op(self.body.name(p)));
        if parent.is_some_and(|info| !info.symbol_table) {
            self.error(op, "symbol's parent must have the SymbolTable trait");
        }
    }

    /// The attributes of a function's arguments and results belong to dialects.
    fn signature_attrs(&mut self, op: OpId) {
        let body = self.body;
        for (name, of) in [("arg_attrs", "arguments"), ("res_attrs", "results")] {
            let dicts = body.attr(op, name).and_then(Attr::as_array).unwrap_or(&[]);
            let mut entries = dicts.iter().filter_map(|dict| dict.as_dict()).flatten();
            if let Some((name, _)) = entries.find(|(name, _)| !name.as_str().contains('.')) {
                self.error(op, format!("{of} may only have dialect attributes, not '{name}'"));
            }
        }
    }

    /// What has no body is defined elsewhere, so that it can't be offered to others from here.
    fn declaration(&mut self, op: OpId, def: &OpDef) {
        let body = self.body;
        let declared = def.has_trait("FunctionOpInterface")
            && !def.has_trait("PublicDeclarations")
            && body.regions(op).first().is_some_and(|&region| body.first_block(region).is_none());
        let visibility = body.attr(op, "sym_visibility").and_then(|attr| attr.as_str());
        if declared && visibility.is_none_or(|visibility| visibility == "public") {
            self.error(op, "symbol declaration cannot have public visibility");
        }
    }

    /// What a function's entry block takes is what it declares.
    fn signature(&mut self, op: OpId) {
        let body = self.body;
        let Some(entry) = body.region_entry(op, 0) else { return };
        let declared = body.attr(op, "function_type").and_then(Attr::as_type);
        let Some((inputs, _)) = declared.and_then(Type::as_function) else { return };
        let args = body.block_args(entry);
        if args.len() != inputs.len() {
            let count = inputs.len();
            let message =
                format!("entry block must have {count} arguments to match function signature");
            return self.error(op, message);
        }
        let mut pairs = args.iter().map(|&arg| body.ty(arg)).zip(inputs).enumerate();
        if let Some((at, (given, wanted))) = pairs.find(|(_, (given, wanted))| given != *wanted) {
            self.error(
                op,
                format!(
                    "type of entry block argument #{at}('{given}') must match the type of the \
                     corresponding argument in function signature('{wanted}')"
                ),
            );
        }
    }

    fn visibility(&mut self, op: OpId) {
        let Some(visibility) = self.body.attr(op, "sym_visibility") else { return };
        let word = visibility.as_str();
        if !word.is_some_and(|word| ["public", "private", "nested"].contains(&word)) {
            self.error(
                op,
                format!(
                    "visibility expected to be one of [\"public\", \"private\", \"nested\"], but \
                     got {visibility}"
                ),
            );
        }
    }

    /// What a function gives is what it declares.
    fn function_return(&mut self, op: OpId) {
        let body = self.body;
        let Some(function) = body.parent_op(op) else { return };
        let ty = body.attr(function, "function_type").and_then(Attr::as_type);
        let Some((_, results)) = ty.and_then(Type::as_function) else { return };
        let name = body.symbol_name(function).unwrap_or_default();
        let given = body.num_operands(op);
        if given != results.len() {
            let declared = results.len();
            let message = format!(
                "has {given} operands, but enclosing function (@{name}) returns {declared}"
            );
            return self.error(op, message);
        }
        for (index, (value, wanted)) in body.operands(op).zip(results).enumerate() {
            let given = body.ty(value);
            if given != *wanted {
                let message = format!(
                    "type of return operand {index} ('{given}') doesn't match function result \
                     type ('{wanted}') in function @{name}"
                );
                self.error(op, message);
            }
        }
    }

    fn symbol_table(&mut self, op: OpId) {
        let body = self.body;
        if body.regions(op).iter().any(|&region| body.blocks(region).count() != 1) {
            return self.error(op, "has a symbol table, which is exactly one block");
        }
        let mut seen: FxHashMap<&str, OpId> = FxHashMap::default();
        let regions = body.regions(op).iter();
        let ops = regions.flat_map(|&r| body.blocks(r)).flat_map(|b| body.block_ops(b));
        for inner in ops {
            let Some(name) = body.symbol_name(inner) else { continue };
            if !self.registry.op(body.name(inner)).is_none_or(|info| info.symbol) {
                continue;
            }
            if let Some(first) = seen.insert(name, inner) {
                self.errors.push(VerifyError {
                    op: inner,
                    loc: body.loc(inner),
                    message: format!("redefinition of symbol named '{name}'"),
                    notes: vec![(
                        body.loc(first),
                        "see existing symbol definition here".to_owned(),
                    )],
                });
            }
        }
    }
}

/// Whether types are all scalars, or all shaped with shapes that may be the same at run time.
fn have_one_shape(types: &[Type]) -> bool {
    let shaped = types.iter().filter(|ty| ty.is_shaped()).count();
    let ranked: Vec<Type> = types.iter().copied().filter(|ty| ty.shape().is_some()).collect();
    (shaped == 0 || shaped == types.len())
        && ranked
            .iter()
            .enumerate()
            .all(|(at, &a)| ranked[at + 1..].iter().all(|&b| a.has_compatible_shape(b)))
}

/// Whether a group may hold any number of values.
fn is_variadic(group: &ValueDef) -> bool {
    group.arity == Arity::Variadic
}
