//! `tegula-util-drop-inlined`: private functions go all of whose calls have been inlined.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;
use tegula_ir::{Attr, Body, OpId};
use tegula_pass::{Changed, Failed, Header, PassCx, PassResult, Solve};

use super::inline::INLINED;
use crate::references::{each_in_attr, each_in_body};

/// The pass.
pub struct DropInlined;

/// What one body says of functions.
#[derive(Debug, PartialEq, Eq)]
pub struct Summary {
    /// The function, when it is private.
    private: Option<&'static str>,
    /// What has been inlined into it.
    inlined: BTreeSet<&'static str>,
    /// What it refers to.
    uses: BTreeSet<&'static str>,
}

/// What becomes of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It goes.
    Goes,
    /// It stays and says no more what has been inlined into it.
    Stays,
}

impl Solve for DropInlined {
    type Summary = Summary;
    type Projection = Verdict;

    fn summarize(&self, _: &Header, body: &Body, root: OpId) -> Summary {
        let private = body.attr(root, "sym_visibility").and_then(Attr::as_str) == Some("private");
        let function = private && body.is(root, "util.func");
        let inlined = body.attr(root, INLINED);
        let inlined = inlined.and_then(Attr::as_array).unwrap_or_default().iter();
        let mut uses = BTreeSet::new();
        each_in_body(body, root, &mut |op, path| {
            if op != root {
                uses.insert(path.root());
            }
        });
        Summary {
            private: body.symbol_name(root).filter(|_| function),
            inlined: inlined.filter_map(|name| Some(name.as_symbol_root()?.as_str())).collect(),
            uses,
        }
    }

    fn solve(&self, cx: &mut PassCx<'_>, summaries: &[&Summary]) -> Result<Vec<Verdict>, Failed> {
        let inlined: BTreeSet<&str> =
            summaries.iter().flat_map(|summary| summary.inlined.iter().copied()).collect();
        let mut in_header = BTreeSet::new();
        each_in_attr(cx.header.attrs, &mut |path| {
            in_header.insert(path.root());
        });
        let mut gone: BTreeSet<&str> = BTreeSet::new();
        // What only functions use that go is used no more.
        loop {
            let stays = |s: &&&Summary| s.private.is_none_or(|name| !gone.contains(name));
            let staying = summaries.iter().filter(stays);
            let used: FxHashSet<&str> = staying.flat_map(|s| s.uses.iter().copied()).collect();
            let goes = |s: &&&Summary| {
                s.private.is_some_and(|name| {
                    inlined.contains(name)
                        && !gone.contains(name)
                        && !in_header.contains(name)
                        && !used.contains(name)
                })
            };
            let more: Vec<&str> = summaries.iter().filter(goes).filter_map(|s| s.private).collect();
            if more.is_empty() {
                break;
            }
            gone.extend(more);
        }
        let verdict = |s: &&Summary| match s.private {
            Some(name) if gone.contains(name) => Verdict::Goes,
            _ => Verdict::Stays,
        };
        Ok(summaries.iter().map(verdict).collect())
    }

    fn apply(
        &self,
        cx: &mut PassCx<'_>,
        body: &mut Body,
        root: OpId,
        verdict: &Verdict,
    ) -> PassResult {
        match verdict {
            Verdict::Goes => cx.rewriter(body).erase(root),
            Verdict::Stays if body.attr(root, INLINED).is_none() => return Ok(Changed::No),
            Verdict::Stays => drop(cx.rewriter(body).remove_attr(root, INLINED)),
        }
        Ok(Changed::Yes)
    }
}
