//! A value becomes several, wherever it goes in a program: what stands beside it goes with it through
//! functions and calls, globals, branches and the regions of ops.
//!
//! [`Expansion`] says what stands beside which values; what a function must know of the program is
//! [`Program`]. Nothing is simplified here.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};
use tegula_ir::{
    Attr, BlockId, Body, Ident, InsertPoint, NewOp, OpId, RegionId, Registry, Type, TypeData,
    ValueId, segments_attr,
};
use tegula_rewrite::Rewriter;

/// What stands for a value.
#[derive(Clone, Debug)]
pub struct Parts {
    /// The value that goes in its place.
    pub value: ValueId,
    /// What stands beside it.
    pub beside: Vec<ValueId>,
}

/// What stands for values, as far as it is known.
pub type Known = FxHashMap<ValueId, Parts>;

/// By which way a value and what stands beside it come in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// As arguments of a function or of a block that is branched to.
    Block,
    /// As arguments of a region.
    Region,
    /// As results of an op with regions.
    Results,
    /// As results of a call.
    Call,
    /// Out of globals.
    Globals,
}

/// Which values become several, and how.
pub trait Expansion {
    /// What the names of the globals end in that hold what stands beside a global's value.
    const PARTS: &'static [&'static str];
    /// These globals are read and written before the global itself.
    const PARTS_FIRST: bool;

    /// The types of what stands beside values of a type.
    fn beside(&self, ty: Type) -> Vec<Type>;

    /// What stands for a value that an op passes on.
    fn give(
        &mut self,
        rw: &mut Rewriter<'_>,
        value: ValueId,
        user: OpId,
        known: &mut Known,
    ) -> Parts;

    /// Lets what uses the value use what it is together with what stands beside it; ops for that go
    /// to a place, and where the next may go is given back.
    fn take(
        &mut self,
        rw: &mut Rewriter<'_>,
        at: InsertPoint,
        way: Way,
        parts: Parts,
        loc: Attr,
        known: &mut Known,
    ) -> InsertPoint;

    /// Edits an op of its own; says whether it is one.
    fn visit(&mut self, rw: &mut Rewriter<'_>, op: OpId, known: &mut Known) -> bool;
}

/// What of the module the code of a function needs to know.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// Functions all of whose callers are known.
    pub functions: FxHashSet<Ident>,
}

/// The name of a function all of whose callers are known.
pub fn private_function(body: &Body, root: OpId) -> Option<Ident> {
    let is_private = body.is(root, "util.func")
        && body.attr(root, "sym_visibility").and_then(Attr::as_str) == Some("private")
        && body.region_entry(root, 0).is_some();
    is_private.then(|| body.symbol_name(root).map(Ident::of)).flatten()
}

/// The globals that hold what stands beside the value of this one; the value at first is `initial`.
pub fn global_parts<E: Expansion>(
    expansion: &E,
    registry: &Registry,
    body: &Body,
    initial: impl Fn(Type) -> Option<Attr>,
) -> Vec<Body> {
    let Some(root) = body.root().filter(|&root| body.is(root, "util.global")) else {
        return Vec::new();
    };
    let (Some(name), Some(ty)) =
        (body.symbol_name(root), body.attr(root, "type").and_then(Attr::as_type))
    else {
        return Vec::new();
    };
    let part = |(suffix, ty): (&&str, Type)| {
        let mut made = Body::new();
        let global = NewOp::new("util.global")
            .attr("sym_name", Attr::string(&format!("{name}{suffix}")))
            .attr_opt("sym_visibility", body.attr(root, "sym_visibility"))
            .attr("type", Attr::ty(ty))
            .attr("is_mutable", Attr::unit())
            .attr_opt("initial_value", initial(ty))
            .loc(body.loc(root));
        let mut rw = Rewriter::new(&mut made, registry);
        let at = InsertPoint::End(rw.body.top_block());
        rw.insert(at, global);
        made
    };
    E::PARTS.iter().zip(expansion.beside(ty)).map(part).collect()
}

/// Edits a function or an initializer.
pub fn expand<E: Expansion>(rw: Rewriter<'_>, root: OpId, program: &Program, expansion: &mut E) {
    let Some(region) = rw.body.region(root, 0) else { return };
    let own = private_function(rw.body, root).is_some();
    let mut this = Expand { rw, program, expansion };
    if own {
        this.signature(root);
    }
    if this.rw.body.is(root, "util.func") || this.rw.body.is(root, "util.initializer") {
        this.region(region, own, Known::default(), own);
    }
}

struct Expand<'a, 'b, E> {
    rw: Rewriter<'b>,
    program: &'a Program,
    expansion: &'a mut E,
}

impl<E: Expansion> Expand<'_, '_, E> {
    fn is_several(&self, value: ValueId) -> bool {
        !self.expansion.beside(self.rw.body.ty(value)).is_empty()
    }

    fn passes_several(&self, op: OpId) -> bool {
        let body = &*self.rw.body;
        body.operands(op).chain(body.results(op)).any(|value| self.is_several(value))
    }

    fn types(&self, types: &[Type]) -> Vec<Type> {
        types.iter().flat_map(|&ty| std::iter::once(ty).chain(self.expansion.beside(ty))).collect()
    }

    /// Edits a region: its blocks' arguments, and its ops, what dominates others before them.
    fn region(&mut self, region: RegionId, entry_too: bool, mut known: Known, own: bool) {
        let entry = self.rw.body.first_block(region);
        let blocks: Vec<BlockId> = self.rw.body.blocks(region).collect();
        for &block in &blocks {
            if entry_too || Some(block) != entry {
                self.arguments(block, Way::Block, &mut known);
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
    fn arguments(&mut self, block: BlockId, way: Way, known: &mut Known) {
        let old: Vec<ValueId> = self.rw.body.block_args(block).to_vec();
        if !old.iter().any(|&arg| self.is_several(arg)) {
            return;
        }
        let mut taken = Vec::new();
        for &arg in &old {
            let types = self.types(&[self.rw.body.ty(arg)]);
            let mut new = types.into_iter().map(|ty| self.rw.add_block_arg(block, ty));
            let Some(value) = new.next() else { continue };
            let beside: Vec<ValueId> = new.collect();
            self.rw.replace_all_uses(arg, value);
            if !beside.is_empty() {
                taken.push(Parts { value, beside });
            }
        }
        for index in (0..old.len()).rev() {
            self.rw.remove_block_arg(block, index);
        }
        let Some(loc) = self.rw.body.block_parent_op(block).map(|op| self.rw.body.loc(op)) else {
            return;
        };
        let mut at = InsertPoint::Start(block);
        for parts in taken {
            at = self.expansion.take(&mut self.rw, at, way, parts, loc, known);
        }
    }

    fn op(&mut self, op: OpId, own: bool, known: &mut Known) {
        if self.expansion.visit(&mut self.rw, op, known) {
            return;
        }
        let body = &*self.rw.body;
        let has_regions = |name: &str| {
            self.rw.registry.op(body.name(op)).is_some_and(|info| info.def().has_trait(name))
        };
        match body.name(op).as_str() {
            "util.global.load" => self.load(op, known),
            "util.global.store" => self.store(op, known),
            "util.call" => self.call(op, known),
            "util.return" if own => self.pass_on(op, known),
            "util.return" => {}
            _ if !body.successors(op).is_empty() => self.pass_on(op, known),
            _ if has_regions("RegionBranchOpInterface") => self.regions(op, own, known),
            _ => {}
        }
    }

    /// The operands of an op with what stands for each.
    fn pass_on(&mut self, op: OpId, known: &mut Known) {
        let (registry, body) = (self.rw.registry, &*self.rw.body);
        if !body.operands(op).any(|value| self.is_several(value)) {
            return;
        }
        let Some(info) = registry.op(body.name(op)) else { return };
        let def = info.def();
        for group in def.operands.iter().map(|group| group.name.as_ref()) {
            let values = registry.operands_of(self.rw.body, op, group);
            if !values.iter().any(|&value| self.is_several(value)) {
                continue;
            }
            let new = self.expanded(&values, op, known);
            let divided = segments_attr(def, group);
            let sizes = divided.map(|attribute| (attribute, self.segments(op, attribute, &values)));
            self.rw.modify(op, |body| {
                registry.set_operands_of(body, op, group, &new);
                if let Some((attribute, sizes)) = sizes {
                    body.set_attr(op, attribute, Attr::i32_array(&sizes));
                }
            });
        }
    }

    /// How many operands go to each successor once all are expanded.
    fn segments(&self, op: OpId, attribute: &str, mut values: &[ValueId]) -> Vec<i32> {
        let sizes = self.rw.body.attr(op, attribute).and_then(Attr::as_dense_array).unwrap_or(&[]);
        let expanded = |size: &i64| {
            let count = usize::try_from(*size).unwrap_or(0).min(values.len());
            let (own, rest) = values.split_at(count);
            values = rest;
            let types: Vec<Type> = own.iter().map(|&value| self.rw.body.ty(value)).collect();
            i32::try_from(self.types(&types).len()).unwrap_or(i32::MAX)
        };
        sizes.iter().map(expanded).collect()
    }

    fn expanded(&mut self, values: &[ValueId], op: OpId, known: &mut Known) -> Vec<ValueId> {
        let mut all = Vec::new();
        for &value in values {
            if !self.is_several(value) {
                all.push(value);
                continue;
            }
            let parts = self.expansion.give(&mut self.rw, value, op, known);
            all.push(parts.value);
            all.extend(parts.beside);
        }
        all
    }

    /// Where the op's results are used, those of the new op are that it becomes.
    fn results(&mut self, op: OpId, new: OpId, way: Way, known: &mut Known) {
        let (old, made): (Vec<ValueId>, Vec<ValueId>) =
            (self.rw.body.results(op).collect(), self.rw.body.results(new).collect());
        let loc = self.rw.body.loc(op);
        let mut made = made.into_iter();
        let mut at = InsertPoint::After(new);
        for result in old {
            let count = self.expansion.beside(self.rw.body.ty(result)).len();
            let Some(value) = made.next() else { return };
            self.rw.replace_all_uses(result, value);
            let beside: Vec<ValueId> = made.by_ref().take(count).collect();
            if count > 0 {
                at =
                    self.expansion.take(&mut self.rw, at, way, Parts { value, beside }, loc, known);
            }
        }
        self.rw.erase(op);
    }

    fn result_types(&self, op: OpId) -> Vec<Type> {
        let body = &*self.rw.body;
        let types: Vec<Type> = body.results(op).map(|value| body.ty(value)).collect();
        self.types(&types)
    }

    /// The global that an op reads or writes.
    fn global_of(&self, op: OpId) -> Option<&'static str> {
        Some(self.rw.body.attr(op, "global").and_then(Attr::as_symbol_root)?.as_str())
    }

    fn load(&mut self, op: OpId, known: &mut Known) {
        let value = self.rw.body.result(op, 0);
        let types = self.expansion.beside(self.rw.body.ty(value));
        let Some(global) = self.global_of(op).filter(|_| !types.is_empty()) else { return };
        let loc = self.rw.body.loc(op);
        let mut at = op;
        let mut beside = Vec::new();
        for (part, ty) in E::PARTS.iter().zip(types) {
            let load = NewOp::new("util.global.load")
                .attr("global", Attr::symbol(&format!("{global}{part}")))
                .result(ty);
            let place =
                if E::PARTS_FIRST { InsertPoint::Before(op) } else { InsertPoint::After(at) };
            let load = self.rw.insert(place, load.loc(loc));
            beside.push(self.rw.body.result(load, 0));
            at = if E::PARTS_FIRST { op } else { load };
        }
        let parts = Parts { value, beside };
        let at = InsertPoint::After(at);
        self.expansion.take(&mut self.rw, at, Way::Globals, parts, loc, known);
    }

    fn store(&mut self, op: OpId, known: &mut Known) {
        let (value, loc) = (self.rw.body.operand(op, 0), self.rw.body.loc(op));
        let Some(global) = self.global_of(op).filter(|_| self.is_several(value)) else { return };
        let parts = self.expansion.give(&mut self.rw, value, op, known);
        self.rw.set_operand(op, 0, parts.value);
        let mut at = op;
        for (part, value) in E::PARTS.iter().zip(parts.beside) {
            let store = NewOp::new("util.global.store")
                .attr("global", Attr::symbol(&format!("{global}{part}")))
                .operand(value);
            let place =
                if E::PARTS_FIRST { InsertPoint::Before(op) } else { InsertPoint::After(at) };
            at = self.rw.insert(place, store.loc(loc));
        }
    }

    fn call(&mut self, op: OpId, known: &mut Known) {
        let callee = self.rw.body.attr(op, "callee").and_then(Attr::as_symbol_root);
        let is_known = callee.is_some_and(|callee| self.program.functions.contains(&callee));
        if !is_known || !self.passes_several(op) {
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
        self.results(op, made, Way::Call, known);
    }

    /// An op whose regions pass values to each other and to its results.
    fn regions(&mut self, op: OpId, own: bool, known: &mut Known) {
        if !self.passes_several(op) {
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
                self.arguments(entry, Way::Region, known);
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
        self.results(op, made, Way::Results, known);
    }

    fn signature(&mut self, func: OpId) {
        let ty = self.rw.body.attr(func, "function_type").and_then(Attr::as_type);
        let Some(TypeData::Function { inputs, results }) = ty.map(|ty| ty.data()) else { return };
        let new = Type::function(&self.types(inputs), &self.types(results));
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
        let spread = |name: &str, types: &[Type], filler: Attr, map: &dyn Fn(Attr) -> Attr| {
            let items = body.attr(op, name)?.as_array()?;
            let each = items.iter().zip(types).flat_map(|(&item, &ty)| {
                let extra = self.expansion.beside(ty).len();
                std::iter::once(map(item)).chain(std::iter::repeat_n(filler, extra))
            });
            Some((Ident::of(name), Attr::array(&each.collect::<Vec<_>>())))
        };
        let starts: Vec<i64> = (inputs.iter())
            .scan(0, |at, &ty| {
                let start = *at;
                *at += 1 + self.expansion.beside(ty).len() as i64;
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
