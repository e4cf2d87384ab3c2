//! What ops declare about the dynamic dimensions of the values that they make and use: the trait
//! `DimsOf<"values", "dims">` says that those of a group of operands or results are in an operand
//! group.

use tegula_ir::{Body, OpId, Registry, ValueId};

use crate::sizes::{tied_operand, visible};

/// A walk over ties ends after this many values.
const MAX_TIES: usize = 256;

/// Values that are the dynamic dimensions of `value` and can be used at `at`.
///
/// The op that makes the value is asked first, through ties, then those that use it.
pub fn dims_of(registry: &Registry, body: &Body, value: ValueId, at: OpId) -> Option<Vec<ValueId>> {
    let mut made = value;
    for _ in 0..MAX_TIES {
        let Some(op) = body.defining_op(made) else { break };
        if let Some(dims) = declared(registry, body, op, Side::Results, made) {
            return Some(dims);
        }
        match tied_operand(registry, body, made) {
            Some((op, operand)) => made = body.operand(op, operand),
            None => break,
        }
    }
    body.uses(value).map(|slot| body.use_owner(slot)).find_map(|user| {
        declared(registry, body, user, Side::Operands, value)
            .filter(|dims| dims.iter().all(|&dim| dim != value && visible(body, dim, at)))
    })
}

/// The dynamic dimensions that an op declares for a value that it uses.
pub fn operand_dims(
    registry: &Registry,
    body: &Body,
    user: OpId,
    value: ValueId,
) -> Option<Vec<ValueId>> {
    declared(registry, body, user, Side::Operands, value)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Operands,
    Results,
}

/// The dimensions that an op declares for one of its operands or results.
fn declared(
    registry: &Registry,
    body: &Body,
    op: OpId,
    side: Side,
    value: ValueId,
) -> Option<Vec<ValueId>> {
    let def = registry.op(body.name(op))?.def();
    def.traits.iter().filter(|t| t.name == "DimsOf").find_map(|rule| {
        let [values, dims] = rule.args.as_ref() else { return None };
        let group = match side {
            Side::Operands => registry.operands_of(body, op, values),
            Side::Results => registry.results_of(body, op, values),
        };
        let at = group.iter().position(|&v| v == value)?;
        let count = |&v: &ValueId| registry.dynamic_dims(body.ty(v));
        let first: usize = group[..at].iter().map(count).sum();
        let dims = registry.operands_of(body, op, dims);
        dims.get(first..first + count(&value)).map(<[ValueId]>::to_vec)
    })
}
