//! Syntax that no format says.

use tegula_ir::text::{OpParser, OpPrinter, OpState, ParseResult};
use tegula_ir::{
    Attr, AttrData, InsertPoint, LocData, NewOp, OpId, Registry, Type, TypeData, ValueId,
};

/// Reads `%a, %b [0, 3] : type, type`.
pub(crate) fn parse_shuffle(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
    let operands = p.operand_list()?;
    p.expect("[")?;
    let mut mask = Vec::new();
    loop {
        mask.push(p.integer()?);
        if !p.eat(",") {
            break;
        }
    }
    p.expect("]")?;
    p.attr_dict(state)?;
    let at = p.span();
    let types = p.colon_types()?;
    p.resolve_into(&operands, &types, state)?;
    let Some(TypeData::Vector { shape, element, .. }) = types.first().map(|ty| ty.data()) else {
        return Err(p.error_at(at, "expected vector types"));
    };
    let mut result = shape.to_vec();
    // Vectors without dimensions have one row.
    match result.first_mut() {
        Some(rows) => *rows = mask.len() as i64,
        None => result.push(mask.len() as i64),
    }
    state.attr("mask", Attr::i64_array(&mask));
    state.results.push(Type::vector(&result, *element));
    Ok(())
}

/// Prints a shuffle.
pub(crate) fn print_shuffle(p: &mut OpPrinter<'_>, op: OpId) {
    let body = p.body();
    p.write(" ");
    p.operands(body.operands(op));
    p.write(" [");
    let mask = body.attr(op, "mask").and_then(Attr::as_dense_array).unwrap_or(&[]);
    p.comma_list(mask, |p, choice| p.display(choice));
    p.write("]");
    p.attr_dict(op, &["mask"]);
    p.colon_types_of(body.operands(op));
}

/// Reads `%vector : type`, which gives one result an element.
pub(crate) fn parse_to_elements(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
    let source = p.operand()?;
    p.attr_dict(state)?;
    let at = p.span();
    let ty = p.colon_type()?;
    let (Some(element), Some(count)) = (ty.element(), ty.num_elements()) else {
        return Err(p.error_at(at, "expected a vector type of static size"));
    };
    state.operands.push(p.resolve(source, ty)?);
    state.results = vec![element; count as usize].into();
    Ok(())
}

/// Reads elements and the vector type that they make up.
pub(crate) fn parse_from_elements(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
    let elements = p.operand_list()?;
    p.attr_dict(state)?;
    let at = p.span();
    let ty = p.colon_type()?;
    let Some(element) = ty.element() else {
        return Err(p.error_at(at, "expected a vector type"));
    };
    state.operands = p.resolve_same(&elements, element)?.into();
    state.results.push(ty);
    Ok(())
}

/// Prints operands and one type: that of the only operand or of the only result.
pub(crate) fn print_elements(p: &mut OpPrinter<'_>, op: OpId, ty: Option<ValueId>) {
    let body = p.body();
    p.write(" ");
    p.operands(body.operands(op));
    p.attr_dict(op, &[]);
    p.colon_types_of(ty);
}

/// Reads `<kind>, %vector, %acc fastmath<…> : type into type`.
pub(crate) fn parse_reduction(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
    state.attr("kind", parse_kind(p)?);
    p.expect(",")?;
    let vector = p.operand()?;
    let acc = if p.eat(",") { Some(p.operand()?) } else { None };
    if p.eat("fastmath") {
        state.attr("fastmath", p.attr_named("arith.fastmath")?);
    }
    p.attr_dict(state)?;
    let ty = p.colon_type()?;
    p.expect("into")?;
    let result = p.ty()?;
    state.operands.push(p.resolve(vector, ty)?);
    if let Some(acc) = acc {
        state.operands.push(p.resolve(acc, result)?);
    }
    state.results.push(result);
    Ok(())
}

fn parse_kind(p: &mut OpParser<'_>) -> ParseResult<Attr> {
    p.attr_named("vector.kind")
}

/// Prints a reduction.
pub(crate) fn print_reduction(p: &mut OpPrinter<'_>, op: OpId) {
    let body = p.body();
    p.write(" ");
    if let Some(kind) = body.attr(op, "kind") {
        p.attr_stripped(kind);
    }
    p.write(", ");
    p.operands(body.operands(op));
    if let Some(flags) = body.attr(op, "fastmath").filter(|&flags| !is_no_fastmath(flags)) {
        p.write(" fastmath");
        p.attr_stripped(flags);
    }
    p.attr_dict(op, &["kind", "fastmath"]);
    p.colon_types_of(body.operands(op).take(1));
    p.write(" into ");
    p.types_of(body.results(op));
}

fn is_no_fastmath(flags: Attr) -> bool {
    let keyword = flags.dialect_params("arith.fastmath").and_then(|p| p.first()?.as_str());
    keyword == Some("none")
}

/// Iterator types are written as strings and stored as attributes of the dialect.
fn iterator_types(types: Attr, to_text: bool) -> Attr {
    let convert = |ty: &Attr| match (to_text, ty.dialect_params("vector.iterator_type")) {
        (true, Some(params)) => params.first().copied().unwrap_or(*ty),
        (false, None) => Attr::dialect("vector.iterator_type", &[*ty]),
        _ => *ty,
    };
    match types.as_array() {
        Some(types) => Attr::array(&types.iter().map(convert).collect::<Vec<_>>()),
        None => types,
    }
}

/// Reads `{indexing_maps = …, iterator_types = […], kind = …} %a, %b, %c : a, b into c`.
pub(crate) fn parse_contract(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
    let entries = p.dict_entries()?;
    for (name, attr) in entries {
        let attr = match name.as_str() {
            "iterator_types" => iterator_types(attr, false),
            _ => attr,
        };
        state.attrs.push((name, attr));
    }
    let operands = p.operand_list()?;
    p.attr_dict(state)?;
    let mut types = p.colon_types()?;
    p.expect("into")?;
    let result = p.ty()?;
    types.push(result);
    p.resolve_into(&operands, &types, state)?;
    state.results.push(result);
    Ok(())
}

/// Prints a contraction.
pub(crate) fn print_contract(p: &mut OpPrinter<'_>, op: OpId) {
    let body = p.body();
    p.write(" {");
    if let Some(maps) = body.attr(op, "indexing_maps") {
        p.write("indexing_maps = ");
        p.attr(maps);
    }
    if let Some(types) = body.attr(op, "iterator_types") {
        p.write(", iterator_types = ");
        p.attr(iterator_types(types, true));
    }
    p.write(", kind = ");
    let kind = body.attr(op, "kind");
    p.attr(kind.unwrap_or_else(|| Attr::dialect("vector.kind", &[Attr::string("add")])));
    p.write("} ");
    p.operands(body.operands(op));
    p.attr_dict(op, &["indexing_maps", "iterator_types", "kind"]);
    p.colon_types_of(body.operands(op).take(2));
    p.write(" into ");
    p.types_of(body.results(op));
}

/// Reads `%a, %b, %acc {kind = …} : vector, vector or scalar`; the result's type follows.
pub(crate) fn parse_outerproduct(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
    let operands = p.operand_list()?;
    p.attr_dict(state)?;
    let at = p.span();
    let types = p.colon_types()?;
    let (&[lhs, rhs], Some(lhs_shape)) =
        (types.as_slice(), types.first().and_then(|ty| ty.shape()))
    else {
        return Err(p.error_at(at, "expected a vector type and a second type"));
    };
    let mut shape = lhs_shape.to_vec();
    shape.extend(rhs.shape().unwrap_or(&[]));
    let result = Type::vector(&shape, lhs.element_or_self());
    let mut all = vec![lhs, rhs];
    all.extend(operands.iter().skip(2).map(|_| result));
    p.resolve_into(&operands, &all, state)?;
    state.results.push(result);
    Ok(())
}

/// Prints an outer product; without an accumulator its kind says nothing.
pub(crate) fn print_outerproduct(p: &mut OpPrinter<'_>, op: OpId) {
    let body = p.body();
    p.write(" ");
    p.operands(body.operands(op));
    if body.num_operands(op) > 2 {
        let kind = body.attr(op, "kind");
        let kind = kind.unwrap_or_else(|| Attr::dialect("vector.kind", &[Attr::string("add")]));
        p.optional_dict(&[("kind".into(), kind)], &[]);
    }
    p.colon_types_of(body.operands(op).take(2));
}

/// Reads `%mask, %passthru { op } : mask -> results`.
pub(crate) fn parse_mask(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
    let mask = p.operand()?;
    let through = if p.eat(",") { Some(p.operand()?) } else { None };
    let region = p.region(&[])?;
    yield_results(p, region);
    state.regions.push(region);
    p.attr_dict(state)?;
    let ty = p.colon_type()?;
    if p.eat("->") {
        state.results = p.function_results()?.into();
    }
    state.operands.push(p.resolve(mask, ty)?);
    if let Some(through) = through {
        let at = state.span;
        let Some(&result) = state.results.first() else {
            return Err(p.error_at(at, "expects a result if a passthru operand is provided"));
        };
        state.operands.push(p.resolve(through, result)?);
    }
    Ok(())
}

/// The region's terminator, which text leaves out, yields the results of the masked op.
fn yield_results(p: &mut OpParser<'_>, region: tegula_ir::RegionId) {
    let registry: &Registry = p.registry();
    let body = p.body_mut();
    let block = match body.first_block(region) {
        Some(block) => block,
        None => body.append_block(region),
    };
    let last = body.last_op(block);
    let ends =
        last.is_some_and(|op| registry.op(body.name(op)).is_some_and(|info| info.terminator));
    if ends {
        return;
    }
    let values: Vec<ValueId> = last.map(|op| body.results(op).collect()).unwrap_or_default();
    let loc = Attr::new(AttrData::Loc(LocData::Unknown));
    body.insert(InsertPoint::End(block), NewOp::new("vector.yield").operands(values).loc(loc));
}

/// Prints a masked op on one line.
pub(crate) fn print_mask(p: &mut OpPrinter<'_>, op: OpId) {
    let body = p.body();
    p.write(" ");
    p.operands(body.operands(op));
    p.write(" { ");
    let block = body.region_entry(op, 0);
    if let Some(first) = block.and_then(|block| body.first_op(block)) {
        p.custom_or_generic(first);
        p.write(" ");
    }
    p.write("}");
    p.attr_dict(op, &[]);
    p.colon_types_of(body.operands(op).take(1));
    if body.num_results(op) > 0 {
        p.write(" -> ");
        p.result_types(body.results(op).map(|result| body.ty(result)));
    }
}
