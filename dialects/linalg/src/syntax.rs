//! The syntax of structured ops.

use tegula_dialect_affine::mixed::segment;
use tegula_ir::text::{OpParser, OpPrinter, OpState, ParseResult, UnresolvedOperand};
use tegula_ir::{Attr, Ident, OpId, Type, TypeData, ValueId};

use crate::named::{Flavour, build_region};
use crate::structure::{iterator_attr, iterator_keyword, named_contraction};

/// `ins(…)` and `outs(…)` as they are read.
pub(crate) struct Operands {
    pub(crate) inputs: Vec<(UnresolvedOperand, Type)>,
    pub(crate) outputs: Vec<(UnresolvedOperand, Type)>,
}

fn parse_group(p: &mut OpParser<'_>) -> ParseResult<Vec<(UnresolvedOperand, Type)>> {
    p.expect("(")?;
    if p.eat(")") {
        return Ok(Vec::new());
    }
    let operands = p.operand_list()?;
    let at = p.span();
    let types = p.colon_types()?;
    p.expect(")")?;
    if operands.len() != types.len() {
        let (n, m) = (operands.len(), types.len());
        return Err(p.error_at(at, format!("{n} operands are given, but {m} types")));
    }
    Ok(operands.into_iter().zip(types).collect())
}

pub(crate) fn parse_operands(p: &mut OpParser<'_>) -> ParseResult<Operands> {
    let inputs = if p.eat("ins") { parse_group(p)? } else { Vec::new() };
    let outputs = if p.eat("outs") { parse_group(p)? } else { Vec::new() };
    Ok(Operands { inputs, outputs })
}

/// Resolves the operands; results have the types of the tensors among the outputs.
pub(crate) fn resolve(
    p: &mut OpParser<'_>,
    state: &mut OpState,
    operands: &Operands,
    segments: bool,
) -> ParseResult<()> {
    for &(operand, ty) in operands.inputs.iter().chain(&operands.outputs) {
        state.operands.push(p.resolve(operand, ty)?);
    }
    if segments {
        state.operand_segments(&[operands.inputs.len(), operands.outputs.len()]);
    }
    Ok(())
}

fn element_types(operands: &Operands) -> Vec<Type> {
    let all = operands.inputs.iter().chain(&operands.outputs);
    all.map(|(_, ty)| ty.element_or_self()).collect()
}

/// Makes the region that the name says.
fn add_region(
    p: &mut OpParser<'_>,
    state: &mut OpState,
    operands: &Operands,
    kind: Option<&str>,
) -> ParseResult<()> {
    let cast = state
        .get_attr("cast")
        .and_then(|cast| cast.dialect_params("linalg.type_fn")?.first()?.as_str());
    let flavour = Flavour { unsigned: cast == Some("cast_unsigned"), kind };
    let region = p.empty_region();
    let built =
        build_region(p.body_mut(), region, state.name.as_str(), &element_types(operands), flavour);
    if let Err(message) = built {
        let message = format!("'{}' op {message}", state.name);
        return Err(p.error_at(state.span, message));
    }
    state.regions.push(region);
    Ok(())
}

fn parse_results(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
    if p.eat("->") {
        state.results = p.function_results()?.into();
    }
    Ok(())
}

/// The results of ops that do not write them: the tensors among the outputs.
pub(crate) fn infer_results(state: &mut OpState, operands: &Operands) {
    let tensors = operands.outputs.iter().map(|(_, ty)| *ty);
    state.results = tensors.filter(|ty| is_tensor(*ty)).collect();
}

fn is_tensor(ty: Type) -> bool {
    matches!(ty.data(), TypeData::RankedTensor { .. })
}

fn default_maps(name: &str) -> Option<Attr> {
    Some(named_contraction(name)?.maps_attr())
}

/// Whether ops of that name hold their indexing maps as an attribute.
fn holds_maps(name: &str) -> bool {
    matches!(name, "linalg.matmul" | "linalg.batch_matmul" | "linalg.contract")
}

/// Reads `indexing_maps = […] {attributes} ins(…) outs(…) -> types`.
pub(crate) fn parse_named(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
    let name = state.name.as_str();
    if holds_maps(name) {
        if p.eat("indexing_maps") {
            p.expect("=")?;
            let maps = p.attr()?;
            state.attr("indexing_maps", maps);
        } else if let Some(maps) = default_maps(name) {
            state.attr("indexing_maps", maps);
        } else {
            return Err(p.error("expected `indexing_maps`"));
        }
    }
    p.attr_dict(state)?;
    let operands = parse_operands(p)?;
    resolve(p, state, &operands, true)?;
    parse_results(p, state)?;
    add_region(p, state, &operands, None)
}

pub(crate) fn print_group(p: &mut OpPrinter<'_>, keyword: &str, values: &[ValueId]) {
    if !values.is_empty() {
        p.write(keyword);
        p.operands(values.iter().copied());
        p.colon_types_of(values.iter().copied());
        p.write(")");
    }
}

fn print_operands(p: &mut OpPrinter<'_>, op: OpId) {
    let body = p.body();
    for (group, keyword) in [(0, " ins("), (1, " outs(")] {
        let values = segment(body, op, group).unwrap_or_default();
        print_group(p, keyword, &values);
    }
}

fn print_results(p: &mut OpPrinter<'_>, op: OpId) {
    let body = p.body();
    if body.num_results(op) > 0 {
        p.write(" -> ");
        p.result_types(body.results(op).map(|result| body.ty(result)));
    }
}

/// Attributes of a dictionary in text: discardable ones first, then those of the definition.
fn print_attrs(p: &mut OpPrinter<'_>, op: OpId, elided: &[&str]) {
    let body = p.body();
    let inherent = |name: &str| matches!(name, "cast" | "dilations" | "strides");
    let entries = body.attr_entries(op).iter().copied();
    let (mut last, mut first): (Vec<(Ident, Attr)>, Vec<_>) =
        entries.partition(|(name, _)| inherent(name.as_str()));
    first.append(&mut last);
    let mut all = vec!["operandSegmentSizes"];
    all.extend(elided);
    p.optional_dict(&first, &all);
}

/// Prints a named op.
pub(crate) fn print_named(p: &mut OpPrinter<'_>, op: OpId) {
    let body = p.body();
    let name = body.name(op).as_str();
    if let Some(maps) = body.attr(op, "indexing_maps").filter(|_| holds_maps(name))
        && default_maps(name) != Some(maps)
    {
        p.write(" indexing_maps = ");
        p.attr(maps);
    }
    print_attrs(p, op, &["indexing_maps"]);
    print_operands(p, op);
    print_results(p, op);
}

/// Iterator types as they are written.
fn iterator_words(types: Attr) -> Attr {
    let word = |&ty: &Attr| iterator_keyword(ty).map_or(ty, Attr::string);
    match types.as_array() {
        Some(types) => Attr::array(&types.iter().map(word).collect::<Vec<_>>()),
        None => types,
    }
}

/// Iterator types as they are kept, from their words.
fn iterator_types(types: Attr) -> Result<Attr, String> {
    let Some(words) = types.as_array() else { return Ok(types) };
    let kept = words.iter().map(|&word| match word.as_str() {
        Some("parallel") => Ok(iterator_attr(true)),
        Some("reduction") => Ok(iterator_attr(false)),
        Some(other) => Err(format!("unexpected iterator_type ({other})")),
        None => Ok(word),
    });
    Ok(Attr::array(&kept.collect::<Result<Vec<_>, _>>()?))
}

/// The attributes that stand in the dictionary before the operands.
const LEADING: &[&str] = &["doc", "indexing_maps", "iterator_types", "library_call"];

/// Reads `{maps, types} ins(…) outs(…) attrs = {…} {region} -> types`.
pub(crate) fn parse_generic(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
    let at = p.span();
    let entries = if p.at("{") {
        p.dict_entries()?
    } else {
        // The attributes may come as one attribute, often an alias.
        let Some(entries) = p.attr()?.as_dict() else {
            return Err(p.error_at(at, "expected a dictionary"));
        };
        entries.to_vec()
    };
    for (name, attr) in entries {
        let attr = match name.as_str() {
            "iterator_types" => iterator_types(attr).map_err(|message| p.error_at(at, message))?,
            _ => attr,
        };
        state.attrs.push((name, attr));
    }
    let operands = parse_operands(p)?;
    resolve(p, state, &operands, true)?;
    if p.eat("attrs") {
        p.expect("=")?;
        p.attr_dict(state)?;
    }
    let region = p.region(&[])?;
    state.regions.push(region);
    parse_results(p, state)
}

/// Prints a `linalg.generic`.
pub(crate) fn print_generic(p: &mut OpPrinter<'_>, op: OpId) {
    let body = p.body();
    p.write(" {");
    let mut first = true;
    for &(name, attr) in body.attr_entries(op) {
        if !LEADING.contains(&name.as_str()) {
            continue;
        }
        p.write(if first { "" } else { ", " });
        first = false;
        p.write(name.as_str());
        p.write(" = ");
        p.attr(match name.as_str() {
            "iterator_types" => iterator_words(attr),
            _ => attr,
        });
    }
    p.write("}");
    print_operands(p, op);
    let rest = |name: &str| name != "operandSegmentSizes" && !LEADING.contains(&name);
    if body.attr_entries(op).iter().any(|(name, _)| rest(name.as_str())) {
        p.write(" attrs = ");
        p.attr_dict(op, LEADING);
    }
    if let Some(region) = body.region(op, 0) {
        p.write(" ");
        p.region(region);
    }
    print_results(p, op);
}

/// Reads `<kind> indexing_maps = […] {…} ins(…) outs(…) -> types`.
pub(crate) fn parse_elementwise(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
    let kind = p.attr_named("linalg.elementwise_kind")?;
    state.attr("kind", kind);
    let written = if p.eat("indexing_maps") {
        p.expect("=")?;
        Some(p.attr()?)
    } else {
        None
    };
    p.attr_dict(state)?;
    let operands = parse_operands(p)?;
    let rank = operands.outputs.last().and_then(|(_, ty)| ty.shape()).map_or(0, <[i64]>::len);
    let count = operands.inputs.len() + operands.outputs.len();
    let maps = written.unwrap_or_else(|| identity_maps(rank, count));
    state.attr("indexing_maps", maps);
    resolve(p, state, &operands, true)?;
    parse_results(p, state)?;
    let keyword = kind.dialect_params("linalg.elementwise_kind");
    let keyword = keyword.and_then(|params| params.first()?.as_str()).unwrap_or_default();
    add_region(p, state, &operands, Some(keyword))
}

fn identity_maps(rank: usize, count: usize) -> Attr {
    let identity = Attr::map(tegula_ir::AffineMap::identity(rank as u32));
    Attr::array(&vec![identity; count])
}

/// Prints an element-wise op.
pub(crate) fn print_elementwise(p: &mut OpPrinter<'_>, op: OpId) {
    let body = p.body();
    p.write(" ");
    if let Some(kind) = body.attr(op, "kind") {
        p.attr_stripped(kind);
    }
    let rank = body.operands(op).last().and_then(|v| body.ty(v).shape()).map_or(0, <[i64]>::len);
    if let Some(maps) = body.attr(op, "indexing_maps")
        && maps != identity_maps(rank, body.num_operands(op))
    {
        p.write(" indexing_maps = ");
        p.attr(maps);
    }
    p.attr_dict(op, &["indexing_maps", "kind"]);
    print_operands(p, op);
    print_results(p, op);
}

/// Reads `ins(…) outs(…) attribute = [dims] {…}`.
pub(crate) fn parse_permuting(
    p: &mut OpParser<'_>,
    state: &mut OpState,
    attribute: &str,
) -> ParseResult<()> {
    let operands = parse_operands(p)?;
    p.expect(attribute)?;
    p.expect("=")?;
    let dims = p.delimited("[", "]", |p| p.integer())?;
    state.attr(attribute, Attr::i64_array(&dims));
    p.attr_dict(state)?;
    resolve(p, state, &operands, false)?;
    infer_results(state, &operands);
    add_region(p, state, &operands, None)
}

/// Prints the same. The list is followed by a blank.
pub(crate) fn print_permuting(p: &mut OpPrinter<'_>, op: OpId, attribute: &str) {
    let body = p.body();
    let operands: Vec<ValueId> = body.operands(op).collect();
    if let &[input, init] = operands.as_slice() {
        print_group(p, " ins(", &[input]);
        print_group(p, " outs(", &[init]);
    }
    p.write(" ");
    p.write(attribute);
    p.write(" = [");
    let dims = body.attr(op, attribute).and_then(Attr::as_dense_array).unwrap_or(&[]);
    p.comma_list(dims, |p, dim| p.display(dim));
    p.write("] ");
    p.attr_dict(op, &[attribute]);
}
