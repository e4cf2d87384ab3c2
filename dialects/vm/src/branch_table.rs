//! The syntax of branch tables: an index, a default target, and a target for each index from 0.

use tegula_ir::text::{OpParser, OpPrinter, OpState, ParseResult, UnresolvedOperand};
use tegula_ir::{Attr, BlockId, OpId, Type, ValueId};

/// A successor with the values that it takes.
struct Target {
    block: BlockId,
    operands: Vec<UnresolvedOperand>,
    types: Vec<Type>,
}

fn parse_target(p: &mut OpParser<'_>) -> ParseResult<Target> {
    let mut target = Target { block: p.successor()?, operands: Vec::new(), types: Vec::new() };
    if p.eat("(") {
        target.operands = p.operand_list()?;
        target.types = p.colon_types()?;
        p.expect(")")?;
    }
    Ok(target)
}

pub(crate) fn parse(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
    let index = p.operand()?;
    state.operands.push(p.resolve(index, Type::int(32))?);
    p.expect("{")?;
    p.expect("default")?;
    p.expect(":")?;
    let default = parse_target(p)?;
    state.successors.push(default.block);
    p.resolve_into(&default.operands, &default.types, state)?;
    let mut segments: Vec<i32> = Vec::new();
    let mut total = 0;
    while p.eat(",") {
        let at = p.span();
        let number = p.integer()?;
        if usize::try_from(number) != Ok(segments.len()) {
            return Err(p.error_at(at, "cases are numbered from 0 on without gaps"));
        }
        p.expect(":")?;
        let case = parse_target(p)?;
        state.successors.push(case.block);
        p.resolve_into(&case.operands, &case.types, state)?;
        segments.push(i32::try_from(case.operands.len()).unwrap_or(i32::MAX));
        total += case.operands.len();
    }
    p.expect("}")?;
    state.attr("case_operand_segments", Attr::i32_array(&segments));
    state.operand_segments(&[1, default.operands.len(), total]);
    p.attr_dict(state)
}

fn print_target(p: &mut OpPrinter<'_>, block: BlockId, operands: &[ValueId]) {
    p.successor(block);
    if !operands.is_empty() {
        p.write("(");
        p.operands(operands.iter().copied());
        p.colon_types_of(operands.iter().copied());
        p.write(")");
    }
}

pub(crate) fn print(p: &mut OpPrinter<'_>, op: OpId) {
    let body = p.body();
    let operands: Vec<ValueId> = body.operands(op).collect();
    let segments = body.attr(op, "case_operand_segments").and_then(Attr::as_dense_array);
    let segments = segments.unwrap_or(&[]);
    let total = segments.iter().filter_map(|&count| usize::try_from(count).ok()).sum::<usize>();
    let Some((&index, rest)) = operands.split_first() else { return };
    let Some((&default, cases)) = body.successors(op).split_first() else { return };
    let (default_operands, mut case_operands) = rest.split_at(rest.len().saturating_sub(total));
    p.write(" ");
    p.operand(index);
    p.write(" {");
    p.indented(|p| {
        p.newline();
        p.write("default: ");
        print_target(p, default, default_operands);
        for (number, (&block, &count)) in cases.iter().zip(segments).enumerate() {
            let count = usize::try_from(count).unwrap_or(0).min(case_operands.len());
            let (these, others) = case_operands.split_at(count);
            case_operands = others;
            p.write(",");
            p.newline();
            p.display(number);
            p.write(": ");
            print_target(p, block, these);
        }
    });
    p.newline();
    p.write("}");
    p.attr_dict(op, &["case_operand_segments", "operandSegmentSizes"]);
}
