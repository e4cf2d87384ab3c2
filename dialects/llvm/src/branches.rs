//! Branches to any number of blocks.

use tegula_dialect_cf::cases::{case_values, parts, print_cases};
use tegula_ir::text::{OpParser, OpPrinter, OpState, ParseResult};
use tegula_ir::{Attr, Body, OpId, Registry, ValueId};

fn segments(body: &Body, op: OpId, name: &str) -> &'static [i64] {
    body.attr(op, name).and_then(Attr::as_dense_array).unwrap_or(&[])
}

// ---- switch

/// `%value : type, ^default(…) [1: ^one(…), …] weights([…])`
pub(crate) fn parse_switch(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
    let value = p.operand()?;
    let ty = p.colon_type()?;
    state.operands.push(p.resolve(value, ty)?);
    p.expect(",")?;
    let defaults = p.successor_with_operands(state)?;
    let (mut values, mut sizes) = (Vec::new(), Vec::new());
    p.expect("[")?;
    if !p.eat("]") {
        loop {
            values.push(p.integer()?);
            p.expect(":")?;
            sizes.push(p.successor_with_operands(state)? as i32);
            if !p.eat(",") {
                break;
            }
        }
        p.expect("]")?;
    }
    if p.eat("weights") {
        p.expect("(")?;
        let weights = p.delimited("[", "]", |p| {
            let (span, weight) = (p.span(), p.integer()?);
            i32::try_from(weight).map_err(|_| p.error_at(span, "the weight has over 32 bits"))
        })?;
        p.expect(")")?;
        state.attr("branch_weights", Attr::i32_array(&weights));
    }
    state.attr_opt("case_values", case_values(ty, &values));
    state.attr("case_operand_segments", Attr::i32_array(&sizes));
    let cases = sizes.iter().map(|&size| size as usize).sum();
    state.operand_segments(&[1, defaults, cases]);
    p.attr_dict(state)
}

/// Prints `switch`.
pub(crate) fn print_switch(p: &mut OpPrinter<'_>, op: OpId) {
    let body = p.body();
    let group = |p: &OpPrinter<'_>, name: &str| p.registry().operands_of(body, op, name);
    let value = body.operand(op, 0);
    let Some((&default, cases)) = body.successors(op).split_first() else { return };
    p.write(" ");
    p.operand(value);
    p.write(" : ");
    p.ty(body.ty(value));
    p.write(", ");
    let defaults = group(p, "defaultOperands");
    p.successor_with_operands(default, &defaults);
    p.write(" [");
    let operands = group(p, "caseOperands");
    p.indented(|p| print_cases(p, op, cases, &operands, false));
    p.newline();
    p.write("]");
    if body.attr(op, "branch_weights").is_some() {
        p.write(" weights([");
        p.comma_list(segments(body, op, "branch_weights"), |p, weight| p.display(weight));
        p.write("])");
    }
    p.attr_dict(op, &["branch_weights", "case_operand_segments", "case_values"]);
}

/// There is a value for each case.
pub(crate) fn verify_switch(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
    let cases = body.successors(op).len().saturating_sub(1);
    let values = body.attr(op, "case_values").and_then(|values| values.value_type());
    let count = values.and_then(|ty| ty.num_elements()).unwrap_or(0);
    if count != cases as i64 {
        return Err(format!("has {cases} cases, but {count} values for them"));
    }
    let weights = body.attr(op, "branch_weights").and_then(Attr::as_dense_array);
    match weights.filter(|weights| weights.len() != cases + 1) {
        Some(weights) => {
            Err(format!("has {} blocks, but {} weights for them", cases + 1, weights.len()))
        }
        None => Ok(()),
    }
}

// ---- indirectbr

/// `%address : type, [^one(…), …]`
pub(crate) fn parse_indirect(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
    let address = p.operand()?;
    let ty = p.colon_type()?;
    state.operands.push(p.resolve(address, ty)?);
    p.expect(",")?;
    p.expect("[")?;
    let mut sizes = Vec::new();
    if !p.eat("]") {
        loop {
            sizes.push(p.successor_with_operands(state)? as i32);
            if !p.eat(",") {
                break;
            }
        }
        p.expect("]")?;
    }
    state.attr("indbr_operand_segments", Attr::i32_array(&sizes));
    p.attr_dict(state)
}

/// Prints `indirectbr`.
pub(crate) fn print_indirect(p: &mut OpPrinter<'_>, op: OpId) {
    let body = p.body();
    let operands: Vec<ValueId> = body.operands(op).collect();
    let Some((&address, passed)) = operands.split_first() else { return };
    p.write(" ");
    p.operand(address);
    p.write(" : ");
    p.ty(body.ty(address));
    p.write(", [");
    let sizes = segments(body, op, "indbr_operand_segments");
    for (index, (&block, these)) in body.successors(op).iter().zip(parts(passed, sizes)).enumerate()
    {
        p.write(if index > 0 { "," } else { "" });
        p.newline();
        p.successor_with_operands(block, these);
    }
    p.newline();
    p.write("]");
    p.attr_dict(op, &["indbr_operand_segments"]);
}
