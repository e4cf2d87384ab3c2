//! `iree-stream-conversion`: tensors become resources.
//!
//! The patterns see one symbol. What they need from others is brought to them: the module's default
//! affinity, and at each op that uses the global of a tensor what that has become.

use tegula_ir::{Body, OpId, Registry};
use tegula_pass::{
    Changed, Failed, Header, PassCx, PassResult, SolveBySubject, Statement, Subject, Verdicts,
};

use super::globals::{self, Global};
use super::{executables, is_tensor};

const DEFAULT_AFFINITY: &str = "stream.affinity.default";

/// The pass; its subjects are the globals of tensors.
pub(crate) struct ConvertToStream;

impl SolveBySubject for ConvertToStream {
    type Claim = Global;
    type Shared = ();
    type Common = ();
    type Verdict = Global;

    fn summarize(
        &self,
        _: &Registry,
        _: &Header,
        body: &Body,
        root: OpId,
    ) -> Statement<Global, ()> {
        let global = Global::of(body, root);
        let asks = match &global {
            Some((name, _)) => vec![*name],
            None => body.walk(root).filter_map(|op| globals::used(body, op)).collect(),
        };
        Statement { claims: global.into_iter().collect(), asks, shared: None }
    }

    fn common(&self, _: &mut PassCx<'_>, _: &[&()]) -> Result<(), Failed> {
        Ok(())
    }

    fn decide(
        &self,
        cx: &mut PassCx<'_>,
        _: &(),
        name: Subject,
        claims: &[&Global],
    ) -> Result<Global, Failed> {
        claims.first().copied().copied().ok_or_else(|| {
            cx.error_no_op("no-global", format!("nothing is said of the global `@{name}`"))
        })
    }

    fn apply(
        &self,
        cx: &mut PassCx<'_>,
        body: &mut Body,
        root: OpId,
        _: &(),
        verdicts: &Verdicts<'_, Global>,
    ) -> PassResult {
        match body.name(root).as_str() {
            "flow.executable" => {
                executables::convert(cx, body, root)?;
                Ok(Changed::Yes)
            }
            "util.global" => match Global::of(body, root) {
                Some((_, global)) => {
                    globals::convert(cx, body, root, global);
                    Ok(Changed::Yes)
                }
                None => Ok(Changed::No),
            },
            "flow.func" | "util.func" | "util.initializer" => program(cx, body, root, verdicts),
            _ => Ok(Changed::No),
        }
    }
}

/// Converts a function or an initializer.
fn program(
    cx: &mut PassCx<'_>,
    body: &mut Body,
    root: OpId,
    verdicts: &Verdicts<'_, Global>,
) -> PassResult {
    let ops: Vec<OpId> = body.walk(root).collect();
    let tensors = ops.iter().any(|&op| {
        let values = body.operands(op).chain(body.results(op));
        values.into_iter().any(|value| is_tensor(body.ty(value)))
    });
    let mut rw = cx.rewriter(body);
    let mut changed = Changed::No;
    for op in ops {
        let global = globals::used(rw.body, op).and_then(|name| verdicts.get(name));
        if let Some(global) = global {
            global.tell(&mut rw, op);
            changed = Changed::Yes;
        }
    }
    let default = cx.header.attr(DEFAULT_AFFINITY).filter(|_| tensors);
    if let Some(default) = default {
        body.set_attr(root, DEFAULT_AFFINITY, default);
    }
    let converted = cx.patterns_of_pass(body, root);
    if let (Some(_), Some(root)) = (default, body.root()) {
        body.remove_attr(root, DEFAULT_AFFINITY);
    }
    Ok(changed | converted?)
}
