//! `iree-stream-fold-uniform-operands`: operands that are one constant at all dispatches move into
//! the device function, and operands that always equal another one go away.

use tegula_dialect_util::constants::constant_index;
use tegula_ir::{Attr, Body, InsertPoint, NewOp, OpId, Registry, ValueId};
use tegula_pass::{
    Changed, Failed, Header, PassCx, PassResult, SolveBySubject, Statement, Subject, Verdicts,
};
use tegula_rewrite::Rewriter;

use crate::dispatch::{
    CmdDispatch, arg_attrs, binding_type, exports, mutual_statement, set_signature,
};

/// The pass.
pub(crate) struct FoldUniformOperands;

/// What is said of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Claim {
    /// There is device code for it.
    Code,
    /// A dispatch passes this.
    Site(Vec<Passed>),
}

/// What one dispatch passes as one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Passed {
    constant: Option<i64>,
    /// The first operand that is the same value.
    first: usize,
}

/// What becomes of one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It stays.
    Keep,
    /// It is this earlier operand at all dispatches, and none before that.
    SameAs(usize),
    /// It always is this constant.
    Constant(i64),
}

impl SolveBySubject for FoldUniformOperands {
    type Claim = Claim;
    type Shared = ();
    type Common = ();
    type Verdict = Vec<Fate>;

    fn summarize(&self, _: &Registry, _: &Header, body: &Body, root: OpId) -> Statement<Claim, ()> {
        let code = exports(body, root).into_iter().map(|(entry, _)| (entry, Claim::Code));
        let mut claims: Vec<_> = code.collect();
        for dispatch in CmdDispatch::all(body, root) {
            let uniforms = dispatch.uniforms(body);
            let passed: Vec<Passed> = (uniforms.iter())
                .map(|&value| Passed {
                    constant: constant_index(body, value),
                    first: uniforms.iter().position(|&v| v == value).unwrap_or_default(),
                })
                .collect();
            let site = || Claim::Site(passed.clone());
            claims.extend(dispatch.entries(body).into_iter().map(|entry| (entry, site())));
        }
        mutual_statement(body, root, claims)
    }

    fn common(&self, _: &mut PassCx<'_>, _: &[&()]) -> Result<(), Failed> {
        Ok(())
    }

    fn decide(
        &self,
        _: &mut PassCx<'_>,
        (): &(),
        _: Subject,
        claims: &[&Claim],
    ) -> Result<Vec<Fate>, Failed> {
        // Code that is somewhere else gets what it always got.
        if !claims.contains(&&Claim::Code) {
            return Ok(Vec::new());
        }
        let sites = claims.iter().filter_map(|claim| match claim {
            Claim::Site(passed) => Some(passed),
            Claim::Code => None,
        });
        Ok(decide(&sites.collect::<Vec<_>>()))
    }

    fn apply(
        &self,
        cx: &mut PassCx<'_>,
        body: &mut Body,
        root: OpId,
        (): &(),
        verdicts: &Verdicts<'_, Vec<Fate>>,
    ) -> PassResult {
        let keeps_all = |fates: &[Fate]| fates.iter().all(|f| *f == Fate::Keep);
        let mut changed = Changed::No;
        for (entry, func) in exports(body, root) {
            if let Some(fates) = verdicts.get(entry.subject()).filter(|f| !keeps_all(f)) {
                fold_arguments(&mut cx.rewriter(body), func, fates);
                changed = Changed::Yes;
            }
        }
        for dispatch in CmdDispatch::all(body, root) {
            let entries = dispatch.entries(body);
            let mut all = entries.iter().map(|entry| verdicts.get(entry.subject()));
            let Some(Some(fates)) = all.next() else { continue };
            if all.any(|other| other != Some(fates)) || keeps_all(fates) {
                continue;
            }
            let uniforms = dispatch.uniforms(body).into_iter().zip(fates);
            let kept: Vec<ValueId> =
                uniforms.filter(|(_, fate)| **fate == Fate::Keep).map(|(v, _)| v).collect();
            let registry = cx.registry;
            cx.rewriter(body).modify(dispatch.op, |body| {
                registry.set_operands_of(body, dispatch.op, "uniform_operands", &kept);
            });
            changed = Changed::Yes;
        }
        Ok(changed)
    }
}

fn decide(sites: &[&Vec<Passed>]) -> Vec<Fate> {
    let count = sites.iter().map(|s| s.len()).min().unwrap_or(0);
    let mut fates: Vec<Fate> = Vec::with_capacity(count);
    for operand in 0..count {
        let each = || sites.iter().map(|s| s[operand]);
        let first = each().next().map_or(operand, |p| p.first);
        if first != operand && each().all(|p| p.first == first) {
            fates.push(Fate::SameAs(first));
            continue;
        }
        let constant = each().next().and_then(|p| p.constant);
        let constant = constant.filter(|_| each().all(|p| p.constant == constant));
        fates.push(constant.map_or(Fate::Keep, Fate::Constant));
    }
    fates
}

fn fold_arguments(rw: &mut Rewriter<'_>, func: OpId, fates: &[Fate]) {
    let Some(block) = rw.body.region_entry(func, 0) else { return };
    let args: Vec<ValueId> = rw.body.block_args(block).to_vec();
    let mut attrs = arg_attrs(rw.body, func, args.len());
    let positions: Vec<usize> =
        (0..args.len()).filter(|&i| rw.body.ty(args[i]) != binding_type()).collect();
    let mut values: Vec<ValueId> = Vec::new();
    let mut at = InsertPoint::Start(block);
    let mut dead = Vec::new();
    for (&position, fate) in positions.iter().zip(fates) {
        let arg = args[position];
        let value = match *fate {
            Fate::Keep => arg,
            Fate::SameAs(other) => values[other],
            Fate::Constant(value) => {
                let ty = rw.body.ty(arg);
                let attr = Attr::int(value.into(), ty);
                let op = rw.insert(at, NewOp::new("arith.constant").attr("value", attr).result(ty));
                at = InsertPoint::After(op);
                rw.body.result(op, 0)
            }
        };
        values.push(value);
        if value != arg {
            rw.replace_all_uses(arg, value);
            dead.push(position);
        }
    }
    for &position in dead.iter().rev() {
        rw.remove_block_arg(block, position);
        attrs.remove(position);
    }
    rw.modify(func, |body| set_signature(body, func, &attrs));
}
