//! Other values in the place of one.

use tegula_ir::text::dense_attr;
use tegula_ir::verify::check_constraint;
use tegula_ir::{
    Attr, AttrData, Body, Ident, InsertPoint, NewOp, OpId, OpInfo, OpName, Registry, Subject, Type,
    TypeData, ValueId,
};
use tegula_schema::Arity;

/// Makes all uses of an op's results uses of other values; false when there are none.
pub(crate) fn replace_results(registry: &Registry, body: &mut Body, op: OpId) -> bool {
    let results: Vec<ValueId> = body.results(op).filter(|&r| !body.is_unused(r)).collect();
    for result in results {
        let Some(value) = instead(registry, body, result, op) else { return false };
        body.replace_all_uses(result, value);
    }
    true
}

/// A value that may stand wherever a value may that is known before `op`: an operand of `op`, an
/// argument, an earlier result, else a new constant.
pub(crate) fn instead(
    registry: &Registry,
    body: &mut Body,
    value: ValueId,
    op: OpId,
) -> Option<ValueId> {
    let ty = body.ty(value);
    let own = body.operands(op).find(|&operand| operand != value && body.ty(operand) == ty);
    let known = own.or_else(|| {
        let visible = visible(registry, body, op);
        visible.into_iter().find(|&other| other != value && body.ty(other) == ty)
    });
    if known.is_some() {
        return known;
    }
    let source = body.defining_op(value).is_some_and(|def| {
        body.num_operands(def) == 0 && body.regions(def).is_empty() && def == op
    });
    if source { None } else { make(registry, body, ty, op) }
}

/// The values that are known before an op: arguments of the blocks around it from the outermost,
/// then results from the first.
pub(crate) fn visible(registry: &Registry, body: &Body, op: OpId) -> Vec<ValueId> {
    let (mut args, mut results) = (Vec::new(), Vec::new());
    let mut at = op;
    while let Some(block) = body.parent_block(at) {
        let mut blocks = vec![block];
        // The entry comes before all other blocks of its region.
        let entry = body.block_parent(block).and_then(|region| body.first_block(region));
        blocks.extend(entry.filter(|&entry| entry != block));
        for around in blocks {
            args.extend(body.block_args(around).iter().rev());
            let before = body.block_ops(around).take_while(|&before| before != at);
            let mut found: Vec<ValueId> = before.flat_map(|op| body.results(op)).collect();
            found.reverse();
            results.extend(found);
        }
        match body.parent_op(at) {
            Some(parent) if !isolated(registry, body, parent) => at = parent,
            _ => break,
        }
    }
    args.reverse();
    results.reverse();
    args.extend(results);
    args
}

fn isolated(registry: &Registry, body: &Body, op: OpId) -> bool {
    registry.op(body.name(op)).is_some_and(|info| info.isolated)
}

/// A new op before `op` that gives a value of the type: a constant, or what needs nothing else.
fn make(registry: &Registry, body: &mut Body, ty: Type, op: OpId) -> Option<ValueId> {
    let home = body.name(op).dialect();
    let mut used: Vec<&str> = body.walk_all().map(|op| body.name(op).dialect()).collect();
    used.sort_unstable();
    used.dedup();
    let mut infos: Vec<&OpInfo> = registry
        .dialects()
        .flat_map(|dialect| dialect.def.ops.iter())
        .filter_map(|def| registry.op(OpName::of(&def.name)))
        .filter(|info| gives(registry, info, ty))
        .collect();
    infos.sort_by_key(|info| {
        let dialect = info.dialect().def.name.as_ref();
        let known = used.contains(&dialect);
        (!info.constant_like, info.def().attrs.is_empty(), !known, dialect != home)
    });
    infos.into_iter().find_map(|info| {
        let mut new = NewOp::new(OpName::of(&info.def().name)).result(ty);
        for attr in info.def().attrs.iter().filter(|a| !a.optional && a.default.is_none()) {
            let zero = zero(ty)?;
            if !check_constraint(registry, &attr.constraint, Subject::Attr(zero)) {
                return None;
            }
            new = new.entry(Ident::of(&attr.name), zero);
        }
        let made = body.insert(InsertPoint::Before(op), new);
        Some(body.result(made, 0))
    })
}

/// Whether the op needs nothing but perhaps a value in an attribute to give one of the type.
fn gives(registry: &Registry, info: &OpInfo, ty: Type) -> bool {
    let def = info.def();
    let [result] = def.results.as_ref() else { return false };
    let required = def.attrs.iter().filter(|a| !a.optional && a.default.is_none()).count();
    (info.constant_like || info.pure)
        && result.arity == Arity::One
        && def.operands.is_empty()
        && def.regions.is_empty()
        && def.successors.is_empty()
        && required <= usize::from(info.constant_like)
        && check_constraint(registry, &result.constraint, Subject::Type(ty))
}

/// The zero of a type, where there is one.
fn zero(ty: Type) -> Option<Attr> {
    match ty.data() {
        TypeData::Integer { .. } | TypeData::Index => Some(Attr::int(0, ty)),
        TypeData::Float(_) => Some(Attr::new(AttrData::Float { bits: 0, ty })),
        TypeData::RankedTensor { element, .. } | TypeData::Vector { element, .. } => {
            let bits = match element.data() {
                TypeData::Index => 64,
                _ => element.bit_width()?,
            };
            ty.num_elements()?;
            Some(dense_attr(ty, vec![0; bits.div_ceil(8) as usize], true))
        }
        _ => None,
    }
}
