//! The Rust that patterns name.

use tegula_ir::{Attr, Body, Registry};
use tegula_rewrite::{Bound, RewriteHooks};

use crate::branch_on_value;
use crate::calls::sizes_attr;

/// The Rust that patterns name.
pub fn rewrites() -> RewriteHooks {
    RewriteHooks::new()
        .compute("vm_segments", segments)
        .compute("vm_text", text)
        .predicate("vm_table_fits", branch_on_value::fits)
        .builder("vm_table", branch_on_value::build)
}

/// Integers as the attribute `segment_sizes` of a call.
fn segments(_: &Registry, _: &Body, sizes: &[Bound]) -> Option<Bound> {
    let sizes = sizes.iter().map(|size| i16::try_from(size.attr()?.as_int()?).ok());
    Some(Bound::Attr(sizes_attr(&sizes.collect::<Option<Vec<_>>>()?)))
}

/// The name that a reference to a symbol ends in.
fn text(_: &Registry, _: &Body, symbol: &[Bound]) -> Option<Bound> {
    let name = symbol.first()?.attr()?.as_symbol_root()?;
    Some(Bound::Attr(Attr::string(name.as_str())))
}
