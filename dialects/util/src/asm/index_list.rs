//! Lists of indices, each a constant or a value: `[4, %n, 2]`.

use tegula_ir::text::{OpParser, OpPrinter, ParseArgs, ParseResult, PrintArgs};
use tegula_ir::{Attr, DYNAMIC, OpId};

/// `custom<DynamicIndexList>($values, $constants)`.
pub fn parse_dynamic_index_list(
    p: &mut OpParser<'_>,
    args: &mut ParseArgs<'_>,
) -> ParseResult<bool> {
    p.expect("[")?;
    let (mut values, mut constants) = (Vec::new(), Vec::new());
    if !p.eat("]") {
        loop {
            match p.eat_operand()? {
                Some(value) => {
                    values.push(value);
                    constants.push(DYNAMIC);
                }
                None => constants.push(p.integer()?),
            }
            if !p.eat(",") {
                break;
            }
        }
        p.expect("]")?;
    }
    *args.operands(p, 0)? = values;
    *args.attr(p, 1)? = Some(Attr::i64_array(&constants));
    Ok(true)
}

/// Prints `custom<DynamicIndexList>`.
pub fn print_dynamic_index_list(p: &mut OpPrinter<'_>, _: OpId, args: &PrintArgs) {
    let constants = args.attr(1).and_then(Attr::as_dense_array).unwrap_or(&[]);
    let mut values = args.operands(0).iter();
    p.write("[");
    for (index, &constant) in constants.iter().enumerate() {
        if index > 0 {
            p.write(", ");
        }
        match constant {
            DYNAMIC => match values.next() {
                Some(&value) => p.operand(value),
                None => p.write("?"),
            },
            constant => p.display(constant),
        }
    }
    p.write("]");
}
