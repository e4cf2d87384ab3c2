//! Ops: records of the class `Op` to their tables.

use std::borrow::Cow;

use tegula_diag::{Diagnostic, Span};
use tegula_record::{DagArg, Record};
use tegula_schema::{
    Arity, AttrDef, Effects, Format, NameHint, OpDef, RegionDef, Str, SuccessorDef, ValueDef,
};

use crate::cx::{Cx, Get, is_name};
use crate::format::{self, OpNames};

impl<'a> Cx<'a> {
    /// Reports a mnemonic that text can't have.
    pub(crate) fn mnemonic(&mut self, record: &Record, mnemonic: &str) {
        // Behind a dot a digit may stand first, though no name here begins so.
        let digit = mnemonic.starts_with(|c: char| c.is_ascii_digit());
        let named = is_name(mnemonic) || (self.ods && digit);
        if !named {
            self.diagnostics.push(
                Diagnostic::error("mnemonic", format!("`{mnemonic}` is no mnemonic"))
                    .at(record.span)
                    .note("letters, digits, `_` and `$` make one, in parts with dots between"),
            );
        }
    }

    /// The table of an op.
    pub(crate) fn op(&mut self, record: &'a Record, dialect: &str) -> OpDef {
        let mnemonic = record.text("opName").unwrap_or_default();
        if mnemonic.strip_prefix(dialect).is_some_and(|rest| rest.starts_with('.')) {
            let message = format!("the op's name is `{dialect}.{mnemonic}`");
            self.diagnostics.push(
                Diagnostic::warning("op-mnemonic", message)
                    .at(record.span)
                    .note("a mnemonic is given without the dialect's name"),
            );
        }
        self.mnemonic(record, mnemonic);
        self.reads(record);
        let before = self.diagnostics.len();
        let (operands, attrs) = self.arguments(record);
        let results = self.results(record);
        let faulty = self.diagnostics[before..].iter().any(Diagnostic::is_error);
        let mut op = OpDef {
            def_name: Cow::Owned(record.name.to_string()),
            name: Cow::Owned(format!("{dialect}.{mnemonic}")),
            summary: record.str("summary"),
            description: record.prose("description"),
            operands: Cow::Owned(operands),
            results: Cow::Owned(results),
            attrs: Cow::Owned(attrs),
            regions: Cow::Owned(self.regions(record)),
            successors: Cow::Owned(self.successors(record)),
            verifier: hook(record, "hasVerifier", "verifier", mnemonic),
            symbol_verifier: hook(record, "hasSymbolVerifier", "symbolVerifier", mnemonic),
            folder: hook(record, "hasFolder", "folder", mnemonic),
            source: self.source(record.span),
            ..OpDef::default()
        };
        self.names(record, &op);
        self.traits_of_op(record, &mut op);
        op.result_names = Cow::Owned(self.name_hints(record, "resultNames", &op));
        op.region_arg_names = Cow::Owned(self.name_hints(record, "regionArgNames", &op));
        self.segments(record, &op);
        self.trait_requirements(record, &op);
        if faulty {
            self.faulty.insert(record.name.to_string());
        } else {
            op.format = self.op_format(record, &op, mnemonic);
        }
        op
    }

    /// The arguments of a dag field, each with its name; unnamed ones are reported.
    fn named_args<'r>(
        &mut self,
        record: &'r Record,
        field: &str,
        operator: &str,
    ) -> Vec<(&'r DagArg, &'r str)> {
        let Some(dag) = record.graph(field) else { return Vec::new() };
        if dag.op.as_def().is_none_or(|op| &**op != operator) {
            let message = format!("`{field}` must be a list `({operator} …)`");
            self.error("op-list", message, dag.span);
        }
        let mut args = Vec::new();
        for arg in &dag.args {
            match &arg.name {
                Some(name) => args.push((arg, &**name)),
                // MLIR's own classes leave results without one where C++ does not ask for them.
                None if self.ods => args.push((arg, "")),
                None => {
                    let message = format!("each entry of `{field}` needs a name");
                    self.diagnostics.push(
                        Diagnostic::error("op-unnamed", message)
                            .at(arg.span)
                            .note("write `Constraint:$name`"),
                    );
                }
            }
        }
        args
    }

    fn arguments(&mut self, record: &'a Record) -> (Vec<ValueDef>, Vec<AttrDef>) {
        let (mut operands, mut attrs) = (Vec::new(), Vec::new());
        for (arg, name) in self.named_args(record, "arguments", "ins") {
            let Some((constraint, effects)) = self.variable(arg) else { continue };
            if constraint.isa("TypeConstraint") {
                operands.push(self.value(name, constraint, effects));
            } else if constraint.isa("Property") {
                attrs.push(self.ods_property(name, constraint));
            } else if constraint.isa("Attr") {
                attrs.push(self.attr(name, constraint, arg.span));
            } else {
                let message =
                    format!("`{}` constrains neither a type nor an attribute", constraint.name);
                self.error("op-argument", message, arg.span);
            }
        }
        (operands, attrs)
    }

    fn results(&mut self, record: &'a Record) -> Vec<ValueDef> {
        let mut results = Vec::new();
        for (arg, name) in self.named_args(record, "results", "outs") {
            let Some((constraint, effects)) = self.variable(arg) else { continue };
            if constraint.isa("TypeConstraint") {
                results.push(self.value(name, constraint, effects));
            } else {
                let message = format!("`{}` is no constraint on a type", constraint.name);
                self.error("op-result", message, arg.span);
            }
        }
        results
    }

    /// The constraint of an argument, without `Arg` or `Res` around it, and its effects.
    fn variable(&mut self, arg: &DagArg) -> Option<(&'a Record, Effects)> {
        let Some(record) = self.def(&arg.value) else {
            let message = format!("expected a constraint, found {}", arg.value.kind());
            self.error("op-argument", message, arg.span);
            return None;
        };
        if !record.isa("OpVariable") {
            return Some((record, Effects::default()));
        }
        let mut effects = Effects::default();
        for effect in self.field_defs(record, "effects") {
            effects.0 |= match effect.text("effect") {
                Some("read") => Effects::READ.0,
                Some("write") => Effects::WRITE.0,
                Some("alloc") => Effects::ALLOC.0,
                Some("free") => Effects::FREE.0,
                _ => 0,
            };
        }
        effects.0 |= self.ods_effects(record, "decorators").0;
        Some((self.field_def(record, "constraint")?, effects))
    }

    fn value(&mut self, name: &str, record: &'a Record, effects: Effects) -> ValueDef {
        let arity = if record.isa("Variadic") {
            Arity::Variadic
        } else if record.isa("Optional") {
            Arity::Optional
        } else {
            Arity::One
        };
        let base = match arity {
            Arity::One => record,
            _ => self.field_def(record, "baseType").unwrap_or(record),
        };
        let constraint = self.constraint(base);
        self.ods_builder(base);
        ValueDef { name: Cow::Owned(name.to_owned()), constraint, arity, effects }
    }

    fn regions(&mut self, record: &'a Record) -> Vec<RegionDef> {
        let mut regions = Vec::new();
        for (arg, name) in self.named_args(record, "regions", "region") {
            let Some(region) = self.def(&arg.value).filter(|r| r.isa("RegionConstraint")) else {
                self.error("op-region", "expected a region constraint", arg.span);
                continue;
            };
            let (max_blocks, non_empty) = match self.ods {
                true => self.ods_region(region),
                false => {
                    let max = region.number("maxBlocks").unwrap_or(0);
                    (u32::try_from(max).unwrap_or(0), region.flag("nonEmpty"))
                }
            };
            regions.push(RegionDef {
                name: Cow::Owned(name.to_owned()),
                arity: if region.isa("VariadicRegion") { Arity::Variadic } else { Arity::One },
                max_blocks,
                non_empty,
            });
        }
        regions
    }

    fn successors(&mut self, record: &'a Record) -> Vec<SuccessorDef> {
        let mut successors = Vec::new();
        for (arg, name) in self.named_args(record, "successors", "successor") {
            let constraint = self.def(&arg.value).filter(|r| r.isa("SuccessorConstraint"));
            let Some(constraint) = constraint else {
                self.error("op-successor", "expected a successor constraint", arg.span);
                continue;
            };
            let variadic = constraint.isa("VariadicSuccessor");
            successors.push(SuccessorDef {
                name: Cow::Owned(name.to_owned()),
                arity: if variadic { Arity::Variadic } else { Arity::One },
                operands: constraint.some_str("operands"),
            });
        }
        successors
    }

    /// Reports names that stand for two things, and successors that take unknown operands.
    fn names(&mut self, record: &'a Record, op: &OpDef) {
        let mut spans: Vec<(&str, Span)> = Vec::new();
        for field in ["arguments", "results", "regions", "successors"] {
            for arg in record.graph(field).map_or(&[][..], |dag| &dag.args) {
                let Some(name) = arg.name.as_deref() else { continue };
                match spans.iter().find(|(n, _)| *n == name) {
                    Some((_, first)) => {
                        let message = format!("`{}` has two things named `${name}`", op.name);
                        self.diagnostics.push(
                            Diagnostic::error("op-duplicate-name", message)
                                .at(arg.span)
                                .label(*first, "the first is here"),
                        );
                    }
                    None => spans.push((name, arg.span)),
                }
            }
        }
        for successor in op.successors.iter() {
            let Some(group) = &successor.operands else { continue };
            if op.operand_index(group).is_none() {
                let at = spans.iter().find(|(n, _)| *n == successor.name);
                let message = format!(
                    "the block of `${}` takes operands `${group}`, which `{}` has not",
                    successor.name, op.name
                );
                let span = at.map_or(record.span, |(_, span)| *span);
                self.error("op-successor-operands", message, span);
            }
        }
    }

    /// Reports several groups of unknown size that nothing tells apart.
    fn segments(&mut self, record: &Record, op: &OpDef) {
        let count = |values: &[ValueDef]| values.iter().filter(|v| v.arity != Arity::One).count();
        let cases = [
            (
                "arguments",
                "operand",
                count(&op.operands),
                "AttrSizedOperandSegments",
                "SameVariadicOperandSize",
            ),
            (
                "results",
                "result",
                count(&op.results),
                "AttrSizedResultSegments",
                "SameVariadicResultSize",
            ),
        ];
        for (field, what, groups, sized, same) in cases {
            if groups > 1 && !op.has_trait(sized) && !op.has_trait(same) {
                let span = record.graph(field).map_or(record.span, |dag| dag.span);
                let message = format!("`{}` has {groups} {what} groups of variable size", op.name);
                self.diagnostics.push(
                    Diagnostic::error("op-segments", message)
                        .at(span)
                        .label(record.span, format!("add the trait `{sized}`")),
                );
            }
        }
    }

    fn name_hints(&mut self, record: &'a Record, field: &str, op: &OpDef) -> Vec<NameHint> {
        let mut hints = Vec::new();
        for hint in self.field_defs(record, field) {
            let span = self.part_span(hint, record, field);
            if hint.isa("NamedBy") {
                hints.push(NameHint::Hook(hint.str("hook")));
                continue;
            }
            let group = match hint.text("groupName") {
                Some(group) => match op.result_index(group) {
                    Some(index) => index,
                    None => {
                        let message = format!("`{}` has no result `{group}`", op.name);
                        self.error("op-result-name", message, span);
                        continue;
                    }
                },
                None => usize::try_from(hint.number("argIndex").unwrap_or(0)).unwrap_or(0),
            };
            let group = u16::try_from(group).unwrap_or(u16::MAX);
            hints.push(NameHint::Fixed { group, name: hint.str("name") });
        }
        hints
    }

    fn op_format(&mut self, record: &'a Record, op: &OpDef, mnemonic: &str) -> Format {
        let declared = record.text("assemblyFormat").is_some();
        if let Some(name) = hook(record, "hasCustomAssemblyFormat", "customFormat", mnemonic)
            // MLIR's own tools take the format where there are both.
            && !(self.ods && declared)
        {
            if let Some(field) = record.fields.get("assemblyFormat").filter(|f| !f.value.is_unset())
            {
                let message = format!("`{}` has both a format and hooks for it", op.name);
                self.error("format-twice", message, field.span);
            }
            return Format::Hook(name);
        }
        let Some(text) = self.format_text(record, "assemblyFormat") else { return Format::Generic };
        let before = self.diagnostics.len();
        let nodes = format::parse(&text, &mut self.diagnostics);
        format::duplicates(&nodes, &mut self.diagnostics);
        let defaulted = std::mem::take(&mut self.untranslated.defaulted);
        let names = OpNames {
            defaulted: &defaulted,
            operands: &op.operands,
            results: &op.results,
            attrs: &op.attrs,
            regions: &op.regions,
            successors: &op.successors,
        };
        let program = format::resolve_op(&nodes, &names, &mut self.diagnostics);
        // What is missing after an error is most likely what the error swallowed, and a type that
        // does not seem to follow may do so by what was not understood.
        if self.diagnostics[before..].iter().all(format::is_whole) {
            let resolved = self.diagnostics.len();
            format::check_op(op, &program, text.whole(), &mut self.diagnostics);
            if self.ods && self.diagnostics.len() > resolved && self.is_partly_read() {
                self.diagnostics.truncate(resolved);
            }
            let checked = self.diagnostics.len();
            format::ambiguities(op, &nodes, &mut self.diagnostics);
            if self.ods {
                // MLIR's own tools take them.
                let found = &mut self.diagnostics[checked..];
                found.iter_mut().for_each(|d| d.severity = tegula_diag::Severity::Warning);
            }
        }
        text.keep_only_exact_fixes(&mut self.diagnostics[before..]);
        Format::Program(Cow::Owned(program))
    }
}

/// A hook's name: as the field gives it, or the mnemonic where only the switch is on.
pub(crate) fn hook(record: &Record, switch: &str, field: &str, mnemonic: &str) -> Option<Str> {
    record
        .some_str(field)
        .or_else(|| record.flag(switch).then(|| Cow::Owned(mnemonic.replace(['.', '-'], "_"))))
}
