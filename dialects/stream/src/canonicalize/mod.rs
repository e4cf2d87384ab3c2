//! The Rust that the patterns name, for what they cannot say: bytes of constants, an order, ties and
//! the captures of regions.

mod fill;
mod pack;
mod region;
mod update;

use tegula_rewrite::RewriteHooks;

/// The hooks that the dialect's patterns name.
pub(crate) fn rewrites() -> RewriteHooks {
    RewriteHooks::new()
        .constant_op("stream", "arith.constant")
        .compute("stream_narrow_fill", fill::narrow)
        .rewrite("stream_pack_order", pack::order)
        .rewrite("stream_region_captures", region::captures)
        .rewrite("stream_region_without_work", region::without_work)
        .rewrite("stream_update_in_place", update::in_place)
}
