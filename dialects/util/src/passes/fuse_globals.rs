//! `iree-util-fuse-globals`: globals that are always set together to the same value become one.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;
use tegula_ir::{Attr, Body, Module, OpId, ValueId};
use tegula_pass::{Changed, PassCx, PassResult};

use crate::globals::Globals;

/// For each global, by number, the globals that are set to the same value wherever it is set.
type Together = BTreeMap<usize, BTreeSet<usize>>;

/// Runs the pass.
pub fn run(cx: &mut PassCx<'_>, module: &mut Module) -> PassResult {
    let mut globals = Globals::of(cx, module);
    let mut fused: Vec<&'static str> = Vec::new();
    for class in classes(mutual(set_together(&globals))) {
        // Until something is stored, a global is its initial value.
        let mut by_start: IndexMap<Option<Attr>, Vec<&'static str>> = IndexMap::new();
        for number in class {
            let Some((&name, _)) = globals.all.get_index(number) else { continue };
            by_start.entry(globals.attr(name, "initial_value")).or_default().push(name);
        }
        for names in by_start.values() {
            let Some((&base, others)) = names.split_first() else { continue };
            for &name in others {
                globals.rename_uses(name, base);
                fused.push(name);
            }
        }
    }
    for name in &fused {
        globals.erase(name);
    }
    Ok(Changed::when(!fused.is_empty()))
}

/// Looks at the stores of each block: those before and after a branch may not both be reached.
fn set_together(globals: &Globals<'_>) -> Together {
    let mut together = Together::new();
    for body in &globals.module.bodies {
        let Some(region) = body.root().and_then(|root| body.region(root, 0)) else { continue };
        for block in body.blocks(region) {
            let mut stored: IndexMap<ValueId, BTreeSet<usize>> = IndexMap::new();
            for op in body.block_ops(block) {
                if let Some(number) = stored_candidate(globals, body, op) {
                    stored.entry(body.operand(op, 0)).or_default().insert(number);
                }
            }
            for numbers in stored.values() {
                for &number in numbers {
                    let same = together.entry(number).or_insert_with(|| numbers.clone());
                    same.retain(|other| numbers.contains(other));
                }
            }
        }
    }
    together
}

fn stored_candidate(globals: &Globals<'_>, body: &Body, op: OpId) -> Option<usize> {
    if !body.is(op, "util.global.store") {
        return None;
    }
    let name = body.attr(op, "global")?.as_symbol_root()?;
    let (number, _, global) = globals.all.get_full(name.as_str())?;
    global.is_candidate().then_some(number)
}

/// Keeps of each set only globals that are not set without this one either.
fn mutual(mut together: Together) -> Together {
    let numbers: Vec<usize> = together.keys().copied().collect();
    for number in numbers {
        let Some(own) = together.get(&number) else { continue };
        let mut kept = own.clone();
        for other in own.iter().filter(|&&other| other != number) {
            let Some(theirs) = together.get(other) else { continue };
            if theirs.contains(&number) {
                kept.retain(|n| theirs.contains(n));
            } else {
                kept.retain(|n| !theirs.contains(n));
            }
        }
        together.insert(number, kept);
    }
    together
}

/// Groups of globals that belong together, each in module order.
fn classes(together: Together) -> Vec<BTreeSet<usize>> {
    let mut classes: Vec<BTreeSet<usize>> = Vec::new();
    for (number, mut class) in together {
        class.insert(number);
        let (joined, apart): (Vec<_>, Vec<_>) =
            classes.into_iter().partition(|other| !other.is_disjoint(&class));
        class.extend(joined.into_iter().flatten());
        classes = apart;
        classes.push(class);
    }
    classes
}
