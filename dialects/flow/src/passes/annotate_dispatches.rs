//! `iree-flow-annotate-dispatches`: entry points are named after what they compute.

use tegula_ir::{Attr, AttrData, Body, OpId, Registry};
use tegula_pass::{
    Changed, Failed, Header, PassCx, PassResult, SolveBySubject, Statement, Subject, Verdicts,
};

use super::summary::summarize;

/// An entry point: the executable's name and the name in it.
type EntryPoint = (String, String);

/// The pass.
pub struct AnnotateDispatches;

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

fn subject((executable, name): &EntryPoint) -> Subject {
    Subject::of(&format!("{executable}::{name}"))
}

impl SolveBySubject for AnnotateDispatches {
    /// The new name of an entry point, from where it is defined.
    type Claim = String;
    type Shared = ();
    type Common = ();
    type Verdict = String;

    fn summarize(
        &self,
        _: &Registry,
        _: &Header,
        body: &Body,
        root: OpId,
    ) -> Statement<String, ()> {
        let mut out = Statement::default();
        if body.is(root, "flow.executable") {
            let executable = body.symbol_name(root).unwrap_or_default();
            for (export, func) in exports(body, root) {
                let summary = summarize(body, func);
                let (Some(old), Some(stem)) = (body.symbol_name(export), body.symbol_name(func))
                else {
                    continue;
                };
                if !summary.is_empty() {
                    let subject = subject(&(executable.to_owned(), old.to_owned()));
                    out.claims.push((subject, format!("{stem}_{summary}")));
                    out.asks.push(subject);
                }
            }
            return out;
        }
        for op in body.walk(root).filter(|&op| body.is(op, "flow.dispatch")) {
            let entries = body.attr(op, "entry_points").and_then(Attr::as_array).unwrap_or(&[]);
            for subject in entries.iter().filter_map(|&e| Some(subject(&entry_point(e)?))) {
                if !out.asks.contains(&subject) {
                    out.asks.push(subject);
                }
            }
        }
        out
    }

    fn common(&self, _: &mut PassCx<'_>, _: &[&()]) -> Result<(), Failed> {
        Ok(())
    }

    fn decide(
        &self,
        _: &mut PassCx<'_>,
        (): &(),
        _: Subject,
        names: &[&String],
    ) -> Result<String, Failed> {
        Ok(names.last().map(|&name| name.clone()).unwrap_or_default())
    }

    fn apply(
        &self,
        cx: &mut PassCx<'_>,
        body: &mut Body,
        root: OpId,
        (): &(),
        names: &Verdicts<'_, String>,
    ) -> PassResult {
        if names.is_empty() {
            return Ok(Changed::No);
        }
        let mut rewriter = cx.rewriter(body);
        if rewriter.body.is(root, "flow.executable") {
            let executable = rewriter.body.symbol_name(root).unwrap_or_default().to_owned();
            for (export, func) in exports(rewriter.body, root) {
                let old = rewriter.body.symbol_name(export).unwrap_or_default().to_owned();
                let Some(new) = names.get(subject(&(executable.clone(), old))) else { continue };
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
                    Some(key) => match names.get(subject(&key)) {
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
