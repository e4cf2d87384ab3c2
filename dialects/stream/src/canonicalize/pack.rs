//! The order of packed slices.

use tegula_ir::{Attr, InsertPoint, OpId, Type};
use tegula_rewrite::Rewriter;

/// Slices stand in the order of their lifetimes: those that begin first, then those that end first.
pub(super) fn order(rw: &mut Rewriter<'_>, op: OpId) -> bool {
    let registry = rw.registry;
    let intervals = rw.body.attr(op, "lifetime_intervals").and_then(Attr::as_array).unwrap_or(&[]);
    let sizes = registry.operands_of(rw.body, op, "dynamic_slice_sizes");
    let places = registry.results_of(rw.body, op, "packed_offsets");
    let key = |index: usize| {
        let bound = |at: usize| intervals.get(at).and_then(|b| b.as_int()).unwrap_or_default();
        (bound(2 * index), bound(2 * index + 1))
    };
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    order.sort_by_key(|&index| key(index));
    if order.is_sorted() || places.len() != sizes.len() {
        return rw.no_match(op, "its slices are in order");
    }
    let sorted: Vec<Attr> =
        order.iter().flat_map(|&index| [key(index).0, key(index).1]).map(Attr::index).collect();
    let new = registry
        .new_op("stream.resource.pack")
        .operands("offset", registry.operand_of(rw.body, op, "offset"))
        .operands("dynamic_slice_sizes", order.iter().map(|&index| sizes[index]))
        .results("total_length", [Type::index()])
        .results("packed_offsets", vec![Type::index(); order.len()])
        .attr("lifetime_intervals", Attr::array(&sorted))
        .attr_opt("affinity", rw.body.attr(op, "affinity"))
        .build();
    let new = rw.insert(InsertPoint::Before(op), new);
    let mut values: Vec<_> = rw.body.results(new).collect();
    let new_places = registry.results_of(rw.body, new, "packed_offsets");
    for (&old, &place) in order.iter().zip(&new_places) {
        if let Some(value) = values.get_mut(old + 1) {
            *value = place;
        }
    }
    rw.replace(op, &values);
    true
}
