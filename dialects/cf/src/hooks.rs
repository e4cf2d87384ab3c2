//! The Rust that the definitions of this dialect name.

use tegula_ir as ir;
use tegula_ir::text::{OpParser, OpPrinter, OpState, ParseResult};
use tegula_ir::{Attr, OpId};

use crate::cases::{case_values, print_cases};
use crate::generated::Hooks;

/// The hooks of the dialect.
pub struct CfHooks;

impl Hooks for CfHooks {
    fn parse_switch(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
        let flag = p.operand()?;
        let ty = p.colon_type()?;
        state.operands.push(p.resolve(flag, ty)?);
        p.expect(",")?;
        p.expect("[")?;
        p.expect("default")?;
        p.expect(":")?;
        let defaults = p.successor_with_operands(state)?;
        let (mut values, mut segments) = (Vec::new(), Vec::new());
        let mut total = 0;
        while p.eat(",") {
            values.push(p.integer()?);
            p.expect(":")?;
            let count = p.successor_with_operands(state)?;
            segments.push(count as i32);
            total += count;
        }
        p.expect("]")?;
        state.attr_opt("case_values", case_values(ty, &values));
        state.attr("case_operand_segments", Attr::i32_array(&segments));
        state.operand_segments(&[1, defaults, total]);
        p.attr_dict(state)
    }

    fn print_switch(p: &mut OpPrinter<'_>, op: OpId) {
        let body = p.body();
        let operands: Vec<ir::ValueId> = body.operands(op).collect();
        let segments = body.attr(op, "case_operand_segments").and_then(Attr::as_dense_array);
        let total: i64 = segments.unwrap_or(&[]).iter().sum();
        let Some((&flag, rest)) = operands.split_first() else { return };
        let Some((&default, cases)) = body.successors(op).split_first() else { return };
        let split = rest.len().saturating_sub(total as usize);
        let (default_operands, case_operands) = rest.split_at(split);
        p.write(" ");
        p.operand(flag);
        p.write(" : ");
        p.ty(body.ty(flag));
        p.write(", [");
        p.indented(|p| {
            p.newline();
            p.write("default: ");
            p.successor_with_operands(default, default_operands);
            print_cases(p, op, cases, case_operands, true);
        });
        if !cases.is_empty() {
            p.newline();
        }
        p.write("]");
        p.attr_dict(op, &["case_values", "case_operand_segments"]);
    }

    fn verify_cond_br(_: &ir::Registry, body: &ir::Body, op: OpId) -> Result<(), String> {
        let Some(weights) = body.attr(op, "branch_weights").and_then(Attr::as_dense_array) else {
            return Ok(());
        };
        let (found, wanted) = (weights.len(), body.successors(op).len());
        if !weights.is_empty() && found != wanted {
            return Err(format!("has {found} branch weights for {wanted} successors"));
        }
        if !weights.is_empty() && weights.iter().all(|&weight| weight == 0) {
            return Err("has branch weights that are all zero".to_owned());
        }
        Ok(())
    }

    fn verify_switch(_: &ir::Registry, body: &ir::Body, op: OpId) -> Result<(), String> {
        let cases = body.successors(op).len().saturating_sub(1);
        let values = body.attr(op, "case_values").and_then(|values| values.value_type());
        let count = values.and_then(|ty| ty.num_elements()).unwrap_or(0);
        if count != cases as i64 {
            return Err(format!(
                "number of case values ({count}) should match number of case destinations ({cases})"
            ));
        }
        Ok(())
    }
}
