//! The syntax of branch tables: an index, a default target, and a target for each index from 0.

use tegula_ir::text::{OpParser, OpPrinter, OpState, ParseResult};
use tegula_ir::{Attr, OpId, Type, ValueId};

pub(crate) fn parse(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
    let index = p.operand()?;
    state.operands.push(p.resolve(index, Type::int(32))?);
    p.expect("{")?;
    p.expect("default")?;
    p.expect(":")?;
    let defaults = p.successor_with_operands(state)?;
    let mut segments: Vec<i32> = Vec::new();
    let mut total = 0;
    while p.eat(",") {
        let at = p.span();
        let number = p.integer()?;
        if usize::try_from(number) != Ok(segments.len()) {
            return Err(p.error_at(at, "cases are numbered from 0 on without gaps"));
        }
        p.expect(":")?;
        let count = p.successor_with_operands(state)?;
        segments.push(i32::try_from(count).unwrap_or(i32::MAX));
        total += count;
    }
    p.expect("}")?;
    state.attr("case_operand_segments", Attr::i32_array(&segments));
    state.operand_segments(&[1, defaults, total]);
    p.attr_dict(state)
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
        p.successor_with_operands(default, default_operands);
        for (number, (&block, &count)) in cases.iter().zip(segments).enumerate() {
            let count = usize::try_from(count).unwrap_or(0).min(case_operands.len());
            let (these, others) = case_operands.split_at(count);
            case_operands = others;
            p.write(",");
            p.newline();
            p.display(number);
            p.write(": ");
            p.successor_with_operands(block, these);
        }
    });
    p.newline();
    p.write("}");
    p.attr_dict(op, &["case_operand_segments", "operandSegmentSizes"]);
}
