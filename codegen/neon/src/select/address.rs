//! Accesses become machine loads and stores; what of an address changes in a loop is carried.
//!
//! Addresses that differ by a constant share a pointer. When some of them are too far from it for
//! pairs of accesses, the pointer stands at the lowest of them. A pointer whose innermost term is a loop's
//! counter is carried by that loop and grows by the term's factor times the step; one whose
//! innermost term is any other value is made where that value is. So no address is computed more
//! often than one of its parts changes.

use indexmap::IndexMap;
use rustc_hash::FxHashMap;
use tegula_ir::{Attr, BlockId, InsertPoint, NewOp, OpId, ValueId};
use tegula_rewrite::Rewriter;

use super::build::{Addition, Machine, addition, cast, register_type};
use super::control::Loops;
use super::form::{Access, Width};
use crate::{MachineError, types};

/// A pointer: an address up to a constant.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Key {
    root: OpId,
    terms: Vec<(ValueId, i64)>,
    /// The constant part of where it stands.
    home: i64,
}

/// The distances at which a pair of vectors can be reached from a pointer.
const PAIR_REACH: std::ops::RangeInclusive<i64> = -1024..=1008;

/// The number of constant offsets that a function keeps in registers.
const MAX_OFFSET_REGISTERS: usize = 8;

struct Lowering<'r, 'a, 'l> {
    rw: &'r mut Rewriter<'a>,
    loops: &'l Loops,
    entry: BlockId,
    /// The register of each root.
    roots: FxHashMap<OpId, ValueId>,
    pointers: IndexMap<Key, ValueId>,
    /// Constants in registers, made at the start of the function.
    constants: IndexMap<i64, ValueId>,
}

/// Replaces the accesses. The counters of `loops` are registers already.
pub(super) fn lower(
    rw: &mut Rewriter<'_>,
    func: OpId,
    loops: &Loops,
    accesses: &[Access],
    roots: FxHashMap<OpId, ValueId>,
) -> Result<(), MachineError> {
    let Some(entry) = rw.body.region_entry(func, 0) else { return Ok(()) };
    let mut lowering =
        Lowering { rw, loops, entry, roots, pointers: IndexMap::new(), constants: IndexMap::new() };
    let ranges = offset_ranges(accesses);
    let mut groups: IndexMap<(ValueId, BlockId), (i64, Vec<&Access>)> = IndexMap::new();
    for access in accesses {
        let mut key = Key { root: access.form.root, terms: access.form.terms.clone(), home: 0 };
        key.home = match ranges.get(&key) {
            Some((low, high)) if !(PAIR_REACH.contains(low) && PAIR_REACH.contains(high)) => *low,
            _ => 0,
        };
        let home = key.home;
        let pointer = lowering.pointer(&key, access.op)?;
        let Some(block) = lowering.rw.body.parent_block(access.op) else { continue };
        groups.entry((pointer, block)).or_insert((home, Vec::new())).1.push(access);
    }
    for ((pointer, _), (home, accesses)) in groups {
        lowering.group(pointer, home, &accesses)?;
    }
    Ok(())
}

/// The least and the greatest constant offset of what shares a pointer.
fn offset_ranges(accesses: &[Access]) -> FxHashMap<Key, (i64, i64)> {
    let mut ranges = FxHashMap::default();
    for Access { form, .. } in accesses {
        let key = Key { root: form.root, terms: form.terms.clone(), home: 0 };
        let (low, high) = ranges.entry(key).or_insert((form.offset, form.offset));
        (*low, *high) = ((*low).min(form.offset), (*high).max(form.offset));
    }
    ranges
}

impl Lowering<'_, '_, '_> {
    /// The register of a pointer, made on first use. Terms are taken off from the innermost, so the
    /// depth of the recursion is their number.
    fn pointer(&mut self, key: &Key, at: OpId) -> Result<ValueId, MachineError> {
        if let Some(&made) = self.pointers.get(key) {
            return Ok(made);
        }
        let made = match key.terms.split_last() {
            None => {
                let root = *self.roots.get(&key.root).ok_or_else(|| {
                    MachineError::new(at, "unsupported-memref", "memory without a machine address")
                })?;
                match key.home {
                    0 => root,
                    home => self.add_constant(after(self.rw, root), root, home),
                }
            }
            Some((&(value, factor), outer)) => {
                let outer = Key { root: key.root, terms: outer.to_vec(), home: key.home };
                let outer = self.pointer(&outer, at)?;
                match self.loops.get(&value) {
                    Some(_) => self.carried(value, factor, outer, at)?,
                    None => self.scaled(value, factor, outer, at)?,
                }
            }
        };
        self.pointers.insert(key.clone(), made);
        Ok(made)
    }

    /// `outer + counter · factor`, carried by the counter's loop.
    fn carried(
        &mut self,
        counter: ValueId,
        factor: i64,
        outer: ValueId,
        at: OpId,
    ) -> Result<ValueId, MachineError> {
        let overflow =
            || MachineError::new(at, "address-overflow", "an address does not fit 64 bits");
        let info = &self.loops[&counter];
        let (header, preheader, latch, lower) =
            (info.header, info.preheader, info.latch, info.lower);
        let growth = info.step.checked_mul(factor).ok_or_else(overflow)?;
        let Some(enter) = self.rw.body.last_op(preheader) else {
            return Err(MachineError::new(at, "no-terminator", "a block without terminator"));
        };
        let start = InsertPoint::Before(enter);
        let first = match lower_constant(self.rw, lower) {
            Some(lower) => {
                let offset = lower.checked_mul(factor).ok_or_else(overflow)?;
                self.add_constant(start, outer, offset)
            }
            None => Machine::new(self.rw, start).add_scaled(outer, lower, factor),
        };
        let pointer = self.rw.add_block_arg(header, types::x());
        let mut args: Vec<ValueId> = self.rw.body.operands(enter).collect();
        args.push(first);
        self.rw.set_operands(enter, &args);

        let next = self.add_constant(InsertPoint::Before(latch), pointer, growth);
        // The way back comes before the way out among the operands.
        let sizes = self.rw.body.attr(latch, "operandSegmentSizes");
        let Some(&[one, back, out]) = sizes.as_ref().and_then(|s| s.as_dense_array()) else {
            return Err(MachineError::new(latch, "operand-count", "a branch without groups"));
        };
        let mut args: Vec<ValueId> = self.rw.body.operands(latch).collect();
        args.insert((one + back) as usize, next);
        self.rw.set_operands(latch, &args);
        let sizes = [one as i32, back as i32 + 1, out as i32];
        self.rw.set_attr(latch, "operandSegmentSizes", Attr::i32_array(&sizes));
        Ok(pointer)
    }

    /// `outer + value · factor`, made where the value is.
    fn scaled(
        &mut self,
        value: ValueId,
        factor: i64,
        outer: ValueId,
        at: OpId,
    ) -> Result<ValueId, MachineError> {
        let place = after(self.rw, value);
        let ty = self.rw.body.ty(value);
        let Some(register) = register_type(ty).filter(|&ty| ty == types::x()) else {
            return Err(MachineError::new(at, "unsupported-type", "an index without register"));
        };
        let mut machine = Machine::new(self.rw, place);
        let value = if ty == register { value } else { machine.emit(cast(value, register)) };
        Ok(machine.add_scaled(outer, value, factor))
    }

    /// The accesses of one block that share a pointer, which stands at `home`.
    fn group(
        &mut self,
        pointer: ValueId,
        home: i64,
        accesses: &[&Access],
    ) -> Result<(), MachineError> {
        // Pointers at a distance, for offsets that no immediate gives from the pointer itself.
        let mut bases: Vec<(i64, ValueId)> = vec![(0, pointer)];
        for (at, access) in accesses.iter().enumerate() {
            let offset = from_home(access, home)?;
            let near = bases.iter().rev().find_map(|&(base, value)| {
                let distance = offset.checked_sub(base)?;
                immediate(access, distance).map(|name| (name, value, distance))
            });
            if let Some((name, base, distance)) = near {
                let distance = Attr::i64(distance);
                self.replace(access, |new| new.attr("offset", distance), name, base, None);
                continue;
            }
            let follows = accesses[at + 1..].iter().any(|other| {
                let Ok(other_offset) = from_home(other, home) else { return false };
                let distance = other_offset.checked_sub(offset);
                distance.is_some_and(|distance| immediate(other, distance).is_some())
                    && immediate(other, other_offset).is_none()
            });
            let kept =
                self.constants.contains_key(&offset) || self.constants.len() < MAX_OFFSET_REGISTERS;
            if !follows && kept {
                let register = self.constant(offset);
                let name = match (access.width, access.stores) {
                    (Width::Vector, false) => "neon.ldr_q_x",
                    (Width::Vector, true) => "neon.str_q_x",
                    (Width::Single, false) => "neon.ldr_s_x",
                    (Width::Single, true) => "neon.str_s_x",
                };
                self.replace(access, |new| new, name, pointer, Some(register));
                continue;
            }
            let place = InsertPoint::Before(access.op);
            let base = self.add_constant(place, pointer, offset);
            bases.push((offset, base));
            let Some(name) = immediate(access, 0) else { continue };
            self.replace(access, |new| new.attr("offset", Attr::i64(0)), name, base, None);
        }
        Ok(())
    }

    fn replace(
        &mut self,
        access: &Access,
        finish: impl FnOnce(NewOp) -> NewOp,
        name: &'static str,
        base: ValueId,
        index: Option<ValueId>,
    ) {
        let (register, ty) = match access.width {
            Width::Single => (types::s(), tegula_ir::Type::f32()),
            Width::Vector => (types::v128(), tegula_ir::Type::vector(&[4], tegula_ir::Type::f32())),
        };
        let place = InsertPoint::Before(access.op);
        let mut new = NewOp::new(name).loc(self.rw.body.loc(access.op));
        if access.stores {
            // Read from the op: what it stores may be a load that was replaced before.
            let value = self.rw.body.operand(access.op, 0);
            let value = if self.rw.body.ty(value) == register {
                value
            } else {
                self.rw.insert_value(place, cast(value, register))
            };
            new = new.operand(value).operand(base).operands(index);
            self.rw.insert(place, finish(new));
            self.rw.erase(access.op);
        } else {
            new = new.operand(base).operands(index).result(register);
            let loaded = self.rw.insert_value(place, finish(new));
            self.rw.replace_with(access.op, cast(loaded, ty));
        }
    }

    /// `value + constant`, the constant from a register of the function when no immediate does.
    fn add_constant(&mut self, at: InsertPoint, value: ValueId, constant: i64) -> ValueId {
        if !matches!(addition(constant), Addition::Register) {
            return Machine::new(self.rw, at).add_constant(value, constant);
        }
        let register = self.constant(constant);
        let new = NewOp::new("neon.add_x").operands([value, register]).result(types::x());
        Machine::new(self.rw, at).emit(new)
    }

    fn constant(&mut self, value: i64) -> ValueId {
        if let Some(&made) = self.constants.get(&value) {
            return made;
        }
        let made = Machine::new(self.rw, InsertPoint::Start(self.entry)).constant(value);
        self.constants.insert(value, made);
        made
    }
}

/// How far an access is from a pointer that stands at `home`.
fn from_home(access: &Access, home: i64) -> Result<i64, MachineError> {
    access.form.offset.checked_sub(home).ok_or_else(|| {
        MachineError::new(access.op, "address-overflow", "an address does not fit 64 bits")
    })
}

/// Right behind the definition of a value.
fn after(rw: &Rewriter<'_>, value: ValueId) -> InsertPoint {
    match rw.body.definition(value) {
        tegula_ir::ValueKind::Result(op, _) => InsertPoint::After(op),
        tegula_ir::ValueKind::Arg(block, _) => InsertPoint::Start(block),
    }
}

/// The instruction that reaches this distance by an immediate.
fn immediate(access: &Access, distance: i64) -> Option<&'static str> {
    let store = access.stores;
    let (scaled, unscaled) = match (access.width, store) {
        (Width::Vector, false) => ("neon.ldr_q", "neon.ldur_q"),
        (Width::Vector, true) => ("neon.str_q", "neon.stur_q"),
        (Width::Single, false) => ("neon.ldr_s", "neon.ldur_s"),
        (Width::Single, true) => ("neon.str_s", "neon.stur_s"),
    };
    let unit = access.width.bytes();
    if distance % unit == 0 && (0..=4095 * unit).contains(&distance) {
        Some(scaled)
    } else if (-256..=255).contains(&distance) {
        Some(unscaled)
    } else {
        None
    }
}

/// The constant that a loop's lower bound is: behind the cast that made it a register.
fn lower_constant(rw: &Rewriter<'_>, lower: ValueId) -> Option<i64> {
    let op = rw.body.defining_op(lower)?;
    let source = (rw.body.num_operands(op) == 1).then(|| rw.body.operand(op, 0))?;
    super::form::constant(rw.body, source)
}
