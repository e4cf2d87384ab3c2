//! Which register each value of a function is in.
//!
//! A value is alive from its first to its last place in the text of the function, places where
//! blocks that it is needed in begin and end included; values that are alive at one place have
//! different registers. What an op gives is never where one of its operands is.

use rustc_hash::FxHashMap;
use tegula_dialect_vm::{Liveness, is_ref};
use tegula_ir::{Body, RegionId, Type, ValueId};

/// Set in the register of a reference.
pub(crate) const REFERENCE: u16 = 0x8000;
/// Set where a reference is used and not needed any more.
pub(crate) const MOVE: u16 = 0x4000;

/// The most that the runtime gives room to, which rounds up to powers of two.
const MOST_NUMBERS: usize = 0x4000;
const MOST_REFERENCES: usize = 0x2000;

/// What a value takes of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Room {
    /// 32 bits.
    Word,
    /// 64 bits, in two registers of which the first is even.
    Pair,
    Reference,
}

impl Room {
    pub fn of(ty: Type) -> Option<Room> {
        if is_ref(ty) {
            return Some(Room::Reference);
        }
        match ty.bit_width() {
            Some(32) => Some(Room::Word),
            Some(64) => Some(Room::Pair),
            _ => None,
        }
    }
}

/// Why there are no registers.
pub(crate) enum NoRegister {
    /// The machine has no values of the type.
    Type(Type),
    /// Too many values are alive at once.
    Full,
}

/// The registers of a function.
pub(crate) struct Registers {
    registers: FxHashMap<ValueId, u16>,
    numbers: Bank,
    references: Bank,
}

impl Registers {
    /// Chooses registers for all values of a function's region.
    pub fn choose(
        body: &Body,
        region: RegionId,
        liveness: &Liveness,
    ) -> Result<Registers, NoRegister> {
        let mut values: Vec<(ValueId, Life)> = lives(body, region, liveness).into_iter().collect();
        values.sort_by_key(|&(value, life)| (life.first, value));
        let mut out = Registers {
            registers: FxHashMap::default(),
            numbers: Bank::default(),
            references: Bank::default(),
        };
        let arguments = body.first_block(region).map_or(&[][..], |entry| body.block_args(entry));
        for &argument in arguments {
            let life = values.iter().find(|(value, _)| *value == argument);
            let end = life.map_or(0, |(_, life)| life.last);
            out.give(body, argument, |bank, room| bank.next(room, end))?;
        }
        for (value, life) in values {
            if !arguments.contains(&value) {
                out.give(body, value, |bank, room| bank.first_free(room, life))?;
            }
        }
        Ok(out)
    }

    fn give(
        &mut self,
        body: &Body,
        value: ValueId,
        place: impl Fn(&mut Bank, Room) -> usize,
    ) -> Result<(), NoRegister> {
        let ty = body.ty(value);
        let room = Room::of(ty).ok_or(NoRegister::Type(ty))?;
        let (bank, most, kind) = match room {
            Room::Reference => (&mut self.references, MOST_REFERENCES, REFERENCE),
            Room::Word | Room::Pair => (&mut self.numbers, MOST_NUMBERS, 0),
        };
        let at = place(bank, room);
        // One is spare.
        if bank.ends.len() >= most {
            return Err(NoRegister::Full);
        }
        let at = u16::try_from(at).map_err(|_| NoRegister::Full)?;
        self.registers.insert(value, at | kind);
        Ok(())
    }

    /// The register of a value, the first one of a pair.
    pub fn of(&self, value: ValueId) -> Option<u16> {
        self.registers.get(&value).copied()
    }

    /// A register of the same kind that no value is in.
    pub fn spare(&self, like: u16) -> u16 {
        match like & REFERENCE {
            0 => self.count(),
            _ => self.count_references() | REFERENCE,
        }
    }

    /// How many registers hold numbers.
    pub fn count(&self) -> u16 {
        u16::try_from(self.numbers.ends.len()).unwrap_or(u16::MAX)
    }

    /// How many registers hold references.
    pub fn count_references(&self) -> u16 {
        u16::try_from(self.references.ends.len()).unwrap_or(u16::MAX)
    }
}

/// From where to where a value is alive.
#[derive(Clone, Copy, Debug)]
struct Life {
    first: usize,
    last: usize,
}

fn lives(body: &Body, region: RegionId, liveness: &Liveness) -> FxHashMap<ValueId, Life> {
    let mut lives: FxHashMap<ValueId, Life> = FxHashMap::default();
    let mut place = 0;
    let mut seen = |value: ValueId, place: usize| {
        let life = lives.entry(value).or_insert(Life { first: place, last: place });
        life.last = place;
    };
    for block in body.blocks(region) {
        let begins = liveness.live_in(block).chain(body.block_args(block).iter().copied());
        begins.for_each(|value| seen(value, place));
        for op in body.block_ops(block) {
            place += 1;
            body.operands(op).chain(body.results(op)).for_each(|value| seen(value, place));
        }
        place += 1;
        liveness.live_out(block).for_each(|value| seen(value, place));
        place += 1;
    }
    lives
}

/// Registers of one kind: where the life of what is in each ends.
#[derive(Default)]
struct Bank {
    ends: Vec<usize>,
}

impl Bank {
    /// The place behind all others.
    fn next(&mut self, room: Room, end: usize) -> usize {
        let at = self.ends.len().next_multiple_of(size(room));
        self.take(at, room, end);
        at
    }

    /// The first place that is free during a life.
    fn first_free(&mut self, room: Room, life: Life) -> usize {
        let free = |at: usize| self.ends.get(at).is_none_or(|&end| end < life.first);
        let is_free = |at: &usize| (*at..at + size(room)).all(free);
        let places = (0..=self.ends.len() + 1).step_by(size(room));
        let at = places.into_iter().find(is_free).unwrap_or(self.ends.len());
        self.take(at, room, life.last);
        at
    }

    fn take(&mut self, at: usize, room: Room, end: usize) {
        let behind = at + size(room);
        if self.ends.len() < behind {
            self.ends.resize(behind, 0);
        }
        self.ends[at..behind].fill(end);
    }
}

fn size(room: Room) -> usize {
    if room == Room::Pair { 2 } else { 1 }
}
