//! `symbol-dce`: private symbols that nothing refers to are removed.

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
        let name = body.symbol_name(root);
        let visibility = body.attr(root, "sym_visibility").and_then(Attr::as_str);
        let private = name.filter(|_| visibility == Some("private"));
        let mut uses = BTreeSet::new();
        each_in_body(body, root, &mut |_, path| {
            uses.insert(path.root());
        });
        Summary { private, name, uses }
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
        if !live {
            cx.rewriter(body).erase(root);
        }
        Ok(Changed::when(!live))
    }
}
