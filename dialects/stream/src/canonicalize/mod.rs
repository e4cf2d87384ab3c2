//! The Rust that the patterns name, for what they cannot say: bytes of constants, an order, ties, what
//! goes into and comes out of regions, and how far an op may move.

mod fill;
mod layout;
mod pack;
mod region;
mod sink;
mod update;

use tegula_rewrite::RewriteHooks;

/// The hooks that the dialect's patterns name.
pub(crate) fn rewrites() -> RewriteHooks {
    RewriteHooks::new()
        .constant_op("stream", "arith.constant")
        .compute("stream_narrow_fill", fill::narrow)
        .predicate("stream_same_layout", layout::same)
        .rewrite("stream_pack_order", pack::order)
        .rewrite("stream_region_captures", region::captures)
        .rewrite("stream_region_duplicates", region::duplicates)
        .rewrite("stream_region_ties", region::ties)
        .rewrite("stream_region_without_work", region::without_work)
        .rewrite("stream_sink_to_users", sink::to_users)
        .rewrite("stream_update_in_place", update::in_place)
}
