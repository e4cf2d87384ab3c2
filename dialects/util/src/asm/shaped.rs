//! Lists of types with their dynamic dimensions or sizes, and results tied to operands.

use tegula_ir::text::{OpParser, OpPrinter, ParseArgs, ParseResult, PrintArgs, UnresolvedOperand};
use tegula_ir::{Attr, DYNAMIC, OpId, Registry, Type, TypeData, ValueId};

/// How many values stand in braces after a type: its dynamic dimensions, or one size for a type
/// with the trait `SizeAwareType`.
pub fn dims_of(registry: &Registry, ty: Type) -> usize {
    if let Some(shape) = ty.shape() {
        return shape.iter().filter(|&&d| d == DYNAMIC).count();
    }
    let TypeData::Dialect { name, .. } = ty.data() else { return 0 };
    let sized = registry
        .ty(name.as_str())
        .is_some_and(|(_, def)| def.traits.iter().any(|t| t == "SizeAwareType"));
    usize::from(sized)
}

/// The values in braces after a type.
fn parse_dims(
    p: &mut OpParser<'_>,
    ty: Type,
    dims: &mut Vec<UnresolvedOperand>,
) -> ParseResult<()> {
    let count = dims_of(p.registry(), ty);
    if count == 0 {
        return Ok(());
    }
    let at = p.span();
    let values = p.operands_in("{", "}")?;
    if values.len() != count {
        let message = format!("`{ty}` takes {count} sizes, not {}", values.len());
        return Err(p.error_at(at, message));
    }
    dims.extend(values);
    Ok(())
}

/// Prints the values in braces that belong to a type, taken from the front of `dims`.
pub fn print_dims(p: &mut OpPrinter<'_>, ty: Type, dims: &mut &[ValueId]) {
    let count = dims_of(p.registry(), ty).min(dims.len());
    if count > 0 {
        let (these, rest) = dims.split_at(count);
        *dims = rest;
        p.write("{");
        p.operands(these.iter().copied());
        p.write("}");
    }
}

/// One type; the values in braces after it go to `dims`.
pub fn parse_sized_type(
    p: &mut OpParser<'_>,
    dims: &mut Vec<UnresolvedOperand>,
) -> ParseResult<Type> {
    let ty = p.ty()?;
    parse_dims(p, ty, dims)?;
    Ok(ty)
}

/// Types with their sizes and commas between them, up to what does not continue the list.
pub fn parse_sized_types(
    p: &mut OpParser<'_>,
    types: &mut Vec<Type>,
    dims: &mut Vec<UnresolvedOperand>,
) -> ParseResult<()> {
    loop {
        types.push(parse_sized_type(p, dims)?);
        if !p.eat(",") {
            return Ok(());
        }
    }
}

/// Prints types with their sizes.
pub fn print_sized_types(p: &mut OpPrinter<'_>, types: &[Type], mut dims: &[ValueId]) {
    for (index, &ty) in types.iter().enumerate() {
        if index > 0 {
            p.write(", ");
        }
        p.ty(ty);
        print_dims(p, ty, &mut dims);
    }
}

/// `custom<OperandTypeList>(type($operands))`: types in parentheses.
pub fn parse_operand_type_list(
    p: &mut OpParser<'_>,
    args: &mut ParseArgs<'_>,
) -> ParseResult<bool> {
    p.expect("(")?;
    let mut types = Vec::new();
    if !p.eat(")") {
        loop {
            types.push(p.ty()?);
            if !p.eat(",") {
                break;
            }
        }
        p.expect(")")?;
    }
    *args.types(p, 0)? = types;
    Ok(true)
}

/// Prints `custom<OperandTypeList>`.
pub fn print_operand_type_list(p: &mut OpPrinter<'_>, _: OpId, args: &PrintArgs) {
    p.write("(");
    p.types(args.types(0).iter().copied());
    p.write(")");
}

/// `custom<ShapedTypeList>(type($a), $sizes)` or `(type($a), type($b), $sizes)`, where both groups
/// have the same types.
pub fn parse_shaped_type_list(p: &mut OpParser<'_>, args: &mut ParseArgs<'_>) -> ParseResult<bool> {
    let (mut types, mut dims) = (Vec::new(), Vec::new());
    parse_sized_types(p, &mut types, &mut dims)?;
    let last = args.len() - 1;
    for index in 0..last {
        args.types(p, index)?.clone_from(&types);
    }
    *args.operands(p, last)? = dims;
    Ok(true)
}

/// Prints `custom<ShapedTypeList>`.
pub fn print_shaped_type_list(p: &mut OpPrinter<'_>, _: OpId, args: &PrintArgs) {
    let last = args.len().saturating_sub(1);
    print_sized_types(p, args.types(0), args.operands(last));
}

/// Results: types with sizes, each perhaps tied to an operand, `%operand` or `%operand as type`.
pub struct Results {
    /// The types.
    pub types: Vec<Type>,
    /// Their sizes.
    pub dims: Vec<UnresolvedOperand>,
    /// For each result the index of the operand, or -1.
    pub ties: Vec<i64>,
}

impl Results {
    fn new() -> Results {
        Results { types: Vec::new(), dims: Vec::new(), ties: Vec::new() }
    }

    /// The attribute that holds the ties; absent when nothing is tied.
    pub fn ties_attr(&self) -> Option<Attr> {
        let ties: Vec<Attr> = self.ties.iter().map(|&t| Attr::index(t)).collect();
        self.ties.iter().any(|&t| t >= 0).then(|| Attr::array(&ties))
    }
}

/// Reads results. `sized` says whether sizes stand after types.
pub fn parse_shaped_result_list(
    p: &mut OpParser<'_>,
    operands: &[UnresolvedOperand],
    operand_types: &[Type],
    sized: bool,
) -> ParseResult<Results> {
    let mut results = Results::new();
    loop {
        let (mut tie, mut known) = (-1, None);
        if let Some(operand) = p.eat_operand()? {
            let name = p.operand_name(operand);
            let found = operands.iter().position(|&o| p.operand_name(o) == name);
            let Some(index) = found else {
                let span = p.operand_span(operand);
                return Err(p.error_at(span, format!("`{name}` is not an operand of the op")));
            };
            tie = i64::try_from(index).unwrap_or(i64::MAX);
            if !p.eat("as") {
                known = operand_types.get(index).copied();
            }
        }
        let ty = match known {
            Some(ty) => ty,
            None => p.ty()?,
        };
        if sized {
            parse_dims(p, ty, &mut results.dims)?;
        }
        results.types.push(ty);
        results.ties.push(tie);
        if !p.eat(",") {
            return Ok(results);
        }
    }
}

/// Reads `type`, `(type, …)` or `()`.
fn parse_result_group(
    p: &mut OpParser<'_>,
    operands: &[UnresolvedOperand],
    operand_types: &[Type],
    sized: bool,
) -> ParseResult<Results> {
    if !p.eat("(") {
        return parse_shaped_result_list(p, operands, operand_types, sized);
    }
    if p.eat(")") {
        return Ok(Results::new());
    }
    let results = parse_shaped_result_list(p, operands, operand_types, sized)?;
    p.expect(")")?;
    Ok(results)
}

/// The operand that a result is tied to.
fn tied_operand(ties: Option<Attr>, result: usize, operands: &[ValueId]) -> Option<ValueId> {
    let tie = ties?.as_array()?.get(result)?.as_int()?;
    operands.get(usize::try_from(tie).ok()?).copied()
}

/// Prints results; `dims` is empty when no sizes stand after types.
pub fn print_shaped_result_list(
    p: &mut OpPrinter<'_>,
    operands: &[ValueId],
    types: &[Type],
    mut dims: &[ValueId],
    ties: Option<Attr>,
) {
    for (index, &ty) in types.iter().enumerate() {
        if index > 0 {
            p.write(", ");
        }
        let tied = tied_operand(ties, index, operands);
        if let Some(operand) = tied {
            p.operand(operand);
        }
        let same = tied.is_some_and(|operand| p.body().ty(operand) == ty);
        if !same {
            p.write(if tied.is_some() { " as " } else { "" });
            p.ty(ty);
        }
        if !dims.is_empty() {
            print_dims(p, ty, &mut dims);
        }
    }
}

fn print_result_group(
    p: &mut OpPrinter<'_>,
    operands: &[ValueId],
    types: &[Type],
    dims: &[ValueId],
    ties: Option<Attr>,
) {
    let alone = types.len() == 1;
    p.write(if alone { "" } else { "(" });
    print_shaped_result_list(p, operands, types, dims, ties);
    p.write(if alone { "" } else { ")" });
}

/// `custom<TiedFunctionResultList>(ref($operands), ref(type($operands)), type($results), $ties)`.
pub fn parse_tied_function_result_list(
    p: &mut OpParser<'_>,
    args: &mut ParseArgs<'_>,
) -> ParseResult<bool> {
    let operands = args.operands(p, 0)?.clone();
    let operand_types = args.types(p, 1)?.clone();
    let results = parse_result_group(p, &operands, &operand_types, false)?;
    *args.attr(p, 3)? = results.ties_attr();
    *args.types(p, 2)? = results.types;
    Ok(true)
}

/// Prints `custom<TiedFunctionResultList>`.
pub fn print_tied_function_result_list(p: &mut OpPrinter<'_>, _: OpId, args: &PrintArgs) {
    print_result_group(p, args.operands(0), args.types(2), &[], args.attr(3));
}

/// `custom<ShapedFunctionType>(ref($operands), type($operands), $operand_dims, type($results),
/// $result_dims, $ties)`.
pub fn parse_shaped_function_type(
    p: &mut OpParser<'_>,
    args: &mut ParseArgs<'_>,
) -> ParseResult<bool> {
    let operands = args.operands(p, 0)?.clone();
    let (mut types, mut dims) = (Vec::new(), Vec::new());
    p.expect("(")?;
    if !p.eat(")") {
        parse_sized_types(p, &mut types, &mut dims)?;
        p.expect(")")?;
    }
    p.expect("->")?;
    let results = parse_result_group(p, &operands, &types, true)?;
    *args.types(p, 1)? = types;
    *args.operands(p, 2)? = dims;
    *args.attr(p, 5)? = results.ties_attr();
    *args.types(p, 3)? = results.types;
    *args.operands(p, 4)? = results.dims;
    Ok(true)
}

/// Prints `custom<ShapedFunctionType>`.
pub fn print_shaped_function_type(p: &mut OpPrinter<'_>, _: OpId, args: &PrintArgs) {
    p.write("(");
    print_sized_types(p, args.types(1), args.operands(2));
    p.write(") -> ");
    print_result_group(p, args.operands(0), args.types(3), args.operands(4), args.attr(5));
}
