//! The syntax of calls with any number of values for some arguments: `@f(%a, [%b, %c])`, or
//! `@f(%a, [(%b, %c), (%d, %e)])` where the elements are tuples.

use tegula_ir::text::{OpParser, OpPrinter, OpState, ParseResult, UnresolvedOperand, dense_attr};
use tegula_ir::{Attr, AttrData, DenseData, OpId, Type, TypeData};

use crate::imports::{parse_results, print_results};

/// What stands for the size of an argument that is a single value.
const SINGLE: i16 = -1;

/// The values for one argument: their number when they stand in brackets.
struct Segment {
    listed: bool,
    values: Vec<UnresolvedOperand>,
}

fn parse_segment(p: &mut OpParser<'_>) -> ParseResult<Segment> {
    if !p.eat("[") {
        return Ok(Segment { listed: false, values: vec![p.operand()?] });
    }
    let mut values = Vec::new();
    while !p.eat("]") {
        if p.at("(") {
            values.extend(p.operands_in("(", ")")?);
        } else {
            values.push(p.operand()?);
        }
        if !p.eat(",") {
            p.expect("]")?;
            break;
        }
    }
    Ok(Segment { listed: true, values })
}

/// The types of one element of a list.
fn element_types(ty: &Type) -> &[Type] {
    match ty.data() {
        TypeData::Tuple(types) => types,
        _ => std::slice::from_ref(ty),
    }
}

/// The attribute `segment_sizes`.
fn sizes_attr(sizes: &[i16]) -> Attr {
    let ty = Type::vector(&[sizes.len() as i64], Type::int(16));
    let bytes: Vec<u8> = sizes.iter().flat_map(|size| size.to_le_bytes()).collect();
    let splat = sizes.first().filter(|&first| sizes.iter().all(|size| size == first));
    match splat {
        Some(one) => dense_attr(ty, one.to_le_bytes().to_vec(), true),
        None => dense_attr(ty, bytes, false),
    }
}

pub(crate) fn parse(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
    let callee = p.symbol_name()?;
    state.attr("callee", Attr::symbol(callee.as_str()));
    let mut segments = Vec::new();
    p.expect("(")?;
    while !p.eat(")") {
        segments.push(parse_segment(p)?);
        if !p.eat(",") {
            p.expect(")")?;
            break;
        }
    }
    p.attr_dict(state)?;
    p.expect(":")?;
    p.expect("(")?;
    let (mut sizes, mut types, mut all, mut all_types) = (vec![], vec![], vec![], vec![]);
    for (index, segment) in segments.iter().enumerate() {
        if index > 0 {
            p.expect(",")?;
        }
        let at = p.span();
        let ty = p.ty()?;
        if p.eat("...") != segment.listed {
            return Err(p.error_at(at, "values stand in brackets where the type ends in `...`"));
        }
        let one = if segment.listed { element_types(&ty) } else { std::slice::from_ref(&ty) };
        let count = segment.values.len().checked_div(one.len()).unwrap_or(0);
        if count * one.len() != segment.values.len() {
            return Err(p.error_at(at, "an element of the list lacks values"));
        }
        let size = i16::try_from(count).map_err(|_| p.error_at(at, "the list is too long"))?;
        sizes.push(if segment.listed { size } else { SINGLE });
        types.push(Attr::ty(ty));
        all.extend(segment.values.iter().copied());
        all_types.extend(one.iter().copied().cycle().take(segment.values.len()));
    }
    p.expect(")")?;
    p.resolve_into(&all, &all_types, state)?;
    state.attr("segment_sizes", sizes_attr(&sizes));
    state.attr("segment_types", Attr::array(&types));
    state.results = parse_results(p)?.into();
    Ok(())
}

/// The numbers of the attribute `segment_sizes`.
fn sizes(attr: Option<Attr>) -> Vec<i16> {
    let Some(AttrData::Dense { ty, data }) = attr.map(|attr| attr.data()) else { return vec![] };
    let read = |pair: &[u8]| match pair {
        &[low, high] => i16::from_le_bytes([low, high]),
        _ => SINGLE,
    };
    match data {
        DenseData::Splat(one) => {
            let count = ty.num_elements().and_then(|n| usize::try_from(n).ok()).unwrap_or(0);
            vec![read(one); count]
        }
        DenseData::Bytes(all) => all.chunks_exact(2).map(read).collect(),
    }
}

pub(crate) fn print(p: &mut OpPrinter<'_>, op: OpId) {
    let body = p.body();
    let sizes = sizes(body.attr(op, "segment_sizes"));
    let types = body.attr(op, "segment_types").and_then(Attr::as_array).unwrap_or(&[]);
    let types: Vec<Type> = types.iter().filter_map(|ty| ty.as_type()).collect();
    let callee = body.attr(op, "callee").and_then(Attr::as_symbol_root);
    let mut values = body.operands(op);
    p.write(" ");
    p.symbol_name(callee.map_or("", |callee| callee.as_str()));
    p.write("(");
    for (index, (&size, ty)) in sizes.iter().zip(&types).enumerate() {
        p.write(if index > 0 { ", " } else { "" });
        let Ok(size) = usize::try_from(size) else {
            p.operands(values.by_ref().take(1));
            continue;
        };
        let tuple = matches!(ty.data(), TypeData::Tuple(_));
        p.write("[");
        for element in 0..size {
            p.write(if element > 0 { ", " } else { "" });
            p.write(if tuple { "(" } else { "" });
            p.operands(values.by_ref().take(element_types(ty).len()));
            p.write(if tuple { ")" } else { "" });
        }
        p.write("]");
    }
    p.write(")");
    p.attr_dict(op, &["callee", "segment_sizes", "segment_types"]);
    p.write(" : (");
    p.comma_list(sizes.iter().zip(&types), |p, (&size, &ty)| {
        p.ty(ty);
        p.write(if size == SINGLE { "" } else { " ..." });
    });
    p.write(")");
    let results: Vec<Type> = body.results(op).map(|value| body.ty(value)).collect();
    print_results(p, &results);
}

/// `custom<ResultTypeList>($types)`: types in parentheses.
pub(crate) fn parse_result_types(
    p: &mut OpParser<'_>,
    args: &mut tegula_ir::text::ParseArgs<'_>,
) -> ParseResult<bool> {
    let types = p.delimited("(", ")", |p| Ok(Attr::ty(p.ty()?)))?;
    *args.attr(p, 0)? = Some(Attr::array(&types));
    Ok(true)
}

/// Prints `custom<ResultTypeList>`.
pub(crate) fn print_result_types(
    p: &mut OpPrinter<'_>,
    _: OpId,
    args: &tegula_ir::text::PrintArgs,
) {
    let types = args.attr(0).and_then(Attr::as_array).unwrap_or(&[]);
    p.write("(");
    p.types(types.iter().filter_map(|ty| ty.as_type()));
    p.write(")");
}
