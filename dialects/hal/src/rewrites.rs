//! The Rust that patterns name.

use tegula_ir::{Attr, AttrData, Body, Registry, Type, TypeData, ValueId};
use tegula_rewrite::{Bound, RewriteHooks, constant_of};

use crate::{barriers, constants, to_vm};

/// The attribute that says where everything runs that says nothing itself.
pub(crate) const DEFAULT_AFFINITY: &str = "stream.affinity.default";

/// The Rust that patterns name.
pub fn rewrites() -> RewriteHooks {
    RewriteHooks::new()
        .compute("hal_affinity", affinity)
        .predicate("hal_unseen_before", barriers::unseen_before)
        .rewrite("hal_drop_duplicate_keys", constants::drop_duplicate_keys)
        .rewrite("hal_drop_true_condition", constants::drop_true_condition)
        .rewrite("hal_drop_unused_device", constants::drop_unused_device)
        .rewrite("hal_merge_constant_blocks", constants::merge)
        .rewrite("hal_import_dims", barriers::import_dims)
        .rewrite("hal_queue_barrier_after_work", barriers::after_work)
        .rewrite("hal_queue_barrier_of_own_fence", barriers::of_own_fence)
        .compute("hal_binary", to_vm::binary)
        .compute("hal_collective_number", to_vm::collective_number)
        .compute("hal_command_function", command_function)
        .compute("hal_encoding_of", encoding_of)
        .predicate("hal_known_early", known_early)
        .predicate("hal_packed", packed)
}

/// Where an op runs: what it says, or what is around it, or else the default of what is around it.
fn affinity(_: &Registry, body: &Body, args: &[Bound]) -> Option<Bound> {
    let op = args.first()?.op()?;
    let around = || std::iter::successors(Some(op), |&op| body.parent_op(op));
    let own = around().find_map(|op| {
        let stream = body.name(op).dialect() == "stream";
        let own = stream.then(|| body.attr(op, "affinity")).flatten();
        own.or_else(|| body.attr(op, "stream.affinity"))
    });
    let found = own.or_else(|| around().find_map(|op| body.attr(op, DEFAULT_AFFINITY)));
    Some(found.map_or(Bound::Absent, Bound::Attr))
}

/// The encoding of a tensor type; absent where the tensor has none.
fn encoding_of(_: &Registry, _: &Body, args: &[Bound]) -> Option<Bound> {
    let encoding = args.first()?.attr()?.as_type()?.encoding();
    Some(encoding.map_or(Bound::Absent, Bound::Attr))
}

/// Whether the encoding of a tensor type only packs bits, so that the runtime does not see it.
fn packed(_: &Registry, _: &Body, args: &[Bound]) -> bool {
    let ty = args.first().and_then(Bound::attr).and_then(Attr::as_type);
    ty.and_then(Type::encoding).is_some_and(|encoding| match encoding.data() {
        AttrData::Dialect { name, .. } => name.as_str() == "iree_encoding.packed_storage",
        _ => false,
    })
}

/// Whether a value is a constant or that of a global that never changes.
fn known_early(registry: &Registry, body: &Body, args: &[Bound]) -> bool {
    args.first().and_then(Bound::value).is_some_and(|value| is_known_early(registry, body, value))
}

/// Whether a value is a constant or that of a global that never changes, so that what depends on
/// it can be made when the program starts.
pub(crate) fn is_known_early(registry: &Registry, body: &Body, value: ValueId) -> bool {
    if constant_of(registry, body, value).is_some() {
        return true;
    }
    let Some(def) = body.defining_op(value) else { return false };
    match body.name(def).as_str() {
        // In the middle of a conversion.
        "builtin.unrealized_conversion_cast" => {
            body.operands(def).all(|from| is_known_early(registry, body, from))
        }
        "util.global.load" => body.attr(def, "is_immutable").is_some(),
        _ => registry.op(body.name(def)).is_some_and(|info| info.constant_like),
    }
}

/// The type of a function that commands call: the command buffer, and for each resource a slot and
/// a buffer.
fn command_function(registry: &Registry, _: &Body, args: &[Bound]) -> Option<Bound> {
    let ty = args.first()?.attr()?.as_type()?;
    let TypeData::Function { inputs, results } = ty.data() else { return None };
    let parse = |text| tegula_ir::text::type_from_text(registry, text);
    let (commands, buffer) = (parse("!hal.command_buffer")?, parse("!hal.buffer")?);
    let mut taken = vec![commands];
    for &input in inputs.iter() {
        match input.dialect_params("stream.resource") {
            Some(_) => taken.extend([Type::index(), buffer]),
            None => taken.push(input),
        }
    }
    Some(Bound::Attr(Attr::ty(Type::function(&taken, results))))
}
