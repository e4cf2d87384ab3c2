//! `iree-stream-refine-usage`: gives resources of undecided lifetime the one that their uses ask
//! for.
//!
//! Where a lifetime is decided and another is asked for, the resource is transferred to it.

use tegula_ir::{Attr, Body, InsertPoint, OpId, Registry, Type, TypeData, ValueId};
use tegula_pass::{Changed, Failed, Header, PassCx, PassResult, ShareFacts};
use tegula_rewrite::{Rewriter, result_size};

use super::support::{lifetime, resource_type, size_at};
use super::usage::{Known, Places, Usage, lifetime_of};

const UNDECIDED: &str = "*";

/// The pass.
pub(crate) struct RefineUsage;

impl ShareFacts for RefineUsage {
    /// How a body uses its resources, where not all that goes to and comes from others is decided.
    type Shared = Usage;
    type Common = Known;

    fn share(&self, registry: &Registry, _: &Header, body: &Body, root: OpId) -> Option<Usage> {
        let (usage, _) = Usage::of(registry, body, root);
        usage.is_open().then_some(usage)
    }

    fn common(&self, _: &mut PassCx<'_>, shared: &[&Usage]) -> Result<Known, Failed> {
        Ok(Known::of(shared))
    }

    fn apply(&self, cx: &mut PassCx<'_>, body: &mut Body, root: OpId, known: &Known) -> PassResult {
        let (mut usage, places) = Usage::of(cx.registry, body, root);
        usage.learn(known);
        let refine = Refine { usage: &usage, places: &places };
        let mut rw = cx.rewriter(body);
        let moves = refine.transfers(&rw, root);
        let mut changed = refine.types(&mut rw, root);
        for (op, value) in &moves {
            refine.transfer(&mut rw, *op, *value);
        }
        changed |= !moves.is_empty();
        changed |= casts(&mut rw, root);
        match changed {
            true => Ok(Changed::Yes | cx.greedy(body, root, &[])?),
            false => Ok(Changed::No),
        }
    }
}

struct Refine<'a> {
    usage: &'a Usage,
    places: &'a Places,
}

impl Refine<'_> {
    /// The type that a resource's uses ask for.
    fn asked(&self, value: ValueId) -> Option<Type> {
        let at = self.places.get(&value)?;
        Some(resource_type(lifetime_of(self.usage.at(*at))))
    }

    /// The results of decided lifetime that are used as if they had another.
    fn transfers(&self, rw: &Rewriter<'_>, root: OpId) -> Vec<(OpId, ValueId)> {
        let body = &*rw.body;
        let mut moves = Vec::new();
        for op in body.walk(root) {
            let name = body.name(op);
            let may_move = match name.dialect() {
                "stream" => name.as_str() != "stream.async.transfer",
                "scf" => true,
                _ => matches!(
                    name.as_str(),
                    "arith.select" | "util.call" | "util.optimization_barrier"
                ),
            };
            for value in body.results(op).filter(|_| may_move) {
                let is = lifetime(body.ty(value));
                let differs = is.is_some_and(|is| is != UNDECIDED)
                    && self.asked(value).is_some_and(|asked| asked != body.ty(value));
                if differs && !goes_on(body, value) {
                    moves.push((op, value));
                }
            }
        }
        moves
    }

    /// Decides the types of values and functions.
    fn types(&self, rw: &mut Rewriter<'_>, root: OpId) -> bool {
        let open = |body: &Body, value: ValueId| lifetime(body.ty(value)) == Some(UNDECIDED);
        let returned = self.returned(rw, root);
        let mut changed = false;
        for &value in self.places.keys() {
            if open(rw.body, value)
                && let Some(asked) = self.asked(value)
            {
                rw.set_type(value, asked);
                changed = true;
            }
        }
        let ty = rw.body.attr(root, "function_type").and_then(Attr::as_type);
        let entry = rw.body.region_entry(root, 0);
        if let (Some(TypeData::Function { inputs, results }), Some(entry)) =
            (ty.map(|ty| ty.data()), entry)
        {
            let args = rw.body.block_args(entry);
            let inputs: Vec<Type> = (inputs.iter().enumerate())
                .map(|(at, &ty)| args.get(at).map_or(ty, |&arg| rw.body.ty(arg)))
                .collect();
            let decided = |(&ty, asked): (&Type, &Option<Type>)| match lifetime(ty) {
                Some(UNDECIDED) => asked.unwrap_or(ty),
                _ => ty,
            };
            let results: Vec<Type> = match returned.len() == results.len() {
                true => results.iter().zip(&returned).map(decided).collect(),
                false => results.to_vec(),
            };
            let new = Attr::ty(Type::function(&inputs, &results));
            if rw.body.attr(root, "function_type") != Some(new) {
                rw.set_attr(root, "function_type", new);
                changed = true;
            }
        }
        changed
    }

    /// The types that what a function gives is asked to have.
    fn returned(&self, rw: &Rewriter<'_>, root: OpId) -> Vec<Option<Type>> {
        let body = &*rw.body;
        let end = body.walk(root).find(|&op| body.is(op, "util.return"));
        let given = end.into_iter().flat_map(|op| body.operands(op));
        given.map(|value| self.asked(value)).collect()
    }

    fn transfer(&self, rw: &mut Rewriter<'_>, op: OpId, value: ValueId) {
        let Some(asked) = self.asked(value) else { return };
        let registry = rw.registry;
        let size = result_size(registry, rw.body, value);
        let size = size.unwrap_or_else(|| size_at(rw, value, InsertPoint::After(op)));
        let asks = rw
            .body
            .defining_op(size)
            .filter(|&asks| rw.body.operands(asks).any(|operand| operand == value));
        let affinity = rw.body.attr(op, "affinity");
        let transfer = registry
            .new_op("stream.async.transfer")
            .operands("source", [value])
            .operands("source_size", [size])
            .operands("result_size", [size])
            .attr_opt("source_affinity", affinity)
            .attr_opt("target_affinity", affinity)
            .results("result", [asked])
            .build();
        let transfer = rw.insert(InsertPoint::After(asks.unwrap_or(op)), transfer);
        let result = rw.body.result(transfer, 0);
        rw.replace_uses_if(value, result, |body, slot| {
            let owner = body.use_owner(slot);
            owner != transfer && Some(owner) != asks
        });
    }
}

/// Whether all that is done with a value is to transfer it to a decided lifetime.
fn goes_on(body: &Body, value: ValueId) -> bool {
    let mut uses = body.uses(value);
    let (Some(first), None) = (uses.next(), uses.next()) else { return false };
    let user = body.use_owner(first);
    body.is(user, "stream.async.transfer")
        && lifetime(body.ty(body.result(user, 0))).is_some_and(|is| is != UNDECIDED)
}

/// Casts between lifetimes are nothing, or transfers.
fn casts(rw: &mut Rewriter<'_>, root: OpId) -> bool {
    let registry = rw.registry;
    let ops: Vec<OpId> = rw.body.walk(root).collect();
    let mut changed = false;
    for op in ops {
        if rw.body.is_erased(op) || !rw.body.is(op, "stream.async.cast") {
            continue;
        }
        changed = true;
        let (source, result) = (rw.body.operand(op, 0), rw.body.result(op, 0));
        if rw.body.ty(source) == rw.body.ty(result) {
            rw.replace(op, &[source]);
            continue;
        }
        let group = |name: &str| registry.operands_of(rw.body, op, name);
        let affinity = rw.body.attr(op, "affinity");
        let transfer = registry
            .new_op("stream.async.transfer")
            .operands("source", [source])
            .operands("source_size", group("source_size"))
            .operands("result_size", group("result_size"))
            .attr_opt("source_affinity", affinity)
            .attr_opt("target_affinity", affinity)
            .results("result", [rw.body.ty(result)])
            .build();
        let transfer = rw.insert(InsertPoint::Before(op), transfer);
        let result = rw.body.result(transfer, 0);
        rw.replace(op, &[result]);
    }
    changed
}
