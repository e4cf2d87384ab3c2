//! `iree-util-propagate-subranges`: who passes a range of a buffer on passes the buffer and the
//! range, so that ranges of ranges become one range where the bytes are used.
//!
//! A value becomes four: itself, its size, an offset and a length. Where such a value comes in, as an
//! argument or a result, the range is taken at once; where a value goes out, what it is a range of
//! goes out in its place. Nothing is simplified here.

use tegula_ir::{Attr, Body, InsertPoint, Module, NewOp, OpId, Registry, Type, TypeData, ValueId};
use tegula_pass::{Changed, Header, PassCx, PassResult};
use tegula_rewrite::{Patterns, Rewriter, create_or_fold, size_of};

use crate::expand::{
    Expansion, Known, Parts, Program, Way, expand, global_parts, private_function,
};
use crate::globals::is_callable;

/// How many values stand for the range besides the buffer.
const EXTRA: usize = 3;

/// Whether a body takes no ranges, and passes nothing on that may be one.
pub fn is_idle(registry: &Registry, _: &Header, body: &Body) -> bool {
    let Some(root) = body.root() else { return true };
    let sized = |ty: Type| {
        let TypeData::Dialect { name, .. } = ty.data() else { return false };
        registry
            .ty(name.as_str())
            .is_some_and(|(_, def)| def.traits.iter().any(|t| t == "SizeAwareType"))
    };
    if body.is(root, "util.global") {
        return !body.attr(root, "type").and_then(Attr::as_type).is_some_and(sized);
    }
    let signature = body.attr(root, "function_type").and_then(Attr::as_type);
    let takes = signature
        .and_then(Type::as_function)
        .is_some_and(|(inputs, results)| inputs.iter().chain(results).any(|&ty| sized(ty)));
    if !is_callable(registry, body, root) {
        return true;
    }
    if takes && private_function(body, root).is_some() {
        return false;
    }
    body.walk(root).all(|op| {
        let Some(info) = registry.op(body.name(op)) else { return true };
        let def = info.def();
        let passes_on = def.has_trait("CallOpInterface")
            || body.name(op).as_str().starts_with("util.global.")
            || !body.successors(op).is_empty();
        let mut values = body.operands(op).chain(body.results(op));
        let moves = passes_on && values.any(|value| sized(body.ty(value)));
        !(moves || def.has_trait("Subrange") || body.is(op, "cf.br"))
    })
}

/// Runs the pass.
pub fn run(cx: &mut PassCx<'_>, module: &mut Module) -> PassResult {
    let roots = module.bodies.iter().filter_map(|body| Some((body, body.root()?)));
    let functions = roots.filter_map(|(body, root)| private_function(body, root)).collect();
    let program = Program { functions };
    let ranges = RangeOps::all(cx.registry);
    let mut changed = Changed::No;
    let bodies = std::mem::take(&mut module.bodies);
    for mut body in bodies {
        let mut expansion =
            Ranges { ranges: &ranges, patterns: cx.patterns, zero: None, first: None };
        let parts = global_parts(&expansion, cx.registry, &body, |_| None);
        if let Some(root) = body.root().filter(|&root| is_callable(cx.registry, &body, root)) {
            let before = body.bounds();
            let entry = body.region_entry(root, 0);
            expansion.first = entry.map(|entry| match body.first_op(entry) {
                Some(op) => InsertPoint::Before(op),
                None => InsertPoint::End(entry),
            });
            expand(cx.rewriter(&mut body), root, &program, &mut expansion);
            // A branch counts as one that took the place of what was there.
            let branches = body.walk(root).any(|op| body.is(op, "cf.br"));
            changed |= Changed::when(before != body.bounds() || branches);
        }
        changed |= Changed::when(!parts.is_empty());
        module.bodies.push(body);
        module.bodies.extend(parts);
    }
    Ok(changed)
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

impl RangeOps {
    /// The dialects whose values have ranges.
    fn all(registry: &Registry) -> Vec<RangeOps> {
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
        registry.dialects().filter_map(of_dialect).collect()
    }
}

/// A value is a range of another.
struct Ranges<'a> {
    ranges: &'a [RangeOps],
    patterns: &'a Patterns,
    /// The offset of whole values, and where it is made.
    zero: Option<ValueId>,
    first: Option<InsertPoint>,
}

impl Expansion for Ranges<'_> {
    const PARTS: &'static [&'static str] = &["__storage_size", "__offset", "__length"];
    const PARTS_FIRST: bool = false;

    fn beside(&self, ty: Type) -> Vec<Type> {
        self.of_type(ty).map_or(Vec::new(), |_| vec![Type::index(); EXTRA])
    }

    fn give(
        &mut self,
        rw: &mut Rewriter<'_>,
        value: ValueId,
        user: OpId,
        known: &mut Known,
    ) -> Parts {
        self.range_of(rw, value, InsertPoint::Before(user), user, known)
    }

    fn take(
        &mut self,
        rw: &mut Rewriter<'_>,
        at: InsertPoint,
        _: Way,
        parts: Parts,
        loc: Attr,
        known: &mut Known,
    ) -> InsertPoint {
        known.insert(parts.value, parts.clone());
        let ty = rw.body.ty(parts.value);
        let name = self.of_type(ty).map_or("", |ops| ops.subrange.as_str());
        let operands = std::iter::once(parts.value).chain(parts.beside);
        let new = NewOp::new(name).operands(operands.collect::<Vec<_>>()).result(ty).loc(loc);
        let made = rw.insert(at, new);
        let part = rw.body.result(made, 0);
        rw.replace_uses_if(parts.value, part, |body, slot| body.use_owner(slot) != made);
        InsertPoint::After(made)
    }

    /// A range of a range is one of what that is a range of.
    fn visit(&mut self, rw: &mut Rewriter<'_>, op: OpId, known: &mut Known) -> bool {
        let Some((range, result)) = taken(rw, op) else { return false };
        if known.contains_key(&result) {
            return true;
        }
        let outer = self.range_of(rw, range.value, InsertPoint::After(op), op, known);
        if outer.value == range.value {
            return true;
        }
        rw.set_insertion_point(InsertPoint::After(op));
        let sum = NewOp::new("arith.addi").operands([outer.beside[1], range.beside[1]]);
        let sum = sum.result(Type::index()).loc(rw.body.loc(op));
        if let Some(&offset) = create_or_fold(rw, self.patterns, sum).first() {
            let beside = vec![outer.beside[0], offset, range.beside[2]];
            known.insert(result, Parts { value: outer.value, beside });
        }
        true
    }
}

impl Ranges<'_> {
    /// The ops on ranges of values of a type.
    fn of_type(&self, ty: Type) -> Option<&RangeOps> {
        let TypeData::Dialect { name, .. } = ty.data() else { return None };
        let name = name.as_str();
        self.ranges.iter().find(|ops| ops.types.iter().any(|ty| ty == name))
    }

    /// The range that a value is, of another value or of itself.
    fn range_of(
        &mut self,
        rw: &mut Rewriter<'_>,
        value: ValueId,
        at: InsertPoint,
        user: OpId,
        known: &mut Known,
    ) -> Parts {
        if let Some(parts) = known.get(&value) {
            return parts.clone();
        }
        let parts = match rw.body.defining_op(value).and_then(|op| taken(rw, op)) {
            Some((range, _)) => range,
            None => {
                let size = size_of(rw.registry, rw.body, value, user);
                let size = size.unwrap_or_else(|| self.query(rw, value, at));
                let zero = self.zero(rw, at);
                let parts = Parts { value, beside: vec![size, zero, size] };
                // A size that stands in one of several blocks is not there in the others.
                if !is_only_block(rw, user) {
                    return parts;
                }
                parts
            }
        };
        known.insert(value, parts.clone());
        parts
    }

    fn query(&self, rw: &mut Rewriter<'_>, value: ValueId, at: InsertPoint) -> ValueId {
        // Only values that have ranges are asked.
        let name = self.of_type(rw.body.ty(value)).map_or("", |ops| ops.size.as_str());
        rw.insert_value(at, NewOp::new(name).operand(value).result(Type::index()))
    }

    fn zero(&mut self, rw: &mut Rewriter<'_>, at: InsertPoint) -> ValueId {
        let first = self.first.unwrap_or(at);
        *self.zero.get_or_insert_with(|| {
            let zero = NewOp::new("arith.constant").attr("value", Attr::index(0));
            rw.insert_value(first, zero.result(Type::index()))
        })
    }
}

/// The range that an op takes, and its result.
fn taken(rw: &Rewriter<'_>, op: OpId) -> Option<(Parts, ValueId)> {
    let (registry, body) = (rw.registry, &*rw.body);
    let def = registry.op(body.name(op))?.def();
    let declared = def.traits.iter().find(|t| t.name == "Subrange")?;
    let [result, source, size, offset, length] = declared.args.as_ref() else { return None };
    let operand = |name: &str| registry.operand_of(body, op, name);
    let beside = vec![operand(size)?, operand(offset)?, operand(length)?];
    let parts = Parts { value: operand(source)?, beside };
    Some((parts, *registry.results_of(body, op, result).first()?))
}

fn is_only_block(rw: &Rewriter<'_>, op: OpId) -> bool {
    let region = rw.body.parent_block(op).and_then(|block| rw.body.block_parent(block));
    region.is_some_and(|region| rw.body.blocks(region).nth(1).is_none())
}
