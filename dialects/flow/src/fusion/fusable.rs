//! Which two ops can be fused.

use tegula_ir::{AffineMap, Body, OpId, UseId, ValueId};

use super::FusionOptions;
use super::group::Groups;
use crate::computations::is_convolution;
use crate::kinds::{is_cloned, narrows, widens};
use crate::nest::Nest;
use crate::structured::{Structured, is_structured};

/// Whether dispatches are formed around the op.
pub fn is_root(body: &Body, op: OpId) -> bool {
    if widens(body, op) {
        return false;
    }
    match body.name(op).as_str() {
        "linalg.generic" => Structured::read(body, op)
            .is_some_and(|s| !s.is_parallel() && !reads_unpacked(body, op, &s)),
        "linalg.fill" | "linalg.pack" => false,
        "linalg.unpack" => true,
        _ => is_structured(body, op) && Structured::read(body, op).is_some(),
    }
}

/// Whether an input is an unpacked tensor whose packed dimensions are not summed over.
fn reads_unpacked(body: &Body, op: OpId, structured: &Structured) -> bool {
    body.operands(op).zip(&structured.maps).any(|(value, &map)| {
        let unpack = body.defining_op(value);
        unpack.is_some_and(|unpack| keeps_packed_loops(body, structured, map, unpack))
    })
}

/// Whether what is unpacked along is not what is summed over.
fn keeps_packed_loops(body: &Body, user: &Structured, map: AffineMap, unpack: OpId) -> bool {
    let packed = body.attr(unpack, "inner_dims_pos").and_then(|dims| dims.as_dense_array());
    let Some(packed) = packed.filter(|_| body.is(unpack, "linalg.unpack")) else { return false };
    map.results().iter().enumerate().all(|(dim, expr)| match expr.as_dim() {
        Some(looped) => {
            let is_packed = i64::try_from(dim).is_ok_and(|dim| packed.contains(&dim));
            user.parallel.get(looped as usize) == Some(&true) || !is_packed
        }
        None => false,
    })
}

fn packs(body: &Body, op: OpId) -> bool {
    matches!(body.name(op).as_str(), "iree_encoding.set_encoding" | "linalg.pack")
}

fn unpacks(body: &Body, op: OpId) -> bool {
    matches!(body.name(op).as_str(), "iree_encoding.unset_encoding" | "linalg.unpack")
}

/// Whether a structured op writes its result in the order of its loops.
fn writes_in_order(body: &Body, op: OpId, result: ValueId) -> bool {
    Structured::read(body, op).is_some()
        && Nest::of(body, op)
            .and_then(|nest| nest.result_map(body, result))
            .is_some_and(AffineMap::is_identity)
}

/// Whether every element is computed from the elements at the same place.
fn is_elementwise(structured: &Structured) -> bool {
    let outs = &structured.maps[structured.inputs.len()..];
    structured.is_parallel()
        && structured.maps.iter().all(|map| map.is_projected_permutation())
        && outs.iter().all(|map| map.is_permutation())
}

/// Whether the op that uses a value in this place can join the group of the op that makes it.
pub fn joins_as_consumer(
    body: &Body,
    slot: UseId,
    groups: &Groups,
    options: FusionOptions,
) -> bool {
    let (value, consumer) = (body.use_value(slot), body.use_owner(slot));
    let Some(producer) = body.defining_op(value) else { return false };
    if is_cloned(body, consumer) {
        return false;
    }
    if unpacks(body, producer) {
        let Some(structured) = Structured::read(body, consumer) else { return false };
        let map = structured.maps.get(body.use_index(slot));
        if map.is_some_and(|&map| keeps_packed_loops(body, &structured, map, producer)) {
            return true;
        }
        let rank = body.ty(value).shape().map_or(0, <[i64]>::len);
        return is_elementwise(&structured) && structured.parallel.len() == rank;
    }
    if packs(body, consumer) {
        return body.is(producer, "tensor.pad") || writes_in_order(body, producer, value);
    }
    match body.name(consumer).as_str() {
        "tensor.pad" => {
            return options.pad_with_producers && Structured::read(body, producer).is_some();
        }
        "tensor.insert_slice" => {
            let source = body.use_index(slot) == 0 && body.has_one_use(value);
            let dest = body.operands(consumer).nth(1).and_then(|dest| body.defining_op(dest));
            return source && dest.is_some_and(|dest| body.is(dest, "linalg.fill"));
        }
        _ => {}
    }
    if matches!(body.name(producer).as_str(), "linalg.mmt4d" | "linalg.batch_mmt4d") {
        return false;
    }
    let (Some(made), Some(used)) = (Nest::of(body, producer), Nest::of(body, consumer)) else {
        return false;
    };
    let Some(group) = groups.of(producer).filter(|_| used.is_parallel()) else { return false };
    if !group.fits(body, consumer) || group.is_full(body, consumer) {
        return false;
    }
    if !options.aggressive && made.parallel.len() < used.parallel.len() {
        return false;
    }
    // A small sum is not repeated over a much larger nest.
    let root = Nest::of(body, group.root);
    if root.is_some_and(|root| used.long_loops() > root.long_loops()) {
        return false;
    }
    options.aggressive || reuses_memory(body, producer, consumer)
}

/// Whether what a convolution makes can lie where the result of the op that uses it will: only then
/// the dispatch needs no memory of its own.
fn reuses_memory(body: &Body, producer: OpId, consumer: OpId) -> bool {
    if !is_convolution(body, producer) {
        return true;
    }
    let Some(structured) = Structured::read(body, consumer) else { return true };
    let block = body.region_entry(consumer, 0);
    let args = block.map_or(&[][..], |block| body.block_args(block));
    let count = structured.inputs.len();
    let in_place = |input: usize, init: usize| {
        let reads = args.get(count + init).is_none_or(|&arg| !body.is_unused(arg));
        body.is(consumer, "linalg.generic")
            && structured.is_parallel()
            && !reads
            && structured.maps[input] == structured.maps[count + init]
            && body.ty(structured.inputs[input]) == body.ty(structured.inits[init])
    };
    let from_producer = |&at: &usize| body.defining_op(structured.inputs[at]) == Some(producer);
    (0..count)
        .filter(from_producer)
        .all(|input| (0..structured.inits.len()).any(|init| in_place(input, init)))
}

/// Whether the op that makes a value can join the group of the op that uses it in this place.
pub fn joins_as_producer(
    body: &Body,
    slot: UseId,
    groups: &Groups,
    options: FusionOptions,
    with_narrowing: bool,
) -> bool {
    let (value, consumer) = (body.use_value(slot), body.use_owner(slot));
    let Some(producer) = body.defining_op(value) else { return false };
    if !with_narrowing && narrows(body, producer) {
        return false;
    }
    if body.is(consumer, "tensor.pad") {
        return options.pad_with_producers && Structured::read(body, producer).is_some();
    }
    let is_pad = body.is(producer, "tensor.pad");
    if options.pad_with_consumers && is_pad && is_convolution(body, consumer) {
        return true;
    }
    if packs(body, consumer) {
        let tiles = body.attr(consumer, "static_inner_tiles").and_then(|t| t.as_dense_array());
        let static_tiles = tiles.is_none_or(|tiles| !tiles.contains(&tegula_ir::DYNAMIC));
        return is_pad || (static_tiles && writes_in_order(body, producer, value));
    }
    if Nest::of(body, consumer).is_none() || Nest::of(body, producer).is_none() {
        return false;
    }
    let is_input =
        Structured::read(body, consumer).is_some_and(|s| body.use_index(slot) < s.inputs.len());
    if !options.aggressive && is_input {
        return false;
    }
    groups
        .of(consumer)
        .is_some_and(|group| group.fits(body, producer) && !group.is_full(body, producer))
}
