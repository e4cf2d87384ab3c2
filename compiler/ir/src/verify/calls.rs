//! Calls against what they call.

use indexmap::IndexMap;
use tegula_diag::did_you_mean;

use super::{VerifyError, resolve_symbol};
use crate::{Attr, AttrData, Body, LocData, Module, OpId, Registry, Type, TypeData};

/// The functions of a module by name.
pub struct Callees<'a> {
    registry: &'a Registry,
    functions: IndexMap<&'a str, (&'a Body, OpId)>,
}

impl<'a> Callees<'a> {
    /// Gathers the functions of a module.
    pub fn new(registry: &'a Registry, module: &'a Module) -> Callees<'a> {
        let mut functions = IndexMap::new();
        for body in &module.bodies {
            for op in body.block_ops(body.top_block()) {
                if let Some(name) = body.symbol_name(op) {
                    functions.entry(name).or_insert((body, op));
                }
            }
        }
        Callees { registry, functions }
    }

    /// The name that a call names, and the function of that name if there is one; none when the
    /// op calls nothing by name.
    pub fn callee<'b>(
        &self,
        body: &'b Body,
        op: OpId,
    ) -> Option<(&'static str, Option<(&'b Body, OpId)>)>
    where
        'a: 'b,
    {
        if !has_trait(self.registry, body, op, "CallOpInterface") {
            return None;
        }
        let symbol = body.attr(op, "callee")?;
        let name = symbol.as_symbol_root()?.as_str();
        let inner = resolve_symbol(self.registry, body, op, symbol).map(|found| (body, found));
        let found = inner.or_else(|| self.functions.get(name).copied());
        let is_function =
            |&(body, op): &(&Body, OpId)| has_trait(self.registry, body, op, "FunctionOpInterface");
        Some((name, found.filter(is_function)))
    }

    /// What is wrong with the calls of a body.
    pub fn verify(&self, body: &Body) -> Vec<VerifyError> {
        let mut errors = Vec::new();
        let nowhere = Attr::new(AttrData::Loc(LocData::Unknown));
        for op in body.walk_all() {
            let Some((name, callee)) = self.callee(body, op) else { continue };
            let (why, notes) = match callee {
                None => {
                    let near = did_you_mean(name, self.functions.keys().copied());
                    let near = near.map(|question| (nowhere, question));
                    let why = format!("'{name}' does not reference a valid function");
                    (why, near.into_iter().collect())
                }
                Some((there, function)) => match mismatch(body, op, there, function) {
                    None => continue,
                    Some(why) => {
                        (why, vec![(there.loc(function), "the callee is here".to_owned())])
                    }
                },
            };
            let message = format!("'{}' op {why}", body.name(op));
            errors.push(VerifyError { op, loc: body.loc(op), message, notes });
        }
        errors
    }
}

fn has_trait(registry: &Registry, body: &Body, op: OpId, name: &str) -> bool {
    registry.op(body.name(op)).is_some_and(|info| info.def().has_trait(name))
}

/// How a call's operands and results differ from what the function takes and gives.
fn mismatch(body: &Body, call: OpId, there: &Body, function: OpId) -> Option<String> {
    let ty = there.attr(function, "function_type").and_then(Attr::as_type)?;
    let TypeData::Function { inputs, results } = ty.data() else { return None };
    let given: Vec<Type> = body.operands(call).map(|value| body.ty(value)).collect();
    let taken: Vec<Type> = body.results(call).map(|value| body.ty(value)).collect();
    if given.len() != inputs.len() {
        return Some(format!(
            "incorrect number of operands for callee: it takes {}, but {} are given",
            inputs.len(),
            given.len()
        ));
    }
    if taken.len() != results.len() {
        return Some(format!(
            "incorrect number of results for callee: it gives {}, but {} are taken",
            results.len(),
            taken.len()
        ));
    }
    let differing = |have: &[Type], want: &[Type]| have.iter().zip(want).position(|(a, b)| a != b);
    if let Some(at) = differing(&given, inputs) {
        return Some(format!(
            "operand type mismatch: expected operand type '{}', but provided '{}' for operand \
             number {at}",
            inputs[at], given[at]
        ));
    }
    let at = differing(&taken, results)?;
    Some(format!(
        "result type mismatch: expected result type '{}', but provided '{}' for result number {at}",
        results[at], taken[at]
    ))
}
