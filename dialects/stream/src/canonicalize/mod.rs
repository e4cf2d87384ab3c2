//! The Rust that the patterns name, for what they cannot say: bytes of constants, an order, ties, what
//! goes into and comes out of regions, and how far an op may move.

mod fill;
mod layout;
mod pack;
mod places;
mod region;
mod sink;
pub(crate) mod tensors;
mod update;

pub(crate) use places::of_resource;

use tegula_ir::{Body, Registry};
use tegula_rewrite::{Bound, RewriteHooks, ties};

/// The hooks that the dialect's patterns name.
pub(crate) fn rewrites() -> RewriteHooks {
    RewriteHooks::new()
        .constant_op("stream", "arith.constant")
        .compute("stream_narrow_fill", fill::narrow)
        .compute("stream_place_of_op", places::of_op)
        .compute("stream_place_of_tensor", places::of_tensor)
        .compute("stream_enum_keyword", tensors::keyword)
        .compute("stream_function_type", tensors::function_type)
        .compute("stream_size_global", tensors::size_global)
        .predicate("stream_same_layout", layout::same)
        .predicate("stream_unwritten", unwritten)
        .rewrite("stream_pack_order", pack::order)
        .rewrite("stream_region_captures", region::captures)
        .rewrite("stream_region_duplicates", region::duplicates)
        .rewrite("stream_region_ties", region::ties)
        .rewrite("stream_region_without_work", region::without_work)
        .rewrite("stream_sink_to_users", sink::to_users)
        .rewrite("stream_update_in_place", update::in_place)
}

/// Whether no use of a value writes to it: no result shares its storage.
fn unwritten(registry: &Registry, body: &Body, bound: &[Bound]) -> bool {
    let Some(value) = bound.first().and_then(Bound::value) else { return false };
    let shares = |&result: &_| ties(registry, body, result).contains(&value);
    !body.users(value).flat_map(|user| body.results(user)).any(|result| shares(&result))
}
