//! What the dialect's patterns name: the shape of a tensor, as attributes.

use tegula_ir::{Attr, Body, Registry, Type};
use tegula_rewrite::{Bound, RewriteHooks};

use crate::carried;
use crate::reshape::{
    dims_attr, drop_units_between, dynamic_dims, groups_before, long_dims, reassociation, with_dims,
};

/// The hooks that the dialect's patterns name; constants that its ops fold to are `arith`'s.
pub fn rewrites() -> RewriteHooks {
    RewriteHooks::new()
        .constant_op("tensor", "arith.constant")
        .rewrite("tensor_drop_units_between", drop_units_between)
        .rewrite("tensor_dim_of_carried", carried::dim)
        .compute("tensor_shape", |_: &Registry, _: &Body, bound: &[Bound]| {
            Some(Bound::Attr(Attr::i64_array(tensor(bound)?.shape()?)))
        })
        .compute("tensor_dynamic_dims", |_: &Registry, _: &Body, bound: &[Bound]| {
            Some(Bound::Attr(dynamic_dims(tensor(bound)?.shape()?)))
        })
        .compute("tensor_long_dims", |_: &Registry, _: &Body, bound: &[Bound]| {
            Some(Bound::Attr(dims_attr(&long_dims(tensor(bound)?)?)))
        })
        .compute("tensor_long_groups", |_: &Registry, _: &Body, bound: &[Bound]| {
            let ty = tensor(bound)?;
            Some(Bound::Attr(reassociation(&groups_before(ty.shape()?.len(), &long_dims(ty)?))))
        })
        .compute("tensor_without_units", |_: &Registry, _: &Body, bound: &[Bound]| {
            let ty = tensor(bound)?;
            Some(Bound::Type(with_dims(ty, &long_dims(ty)?)?))
        })
}

fn tensor(bound: &[Bound]) -> Option<Type> {
    bound.first()?.ty()
}
