//! Assignments to fields.

use tegula_diag::{Diagnostic, Span, nearest};
use tegula_syntax::BangOp;
use tegula_syntax::ast;

use super::record::{Rec, Val, ValKind};
use super::store::{Init, Node, Sym, TyId, TyNode, UNSET};
use super::{Eval, LetValue};

impl Eval {
    pub(crate) fn unknown_field(&mut self, name: Sym, span: Span) -> Option<()> {
        let cur = self.cur.as_ref()?;
        if cur.broken {
            return None;
        }
        let fields = cur.vals.iter().filter(|val| val.kind != ValKind::Param);
        let fields = fields.map(|val| &**self.s.text(val.name));
        let text = self.s.text(name);
        let mut diagnostic =
            Diagnostic::error("unknown-field", format!("Value '{text}' unknown!")).at(span);
        if let Some(near) = nearest(text, fields) {
            diagnostic = diagnostic.fix(span, near, format!("write `{near}`"));
        } else {
            diagnostic = diagnostic.note("a new field is declared with its type: `int x = 1;`");
        }
        self.report(diagnostic);
        None
    }

    /// Assigns to a field or to some of its bits.
    pub(crate) fn assign(&mut self, rec: &mut Rec, item: &LetValue) -> Option<()> {
        let name = item.name;
        let Some(index) = rec.find(name) else {
            let outer = self.cur.replace(rec.clone());
            let result = self.unknown_field(name, item.name_span);
            self.cur = outer;
            return result;
        };
        let val = rec.vals[index];
        let mut value = item.value;
        if item.mode != ast::LetMode::Set {
            value = self.appended(val, item)?;
        }
        if !item.bits.is_empty() {
            value = self.with_bits(val, item)?;
        } else if self.var_name(value) == Some(name) {
            let message = "Recursion / self-assignment forbidden";
            return self.error(item.span, "self-reference", message);
        }
        let Some(value) = self.field_value(val.ty, value) else {
            let message = self.incompatible(name, val.ty, value);
            self.report(
                Diagnostic::error("field-type", message).at(item.span).label(val.decl, "the field"),
            );
            return None;
        };
        rec.vals[index].value = value;
        rec.vals[index].span = item.span;
        Some(())
    }

    /// Says that a field can't hold a value.
    pub(crate) fn incompatible(&mut self, field: Sym, ty: TyId, value: Init) -> String {
        let value_ty = self.ty_of(value);
        let found = match (self.s.node(value), value_ty) {
            (Node::Bits(bits), _) => {
                format!(" of type bit initializer with length {}", bits.len())
            }
            (_, Some(of)) => format!(" of type '{}'", self.show_ty(of)),
            (_, None) => String::new(),
        };
        let (name, wanted) = (self.s.text(field), self.show_ty(ty));
        let shown = self.show(value);
        format!("Field '{name}' of type '{wanted}' is incompatible with value '{shown}'{found}")
    }

    fn appended(&mut self, val: Val, item: &LetValue) -> Option<Init> {
        if val.value == UNSET {
            return Some(item.value);
        }
        let op = match self.s.ty_node(val.ty) {
            TyNode::List(_) => BangOp::ListConcat,
            TyNode::Str => BangOp::StrConcat,
            TyNode::Dag => BangOp::Con,
            _ => {
                let wanted = self.show_ty(val.ty);
                let message = format!("nothing can be appended to a `{wanted}`");
                return self.error(item.name_span, "field-type", message);
            }
        };
        let pair = match item.mode {
            ast::LetMode::Prepend => [item.value, val.value],
            _ => [val.value, item.value],
        };
        Some(self.fold(op, &pair, val.ty, None, false))
    }

    fn with_bits(&mut self, val: Val, item: &LetValue) -> Option<Init> {
        let text = self.s.text(val.name).clone();
        let Node::Bits(bits) = self.s.node(val.value).clone() else {
            let message = format!("Value '{text}' is not a bits type");
            return self.error(item.name_span, "bit-range", message);
        };
        let width = item.bits.len() as u32;
        let of = self.s.ty(TyNode::Bits(width));
        let Some(value) = self.cast_to(item.value, of) else {
            return self.error(
                item.span,
                "bit-range",
                "Initializer is not compatible with bit range",
            );
        };
        let mut new: Vec<Init> = bits.to_vec();
        let mut seen = Vec::new();
        // The highest bit is written first.
        for (at, bit) in item.bits.iter().rev().zip(0..) {
            if seen.contains(at) {
                let message = format!("Cannot set bit #{at} of value '{text}' more than once");
                return self.error(item.span, "bit-range", message);
            }
            seen.push(*at);
            let bit = self.bit_of(value, bit);
            let Some(slot) = new.get_mut(*at as usize) else {
                let message = format!("`{text}` has no bit {at}");
                return self.error(item.span, "bit-range", message);
            };
            *slot = bit;
        }
        Some(self.s.add(Node::Bits(new.into())))
    }
}
