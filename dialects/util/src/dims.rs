//! Dynamic dimensions, as patterns ask for them.

use tegula_ir::{Attr, Body, DYNAMIC, Registry};
use tegula_rewrite::{Bound, dims_of};

/// The dynamic dimensions of a value, as far as an op may use them.
pub(crate) fn known(registry: &Registry, body: &Body, bound: &[Bound]) -> Option<Bound> {
    let [value, at] = bound else { return None };
    dims_of(registry, body, value.value()?, at.op()?).map(Bound::Values)
}

/// How many dynamic dimensions stand before one that is dynamic.
pub(crate) fn place(_: &Registry, _: &Body, bound: &[Bound]) -> Option<Bound> {
    let [ty, index] = bound else { return None };
    let shape = ty.ty()?.shape()?;
    let index = usize::try_from(index.attr()?.as_int()?).ok()?;
    (*shape.get(index)? == DYNAMIC).then(|| {
        let before = shape[..index].iter().filter(|&&size| size == DYNAMIC).count();
        Bound::Attr(Attr::index(before as i64))
    })
}

/// Whether a shape and another, each a type and the values of its dynamic dimensions, are the same.
/// Where just one dimension is called by two values both must be what the number of elements
/// leaves.
pub(crate) fn same_shape(_: &Registry, _: &Body, bound: &[Bound]) -> bool {
    let [from, from_dims, to, to_dims] = bound else { return false };
    let (Some(from), Some(to)) = (from.ty(), to.ty()) else { return false };
    if from.has_static_shape() && to.has_static_shape() {
        return from == to;
    }
    let differ = from_dims.values().iter().zip(to_dims.values()).filter(|(a, b)| a != b).count();
    from.shape().is_some() && from.shape() == to.shape() && differ <= 1
}
