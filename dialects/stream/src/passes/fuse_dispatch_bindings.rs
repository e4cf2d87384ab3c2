//! `iree-stream-fuse-dispatch-bindings`: bindings that are ranges of one resource at every dispatch
//! become one binding of the whole resource, and the offsets into it become operands.

use std::collections::BTreeMap;

use tegula_dialect_util::constants::constant_index;
use tegula_ir::{Attr, Body, InsertPoint, NewOp, OpId, Type, ValueId};
use tegula_pass::{
    Changed, Failed, Header, PassCx, PassResult, SolveBySubject, Statement, Subject, Verdicts,
};
use tegula_rewrite::Rewriter;

use super::commands::writes;
use super::support::index_constant;
use crate::config::ResourceConfig;
use crate::dispatch::{
    CmdDispatch, arg_attrs, binding_type, exports, mutual_statement, set_signature,
};

/// The pass.
pub(crate) struct FuseDispatchBindings;

/// What one dispatch says of its entry's bindings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Site {
    /// For each binding the first one that may share its resource.
    class: Vec<usize>,
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
    type Claim = Site;
    type Shared = ();
    type Common = ();
    type Verdict = Fused;

    fn summarize(&self, _: &Header, body: &Body, root: OpId) -> Statement<Site, ()> {
        let mut sites = Vec::new();
        for dispatch in CmdDispatch::all(body, root) {
            let resources = dispatch.resources(body);
            let accesses = dispatch.accesses(body);
            let alias = ResourceConfig::at(body, dispatch.op).alias_mutable_bindings;
            let class = classes(&resources, &accesses, alias);
            let access = accesses.iter().map(|a| a.as_int().unwrap_or(3)).collect::<Vec<_>>();
            let site = Site { class, access };
            sites.extend(dispatch.entries(body).into_iter().map(|entry| (entry, site.clone())));
        }
        mutual_statement(body, root, sites)
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
    ) -> Result<Fused, Failed> {
        Ok(fuse(sites))
    }

    fn apply(
        &self,
        cx: &mut PassCx<'_>,
        body: &mut Body,
        root: OpId,
        (): &(),
        verdicts: &Verdicts<'_, Fused>,
    ) -> PassResult {
        let mut changed = Changed::No;
        for (entry, func) in exports(body, root) {
            if let Some(fused) = verdicts.get(entry.subject()) {
                rebase_function(&mut cx.rewriter(body), func, fused);
                changed = Changed::Yes;
            }
        }
        let mut zeros = BTreeMap::new();
        for dispatch in CmdDispatch::all(body, root) {
            let entries = dispatch.entries(body);
            let mut fused = entries.iter().map(|entry| verdicts.get(entry.subject()));
            let Some(Some(first)) = fused.next() else { continue };
            if fused.any(|other| other != Some(first)) {
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

/// For each binding the first one with the same resource. What is written keeps to itself unless
/// the device lets written bindings alias.
fn classes(resources: &[ValueId], accesses: &[Attr], alias: bool) -> Vec<usize> {
    let exclusive = |i: usize| !alias && accesses.get(i).is_none_or(|&a| writes(a));
    (0..resources.len())
        .map(|i| {
            let same = |&j: &usize| resources[j] == resources[i] && !exclusive(j);
            if exclusive(i) { i } else { (0..i).find(same).unwrap_or(i) }
        })
        .collect()
}

/// The bindings that are together at all sites, in order of their first.
fn fuse(sites: &[&Site]) -> Fused {
    let count = sites.iter().map(|s| s.class.len()).min().unwrap_or(0);
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for binding in 0..count {
        let together =
            |group: &&mut Vec<usize>| sites.iter().all(|s| s.class[group[0]] == s.class[binding]);
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
                NewOp::new("arith.addi").operands([old, offset]).result(Type::index()),
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
