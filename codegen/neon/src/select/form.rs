//! Addresses as linear forms.

use tegula_ir::{AttrData, Body, DYNAMIC, OpId, Type, TypeData, ValueId};

use super::order::Order;
use crate::MachineError;

/// `root + Σ term · factor + offset`, in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Form {
    /// The op that gives the memory: a binding or an allocation.
    pub(super) root: OpId,
    /// Index values with their factors, by order of definition, no factor zero.
    pub(super) terms: Vec<(ValueId, i64)>,
    /// The constant part.
    pub(super) offset: i64,
}

/// What an access does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Width {
    /// `f32`
    Single,
    /// `vector<4xf32>`
    Vector,
}

impl Width {
    pub(super) fn of(ty: Type) -> Option<Width> {
        if ty == Type::f32() {
            Some(Width::Single)
        } else if ty == Type::vector(&[4], Type::f32()) {
            Some(Width::Vector)
        } else {
            None
        }
    }

    pub(super) fn bytes(self) -> i64 {
        match self {
            Width::Single => 4,
            Width::Vector => 16,
        }
    }
}

/// A load or store.
#[derive(Clone, Debug)]
pub(super) struct Access {
    pub(super) op: OpId,
    pub(super) width: Width,
    /// It is a store, of its first operand.
    pub(super) stores: bool,
    pub(super) form: Form,
}

/// The access that an op makes; none for other ops.
pub(super) fn access(body: &Body, order: &Order, op: OpId) -> Result<Option<Access>, MachineError> {
    let stores = match body.name(op).as_str() {
        "vector.load" | "memref.load" => false,
        "vector.store" | "memref.store" => true,
        _ => return Ok(None),
    };
    let first = usize::from(stores);
    let memref = body.operand(op, first);
    let indices: Vec<ValueId> = body.operands(op).skip(first + 1).collect();
    let ty = body.ty(if stores { body.operand(op, 0) } else { body.result(op, 0) });
    let Some(width) = Width::of(ty) else {
        let message =
            format!("`{}` of a type that is neither f32 nor vector<4xf32>", body.name(op));
        return Err(MachineError::new(op, "unsupported-type", message));
    };
    let mut form = start(body, order, op, memref)?;
    let strides = strides(body.ty(memref)).filter(|strides| strides.len() == indices.len());
    let Some(strides) = strides else {
        let message = "a memref whose strides are not static has no machine address";
        return Err(MachineError::new(op, "unsupported-layout", message));
    };
    for (index, stride) in indices.into_iter().zip(strides) {
        let factor = stride.checked_mul(4).ok_or_else(|| too_large(op))?;
        add(body, order, &mut form, index, factor).ok_or_else(|| too_large(op))?;
    }
    Ok(Some(Access { op, width, stores, form }))
}

fn too_large(op: OpId) -> MachineError {
    MachineError::new(op, "address-overflow", "an address does not fit 64 bits")
}

/// Element strides of a memref type; none when they are not static.
pub(super) fn strides(ty: Type) -> Option<Vec<i64>> {
    let TypeData::MemRef { shape, layout, .. } = ty.data() else { return None };
    match layout.map(|layout| layout.data()) {
        None => {
            let mut strides = vec![1i64; shape.len()];
            for at in (0..shape.len().saturating_sub(1)).rev() {
                let size = shape[at + 1];
                if size == DYNAMIC {
                    return None;
                }
                strides[at] = strides[at + 1].checked_mul(size)?;
            }
            Some(strides)
        }
        Some(AttrData::Strided { strides, .. }) => {
            strides.iter().all(|&s| s != DYNAMIC).then(|| strides.to_vec())
        }
        Some(_) => None,
    }
}

/// The address of a memref's first element.
fn start(body: &Body, order: &Order, at: OpId, memref: ValueId) -> Result<Form, MachineError> {
    let unsupported = |op: OpId, what: &str| {
        MachineError::new(op, "unsupported-memref", format!("{what} has no machine address"))
    };
    let Some(op) = body.defining_op(memref) else {
        return Err(unsupported(at, "a memref that is a block argument"));
    };
    if body.ty(memref).element() != Some(Type::f32()) {
        return Err(MachineError::new(op, "unsupported-type", "a memref of another type than f32"));
    }
    match body.name(op).as_str() {
        "hal.interface.binding.subspan" => {
            let mut form = Form { root: op, terms: Vec::new(), offset: 0 };
            // The byte offset is the first operand; the sizes of dynamic dimensions follow.
            let sizes = body.attr(op, "operandSegmentSizes").and_then(|a| a.as_dense_array());
            let has_offset = sizes.map_or(body.num_operands(op) > 0, |s| s.first() == Some(&1));
            if has_offset {
                add(body, order, &mut form, body.operand(op, 0), 1).ok_or_else(|| too_large(op))?;
            }
            Ok(form)
        }
        "memref.alloca" if body.num_operands(op) == 0 => {
            Ok(Form { root: op, terms: Vec::new(), offset: 0 })
        }
        "memref.cast"
        | "memref.assume_alignment"
        | "memref.collapse_shape"
        | "memref.expand_shape"
        | "memref.memory_space_cast" => start(body, order, at, body.operand(op, 0)),
        "memref.subview" => subview(body, order, op),
        name => Err(unsupported(op, &format!("`{name}`"))),
    }
}

fn subview(body: &Body, order: &Order, op: OpId) -> Result<Form, MachineError> {
    let source = body.operand(op, 0);
    let mut form = start(body, order, op, source)?;
    let offsets = body.attr(op, "static_offsets").and_then(|a| a.as_dense_array());
    let Some((offsets, strides)) = offsets.zip(strides(body.ty(source))) else {
        let message = "a subview whose offsets or strides are unknown has no machine address";
        return Err(MachineError::new(op, "unsupported-layout", message));
    };
    let mut dynamic = body.operands(op).skip(1);
    for (&offset, stride) in offsets.iter().zip(strides) {
        let factor = stride.checked_mul(4).ok_or_else(|| too_large(op))?;
        if offset == DYNAMIC {
            let Some(index) = dynamic.next() else {
                let message = "a subview has fewer operands than dynamic offsets";
                return Err(MachineError::new(op, "operand-count", message));
            };
            add(body, order, &mut form, index, factor).ok_or_else(|| too_large(op))?;
        } else {
            let bytes = offset.checked_mul(factor).and_then(|b| form.offset.checked_add(b));
            form.offset = bytes.ok_or_else(|| too_large(op))?;
        }
    }
    Ok(form)
}

/// The integer that a value always is.
pub(super) fn constant(body: &Body, value: ValueId) -> Option<i64> {
    let op = body.defining_op(value)?;
    if !body.is(op, "arith.constant") {
        return None;
    }
    body.attr(op, "value")?.as_int()
}

/// Adds `value · factor`, taking sums and products with constants apart. None on overflow.
fn add(body: &Body, order: &Order, form: &mut Form, value: ValueId, factor: i64) -> Option<()> {
    // Bounded by the depth of the expression; the work list keeps it off the stack.
    let mut work = vec![(value, factor)];
    while let Some((value, factor)) = work.pop() {
        if factor == 0 {
            continue;
        }
        if let Some(constant) = constant(body, value) {
            form.offset = form.offset.checked_add(constant.checked_mul(factor)?)?;
            continue;
        }
        let op = body.defining_op(value);
        let operands = |op: OpId| (body.operand(op, 0), body.operand(op, 1));
        match op.map(|op| (op, body.name(op).as_str())) {
            Some((op, "arith.addi")) => {
                let (a, b) = operands(op);
                work.extend([(a, factor), (b, factor)]);
                continue;
            }
            Some((op, "arith.subi")) => {
                let (a, b) = operands(op);
                work.extend([(a, factor), (b, factor.checked_neg()?)]);
                continue;
            }
            Some((op, "arith.muli")) => {
                let (a, b) = operands(op);
                let product = match (constant(body, a), constant(body, b)) {
                    (_, Some(by)) => Some((a, by)),
                    (Some(by), _) => Some((b, by)),
                    _ => None,
                };
                if let Some((value, by)) = product {
                    work.push((value, factor.checked_mul(by)?));
                    continue;
                }
            }
            Some((op, "arith.shli")) => {
                let (a, b) = operands(op);
                if let Some(by @ 0..=62) = constant(body, b) {
                    work.push((a, factor.checked_mul(1 << by)?));
                    continue;
                }
            }
            Some((op, "arith.index_cast")) if is_64_bits(body, body.operand(op, 0)) => {
                work.push((body.operand(op, 0), factor));
                continue;
            }
            _ => {}
        }
        match form.terms.binary_search_by_key(&order.of(value), |(v, _)| order.of(*v)) {
            Ok(at) => {
                form.terms[at].1 = form.terms[at].1.checked_add(factor)?;
                if form.terms[at].1 == 0 {
                    form.terms.remove(at);
                }
            }
            Err(at) => form.terms.insert(at, (value, factor)),
        }
    }
    Some(())
}

fn is_64_bits(body: &Body, value: ValueId) -> bool {
    body.ty(value).is_index() || body.ty(value).is_int(64)
}
