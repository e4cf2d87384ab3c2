//! Memory effects of ops, from their tables.

use smallvec::SmallVec;
use tegula_ir::text::attr_default;
use tegula_ir::{Body, OpId, OpInfo, Registry, ValueId};
use tegula_schema::{Effects, ValueDef};

/// What is done to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EffectKind {
    /// Reads.
    Read,
    /// Writes.
    Write,
    /// Allocates.
    Alloc,
    /// Frees.
    Free,
}

/// One effect of an op.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effect {
    /// What is done.
    pub kind: EffectKind,
    /// To the memory behind which value; none when it is some memory that no value names.
    pub value: Option<ValueId>,
    /// The value is a result of the op itself.
    pub own_result: bool,
}

/// The effects of an op and of what its regions hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpEffects {
    /// Nothing is known: the op may do anything.
    Unknown,
    /// Just these.
    Known(SmallVec<[Effect; 2]>),
}

impl OpEffects {
    /// Whether nothing is done to memory.
    pub fn is_none(&self) -> bool {
        matches!(self, OpEffects::Known(effects) if effects.is_empty())
    }

    /// Whether all that is done is known to be of one kind.
    pub fn only(&self, kind: EffectKind) -> bool {
        matches!(self, OpEffects::Known(effects) if effects.iter().all(|e| e.kind == kind))
    }

    /// Whether something of this kind may be done.
    pub fn may(&self, kind: EffectKind) -> bool {
        match self {
            OpEffects::Unknown => true,
            OpEffects::Known(effects) => effects.iter().any(|e| e.kind == kind),
        }
    }
}

/// The effects of an op, those of what its regions hold included where the op says that they
/// count (`RecursiveMemoryEffects`).
pub fn effects(registry: &Registry, body: &Body, op: OpId) -> OpEffects {
    let mut all = SmallVec::new();
    // An explicit stack, so that nesting is bounded by memory only.
    let mut stack: SmallVec<[OpId; 8]> = SmallVec::from_slice(&[op]);
    while let Some(op) = stack.pop() {
        let Some(info) = registry.op(body.name(op)) else { return OpEffects::Unknown };
        let own = own_effects(registry, info, body, op, &mut all);
        if info.recursive_effects {
            for &region in body.regions(op) {
                stack.extend(body.blocks(region).flat_map(|block| body.block_ops(block)));
            }
        } else if !own {
            return OpEffects::Unknown;
        }
    }
    OpEffects::Known(all)
}

/// Adds the op's own effects; false when its table says nothing about them.
fn own_effects(
    registry: &Registry,
    info: &OpInfo,
    body: &Body,
    op: OpId,
    all: &mut SmallVec<[Effect; 2]>,
) -> bool {
    if info.no_memory_effect {
        return true;
    }
    let def = info.def();
    let pure_when = def.traits.iter().find(|t| t.name == "PureWhen");
    if pure_when.is_some_and(|t| t.args.iter().any(|name| body.attr(op, name).is_some())) {
        return true;
    }
    let any_when = def.traits.iter().find(|t| t.name == "AnyEffectsWhen");
    if any_when.is_some_and(|t| t.args.iter().any(|name| says(registry, info, body, op, name))) {
        return false;
    }
    let mut known = false;
    if let Some(declared) = def.traits.iter().find(|t| t.name == "MemoryEffects") {
        known = true;
        for arg in declared.args.iter() {
            let kind = match arg.as_ref() {
                "read" => EffectKind::Read,
                "write" => EffectKind::Write,
                "alloc" => EffectKind::Alloc,
                "free" => EffectKind::Free,
                _ => continue,
            };
            all.push(Effect { kind, value: None, own_result: false });
        }
    }
    let declared = |groups: &[ValueDef]| groups.iter().any(|g| g.effects != Effects::default());
    if declared(&def.operands) {
        let Some(ranges) = registry.operand_groups(body, op) else { return false };
        known = true;
        for (group, range) in def.operands.iter().zip(ranges) {
            let values = body.operands(op).skip(range.start).take(range.len());
            // Tensors are values, which nothing changes.
            let values = values.filter(|&value| !body.ty(value).is_tensor());
            values.for_each(|value| push(all, group.effects, value, false));
        }
    }
    if declared(&def.results) {
        let Some(ranges) = registry.result_groups(body, op) else { return false };
        known = true;
        for (group, range) in def.results.iter().zip(ranges) {
            let values = body.results(op).skip(range.start).take(range.len());
            values.for_each(|value| push(all, group.effects, value, true));
        }
    }
    known
}

/// Whether the op has an attribute of that name, and not the one that stands for its absence.
fn says(registry: &Registry, info: &OpInfo, body: &Body, op: OpId, name: &str) -> bool {
    let Some(attr) = body.attr(op, name) else { return false };
    let def = info.def().attrs.iter().find(|def| def.name == name);
    def.and_then(|def| attr_default(registry, def)) != Some(attr)
}

fn push(all: &mut SmallVec<[Effect; 2]>, bits: Effects, value: ValueId, own_result: bool) {
    let kinds = [
        (Effects::READ, EffectKind::Read),
        (Effects::WRITE, EffectKind::Write),
        (Effects::ALLOC, EffectKind::Alloc),
        (Effects::FREE, EffectKind::Free),
    ];
    for (bit, kind) in kinds {
        if bits.contains(bit) {
            all.push(Effect { kind, value: Some(value), own_result });
        }
    }
}

/// Whether the op could be erased if nothing used its results: it ends no block, defines no
/// symbol, and does no more than read memory or allocate what only its own results name.
pub fn would_be_trivially_dead(registry: &Registry, body: &Body, op: OpId) -> bool {
    match registry.op(body.name(op)) {
        None => false,
        Some(info) if info.terminator || info.symbol => false,
        // What most ops come to, without asking for a list of their effects.
        Some(info) if info.no_memory_effect && !info.recursive_effects => true,
        Some(_) => match effects(registry, body, op) {
            OpEffects::Unknown => false,
            OpEffects::Known(effects) => effects.iter().all(|effect| match effect.kind {
                EffectKind::Read => true,
                EffectKind::Alloc | EffectKind::Write => effect.own_result,
                EffectKind::Free => false,
            }),
        },
    }
}

/// Whether nothing uses the op's results and it could be erased.
#[inline]
pub fn is_trivially_dead(registry: &Registry, body: &Body, op: OpId) -> bool {
    body.results_unused(op) && would_be_trivially_dead(registry, body, op)
}

/// Whether the op may be computed where it was not before: it is pure, as is all it holds.
pub fn is_speculatable(registry: &Registry, body: &Body, op: OpId) -> bool {
    body.walk(op).all(|inner| {
        registry.op(body.name(inner)).is_some_and(|info| {
            info.pure
                || info.recursive_effects && inner_speculatable(info)
                || info.terminator && inner != op
        })
    })
}

fn inner_speculatable(info: &OpInfo) -> bool {
    info.def().has_trait("RecursivelySpeculatable") || info.def().has_trait("AlwaysSpeculatable")
}
