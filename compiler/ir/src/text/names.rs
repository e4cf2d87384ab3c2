//! The names under which values, blocks and aliases are printed.
//!
//! Values are numbered before anything is printed, region by region: an inner region counts on from
//! where the whole outer region ended, and two regions of one nest level count from the same start.
//! In generic form no number is given twice: regions count on from each other, the last one first.

use std::borrow::Cow;
use std::fmt::Write;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use tegula_schema::NameHint;

use super::used::{Used, Word};
use crate::{Attr, BlockId, Body, OpId, RegionId, Registry, Type, ValueId, ValueKind};

/// The aliases in force while text is printed.
#[derive(Clone, Default)]
pub(crate) struct AliasNames {
    pub(crate) attrs: FxHashMap<Attr, Arc<str>>,
    pub(crate) types: FxHashMap<Type, Arc<str>>,
}

impl AliasNames {
    pub(crate) fn attr(&self, attr: Attr) -> Option<Arc<str>> {
        if self.attrs.is_empty() {
            return None;
        }
        self.attrs.get(&attr).cloned()
    }

    pub(crate) fn ty(&self, ty: Type) -> Option<Arc<str>> {
        if self.types.is_empty() {
            return None;
        }
        self.types.get(&ty).cloned()
    }
}

#[derive(Clone, Copy)]
enum Name {
    None,
    /// `%0`
    Number(u32),
    /// `%arg0`
    Arg(u32),
    Word(Word),
}

/// The names of the values and blocks of one body.
#[derive(Clone)]
pub(crate) struct ValueNames {
    values: Vec<Name>,
    /// What the words are parts of.
    words: String,
    /// The position of each block in its region.
    blocks: Vec<u32>,
    /// Some op has several results.
    several: bool,
    /// For ops whose results have names of their own: the numbers at which groups begin.
    groups: FxHashMap<OpId, Vec<usize>>,
}

#[derive(Clone, Copy, Default)]
struct Counters {
    value: u32,
    argument: u32,
    conflict: u32,
}

struct Numbering<'a> {
    registry: &'a Registry,
    body: &'a Body,
    generic: bool,
    names: ValueNames,
    shared: Shared,
}

/// What goes from one op to the next.
#[derive(Clone, Default)]
struct Shared {
    counters: Counters,
    used: Used,
}

/// The names of a module, whose top-level ops are those of one region.
pub(crate) struct ModuleNames {
    generic: bool,
    /// What holds where all bodies begin.
    shared: Shared,
    /// In generic form: where each body begins to count.
    starts: Vec<Counters>,
    /// The names of bodies whose top-level ops have results, as far as those are named.
    tops: FxHashMap<usize, ValueNames>,
}

impl ModuleNames {
    pub(crate) fn new<'b>(
        registry: &Registry,
        bodies: impl ExactSizeIterator<Item = &'b Body> + DoubleEndedIterator + Clone,
        generic: bool,
    ) -> ModuleNames {
        let mut shared = Shared::default();
        let mut tops = FxHashMap::default();
        for (index, body) in bodies.clone().enumerate() {
            let ops = body.block_ops(body.top_block());
            if ops.clone().all(|op| body.num_results(op) == 0) {
                continue;
            }
            let mut numbering = Numbering::new(registry, body, generic, shared);
            ops.for_each(|op| numbering.op(op));
            shared = numbering.shared;
            tops.insert(index, numbering.names);
        }
        let mut starts = Vec::new();
        if generic {
            let mut counters = shared.counters;
            for body in bodies.rev() {
                starts.push(counters);
                counters.count(body);
            }
            starts.reverse();
        }
        ModuleNames { generic, shared, starts, tops }
    }

    /// The names of the body of that number.
    pub(crate) fn of(&self, registry: &Registry, index: usize, body: &Body) -> ValueNames {
        let mut numbering = Numbering::new(registry, body, self.generic, self.shared.clone());
        if let Some(names) = self.tops.get(&index) {
            numbering.names = names.clone();
        }
        if let Some(&counters) = self.starts.get(index) {
            numbering.shared.counters = counters;
        }
        numbering.nested(body.block_ops(body.top_block()));
        numbering.finish()
    }
}

impl Counters {
    /// Counts what the regions of a body's ops hold, as it is numbered in generic form.
    fn count(&mut self, body: &Body) {
        let top = body.top_block();
        for op in body.walk_all() {
            if body.parent_block(op) != Some(top) && body.num_results(op) > 0 {
                self.value += 1;
            }
            for &region in body.regions(op) {
                for (position, block) in body.blocks(region).enumerate() {
                    let args = body.block_args(block).len() as u32;
                    *(if position == 0 { &mut self.argument } else { &mut self.value }) += args;
                }
            }
        }
    }
}

impl ValueNames {
    /// Numbers ops and everything in them. Of one op the regions count from nothing, as MLIR's do;
    /// several ops are those of one region.
    pub(crate) fn number(
        registry: &Registry,
        body: &Body,
        ops: &[OpId],
        generic: bool,
    ) -> ValueNames {
        let mut numbering = Numbering::new(registry, body, generic, Shared::default());
        ops.iter().for_each(|&op| numbering.op(op));
        if ops.len() == 1 && !generic {
            numbering.shared.counters = Counters::default();
        }
        numbering.nested(ops.iter().copied());
        numbering.finish()
    }

    /// Prints a value; of several results under one name with its number when `number` is set.
    pub(crate) fn print(&self, body: &Body, value: ValueId, number: bool, out: &mut String) {
        let (base, offset) = self.group_of(body, value);
        match self.values.get(base.index()) {
            Some(&Name::Number(n)) => {
                out.push('%');
                push_number(n.into(), out);
            }
            Some(&Name::Arg(n)) => {
                out.push_str("%arg");
                push_number(n.into(), out);
            }
            Some(&Name::Word(word)) => {
                out.push('%');
                out.push_str(word.of(&self.words));
            }
            _ => out.push_str("<<UNKNOWN SSA VALUE>>"),
        }
        if let (true, Some(offset)) = (number, offset) {
            out.push('#');
            push_number(offset as u64, out);
        }
    }

    fn group_of(&self, body: &Body, value: ValueId) -> (ValueId, Option<usize>) {
        if !self.several {
            return (value, None);
        }
        let ValueKind::Result(op, number) = body.definition(value) else { return (value, None) };
        let count = body.num_results(op);
        if count <= 1 {
            return (value, None);
        }
        let number = number as usize;
        let Some(groups) = self.groups.get(&op) else { return (body.result(op, 0), Some(number)) };
        let at = groups.partition_point(|&start| start <= number).saturating_sub(1);
        let start = groups.get(at).copied().unwrap_or(0);
        let end = groups.get(at + 1).copied().unwrap_or(count);
        (body.result(op, start), (end - start > 1).then_some(number - start))
    }

    /// Where the groups of an op's results begin.
    pub(crate) fn result_groups(&self, op: OpId) -> &[usize] {
        self.groups.get(&op).map_or(&[0], |groups| groups)
    }

    /// The position of a block in its region, which its label bears.
    pub(crate) fn block(&self, block: BlockId) -> u32 {
        self.blocks.get(block.index()).copied().unwrap_or_default()
    }
}

impl<'a> Numbering<'a> {
    fn new(registry: &'a Registry, body: &'a Body, generic: bool, shared: Shared) -> Numbering<'a> {
        let (_, values, blocks) = body.bounds();
        let names = ValueNames {
            values: vec![Name::None; values],
            words: String::new(),
            blocks: vec![0; blocks],
            several: false,
            groups: FxHashMap::default(),
        };
        Numbering { registry, body, generic, names, shared }
    }

    fn nested(&mut self, ops: impl Iterator<Item = OpId>) {
        let body = self.body;
        let mut work: Vec<(RegionId, Counters, usize)> = Vec::new();
        for op in ops {
            let start = self.shared.counters;
            work.extend(body.regions(op).iter().map(|&region| (region, start, 1)));
        }
        while let Some((region, counters, depth)) = work.pop() {
            self.shared.used.close_to(depth);
            if !self.generic {
                self.shared.counters = counters;
            }
            self.shared.used.open(self.shared.counters.argument);
            self.region(region);
            let depth = self.shared.used.depth();
            for block in body.blocks(region) {
                for op in body.block_ops(block) {
                    let counters = self.shared.counters;
                    work.extend(body.regions(op).iter().map(|&r| (r, counters, depth)));
                }
            }
        }
    }

    fn finish(self) -> ValueNames {
        ValueNames { words: self.shared.used.into_words(), ..self.names }
    }

    fn region(&mut self, region: RegionId) {
        if !self.generic
            && let Some(op) = self.body.region_parent(region)
        {
            self.region_hints(op, region);
        }
        for (position, block) in self.body.blocks(region).enumerate() {
            self.names.blocks[block.index()] = position as u32;
            for &arg in self.body.block_args(block) {
                if !matches!(self.names.values[arg.index()], Name::None) {
                    continue;
                }
                if position == 0 {
                    let Shared { counters, used } = &mut self.shared;
                    let number = counters.argument;
                    counters.argument += 1;
                    self.names.values[arg.index()] = match used.argument(number) {
                        true => Name::Arg(number),
                        false => {
                            Name::Word(used.word(&format!("arg{number}"), &mut counters.conflict))
                        }
                    };
                } else {
                    self.set(arg, "");
                }
            }
            for op in self.body.block_ops(block) {
                self.op(op);
            }
        }
    }

    fn region_hints(&mut self, op: OpId, region: RegionId) {
        let (registry, body) = (self.registry, self.body);
        let Some(info) = registry.op(body.name(op)) else { return };
        for hint in info.def().region_arg_names.iter() {
            match hint {
                NameHint::Fixed { group, name } => {
                    let entry = body.first_block(region);
                    let arg = entry.and_then(|b| body.block_args(b).get(usize::from(*group)));
                    if let Some(&arg) = arg {
                        self.set_once(arg, name);
                    }
                }
                NameHint::Hook(hook) => {
                    if let Some(hook) = info.dialect().hooks.region_arg_names.get(hook.as_ref()) {
                        hook(registry, body, op, region, &mut |arg, name| self.set_once(arg, name));
                    }
                }
            }
        }
    }

    fn op(&mut self, op: OpId) {
        let (registry, body) = (self.registry, self.body);
        let count = body.num_results(op);
        if count == 0 {
            return;
        }
        self.names.several |= count > 1;
        let first = body.result(op, 0);
        let mut named: Vec<usize> = Vec::new();
        if !self.generic
            && let Some(info) = registry.op(body.name(op))
        {
            let mut name_result = |this: &mut Self, value: ValueId, name: &str| {
                let ValueKind::Result(owner, number) = body.definition(value) else { return };
                if owner == op && matches!(this.names.values[value.index()], Name::None) {
                    this.set(value, name);
                    named.push(number as usize);
                }
            };
            for hint in info.def().result_names.iter() {
                match hint {
                    NameHint::Fixed { group, name } => {
                        let groups = registry.result_groups(body, op).unwrap_or_default();
                        let range = groups.get(usize::from(*group)).cloned().unwrap_or(0..0);
                        if range.start < range.end && range.start < count {
                            name_result(self, body.result(op, range.start), name);
                        }
                    }
                    NameHint::Hook(hook) => {
                        if let Some(hook) = info.dialect().hooks.result_names.get(hook.as_ref()) {
                            hook(registry, body, op, &mut |value, name| {
                                name_result(self, value, name);
                            });
                        }
                    }
                }
            }
        }
        if matches!(self.names.values[first.index()], Name::None) {
            self.set(first, "");
        }
        named.retain(|&number| number != 0);
        if !named.is_empty() {
            named.push(0);
            named.sort_unstable();
            named.dedup();
            self.names.groups.insert(op, named);
        }
    }

    fn set_once(&mut self, value: ValueId, name: &str) {
        if matches!(self.names.values[value.index()], Name::None) {
            self.set(value, name);
        }
    }

    fn set(&mut self, value: ValueId, name: &str) {
        self.names.values[value.index()] = if name.is_empty() {
            self.shared.counters.value += 1;
            Name::Number(self.shared.counters.value - 1)
        } else {
            let Shared { counters, used } = &mut self.shared;
            Name::Word(used.word(&sanitize(name), &mut counters.conflict))
        };
    }
}

/// A name of the characters that SSA names may have.
fn sanitize(name: &str) -> Cow<'_, str> {
    let valid = |c: u8| c.is_ascii_alphanumeric() || matches!(c, b'$' | b'.' | b'_' | b'-');
    match name.as_bytes() {
        [first, ..] if !first.is_ascii_digit() && name.bytes().all(valid) => Cow::Borrowed(name),
        _ => Cow::Owned(sanitize_with(name, valid)),
    }
}

/// A name of valid characters: blanks become `_`, others their code, and a first digit gets `_`.
pub(crate) fn sanitize_with(name: &str, valid: impl Fn(u8) -> bool) -> String {
    let mut out = String::with_capacity(name.len());
    if name.starts_with(|c: char| c.is_ascii_digit()) {
        out.push('_');
    }
    for c in name.bytes() {
        match c {
            c if valid(c) => out.push(c as char),
            b' ' => out.push('_'),
            // Writing to a string does not fail.
            c => drop(write!(out, "{c:X}")),
        }
    }
    out
}

/// Appends a number.
pub(crate) fn push_number(mut number: u64, out: &mut String) {
    const MOST: usize = 20;
    let mut digits = [b'0'; MOST];
    let mut at = MOST;
    loop {
        at -= 1;
        digits[at] += (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    // Digits are text.
    out.push_str(std::str::from_utf8(&digits[at..]).unwrap_or_default());
}
