//! Where ops run and where tensors lie, while tensors become resources.
//!
//! What comes before has been converted and says where it lies. What a caller passes may lie
//! anywhere.

use tegula_ir::{Attr, Body, OpId, Registry, TypeData, ValueId, ValueKind};
use tegula_rewrite::Bound;

const CAST: &str = "builtin.unrealized_conversion_cast";

/// What is known of a place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Nothing asks for one.
    Any,
    /// It is this one.
    At(Attr),
    /// There is one, or are several, that are not known.
    Unknown,
}

impl Place {
    fn join(self, other: Place) -> Place {
        match (self, other) {
            (Place::Any, place) | (place, Place::Any) => place,
            (one, two) if one == two => one,
            _ => Place::Unknown,
        }
    }

    /// The affinity, the default of what is around `op` for one that nothing asks for.
    fn settle(self, body: &Body, op: Option<OpId>) -> Bound {
        let affinity = match self {
            Place::At(affinity) => Some(affinity),
            Place::Any => op.and_then(|op| {
                around(body, op).find_map(|op| body.attr(op, "stream.affinity.default"))
            }),
            Place::Unknown => None,
        };
        affinity.map_or(Bound::Absent, Bound::Attr)
    }
}

/// Where an op runs: where it says, where its tensors are, or else where its results are wanted.
pub(crate) fn of_op(_: &Registry, body: &Body, args: &[Bound]) -> Option<Bound> {
    let op = args.first()?.op()?;
    let tensors = || body.operands(op).filter(|&value| is_tensor(body, value));
    // Only what ops give is looked after on its way out.
    let unseen = body.is(op, "hal.tensor.export")
        && tensors().all(|value| matches!(original(body, value), ValueKind::Arg(..)));
    let place = if unseen {
        Place::Any
    } else if let Some(affinity) = said(body, op) {
        Place::At(affinity)
    } else if tensors().next().is_some() {
        tensors().map(|value| of_value(body, value)).fold(Place::Any, Place::join)
    } else {
        let users = body.results(op).flat_map(|result| body.users(result));
        users.filter_map(|user| said(body, user)).map(Place::At).fold(Place::Any, Place::join)
    };
    Some(place.settle(body, Some(op)))
}

/// Where a tensor lies.
pub(crate) fn of_tensor(_: &Registry, body: &Body, args: &[Bound]) -> Option<Bound> {
    let value = args.first()?.value()?;
    let op = match body.definition(value) {
        ValueKind::Result(op, _) => Some(op),
        ValueKind::Arg(block, _) => body.block_parent_op(block),
    };
    Some(of_value(body, value).settle(body, op))
}

/// Where a resource lies that something of this body has put somewhere.
pub(crate) fn of_resource(body: &Body, value: ValueId) -> Option<Attr> {
    match made(body, value) {
        Place::At(affinity) => Some(affinity),
        Place::Any | Place::Unknown => None,
    }
}

/// An op and those around it.
fn around(body: &Body, op: OpId) -> impl Iterator<Item = OpId> + '_ {
    std::iter::successors(Some(op), move |&op| body.parent_op(op))
}

/// What an op says, or what is around it.
fn said(body: &Body, op: OpId) -> Option<Attr> {
    let own = |op| body.attr(op, pin(body, op)).or_else(|| body.attr(op, "stream.affinity"));
    around(body, op).find_map(own)
}

/// The attribute in which an op says where its tensors have to lie.
fn pin(body: &Body, op: OpId) -> &'static str {
    let name = body.name(op).as_str();
    match name {
        "flow.tensor.barrier" | "flow.tensor.transfer" => "target",
        _ if name.starts_with("hal.tensor.") => "affinity",
        _ => "",
    }
}

fn is_tensor(body: &Body, value: ValueId) -> bool {
    let ty = body.ty(value).data();
    matches!(ty, TypeData::RankedTensor { .. } | TypeData::UnrankedTensor { .. })
}

/// What has been converted to a value, or the value itself.
fn original(body: &Body, value: ValueId) -> ValueKind {
    let definition = body.definition(value);
    match definition {
        ValueKind::Result(op, _) if body.is(op, CAST) => {
            body.operands(op).next().map_or(definition, |from| body.definition(from))
        }
        _ => definition,
    }
}

fn of_value(body: &Body, value: ValueId) -> Place {
    let ValueKind::Result(..) = original(body, value) else { return made(body, value) };
    // What is taken out of the program lies where it is taken.
    let pinned = body.users(value).filter_map(|user| {
        let attr = pin(body, user);
        (attr != "target" || body.is(user, "flow.tensor.barrier")).then_some(())?;
        body.attr(user, attr)
    });
    match pinned.map(Place::At).fold(Place::Any, Place::join) {
        Place::Any => made(body, value),
        place => place,
    }
}

/// Where a value was made.
fn made(body: &Body, value: ValueId) -> Place {
    let (op, index) = match original(body, value) {
        ValueKind::Result(op, index) => (op, index as usize),
        ValueKind::Arg(block, _) => {
            let of_root = body.block_parent_op(block).filter(|&op| body.root() == Some(op));
            let entry = of_root.and_then(|op| body.region_entry(op, 0)) == Some(block);
            let visibility = of_root.and_then(|op| body.attr(op, "sym_visibility"));
            let private = visibility.and_then(Attr::as_str) == Some("private");
            return if entry && !private { Place::Unknown } else { Place::Any };
        }
    };
    let name = body.name(op).as_str();
    match name {
        "arith.select" => {
            let choices = body.operands(op).skip(1);
            choices.map(|choice| made(body, choice)).fold(Place::Any, Place::join)
        }
        "util.optimization_barrier" => match body.operands(op).nth(index) {
            Some(passed) => made(body, passed),
            None => Place::Any,
        },
        "stream.timepoint.await" | "stream.resource.subview" => made(body, body.operand(op, 0)),
        "stream.async.transfer" => affinity(body, op, "target_affinity"),
        _ if name.starts_with("stream.") => affinity(body, op, "affinity"),
        _ => Place::Any,
    }
}

/// What a converted op says; it says nothing only where nothing was known.
fn affinity(body: &Body, op: OpId, attr: &str) -> Place {
    body.attr(op, attr).map_or(Place::Unknown, Place::At)
}
