//! Lists that mix constants and values: `[4, %n, 2]`. The constants stand in an attribute, with
//! [`DYNAMIC`] where the next of the values belongs. Several dialects share this syntax.

use tegula_ir::text::{OpParser, OpPrinter, ParseArgs, ParseResult, PrintArgs, UnresolvedOperand};
use tegula_ir::{Attr, Body, DYNAMIC, OpId, ValueId};

/// One entry of a mixed list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mixed {
    /// A constant.
    Constant(i64),
    /// A value.
    Value(ValueId),
}

impl Mixed {
    /// The constant.
    pub fn as_constant(self) -> Option<i64> {
        match self {
            Mixed::Constant(constant) => Some(constant),
            Mixed::Value(_) => None,
        }
    }
}

/// The entries of a list, its constants from the attribute of that name.
pub fn mixed(
    body: &Body,
    op: OpId,
    attribute: &str,
    values: impl IntoIterator<Item = ValueId>,
) -> Option<Vec<Mixed>> {
    let constants = body.attr(op, attribute)?.as_dense_array()?;
    let mut values = values.into_iter();
    constants
        .iter()
        .map(|&constant| match constant {
            DYNAMIC => values.next().map(Mixed::Value),
            constant => Some(Mixed::Constant(constant)),
        })
        .collect()
}

/// The operands of group number `group`, by the op's segment sizes.
pub fn segment(body: &Body, op: OpId, group: usize) -> Option<Vec<ValueId>> {
    let sizes = body.attr(op, "operandSegmentSizes")?.as_dense_array()?;
    let skip: i64 = sizes.iter().take(group).sum();
    let count = *sizes.get(group)?;
    Some(body.operands(op).skip(skip as usize).take(count as usize).collect())
}

/// The entries of a list whose values are operand group number `group`.
pub fn mixed_segment(body: &Body, op: OpId, attribute: &str, group: usize) -> Option<Vec<Mixed>> {
    mixed(body, op, attribute, segment(body, op, group)?)
}

/// A list as it is read.
#[derive(Clone, Debug, Default)]
pub struct ParsedList {
    /// The values in order.
    pub values: Vec<UnresolvedOperand>,
    /// The constants, [`DYNAMIC`] where a value stands.
    pub constants: Vec<i64>,
}

/// Reads a list between brackets.
pub fn parse_list(p: &mut OpParser<'_>, open: &str, close: &str) -> ParseResult<ParsedList> {
    p.expect(open)?;
    let mut list = ParsedList::default();
    if p.eat(close) {
        return Ok(list);
    }
    loop {
        match p.eat_operand()? {
            Some(value) => {
                list.values.push(value);
                list.constants.push(DYNAMIC);
            }
            None => list.constants.push(p.integer()?),
        }
        if !p.eat(",") {
            break;
        }
    }
    p.expect(close)?;
    Ok(list)
}

/// Prints a list between brackets.
pub fn print_list(
    p: &mut OpPrinter<'_>,
    constants: &[i64],
    values: &[ValueId],
    (open, close): (&str, &str),
) {
    let mut values = values.iter();
    p.write(open);
    for (index, &constant) in constants.iter().enumerate() {
        p.write(if index > 0 { ", " } else { "" });
        match (constant, values.as_slice().first()) {
            (DYNAMIC, Some(&value)) => {
                values.next();
                p.operand(value);
            }
            (DYNAMIC, None) => p.write("?"),
            (constant, _) => p.display(constant),
        }
    }
    p.write(close);
}

/// Reads `custom<DynamicIndexList>($values, $constants)`.
pub fn parse_dynamic_index_list(
    p: &mut OpParser<'_>,
    args: &mut ParseArgs<'_>,
) -> ParseResult<bool> {
    parse_directive(p, args, "[", "]")
}

/// Prints `custom<DynamicIndexList>`.
pub fn print_dynamic_index_list(p: &mut OpPrinter<'_>, _: OpId, args: &PrintArgs) {
    let constants = args.attr(1).and_then(Attr::as_dense_array).unwrap_or(&[]);
    print_list(p, constants, args.operands(0), ("[", "]"));
}

/// Reads a directive that holds one list.
pub fn parse_directive(
    p: &mut OpParser<'_>,
    args: &mut ParseArgs<'_>,
    open: &str,
    close: &str,
) -> ParseResult<bool> {
    let list = parse_list(p, open, close)?;
    *args.operands(p, 0)? = list.values;
    *args.attr(p, 1)? = Some(Attr::i64_array(&list.constants));
    Ok(true)
}
