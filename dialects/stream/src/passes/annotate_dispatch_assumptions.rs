//! `iree-stream-annotate-dispatch-assumptions`: states at the start of device functions, with
//! `util.assume.int`, the range and divisibility of each integer at each dispatch.

use tegula_ir::{Attr, Body, InsertPoint, NewOp, OpId, Registry, ValueId};
use tegula_pass::{
    Changed, Failed, Header, PassCx, PassResult, SolveBySubject, Statement, Subject, Verdicts,
};

use super::facts::{Known, known};
use crate::dispatch::{CmdDispatch, binding_type, exports, statement};

/// The pass.
pub(crate) struct AnnotateDispatchAssumptions;

impl SolveBySubject for AnnotateDispatchAssumptions {
    /// What one dispatch passes.
    type Claim = Vec<Known>;
    type Shared = ();
    type Common = ();
    /// For each operand what is known at each dispatch.
    type Verdict = Vec<Vec<Known>>;

    fn summarize(
        &self,
        _: &Registry,
        _: &Header,
        body: &Body,
        root: OpId,
    ) -> Statement<Vec<Known>, ()> {
        let mut sites = Vec::new();
        for dispatch in CmdDispatch::all(body, root) {
            let uniforms = dispatch.uniforms(body);
            let facts: Vec<Known> = uniforms.into_iter().map(|v| known(body, v)).collect();
            sites.extend(dispatch.entries(body).into_iter().map(|e| (e, facts.clone())));
        }
        statement(body, root, sites)
    }

    fn common(&self, _: &mut PassCx<'_>, _: &[&()]) -> Result<(), Failed> {
        Ok(())
    }

    fn decide(
        &self,
        _: &mut PassCx<'_>,
        (): &(),
        _: Subject,
        sites: &[&Vec<Known>],
    ) -> Result<Vec<Vec<Known>>, Failed> {
        let count = sites.iter().map(|facts| facts.len()).min().unwrap_or(0);
        let operand = |index: usize| sites.iter().map(|facts| facts[index]).collect();
        Ok((0..count).map(operand).collect())
    }

    fn apply(
        &self,
        cx: &mut PassCx<'_>,
        body: &mut Body,
        root: OpId,
        (): &(),
        verdicts: &Verdicts<'_, Vec<Vec<Known>>>,
    ) -> PassResult {
        let mut changed = Changed::No;
        for (entry, func) in exports(body, root) {
            let Some(operands) = verdicts.get(entry.subject()) else { continue };
            let Some(block) = body.region_entry(func, 0) else { continue };
            let uniforms = body.block_args(block).iter().copied();
            let uniforms: Vec<ValueId> =
                uniforms.filter(|&a| body.ty(a) != binding_type()).collect();
            let assumed = uniforms.into_iter().zip(operands).filter(|(arg, sites)| {
                let integer = body.ty(*arg).is_index() || body.ty(*arg).bit_width().is_some();
                let says = sites.iter().any(|k| *k != Known::Multiple(1));
                integer && !body.ty(*arg).is_float() && says
            });
            let (args, rows): (Vec<ValueId>, Vec<Attr>) =
                assumed.map(|(arg, sites)| (arg, row(sites))).unzip();
            if args.is_empty() {
                continue;
            }
            let mut rw = cx.rewriter(body);
            let types: Vec<_> = args.iter().map(|&a| rw.body.ty(a)).collect();
            let assume = NewOp::new("util.assume.int")
                .operands(args.iter().copied())
                .results(types)
                .attr("assumptions", Attr::array(&rows));
            let assume = rw.insert(InsertPoint::Start(block), assume);
            for (index, &arg) in args.iter().enumerate() {
                let result = rw.body.result(assume, index);
                rw.replace_uses_if(arg, result, |body, slot| body.use_owner(slot) != assume);
            }
            changed = Changed::Yes;
        }
        Ok(changed)
    }
}

fn row(sites: &[Known]) -> Attr {
    let assumption = |known: &Known| {
        let (bounds, divisor) = match *known {
            Known::Constant(c) => (Some(c), c.checked_abs().unwrap_or(1)),
            Known::Multiple(m) => (None, m),
        };
        let bound = bounds.map_or_else(Attr::absent, Attr::i64);
        let divisor = if divisor > 1 { Attr::i64(divisor) } else { Attr::absent() };
        Attr::dialect("util.int.assumption", &[bound, bound, divisor])
    };
    Attr::array(&sites.iter().map(assumption).collect::<Vec<_>>())
}
