//! `iree-stream-fuse-dispatch-bindings`: bindings that are ranges of one resource at every dispatch
//! become one binding of the whole resource, and the offsets into it become operands.

use std::collections::BTreeMap;

use tegula_dialect_util::constants::constant_index;
use tegula_ir::{Attr, Body, InsertPoint, NewOp, OpId, Registry, Type, ValueId};
use tegula_pass::{
    Changed, Failed, Header, PassCx, PassResult, SolveBySubject, Statement, Subject, Verdicts,
};
use tegula_rewrite::Rewriter;

use super::commands::WRITES;
use super::support::index_constant;
use crate::config::ResourceConfig;
use crate::dispatch::{
    CmdDispatch, arg_attrs, binding_type, exported, exports, mutual_statement, set_signature,
};

/// The pass.
pub(crate) struct FuseDispatchBindings;

/// What is said of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Claim {
    /// There is device code for it, and bindings that are written may alias, or not.
    Code { alias: bool },
    /// A dispatch passes this.
    Site(Site),
}

/// What one dispatch says of its entry's bindings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Site {
    /// For each binding the first one with the same resource.
    first: Vec<usize>,
    access: Vec<i64>,
}

/// The bindings of one entry after the pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fused {
    /// The old bindings in each new one.
    groups: Vec<Vec<usize>>,
    /// What is done to each new one.
    access: Vec<i64>,
}

impl SolveBySubject for FuseDispatchBindings {
    type Claim = Claim;
    type Shared = ();
    type Common = ();
    /// None where the code is somewhere else.
    type Verdict = Option<Fused>;

    fn summarize(&self, _: &Registry, _: &Header, body: &Body, root: OpId) -> Statement<Claim, ()> {
        let mut claims = Vec::new();
        for (entry, export, _) in exported(body, root) {
            let alias = ResourceConfig::at(body, export).alias_mutable_bindings;
            claims.push((entry, Claim::Code { alias }));
        }
        for dispatch in CmdDispatch::all(body, root) {
            let resources = dispatch.resources(body);
            let first = |resource| resources.iter().position(|other| other == resource);
            let first = resources.iter().filter_map(first).collect();
            let accesses = dispatch.accesses(body);
            let access = accesses.iter().map(|a| a.as_int().unwrap_or(3)).collect();
            let site = Site { first, access };
            let site = || Claim::Site(site.clone());
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
    ) -> Result<Option<Fused>, Failed> {
        let alias = claims.iter().find_map(|claim| match claim {
            Claim::Code { alias } => Some(*alias),
            Claim::Site(_) => None,
        });
        let sites = claims.iter().filter_map(|claim| match claim {
            Claim::Site(site) => Some(site),
            Claim::Code { .. } => None,
        });
        let sites: Vec<&Site> = sites.collect();
        Ok(alias.filter(|_| !sites.is_empty()).map(|alias| fuse(&sites, alias)))
    }

    fn apply(
        &self,
        cx: &mut PassCx<'_>,
        body: &mut Body,
        root: OpId,
        (): &(),
        verdicts: &Verdicts<'_, Option<Fused>>,
    ) -> PassResult {
        let mut changed = Changed::No;
        for (entry, func) in exports(body, root) {
            if let Some(Some(fused)) = verdicts.get(entry.subject()) {
                rebase_function(&mut cx.rewriter(body), func, fused);
                changed = Changed::Yes;
            }
        }
        let mut zeros = BTreeMap::new();
        for dispatch in CmdDispatch::all(body, root) {
            let entries = dispatch.entries(body);
            let mut fused = entries.iter().map(|entry| verdicts.get(entry.subject()));
            let Some(Some(Some(first))) = fused.next() else { continue };
            if fused.any(|other| other.and_then(Option::as_ref) != Some(first)) {
                return Err(cx.error(
                    body,
                    dispatch.op,
                    "differing-bindings",
                    "the entry points of this dispatch need different bindings",
                ));
            }
            rebase_site(&mut cx.rewriter(body), &dispatch, first, &mut zeros);
            changed = Changed::Yes;
        }
        Ok(changed)
    }
}

/// For each binding the first one that may share its resource. What is written keeps to itself unless
/// the device lets written bindings alias.
fn classes(site: &Site, alias: bool) -> Vec<usize> {
    let exclusive = |i: usize| !alias && site.access.get(i).is_none_or(|&bits| bits & WRITES != 0);
    (0..site.first.len())
        .map(|i| {
            let same = |&j: &usize| site.first[j] == site.first[i] && !exclusive(j);
            if exclusive(i) { i } else { (0..i).find(same).unwrap_or(i) }
        })
        .collect()
}

/// The bindings that are together at all sites, in order of their first.
fn fuse(sites: &[&Site], alias: bool) -> Fused {
    let classes: Vec<Vec<usize>> = sites.iter().map(|site| classes(site, alias)).collect();
    let count = classes.iter().map(Vec::len).min().unwrap_or(0);
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for binding in 0..count {
        let together = |group: &&mut Vec<usize>| classes.iter().all(|c| c[group[0]] == c[binding]);
        match groups.iter_mut().find(together) {
            Some(group) => group.push(binding),
            None => groups.push(vec![binding]),
        }
    }
    let access = |group: &Vec<usize>| {
        let each = sites.iter().flat_map(|s| group.iter().map(|&b| s.access.get(b).unwrap_or(&3)));
        each.fold(0, |all, bits| all | bits)
    };
    let access = groups.iter().map(access).collect();
    Fused { groups, access }
}

/// The function's new arguments: bindings, an offset for each old binding, then what it had besides.
fn rebase_function(rw: &mut Rewriter<'_>, func: OpId, fused: &Fused) {
    let Some(block) = rw.body.region_entry(func, 0) else { return };
    let old: Vec<ValueId> = rw.body.block_args(block).to_vec();
    let old_attrs = arg_attrs(rw.body, func, old.len());
    let is_binding = |rw: &Rewriter<'_>, v: ValueId| rw.body.ty(v) == binding_type();
    let bindings: Vec<ValueId> = old.iter().copied().filter(|&v| is_binding(rw, v)).collect();

    let new_bindings: Vec<ValueId> =
        fused.groups.iter().map(|_| rw.add_block_arg(block, binding_type())).collect();
    let mut attrs = vec![Attr::empty_dict(); fused.groups.len()];
    for (group, &new) in fused.groups.iter().zip(&new_bindings) {
        for &member in group {
            let offset = rw.add_block_arg(block, Type::index());
            attrs.push(Attr::empty_dict());
            if let Some(&binding) = bindings.get(member) {
                shift_subspans(rw, binding, offset);
                rw.replace_all_uses(binding, new);
            }
        }
    }
    for (index, &arg) in old.iter().enumerate() {
        if !is_binding(rw, arg) {
            let copy = rw.add_block_arg(block, rw.body.ty(arg));
            rw.replace_all_uses(arg, copy);
            attrs.push(old_attrs[index]);
        }
    }
    for index in (0..old.len()).rev() {
        rw.remove_block_arg(block, index);
    }
    rw.modify(func, |body| set_signature(body, func, &attrs));
}

/// Adds an offset to every subspan of a binding.
fn shift_subspans(rw: &mut Rewriter<'_>, binding: ValueId, offset: ValueId) {
    let users = rw.body.users(binding).filter(|&op| rw.body.is(op, "stream.binding.subspan"));
    let subspans: Vec<OpId> = users.collect();
    for subspan in subspans {
        let old = rw.body.operand(subspan, 1);
        let sum = match constant_index(rw.body, old) {
            Some(0) => offset,
            _ => rw.insert_value(
                InsertPoint::Before(subspan),
                NewOp::new("arith.addi").operands([offset, old]).result(Type::index()),
            ),
        };
        rw.set_operand(subspan, 1, sum);
    }
}

fn rebase_site(
    rw: &mut Rewriter<'_>,
    dispatch: &CmdDispatch,
    fused: &Fused,
    zeros: &mut BTreeMap<OpId, ValueId>,
) {
    let registry = rw.registry;
    let op = dispatch.op;
    let mut execute = op;
    while let Some(parent) = rw.body.parent_op(execute)
        && !rw.body.is(execute, "stream.cmd.execute")
    {
        execute = parent;
    }
    let zero = *zeros
        .entry(execute)
        .or_insert_with(|| index_constant(rw, InsertPoint::Before(execute), 0));
    let (resources, sizes) = (dispatch.resources(rw.body), dispatch.sizes(rw.body));
    let offsets = dispatch.offsets(rw.body);
    let firsts = || fused.groups.iter().map(|group| group[0]);
    let mut uniforms = Vec::new();
    uniforms.extend(fused.groups.iter().flatten().map(|&member| offsets[member]));
    uniforms.extend(dispatch.uniforms(rw.body));
    let accesses: Vec<Attr> = fused.access.iter().map(|&bits| Attr::i32(bits as i32)).collect();
    let workload = registry.operands_of(rw.body, op, "workload");
    let new = registry.new_op("stream.cmd.dispatch");
    let new = new
        .operands("workload", workload)
        .operands("uniform_operands", uniforms)
        .operands("resources", firsts().map(|i| resources[i]))
        .operands("resource_sizes", firsts().map(|i| sizes[i]))
        .operands("resource_offsets", firsts().map(|_| zero))
        .operands("resource_lengths", firsts().map(|i| sizes[i]))
        .attr_opt("entry_points", rw.body.attr(op, "entry_points"))
        .attr("resource_accesses", Attr::array(&accesses))
        .build();
    rw.replace_with(op, new);
}
