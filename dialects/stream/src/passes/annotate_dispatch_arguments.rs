//! `iree-stream-annotate-dispatch-arguments`: records at device functions what all dispatches pass
//! to them: `stream.values` where only constants are passed, and the `stream.alignment` of each.

use std::collections::{BTreeMap, BTreeSet};

use tegula_ir::{Attr, Body, Ident, OpId};
use tegula_pass::{Changed, Failed, Header, PassCx, PassResult, Solve};

use super::config::ResourceConfig;
use super::facts::{Known, alignment_of, gcd, known};
use crate::dispatch::{
    CmdDispatch, Entry, arg_attrs, binding_type, by_entry, exported, exports, set_signature,
};

/// The pass.
pub(crate) struct AnnotateDispatchArguments;

/// What one dispatch passes.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Site {
    entry: Entry,
    uniforms: Vec<Known>,
    offsets: Vec<Known>,
}

/// One body's dispatches and entries.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Summary {
    sites: Vec<Site>,
    entries: Vec<Entry>,
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

impl Solve for AnnotateDispatchArguments {
    type Summary = Summary;
    type Projection = BTreeMap<Entry, Arguments>;

    fn summarize(&self, _: &Header, body: &Body, root: OpId) -> Summary {
        let mut sites = Vec::new();
        for dispatch in CmdDispatch::all(body, root) {
            let all = |values: Vec<_>| values.into_iter().map(|v| known(body, v)).collect();
            for entry in dispatch.entries(body) {
                let uniforms = all(dispatch.uniforms(body));
                sites.push(Site { entry, uniforms, offsets: all(dispatch.offsets(body)) });
            }
        }
        let entries = exported(body, root);
        Summary { sites, entries }
    }

    fn solve(
        &self,
        _: &mut PassCx<'_>,
        summaries: &[&Summary],
    ) -> Result<Vec<Self::Projection>, Failed> {
        let sites = summaries.iter().flat_map(|s| &s.sites);
        let sites = by_entry(sites.map(|site| (&site.entry, site)));
        let projection = |summary: &&Summary| {
            let entries = summary.entries.iter();
            entries.filter_map(|e| Some((e.clone(), arguments(sites.get(e)?)))).collect()
        };
        Ok(summaries.iter().map(projection).collect())
    }

    fn apply(
        &self,
        cx: &mut PassCx<'_>,
        body: &mut Body,
        root: OpId,
        projection: &Self::Projection,
    ) -> PassResult {
        let mut changed = Changed::No;
        for (entry, func) in exports(body, root) {
            let Some(arguments) = projection.get(&entry) else { continue };
            let Some(block) = body.region_entry(func, 0) else { continue };
            let args = body.block_args(block).to_vec();
            let mut attrs = arg_attrs(body, func, args.len());
            let (mut bindings, mut uniforms) =
                (arguments.bindings.iter(), arguments.uniforms.iter());
            for (arg, attrs) in args.into_iter().zip(&mut attrs) {
                let found = if body.ty(arg) == binding_type() {
                    bindings.next().map(|&a| vec![("stream.alignment", Attr::index(a))])
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
