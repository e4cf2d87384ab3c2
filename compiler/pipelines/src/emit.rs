//! From the last phase to assembly text, symbol by symbol.
//!
//! A module is text in pieces: one for each executable, one for each public function. Pieces hold
//! identities instead of numbers that depend on the module; names are resolved when a file is
//! written.

use tegula_dialect_hal::executable::{beside_code, children};
use tegula_ir::{Body, Ident, Names, OpId, Registry};
use tegula_neon::{AsmFunction, InstrTable, Visibility, assemble, host_functions};
use tegula_package::{Schedule, Signature, schedule, signature};

use crate::Setup;

/// Why there is no text for a symbol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmitError {
    /// A stable name of the kind of error.
    pub code: &'static str,
    /// One sentence.
    pub message: String,
    /// The op that stands in the way, in the body that was given.
    pub op: Option<OpId>,
}

/// The C signature of a function as it was written; none for ops that are no public function.
pub fn source_signature(
    registry: &Registry,
    body: &Body,
    arg_names: &[Option<String>],
) -> Option<Result<Signature, EmitError>> {
    let root = body.root()?;
    let function = matches!(body.name(root).as_str(), "func.func" | "util.func");
    let private = body.attr(root, "sym_visibility").and_then(|a| a.as_str()) == Some("private");
    if !function || private || body.region_entry(root, 0).is_none() {
        return None;
    }
    Some(signature(registry, body, root, arg_names).map_err(|e| EmitError {
        code: "no-c-signature",
        message: e.why,
        op: Some(e.op),
    }))
}

/// Whether a body at the end of the road is a public function: it has C entries.
pub fn is_public_function(body: &Body) -> bool {
    body.root().is_some_and(|root| {
        let visibility = body.attr(root, "sym_visibility").and_then(|a| a.as_str());
        body.is(root, "util.func") && visibility != Some("private")
    })
}

/// Makes text of symbols.
pub struct Emitter<'a> {
    registry: &'a Registry,
    table: &'a InstrTable,
}

impl<'a> Emitter<'a> {
    /// An emitter for the instructions of a setup.
    pub fn new(setup: &'a Setup) -> Result<Emitter<'a>, EmitError> {
        let table = setup.instructions.as_ref().map_err(|messages| EmitError {
            code: "broken-instruction",
            message: messages.join("; "),
            op: None,
        })?;
        Ok(Emitter { registry: &setup.registry, table })
    }

    /// The device functions of an executable; none for other ops.
    pub fn executable(&self, body: &Body) -> Result<Vec<AsmFunction>, EmitError> {
        let Some(root) = body.root().filter(|&root| body.is(root, "hal.executable")) else {
            return Ok(Vec::new());
        };
        let beside = |variant| beside_code(body, variant);
        if let Some((op, why)) = children(body, root, "hal.executable.variant").find_map(beside) {
            return Err(EmitError {
                code: "unsupported-code",
                message: why.to_owned(),
                op: Some(op),
            });
        }
        let name = body.symbol_name(root).unwrap_or_default();
        let mut out = Vec::new();
        for func in body.walk(root).filter(|&op| body.is(op, "func.func")) {
            let function = body.symbol_name(func).unwrap_or_default();
            let symbol = device_symbol(name, function);
            let text = assemble(self.table, body, func, symbol, Visibility::Local);
            out.push(text.map_err(|e| EmitError {
                code: e.code,
                message: e.message,
                op: Some(e.op),
            })?);
        }
        Ok(out)
    }

    /// How the work of a function runs.
    pub fn schedule(&self, body: &Body, signature: &Signature) -> Result<Schedule, EmitError> {
        let root = body.root().ok_or_else(|| EmitError {
            code: "no-schedule",
            message: "the function is empty".to_owned(),
            op: None,
        })?;
        schedule(self.registry, body, root, signature).map_err(|e| EmitError {
            code: "no-schedule",
            message: e.why,
            op: Some(e.op),
        })
    }

    /// The host's entries of a function.
    pub fn entries(
        &self,
        signature: &Signature,
        schedule: &Schedule,
    ) -> Result<Vec<AsmFunction>, EmitError> {
        let functions = host_functions(signature, schedule, device_symbol)
            .map_err(|e| EmitError { code: "no-entry", message: e.0, op: None })?;
        let mut out = Vec::new();
        for function in functions {
            let visibility = Visibility::Global;
            let text =
                assemble(self.table, &function.body, function.func, function.symbol, visibility);
            out.push(text.map_err(|e| EmitError { code: e.code, message: e.message, op: None })?);
        }
        Ok(out)
    }
}

/// The assembly symbol of a device function. An export's name begins with that of its executable,
/// so that it is unique by itself. Identities are spelled by their keys: a number that depends on
/// the rest of the module would make text of one symbol depend on the others.
pub(crate) fn device_symbol(_executable: &str, export: &str) -> Ident {
    Ident::of(&Names::default().resolve(export))
}
