//! The Rust that the definitions of this dialect name.

use tegula_dialect_util::asm::verify_bindings;
use tegula_dialect_util::shared_directives;
use tegula_ir::{Attr, Body, OpId, Registry, ValueId};

use crate::generated::Hooks;

/// The hooks of the dialect.
pub(crate) struct HalLoaderHooks;

impl Hooks for HalLoaderHooks {
    shared_directives!(bindings);

    fn verify_dispatch(registry: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        verify_bindings(registry, body, op)
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
