//! Passes that belong to no dialect, and pass bodies that are sets of patterns.

mod canonicalize;
mod cse;
mod loop_invariant_code_motion;
mod patterns;
mod same_regions;

use std::borrow::Cow;

use tegula_schema::{PassDef, StatisticDef};

use crate::PassRun;

pub use cse::cse;
pub(crate) use patterns::{convert_on, greedy_on};

/// The passes of this crate.
pub(crate) fn passes() -> Vec<(PassDef, PassRun)> {
    vec![canonicalize::pass(), cse::pass(), loop_invariant_code_motion::pass()]
}

fn statistic(name: &'static str, summary: &'static str) -> StatisticDef {
    StatisticDef { name: Cow::Borrowed(name), summary: Cow::Borrowed(summary) }
}
