//! `iree-stream-propagate-timepoints`: makes work wait for the timepoints of the resources that it
//! uses, wherever they come from.
//!
//! Each resource becomes two values, itself and the timepoint at which it may be used, in functions
//! and calls, globals, branches and regions. What was awaited goes out as it was before the await;
//! any other resource is ready at once.

use indexmap::IndexSet;
use tegula_dialect_util::expand::{
    Expansion, Known, Parts, Program, Way, expand, global_parts, private_function,
};
use tegula_ir::{
    Attr, Body, Ident, InsertPoint, NewOp, OpId, Registry, Type, TypeData, ValueId, ValueKind,
};
use tegula_pass::{Changed, Failed, Header, PassCx, PassResult, ShareFacts};
use tegula_rewrite::{IrMapping, Rewriter, operand_size};

use super::support::{await_group, is_resource, lifetime, set_awaits, size_at, timepoint_type};

/// The pass.
pub(crate) struct PropagateTimepoints;

impl ShareFacts for PropagateTimepoints {
    /// A function all of whose callers are known, and that takes or gives resources.
    type Shared = Ident;
    type Common = Program;

    fn share(&self, _: &Registry, _: &Header, body: &Body, root: OpId) -> Option<Ident> {
        let ty = body.attr(root, "function_type").and_then(Attr::as_type);
        let passes = ty.is_some_and(|ty| match ty.data() {
            TypeData::Function { inputs, results } => {
                inputs.iter().chain(results.iter()).any(|&ty| lifetime(ty).is_some())
            }
            _ => false,
        });
        private_function(body, root).filter(|_| passes)
    }

    fn common(&self, _: &mut PassCx<'_>, shared: &[&Ident]) -> Result<Program, Failed> {
        Ok(Program { functions: shared.iter().map(|&&name| name).collect() })
    }

    fn apply(
        &self,
        cx: &mut PassCx<'_>,
        body: &mut Body,
        root: OpId,
        program: &Program,
    ) -> PassResult {
        let mut timepoints = Timepoints { touched: false };
        let parts = global_parts(&timepoints, cx.registry, body, |_| Some(immediate()));
        let emits = Changed::when(!parts.is_empty());
        for part in parts {
            cx.emit(part);
        }
        expand(cx.rewriter(body), root, program, &mut timepoints);
        Ok(emits | Changed::when(timepoints.touched))
    }
}

/// A resource becomes two values: itself and the timepoint at which it may be used.
struct Timepoints {
    touched: bool,
}

impl Expansion for Timepoints {
    const PARTS: &'static [&'static str] = &["__timepoint"];
    const PARTS_FIRST: bool = true;

    fn beside(&self, ty: Type) -> Vec<Type> {
        lifetime(ty).map(|_| timepoint_type()).into_iter().collect()
    }

    fn give(
        &mut self,
        rw: &mut Rewriter<'_>,
        value: ValueId,
        user: OpId,
        known: &mut Known,
    ) -> Parts {
        self.touched = true;
        if let Some(parts) = known.get(&value) {
            return parts.clone();
        }
        let (value, timepoint) = match rw.body.definition(value) {
            ValueKind::Result(op, _) if rw.body.is(op, "stream.timepoint.await") => {
                awaited(rw, op, value)
            }
            ValueKind::Result(op, _) => (value, reached_by(rw, op)),
            ValueKind::Arg(..) => (value, None),
        };
        let timepoint = timepoint.unwrap_or_else(|| {
            let ready = NewOp::new("stream.timepoint.immediate").result(timepoint_type());
            rw.insert_value(InsertPoint::Before(user), ready)
        });
        Parts { value, beside: vec![timepoint] }
    }

    fn take(
        &mut self,
        rw: &mut Rewriter<'_>,
        at: InsertPoint,
        way: Way,
        parts: Parts,
        loc: Attr,
        known: &mut Known,
    ) -> InsertPoint {
        self.touched = true;
        let resource = parts.value;
        known.insert(resource, parts.clone());
        let size = match way {
            // Who uses the resource in the region waits for it there.
            Way::Region => return at,
            Way::Block => size_of_argument(rw, resource, at),
            Way::Call | Way::Results => query(rw, resource, at),
            Way::Globals => size_at(rw, resource, at),
        };
        let after = at;
        let asked = rw.body.defining_op(size);
        let asks_here = asked.is_some_and(|op| rw.body.operands(op).any(|v| v == resource));
        let at = asked.filter(|_| asks_here).map_or(at, InsertPoint::After);
        let awaited = rw
            .registry
            .new_op("stream.timepoint.await")
            .operands("resource_operands", [resource])
            .operands("resource_operand_sizes", [size])
            .operands("await_timepoint", parts.beside)
            .results("results", [rw.body.ty(resource)])
            .build()
            .loc(loc);
        let awaited = rw.insert(at, awaited);
        let ready = rw.body.result(awaited, 0);
        rw.replace_uses_if(resource, ready, |body, slot| {
            let owner = body.use_owner(slot);
            owner != awaited && Some(owner) != asked
        });
        // Of several results the last is waited for first.
        if way == Way::Results { after } else { InsertPoint::After(awaited) }
    }

    fn visit(&mut self, rw: &mut Rewriter<'_>, op: OpId, known: &mut Known) -> bool {
        match rw.body.name(op).as_str() {
            "stream.timepoint.await" => note_awaited(rw, op, known),
            "stream.timepoint.barrier" => {
                let resource = rw.body.operand(op, 0);
                let parts = self.give(rw, resource, op, known);
                rw.replace(op, &[parts.value, parts.beside[0]]);
            }
            _ if await_group(rw.registry, rw.body, op).is_some() => self.wait(rw, op, known),
            // Regions that resources go around of stay as they are.
            _ => return passes_nothing(rw, op),
        }
        true
    }
}

impl Timepoints {
    /// Makes an op wait for what it uses.
    fn wait(&mut self, rw: &mut Rewriter<'_>, op: OpId, known: &mut Known) {
        let registry = rw.registry;
        let Some(group) = await_group(registry, rw.body, op) else { return };
        let mut timepoints: IndexSet<ValueId> =
            registry.operands_of(rw.body, op, group).into_iter().collect();
        let before = timepoints.clone();
        for index in 0..rw.body.num_operands(op) {
            let operand = rw.body.operand(op, index);
            if is_resource(rw.body, operand) {
                let parts = self.give(rw, operand, op, known);
                timepoints.extend(parts.beside);
                if parts.value != operand {
                    rw.set_operand(op, index, parts.value);
                }
            }
        }
        if timepoints != before {
            set_awaits(rw, op, group, &timepoints.into_iter().collect::<Vec<_>>());
        }
        if let Some(reached) = reached_by(rw, op) {
            let results: Vec<ValueId> = rw.body.results(op).collect();
            for value in results.into_iter().filter(|&value| is_resource(rw.body, value)) {
                known.insert(value, Parts { value, beside: vec![reached] });
            }
        }
    }
}

/// What an await makes a value of, and the timepoint that it waits for; what the host has waited for
/// is ready.
fn awaited(rw: &Rewriter<'_>, op: OpId, value: ValueId) -> (ValueId, Option<ValueId>) {
    let (registry, body) = (rw.registry, &*rw.body);
    if body.attr(op, "sync").is_some() {
        return (value, None);
    }
    let sources = registry.operands_of(body, op, "resource_operands");
    let source = body.results(op).zip(sources).find(|(result, _)| *result == value);
    let timepoint = registry.operand_of(body, op, "await_timepoint");
    (source.map_or(value, |(_, source)| source), timepoint)
}

/// What an await waits for it may be used from its timepoint on; of arguments that is known before.
fn note_awaited(rw: &Rewriter<'_>, op: OpId, known: &mut Known) {
    let (registry, body) = (rw.registry, &*rw.body);
    let timepoint = registry.operand_of(body, op, "await_timepoint");
    let Some(timepoint) = timepoint.filter(|_| body.attr(op, "sync").is_none()) else { return };
    for value in registry.operands_of(body, op, "resource_operands") {
        if body.defining_op(value).is_some() {
            known.insert(value, Parts { value, beside: vec![timepoint] });
        }
    }
}

/// The timepoint at which what an op does is done.
fn reached_by(rw: &Rewriter<'_>, op: OpId) -> Option<ValueId> {
    rw.registry.results_of(rw.body, op, "result_timepoint").first().copied()
}

/// Whether an op has regions to which and from which no resource goes.
fn passes_nothing(rw: &Rewriter<'_>, op: OpId) -> bool {
    let body = &*rw.body;
    let has_flow = rw
        .registry
        .op(body.name(op))
        .is_some_and(|info| info.def().has_trait("RegionBranchOpInterface"));
    has_flow && !body.operands(op).chain(body.results(op)).any(|value| is_resource(body, value))
}

/// The size of an argument of a block: one that somebody says who uses it, where that is known
/// before, a copy of it where it is a constant.
fn size_of_argument(rw: &mut Rewriter<'_>, resource: ValueId, at: InsertPoint) -> ValueId {
    let around = rw.body.defining_block(resource).and_then(|b| rw.body.block_parent_op(b));
    let users: Vec<OpId> = rw.body.users(resource).collect();
    for user in users {
        let body = &*rw.body;
        let Some(size) = operand_size(rw.registry, body, user, resource) else { continue };
        let Some(made_in) = body.defining_block(size) else { continue };
        let is_outside = around.is_some_and(|op| body.ancestor_in_block(made_in, op).is_some());
        let entry = body.block_parent(made_in).and_then(|region| body.first_block(region));
        let made_by = body.defining_op(size);
        if is_outside || (made_by.is_none() && entry == Some(made_in)) {
            return size;
        }
        let is_constant =
            |op: &OpId| rw.registry.op(body.name(*op)).is_some_and(|info| info.constant_like);
        if let Some(op) = made_by.filter(is_constant) {
            let copy = rw.clone_op(op, at, &mut IrMapping::new());
            return rw.body.result(copy, 0);
        }
    }
    query(rw, resource, at)
}

fn query(rw: &mut Rewriter<'_>, resource: ValueId, at: InsertPoint) -> ValueId {
    let query = NewOp::new("stream.resource.size").operand(resource);
    rw.insert_value(at, query.result(Type::index()))
}

/// The timepoint that has always been reached, as the value of a global.
fn immediate() -> Attr {
    Attr::dialect("stream.timepoint", &[])
}
