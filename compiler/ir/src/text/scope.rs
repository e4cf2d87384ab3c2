//! Which values and blocks the names of a text stand for.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::{BlockId, Body, ValueId};

/// A range of bytes in the text.
pub(crate) type Range = (u32, u32);

/// Values that stood for a name until it was defined, with their result number and first use.
pub(crate) type Replaced = SmallVec<[(usize, ValueId, Range); 1]>;

struct NamedValue {
    /// Results by number; [`ValueId::NONE`] where a later result is used first.
    values: SmallVec<[ValueId; 1]>,
    defined: bool,
    /// Its definition, or its first use.
    seen: Range,
}

struct NamedBlock {
    block: BlockId,
    defined: bool,
    first_use: Range,
}

/// The names of one isolated region nest: an inner region sees the names of the outer ones.
#[derive(Default)]
struct Isolated<'a> {
    values: FxHashMap<&'a str, NamedValue>,
    /// The names that each open region defines, so that they end with it.
    regions: Vec<Vec<&'a str>>,
    /// Values that are used and not defined yet, with their name and first use.
    forward: FxHashMap<ValueId, (&'a str, Range)>,
}

/// All scopes that are open.
#[derive(Default)]
pub(crate) struct Scopes<'a> {
    isolated: Vec<Isolated<'a>>,
    blocks: Vec<FxHashMap<&'a str, NamedBlock>>,
}

impl<'a> Scopes<'a> {
    pub(crate) fn new() -> Self {
        let mut scopes = Scopes::default();
        scopes.push(true);
        scopes
    }

    fn top(&mut self) -> Option<&mut Isolated<'a>> {
        self.isolated.last_mut()
    }

    /// Opens the scope of a region.
    pub(crate) fn push(&mut self, isolated: bool) {
        if isolated || self.isolated.is_empty() {
            self.isolated.push(Isolated::default());
        }
        if let Some(top) = self.top() {
            top.regions.push(Vec::new());
        }
        self.blocks.push(FxHashMap::default());
    }

    /// Closes the scope of a region. Gives the names that were used and never defined.
    pub(crate) fn pop(&mut self) -> Vec<(&'a str, Range)> {
        let mut missing: Vec<(&'a str, Range)> = Vec::new();
        if let Some(blocks) = self.blocks.pop() {
            let undefined = blocks.into_iter().filter(|(_, b)| !b.defined);
            missing.extend(undefined.map(|(name, b)| (name, b.first_use)));
        }
        let mut closed = false;
        if let Some(top) = self.top() {
            let names = top.regions.pop().unwrap_or_default();
            closed = top.regions.is_empty();
            if !closed {
                for name in names {
                    top.values.remove(name);
                }
            }
        }
        if closed && let Some(top) = self.isolated.pop() {
            missing.extend(top.forward.into_values());
        }
        missing.sort_by_key(|&(_, range)| range);
        missing
    }

    pub(crate) fn value(&self, name: &str, number: usize) -> Option<ValueId> {
        self.isolated.last()?.values.get(name)?.values.get(number).and_then(|v| v.some())
    }

    pub(crate) fn is_defined(&self, name: &str) -> bool {
        self.isolated.last().is_some_and(|top| top.values.get(name).is_some_and(|v| v.defined))
    }

    /// Where a name is defined, or where it is used first as long as it is not.
    pub(crate) fn first_seen(&self, name: &str) -> Option<Range> {
        self.isolated.last()?.values.get(name).map(|value| value.seen)
    }

    /// Records a value that stands for a name until it is defined.
    pub(crate) fn add_forward(
        &mut self,
        name: &'a str,
        number: usize,
        value: ValueId,
        range: Range,
    ) {
        let Some(top) = self.top() else { return };
        let entry = top.values.entry(name).or_insert_with(|| NamedValue {
            values: SmallVec::new(),
            defined: false,
            seen: range,
        });
        if entry.values.len() <= number {
            entry.values.resize(number + 1, ValueId::NONE);
        }
        entry.values[number] = value;
        top.forward.insert(value, (name, range));
    }

    /// Defines a name. Gives the values that stood for it until now, with their numbers, or an
    /// error when the name is taken.
    pub(crate) fn define(
        &mut self,
        name: &'a str,
        values: &[ValueId],
        range: Range,
    ) -> Result<Replaced, ()> {
        let mut replaced = SmallVec::new();
        let Some(top) = self.top() else { return Ok(replaced) };
        let new = NamedValue { values: values.into(), defined: true, seen: range };
        match top.values.entry(name) {
            Entry::Vacant(place) => {
                place.insert(new);
            }
            Entry::Occupied(old) if old.get().defined => return Err(()),
            Entry::Occupied(mut old) => {
                for (number, value) in old.insert(new).values.into_iter().enumerate() {
                    let Some(value) = value.some() else { continue };
                    if let Some((_, range)) = top.forward.remove(&value) {
                        replaced.push((number, value, range));
                    }
                }
            }
        }
        if let Some(region) = top.regions.last_mut() {
            region.push(name);
        }
        Ok(replaced)
    }

    /// The block of a name in the innermost region, made when it was not seen before.
    pub(crate) fn block_ref(&mut self, body: &mut Body, name: &'a str, range: Range) -> BlockId {
        match self.blocks.last_mut() {
            Some(blocks) => {
                blocks
                    .entry(name)
                    .or_insert_with(|| NamedBlock {
                        block: body.new_block(),
                        defined: false,
                        first_use: range,
                    })
                    .block
            }
            None => body.new_block(),
        }
    }

    /// The block that a label defines; none when the label stood before.
    pub(crate) fn block_def(
        &mut self,
        body: &mut Body,
        name: &'a str,
        range: Range,
    ) -> Option<BlockId> {
        let block = self.block_ref(body, name, range);
        if let Some(entry) = self.blocks.last_mut().and_then(|blocks| blocks.get_mut(name)) {
            if entry.defined {
                return None;
            }
            entry.defined = true;
        }
        Some(block)
    }
}
