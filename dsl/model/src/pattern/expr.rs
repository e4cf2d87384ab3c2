//! Expressions: what conditions and actions compute from what is bound.

use std::borrow::Cow;

use tegula_diag::{Diagnostic, nearest};
use tegula_record::{Dag, DagArg, Record, Value};
use tegula_schema::{Arithmetic, Arity, AttrDef, Derivation, Inst, PatternKind, Reg};

use super::Lowering;
use super::names::Kind;
use crate::cx::Get;

/// What the place of an expression says about it.
#[derive(Clone, Copy, Default)]
pub(super) struct Wanted<'d> {
    /// The attribute that it becomes.
    pub(super) attr: Option<&'d AttrDef>,
    /// The type of a bare number.
    pub(super) number: Option<&'d str>,
    /// The result of the root that it replaces, for the types of an op that is made.
    pub(super) replaces: Option<usize>,
}

impl<'c, 'a> Lowering<'c, 'a> {
    /// An expression that nothing is known about.
    pub(super) fn expr(&mut self, arg: &DagArg) -> Option<(Reg, Kind)> {
        self.expr_for(arg, Wanted::default())
    }

    /// An expression that must be an integer attribute; bare numbers are `index`.
    pub(super) fn integer(&mut self, arg: &DagArg) -> Option<Reg> {
        let wanted = Wanted { number: Some("index"), ..Wanted::default() };
        let (reg, kind) = self.expr_for(arg, wanted)?;
        self.expect_kind(kind, matches!(kind, Kind::Attr { .. } | Kind::Any), "an integer", arg)?;
        Some(reg)
    }

    /// An expression that must be one type.
    pub(super) fn type_expr(&mut self, arg: &DagArg) -> Option<Reg> {
        let (reg, kind) = self.expr(arg)?;
        match kind {
            Kind::Type | Kind::Types | Kind::Any => Some(reg),
            Kind::Value(_) | Kind::Op | Kind::Ops => {
                let message = format!("a type is expected, not {}", kind.describe());
                self.report(
                    Diagnostic::error("pattern-kind", message)
                        .at(arg.span)
                        .note("`(typeOf $x)` is the type of a value"),
                );
                None
            }
            Kind::Attr { .. } => self.expect_kind(kind, false, "a type", arg).map(|()| reg),
        }
    }

    pub(super) fn expect_kind(
        &mut self,
        kind: Kind,
        fine: bool,
        expected: &str,
        arg: &DagArg,
    ) -> Option<()> {
        if !fine {
            let message = format!("{expected} is expected, not {}", kind.describe());
            self.error("pattern-kind", message, arg.span);
        }
        fine.then_some(())
    }

    /// An expression; its kind is what its register holds.
    pub(super) fn expr_for(&mut self, arg: &DagArg, wanted: Wanted<'_>) -> Option<(Reg, Kind)> {
        if !self.enter(arg.span) {
            return None;
        }
        let out = self.expr_inner(arg, wanted);
        self.leave();
        out
    }

    fn expr_inner(&mut self, arg: &DagArg, wanted: Wanted<'_>) -> Option<(Reg, Kind)> {
        self.at(arg.span);
        match &arg.value {
            Value::Unset => match &arg.name {
                Some(name) => self.name(name, arg, false),
                None => {
                    self.error("pattern-expr", "something must stand here", arg.span);
                    None
                }
            },
            Value::Int(value) => {
                let text = match (wanted.attr, wanted.number) {
                    (Some(def), _) if !def.value_type.is_empty() => match def.value_type.as_ref() {
                        "i1" => (*value != 0).to_string(),
                        ty => format!("{value} : {ty}"),
                    },
                    (_, Some(ty)) => format!("{value} : {ty}"),
                    _ => {
                        self.report(
                            Diagnostic::error("pattern-number", "the number has no type here")
                                .at(arg.span)
                                .note(format!("write `(attr \"{value} : i32\")`, say")),
                        );
                        return None;
                    }
                };
                if wanted.attr.is_some_and(|def| def.value_type.is_empty()) {
                    self.expect_literal(&text, wanted.attr, arg.span);
                }
                Some(self.literal(text))
            }
            Value::Str(text) | Value::Code(text) => {
                let text = self.spelled(text, wanted.attr);
                self.expect_literal(&text, wanted.attr, arg.span);
                Some(self.literal(text))
            }
            Value::Def(_) => {
                let record = self.cx.def(&arg.value)?;
                let buildable = if record.isa("TypeConstraint") {
                    self.cx.constraint(record).buildable
                } else {
                    None
                };
                match buildable {
                    Some(text) => {
                        let into = self.fresh();
                        Some((
                            self.compute(&[], into, Inst::TypeLiteral { text, into }),
                            Kind::Type,
                        ))
                    }
                    None => {
                        let message = format!("`{}` is not just one type", record.name);
                        self.error("pattern-expr", message, arg.span);
                        None
                    }
                }
            }
            Value::Dag(dag) => {
                let dag = dag.clone();
                let record = self.operator(&dag)?;
                self.dag_expr(&dag, record, wanted, arg)
            }
            other => {
                let message = format!("{} is no expression", other.kind());
                self.error("pattern-expr", message, arg.span);
                None
            }
        }
    }

    fn literal(&mut self, text: String) -> (Reg, Kind) {
        let into = self.fresh();
        let inst = Inst::Literal { text: Cow::Owned(text), into };
        (self.compute(&[], into, inst), Kind::ATTR)
    }

    /// What a name stands for. In the actions of a conversion a value that the match has bound
    /// stands for its converted ones, unless the original is asked for.
    pub(super) fn name(&mut self, name: &str, arg: &DagArg, original: bool) -> Option<(Reg, Kind)> {
        let Some(bind) = self.names.get(name) else {
            let mut diagnostic =
                Diagnostic::error("pattern-unbound", format!("`${name}` is not bound"))
                    .at(arg.span);
            if let Some(near) = nearest(name, self.names.all()) {
                diagnostic = diagnostic.note(format!("did you mean `${near}`?"));
            } else {
                let bound: Vec<String> =
                    self.names.all().map(|name| format!("`${name}`")).collect();
                if !bound.is_empty() {
                    diagnostic = diagnostic.note(format!("bound are {}", bound.join(", ")));
                }
            }
            self.report(diagnostic);
            return None;
        };
        if self.testing {
            self.late_test |= self.is_late(bind.reg);
        }
        let Kind::Value(_) = bind.kind else { return Some((bind.reg, bind.kind)) };
        if original || !bind.matched || self.kind != PatternKind::Convert || !self.in_actions() {
            return Some((bind.reg, bind.kind));
        }
        if let Some(reg) = bind.converted {
            self.late_test |= self.testing;
            return Some((reg, bind.kind));
        }
        if self.testing {
            self.report(
                Diagnostic::error("pattern-place", "a test only looks, and this converts a value")
                    .at(arg.span)
                    .note(format!("`(typeOf ${name})` is its converted type")),
            );
            return None;
        }
        let into = self.fresh();
        self.late(into, Inst::Remap { from: bind.reg, into });
        if let Some(bind) = self.names.get_mut(name) {
            bind.converted = Some(into);
        }
        Some((into, bind.kind))
    }

    fn dag_expr(
        &mut self,
        dag: &Dag,
        record: &'a Record,
        wanted: Wanted<'_>,
        arg: &DagArg,
    ) -> Option<(Reg, Kind)> {
        let arithmetic = match &*record.name {
            "add" => Some(Arithmetic::Add),
            "sub" => Some(Arithmetic::Sub),
            "mul" => Some(Arithmetic::Mul),
            "div" => Some(Arithmetic::Div),
            "mod" => Some(Arithmetic::Mod),
            _ => None,
        };
        if let Some(how) = arithmetic {
            if !self.expect_args(dag, 2, 2) {
                return None;
            }
            let (a, b) = (self.integer(&dag.args[0])?, self.integer(&dag.args[1])?);
            let into = self.fresh();
            return Some((
                self.compute(&[a, b], into, Inst::Arith { how, a, b, into }),
                Kind::ATTR,
            ));
        }
        match &*record.name {
            "typeOf" => {
                if let Some(converted) = self.converted_type(dag) {
                    return Some(converted);
                }
                let (from, kind) = self.sole_expr(dag)?;
                self.expect_kind(kind, kind != Kind::Ops, "a value", &dag.args[0])?;
                let into = self.fresh();
                let out = match kind {
                    Kind::Value(Arity::One) | Kind::Attr { .. } | Kind::Op | Kind::Any => {
                        Kind::Type
                    }
                    _ => Kind::Types,
                };
                Some((self.compute(&[from], into, Inst::TypeOf { from, into }), out))
            }
            "elementType" => self.derived(dag, Derivation::ElementType),
            "boolType" => self.derived(dag, Derivation::BoolOf),
            "type" => {
                let text = self.text_arg(dag, 0)?;
                let into = self.fresh();
                let inst = Inst::TypeLiteral { text: Cow::Owned(text), into };
                Some((self.compute(&[], into, inst), Kind::Type))
            }
            "attr" => {
                let text = self.text_arg(dag, 0)?;
                self.expect_literal(&text, wanted.attr, dag.args[0].span);
                Some(self.literal(text))
            }
            "absent" => {
                let into = self.fresh();
                let out = Kind::Attr { optional: true };
                Some((self.compute(&[], into, Inst::Absent { into }), out))
            }
            "convertType" => {
                if !self.expect_converter(dag) || !self.expect_args(dag, 1, 1) {
                    return None;
                }
                let from = self.type_expr(&dag.args[0])?;
                let into = self.fresh();
                let inst = Inst::ConvertType { from, into };
                Some((self.compute(&[from], into, inst), Kind::Types))
            }
            "types" => {
                let parts: Option<Vec<Reg>> = dag.args.iter().map(|a| self.type_expr(a)).collect();
                let parts = parts?;
                let into = self.fresh();
                let inst = Inst::Concat { parts: Cow::Owned(parts.clone()), types: true, into };
                Some((self.compute(&parts, into, inst), Kind::Types))
            }
            "values" => {
                let parts = dag.args.iter().map(|arg| self.value(arg, Wanted::default()));
                let parts: Vec<Reg> = parts.collect::<Option<_>>()?;
                let into = self.fresh();
                let inst = Inst::Concat { parts: Cow::Owned(parts.clone()), types: false, into };
                Some((self.compute(&parts, into, inst), Kind::Value(Arity::Variadic)))
            }
            "param" => self.param(dag),
            "item" => {
                if !self.expect_args(dag, 2, 2) {
                    return None;
                }
                let (list, kind) = self.expr(&dag.args[0])?;
                let into = self.fresh();
                let out = match kind {
                    Kind::Value(_) | Kind::Op => Kind::VALUE,
                    Kind::Ops => Kind::Op,
                    Kind::Type | Kind::Types => Kind::Type,
                    Kind::Attr { .. } => Kind::ATTR,
                    Kind::Any => Kind::Any,
                };
                if dag.args[1].value.as_int().is_none() {
                    let index = self.integer(&dag.args[1])?;
                    let inst = Inst::ItemAt { list, index, into };
                    return Some((self.compute(&[list, index], into, inst), out));
                }
                let index = self.index_arg(dag, 1)?;
                Some((self.compute(&[list], into, Inst::Item { list, index, into }), out))
            }
            "count" => {
                let (list, _) = self.sole_expr(dag)?;
                let into = self.fresh();
                Some((self.compute(&[list], into, Inst::Count { list, into }), Kind::ATTR))
            }
            "positions" => {
                let (list, _) = self.sole_expr(dag)?;
                let into = self.fresh();
                Some((self.compute(&[list], into, Inst::Positions { list, into }), Kind::ATTR))
            }
            "array" => {
                let items = self.attrs(&dag.args)?;
                let into = self.fresh();
                let inst = Inst::Array { items: Cow::Owned(items.clone()), into };
                Some((self.compute(&items, into, inst), Kind::ATTR))
            }
            "symbol" => {
                if !self.expect_args(dag, 1, usize::MAX) {
                    return None;
                }
                let names = self.attrs(&dag.args)?;
                let into = self.fresh();
                let inst = Inst::Symbol { names: Cow::Owned(names.clone()), into };
                Some((self.compute(&names, into, inst), Kind::ATTR))
            }
            "typeAttr" => {
                if !self.expect_args(dag, 1, 1) {
                    return None;
                }
                let from = self.type_expr(&dag.args[0])?;
                let into = self.fresh();
                Some((self.compute(&[from], into, Inst::TypeAttr { from, into }), Kind::ATTR))
            }
            "compute" => {
                let (hook, args) = self.hook_args(dag)?;
                let into = self.fresh();
                let inst = Inst::Compute { hook, args: Cow::Owned(args.clone()), into };
                Some((self.compute(&args, into, inst), Kind::Any))
            }
            "build" => {
                let (hook, args) = self.hook_args(dag)?;
                if !self.expect_action(dag) {
                    return None;
                }
                let into = self.fresh();
                let inst = Inst::Build { hook, args: Cow::Owned(args), into };
                Some((self.late(into, inst), Kind::Any))
            }
            "original" => {
                if !self.expect_conversion(dag) || !self.expect_args(dag, 1, 1) {
                    return None;
                }
                match &dag.args[0].name {
                    Some(name) => self.name(&name.clone(), &dag.args[0], true),
                    None => {
                        self.error("pattern-expr", "`original` takes a name", dag.span);
                        None
                    }
                }
            }
            "result" => {
                if !self.expect_args(dag, 2, 2) {
                    return None;
                }
                let list = self.op(&dag.args[0])?;
                let index = self.index_arg(dag, 1)?;
                let into = self.fresh();
                Some((self.compute(&[list], into, Inst::Item { list, index, into }), Kind::VALUE))
            }
            _ if record.isa("Op") => {
                if !self.expect_action(dag) {
                    return None;
                }
                self.create(dag, record, wanted.replaces, false)
            }
            _ if record.isa("Function") => self.call(dag, record, wanted),
            "createOrFold" => {
                let inner = match dag.args.as_slice() {
                    [only] => only.value.as_dag().cloned(),
                    _ => None,
                };
                let op = inner.as_ref().and_then(|inner| self.operator(inner));
                let (Some(inner), Some(op)) = (inner, op.filter(|op| op.isa("Op"))) else {
                    self.error("pattern-expr", "`createOrFold` takes an op to make", dag.span);
                    return None;
                };
                if !self.expect_action(dag) {
                    return None;
                }
                self.create(&inner, op, wanted.replaces, true)
            }
            "inline" => {
                if !self.expect_action(dag) {
                    return None;
                }
                self.inline(dag)
            }
            "map" => self.map(dag),
            "reduce" => self.reduce(dag),
            "filter" => self.filter(dag),
            "switch" | "typeswitch" => self.switch(dag, wanted),
            "orElse" => self.or_else(dag, wanted),
            _ if record.isa("TypeDef") || record.isa("AttrDef") => self.make(dag, record),
            name => match self.query(dag, name) {
                Some(result) => result,
                None => {
                    let message = format!("`{name}` is no expression");
                    self.error("pattern-expr", message, arg.span);
                    None
                }
            },
        }
    }

    pub(super) fn sole_expr(&mut self, dag: &Dag) -> Option<(Reg, Kind)> {
        if !self.expect_args(dag, 1, 1) {
            return None;
        }
        self.expr(&dag.args[0])
    }

    fn derived(&mut self, dag: &Dag, how: Derivation) -> Option<(Reg, Kind)> {
        if !self.expect_args(dag, 1, 1) {
            return None;
        }
        let from = self.type_expr(&dag.args[0])?;
        let into = self.fresh();
        Some((self.compute(&[from], into, Inst::Derive { from, how, into }), Kind::Type))
    }

    pub(super) fn text_arg(&mut self, dag: &Dag, index: usize) -> Option<String> {
        let text = dag.args.get(index).and_then(|arg| arg.value.as_str());
        if text.is_none() || dag.args.len() != index + 1 {
            self.error("pattern-expr", "a string is expected", dag.span);
            return None;
        }
        text.map(|text| text.to_string())
    }

    pub(super) fn index_arg(&mut self, dag: &Dag, index: usize) -> Option<u16> {
        let arg = dag.args.get(index)?;
        let number = arg.value.as_int().and_then(|number| u16::try_from(number).ok());
        if number.is_none() {
            self.error("pattern-expr", "a small number is expected", arg.span);
        }
        number
    }

    /// `("hook", args…)`
    pub(super) fn hook_args(&mut self, dag: &Dag) -> Option<(tegula_schema::Str, Vec<Reg>)> {
        let Some(hook) = dag.args.first().and_then(|arg| arg.value.as_str()) else {
            let word = dag.op.as_def().map_or("a hook", |name| &**name);
            let message = format!("`{word}` takes the name of a hook as a string first");
            self.error("pattern-hook", message, dag.span);
            return None;
        };
        let hook = hook.to_string();
        let args = dag.args.iter().skip(1).map(|arg| {
            let wanted = Wanted { number: Some("i64"), ..Wanted::default() };
            Some(self.expr_for(arg, wanted)?.0)
        });
        Some((Cow::Owned(hook), args.collect::<Option<_>>()?))
    }

    /// `(param Def, "name", T)`
    fn param(&mut self, dag: &Dag) -> Option<(Reg, Kind)> {
        if !self.expect_args(dag, 3, 3) {
            return None;
        }
        let def = self.cx.def(&dag.args[0].value).filter(|r| r.isa("TypeDef") || r.isa("AttrDef"));
        let Some(def) = def else {
            self.error(
                "pattern-expr",
                "a type or attribute definition is expected",
                dag.args[0].span,
            );
            return None;
        };
        let name = self.cx.full_name(def)?;
        let names: Vec<String> = def.graph("parameters").map_or_else(Vec::new, |dag| {
            dag.args.iter().filter_map(|arg| arg.name.as_ref().map(|n| n.to_string())).collect()
        });
        let wanted = dag.args[1].value.as_str().map(|text| text.to_string()).unwrap_or_default();
        let Some(index) = names.iter().position(|name| *name == wanted) else {
            let message = format!("`{name}` has no parameter `{wanted}`");
            let diagnostic = Diagnostic::error("pattern-param", message).at(dag.args[1].span);
            self.report(diagnostic.suggest(&wanted, names.iter().map(String::as_str)));
            return None;
        };
        let (from, kind) = self.expr(&dag.args[2])?;
        let fine = matches!(kind, Kind::Attr { .. } | Kind::Type | Kind::Types | Kind::Any);
        self.expect_kind(kind, fine, "a type or an attribute", &dag.args[2])?;
        let index = u16::try_from(index).ok()?;
        let into = self.fresh();
        let inst = Inst::Param { from, name: Cow::Owned(name), index, into };
        Some((self.compute(&[from], into, inst), Kind::Any))
    }

    /// A dialect type or attribute from its parameters.
    fn make(&mut self, dag: &Dag, record: &'a Record) -> Option<(Reg, Kind)> {
        let name = self.cx.full_name(record)?;
        let params = record.graph("parameters").map_or(0, |dag| dag.args.len());
        if !self.expect_args(dag, params, params) {
            return None;
        }
        let mut regs = Vec::new();
        for arg in &dag.args {
            let wanted = Wanted { number: Some("i64"), ..Wanted::default() };
            let (reg, kind) = self.expr_for(arg, wanted)?;
            let fine = matches!(kind, Kind::Attr { .. } | Kind::Type | Kind::Types | Kind::Any);
            self.expect_kind(kind, fine, "a parameter", arg)?;
            regs.push(reg);
        }
        let into = self.fresh();
        let (name, params) = (Cow::Owned(name), Cow::Owned(regs.clone()));
        Some(if record.isa("TypeDef") {
            (self.compute(&regs, into, Inst::MakeType { name, params, into }), Kind::Type)
        } else {
            (self.compute(&regs, into, Inst::MakeAttr { name, params, into }), Kind::ATTR)
        })
    }

    /// An expression that must be a value or values; an op stands for its results.
    pub(super) fn value(&mut self, arg: &DagArg, wanted: Wanted<'_>) -> Option<Reg> {
        self.expect_no_number(arg)?;
        let (reg, kind) = self.expr_for(arg, wanted)?;
        let fine = matches!(kind, Kind::Value(_) | Kind::Op | Kind::Any);
        self.expect_kind(kind, fine, "a value", arg)?;
        Some(reg)
    }

    /// An expression that must be an attribute; a type becomes a type attribute.
    pub(super) fn attr(&mut self, arg: &DagArg, def: Option<&AttrDef>) -> Option<Reg> {
        let wanted = Wanted { attr: def, ..Wanted::default() };
        let (reg, kind) = self.expr_for(arg, wanted)?;
        let fine = matches!(kind, Kind::Attr { .. } | Kind::Type | Kind::Types | Kind::Any);
        self.expect_kind(kind, fine, "an attribute", arg)?;
        Some(reg)
    }

    fn attrs(&mut self, args: &[DagArg]) -> Option<Vec<Reg>> {
        args.iter().map(|arg| self.attr(arg, None)).collect()
    }

    fn expect_conversion(&mut self, dag: &Dag) -> bool {
        let fine = self.kind == PatternKind::Convert && self.in_actions();
        if !fine {
            let word = dag.op.as_def().map_or("this", |name| &**name);
            let message = format!("`{word}` stands only in the actions of a conversion pattern");
            self.error("pattern-place", message, dag.span);
        }
        fine
    }

    /// Whether types can be converted here.
    pub(super) fn expect_converter(&mut self, dag: &Dag) -> bool {
        let fine = matches!(self.kind, PatternKind::Convert | PatternKind::Legal);
        if !fine {
            let word = dag.op.as_def().map_or("this", |name| &**name);
            let message = format!("`{word}` stands only in conversions");
            self.error("pattern-place", message, dag.span);
        }
        fine
    }

    /// `(typeOf $x)` of a value that the match has bound, where it stands for its converted ones.
    fn converted_type(&mut self, dag: &Dag) -> Option<(Reg, Kind)> {
        let [DagArg { name: Some(name), value: Value::Unset, .. }] = dag.args.as_slice() else {
            return None;
        };
        let bind = self.names.get(name)?;
        if !bind.matched || self.kind != PatternKind::Convert || !self.in_actions() {
            return None;
        }
        let Kind::Value(arity) = bind.kind else { return None };
        let (from, into) = (self.fresh(), self.fresh());
        self.compute(&[bind.reg], from, Inst::TypeOf { from: bind.reg, into: from });
        self.compute(&[from], into, Inst::ConvertType { from, into });
        Some((into, if arity == Arity::One { Kind::Type } else { Kind::Types }))
    }

    /// A value as it is before the conversion.
    pub(super) fn original_value(&mut self, arg: &DagArg) -> Option<Reg> {
        match (&arg.name, &arg.value) {
            (Some(name), Value::Unset) => {
                let (reg, kind) = self.name(name, arg, true)?;
                let fine = matches!(kind, Kind::Value(_) | Kind::Op | Kind::Any);
                self.expect_kind(kind, fine, "a value", arg)?;
                Some(reg)
            }
            _ => self.value(arg, Wanted::default()),
        }
    }

    pub(super) fn expect_action(&mut self, dag: &Dag) -> bool {
        let edits = matches!(self.kind, PatternKind::Rewrite | PatternKind::Convert);
        let fine = edits && self.in_actions() && !self.testing;
        if !fine {
            let word = dag.op.as_def().map_or("this", |name| &**name);
            let message = format!("`{word}` makes something, which only actions of rewrites may");
            self.error("pattern-place", message, dag.span);
        }
        fine
    }
}
