//! `iree-util-propagate-subranges`: who passes a range of a buffer on passes the buffer and the
//! range, so that ranges of ranges become one range where the bytes are used.
//!
//! A value becomes four: itself, its size, an offset and a length. Where such a value comes in, as an
//! argument or a result, the range is taken at once; where a value goes out, what it is a range of
//! goes out in its place. Nothing is simplified here.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use tegula_ir::{
    Attr, BlockId, Body, InsertPoint, Module, NewOp, OpId, RegionId, Registry, Type, TypeData,
    ValueId,
};
use tegula_pass::{Changed, PassCx, PassResult};
use tegula_rewrite::{Patterns, Rewriter, create_or_fold, size_of};

use crate::globals::is_callable;

/// How many values stand for the range besides the buffer.
const EXTRA: usize = 3;
/// What the names of the globals end in that hold the range of a global.
const PARTS: [&str; EXTRA] = ["__storage_size", "__offset", "__length"];

/// How many operands each case of a switch passes.
const CASE_SIZES: &str = "case_operand_segments";

/// Runs the pass.
pub fn run(cx: &mut PassCx<'_>, module: &mut Module) -> PassResult {
    let ranges = Ranges::of(cx.registry);
    let mut program = Program { ranges, globals: BTreeSet::new(), functions: BTreeSet::new() };
    for body in &module.bodies {
        let Some((root, name)) = body.root().and_then(|r| Some((r, body.symbol_name(r)?))) else {
            continue;
        };
        if body.is(root, "util.func") && is_private(body, root) {
            program.functions.insert(name);
        }
        let ty = body.attr(root, "type").and_then(Attr::as_type);
        if body.is(root, "util.global") && ty.is_some_and(|ty| program.ranges.has(ty)) {
            program.globals.insert(name);
        }
    }
    let mut changed = Changed::No;
    let bodies = std::mem::take(&mut module.bodies);
    for mut body in bodies {
        let parts = global_parts(cx, &program, &body);
        if let Some(root) = body.root().filter(|&root| is_callable(cx.registry, &body, root)) {
            let before = body.bounds();
            Expand::callable(cx, &program, &mut body, root);
            changed |= Changed::when(before != body.bounds());
        }
        changed |= Changed::when(!parts.is_empty());
        module.bodies.push(body);
        module.bodies.extend(parts);
    }
    Ok(changed)
}

/// The globals that hold the range of this one.
fn global_parts(cx: &PassCx<'_>, program: &Program, body: &Body) -> Vec<Body> {
    let Some(root) = body.root() else { return Vec::new() };
    let name = body.symbol_name(root).filter(|name| program.globals.contains(name));
    let Some(name) = name.filter(|_| body.is(root, "util.global")) else { return Vec::new() };
    let part = |suffix: &&str| {
        let mut made = Body::new();
        let global = NewOp::new("util.global")
            .attr("sym_name", Attr::string(&format!("{name}{suffix}")))
            .attr_opt("sym_visibility", body.attr(root, "sym_visibility"))
            .attr("type", Attr::ty(Type::index()))
            .attr("is_mutable", Attr::unit())
            .loc(body.loc(root));
        let mut rw = Rewriter::new(&mut made, cx.registry);
        let at = InsertPoint::End(rw.body.top_block());
        rw.insert(at, global);
        made
    };
    PARTS.iter().map(part).collect()
}

fn is_private(body: &Body, func: OpId) -> bool {
    body.attr(func, "sym_visibility").and_then(Attr::as_str) == Some("private")
        && body.region_entry(func, 0).is_some()
}

/// What of the module the code of a function needs to know.
struct Program {
    ranges: Ranges,
    /// Globals of values that have ranges.
    globals: BTreeSet<&'static str>,
    /// Functions all of whose callers are here.
    functions: BTreeSet<&'static str>,
}

/// The ops of a dialect on ranges of its values.
struct RangeOps {
    /// The names of the types.
    types: Vec<String>,
    /// Takes the range of a value.
    subrange: String,
    /// Gives the size of a value.
    size: String,
}

/// The dialects whose values have ranges.
struct Ranges(Vec<RangeOps>);

impl Ranges {
    fn of(registry: &Registry) -> Ranges {
        let with = |ops: &[tegula_schema::OpDef], name: &str| {
            ops.iter().find(|op| op.has_trait(name)).map(|op| op.name.to_string())
        };
        let of_dialect = |entry: &tegula_ir::DialectEntry| {
            let ops = &entry.def.ops;
            let sized =
                |ty: &&tegula_schema::TypeDef| ty.traits.iter().any(|t| t == "SizeAwareType");
            Some(RangeOps {
                types: entry.def.types.iter().filter(sized).map(|ty| ty.name.to_string()).collect(),
                subrange: with(ops, "Subrange")?,
                size: with(ops, "SizeQuery")?,
            })
        };
        Ranges(registry.dialects().filter_map(of_dialect).collect())
    }
}

impl Ranges {
    /// The ops on ranges of values of a type.
    fn of_type(&self, ty: Type) -> Option<&RangeOps> {
        let TypeData::Dialect { name, .. } = ty.data() else { return None };
        let name = name.as_str();
        self.0.iter().find(|ops| ops.types.iter().any(|ty| ty == name))
    }

    fn has(&self, ty: Type) -> bool {
        self.of_type(ty).is_some()
    }

    /// The types that stand for a type from now on.
    fn expand(&self, ty: Type) -> impl Iterator<Item = Type> + use<> {
        let extra = if self.has(ty) { EXTRA } else { 0 };
        std::iter::once(ty).chain(std::iter::repeat_n(Type::index(), extra))
    }

    fn expand_all(&self, types: &[Type]) -> Vec<Type> {
        types.iter().flat_map(|&ty| self.expand(ty)).collect()
    }
}

/// A range of bytes of a value.
#[derive(Clone, Copy)]
struct Range {
    source: ValueId,
    size: ValueId,
    offset: ValueId,
    length: ValueId,
}

impl Range {
    fn values(self) -> [ValueId; 1 + EXTRA] {
        [self.source, self.size, self.offset, self.length]
    }
}

/// What values are ranges of.
type Known = FxHashMap<ValueId, Range>;

/// The edit of one function.
struct Expand<'a, 'b> {
    rw: Rewriter<'b>,
    patterns: &'a Patterns,
    program: &'a Program,
    /// The offset of whole values, and where it is made.
    zero: Option<ValueId>,
    first: InsertPoint,
}

impl Expand<'_, '_> {
    fn callable(cx: &PassCx<'_>, program: &Program, body: &mut Body, root: OpId) {
        let Some(region) = body.region(root, 0) else { return };
        let Some(entry) = body.first_block(region) else { return };
        let first = match body.first_op(entry) {
            Some(op) => InsertPoint::Before(op),
            None => InsertPoint::End(entry),
        };
        let rw = Rewriter::new(body, cx.registry);
        let mut this = Expand { rw, patterns: cx.patterns, program, zero: None, first };
        let own = this.name_of(root).is_some_and(|name| program.functions.contains(name));
        if own {
            this.signature(root);
        }
        if this.rw.body.is(root, "util.func") || this.rw.body.is(root, "util.initializer") {
            this.region(region, own, Known::default(), own);
        }
    }

    fn name_of(&self, op: OpId) -> Option<&'static str> {
        self.rw.body.symbol_name(op)
    }

    fn is_range(&self, value: ValueId) -> bool {
        self.program.ranges.has(self.rw.body.ty(value))
    }

    fn passes_ranges(&self, op: OpId) -> bool {
        let body = &*self.rw.body;
        body.operands(op).chain(body.results(op)).any(|value| self.is_range(value))
    }

    // What stands for values.

    /// The range that a value is, of another value or of itself.
    fn range_of(
        &mut self,
        value: ValueId,
        at: InsertPoint,
        user: OpId,
        known: &mut Known,
    ) -> Range {
        if let Some(&range) = known.get(&value) {
            return range;
        }
        let taken = self.rw.body.defining_op(value).and_then(|op| self.taken(op));
        let (range, made_here) = match taken {
            Some((range, _)) => (range, false),
            None => {
                let size = size_of(self.rw.registry, self.rw.body, value, user);
                let size = size.unwrap_or_else(|| self.query(value, at));
                (Range { source: value, size, offset: self.zero(), length: size }, true)
            }
        };
        // A size that stands in one of several blocks is not there in the others.
        if !made_here || self.is_only_block(user) {
            known.insert(value, range);
        }
        range
    }

    /// The range that an op takes, and its result.
    fn taken(&self, op: OpId) -> Option<(Range, ValueId)> {
        let (registry, body) = (self.rw.registry, &*self.rw.body);
        let def = registry.op(body.name(op))?.def();
        let declared = def.traits.iter().find(|t| t.name == "Subrange")?;
        let [result, source, size, offset, length] = declared.args.as_ref() else { return None };
        let operand = |name: &str| registry.operand_of(body, op, name);
        let range = Range {
            source: operand(source)?,
            size: operand(size)?,
            offset: operand(offset)?,
            length: operand(length)?,
        };
        Some((range, *registry.results_of(body, op, result).first()?))
    }

    fn is_only_block(&self, op: OpId) -> bool {
        let body = &*self.rw.body;
        let region = body.parent_block(op).and_then(|block| body.block_parent(block));
        region.is_some_and(|region| body.blocks(region).nth(1).is_none())
    }

    fn query(&mut self, value: ValueId, at: InsertPoint) -> ValueId {
        let ops = self.program.ranges.of_type(self.rw.body.ty(value));
        // Only values that have ranges are asked.
        let name = ops.map_or("", |ops| ops.size.as_str());
        self.rw.insert_value(at, NewOp::new(name).operand(value).result(Type::index()))
    }

    fn zero(&mut self) -> ValueId {
        let (first, rw) = (self.first, &mut self.rw);
        *self.zero.get_or_insert_with(|| {
            let zero = NewOp::new("arith.constant").attr("value", Attr::index(0));
            rw.insert_value(first, zero.result(Type::index()))
        })
    }

    /// Takes a range at a place; nothing but it uses what it is taken of afterwards.
    fn take(&mut self, at: InsertPoint, range: Range, loc: Attr) -> (OpId, ValueId) {
        let ty = self.rw.body.ty(range.source);
        let name = self.program.ranges.of_type(ty).map_or("", |ops| ops.subrange.as_str());
        let new = NewOp::new(name).operands(range.values()).result(ty).loc(loc);
        let made = self.rw.insert(at, new);
        (made, self.rw.body.result(made, 0))
    }

    /// Lets what uses the source of a range use the range, which is taken at a place.
    fn take_instead(&mut self, at: InsertPoint, range: Range, loc: Attr) -> OpId {
        let (made, value) = self.take(at, range, loc);
        self.rw.replace_uses_if(range.source, value, |body, slot| body.use_owner(slot) != made);
        made
    }
}

impl Expand<'_, '_> {
    // The walk.

    /// Edits a region: its blocks' arguments, and its ops, what dominates others before them.
    fn region(&mut self, region: RegionId, entry_too: bool, mut known: Known, own: bool) {
        let entry = self.rw.body.first_block(region);
        let blocks: Vec<BlockId> = self.rw.body.blocks(region).collect();
        for &block in &blocks {
            if entry_too || Some(block) != entry {
                self.arguments(block, &mut known);
            }
        }
        for block in forward(self.rw.body, entry, &blocks) {
            let ops: Vec<OpId> = self.rw.body.block_ops(block).collect();
            for op in ops {
                self.op(op, own, &mut known);
            }
        }
    }

    /// Gives a block the arguments that stand for its arguments.
    fn arguments(&mut self, block: BlockId, known: &mut Known) {
        let old: Vec<ValueId> = self.rw.body.block_args(block).to_vec();
        if !old.iter().any(|&arg| self.is_range(arg)) {
            return;
        }
        let mut taken = Vec::new();
        for &arg in &old {
            let types: Vec<Type> = self.program.ranges.expand(self.rw.body.ty(arg)).collect();
            let new: Vec<ValueId> =
                types.into_iter().map(|ty| self.rw.add_block_arg(block, ty)).collect();
            self.rw.replace_all_uses(arg, new[0]);
            if let &[source, size, offset, length] = &new[..] {
                taken.push(Range { source, size, offset, length });
            }
        }
        for index in (0..old.len()).rev() {
            self.rw.remove_block_arg(block, index);
        }
        let Some(loc) = self.rw.body.block_parent_op(block).map(|op| self.rw.body.loc(op)) else {
            return;
        };
        let mut at = InsertPoint::Start(block);
        for range in taken {
            known.insert(range.source, range);
            let made = self.take_instead(at, range, loc);
            at = InsertPoint::After(made);
        }
    }

    fn op(&mut self, op: OpId, own: bool, known: &mut Known) {
        if let Some((range, result)) = self.taken(op) {
            self.range_of_range(op, range, result, known);
            return;
        }
        let body = &*self.rw.body;
        match body.name(op).as_str() {
            "util.global.load" => self.load(op, known),
            "util.global.store" => self.store(op, known),
            "util.call" => self.call(op, known),
            "util.return" if own => self.pass_on(op, known),
            "util.return" => {}
            "cf.br" => {
                self.pass_on(op, known);
                self.renew(op);
            }
            _ if !body.successors(op).is_empty() => self.pass_on(op, known),
            _ if self.has_trait(op, "RegionBranchOpInterface") => self.regions(op, own, known),
            _ => {}
        }
    }

    fn has_trait(&self, op: OpId, name: &str) -> bool {
        let info = self.rw.registry.op(self.rw.body.name(op));
        info.is_some_and(|info| info.def().has_trait(name))
    }

    /// A range of a range is one of what that is a range of.
    fn range_of_range(&mut self, op: OpId, range: Range, result: ValueId, known: &mut Known) {
        if known.contains_key(&result) {
            return;
        }
        let outer = self.range_of(range.source, InsertPoint::After(op), op, known);
        if outer.source == range.source {
            return;
        }
        self.rw.set_insertion_point(InsertPoint::After(op));
        let sum = NewOp::new("arith.addi").operands([outer.offset, range.offset]);
        let sum = sum.result(Type::index()).loc(self.rw.body.loc(op));
        let Some(&offset) = create_or_fold(&mut self.rw, self.patterns, sum).first() else {
            return;
        };
        known.insert(result, Range { offset, length: range.length, ..outer });
    }

    /// The operands of an op with what stands for each.
    fn pass_on(&mut self, op: OpId, known: &mut Known) {
        let (registry, body) = (self.rw.registry, &*self.rw.body);
        if !body.operands(op).any(|value| self.is_range(value)) {
            return;
        }
        let Some(info) = registry.op(body.name(op)) else { return };
        let groups: Vec<String> = info.def().operands.iter().map(|g| g.name.to_string()).collect();
        for group in groups {
            let values = self.rw.registry.operands_of(self.rw.body, op, &group);
            if values.iter().any(|&value| self.is_range(value)) {
                let new = self.expanded(&values, op, known);
                let cases = (group == "caseOperands").then(|| self.case_sizes(op, &values));
                let registry = self.rw.registry;
                self.rw.modify(op, |body| {
                    registry.set_operands_of(body, op, &group, &new);
                    if let Some(sizes) = cases {
                        body.set_attr(op, CASE_SIZES, Attr::i32_array(&sizes));
                    }
                });
            }
        }
    }

    /// Puts an op of the same kind in the place of a branch, which counts as a change.
    fn renew(&mut self, op: OpId) {
        let body = &*self.rw.body;
        let new = NewOp::new(body.name(op))
            .operands(body.operands(op))
            .attrs(body.attrs(op))
            .successors(body.successors(op).iter().copied())
            .loc(body.loc(op));
        self.rw.replace_with(op, new);
    }

    /// How many operands each case of a switch passes once all are expanded.
    fn case_sizes(&self, op: OpId, mut values: &[ValueId]) -> Vec<i32> {
        let sizes = self.rw.body.attr(op, CASE_SIZES).and_then(Attr::as_dense_array).unwrap_or(&[]);
        let expanded = |size: &i64| {
            let count = usize::try_from(*size).unwrap_or(0).min(values.len());
            let (own, rest) = values.split_at(count);
            values = rest;
            let extra = own.iter().filter(|&&value| self.is_range(value)).count() * EXTRA;
            i32::try_from(count + extra).unwrap_or(i32::MAX)
        };
        sizes.iter().map(expanded).collect()
    }

    fn expanded(&mut self, values: &[ValueId], op: OpId, known: &mut Known) -> Vec<ValueId> {
        let mut all = Vec::new();
        for &value in values {
            match self.is_range(value) {
                true => {
                    all.extend(self.range_of(value, InsertPoint::Before(op), op, known).values());
                }
                false => all.push(value),
            }
        }
        all
    }

    /// Where the op's results are used, those of the new op are that it becomes.
    fn results(&mut self, op: OpId, new: OpId, known: &mut Known) {
        let (old, made): (Vec<ValueId>, Vec<ValueId>) =
            (self.rw.body.results(op).collect(), self.rw.body.results(new).collect());
        let loc = self.rw.body.loc(op);
        let mut made = made.into_iter();
        let mut at = InsertPoint::After(new);
        for value in old {
            let Some(source) = made.next() else { return };
            if !self.is_range(value) {
                self.rw.replace_all_uses(value, source);
                continue;
            }
            let (Some(size), Some(offset), Some(length)) = (made.next(), made.next(), made.next())
            else {
                return;
            };
            let range = Range { source, size, offset, length };
            known.insert(source, range);
            let (taken, part) = self.take(at, range, loc);
            at = InsertPoint::After(taken);
            self.rw.replace_all_uses(value, part);
        }
        self.rw.erase(op);
    }

    fn result_types(&self, op: OpId) -> Vec<Type> {
        let body = &*self.rw.body;
        let types: Vec<Type> = body.results(op).map(|value| body.ty(value)).collect();
        self.program.ranges.expand_all(&types)
    }

    fn global_of(&self, op: OpId) -> Option<&'static str> {
        let global = self.rw.body.attr(op, "global").and_then(Attr::as_symbol_root)?.as_str();
        self.program.globals.contains(global).then_some(global)
    }

    fn load(&mut self, op: OpId, known: &mut Known) {
        let Some(global) = self.global_of(op) else { return };
        let loc = self.rw.body.loc(op);
        let mut at = op;
        let [size, offset, length] = PARTS.map(|part| {
            let load = NewOp::new("util.global.load")
                .attr("global", Attr::symbol(&format!("{global}{part}")))
                .result(Type::index());
            at = self.rw.insert(InsertPoint::After(at), load.loc(loc));
            self.rw.body.result(at, 0)
        });
        let range = Range { source: self.rw.body.result(op, 0), size, offset, length };
        known.insert(range.source, range);
        self.take_instead(InsertPoint::After(at), range, loc);
    }

    fn store(&mut self, op: OpId, known: &mut Known) {
        let Some(global) = self.global_of(op) else { return };
        let (value, loc) = (self.rw.body.operand(op, 0), self.rw.body.loc(op));
        let range = self.range_of(value, InsertPoint::Before(op), op, known);
        self.rw.set_operand(op, 0, range.source);
        let mut at = op;
        for (part, value) in PARTS.iter().zip([range.size, range.offset, range.length]) {
            let store = NewOp::new("util.global.store")
                .attr("global", Attr::symbol(&format!("{global}{part}")))
                .operand(value);
            at = self.rw.insert(InsertPoint::After(at), store.loc(loc));
        }
    }

    fn call(&mut self, op: OpId, known: &mut Known) {
        let callee = self.rw.body.attr(op, "callee").and_then(Attr::as_symbol_root);
        let known_callee = callee.is_some_and(|c| self.program.functions.contains(c.as_str()));
        if !known_callee || !self.passes_ranges(op) {
            return;
        }
        let body = &*self.rw.body;
        let operands: Vec<ValueId> = body.operands(op).collect();
        let types = |values: &[ValueId]| values.iter().map(|&v| body.ty(v)).collect::<Vec<Type>>();
        let (takes, gives) = (types(&operands), types(&body.results(op).collect::<Vec<_>>()));
        let attrs = self.signature_attrs(op, &takes, &gives);
        let new = self.expanded(&operands, op, known);
        let call = NewOp::new("util.call")
            .operands(new)
            .results(self.result_types(op))
            .attrs(attrs)
            .loc(self.rw.body.loc(op));
        let made = self.rw.insert(InsertPoint::Before(op), call);
        self.results(op, made, known);
    }

    /// An op whose regions pass values to each other and to its results.
    fn regions(&mut self, op: OpId, own: bool, known: &mut Known) {
        if !self.passes_ranges(op) {
            for region in self.rw.body.regions(op).to_vec() {
                self.region(region, false, known.clone(), own);
            }
            return;
        }
        self.pass_on(op, known);
        let body = &*self.rw.body;
        let new = NewOp::new(body.name(op))
            .operands(body.operands(op).collect::<Vec<_>>())
            .results(self.result_types(op))
            .attrs(body.attrs(op))
            .loc(body.loc(op));
        let old: Vec<RegionId> = body.regions(op).to_vec();
        let made = self.rw.insert(InsertPoint::Before(op), new);
        for from in old {
            let to = self.rw.add_region(made);
            self.rw.take_region(from, to);
            if let Some(entry) = self.rw.body.first_block(to) {
                self.arguments(entry, known);
            }
            self.region(to, false, known.clone(), own);
            let ends: Vec<OpId> =
                self.rw.body.blocks(to).filter_map(|block| self.rw.body.last_op(block)).collect();
            for end in ends {
                if self.rw.body.successors(end).is_empty() {
                    self.pass_on(end, known);
                }
            }
        }
        self.results(op, made, known);
    }

    // Signatures.

    fn signature(&mut self, func: OpId) {
        let ty = self.rw.body.attr(func, "function_type").and_then(Attr::as_type);
        let Some(TypeData::Function { inputs, results }) = ty.map(|ty| ty.data()) else { return };
        let ranges = &self.program.ranges;
        let new = Type::function(&ranges.expand_all(inputs), &ranges.expand_all(results));
        let attrs = self.signature_attrs(func, inputs, results);
        self.rw.modify(func, |body| {
            body.set_attrs(func, attrs);
            body.set_attr(func, "function_type", Attr::ty(new));
        });
    }

    /// The attributes of a function or call of these types, with one entry for each value that
    /// stands for an argument or result.
    fn signature_attrs(&self, op: OpId, inputs: &[Type], results: &[Type]) -> Attr {
        let body = &*self.rw.body;
        let ranges = &self.program.ranges;
        let spread = |name: &str, types: &[Type], filler: Attr, map: &dyn Fn(Attr) -> Attr| {
            let items = body.attr(op, name)?.as_array()?;
            let each = items.iter().zip(types).flat_map(|(&item, &ty)| {
                let extra = ranges.expand(ty).skip(1).map(|_| filler);
                std::iter::once(map(item)).chain(extra)
            });
            Some((tegula_ir::Ident::of(name), Attr::array(&each.collect::<Vec<_>>())))
        };
        let starts: Vec<i64> = (inputs.iter())
            .scan(0, |at, &ty| {
                let start = *at;
                *at += ranges.expand(ty).count() as i64;
                Some(start)
            })
            .collect();
        let moved = |tie: Attr| {
            let at = tie.as_int().and_then(|at| usize::try_from(at).ok());
            Attr::index(at.and_then(|at| starts.get(at).copied()).unwrap_or(-1))
        };
        let changed = [
            spread("tied_operands", results, Attr::index(-1), &moved),
            spread("arg_attrs", inputs, Attr::empty_dict(), &|attr| attr),
            spread("res_attrs", results, Attr::empty_dict(), &|attr| attr),
        ];
        let kept = body.attr_entries(op).iter().copied();
        let is_changed = |name| changed.iter().flatten().any(|(other, _)| *other == name);
        let kept = kept.filter(|(name, _)| !is_changed(*name)).collect::<Vec<_>>();
        Attr::dict(kept.into_iter().chain(changed.iter().flatten().copied()))
    }
}

/// The blocks that can be reached, each after those that dominate it.
fn forward(body: &Body, entry: Option<BlockId>, blocks: &[BlockId]) -> Vec<BlockId> {
    let Some(entry) = entry.filter(|_| blocks.len() > 1) else { return blocks.to_vec() };
    let mut seen = BTreeSet::from([entry]);
    let mut order = Vec::new();
    // Each block with the successors that are not visited yet.
    let mut open = vec![(entry, 0)];
    while let Some((block, next)) = open.last_mut() {
        let end = body.last_op(*block);
        match end.and_then(|end| body.successors(end).get(*next).copied()) {
            Some(successor) => {
                *next += 1;
                if seen.insert(successor) {
                    open.push((successor, 0));
                }
            }
            None => {
                order.push(*block);
                open.pop();
            }
        }
    }
    order.reverse();
    order
}
