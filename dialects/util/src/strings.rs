//! Texts that are known, wholly or in part.

use tegula_ir::{Attr, Body, InsertPoint, NewOp, OpId, Registry, Type, ValueId};
use tegula_rewrite::{Bound, Rewriter};

use crate::constants::constant_index;
use crate::template::{Piece, pieces};

/// A constant integer in decimal.
pub(crate) fn decimal(_: &Registry, _: &Body, bound: &[Bound]) -> Option<Bound> {
    let value = bound.first()?.attr()?.as_int()?;
    Some(Bound::Attr(Attr::string(&value.to_string())))
}

/// The text that stands for a value, when that is known.
fn text_of(body: &Body, value: ValueId) -> Option<String> {
    if let Some(number) = constant_index(body, value) {
        return Some(number.to_string());
    }
    let op = body.defining_op(value).filter(|&op| body.is(op, "util.buffer.constant"))?;
    Some(body.attr(op, "value")?.as_str()?.to_owned())
}

/// Puts known values into the text of a format, and numbers the others in the order in which they
/// stand there.
pub(crate) fn format(rw: &mut Rewriter<'_>, op: OpId) -> bool {
    let format = rw.body.attr(op, "format").and_then(Attr::as_str).unwrap_or_default();
    let args: Vec<ValueId> = rw.body.operands(op).collect();
    let Ok(pieces) = pieces(format, args.len()) else {
        return rw.no_match(op, "its format does not fit its values");
    };
    let (mut known, mut text, mut left) = (String::new(), String::new(), Vec::new());
    for piece in pieces {
        let part = match piece {
            Piece::Text(part) => Some(part),
            Piece::Value(index) => {
                let Some(&value) = args.get(index) else { continue };
                let part = text_of(rw.body, value);
                if part.is_none() {
                    text.push_str("{}");
                    left.push(value);
                }
                part
            }
        };
        if let Some(part) = part {
            text.push_str(&part.replace('{', "{{").replace('}', "}}"));
            known.push_str(&part);
        }
    }
    let buffer = Type::dialect("util.buffer", &[]);
    let value = match left[..] {
        [] => {
            let new = NewOp::new("util.buffer.constant")
                .attr("value", Attr::string(&known))
                .result(buffer);
            rw.insert_value(InsertPoint::Before(op), new)
        }
        [value] if text == "{}" && rw.body.ty(value) == buffer => value,
        [value] if text == "{}" => {
            let new = NewOp::new("util.string.itoa").operand(value).result(buffer);
            rw.insert_value(InsertPoint::Before(op), new)
        }
        _ if text == format && left == args => {
            return rw.no_match(op, "nothing of it is known");
        }
        _ => {
            let new = NewOp::new("util.string.format")
                .attr("format", Attr::string(&text))
                .operands(left)
                .result(buffer);
            rw.insert_value(InsertPoint::Before(op), new)
        }
    };
    rw.replace(op, &[value]);
    true
}
