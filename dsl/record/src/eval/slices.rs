//! Bits of values, elements of lists, and the ranges that name them.

use tegula_diag::Span;
use tegula_syntax::BangOp;
use tegula_syntax::ast::{Expr, Range};

use super::Eval;
use super::expr::Mode;
use super::store::{Init, Node, TyNode, ty};

impl Eval {
    pub(crate) fn bit_slice(&mut self, of: &Expr, ranges: &[Range], mode: Mode) -> Option<Init> {
        let value = self.expr(of, None, mode)?;
        let mut bits = self.bit_list(ranges)?;
        bits.reverse();
        let of_ty = self.ty_of(value);
        let width = match (self.s.node(value), of_ty.map(|ty| self.s.ty_node(ty))) {
            (Node::Int(_), _) => 64,
            (_, Some(TyNode::Bits(width))) => *width,
            (_, Some(TyNode::Bit)) => 1,
            _ => {
                let shown = self.show(value);
                return self.error(
                    of.span,
                    "bit-range",
                    format!("Invalid bit range for value: '{shown}' has no bits"),
                );
            }
        };
        if let Some(bad) = bits.iter().find(|bit| **bit >= width) {
            let here = self.here;
            return self.error(
                here,
                "bit-range",
                format!("Invalid bit range for value: there is no bit {bad} of {width}"),
            );
        }
        let bits: Vec<Init> = bits.into_iter().map(|at| self.bit_of(value, at)).collect();
        Some(self.s.add(Node::Bits(bits.into())))
    }

    /// The bits that ranges list, in the order in which they are written.
    pub(crate) fn bit_list(&mut self, ranges: &[Range]) -> Option<Vec<u32>> {
        let numbers = self.numbers(ranges)?;
        let mut bits = Vec::with_capacity(numbers.len());
        for number in numbers {
            match u32::try_from(number) {
                Ok(bit @ 0..=0xffff) => bits.push(bit),
                _ => {
                    let span = ranges.first().map_or(self.here, |range| range.span);
                    return self.error(span, "bit-range", format!("{number} is no bit number"));
                }
            }
        }
        Some(bits)
    }

    /// The integers that ranges list.
    pub(crate) fn numbers(&mut self, ranges: &[Range]) -> Option<Vec<i64>> {
        let mut numbers = Vec::new();
        for range in ranges {
            let first = self.number(&range.first)?;
            let last = match &range.last {
                Some(last) => self.number(last)?,
                None => first,
            };
            if first.abs_diff(last) > 1 << 20 {
                return self.error(range.span, "range", "this range is too long");
            }
            if first <= last {
                numbers.extend(first..=last);
            } else {
                numbers.extend((last..=first).rev());
            }
        }
        Some(numbers)
    }

    fn number(&mut self, expr: &Expr) -> Option<i64> {
        let value = self.expr(expr, None, Mode::Value)?;
        match *self.s.node(value) {
            Node::Int(number) if number >= 0 => Some(number),
            Node::Int(number) => {
                let message = format!("invalid range, cannot be negative: {number}");
                self.error(expr.span, "range", message)
            }
            _ => {
                let shown = self.show(value);
                self.error(
                    expr.span,
                    "range",
                    format!("expected integer or bitrange, not '{shown}'"),
                )
            }
        }
    }

    pub(crate) fn slice(
        &mut self,
        of: &Expr,
        elements: &[Range],
        comma: bool,
        mode: Mode,
    ) -> Option<Init> {
        let list = self.expr(of, None, mode)?;
        let list_ty = self.ty_of(list);
        let Some(element) = list_ty.and_then(|ty| self.element_ty(ty)) else {
            let shown = self.show(list);
            return self.error(of.span, "operand-type", format!("`{shown}` is no list"));
        };
        if let ([Range { first, last: None, .. }], false) = (elements, comma) {
            let index = self.expr(first, None, Mode::Value)?;
            let index_ty = self.ty_of(index);
            if index_ty.is_some_and(|ty| self.is_list(ty)) {
                return Some(self.fold_slice(list, index, list_ty?));
            }
            self.check_int(index, first.span)?;
            return Some(self.fold_elem(list, index, element));
        }
        let mut indices = self.s.list(Vec::new(), ty::INT);
        let int_list = self.s.list_of(ty::INT);
        for range in elements {
            let first = self.expr(&range.first, None, Mode::Value)?;
            let first_ty = self.ty_of(first);
            let part = if let Some(last) = &range.last {
                let last = self.expr(last, None, Mode::Value)?;
                self.inclusive(first, last)
            } else if first_ty.is_some_and(|ty| self.is_list(ty)) {
                first
            } else {
                self.check_int(first, range.span)?;
                self.s.list(vec![first], ty::INT)
            };
            indices = self.fold(BangOp::ListConcat, &[indices, part], int_list, None, false);
        }
        Some(self.fold_slice(list, indices, list_ty?))
    }

    fn check_int(&mut self, value: Init, span: Span) -> Option<()> {
        match self.ty_of(value) {
            Some(of) if self.is_integral(of) => Some(()),
            _ => {
                let shown = self.show(value);
                self.error(span, "operand-type", format!("`{shown}` is no integer"))
            }
        }
    }

    /// `first...last`, both ends included, up or down.
    fn inclusive(&mut self, first: Init, last: Init) -> Init {
        let list = self.s.list_of(ty::INT);
        self.fold(BangOp::Range, &[first, last], list, None, false)
    }
}
