//! What traits say of the operands and regions of an op: sizes, dimensions, captures, shapes.

use tegula_schema::{Arity, OpDef};

use super::Verifier;
use crate::{Attr, DYNAMIC, OpId, Type, TypeData, ValueId};

/// The traits that [`Verifier::promises`] looks at.
const PROMISES: [&str; 8] = [
    "SizeOf",
    "DimsOf",
    "DynamicEntries",
    "ExplicitCaptures",
    "HoldsOnly",
    "Elementwise",
    "NoRegionArguments",
    "SegmentsBy",
];

/// Whether traits promise something that has to be looked at. What computes element by element on
/// values of one type keeps that promise by its type.
pub(crate) fn has_promises(def: &OpDef) -> bool {
    let same = def.has_trait("SameOperandsAndResultType");
    PROMISES.iter().any(|&promise| def.has_trait(promise) && !(same && promise == "Elementwise"))
}

impl Verifier<'_> {
    pub(super) fn promises(&mut self, op: OpId, def: &OpDef) {
        let errors = self.errors.len();
        for promise in def.traits.iter() {
            // One broken promise is enough to be told of.
            if self.errors.len() > errors {
                return;
            }
            match (promise.name.as_ref(), promise.args.as_ref()) {
                ("SizeOf", [values, sizes]) => self.sizes(op, def, values, sizes),
                ("DimsOf", [types, dims]) => self.dims(op, def, types, dims),
                ("DynamicEntries", [list, values]) => self.entries(op, list, values),
                ("SegmentsBy", [values, sizes]) => self.segments(op, values, sizes),
                ("ExplicitCaptures", [operands, region, ty]) => {
                    self.captures(op, def, (operands, region), ty);
                }
                ("HoldsOnly", names) => self.holds_only(op, names),
                ("Elementwise", _) => self.elementwise(op),
                ("NoRegionArguments", _) => self.no_region_arguments(op),
                _ => {}
            }
        }
    }

    /// A group that may hold any number of sizes has one for each value that has a size.
    fn sizes(&mut self, op: OpId, def: &OpDef, values: &str, sizes: &str) {
        if !is_variadic(def, sizes) {
            return;
        }
        let (registry, body) = (self.registry, self.body);
        let mut sized = registry.operands_of(body, op, values);
        sized.extend(registry.results_of(body, op, values));
        let count = sized.iter().filter(|&&value| self.has_size(body.ty(value))).count();
        let given = registry.operands_of(body, op, sizes).len();
        if count != given {
            self.error(
                op,
                format!("value set has {count} dynamic dimensions but only {given} dimension values are attached"),
            );
        }
    }

    fn has_size(&self, ty: Type) -> bool {
        let TypeData::Dialect { name, .. } = ty.data() else { return false };
        let def = self.registry.ty(name.as_str());
        def.is_some_and(|(_, def)| def.traits.iter().any(|t| t == "SizeAwareType"))
    }

    /// A type, or each type of a list, in an attribute, or each value of a group, has its dynamic
    /// dimensions in a group.
    fn dims(&mut self, op: OpId, def: &OpDef, types: &str, dims: &str) {
        if !is_variadic(def, dims) {
            return;
        }
        let (registry, body) = (self.registry, self.body);
        let (of, types) = match body.attr(op, types) {
            Some(attr) => {
                let types = attr.as_array().unwrap_or(std::slice::from_ref(&attr));
                ("type", types.iter().filter_map(|ty| ty.as_type()).collect())
            }
            None => {
                let mut values = registry.operands_of(body, op, types);
                values.extend(registry.results_of(body, op, types));
                ("value", values.iter().map(|&value| body.ty(value)).collect::<Vec<_>>())
            }
        };
        let count: usize = types.into_iter().map(|ty: Type| registry.dynamic_dims(ty)).sum();
        let given = registry.operands_of(body, op, dims).len();
        if count != given {
            self.error(
                op,
                format!("{of} set has {count} dynamic dimensions but only {given} dimension values are attached"),
            );
        }
    }

    /// A group has a value for each entry of a list that is no constant.
    fn entries(&mut self, op: OpId, list: &str, values: &str) {
        let body = self.body;
        let Some(entries) = body.attr(op, list).and_then(Attr::as_dense_array) else { return };
        let wanted = entries.iter().filter(|&&entry| entry == DYNAMIC).count();
        let given = self.registry.operands_of(body, op, values).len();
        if wanted != given {
            self.error(
                op,
                format!(
                    "expected the number of '{values}' to match the number of dynamic entries in \
                     '{list}' ({given} vs {wanted})"
                ),
            );
        }
    }

    /// The sizes of the parts of a group are those of the whole.
    fn segments(&mut self, op: OpId, values: &str, sizes: &str) {
        let body = self.body;
        let Some(parts) = body.attr(op, sizes).and_then(Attr::as_dense_array) else { return };
        if parts.iter().any(|&part| part < 0) {
            return self.error(op, format!("'{sizes}' attribute cannot have negative elements"));
        }
        let total = parts.iter().fold(0i64, |sum, &part| sum.saturating_add(part));
        let given = self.registry.operands_of(body, op, values).len();
        if total != given as i64 {
            self.error(
                op,
                format!(
                    "{values} count ({given}) does not match with the total size ({total}) \
                     specified in attribute '{sizes}'"
                ),
            );
        }
    }

    /// A region takes each operand as an argument, and sees values of that type in no other way.
    fn captures(&mut self, op: OpId, def: &OpDef, (operands, region): (&str, &str), ty: &str) {
        let body = self.body;
        let at = def.regions.iter().position(|r| r.name == region);
        let Some(&region) = at.and_then(|at| body.regions(op).get(at)) else { return };
        let Some(entry) = body.first_block(region) else { return };
        let given = self.registry.operands_of(body, op, operands);
        let types = |values: &[ValueId]| values.iter().map(|&v| body.ty(v)).collect::<Vec<_>>();
        if types(&given) != types(body.block_args(entry)) {
            self.error(op, format!("'{operands}' and the arguments of the region differ in type"));
            return;
        }
        let captured = |value: ValueId| {
            body.ty(value).dialect_params(ty).is_some()
                && !body
                    .defining_block(value)
                    .and_then(|block| body.block_parent_op(block))
                    .is_some_and(|around| body.is_ancestor(op, around))
        };
        for inner in body.walk(op).filter(|&inner| inner != op) {
            if body.operands(inner).any(captured) {
                self.error(
                    inner,
                    "used resource not listed in explicit captures (or produced internally)",
                );
                return;
            }
        }
    }

    /// Shaped operands and results are of one kind and of compatible shapes; where an operand is
    /// shaped, all results are, and where a result is, an operand is.
    fn elementwise(&mut self, op: OpId) {
        let body = self.body;
        let shaped = |ty: &Type| {
            matches!(
                ty.data(),
                TypeData::Vector { .. }
                    | TypeData::RankedTensor { .. }
                    | TypeData::UnrankedTensor { .. }
            )
        };
        let given = body.operands(op).map(|value| body.ty(value)).find(shaped);
        let made = body.results(op).map(|value| body.ty(value)).find(shaped);
        let (given, made) = match (given, made) {
            (None, None) => return,
            (Some(given), Some(made)) => (given, made),
            (Some(_), None) => {
                return self.error(op, "takes a shaped operand, but gives no shaped result");
            }
            (None, Some(_)) => {
                return self.error(op, "gives a shaped result, but takes no shaped operand");
            }
        };
        if !body.results(op).all(|value| shaped(&body.ty(value))) {
            return self.error(op, "takes a shaped operand, but gives a result that is not shaped");
        }
        let values = body.operands(op).chain(body.results(op)).map(|value| body.ty(value));
        if !values.filter(shaped).all(|ty| compatible(ty, made) && compatible(ty, given)) {
            self.error(op, "has shaped operands or results of different kinds or shapes");
        }
    }

    fn no_region_arguments(&mut self, op: OpId) {
        let body = self.body;
        let mut entries = body.regions(op).iter().filter_map(|&region| body.first_block(region));
        if entries.any(|block| !body.block_args(block).is_empty()) {
            self.error(op, "has a region with arguments, but its regions take none");
        }
    }

    /// Right inside of the op stand ops of these names only, `a.*` being each that begins so, and
    /// what is computed without effects.
    fn holds_only(&mut self, op: OpId, names: &[tegula_schema::Str]) {
        let body = self.body;
        let fits = |name: &str| {
            names.iter().any(|known| match known.strip_suffix('*') {
                Some(family) => name.starts_with(family),
                None => name == known,
            })
        };
        let blocks = body.regions(op).iter().flat_map(|&region| body.blocks(region));
        let mut inner = blocks.flat_map(|block| body.block_ops(block));
        let computes = |op: OpId| {
            body.walk(op).all(|inner| {
                let info = self.registry.op(body.name(inner));
                info.is_some_and(|info| {
                    info.no_memory_effect
                        || info.recursive_effects
                        || info.terminator && inner != op
                })
            })
        };
        let other = inner.find(|&op| !fits(body.name(op).as_str()) && !computes(op));
        if let Some(other) = other {
            let holder = body.name(op);
            self.error(other, format!("is no op that '{holder}' may hold"));
        }
    }
}

/// Whether two shaped types are of one kind and their shapes may be the same at run time.
fn compatible(a: Type, b: Type) -> bool {
    let kind = |ty: Type| matches!(ty.data(), TypeData::Vector { .. });
    let are_unranked = a.shape().is_none() && b.shape().is_none();
    kind(a) == kind(b) && (are_unranked || a.has_compatible_shape(b))
}

fn is_variadic(def: &OpDef, group: &str) -> bool {
    def.operands.iter().any(|g| g.name == group && g.arity == Arity::Variadic)
}
