//! The Rust that the definitions of this dialect name.

use tegula_ir as ir;
use tegula_ir::{Attr, FoldResult};

use crate::generated::Hooks;

/// The hooks of the dialect.
pub struct UbHooks;

impl Hooks for UbHooks {
    fn fold_poison(cx: &ir::FoldContext<'_>) -> Option<Vec<FoldResult>> {
        let value = cx.body.attr(cx.op, "value");
        Some(vec![FoldResult::Attr(value.unwrap_or_else(|| Attr::dialect("ub.poison", &[])))])
    }
}
