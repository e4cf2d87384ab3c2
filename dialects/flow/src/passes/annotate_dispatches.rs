//! `iree-flow-annotate-dispatches`: entry points are named after what they compute.

use std::collections::{BTreeMap, BTreeSet};

use tegula_ir::{Attr, AttrData, Body, OpId};
use tegula_pass::{Changed, Failed, Header, PassCx, PassResult, Solve};

use super::summary::summarize;

/// An entry point: the executable's name and the name in it.
type EntryPoint = (String, String);

/// The pass.
pub struct AnnotateDispatches;

/// What the module needs to know of one top-level op.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// The entry points that it defines, with their new names.
    defines: BTreeMap<EntryPoint, String>,
    /// The entry points that it dispatches.
    uses: BTreeSet<EntryPoint>,
}

fn entry_point(attr: Attr) -> Option<EntryPoint> {
    match attr.data() {
        AttrData::SymbolRef { root, nested } => {
            let [name] = &nested[..] else { return None };
            Some((root.as_str().to_owned(), name.as_str().to_owned()))
        }
        _ => None,
    }
}

/// The exports of an executable with their functions.
fn exports(body: &Body, executable: OpId) -> Vec<(OpId, OpId)> {
    let funcs: Vec<OpId> = body.walk(executable).filter(|&op| body.is(op, "func.func")).collect();
    let exports = body.walk(executable).filter(|&op| body.is(op, "flow.executable.export"));
    let func_of = |export: OpId| {
        let name = body.attr(export, "function_ref").and_then(Attr::as_symbol_root)?;
        funcs.iter().copied().find(|&f| body.symbol_name(f) == Some(name.as_str()))
    };
    exports.filter_map(|export| Some((export, func_of(export)?))).collect()
}

impl Solve for AnnotateDispatches {
    type Summary = Names;
    type Projection = BTreeMap<EntryPoint, String>;

    fn summarize(&self, _: &Header, body: &Body, root: OpId) -> Names {
        let mut names = Names::default();
        if body.is(root, "flow.executable") {
            let executable = body.symbol_name(root).unwrap_or_default();
            for (export, func) in exports(body, root) {
                let summary = summarize(body, func);
                let (Some(old), Some(stem)) = (body.symbol_name(export), body.symbol_name(func))
                else {
                    continue;
                };
                if !summary.is_empty() {
                    let key = (executable.to_owned(), old.to_owned());
                    names.defines.insert(key, format!("{stem}_{summary}"));
                }
            }
            return names;
        }
        for op in body.walk(root).filter(|&op| body.is(op, "flow.dispatch")) {
            let entries = body.attr(op, "entry_points").and_then(Attr::as_array).unwrap_or(&[]);
            names.uses.extend(entries.iter().filter_map(|&e| entry_point(e)));
        }
        names
    }

    fn solve(
        &self,
        _: &mut PassCx<'_>,
        summaries: &[&Names],
    ) -> Result<Vec<BTreeMap<EntryPoint, String>>, Failed> {
        let all: BTreeMap<&EntryPoint, &String> =
            summaries.iter().flat_map(|s| &s.defines).collect();
        let project = |names: &&Names| {
            let used =
                names.uses.iter().filter_map(|key| Some((key.clone(), (*all.get(key)?).clone())));
            names.defines.clone().into_iter().chain(used).collect()
        };
        Ok(summaries.iter().map(project).collect())
    }

    fn apply(
        &self,
        cx: &mut PassCx<'_>,
        body: &mut Body,
        root: OpId,
        names: &BTreeMap<EntryPoint, String>,
    ) -> PassResult {
        if names.is_empty() {
            return Ok(Changed::No);
        }
        let mut rewriter = cx.rewriter(body);
        if rewriter.body.is(root, "flow.executable") {
            let executable = rewriter.body.symbol_name(root).unwrap_or_default().to_owned();
            for (export, func) in exports(rewriter.body, root) {
                let old = rewriter.body.symbol_name(export).unwrap_or_default().to_owned();
                let Some(new) = names.get(&(executable.clone(), old)) else { continue };
                rewriter.set_attr(export, "sym_name", Attr::string(new));
                rewriter.set_attr(export, "function_ref", Attr::symbol(new));
                rewriter.set_attr(func, "sym_name", Attr::string(new));
            }
            return Ok(Changed::Yes);
        }
        let dispatches: Vec<OpId> =
            rewriter.body.walk(root).filter(|&op| rewriter.body.is(op, "flow.dispatch")).collect();
        for op in dispatches {
            let entries = rewriter.body.attr(op, "entry_points").and_then(Attr::as_array);
            let renamed: Vec<Attr> = entries
                .unwrap_or(&[])
                .iter()
                .map(|&entry| match entry_point(entry) {
                    Some(key) => match names.get(&key) {
                        Some(new) => Attr::symbol_path(&[&key.0, new]),
                        None => entry,
                    },
                    None => entry,
                })
                .collect();
            rewriter.set_attr(op, "entry_points", Attr::array(&renamed));
        }
        Ok(Changed::Yes)
    }
}
