//! Values of the syntax tree as terms.

use std::fmt::Write;
use std::sync::Arc;

use tegula_diag::{Diagnostic, Span, nearest};
use tegula_syntax::BangOp;
use tegula_syntax::ast::{ClassRef, DagExpr, Expr, ExprKind, Type, TypeKind};

use super::Eval;
use super::store::{ClassId, DagArgNode, DagNode, Init, Node, TyId, TyNode, UNSET, ty};

/// What an unknown identifier is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// An error.
    Value,
    /// Its own name, as in the names of definitions and behind `#`.
    Name,
}

impl Eval {
    /// Reports an error at a place; evaluates to nothing.
    pub(crate) fn error<T>(
        &mut self,
        span: Span,
        code: &'static str,
        message: impl Into<String>,
    ) -> Option<T> {
        self.report(Diagnostic::error(code, message).at(span));
        None
    }

    /// A type.
    pub(crate) fn type_of(&mut self, node: &Type) -> Option<TyId> {
        Some(match &node.kind {
            TypeKind::Bit => ty::BIT,
            TypeKind::Int => ty::INT,
            TypeKind::String | TypeKind::Code => ty::STR,
            TypeKind::Dag => ty::DAG,
            TypeKind::Bits(width) => self.s.ty(TyNode::Bits(*width)),
            TypeKind::List(element) => {
                let element = self.type_of(element)?;
                self.s.list_of(element)
            }
            TypeKind::Named(name) => {
                let sym = self.s.sym_of(name);
                if let Some(alias) = self.aliases.get(&sym) {
                    return Some(*alias);
                }
                let class = self.class_named(name, node.span)?;
                self.class_ty(class)
            }
        })
    }

    /// The class of a name, or an error that suggests another.
    pub(crate) fn class_named(&mut self, name: &Arc<str>, span: Span) -> Option<ClassId> {
        let sym = self.s.sym_of(name);
        if let Some(class) = self.class_names.get(&sym) {
            return Some(*class);
        }
        if self.failed_names.contains(&sym) {
            return None;
        }
        let mut message = format!("Couldn't find class '{name}'");
        let is_multiclass = self.multis.contains_key(&sym);
        if is_multiclass {
            let _ = write!(message, ". Use 'defm' if you meant to use multiclass '{name}'");
        }
        let mut diagnostic = Diagnostic::error("unknown-class", message).at(span);
        let known = self.class_syms.iter().map(|sym| &**self.s.text(*sym));
        if self.def_names.contains_key(&sym) {
            diagnostic = diagnostic.note("a definition has this name; only classes are types");
        } else if !is_multiclass && let Some(near) = nearest(name, known) {
            let near = near.to_owned();
            diagnostic = diagnostic.fix(span, &near, format!("write `{near}`"));
        }
        self.report(diagnostic);
        None
    }

    /// A value. `want` is the type that the place asks for, which decides the type of `[]`; the
    /// result need not have it.
    pub(crate) fn expr(&mut self, expr: &Expr, want: Option<TyId>, mode: Mode) -> Option<Init> {
        let outer = std::mem::replace(&mut self.here, expr.span);
        let value = self.expr_kind(expr, want, mode);
        self.here = outer;
        value
    }

    fn expr_kind(&mut self, expr: &Expr, want: Option<TyId>, mode: Mode) -> Option<Init> {
        Some(match &expr.kind {
            ExprKind::Int(value) => self.s.int(*value),
            ExprKind::Binary(value, width) => self.int_bits(*value, *width),
            ExprKind::Str(text) => {
                let sym = self.s.sym_of(text);
                self.s.add(Node::Str(sym))
            }
            ExprKind::Code(text) => {
                let sym = self.s.sym_of(text);
                self.s.add(Node::Code(sym))
            }
            // `true` and `false` are integers, as they are to TableGen.
            ExprKind::Bool(value) => self.s.int(i64::from(*value)),
            ExprKind::Unset => UNSET,
            ExprKind::Bits(values) => self.bits(values)?,
            ExprKind::List(values, ty) => self.list(expr.span, values, ty.as_ref(), want)?,
            ExprKind::Dag(dag) => self.dag_expr(expr.span, dag)?,
            ExprKind::Ident(name) => self.ident(name, expr.span, mode)?,
            ExprKind::Instance(class) => self.instance_expr(class)?,
            ExprKind::Bang(bang) => self.bang(bang, expr.span, want)?,
            ExprKind::Cond(clauses) => self.cond(clauses, want)?,
            ExprKind::Field(of, name) => {
                let of_value = self.expr(of, None, mode)?;
                let sym = self.s.sym_of(&name.name);
                let Some(ty) = self.field_ty_of(of_value, sym) else {
                    let of_ty = self.ty_of(of_value);
                    return self.no_field(of_value, of_ty, &name.name, name.span);
                };
                let cur = self.cur_info();
                self.fold_field(of_value, sym, ty, cur)
            }
            ExprKind::BitSlice(of, ranges) => self.bit_slice(of, ranges, mode)?,
            ExprKind::Slice(of, elements, comma) => self.slice(of, elements, *comma, mode)?,
            ExprKind::Paste(left, right) => self.paste(left, right.as_deref(), want, mode)?,
        })
    }

    fn no_field(&mut self, of: Init, of_ty: Option<TyId>, name: &str, span: Span) -> Option<Init> {
        let shown = self.show(of);
        let mut diagnostic = Diagnostic::error(
            "unknown-field",
            format!("Cannot access field '{name}' of value '{shown}'"),
        )
        .at(span);
        if let Some(TyNode::Rec(classes)) = of_ty.map(|of_ty| self.s.ty_node(of_ty)) {
            if classes.iter().any(|class| self.class(*class).broken) {
                return None;
            }
            let mut fields = Vec::new();
            for class in classes.iter() {
                fields.extend(self.class(*class).vals.iter().map(|val| &**self.s.text(val.name)));
            }
            if let Some(near) = nearest(name, fields) {
                diagnostic = diagnostic.fix(span, near, format!("write `{near}`"));
            }
        } else if let Some(of_ty) = of_ty {
            diagnostic = diagnostic.note(format!("it is of type `{}`", self.show_ty(of_ty)));
        }
        self.report(diagnostic);
        None
    }

    fn ident(&mut self, name: &Arc<str>, span: Span, mode: Mode) -> Option<Init> {
        let sym = self.s.sym_of(name);
        if let Some(value) = self.lookup_var(sym) {
            return Some(value);
        }
        if mode == Mode::Name {
            return Some(self.s.add(Node::Str(sym)));
        }
        if let Some(value) = self.global(sym) {
            return Some(value);
        }
        let own = self.s.add(Node::Str(sym));
        if let Some(cur) = &self.cur
            && cur.class.is_none()
            && self.multi.is_none()
            && cur.name == own
        {
            // The record itself: looked up once it exists.
            let cur = cur.clone();
            let ty = self.rec_ty(&cur);
            return Some(self.s.op(BangOp::Cast, &[own], ty));
        }
        if self.failed_names.contains(&sym) {
            return None;
        }
        let mut diagnostic =
            Diagnostic::error("unknown-name", format!("Variable not defined: '{name}'")).at(span);
        if let Some(near) = self.nearest_name(name) {
            diagnostic = diagnostic.fix(span, &near, format!("write `{near}`"));
        } else if self.class_names.contains_key(&sym) {
            diagnostic = diagnostic
                .note("a class has this name; write `<…>` behind it to make a record of it");
        }
        self.report(diagnostic);
        None
    }

    fn bits(&mut self, values: &[Expr]) -> Option<Init> {
        let mut bits = Vec::new();
        for expr in values {
            let value = self.expr(expr, None, Mode::Value)?;
            let is_var = matches!(self.s.node(value), Node::Var(..));
            let width = match self.s.node(value) {
                Node::Bits(bits) => Some(bits.len() as u32),
                _ => match self.ty_of(value).map(|ty| self.s.ty_node(ty)) {
                    Some(TyNode::Bits(width)) if is_var => Some(*width),
                    _ => None,
                },
            };
            if let Some(width) = width {
                for at in (0..width).rev() {
                    bits.push(self.bit_of(value, at));
                }
                continue;
            }
            let Some(bit) = self.cast_to(value, ty::BIT) else {
                let shown = self.show(value);
                return self.error(expr.span, "bit-value", format!("`{shown}` is no bit"));
            };
            bits.push(bit);
        }
        bits.reverse();
        Some(self.s.add(Node::Bits(bits.into())))
    }

    fn list(
        &mut self,
        span: Span,
        values: &[Expr],
        given: Option<&Type>,
        want: Option<TyId>,
    ) -> Option<Init> {
        let mut want_element = None;
        if let Some(want) = want {
            want_element = self.element_ty(want);
            if want_element.is_none() {
                let wanted = self.show_ty(want);
                return self.error(
                    span,
                    "value-type",
                    format!("a list stands where a `{wanted}` is expected"),
                );
            }
        }
        let mut items = Vec::with_capacity(values.len());
        let mut common: Option<TyId> = None;
        let mut failed = false;
        for expr in values {
            let Some(value) = self.expr(expr, want_element, Mode::Value) else {
                failed = true;
                continue;
            };
            items.push(value);
            let Some(of) = self.ty_of(value) else { continue };
            common = match common {
                None => Some(of),
                Some(before) => match self.common_ty(before, of) {
                    Some(common) => Some(common),
                    None => {
                        let (of, before) = (self.show_ty(of), self.show_ty(before));
                        let message = format!("an element of type `{of}` in a list of `{before}`");
                        return self.error(expr.span, "list-type", message);
                    }
                },
            };
        }
        if failed {
            return None;
        }
        if let Some(given) = given {
            let given_ty = self.type_of(given)?;
            if let Some(common) = common
                && !self.converts(common, given_ty)
            {
                let (common, wanted) = (self.show_ty(common), self.show_ty(given_ty));
                let message = format!("elements of type `{common}` in a list of `{wanted}`");
                return self.error(given.span, "list-type", message);
            }
            common = Some(given_ty);
        }
        let element = match (common, want_element) {
            (Some(common), Some(want)) if !self.converts(common, want) => {
                let (common, wanted) = (self.show_ty(common), self.show_ty(want));
                let message = format!("elements of type `{common}` in a list of `{wanted}`");
                return self.error(span, "list-type", message);
            }
            (Some(common), _) => common,
            (None, Some(want)) => want,
            (None, None) => {
                self.report(
                    Diagnostic::error("list-type", "the type of this list is not known")
                        .at(span)
                        .fix(span.end_point(), "<int>", "name the type, as in `[]<int>`"),
                );
                return None;
            }
        };
        Some(self.s.list(items, element))
    }

    fn dag_expr(&mut self, span: Span, dag: &DagExpr) -> Option<Init> {
        let op = match &dag.op.value {
            Some(op) => self.expr(op, None, Mode::Value)?,
            None => {
                return self.error(dag.op.span, "dag-operator", "a dag begins with an operator");
            }
        };
        let mut args = Vec::with_capacity(dag.args.len());
        let mut failed = false;
        for arg in &dag.args {
            let value = match &arg.value {
                Some(value) => self.expr(value, None, Mode::Value),
                None => Some(UNSET),
            };
            let name = arg.name.as_ref().map(|name| self.s.sym_of(&name.name));
            match value {
                Some(value) => args.push(DagArgNode { value, name, span: Some(arg.span) }),
                None => failed = true,
            }
        }
        if failed {
            return None;
        }
        let op_name = dag.op.name.as_ref().map(|name| self.s.sym_of(&name.name));
        Some(self.s.add(Node::Dag(Arc::new(DagNode { op, op_name, args, span: Some(span) }))))
    }

    fn instance_expr(&mut self, class: &ClassRef) -> Option<Init> {
        let id = self.class_named(&class.name.name, class.name.span)?;
        let args = self.class_args(id, class)?;
        self.check_args(id, &args, class.name.span)?;
        if args.iter().any(|(_, arg)| self.has_unresolved(*arg)) {
            return Some(self.instance(id, args, class.name.span));
        }
        Some(self.instantiate(id, args, class.name.span))
    }

    fn cond(&mut self, clauses: &[(Expr, Expr)], want: Option<TyId>) -> Option<Init> {
        let mut out = Vec::with_capacity(clauses.len());
        let mut common: Option<TyId> = None;
        for (cond, value_expr) in clauses {
            let cond = self.expr(cond, None, Mode::Value)?;
            let value = self.expr(value_expr, want, Mode::Value)?;
            out.push((cond, value));
            let Some(of) = self.ty_of(value) else { continue };
            common = match common {
                None => Some(of),
                Some(before) => match self.common_ty(before, of) {
                    Some(common) => Some(common),
                    None => {
                        let (of, before) = (self.show_ty(of), self.show_ty(before));
                        let message = format!("inconsistent types '{before}' and '{of}' for !cond");
                        return self.error(value_expr.span, "operand-type", message);
                    }
                },
            };
        }
        let Some(common) = common.or(want) else {
            let here = self.here;
            return self.error(
                here,
                "operand-type",
                "could not determine type for !cond from its arguments",
            );
        };
        let cur = self.cur_info();
        Some(self.fold_cond(out, common, cur))
    }

    fn paste(
        &mut self,
        left: &Expr,
        right: Option<&Expr>,
        want: Option<TyId>,
        mode: Mode,
    ) -> Option<Init> {
        let left_value = self.expr(left, want.filter(|want| self.is_list(*want)), mode)?;
        let left_ty = self.ty_of(left_value);
        if let Some(list) = left_ty.filter(|ty| self.is_list(*ty)) {
            let Some(right) = right else { return Some(left_value) };
            let value = self.expr(right, want.or(Some(list)), Mode::Value)?;
            let Some(of) = self.ty_of(value) else {
                return self.error(right.span, "operand-type", "`?` can't be appended to a list");
            };
            if self.common_ty(list, of).is_none() || !self.is_list(of) {
                let (list, of) = (self.show_ty(list), self.show_ty(of));
                let message = format!("`{of}` can't be appended to `{list}`");
                return self.error(right.span, "operand-type", message);
            }
            let cur = self.cur_info();
            return Some(self.fold(BangOp::ListConcat, &[left_value, value], list, cur, false));
        }
        let left_value = self.as_string(left_value, left.span)?;
        let right_value = match right {
            Some(right) => {
                let value = self.expr(right, None, Mode::Name)?;
                self.as_string(value, right.span)?
            }
            None => self.s.str(""),
        };
        let cur = self.cur_info();
        Some(self.fold(BangOp::StrConcat, &[left_value, right_value], ty::STR, cur, false))
    }

    fn as_string(&mut self, value: Init, span: Span) -> Option<Init> {
        match self.ty_of(value) {
            Some(ty::STR) => Some(value),
            Some(_) => {
                let cur = self.cur_info();
                Some(self.fold(BangOp::Cast, &[value], ty::STR, cur, false))
            }
            None => self.error(span, "operand-type", "`?` can't be pasted"),
        }
    }
}
