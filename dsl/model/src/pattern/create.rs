//! Ops that a pattern makes.

use std::borrow::Cow;

use tegula_diag::Diagnostic;
use tegula_record::{Dag, DagArg, Record};
use tegula_schema::Slot as TypeSlot;
use tegula_schema::{Arity, Inst, NamedReg, OpDef, PatternKind, Reg, Segment, TypeRule};

use super::expr::Wanted;
use super::names::{Bind, Kind};
use super::ops::{Slot, arity_mismatch, has_segments, number_of_results, slots};
use super::{Lowering, ROOT};

/// What an op is made of, as far as its result types may follow from it.
struct Parts {
    operands: Vec<Option<Reg>>,
    attrs: Vec<Option<Reg>>,
}

/// Whether an op may be made without this argument.
fn may_lack(op: &OpDef, slot: Slot) -> bool {
    match slot {
        Slot::Operand(group) => op.operands.get(group).is_some_and(|o| o.arity != Arity::One),
        Slot::Attr(attr) => op.attrs.get(attr).is_some_and(|a| a.optional || a.default.is_some()),
    }
}

impl<'c, 'a> Lowering<'c, 'a> {
    /// Makes an op: `(Op:$o args…, (types …), (attrsOf $x, …), (successorsOf $x))`. `replaces` is
    /// the number of the root's result that the op's only result takes the place of.
    pub(super) fn create(
        &mut self,
        dag: &Dag,
        record: &'a Record,
        replaces: Option<usize>,
        fold: bool,
    ) -> Option<(Reg, Kind)> {
        self.at(dag.span);
        let op = self.op_def(record, dag.span)?;
        let slots = slots(record, &op);
        let mut parts =
            Parts { operands: vec![None; op.operands.len()], attrs: vec![None; op.attrs.len()] };
        let words = ["types", "attrsOf", "discardableOf", "successorsOf"];
        let is_word = |arg: &DagArg| self.word(&arg.value).is_some_and(|w| words.contains(&w));
        let given = dag.args.iter().filter(|arg| !is_word(arg)).count();
        if given > slots.len() {
            self.report(arity_mismatch(&op, &slots, given).at(dag.span));
            return None;
        }
        let mut dicts = Vec::new();
        let mut types = None;
        let mut successors = None;
        let mut at = 0;
        for arg in &dag.args {
            match self.word(&arg.value) {
                Some("types") if slots[at.min(slots.len())..].iter().all(|s| may_lack(&op, *s)) => {
                    types = Some(arg);
                }
                Some("attrsOf" | "discardableOf") => dicts.push(self.attrs_of(arg)?),
                Some("successorsOf") => successors = Some(self.successors_of(arg)?),
                _ => {
                    match slots.get(at) {
                        Some(&Slot::Operand(group)) => {
                            parts.operands[group] = Some(self.operand(arg, &op, group)?);
                        }
                        Some(&Slot::Attr(attr)) => {
                            parts.attrs[attr] = self.op_attr(arg, &op, attr)?;
                        }
                        None => {}
                    }
                    at += 1;
                }
            }
        }
        let lacking = slots.get(at..).unwrap_or_default();
        if at > slots.len() || !lacking.iter().all(|slot| may_lack(&op, *slot)) {
            self.report(arity_mismatch(&op, &slots, at).at(dag.span));
            return None;
        }
        for slot in lacking {
            if let Slot::Operand(group) = *slot {
                let into = self.fresh();
                parts.operands[group] = Some(self.compute(&[], into, Inst::Absent { into }));
            }
        }
        let results = self.result_types(dag, &op, &parts, types, replaces)?;
        let operands: Option<Vec<Reg>> = parts.operands.iter().copied().collect();
        let attrs = op
            .attrs
            .iter()
            .zip(&parts.attrs)
            .filter_map(|(def, reg)| Some(NamedReg { name: def.name.clone(), reg: (*reg)? }));
        let attrs: Vec<NamedReg> = attrs.collect();
        let regions = op.regions.iter().filter(|r| r.arity == Arity::One).count();
        let into = self.fresh();
        self.late(
            into,
            Inst::Create {
                name: op.name.clone(),
                operands: Cow::Owned(operands?),
                operand_segments: has_segments(&op, false),
                attrs: Cow::Owned(attrs),
                attr_dicts: Cow::Owned(dicts),
                results: Cow::Owned(results),
                result_segments: has_segments(&op, true),
                regions: u16::try_from(regions).unwrap_or(u16::MAX),
                successors: successors.map(|(op, _)| op),
                successor: successors.and_then(|(_, only)| only),
                fold,
                into,
            },
        );
        if !self.makes.iter().any(|name| *name == op.name) {
            self.makes.push(op.name.to_string());
        }
        if fold {
            let single = op.results.len() == 1 && op.results[0].arity == Arity::One;
            let arity = if single { Arity::One } else { Arity::Variadic };
            return Some((into, Kind::Value(arity)));
        }
        if let Some(name) = &dag.op_name {
            if let Some(known) = self.names.get(name) {
                self.bound_twice(name, known.span, dag.span);
                return None;
            }
            let bind =
                Bind { reg: into, kind: Kind::Op, span: dag.span, converted: None, matched: false };
            self.names.insert(name, bind);
            self.op_defs.insert(name.to_string(), op.clone());
        }
        Some((into, Kind::Op))
    }

    fn operand(&mut self, arg: &DagArg, op: &OpDef, group: usize) -> Option<Reg> {
        let def = op.operands.get(group)?;
        if self.word(&arg.value) == Some("absent") {
            if def.arity == Arity::One {
                let message =
                    format!("the operand `{}` of `{}` is never absent", def.name, op.name);
                self.error("pattern-kind", message, arg.span);
                return None;
            }
            return Some(self.expr(arg)?.0);
        }
        self.expect_no_number(arg)?;
        let (reg, kind) = self.expr(arg)?;
        let fine = match kind {
            Kind::Value(arity) => {
                def.arity == Arity::Variadic || arity == Arity::One || arity == def.arity
                // Conversions may turn one value into several; the op's verifier has the word.
                || self.kind == PatternKind::Convert
            }
            Kind::Op | Kind::Any => true,
            _ => false,
        };
        let expected = match def.arity {
            Arity::One => "one value",
            Arity::Optional => "one value or none",
            Arity::Variadic => "values",
        };
        self.expect_kind(kind, fine, expected, arg)?;
        if kind == Kind::Op
            && let Some(given) = self.op_of(arg).as_ref().and_then(number_of_results)
            && (given == 0 || given > 1 && def.arity != Arity::Variadic)
        {
            let message = format!("{expected} is expected, but the op has {given} results");
            self.error("pattern-arity", message, arg.span);
            return None;
        }
        Some(reg)
    }

    /// The definition of an op that is named or made, where it is known.
    fn op_of(&mut self, arg: &DagArg) -> Option<OpDef> {
        match (&arg.name, arg.value.as_dag()) {
            (Some(name), None) => self.op_defs.get(&**name).cloned(),
            (_, Some(dag)) => self.ops.get(self.cx.def(&dag.op)?),
            (None, None) => None,
        }
    }

    /// An attribute of an op that is made; none inside when it stays away.
    fn op_attr(&mut self, arg: &DagArg, op: &OpDef, index: usize) -> Option<Option<Reg>> {
        let def = op.attrs.get(index)?.clone();
        if arg.value.is_unset() && arg.name.is_none() {
            if def.optional || def.default.is_some() {
                return Some(None);
            }
            let message = format!("the attribute `{}` of `{}` must be given", def.name, op.name);
            self.error("pattern-attr", message, arg.span);
            return None;
        }
        Some(Some(self.attr(arg, Some(&def))?))
    }

    /// `(attrsOf $op, "but", …)`
    fn attrs_of(&mut self, arg: &DagArg) -> Option<Reg> {
        let dag = arg.value.as_dag()?.clone();
        if !self.expect_args(&dag, 1, usize::MAX) {
            return None;
        }
        let (op, kind) = self.expr(&dag.args[0])?;
        self.expect_kind(kind, kind == Kind::Op, "an op", &dag.args[0])?;
        let without = dag.args.iter().skip(1).map(|arg| arg.value.as_str());
        let without: Option<Vec<_>> =
            without.map(|text| Some(Cow::Owned(text?.to_string()))).collect();
        let Some(mut without) = without else {
            self.error("pattern-expr", "the attributes to leave out are strings", dag.span);
            return None;
        };
        if self.word(&arg.value) == Some("discardableOf") {
            let def = dag.args[0].name.as_deref().and_then(|name| self.op_defs.get(name));
            let Some(def) = def else {
                let message = "which op this is, is not known; bind it as `(Op:$o …)`";
                self.error("pattern-kind", message, dag.args[0].span);
                return None;
            };
            without.extend(def.attrs.iter().map(|attr| attr.name.clone()));
            without.extend(["operandSegmentSizes", "resultSegmentSizes"].map(Cow::Borrowed));
        }
        let into = self.fresh();
        let inst = Inst::Attrs { op, without: Cow::Owned(without), into };
        Some(self.compute(&[op], into, inst))
    }

    /// `(successorsOf $op)`, `(successorsOf $op, 0)`
    fn successors_of(&mut self, arg: &DagArg) -> Option<(Reg, Option<u16>)> {
        let dag = arg.value.as_dag()?.clone();
        if !self.expect_args(&dag, 1, 2) {
            return None;
        }
        let (op, kind) = self.expr(&dag.args[0])?;
        self.expect_kind(kind, kind == Kind::Op, "an op", &dag.args[0])?;
        let Some(only) = dag.args.get(1) else { return Some((op, None)) };
        match only.value.as_int().map(u16::try_from) {
            Some(Ok(number)) => Some((op, Some(number))),
            _ => {
                self.error("pattern-expr", "the number of a successor is expected", only.span);
                None
            }
        }
    }

    fn type_of(&mut self, from: Reg) -> Reg {
        let into = self.fresh();
        self.compute(&[from], into, Inst::TypeOf { from, into })
    }

    /// The types of an op's results: those that are given, else what its type rules say, else the
    /// only possible type, else those of what it replaces.
    fn result_types(
        &mut self,
        dag: &Dag,
        op: &OpDef,
        parts: &Parts,
        given: Option<&DagArg>,
        replaces: Option<usize>,
    ) -> Option<Vec<Reg>> {
        if let Some(given) = given {
            let types = given.value.as_dag()?.clone();
            let single = op.results.len() == 1 && op.results[0].arity == Arity::Variadic;
            if single {
                return Some(vec![self.expr(given)?.0]);
            }
            if !self.expect_args(&types, op.results.len(), op.results.len()) {
                return None;
            }
            return types.args.iter().map(|arg| self.type_expr(arg)).collect();
        }
        let mut known: Vec<Option<Reg>> = vec![None; op.results.len()];
        // A rule may need a result that another rule gives.
        for _ in 0..op.results.len() {
            for index in 0..op.results.len() {
                if known[index].is_none() && op.results[index].arity == Arity::One {
                    known[index] = self.by_rule(op, parts, &known, index);
                }
            }
        }
        for (index, result) in op.results.iter().enumerate() {
            if known[index].is_some() || result.arity != Arity::One {
                continue;
            }
            if let Some(text) = result.constraint.buildable.clone() {
                let into = self.fresh();
                known[index] = Some(self.compute(&[], into, Inst::TypeLiteral { text, into }));
            }
        }
        if let ([None], Some(number)) = (known.as_slice(), replaces) {
            known[0] = self.root_type(number);
        }
        if let Some(missing) = known.iter().position(Option::is_none) {
            let result = &op.results[missing];
            let message = format!(
                "the type of result `{}` of `{}` does not follow from its arguments",
                result.name, op.name
            );
            self.report(
                Diagnostic::error("pattern-result-type", message)
                    .at(dag.span)
                    .note("give it as the last argument: `(types (typeOf $x))`"),
            );
            return None;
        }
        known.into_iter().collect()
    }

    fn slot_reg(
        &self,
        parts: &Parts,
        known: &[Option<Reg>],
        slot: TypeSlot,
    ) -> Option<(Reg, bool)> {
        match slot {
            TypeSlot::Operand(i) => Some(((*parts.operands.get(usize::from(i))?)?, false)),
            TypeSlot::Attr(i) => Some(((*parts.attrs.get(usize::from(i))?)?, false)),
            TypeSlot::Result(i) => Some(((*known.get(usize::from(i))?)?, true)),
        }
    }

    fn by_rule(
        &mut self,
        op: &OpDef,
        parts: &Parts,
        known: &[Option<Reg>],
        index: usize,
    ) -> Option<Reg> {
        let this = TypeSlot::Result(u16::try_from(index).ok()?);
        for rule in op.type_rules.iter() {
            match rule {
                TypeRule::Same(all) if all.contains(&this) => {
                    let single = |slot: &&TypeSlot| match slot {
                        TypeSlot::Operand(i) => {
                            op.operands.get(usize::from(*i)).is_some_and(|o| o.arity == Arity::One)
                        }
                        _ => true,
                    };
                    for slot in all.iter().filter(|slot| **slot != this).filter(single) {
                        if let Some((reg, is_type)) = self.slot_reg(parts, known, *slot) {
                            return Some(if is_type { reg } else { self.type_of(reg) });
                        }
                    }
                }
                TypeRule::Derived { from, to, how, .. } if *to == this => {
                    let Some((reg, is_type)) = self.slot_reg(parts, known, *from) else { continue };
                    let from = match from {
                        TypeSlot::Operand(_) if !is_type => self.type_of(reg),
                        _ => reg,
                    };
                    let into = self.fresh();
                    let inst = Inst::Derive { from, how: how.clone(), into };
                    return Some(self.compute(&[from], into, inst));
                }
                _ => {}
            }
        }
        None
    }

    /// The type of a result of the root, converted in conversions.
    fn root_type(&mut self, number: usize) -> Option<Reg> {
        let number = u16::try_from(number).ok()?;
        let value = self.fresh();
        let segment = Segment::Index(number);
        let inst = Inst::Result { op: ROOT, segment, arity: Arity::One, into: value };
        self.compute(&[], value, inst);
        let ty = self.type_of(value);
        if self.kind != PatternKind::Convert {
            return Some(ty);
        }
        let into = self.fresh();
        Some(self.compute(&[ty], into, Inst::ConvertType { from: ty, into }))
    }

    /// Values that take the place of the root's results.
    pub(super) fn replacements(&mut self, args: &[DagArg], of_root: bool) -> Option<Vec<Reg>> {
        let values = args.iter().enumerate().map(|(index, arg)| {
            let replaces = of_root.then_some(index);
            // The engine converts what stands for a result, so that it knows which parts do.
            if arg.name.is_some() && arg.value.is_unset() {
                return self.original_value(arg);
            }
            self.value(arg, Wanted { replaces, ..Wanted::default() })
        });
        values.collect()
    }
}
