//! `iree-affine-expand-index-ops`: what splits and joins indices becomes arithmetic.

use tegula_ir::{Attr, NewOp, OpId, Type, ValueId};
use tegula_rewrite::Rewriter;

use crate::mixed::{Mixed, mixed, mixed_segment, segment};

/// An index is split by division; what is left below zero is brought back into the basis.
pub(crate) fn delinearize(rw: &mut Rewriter<'_>, op: OpId) -> bool {
    let body = &*rw.body;
    let index = body.operand(op, 0);
    let count = body.results(op).len();
    let Some(basis) = mixed(body, op, "static_basis", body.operands(op).skip(1)) else {
        return rw.no_match(op, "its basis has another number of values");
    };
    if count < 2 {
        rw.replace(op, &vec![index; count]);
        return true;
    }
    let mut make = Arith::before(rw, op);
    let strides = make.strides(without_bound(&basis, count), Some("nsw, nuw"));
    let zero = make.number(0);
    let Some((&first, others)) = strides.split_first() else { return false };
    let mut results = vec![make.binary("arith.floordivsi", index, first, None)];
    let mut stride = first;
    for &next in others {
        let rest = make.modulo(index, stride, zero);
        results.push(make.binary("arith.divsi", rest, next, None));
        stride = next;
    }
    results.push(make.modulo(index, stride, zero));
    rw.replace(op, &results);
    true
}

/// Indices are joined by a sum of products.
pub(crate) fn linearize(rw: &mut Rewriter<'_>, op: OpId) -> bool {
    let body = &*rw.body;
    let (indices, basis) = (segment(body, op, 0), mixed_segment(body, op, "static_basis", 1));
    let (Some(indices), Some(basis)) = (indices, basis) else {
        return rw.no_match(op, "its basis has another number of values");
    };
    let disjoint = body.attr(op, "disjoint").is_some();
    let mut make = Arith::before(rw, op);
    let Some((&last, outer)) = indices.split_last() else {
        let zero = make.number(0);
        rw.replace(op, &[zero]);
        return true;
    };
    let basis = without_bound(&basis, indices.len());
    let strides = make.strides(basis, Some(if disjoint { "nsw, nuw" } else { "nsw" }));
    let mut terms: Vec<ValueId> = (outer.iter().zip(strides))
        .map(|(&index, stride)| make.binary("arith.muli", index, stride, Some("nsw")))
        .collect();
    terms.push(last);
    let sum = terms.into_iter().reduce(|a, b| make.binary("arith.addi", a, b, Some("nsw")));
    rw.replace(op, &sum.into_iter().collect::<Vec<_>>());
    true
}

/// A basis without the entry that only bounds the first index.
fn without_bound(basis: &[Mixed], count: usize) -> &[Mixed] {
    if basis.len() == count { basis.get(1..).unwrap_or_default() } else { basis }
}

/// Makes arithmetic before an op.
struct Arith<'a, 'b> {
    rw: &'a mut Rewriter<'b>,
    loc: Attr,
}

impl<'a, 'b> Arith<'a, 'b> {
    fn before(rw: &'a mut Rewriter<'b>, op: OpId) -> Arith<'a, 'b> {
        let loc = rw.body.loc(op);
        Arith { rw, loc }
    }

    fn make(&mut self, new: NewOp) -> ValueId {
        let loc = self.loc;
        self.rw.create_value(new.loc(loc))
    }

    fn number(&mut self, value: i64) -> ValueId {
        let new = NewOp::new("arith.constant").attr("value", Attr::index(value));
        self.make(new.result(Type::index()))
    }

    fn binary(&mut self, name: &str, a: ValueId, b: ValueId, flag: Option<&str>) -> ValueId {
        let flag = flag.map(|flag| Attr::dialect("arith.overflow", &[Attr::string(flag)]));
        let new = NewOp::new(name).operands([a, b]).attr_opt("overflowFlags", flag);
        self.make(new.result(Type::index()))
    }

    /// For each entry of a basis the product of it and those behind it.
    fn strides(&mut self, basis: &[Mixed], flag: Option<&str>) -> Vec<ValueId> {
        let mut strides = Vec::with_capacity(basis.len());
        let (mut values, mut constants) = (None, 1);
        for &entry in basis.iter().rev() {
            match (entry, values) {
                (Mixed::Constant(size), _) => constants *= size,
                (Mixed::Value(size), None) => values = Some(size),
                (Mixed::Value(size), Some(others)) => {
                    values = Some(self.binary("arith.muli", others, size, flag));
                }
            }
            strides.push(match values {
                Some(values) if constants == 1 => values,
                Some(values) => {
                    let constants = self.number(constants);
                    self.binary("arith.muli", values, constants, flag)
                }
                None => self.number(constants),
            });
        }
        strides.reverse();
        strides
    }

    /// The rest of a division that is not negative.
    fn modulo(&mut self, index: ValueId, stride: ValueId, zero: ValueId) -> ValueId {
        let rest = self.binary("arith.remsi", index, stride, None);
        let less = NewOp::new("arith.cmpi").operands([rest, zero]);
        let less = less.attr("predicate", Attr::int(2, Type::int(64))).result(Type::int(1));
        let is_negative = self.make(less);
        let corrected = self.binary("arith.addi", rest, stride, Some("nsw"));
        let select = NewOp::new("arith.select").operands([is_negative, corrected, rest]);
        self.make(select.result(Type::index()))
    }
}
