//! Whether what a pattern writes fits the place where it stands.

use tegula_diag::{Diagnostic, Span};
use tegula_record::{Dag, DagArg, Value};
use tegula_schema::{AttrDef, ParamKind, PatternKind};

use super::Lowering;
use super::names::Kind;
use super::ops::number_of_results;

/// What the text of an attribute certainly is.
enum Literal<'t> {
    String,
    /// An integer of that type.
    Integer(&'t str),
}

fn read(text: &str) -> Option<Literal<'_>> {
    let text = text.trim();
    if text.starts_with('"') {
        return Some(Literal::String);
    }
    let (number, ty) = text.split_once(':').unwrap_or((text, "i64"));
    number.trim().parse::<i128>().ok().map(|_| Literal::Integer(ty.trim()))
}

impl Lowering<'_, '_> {
    /// Reports a literal, in MLIR text, that an attribute can never be.
    pub(super) fn expect_literal(&mut self, text: &str, def: Option<&AttrDef>, span: Span) {
        let Some((def, literal)) = def.zip(read(text)) else { return };
        let ty = def.value_type.as_ref();
        let wrong = match (&def.kind, literal) {
            (ParamKind::Enum(_), _) => None,
            (ParamKind::String | ParamKind::SymbolName, Literal::Integer(_)) => {
                Some("is a string, not a number".to_owned())
            }
            (_, Literal::String) if !ty.is_empty() => {
                Some(format!("is of type `{ty}`, not a string"))
            }
            (_, Literal::Integer(given)) if !ty.is_empty() && given != ty => {
                Some(format!("is of type `{ty}`, not `{given}`"))
            }
            _ => None,
        };
        if let Some(wrong) = wrong {
            self.error("pattern-attr", format!("the attribute `{}` {wrong}", def.name), span);
        }
    }

    /// Reports a reference to a symbol where an attribute is of a type, or a string.
    pub(super) fn expect_symbol(&mut self, def: Option<&AttrDef>, span: Span) {
        let Some(def) = def else { return };
        let what = match &def.kind {
            ParamKind::String | ParamKind::SymbolName => "a string".to_owned(),
            _ if !def.value_type.is_empty() => format!("of type `{}`", def.value_type),
            _ => return,
        };
        let message = format!("the attribute `{}` is {what}, no reference to a symbol", def.name);
        self.error("pattern-attr", message, span);
    }

    /// Reports a bare number where a value is expected.
    pub(super) fn expect_no_number(&mut self, arg: &DagArg) -> Option<()> {
        let Value::Int(number) = arg.value else { return Some(()) };
        let op = self.ops.constant().unwrap_or("My_ConstantOp");
        let note = format!("make a constant of it: `({op} (attr \"{number} : i32\"))`, say");
        self.report(
            Diagnostic::error("pattern-kind", "a value is expected, not a number")
                .at(arg.span)
                .note(note),
        );
        None
    }

    /// How many values an argument of `replace` certainly stands for.
    pub(super) fn number_of_values(&self, arg: &DagArg) -> Option<usize> {
        let Some(name) = arg.name.as_ref().filter(|_| arg.value.is_unset()) else {
            let record = self.cx.def(&arg.value.as_dag()?.op)?;
            return self.ops.results(record);
        };
        let bind = self.names.get(name)?;
        match bind.kind {
            Kind::VALUE if bind.matched => Some(1),
            Kind::Op => self.op_defs.get(&**name).and_then(number_of_results),
            _ => None,
        }
    }

    /// Reports another number of values than an op has results.
    pub(super) fn expect_as_many(&mut self, dag: &Dag, args: &[DagArg], results: Option<usize>) {
        // In a conversion several values may stand for one result.
        if self.kind == PatternKind::Convert && results == Some(args.len()) {
            return;
        }
        let given: Option<usize> = args.iter().map(|arg| self.number_of_values(arg)).sum();
        let Some((results, given)) = results.zip(given).filter(|(a, b)| a != b) else { return };
        let s = |count| if count == 1 { "" } else { "s" };
        let message = format!(
            "the op has {results} result{}, but {given} value{} would replace them",
            s(results),
            s(given)
        );
        self.error("pattern-arity", message, dag.span);
    }
}
