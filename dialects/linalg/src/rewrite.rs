//! What the dialect's patterns name: the iteration space of an op, as attributes.

use std::ops::Range;

use tegula_dialect_tensor::reshape::reassociation;
use tegula_ir::{Attr, Body, InsertPoint, OpId, Registry, ValueId};
use tegula_rewrite::{Bound, IrMapping, RewriteHooks, Rewriter};

use crate::move_inits::move_inits_to_inputs;
use crate::operands;
use crate::structure::{Structure, structure};
use crate::unit_dims::{Dropped, drop_unit_dims};

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
        .rewrite("linalg_move_inits_to_inputs", move_inits_to_inputs)
        .rewrite("linalg_fold_fills", operands::fold_fills)
        .rewrite("linalg_fold_splats", operands::fold_splats)
        .rewrite("linalg_forget_outputs", operands::forget_outputs)
        .rewrite("linalg_erase_unused", operands::erase_unused)
        .builder("linalg_fill_of", |rewriter, bound| {
            let fill = bound.first().and_then(Bound::op);
            let dest = bound.get(1).and_then(Bound::value);
            match (fill, dest) {
                (Some(fill), Some(dest)) => Bound::Value(fill_of(rewriter, fill, dest)),
                _ => Bound::Absent,
            }
        })
        .compute("linalg_unit_indexing_maps", |registry, body, bound| {
            Some(Bound::Attr(dropped(registry, body, bound)?.structure.maps_attr()))
        })
        .compute("linalg_unit_iterator_types", |registry, body, bound| {
            Some(Bound::Attr(dropped(registry, body, bound)?.structure.iterators_attr()))
        })
        .compute("linalg_unit_reshapes", |registry, body, bound| {
            let group = group(registry, body, bound)?;
            let dropped = dropped(registry, body, bound)?;
            let lists: Vec<Attr> = dropped.merged.get(group)?.iter().map(merged).collect();
            Some(Bound::Attr(Attr::array(&lists)))
        })
        .compute("linalg_unit_types", |registry, body, bound| {
            let group = group(registry, body, bound)?;
            Some(Bound::Types(dropped(registry, body, bound)?.types.get(group)?.to_vec()))
        })
        .compute("linalg_unit_loop", |registry, body, bound| {
            let loops = dropped(registry, body, bound)?.loops;
            let old = usize::try_from(bound.get(1)?.attr()?.as_int()?).ok()?;
            let number = (*loops.get(old)?).map_or(-1, i64::from);
            Some(Bound::Attr(Attr::i64(number)))
        })
}

fn space(body: &Body, bound: &[Bound]) -> Option<Structure> {
    structure(body, bound.first()?.op()?)
}

fn dropped(registry: &Registry, body: &Body, bound: &[Bound]) -> Option<Dropped> {
    drop_unit_dims(registry, body, bound.first()?.op()?)
}

/// A fill of another tensor with the same value.
fn fill_of(rewriter: &mut Rewriter<'_>, fill: OpId, dest: ValueId) -> ValueId {
    let at = rewriter.insertion_point().unwrap_or(InsertPoint::Before(fill));
    let copy = rewriter.clone_op(fill, at, &mut IrMapping::new());
    let last = rewriter.body.num_operands(copy).saturating_sub(1);
    rewriter.set_operand(copy, last, dest);
    let filled = rewriter.body.result(copy, 0);
    rewriter.set_type(filled, rewriter.body.ty(dest));
    filled
}

/// Where the operands of a group stand, which a number names.
fn group(registry: &Registry, body: &Body, bound: &[Bound]) -> Option<Range<usize>> {
    let op = bound.first()?.op()?;
    let inputs = registry.operands_of(body, op, "inputs").len();
    match bound.get(1)?.attr()?.as_int()? {
        0 => Some(0..inputs),
        _ => Some(inputs..body.num_operands(op)),
    }
}

/// Groups of dimensions as an attribute; `unit` for what stays as it is.
fn merged(groups: &Option<Vec<Vec<usize>>>) -> Attr {
    groups.as_ref().map_or(Attr::unit(), |groups| reassociation(groups))
}
