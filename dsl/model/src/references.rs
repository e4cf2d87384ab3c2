//! Names that definitions use of each other, and what traits and options require.

use tegula_diag::{Diagnostic, Span, nearest};
use tegula_record::Record;
use tegula_schema::{OpDef, OptionDef, OptionKind, ParamKind};

use crate::cx::{Cx, Get};

impl<'a> Cx<'a> {
    /// Reports an op name whose dialect is at hand without such an op.
    pub(crate) fn op_name(&mut self, name: &str, what: &str, span: Span) {
        let Some((dialect, mnemonic)) = name.split_once('.') else {
            let message = format!("{what} must be a full name such as `func.func`, not `{name}`");
            self.error("op-name", message, span);
            return;
        };
        let records = self.records;
        let mut known: Vec<&str> = Vec::new();
        for op in records.derived("Op") {
            if self.field_def(op, "opDialect").and_then(|d| d.text("name")) == Some(dialect) {
                known.extend(op.text("opName"));
            }
        }
        // Ops of a dialect that is not included cannot be told from misspelled ones.
        if known.is_empty() || known.contains(&mnemonic) {
            return;
        }
        let message = format!("{what}, `{name}`, is not defined");
        let mut diagnostic = Diagnostic::error("unknown-op", message).at(span);
        if let Some(near) = nearest(mnemonic, known) {
            diagnostic = diagnostic.note(format!("a similar op is `{dialect}.{near}`"));
        }
        self.diagnostics.push(diagnostic);
    }

    /// Reports traits that an op cannot fulfil.
    pub(crate) fn trait_requirements(&mut self, record: &'a Record, op: &OpDef) {
        // What MLIR's own traits ask of an op is C++.
        if self.ods {
            return;
        }
        let span = self.field_span(record, "traits");
        let needs = |name: &str| op.attr_index(name).is_none();
        let mut missing: Vec<(&str, &str, &str)> = Vec::new();
        // Without any attribute there is one constant of each type; a single one is the constant.
        if op.has_trait("ConstantLike") && needs("value") && op.attrs.len() > 1 {
            missing.push(("ConstantLike", "value", "AnyAttr"));
        }
        if op.has_trait("Symbol") && needs("sym_name") {
            missing.push(("Symbol", "sym_name", "SymbolNameAttr"));
        }
        if op.has_trait("FunctionOpInterface") && needs("function_type") {
            missing.push(("FunctionOpInterface", "function_type", "TypeAttrOf<FunctionType>"));
        }
        for (name, attr, constraint) in missing {
            let message = format!("`{}` is `{name}` without an attribute `${attr}`", op.name);
            let mut diagnostic = Diagnostic::error("trait-attribute", message).at(span);
            if span != record.span {
                diagnostic = diagnostic.label(record.span, "in this op");
            }
            self.diagnostics.push(diagnostic.note(format!("add `{constraint}:${attr}`")));
        }
        for t in self.traits(record, "traits") {
            let name = t.text("trait").unwrap_or_default();
            if matches!(name, "HasParent" | "ParentOneOf" | "SingleBlockImplicitTerminator") {
                let span = self.part_span(t, record, "traits");
                for arg in t.strs("traitArgs") {
                    self.op_name(&arg, &format!("the op that `{name}` names"), span);
                }
            }
        }
        for attr in op.attrs.iter() {
            let (ParamKind::Enum(info), Some(default)) = (&attr.kind, &attr.default) else {
                continue;
            };
            if default.split(" : ").next().is_none_or(|number| number.parse::<i64>().is_err()) {
                let message = format!("`{default}` is no case of `{info}`");
                let span = record.graph("arguments").map_or(record.span, |dag| dag.span);
                self.error("enum-default", message, span);
            }
        }
    }

    /// Reports a default that is no value of its option.
    pub(crate) fn option_default(&mut self, option: &OptionDef, span: Span) {
        let value = option.default.as_ref();
        let wanted = match &option.kind {
            OptionKind::Bool if !matches!(value, "true" | "false" | "") => {
                "`true` or `false`".to_owned()
            }
            OptionKind::Int if !value.is_empty() && value.parse::<i64>().is_err() => {
                "an integer".to_owned()
            }
            OptionKind::Choice(words) if !words.iter().any(|word| word == value) => {
                format!("one of {}", words.join(", "))
            }
            _ => return,
        };
        let message = format!("the default of `{}` must be {wanted}, not `{value}`", option.name);
        self.error("option-default", message, span);
    }
}
