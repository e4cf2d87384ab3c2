//! Parameters: references `scope::key`, as operands and in attributes.

use tegula_ir::text::{
    AsmParser, AsmPrinter, OpParser, OpPrinter, ParseArgs, ParseResult, PrintArgs,
    UnresolvedOperand,
};
use tegula_ir::{Attr, OpId, ValueId};

/// `%scope::%key` or `%key`.
pub fn parse_reference(
    p: &mut OpParser<'_>,
) -> ParseResult<(Option<UnresolvedOperand>, UnresolvedOperand)> {
    let first = p.operand()?;
    if !p.eat("::") {
        return Ok((None, first));
    }
    Ok((Some(first), p.operand()?))
}

/// Prints `%scope::%key` or `%key`.
pub fn print_reference(p: &mut OpPrinter<'_>, scope: Option<&ValueId>, key: ValueId) {
    if let Some(&scope) = scope {
        p.operand(scope);
        p.write("::");
    }
    p.operand(key);
}

/// `custom<ParameterReference>($scope, $key)`
pub fn parse_parameter_reference(
    p: &mut OpParser<'_>,
    args: &mut ParseArgs<'_>,
) -> ParseResult<bool> {
    let (scope, key) = parse_reference(p)?;
    *args.operands(p, 0)? = scope.into_iter().collect();
    *args.operands(p, 1)? = vec![key];
    Ok(true)
}

/// Prints `custom<ParameterReference>`.
pub fn print_parameter_reference(p: &mut OpPrinter<'_>, _: OpId, args: &PrintArgs) {
    if let Some(&key) = args.operands(1).first() {
        print_reference(p, args.operands(0).first(), key);
    }
}

/// `<"scope"::"key", {config}> : type`, the scope and the configuration only where there are any.
pub fn parse_named_parameter(p: &mut AsmParser<'_>) -> ParseResult<Vec<Attr>> {
    p.expect("<")?;
    let mut scope = Attr::absent();
    let mut key = Attr::string(&p.string()?);
    if p.eat("::") {
        (scope, key) = (key, Attr::string(&p.string()?));
    }
    let config = if p.eat(",") { p.dict()? } else { Attr::absent() };
    p.expect(">")?;
    p.expect(":")?;
    Ok(vec![scope, key, config, Attr::ty(p.ty()?)])
}

/// Prints what [`parse_named_parameter`] reads.
pub fn print_named_parameter(p: &mut AsmPrinter<'_>, params: &[Attr]) {
    let &[scope, key, config, ty] = params else { return };
    p.write("<");
    if !scope.is_absent() {
        p.attr(scope);
        p.write("::");
    }
    p.attr(key);
    if !config.is_absent() {
        p.write(", ");
        p.attr(config);
    }
    p.write(">");
    if let Some(ty) = ty.as_type() {
        p.write(" : ");
        p.ty(ty);
    }
}
