//! Traits, and the equations between types that some of them state.

use std::borrow::Cow;

use tegula_diag::{Diagnostic, Span, nearest};
use tegula_record::Record;
use tegula_schema::{Derivation, OpDef, Slot, TraitDef, TypeRule};

use crate::cx::{Cx, Get};

impl<'a> Cx<'a> {
    /// The traits in a field, lists taken apart, none twice.
    pub(crate) fn traits(&mut self, record: &'a Record, field: &str) -> Vec<&'a Record> {
        let mut out: Vec<&Record> = Vec::new();
        let mut open = self.field_defs(record, field);
        open.reverse();
        while let Some(next) = open.pop() {
            if next.isa("TraitList") {
                open.extend(self.field_defs(next, "traits").into_iter().rev());
            } else if !out.iter().any(|seen| seen.name == next.name) {
                out.push(next);
            }
        }
        out
    }

    /// Adds an op's traits and the type rules that follow from them.
    pub(crate) fn traits_of_op(&mut self, record: &'a Record, op: &mut OpDef) {
        let (mut traits, mut rules) = (Vec::new(), Vec::new());
        // C++ tells the types of results from the operands.
        let mut inferred = false;
        for t in self.traits(record, "traits") {
            let def = match self.ods {
                false => TraitDef { name: t.str("trait"), args: Cow::Owned(t.strs("traitArgs")) },
                true => match self.ods_trait(t) {
                    Some(def) if def.name == "InferTypeOpInterface" && !op.results.is_empty() => {
                        inferred = true;
                        def
                    }
                    Some(def) => def,
                    None => continue,
                },
            };
            let span = self.part_span(t, record, "traits");
            rules.extend(self.rule(t, &def, op, record, span));
            traits.push(def);
        }
        if inferred && rules.is_empty() {
            self.untranslated("how the types of results follow");
        }
        op.traits = Cow::Owned(traits);
        op.type_rules = Cow::Owned(rules);
    }

    fn rule(
        &mut self,
        record: &'a Record,
        def: &TraitDef,
        op: &OpDef,
        owner: &Record,
        span: Span,
    ) -> Option<TypeRule> {
        let operands = || op.operands.iter().zip(0u16..).map(|(_, i)| Slot::Operand(i));
        let results = || op.results.iter().zip(0u16..).map(|(_, i)| Slot::Result(i));
        let both = || Cow::Owned(operands().chain(results()).collect::<Vec<_>>());
        let rule = match def.name.as_ref() {
            "SameOperandsAndResultType" => TypeRule::Same(both()),
            "SameTypeOperands" => TypeRule::Same(operands().collect()),
            "SameOperandsShape" => TypeRule::SameShape(operands().collect()),
            "SameOperandsAndResultShape" => TypeRule::SameShape(both()),
            "SameOperandsElementType" => TypeRule::SameElement(operands().collect()),
            "SameOperandsAndResultElementType" => TypeRule::SameElement(both()),
            "AllTypesMatch" => TypeRule::Same(self.slots(&def.args, op, owner, span)?),
            "AllElementTypesMatch" => {
                TypeRule::SameElement(self.slots(&def.args, op, owner, span)?)
            }
            "AllShapesMatch" => TypeRule::SameShape(self.slots(&def.args, op, owner, span)?),
            "TypesMatchWith" => {
                let slots = self.slots(&def.args, op, owner, span)?;
                let [from, to] = slots[..] else { return None };
                if self.ods {
                    return self.ods_match(record, from, to);
                }
                let how = self.derivation(record, span)?;
                TypeRule::Derived { from, to, how, summary: record.str("summary") }
            }
            _ => return None,
        };
        Some(rule)
    }

    fn derivation(&mut self, record: &'a Record, span: Span) -> Option<Derivation> {
        let derivation = self.field_def(record, "derivation")?;
        Some(match derivation.text("way").unwrap_or_default() {
            "element-type" => Derivation::ElementType,
            "bool-of" => Derivation::BoolOf,
            "attr-type" => Derivation::AttrType,
            "param" => Derivation::Param(derivation.str("arg")),
            "hook" => Derivation::Hook(derivation.str("arg")),
            other => {
                let message = format!("`{other}` is no derivation that the prelude defines");
                self.error("unknown-derivation", message, span);
                return None;
            }
        })
    }

    fn slots(
        &mut self,
        names: &[tegula_schema::Str],
        op: &OpDef,
        owner: &Record,
        span: Span,
    ) -> Option<Cow<'static, [Slot]>> {
        let mut slots = Vec::new();
        for name in names {
            let slot = (op.operand_index(name).map(|i| (Slot::Operand as fn(u16) -> Slot, i)))
                .or_else(|| op.result_index(name).map(|i| (Slot::Result as fn(u16) -> Slot, i)))
                .or_else(|| op.attr_index(name).map(|i| (Slot::Attr as fn(u16) -> Slot, i)));
            match slot.and_then(|(make, i)| Some(make(u16::try_from(i).ok()?))) {
                Some(slot) => slots.push(slot),
                None => {
                    let message =
                        format!("a trait of `{}` names `${name}`, which the op has not", op.name);
                    let known = (op.operands.iter().map(|v| v.name.as_ref()))
                        .chain(op.results.iter().map(|v| v.name.as_ref()))
                        .chain(op.attrs.iter().map(|a| a.name.as_ref()));
                    let mut diagnostic = Diagnostic::error("trait-unknown-name", message).at(span);
                    if span != owner.span {
                        diagnostic = diagnostic.label(owner.span, "in this op");
                    }
                    if let Some(near) = nearest(name, known) {
                        diagnostic = diagnostic.note(format!("did you mean `${near}`?"));
                    }
                    self.diagnostics.push(diagnostic);
                    return None;
                }
            }
        }
        Some(Cow::Owned(slots))
    }
}
