//! The types that values are drawn from.

use rustc_hash::FxHashMap;
use std::cell::RefCell;

use tegula_ir::text::{print_type, type_from_text};
use tegula_ir::verify::check_constraint;
use tegula_ir::{DYNAMIC, OpInfo, Registry, Subject, Type};
use tegula_schema::{Constraint, Pred, ValueDef};

use crate::Random;
use crate::attrs::param;

/// All types, and which of them satisfy a constraint.
pub(crate) struct Pool {
    pub(crate) all: Vec<Type>,
    known: RefCell<FxHashMap<Constraint, Vec<Type>>>,
}

const NAMED: [&str; 13] =
    ["i1", "i8", "i16", "i32", "i64", "index", "f16", "bf16", "f32", "f64", "i7", "si8", "ui32"];

/// The first so many types are scalars that most ops take.
pub(crate) const SCALARS: usize = 10;

const ELEMENTS: [&str; 6] = ["i1", "i8", "i32", "index", "f32", "f64"];
const SHAPES: [&[i64]; 6] = [&[], &[1], &[4], &[2, 3], &[DYNAMIC], &[DYNAMIC, 4]];

/// How many types are drawn of each dialect type.
const VARIANTS: usize = 4;

impl Pool {
    pub(crate) fn new(registry: &Registry, dialects: &[String], ops: &[&OpInfo]) -> Pool {
        let read = |text: &str| type_from_text(registry, text);
        let mut all: Vec<Type> = NAMED.iter().filter_map(|text| read(text)).collect();
        let elements: Vec<Type> = ELEMENTS.iter().filter_map(|text| read(text)).collect();
        let made = made_kinds(ops);
        for shape in SHAPES {
            for &element in &elements {
                all.push(Type::tensor(shape, element, None));
                if !shape.contains(&DYNAMIC) {
                    all.push(Type::vector(shape, element));
                }
                if made.iter().any(|kind| kind == "memref") {
                    all.push(Type::memref(shape, element, None, None));
                }
            }
        }
        let mut random = Random::new(0);
        for def in registry.dialects().filter(|d| dialects.iter().any(|n| *n == d.def.name)) {
            for ty in def.def.types.iter() {
                for _ in 0..VARIANTS {
                    let params: Option<Vec<_>> =
                        ty.params.iter().map(|p| param(registry, &mut random, &all, p)).collect();
                    let Some(params) = params else { continue };
                    let ty = Type::dialect(&ty.name, &params);
                    let same = read(&print_type(registry, ty)) == Some(ty);
                    if same && !all.contains(&ty) {
                        all.push(ty);
                    }
                }
            }
        }
        Pool { all, known: RefCell::default() }
    }

    /// The types that satisfy a constraint and something else.
    pub(crate) fn satisfying(
        &self,
        registry: &Registry,
        constraint: &Constraint,
        fits: impl Fn(Type) -> bool,
    ) -> Vec<Type> {
        let mut known = self.known.borrow_mut();
        let types = known.entry(constraint.clone()).or_insert_with(|| {
            let only = constraint.buildable.as_deref();
            let only = only.and_then(|text| type_from_text(registry, text));
            let all = self.all.iter().copied().chain(only);
            let mut found: Vec<Type> = Vec::new();
            for ty in all.filter(|&ty| check_constraint(registry, constraint, Subject::Type(ty))) {
                if !found.contains(&ty) {
                    found.push(ty);
                }
            }
            found
        });
        types.iter().copied().filter(|&ty| fits(ty)).collect()
    }
}

/// The kinds of types that results name of ops which do not take them: what cannot be made is of no
/// use.
fn made_kinds(ops: &[&OpInfo]) -> Vec<String> {
    let named = |values: &[ValueDef]| {
        let mut kinds = Vec::new();
        values.iter().for_each(|value| collect(&value.constraint.pred, &mut kinds));
        kinds
    };
    let mut made = Vec::new();
    for info in ops {
        let taken = named(&info.def().operands);
        made.extend(named(&info.def().results).into_iter().filter(|kind| !taken.contains(kind)));
    }
    made
}

fn collect(pred: &Pred, kinds: &mut Vec<String>) {
    match pred {
        Pred::And(all) | Pred::Or(all) => all.iter().for_each(|pred| collect(pred, kinds)),
        Pred::TypeKind(kind) => kinds.push(kind.to_string()),
        _ => {}
    }
}
