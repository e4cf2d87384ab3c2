//! `symbol-dce`: private symbols that nothing refers to are removed, those of modules within the
//! module too.

use std::collections::{BTreeMap, BTreeSet};

use tegula_ir::{Attr, Body, OpId};
use tegula_pass::{Changed, Failed, Header, PassCx, PassResult, Solve};

use crate::references::{each_in_attr, each_in_body};

/// The pass.
pub struct SymbolDce;

/// What one body defines and refers to.
#[derive(Debug, PartialEq, Eq)]
pub struct Summary {
    /// The symbol, when the body may go once nothing refers to it.
    private: Option<&'static str>,
    name: Option<&'static str>,
    uses: BTreeSet<&'static str>,
}

impl Solve for SymbolDce {
    type Summary = Summary;
    /// Whether the body stays.
    type Projection = bool;

    fn summarize(&self, _: &Header, body: &Body, root: OpId) -> Summary {
        Summary {
            private: private_name(body, root),
            name: body.symbol_name(root),
            uses: uses(body, root),
        }
    }

    fn solve(&self, cx: &mut PassCx<'_>, summaries: &[&Summary]) -> Result<Vec<bool>, Failed> {
        let by_name: BTreeMap<&str, usize> = (summaries.iter().enumerate())
            .filter_map(|(index, summary)| Some((summary.name?, index)))
            .collect();
        let mut pending: Vec<&'static str> = Vec::new();
        each_in_attr(cx.header.attrs, &mut |path| pending.push(path.root()));
        let mut live: Vec<bool> = summaries.iter().map(|s| s.private.is_none()).collect();
        for (summary, _) in summaries.iter().zip(&live).filter(|(_, live)| **live) {
            pending.extend(&summary.uses);
        }
        let mut seen: BTreeSet<&'static str> = BTreeSet::new();
        while let Some(name) = pending.pop() {
            if !seen.insert(name) {
                continue;
            }
            if let Some(&index) = by_name.get(name)
                && !std::mem::replace(&mut live[index], true)
            {
                pending.extend(&summaries[index].uses);
            }
        }
        Ok(live)
    }

    fn apply(&self, cx: &mut PassCx<'_>, body: &mut Body, root: OpId, live: &bool) -> PassResult {
        if *live {
            return Ok(prune(cx, body, root));
        }
        cx.rewriter(body).erase(root);
        Ok(Changed::Yes)
    }
}

/// The name of a symbol that may go once nothing refers to it.
fn private_name(body: &Body, op: OpId) -> Option<&'static str> {
    let visibility = body.attr(op, "sym_visibility").and_then(Attr::as_str);
    body.symbol_name(op).filter(|_| visibility == Some("private"))
}

/// The symbols that an op and what is in it refer to.
fn uses(body: &Body, op: OpId) -> BTreeSet<&'static str> {
    let mut uses = BTreeSet::new();
    each_in_body(body, op, &mut |_, path| {
        uses.insert(path.root());
    });
    uses
}

/// Removes private symbols from the symbol tables within an op, and from its own.
fn prune(cx: &mut PassCx<'_>, body: &mut Body, table: OpId) -> Changed {
    let is_table =
        |body: &Body, op| cx.registry.op(body.name(op)).is_some_and(|info| info.symbol_table);
    let tables: Vec<OpId> = body.walk(table).filter(|&op| is_table(body, op)).collect();
    let mut changed = Changed::No;
    for table in tables.into_iter().rev() {
        let Some(block) = body.region_entry(table, 0) else { continue };
        let members: Vec<OpId> = body.block_ops(block).collect();
        let mut dead: BTreeMap<&str, OpId> = BTreeMap::new();
        let mut pending: Vec<&'static str> = Vec::new();
        for op in members {
            match private_name(body, op) {
                Some(name) => drop(dead.insert(name, op)),
                None => pending.extend(uses(body, op)),
            }
        }
        while let Some(name) = pending.pop() {
            pending.extend(dead.remove(name).into_iter().flat_map(|op| uses(body, op)));
        }
        changed |= Changed::when(!dead.is_empty());
        dead.into_values().for_each(|op| cx.rewriter(body).erase(op));
    }
    changed
}
