//! Type converters.

use std::borrow::Cow;
use std::sync::Arc;

use tegula_record::{Dag, DagArg, Record, Value};
use tegula_schema::{Arity, CastDef, ConverterDef, Inst, PatternKind, Reg, Str, TypeConversionDef};

use super::expr::Wanted;
use super::matching::Form;
use super::names::Kind;
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
    let mut casts = Vec::new();
    for value in record.items("casts") {
        let Some(dag) = value.as_dag() else { continue };
        match cast_rule(cx, ops, &dag.clone()) {
            Some(rule) => casts.push(rule),
            None => failed = true,
        }
    }
    let def = ConverterDef {
        name: record.str("name"),
        rules: Cow::Owned(rules),
        source_cast: cast(cx, "sourceCast"),
        target_cast: cast(cx, "targetCast"),
        casts: Cow::Owned(casts),
        source: cx.source(record.span),
    };
    (!failed).then_some(def)
}

/// `(becomes TypePattern, Type, …)` or `(refused TypePattern)`
fn rule<'a>(cx: &mut Cx<'a>, ops: &OpTable, dag: &Arc<Dag>) -> Option<TypeConversionDef> {
    let source = cx.source(dag.span);
    let mut lowering = Lowering::new(cx, ops, PatternKind::Convert, dag.span.source);
    let word = dag.op.as_def().map_or("", |name| &**name);
    let refused = word == "refused";
    if !refused && word != "becomes" {
        let message = "a rule is `(becomes Type, …)` or `(refused Type)`";
        lowering.error("converter-rule", message, dag.span);
        return None;
    }
    if !lowering.expect_args(dag, 1, if refused { 1 } else { usize::MAX }) {
        return None;
    }
    let reads = dag.args.iter().map(|arg| Cow::Owned(reads(lowering.cx, arg))).collect();
    lowering.match_type(Form::of(&dag.args[0]), ROOT);
    lowering.emit(Inst::Commit);
    let results: Option<Vec<Reg>> =
        dag.args.iter().skip(1).map(|arg| lowering.type_expr(arg)).collect();
    let results = results?;
    let program = lowering.program(dag.span)?;
    Some(TypeConversionDef {
        registers: program.registers,
        code: program.code,
        results: Cow::Owned(results),
        refused,
        reads: Cow::Owned(reads),
        source,
    })
}

/// A type, or a form that types match, as a reader of MLIR would write it.
fn reads(cx: &mut Cx<'_>, arg: &DagArg) -> String {
    let all = |cx: &mut Cx<'_>, args: &[DagArg]| -> String {
        args.iter().map(|arg| reads(cx, arg)).collect::<Vec<_>>().join(", ")
    };
    match (&arg.value, &arg.name) {
        (Value::Unset, Some(name)) => format!("${name}"),
        (Value::Unset, None) => "?".to_owned(),
        (Value::Str(text), _) => text.to_string(),
        (Value::Int(number), _) => number.to_string(),
        (Value::Def(_), _) => cx.def(&arg.value).map_or_else(String::new, |def| {
            let constraint = cx.constraint(def);
            constraint.buildable.unwrap_or(constraint.summary).into_owned()
        }),
        (Value::Dag(dag), _) => match cx.def(&dag.op) {
            Some(ty) if ty.isa("TypeDef") => {
                let name = cx.full_name(ty).unwrap_or_default();
                format!("!{name}<{}>", all(cx, &dag.args))
            }
            Some(word) if &*word.name == "type" => all(cx, &dag.args),
            Some(word) => format!("{}({})", word.name, all(cx, &dag.args)),
            None => String::new(),
        },
        _ => String::new(),
    }
}

/// `(cast Form, TypePattern, Expression)`, where `Form` may be `(values …)` and `TypePattern`
/// `(types …)`.
fn cast_rule<'a>(cx: &mut Cx<'a>, ops: &OpTable, dag: &Arc<Dag>) -> Option<CastDef> {
    let source = cx.source(dag.span);
    let mut lowering = Lowering::new(cx, ops, PatternKind::Rewrite, dag.span.source);
    if dag.op.as_def().is_none_or(|name| &**name != "cast") {
        let message = "a cast is `(cast Form, Type, Expression)`";
        lowering.error("converter-cast", message, dag.span);
        return None;
    }
    if !lowering.expect_args(dag, 3, 3) {
        return None;
    }
    let wanted = lowering.fresh();
    let several = lowering.is_operator(&dag.args[0].value, "values");
    let kind = if several { Kind::Value(Arity::Variadic) } else { Kind::VALUE };
    lowering.match_form(Form::of(&dag.args[0]), ROOT, kind);
    let types =
        dag.args[1].value.as_dag().filter(|_| lowering.is_operator(&dag.args[1].value, "types"));
    let types = types.map_or(std::slice::from_ref(&dag.args[1]), |types| &types.args);
    lowering.match_items(types, wanted, Kind::Type);
    let result = lowering.last_value(&dag.args[2])?;
    let program = lowering.program(dag.span)?;
    Some(CastDef { registers: program.registers, code: program.code, result, source })
}

impl Lowering<'_, '_> {
    /// A value that is made after everything has matched.
    fn last_value(&mut self, arg: &DagArg) -> Option<Reg> {
        self.acting = true;
        self.value(arg, Wanted::default())
    }
}
