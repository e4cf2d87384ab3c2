//! Regions that count workgroups: `(%arg: index) -> (index, index, index) {…}`.

use tegula_ir::text::{OpParser, OpPrinter, ParseArgs, ParseResult, PrintArgs};
use tegula_ir::{OpId, Type};

/// Reads a region of the only argument after `keyword`, with results of these types. Nothing is
/// there when the keyword is missing; without a keyword the region is required.
pub fn parse_counting_region(
    p: &mut OpParser<'_>,
    args: &mut ParseArgs<'_>,
    keyword: &str,
    results: &[Type],
) -> ParseResult<bool> {
    if !keyword.is_empty() && !p.eat(keyword) {
        let empty = p.empty_region();
        *args.regions(p, 0)? = vec![empty];
        return Ok(false);
    }
    let arguments = p.arguments_with_types()?;
    p.expect("->")?;
    let at = p.span();
    let types = if p.at("(") {
        p.expect("(")?;
        let mut types = Vec::new();
        loop {
            types.push(p.ty()?);
            if !p.eat(",") {
                break;
            }
        }
        p.expect(")")?;
        types
    } else {
        vec![p.ty()?]
    };
    if types != results {
        let message = match results {
            [x, y, z] if [x, y, z].iter().all(|ty| ty.is_index()) => {
                "workgroup count region must return the XYZ dimension counts".to_owned()
            }
            _ => {
                let expected: Vec<String> = results.iter().map(Type::to_string).collect();
                format!("the region must give ({})", expected.join(", "))
            }
        };
        return Err(p.error_at(at, message));
    }
    let region = p.region(&arguments)?;
    *args.regions(p, 0)? = vec![region];
    Ok(true)
}

/// Prints such a region, with the keyword before it; nothing for an empty one.
pub fn print_counting_region(
    p: &mut OpPrinter<'_>,
    _: OpId,
    args: &PrintArgs,
    keyword: &str,
    results: &[Type],
) {
    let Some(&region) = args.regions(0).first() else { return };
    let Some(entry) = p.body().first_block(region) else { return };
    p.write(keyword);
    p.write("(");
    for (index, &arg) in p.body().block_args(entry).iter().enumerate() {
        if index > 0 {
            p.write(", ");
        }
        p.argument(arg);
    }
    p.write(") -> ");
    p.result_types(results.iter().copied());
    p.write(" ");
    p.region_with(region, false, true, false);
}
