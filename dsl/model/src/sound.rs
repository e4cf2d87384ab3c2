//! The records that mistakes in evaluation leave as they were meant.
//!
//! They are checked together with the mistakes, so that one run tells of all that is independent.

use std::sync::Arc;

use tegula_diag::Diagnostic;
use tegula_record::{Dag, FieldMap, Record, Records, Value};

/// The records without those in which something is wrong, and without those that use them.
pub(crate) fn sound(records: &Records) -> Records {
    let index = |name: &str| records.defs.get_index_of(name);
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); records.defs.len()];
    let mut open: Vec<usize> = Vec::new();
    for (at, record) in records.defs.values().enumerate() {
        let mut broken = record.broken;
        for field in record.fields.values() {
            each_use(&field.value, &mut |used| match used {
                Some(name) => match index(name) {
                    Some(used) => users[used].push(at),
                    None => broken = true,
                },
                None => broken |= !field.nonconcrete,
            });
        }
        if broken {
            open.push(at);
        }
    }
    let mut unsound = vec![false; records.defs.len()];
    while let Some(at) = open.pop() {
        if !std::mem::replace(&mut unsound[at], true) {
            open.append(&mut users[at]);
        }
    }
    let kept = records.defs.iter().zip(&unsound).filter(|(_, unsound)| !**unsound);
    let defs: FieldMap<Arc<Record>> =
        kept.map(|((name, record), _)| (name.clone(), record.clone())).collect();
    Records { defs, ..records.clone() }
}

/// Calls `f` with each definition that a value names, and with none for what is unresolved.
fn each_use(value: &Value, f: &mut dyn FnMut(Option<&str>)) {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            Value::Def(name) => f(Some(name)),
            Value::Unresolved(_) => f(None),
            Value::List(items) => open.extend(items.iter()),
            Value::Dag(dag) => {
                let Dag { op, args, .. } = &**dag;
                open.push(op);
                open.extend(args.iter().map(|arg| &arg.value));
            }
            _ => {}
        }
    }
}

/// Whether a finding may be due to what is missing among the sound records.
pub(crate) fn may_follow(diagnostic: &Diagnostic) -> bool {
    let code = &*diagnostic.code;
    !diagnostic.is_error() || code.starts_with("unknown-") || code == "enum-default"
}
