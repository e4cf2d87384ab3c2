//! What ops refer to by name, against what is there.

use indexmap::IndexMap;
use tegula_diag::did_you_mean;

use super::symbols::descend;
use super::{VerifyError, resolve_symbol};
use crate::{Attr, AttrData, Body, LocData, OpId, Registry, Type, ValueId};

/// The symbols of a module by name.
pub struct Symbols<'a> {
    registry: &'a Registry,
    symbols: IndexMap<&'a str, (&'a Body, OpId)>,
}

impl<'a> Symbols<'a> {
    /// Gathers the symbols of the bodies of a module.
    pub fn new(registry: &'a Registry, bodies: impl Iterator<Item = &'a Body>) -> Symbols<'a> {
        let mut symbols = IndexMap::new();
        for body in bodies {
            for op in body.block_ops(body.top_block()) {
                if let Some(name) = body.symbol_name(op) {
                    symbols.entry(name).or_insert((body, op));
                }
            }
        }
        Symbols { registry, symbols }
    }

    /// The installed definitions.
    pub fn registry(&self) -> &'a Registry {
        self.registry
    }

    /// What a symbol reference at `from` names, and the body that it is in.
    pub fn find<'b>(&self, body: &'b Body, from: OpId, symbol: Attr) -> Option<(&'b Body, OpId)>
    where
        'a: 'b,
    {
        if let Some(found) = resolve_symbol(self.registry, body, from, symbol) {
            return Some((body, found));
        }
        let AttrData::SymbolRef { root, nested } = symbol.data() else { return None };
        let &(there, at) = self.symbols.get(root.as_str())?;
        Some((there, descend(there, at, nested)?))
    }

    /// The op of the given name that an attribute of an op names.
    pub fn named<'b>(
        &self,
        body: &'b Body,
        op: OpId,
        attr: &str,
        name: &str,
    ) -> Option<(&'b Body, OpId)>
    where
        'a: 'b,
    {
        let found = self.find(body, op, body.attr(op, attr)?)?;
        (found.0.name(found.1).as_str() == name).then_some(found)
    }

    /// The op with a trait that an attribute of an op names.
    pub fn with_trait<'b>(
        &self,
        body: &'b Body,
        op: OpId,
        attr: &str,
        wanted: &str,
    ) -> Option<(&'b Body, OpId)>
    where
        'a: 'b,
    {
        let found = self.find(body, op, body.attr(op, attr)?)?;
        has_trait(self.registry, found.0, found.1, wanted).then_some(found)
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
        let found = self.find(body, op, symbol);
        let is_function =
            |&(body, op): &(&Body, OpId)| has_trait(self.registry, body, op, "FunctionOpInterface");
        Some((name, found.filter(is_function)))
    }

    /// What is wrong with what the ops of a body refer to.
    pub fn verify(&self, body: &Body) -> Vec<VerifyError> {
        body.walk_all().filter_map(|op| self.verify_op(body, op)).collect()
    }

    /// A call names a function that takes what it gives; the rest is for the op's own hook.
    fn verify_op(&self, body: &Body, op: OpId) -> Option<VerifyError> {
        let info = self.registry.op(body.name(op)).filter(|info| info.refers)?;
        let found = match (info.def().symbol_verifier.as_deref(), self.callee(body, op)) {
            (Some(hook), _) => {
                let hook = info.dialect().hooks.verify_symbols.get(hook)?;
                hook(self, body, op).map_err(|why| (why, Vec::new()))
            }
            (None, Some(call)) if info.def().has_trait("SymbolUserOpInterface") => {
                self.verify_call(body, op, call)
            }
            _ => return None,
        };
        let (why, notes) = found.err()?;
        let message = format!("'{}' op {why}", body.name(op));
        Some(VerifyError { op, loc: body.loc(op), message, notes })
    }

    fn verify_call(
        &self,
        body: &Body,
        op: OpId,
        (name, callee): (&str, Option<(&Body, OpId)>),
    ) -> Result<(), (String, Vec<(Attr, String)>)> {
        let Some((there, function)) = callee else {
            let near = did_you_mean(name, self.symbols.keys().copied());
            let nowhere = Attr::new(AttrData::Loc(LocData::Unknown));
            let near = near.map(|question| (nowhere, question));
            let why = format!("'{name}' does not reference a valid function");
            return Err((why, near.into_iter().collect()));
        };
        let given: Vec<ValueId> = body.operands(op).collect();
        takes(body, op, &given, (there, function))
            .map_err(|why| (why, vec![(there.loc(function), "the callee is here".to_owned())]))
    }
}

fn has_trait(registry: &Registry, body: &Body, op: OpId, name: &str) -> bool {
    registry.op(body.name(op)).is_some_and(|info| info.def().has_trait(name))
}

/// Whether a function takes the values that an op gives it, and gives as many results as the op
/// has, of the same types; what is wrong otherwise.
pub fn takes(
    body: &Body,
    call: OpId,
    given: &[ValueId],
    (there, function): (&Body, OpId),
) -> Result<(), String> {
    let ty = there.attr(function, "function_type").and_then(Attr::as_type);
    let Some((inputs, results)) = ty.and_then(Type::as_function) else { return Ok(()) };
    let given: Vec<Type> = given.iter().map(|&value| body.ty(value)).collect();
    let taken: Vec<Type> = body.results(call).map(|value| body.ty(value)).collect();
    if given.len() != inputs.len() {
        return Err(format!(
            "incorrect number of operands for callee: it takes {}, but {} are given",
            inputs.len(),
            given.len()
        ));
    }
    if taken.len() != results.len() {
        return Err(format!(
            "incorrect number of results for callee: it gives {}, but {} are taken",
            results.len(),
            taken.len()
        ));
    }
    let differing = |have: &[Type], want: &[Type]| have.iter().zip(want).position(|(a, b)| a != b);
    if let Some(at) = differing(&given, inputs) {
        return Err(format!(
            "operand type mismatch: expected operand type '{}', but provided '{}' for operand \
             number {at}",
            inputs[at], given[at]
        ));
    }
    match differing(&taken, results) {
        Some(at) => Err(format!(
            "result type mismatch: expected result type '{}', but provided '{}' for result number \
             {at}",
            results[at], taken[at]
        )),
        None => Ok(()),
    }
}
