//! What the dialect's patterns name: the iteration space of a named op, as attributes.

use tegula_ir::{Body, Registry};
use tegula_rewrite::{Bound, RewriteHooks};

use crate::structure::{Structure, structure};

/// The hooks that the dialect's patterns name.
pub fn rewrites() -> RewriteHooks {
    RewriteHooks::new()
        .constant_op("linalg", "arith.constant")
        .compute("linalg_indexing_maps", |_: &Registry, body: &Body, bound: &[Bound]| {
            Some(Bound::Attr(space(body, bound)?.maps_attr()))
        })
        .compute("linalg_iterator_types", |_: &Registry, body: &Body, bound: &[Bound]| {
            Some(Bound::Attr(space(body, bound)?.iterators_attr()))
        })
}

fn space(body: &Body, bound: &[Bound]) -> Option<Structure> {
    structure(body, bound.first()?.op()?)
}
