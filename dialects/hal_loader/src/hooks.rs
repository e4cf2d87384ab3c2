//! The Rust that the definitions of this dialect name.

use tegula_dialect_util::asm::verify_bindings;
use tegula_dialect_util::shared_directives;
use tegula_ir::verify::Symbols;
use tegula_ir::{Attr, Body, OpId, Registry, ValueId};

use crate::generated::Hooks;

/// The hooks of the dialect.
pub(crate) struct HalLoaderHooks;

impl Hooks for HalLoaderHooks {
    shared_directives!(bindings);

    fn verify_dispatch(registry: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        verify_bindings(registry, body, op)
    }

    fn verify_symbols_executable_lookup(
        symbols: &Symbols<'_>,
        body: &Body,
        op: OpId,
    ) -> Result<(), String> {
        match symbols.named(body, op, "executable", "hal.executable") {
            Some(_) => Ok(()),
            None => {
                let symbol = body.attr(op, "executable").and_then(Attr::as_symbol_root);
                let name = symbol.map_or("", |name| name.as_str());
                Err(format!("undefined executable: {name}"))
            }
        }
    }

    fn verify_symbols_executable_export_ordinal(
        symbols: &Symbols<'_>,
        body: &Body,
        op: OpId,
    ) -> Result<(), String> {
        let Some(entry) = body.attr(op, "entry_point") else { return Ok(()) };
        match symbols.named(body, op, "entry_point", "hal.executable.export") {
            Some(_) => Ok(()),
            None => Err(format!("undefined executable export: {entry}")),
        }
    }

    fn result_names_supported(
        _: &Registry,
        body: &Body,
        op: OpId,
        name: &mut dyn FnMut(ValueId, &str),
    ) {
        if let Some(format) = body.attr(op, "executable_format").and_then(Attr::as_str) {
            name(body.result(op, 0), &format!("{format}_supported"));
        }
    }
}
