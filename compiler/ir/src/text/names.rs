//! The names under which values, blocks and aliases are printed.
//!
//! Values are numbered before anything is printed, region by region: an inner region counts on from
//! where the whole outer region ended, and two regions of one nest level count from the same start.
//! In generic form no number is given twice: regions count on from each other, the last one first.

use std::fmt::Write;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use tegula_schema::NameHint;

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

#[derive(Clone)]
enum Name {
    None,
    Number(u32),
    Word(Arc<str>),
}

/// The names of the values and blocks of one body.
pub(crate) struct ValueNames {
    values: Vec<Name>,
    /// The position of each block in its region.
    blocks: Vec<u32>,
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
#[derive(Default)]
struct Shared {
    counters: Counters,
    used: FxHashSet<Arc<str>>,
    /// The names that each open scope added.
    scopes: Vec<Vec<Arc<str>>>,
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
        numbering.top(ops);
        if ops.len() == 1 && !generic {
            numbering.shared.counters = Counters::default();
        }
        numbering.nested(ops);
        numbering.names
    }

    /// Numbers the bodies of a module, whose top-level ops are those of one region.
    pub(crate) fn number_all(
        registry: &Registry,
        bodies: &[Body],
        generic: bool,
    ) -> Vec<ValueNames> {
        let mut shared = Shared::default();
        let mut numbered = Vec::with_capacity(bodies.len());
        for body in bodies {
            let ops: Vec<OpId> = body.block_ops(body.top_block()).collect();
            let mut numbering = Numbering::new(registry, body, generic, shared);
            numbering.top(&ops);
            shared = std::mem::take(&mut numbering.shared);
            numbered.push((numbering, ops));
        }
        let finish = |(mut numbering, ops): (Numbering<'_>, Vec<OpId>)| {
            let counters = shared.counters;
            numbering.shared = std::mem::take(&mut shared);
            numbering.nested(&ops);
            // What the regions added is closed with them.
            numbering.close_to(1);
            shared = std::mem::take(&mut numbering.shared);
            if !generic {
                shared.counters = counters;
            }
            numbering.names
        };
        let mut names: Vec<ValueNames> = numbered.into_iter().rev().map(finish).collect();
        names.reverse();
        names
    }

    /// Prints a value; of several results under one name with its number when `number` is set.
    pub(crate) fn print(&self, body: &Body, value: ValueId, number: bool, out: &mut String) {
        let (base, offset) = self.group_of(body, value);
        match self.values.get(base.index()) {
            // Writing to a string does not fail.
            Some(Name::Number(n)) => drop(write!(out, "%{n}")),
            Some(Name::Word(word)) => drop(write!(out, "%{word}")),
            _ => out.push_str("<<UNKNOWN SSA VALUE>>"),
        }
        if let (true, Some(offset)) = (number, offset) {
            let _ = write!(out, "#{offset}");
        }
    }

    fn group_of(&self, body: &Body, value: ValueId) -> (ValueId, Option<usize>) {
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
            blocks: vec![0; blocks],
            groups: FxHashMap::default(),
        };
        Numbering { registry, body, generic, names, shared }
    }

    fn top(&mut self, ops: &[OpId]) {
        if self.shared.scopes.is_empty() {
            self.shared.scopes.push(Vec::new());
        }
        for &op in ops {
            self.op(op);
        }
    }

    fn nested(&mut self, ops: &[OpId]) {
        let body = self.body;
        let mut work: Vec<(RegionId, Counters, usize)> = Vec::new();
        for &op in ops {
            let start = self.shared.counters;
            work.extend(body.regions(op).iter().map(|&region| (region, start, 1)));
        }
        while let Some((region, counters, depth)) = work.pop() {
            self.close_to(depth);
            self.shared.scopes.push(Vec::new());
            if !self.generic {
                self.shared.counters = counters;
            }
            self.region(region);
            let depth = self.shared.scopes.len();
            for block in body.blocks(region) {
                for op in body.block_ops(block) {
                    let counters = self.shared.counters;
                    work.extend(body.regions(op).iter().map(|&r| (r, counters, depth)));
                }
            }
        }
    }

    /// Closes scopes until so many are open; their names are free again.
    fn close_to(&mut self, depth: usize) {
        while self.shared.scopes.len() > depth {
            for name in self.shared.scopes.pop().unwrap_or_default() {
                self.shared.used.remove(&name);
            }
        }
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
                    let name = format!("arg{}", self.shared.counters.argument);
                    self.shared.counters.argument += 1;
                    self.set(arg, &name);
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
            Name::Word(self.unique(name))
        };
    }

    fn unique(&mut self, name: &str) -> Arc<str> {
        let base = sanitize(name);
        let mut name: Arc<str> = base.as_str().into();
        while self.shared.used.contains(&name) {
            name = format!("{base}_{}", self.shared.counters.conflict).into();
            self.shared.counters.conflict += 1;
        }
        self.shared.used.insert(name.clone());
        if let Some(scope) = self.shared.scopes.last_mut() {
            scope.push(name.clone());
        }
        name
    }
}

/// A name of the characters that SSA names may have.
fn sanitize(name: &str) -> String {
    sanitize_with(name, |c| c.is_ascii_alphanumeric() || matches!(c, b'$' | b'.' | b'_' | b'-'))
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
