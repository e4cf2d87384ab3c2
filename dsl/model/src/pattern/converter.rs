//! Type converters.

use std::borrow::Cow;
use std::sync::Arc;

use tegula_record::{Dag, Record};
use tegula_schema::{ConverterDef, PatternKind, Reg, Str, TypeConversionDef};

use super::matching::Form;
use super::{Lowering, OpTable, ROOT};
use crate::cx::{Cx, Get};

/// Lowers a record of the class `TypeConverter`; none when it has errors, which are reported.
pub(super) fn lower<'a>(
    cx: &mut Cx<'a>,
    ops: &OpTable,
    record: &'a Record,
) -> Option<ConverterDef> {
    let mut rules = Vec::new();
    let mut failed = false;
    for value in record.items("rules") {
        let Some(dag) = value.as_dag() else { continue };
        match rule(cx, ops, &dag.clone()) {
            Some(rule) => rules.push(rule),
            None => failed = true,
        }
    }
    let cast = |cx: &mut Cx<'a>, field: &str| -> Str {
        let op = cx.field_def(record, field);
        Cow::Owned(op.and_then(|op| ops.get(op)).map_or_else(String::new, |op| op.name.to_string()))
    };
    let def = ConverterDef {
        name: record.str("name"),
        rules: Cow::Owned(rules),
        source_cast: cast(cx, "sourceCast"),
        target_cast: cast(cx, "targetCast"),
        source: cx.source(record.span),
    };
    (!failed).then_some(def)
}

/// `(becomes TypePattern, Type, …)`
fn rule<'a>(cx: &mut Cx<'a>, ops: &OpTable, dag: &Arc<Dag>) -> Option<TypeConversionDef> {
    let source = cx.source(dag.span);
    let mut lowering = Lowering::new(cx, ops, PatternKind::Rewrite);
    if !lowering.is_becomes(dag) {
        lowering.error("converter-rule", "a rule is `(becomes Type, …)`", dag.span);
        return None;
    }
    if !lowering.expect_args(dag, 1, usize::MAX) {
        return None;
    }
    lowering.match_type(Form::of(&dag.args[0]), ROOT);
    let results: Option<Vec<Reg>> =
        dag.args.iter().skip(1).map(|arg| lowering.type_expr(arg)).collect();
    let results = results?;
    let (code, registers, _) = lowering.program(dag.span)?;
    Some(TypeConversionDef {
        registers,
        code: Cow::Owned(code),
        results: Cow::Owned(results),
        source,
    })
}

impl Lowering<'_, '_> {
    fn is_becomes(&self, dag: &Dag) -> bool {
        dag.op.as_def().is_some_and(|name| &**name == "becomes")
    }
}
