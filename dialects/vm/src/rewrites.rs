//! The Rust that patterns name.

use tegula_dialect_util::{Piece, pieces as pieces_of};
use tegula_ir::{Attr, Body, Registry};
use tegula_rewrite::{Bound, RewriteHooks};

use crate::{blocks, branch_on_value, symbols, text_name};

/// The Rust that patterns name.
pub fn rewrites() -> RewriteHooks {
    RewriteHooks::new()
        .compute("vm_pieces", pieces)
        .compute("vm_text_name", text_name::of_text)
        .predicate("vm_table_fits", branch_on_value::fits)
        .predicate("vm_one_target", blocks::one_target)
        .predicate("vm_import_required", symbols::import_required)
        .predicate("vm_unused_call", symbols::unused_call)
        .rewrite("vm_fail_apart", blocks::fail_apart)
        .rewrite("vm_near", blocks::near)
        .rewrite("vm_begins_with", symbols::begins_with)
        .builder("vm_table", branch_on_value::build)
}

/// The pieces of a format for so many values: the numbers of values, and texts with their lengths.
fn pieces(_: &Registry, _: &Body, bound: &[Bound]) -> Option<Bound> {
    let [format, values] = bound else { return None };
    let values = usize::try_from(values.attr()?.as_int()?).ok()?;
    let pieces = pieces_of(format.attr()?.as_str()?, values).ok()?;
    let pieces = pieces.into_iter().map(|piece| {
        Some(match piece {
            Piece::Text(text) => {
                let length = i64::try_from(text.len()).ok()?;
                Attr::array(&[Attr::string(&text), Attr::i64(length)])
            }
            Piece::Value(number) => Attr::index(i64::try_from(number).ok()?),
        })
    });
    Some(Bound::Attr(Attr::array(&pieces.collect::<Option<Vec<_>>>()?)))
}
