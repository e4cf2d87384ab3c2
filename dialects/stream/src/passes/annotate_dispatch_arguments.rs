//! `iree-stream-annotate-dispatch-arguments`: records at device functions what all dispatches pass
//! to them: `stream.values` where only constants are passed, and the `stream.alignment` of each.

use std::collections::BTreeSet;

use tegula_ir::{Attr, Body, Ident, OpId, Registry};
use tegula_pass::{
    Changed, Failed, Header, PassCx, PassResult, SolveBySubject, Statement, Subject, Verdicts,
};

use super::facts::{Known, alignment_of, gcd, known};
use crate::config::ResourceConfig;
use crate::dispatch::{CmdDispatch, arg_attrs, binding_type, exports, set_signature, statement};

/// The pass.
pub(crate) struct AnnotateDispatchArguments;

/// What one dispatch passes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Site {
    uniforms: Vec<Known>,
    offsets: Vec<Known>,
}

/// What is known of the arguments of one entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Arguments {
    uniforms: Vec<Fact>,
    /// The alignment of each binding.
    bindings: Vec<i64>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Fact {
    values: Option<BTreeSet<i64>>,
    alignment: Option<i64>,
}

impl SolveBySubject for AnnotateDispatchArguments {
    type Claim = Site;
    type Shared = ();
    type Common = ();
    type Verdict = Arguments;

    fn summarize(&self, _: &Registry, _: &Header, body: &Body, root: OpId) -> Statement<Site, ()> {
        let mut sites = Vec::new();
        for dispatch in CmdDispatch::all(body, root) {
            let all = |values: Vec<_>| values.into_iter().map(|v| known(body, v)).collect();
            let uniforms = all(dispatch.uniforms(body));
            let site = Site { uniforms, offsets: all(dispatch.offsets(body)) };
            sites.extend(dispatch.entries(body).into_iter().map(|entry| (entry, site.clone())));
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
        sites: &[&Site],
    ) -> Result<Arguments, Failed> {
        Ok(arguments(sites))
    }

    fn apply(
        &self,
        cx: &mut PassCx<'_>,
        body: &mut Body,
        root: OpId,
        (): &(),
        verdicts: &Verdicts<'_, Arguments>,
    ) -> PassResult {
        let mut changed = Changed::No;
        for (entry, func) in exports(body, root) {
            let Some(arguments) = verdicts.get(entry.subject()) else { continue };
            let Some(block) = body.region_entry(func, 0) else { continue };
            let args = body.block_args(block).to_vec();
            let mut attrs = arg_attrs(body, func, args.len());
            let (mut bindings, mut uniforms) =
                (arguments.bindings.iter(), arguments.uniforms.iter());
            for (arg, attrs) in args.into_iter().zip(&mut attrs) {
                let found = if body.ty(arg) == binding_type() {
                    let alignment = bindings.next().filter(|&&alignment| alignment > 1);
                    alignment.map(|&a| vec![("stream.alignment", Attr::index(a))])
                } else {
                    uniforms.next().map(|fact| fact.attrs(body.ty(arg)))
                };
                let old = attrs.as_dict().unwrap_or(&[]).iter().copied();
                let new = found.unwrap_or_default().into_iter().map(|(n, a)| (Ident::of(n), a));
                *attrs = Attr::dict(old.chain(new));
            }
            cx.rewriter(body).modify(func, |body| set_signature(body, func, &attrs));
            changed = Changed::Yes;
        }
        Ok(changed)
    }
}

impl Fact {
    fn attrs(&self, ty: tegula_ir::Type) -> Vec<(&'static str, Attr)> {
        let mut out = Vec::new();
        if let Some(alignment) = self.alignment {
            out.push(("stream.alignment", Attr::index(alignment)));
        }
        if let Some(values) = &self.values {
            let values: Vec<Attr> = values.iter().map(|&v| Attr::int(v.into(), ty)).collect();
            out.push(("stream.values", Attr::array(&values)));
        }
        out
    }
}

fn arguments(sites: &[&Site]) -> Arguments {
    let count = |f: fn(&Site) -> usize| sites.iter().map(|s| f(s)).min().unwrap_or(0);
    let uniforms = (0..count(|s| s.uniforms.len())).map(|i| {
        let each: Vec<Known> = sites.iter().map(|s| s.uniforms[i]).collect();
        fact(&each)
    });
    let base = ResourceConfig::default().offset_alignment;
    let bindings = (0..count(|s| s.offsets.len())).map(|i| {
        let each = sites.iter().map(|s| match s.offsets[i] {
            Known::Constant(c) => alignment_of(c).unwrap_or(base),
            Known::Multiple(m) => alignment_of(m).unwrap_or(1),
        });
        each.fold(base, i64::min)
    });
    Arguments { uniforms: uniforms.collect(), bindings: bindings.collect() }
}

fn fact(each: &[Known]) -> Fact {
    let constant = |k: &Known| match k {
        Known::Constant(c) => Some(*c),
        Known::Multiple(_) => None,
    };
    let values: Option<BTreeSet<i64>> = each.iter().map(constant).collect();
    let divisor = each.iter().fold(0, |all, k| match k {
        Known::Constant(c) => gcd(all, c.checked_abs().unwrap_or(1)),
        Known::Multiple(m) => gcd(all, *m),
    });
    Fact { values, alignment: alignment_of(divisor).filter(|&a| a > 1) }
}
