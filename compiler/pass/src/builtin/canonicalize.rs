//! `canonicalize`: folds, canonicalization patterns, dead code and region simplification.

use std::borrow::Cow;

use tegula_ir::{Body, OpId};
use tegula_rewrite::{GreedyConfig, greedy};
use tegula_schema::{OptionDef, OptionKind, PassBody, PassDef, Scope};

use super::patterns::{broken, unsettled};
use crate::report::{Report, Severity};
use crate::{Changed, OptionValue, PassCx, PassResult, PassRun};

fn option(name: &'static str, kind: OptionKind, default: &'static str) -> OptionDef {
    OptionDef {
        name: Cow::Borrowed(name),
        kind,
        default: Cow::Borrowed(default),
        summary: Cow::Borrowed(""),
    }
}

fn strings() -> OptionKind {
    OptionKind::ListOf(Cow::Owned(vec![OptionKind::String]))
}

/// The pass, with MLIR's options.
pub(crate) fn pass() -> (PassDef, PassRun) {
    let regions = ["disabled", "normal"].map(Cow::Borrowed).to_vec();
    let def = PassDef {
        def_name: Cow::Borrowed("CanonicalizerPass"),
        name: Cow::Borrowed("canonicalize"),
        summary: Cow::Borrowed("Brings ops into their canonical form"),
        scope: Scope::Local,
        options: Cow::Owned(vec![
            option("cse-between-iterations", OptionKind::Bool, "false"),
            option("disable-patterns", strings(), ""),
            option("enable-patterns", strings(), ""),
            option("filter-dialects", strings(), ""),
            option("max-iterations", OptionKind::Int, "10"),
            option("max-num-rewrites", OptionKind::Int, "-1"),
            option("region-simplify", OptionKind::Choice(Cow::Owned(regions)), "normal"),
            option("test-convergence", OptionKind::Bool, "false"),
            option("top-down", OptionKind::Bool, "true"),
        ]),
        body: PassBody::Hook(Cow::Borrowed("canonicalize")),
        ..PassDef::default()
    };
    (def, PassRun::Local(run))
}

fn run(cx: &mut PassCx<'_>, body: &mut Body, op: OpId) -> PassResult {
    let words = |name: &str| -> Vec<String> {
        let words = cx.options.list(name).iter().map(|item| match item {
            OptionValue::String(text) => text.clone(),
            other => other.to_string(),
        });
        words.collect()
    };
    let (disabled, enabled) = (words("disable-patterns"), words("enable-patterns"));
    let dialects = words("filter-dialects");
    let index = if disabled.is_empty() && enabled.is_empty() && dialects.is_empty() {
        cx.patterns.select(&["canonicalize"])
    } else {
        let named = |list: &[String], name: &str| list.iter().any(|n| n == name);
        cx.patterns.select_if(&["canonicalize"], |pattern| {
            !named(&disabled, pattern.name())
                && (enabled.is_empty() || named(&enabled, pattern.name()))
                && (dialects.is_empty() || named(&dialects, pattern.dialect()))
        })
    };
    let (max_iterations, max_rewrites) =
        (cx.options.int("max-iterations"), cx.options.int("max-num-rewrites"));
    let poll = cx.poller();
    let config = GreedyConfig {
        // A negative number means no limit.
        max_iterations: usize::try_from(max_iterations).unwrap_or(usize::MAX),
        max_rewrites: usize::try_from(max_rewrites).unwrap_or(usize::MAX),
        top_down: cx.options.bool("top-down"),
        simplify_regions: cx.options.str("region-simplify") != "disabled",
        poll: Some(poll),
        ..GreedyConfig::default()
    };
    // Who asks for less than the usual gets it without a word.
    let usual = GreedyConfig::default();
    let cut_short =
        config.max_iterations < usual.max_iterations || config.max_rewrites < usual.max_rewrites;
    let test_convergence = cx.options.bool("test-convergence");
    let mut changed = Changed::No;
    loop {
        let result = match greedy(cx.registry, cx.patterns, &index, body, op, config) {
            Ok(result) => result,
            Err(error) => return Err(broken(cx, error)),
        };
        changed |= Changed::when(result.changed);
        let report = (!result.converged).then(|| {
            let severity = if test_convergence { Severity::Error } else { Severity::Warning };
            let message = "canonicalization did not converge";
            unsettled(Report::at(severity, body, op, "no-fixed-point", message), &result)
        });
        cx.applied(result);
        if test_convergence && let Some(report) = report {
            return Err(cx.fail(report));
        }
        if cx.options.bool("cse-between-iterations") && super::cse(cx.registry, body, op) {
            changed = Changed::Yes;
            continue;
        }
        if !cut_short && let Some(report) = report {
            cx.report(report);
        }
        return Ok(changed);
    }
}
