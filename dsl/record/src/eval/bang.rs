//! Bang operators of the syntax tree as terms, with their operands checked.

use tegula_diag::{Diagnostic, Span};
use tegula_syntax::BangOp;
use tegula_syntax::ast::{BangExpr, Expr, ExprKind};

use super::Eval;
use super::expr::Mode;
use super::store::{Init, Node, Sym, TyId, TyNode, UNSET, ty};

/// What an operand must be.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Want {
    Int,
    Str,
    Dag,
    List,
    Any,
}

/// How many operands an operator takes.
fn arity(op: BangOp) -> (usize, usize) {
    use BangOp::*;
    match op {
        Cast | Empty | Exists | GetDagOp | GetDagOpName | Head | Initialized | IsA
        | ListFlatten | LogTwo | Not | Repr | Size | Tail | ToLower | ToUpper => (1, 1),
        Instances => (0, 1),
        Div | Eq | Ge | GetDagArg | GetDagName | Gt | Interleave | Le | ListRemove | ListSplat
        | Lt | Match | Ne | SetDagOp | SetDagOpName | Shl | Sra | Srl | Sub => (2, 2),
        Add | And | Con | ListConcat | Mul | Or | StrConcat | Xor => (2, usize::MAX),
        Range => (1, 3),
        Find | Substr => (2, 3),
        Dag | Filter | Foreach | If | SetDagArg | SetDagName | Subst => (3, 3),
        Foldl => (5, 5),
        Unknown => (0, usize::MAX),
    }
}

impl Eval {
    /// An operator with its operands.
    pub(crate) fn bang(&mut self, bang: &BangExpr, span: Span, want: Option<TyId>) -> Option<Init> {
        if bang.op == BangOp::Unknown {
            return None;
        }
        let name = bang.op.name();
        let (least, most) = arity(bang.op);
        if bang.args.len() < least || bang.args.len() > most {
            let expected = match most {
                usize::MAX => format!("at least {least}"),
                _ if least == most => least.to_string(),
                _ => format!("{least} to {most}"),
            };
            let plural = if expected == "1" { "" } else { "s" };
            let message =
                format!("`!{name}` takes {expected} operand{plural}, not {}", bang.args.len());
            return self.error(span, "operand-count", message);
        }
        let takes_type = matches!(
            bang.op,
            BangOp::Cast
                | BangOp::IsA
                | BangOp::Exists
                | BangOp::Instances
                | BangOp::GetDagArg
                | BangOp::GetDagOp
        );
        let given = match &bang.ty {
            Some(given) if takes_type => Some(self.type_of(given)?),
            Some(given) => {
                let message = format!("`!{name}` takes no type");
                return self.error(given.span, "operator-type", message);
            }
            None if takes_type && bang.op != BangOp::GetDagOp => {
                self.report(
                    Diagnostic::error("operator-type", format!("`!{name}` needs a type"))
                        .at(bang.op_span)
                        .note(format!("write it as in `!{name}<Class>(…)`")),
                );
                return None;
            }
            None => None,
        };
        match bang.op {
            BangOp::Cast | BangOp::IsA | BangOp::Exists | BangOp::Instances => {
                self.typed_op(bang, given?)
            }
            BangOp::If => self.if_op(bang, span, want),
            BangOp::Foreach | BangOp::Filter => self.loop_op(bang, want),
            BangOp::Foldl => self.foldl(bang, want),
            BangOp::GetDagArg
            | BangOp::GetDagName
            | BangOp::GetDagOp
            | BangOp::GetDagOpName
            | BangOp::SetDagArg
            | BangOp::SetDagName
            | BangOp::SetDagOp
            | BangOp::SetDagOpName
            | BangOp::Dag => self.dag_op(bang, given),
            BangOp::Range => self.range_op(bang),
            BangOp::Subst => {
                let from = self.expr(&bang.args[0], None, Mode::Value)?;
                let to = self.expr(&bang.args[1], None, Mode::Value)?;
                let of = self.expr(&bang.args[2], None, Mode::Value)?;
                let Some(ty) = self.ty_of(of) else {
                    return self.error(span, "operand-type", "`!subst` in `?`");
                };
                self.fold_here(bang.op, &[from, to, of], ty)
            }
            BangOp::Find | BangOp::Substr => {
                let text = self.operand(bang, 0, None, Want::Str)?;
                let second = if bang.op == BangOp::Find { Want::Str } else { Want::Int };
                let second = self.operand(bang, 1, None, second)?;
                let third = match bang.args.get(2) {
                    Some(_) => self.operand(bang, 2, None, Want::Int)?,
                    None if bang.op == BangOp::Find => self.s.int(0),
                    None => self.s.int(i64::MAX),
                };
                let ty = if bang.op == BangOp::Find { ty::INT } else { ty::STR };
                self.fold_here(bang.op, &[text, second, third], ty)
            }
            BangOp::Size | BangOp::Empty | BangOp::Initialized | BangOp::Repr => {
                let value = self.expr(&bang.args[0], None, Mode::Value)?;
                if matches!(bang.op, BangOp::Size | BangOp::Empty) {
                    let of = self.ty_of(value);
                    let fits =
                        of.is_some_and(|of| of == ty::STR || of == ty::DAG || self.is_list(of));
                    if !fits {
                        return self.bad_operand(bang, 0, value, "a string, list or dag");
                    }
                }
                let ty = if bang.op == BangOp::Repr { ty::STR } else { ty::INT };
                self.fold_here(bang.op, &[value], ty)
            }
            _ => self.plain_op(bang, want),
        }
    }

    /// Folds on behalf of the record that is being read.
    fn fold_here(&mut self, op: BangOp, args: &[Init], ty: TyId) -> Option<Init> {
        let cur = self.cur_info();
        Some(self.fold(op, args, ty, cur, false))
    }

    fn bad_operand<T>(
        &mut self,
        bang: &BangExpr,
        index: usize,
        value: Init,
        expected: &str,
    ) -> Option<T> {
        let shown = self.show(value);
        let of = match self.ty_of(value) {
            Some(of) => format!(" of type `{}`", self.show_ty(of)),
            None => String::new(),
        };
        let span = bang.args.get(index).map_or(bang.op_span, |arg| arg.span);
        let message = format!("`!{}` needs {expected}, not `{shown}`{of}", bang.op.name());
        self.error(span, "operand-type", message)
    }

    fn operand(
        &mut self,
        bang: &BangExpr,
        index: usize,
        hint: Option<TyId>,
        want: Want,
    ) -> Option<Init> {
        let value = self.expr(bang.args.get(index)?, hint, Mode::Value)?;
        let of = self.ty_of(value);
        let fits = match (want, of) {
            (Want::Any, _) => true,
            (_, None) => false,
            (Want::Int, Some(of)) => self.is_integral(of),
            (Want::Str, Some(of)) => of == ty::STR,
            (Want::Dag, Some(of)) => of == ty::DAG,
            (Want::List, Some(of)) => self.is_list(of),
        };
        if fits {
            return Some(value);
        }
        let expected = match want {
            Want::Int => "an integer",
            Want::Str => "a string",
            Want::Dag => "a dag",
            Want::List => "a list",
            Want::Any => "a value",
        };
        self.bad_operand(bang, index, value, expected)
    }

    fn typed_op(&mut self, bang: &BangExpr, ty: TyId) -> Option<Init> {
        let value = match bang.args.first() {
            Some(_) => {
                let want = match bang.op {
                    BangOp::Exists | BangOp::Instances => Want::Str,
                    _ => Want::Any,
                };
                self.operand(bang, 0, None, want)?
            }
            None => self.s.str(".*"),
        };
        if matches!(bang.op, BangOp::Exists | BangOp::Instances)
            && !matches!(self.s.ty_node(ty), TyNode::Rec(_))
        {
            let message = format!("`!{}` asks for a class", bang.op.name());
            let span = bang.ty.as_ref().map_or(bang.op_span, |ty| ty.span);
            return self.error(span, "operator-type", message);
        }
        self.fold_here(bang.op, &[value], ty)
    }

    fn if_op(&mut self, bang: &BangExpr, span: Span, want: Option<TyId>) -> Option<Init> {
        let cond = self.expr(&bang.args[0], None, Mode::Value)?;
        let then = self.expr(&bang.args[1], want, Mode::Value)?;
        let other = self.expr(&bang.args[2], want, Mode::Value)?;
        let (then_ty, other_ty) = (self.ty_of(then), self.ty_of(other));
        let common = match (then_ty, other_ty) {
            (Some(then), Some(other)) => self.common_ty(then, other),
            (Some(one), None) | (None, Some(one)) => Some(one),
            (None, None) if want.is_some() => want,
            (None, None) => {
                return self.error(span, "operand-type", "could not get type for !if");
            }
        };
        let Some(common) = common else {
            let (then, other) = (then_ty?, other_ty?);
            let (then, other) = (self.show_ty(then), self.show_ty(other));
            let message = format!("inconsistent types '{then}' and '{other}' for !if");
            return self.error(span, "operand-type", message);
        };
        self.fold_here(BangOp::If, &[cond, then, other], common)
    }

    /// A variable that an operator binds.
    fn bound(&mut self, expr: &Expr) -> Option<Sym> {
        let ExprKind::Ident(name) = &expr.kind else {
            return self.error(expr.span, "bound-name", "expected the name of a variable");
        };
        Some(self.s.sym_of(name))
    }

    fn loop_op(&mut self, bang: &BangExpr, want: Option<TyId>) -> Option<Init> {
        let is_foreach = bang.op == BangOp::Foreach;
        let name = self.bound(&bang.args[0])?;
        let over = self.expr(&bang.args[1], None, Mode::Value)?;
        let over_ty = self.ty_of(over);
        let element = match over_ty.map(|of| self.s.ty_node(of).clone()) {
            Some(TyNode::List(element)) => element,
            Some(TyNode::Dag) if is_foreach => ty::DAG,
            _ => {
                let expected = if is_foreach { "a list or dag" } else { "a list" };
                return self.bad_operand(bang, 1, over, expected);
            }
        };
        let hint = match want.filter(|_| is_foreach).and_then(|want| self.element_ty(want)) {
            Some(hint) => Some(hint),
            None if is_foreach => None,
            None => Some(ty::INT),
        };
        let var = self.s.add(Node::Var(name, element));
        self.push_local(&[(name, var)]);
        let expr = self.expr(&bang.args[2], hint, Mode::Value);
        self.pop_scope();
        let expr = expr?;
        let result = if !is_foreach {
            over_ty?
        } else if over_ty == Some(ty::DAG) {
            ty::DAG
        } else {
            match self.ty_of(expr).or(hint) {
                Some(of) => self.s.list_of(of),
                None => return self.bad_operand(bang, 2, expr, "a value of known type"),
            }
        };
        self.fold_here(bang.op, &[var, over, expr], result)
    }

    fn foldl(&mut self, bang: &BangExpr, want: Option<TyId>) -> Option<Init> {
        let start = self.expr(&bang.args[0], want, Mode::Value)?;
        let Some(ty) = self.ty_of(start) else {
            return self.bad_operand(bang, 0, start, "a start of known type");
        };
        let over = self.operand(bang, 1, None, Want::List)?;
        let element = self.ty_of(over).and_then(|of| self.element_ty(of))?;
        let (a, b) = (self.bound(&bang.args[2])?, self.bound(&bang.args[3])?);
        let a_var = self.s.add(Node::Var(a, ty));
        let b_var = self.s.add(Node::Var(b, element));
        self.push_local(&[(a, a_var), (b, b_var)]);
        let expr = self.expr(&bang.args[4], Some(ty), Mode::Value);
        self.pop_scope();
        let expr = expr?;
        let of = self.ty_of(expr);
        if !of.is_some_and(|of| self.converts(of, ty)) {
            let wanted = format!("a value of the start's type `{}`", self.show_ty(ty));
            return self.bad_operand(bang, 4, expr, &wanted);
        }
        self.fold_here(BangOp::Foldl, &[start, over, a_var, b_var, expr], ty)
    }

    fn dag_op(&mut self, bang: &BangExpr, given: Option<TyId>) -> Option<Init> {
        if bang.op == BangOp::Dag {
            let op = self.expr(&bang.args[0], None, Mode::Value)?;
            let values = self.expr(&bang.args[1], None, Mode::Value)?;
            let strings = self.s.list_of(ty::STR);
            let names = self.expr(&bang.args[2], Some(strings), Mode::Value)?;
            for (index, value) in [(1, values), (2, names)] {
                let of = self.ty_of(value);
                if value != UNSET && !of.is_some_and(|of| self.is_list(of)) {
                    return self.bad_operand(bang, index, value, "a list or `?`");
                }
            }
            return self.fold_here(bang.op, &[op, values, names], ty::DAG);
        }
        let mut args = vec![self.operand(bang, 0, None, Want::Dag)?];
        let ty = match bang.op {
            BangOp::GetDagOp => given.unwrap_or(ty::ANY_RECORD),
            BangOp::GetDagOpName => ty::STR,
            BangOp::SetDagOp | BangOp::SetDagOpName => {
                let want = if bang.op == BangOp::SetDagOp { Want::Any } else { Want::Str };
                args.push(self.operand(bang, 1, None, want)?);
                ty::DAG
            }
            _ => {
                let key = self.expr(&bang.args[1], None, Mode::Value)?;
                let of = self.ty_of(key);
                if !of.is_some_and(|of| of == ty::STR || self.is_integral(of)) {
                    return self.bad_operand(bang, 1, key, "an index or a name");
                }
                args.push(key);
                match bang.op {
                    BangOp::GetDagArg => given?,
                    BangOp::GetDagName => ty::STR,
                    _ => {
                        args.push(self.operand(bang, 2, None, Want::Any)?);
                        ty::DAG
                    }
                }
            }
        };
        self.fold_here(bang.op, &args, ty)
    }

    fn range_op(&mut self, bang: &BangExpr) -> Option<Init> {
        let first = self.expr(&bang.args[0], None, Mode::Value)?;
        let first_ty = self.ty_of(first);
        let zero = self.s.int(0);
        let one = self.s.int(1);
        let list = self.s.list_of(ty::INT);
        let args = if bang.args.len() == 1 && first_ty.is_some_and(|of| self.is_list(of)) {
            let size = self.fold_here(BangOp::Size, &[first], ty::INT)?;
            [zero, size, one]
        } else {
            if !first_ty.is_some_and(|of| self.is_integral(of)) {
                return self.bad_operand(bang, 0, first, "integers or a list");
            }
            let second = match bang.args.get(1) {
                Some(_) => Some(self.operand(bang, 1, None, Want::Int)?),
                None => None,
            };
            let third = match bang.args.get(2) {
                Some(_) => self.operand(bang, 2, None, Want::Int)?,
                None => one,
            };
            match second {
                Some(second) => [first, second, third],
                None => [zero, first, third],
            }
        };
        self.fold_here(BangOp::Range, &args, list)
    }

    fn plain_op(&mut self, bang: &BangExpr, want: Option<TyId>) -> Option<Init> {
        use BangOp::*;
        let mut values = Vec::with_capacity(bang.args.len());
        let mut hint = match bang.op {
            ListConcat | ListRemove | Tail => want.filter(|want| self.is_list(*want)),
            _ => None,
        };
        for index in 0..bang.args.len() {
            let wanted = match (bang.op, index) {
                (Add | And | Div | Mul | Or | Shl | Sra | Srl | Sub | Xor | Not | LogTwo, _)
                | (ListSplat, 1) => Want::Int,
                (StrConcat | ToLower | ToUpper | Match, _) | (Interleave, 1) => Want::Str,
                (Con, _) => Want::Dag,
                (ListConcat | ListRemove | Head | Tail | ListFlatten | Interleave, _) => Want::List,
                _ => Want::Any,
            };
            let value = self.operand(bang, index, hint, wanted)?;
            // What the lists so far have in common holds for those behind them, as for `[]`.
            if matches!(bang.op, ListConcat | ListRemove) {
                let of = self.ty_of(value);
                hint = match (hint, of) {
                    (Some(before), Some(of)) => self.common_ty(before, of),
                    _ => of,
                };
            }
            values.push(value);
        }
        let first = *values.first()?;
        let first_ty = self.ty_of(first);
        let result = match bang.op {
            Eq | Ne | Lt | Le | Gt | Ge => {
                self.check_comparison(bang, &values)?;
                ty::BIT
            }
            StrConcat | ToLower | ToUpper | Interleave => ty::STR,
            Match => ty::BIT,
            Con => ty::DAG,
            Head => self.element_ty(first_ty?)?,
            Tail => first_ty?,
            ListFlatten => {
                let element = self.element_ty(first_ty?)?;
                if self.is_list(element) { element } else { first_ty? }
            }
            ListSplat => match first_ty {
                Some(of) => self.s.list_of(of),
                None => return self.bad_operand(bang, 0, first, "a value of known type"),
            },
            ListConcat | ListRemove => {
                let mut common = first_ty?;
                for (index, value) in values.iter().enumerate().skip(1) {
                    let of = self.ty_of(*value)?;
                    match self.common_ty(common, of) {
                        Some(both) => common = both,
                        None => {
                            let wanted = format!("lists like `{}`", self.show_ty(common));
                            return self.bad_operand(bang, index, *value, &wanted);
                        }
                    }
                }
                common
            }
            _ => ty::INT,
        };
        // Operators on many operands nest to the right.
        let mut value = values.pop()?;
        if values.is_empty() {
            return self.fold_here(bang.op, &[value], result);
        }
        while let Some(left) = values.pop() {
            value = self.fold_here(bang.op, &[left, value], result)?;
        }
        Some(value)
    }

    fn check_comparison(&mut self, bang: &BangExpr, values: &[Init]) -> Option<()> {
        let mut common: Option<TyId> = None;
        for (index, value) in values.iter().enumerate() {
            let of = self.ty_of(*value);
            let fits = of.is_some_and(|of| {
                let is_record = matches!(self.s.ty_node(of), TyNode::Rec(_));
                of == ty::STR
                    || self.is_integral(of)
                    || is_record && matches!(bang.op, BangOp::Eq | BangOp::Ne)
            });
            let expected = match bang.op {
                BangOp::Eq | BangOp::Ne => "an integer, string or record",
                _ => "an integer or string",
            };
            let Some(of) = of.filter(|_| fits) else {
                return self.bad_operand(bang, index, *value, expected);
            };
            common = match common {
                None => Some(of),
                Some(before) => match self.common_ty(before, of) {
                    Some(both) => Some(both),
                    None => {
                        let wanted = format!("values like `{}`", self.show_ty(before));
                        return self.bad_operand(bang, index, *value, &wanted);
                    }
                },
            };
        }
        Some(())
    }
}
