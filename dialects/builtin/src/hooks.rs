//! The Rust that the definitions of this dialect name.

use tegula_ir as ir;
use tegula_ir::{FoldResult, ValueId};

use crate::generated::Hooks;

/// The hooks of the dialect.
pub struct BuiltinHooks;

impl Hooks for BuiltinHooks {
    /// A cast to the same types is its inputs; so is a cast back of a cast.
    fn fold_unrealized_conversion_cast(cx: &ir::FoldContext<'_>) -> Option<Vec<FoldResult>> {
        let body = cx.body;
        let inputs: Vec<ValueId> = body.operands(cx.op).collect();
        let wanted: Vec<ir::Type> = body.results(cx.op).map(|r| body.ty(r)).collect();
        let has_types = |values: &[ValueId]| {
            values.len() == wanted.len()
                && values.iter().zip(&wanted).all(|(&v, &ty)| body.ty(v) == ty)
        };
        let as_results =
            |values: &[ValueId]| values.iter().map(|&v| FoldResult::Value(v)).collect();
        if !inputs.is_empty() && has_types(&inputs) {
            return Some(as_results(&inputs));
        }
        let from = body.defining_op(*inputs.first()?)?;
        let whole = body.is(from, "builtin.unrealized_conversion_cast")
            && body.results(from).eq(inputs.iter().copied());
        let originals: Vec<ValueId> = body.operands(from).collect();
        (whole && has_types(&originals)).then(|| as_results(&originals))
    }
}
