//! `tegula-util-drop-inlined`: private functions go that nothing refers to.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;
use tegula_ir::{Attr, Body, OpId};
use tegula_pass::{Changed, Failed, Header, PassCx, PassResult, Solve};

use crate::references::{each_in_attr, each_in_body};

/// The pass.
pub struct DropInlined;

/// What one body says of functions.
#[derive(Debug, PartialEq, Eq)]
pub struct Summary {
    /// The function, when it is private.
    private: Option<&'static str>,
    /// What it refers to.
    uses: BTreeSet<&'static str>,
}

/// Whether a body goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Goes(bool);

impl Solve for DropInlined {
    type Summary = Summary;
    type Projection = Goes;

    fn summarize(&self, _: &Header, body: &Body, root: OpId) -> Summary {
        let private = body.attr(root, "sym_visibility").and_then(Attr::as_str) == Some("private");
        let function = private && body.is(root, "util.func");
        let mut uses = BTreeSet::new();
        each_in_body(body, root, &mut |_, path| {
            uses.insert(path.root());
        });
        Summary { private: body.symbol_name(root).filter(|_| function), uses }
    }

    fn solve(&self, cx: &mut PassCx<'_>, summaries: &[&Summary]) -> Result<Vec<Goes>, Failed> {
        let uses = summaries.iter().flat_map(|summary| summary.uses.iter().copied());
        let mut used: FxHashSet<&str> = uses.collect();
        each_in_attr(cx.header.attrs, &mut |path| {
            used.insert(path.root());
        });
        let goes = |s: &&Summary| Goes(s.private.is_some_and(|name| !used.contains(name)));
        Ok(summaries.iter().map(goes).collect())
    }

    fn apply(
        &self,
        cx: &mut PassCx<'_>,
        body: &mut Body,
        root: OpId,
        Goes(goes): &Goes,
    ) -> PassResult {
        if *goes {
            cx.rewriter(body).erase(root);
        }
        Ok(Changed::when(*goes))
    }
}
