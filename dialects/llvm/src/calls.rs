//! Calls: of functions by name or address, of what may leave by an exception, of intrinsics.

use tegula_ir::text::{
    FunctionSignature, OpParser, OpPrinter, OpState, ParseResult, UnresolvedOperand,
};
use tegula_ir::{Attr, Body, OpId, Registry, Type, ValueId};

use crate::bundles;
use crate::enums::{eat_word, word_of};
use crate::types::signature;

/// What stands elsewhere than in the dictionary of a call.
const WRITTEN: [&str; 9] = [
    "CConv",
    "TailCallKind",
    "arg_attrs",
    "callee",
    "intrin",
    "op_bundle_sizes",
    "op_bundle_tags",
    "res_attrs",
    "var_callee_type",
];

/// A word of an enum that is an attribute of the dialect.
fn eat_attr(p: &mut OpParser<'_>, state: &mut OpState, name: &str, enumeration: &str) {
    state.attr_opt(name, eat_word(p, enumeration));
}

fn print_word(p: &mut OpPrinter<'_>, op: OpId, name: &str, enumeration: &str) {
    if let Some(word) = word_of(p, enumeration, p.body().attr(op, name)) {
        p.write(" ");
        p.write(&word);
    }
}

/// Who is called, and with what.
struct Call {
    /// The address; none when a name says it.
    address: Option<UnresolvedOperand>,
    args: Vec<UnresolvedOperand>,
}

fn parse_callee(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<Call> {
    let address = p.eat_operand()?;
    if address.is_none() {
        let name = p.symbol_name()?;
        state.attr("callee", Attr::symbol(name.as_str()));
    }
    Ok(Call { address, args: p.operands_in("(", ")")? })
}

fn parse_variadic(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
    if p.eat("vararg") {
        p.expect("(")?;
        let ty = p.ty()?;
        state.attr("var_callee_type", Attr::ty(ty));
        p.expect(")")?;
    }
    Ok(())
}

/// Reads `(types) -> types`, with dictionaries; the result and the dictionaries go to the op.
fn parse_signature(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<FunctionSignature> {
    let span = p.span();
    let signature = p.function_signature()?;
    if !signature.args.is_empty() || signature.results.len() > 1 {
        return Err(p.error_at(span, "expected types, of which one at most is given back"));
    }
    let empty = Attr::empty_dict();
    let dicts = [("arg_attrs", &signature.input_attrs), ("res_attrs", &signature.result_attrs)];
    for (name, attrs) in dicts {
        let said = attrs.iter().any(|&attr| attr != empty);
        state.attr_opt(name, said.then(|| Attr::array(attrs)));
    }
    state.results.extend_from_slice(&signature.results);
    Ok(signature)
}

/// Reads the types of a call; the values of who is called and of the arguments.
fn parse_types(
    p: &mut OpParser<'_>,
    state: &mut OpState,
    call: &Call,
) -> ParseResult<Vec<ValueId>> {
    p.expect(":")?;
    let mut values = Vec::new();
    if let Some(address) = call.address {
        let ty = p.ty()?;
        values.push(p.resolve(address, ty)?);
        p.expect(",")?;
    }
    let signature = parse_signature(p, state)?;
    let span = state.span;
    values.extend(p.resolve_all(&call.args, &signature.inputs, span)?);
    Ok(values)
}

fn print_callee(p: &mut OpPrinter<'_>, op: OpId) -> Vec<ValueId> {
    let body = p.body();
    let mut values = p.registry().operands_of(body, op, "callee_operands");
    p.write(" ");
    match body.attr(op, "callee") {
        Some(callee) => p.attr(callee),
        None if values.is_empty() => {}
        None => p.operand(values.remove(0)),
    }
    p.write("(");
    p.operands(values.iter().copied());
    p.write(")");
    values
}

fn print_variadic(p: &mut OpPrinter<'_>, op: OpId) {
    if let Some(ty) = p.body().attr(op, "var_callee_type").and_then(Attr::as_type) {
        p.write(" vararg(");
        p.ty(ty);
        p.write(")");
    }
}

fn print_dict(p: &mut OpPrinter<'_>, op: OpId) {
    let fastmath = p.body().attr(op, "fastmathFlags");
    let mut elided = WRITTEN.to_vec();
    if word_of(p, "FastmathFlags", fastmath).is_none() {
        elided.push("fastmathFlags");
    }
    p.attr_dict(op, &elided);
}

/// Prints ` : address, (types) -> types` with dictionaries.
fn print_types(p: &mut OpPrinter<'_>, op: OpId, args: &[ValueId], address: Option<Type>) {
    let body = p.body();
    let dicts = |name: &str| body.attr(op, name).and_then(Attr::as_array).unwrap_or(&[]);
    let typed = |p: &mut OpPrinter<'_>, value: ValueId, dict: Option<&Attr>| {
        p.ty(body.ty(value));
        let entries = dict.and_then(|dict| dict.as_dict()).unwrap_or(&[]);
        p.optional_dict(entries, &[]);
    };
    p.write(" : ");
    if let Some(ty) = address {
        p.ty(ty);
        p.write(", ");
    }
    p.write("(");
    for (index, &value) in args.iter().enumerate() {
        p.write(if index > 0 { ", " } else { "" });
        typed(p, value, dicts("arg_attrs").get(index));
    }
    p.write(") -> ");
    let result = body.results(op).next();
    let dict = dicts("res_attrs").first();
    let bare = result.is_some() && dict.and_then(|d| d.as_dict()).is_none_or(|d| d.is_empty());
    p.write(if bare { "" } else { "(" });
    result.into_iter().for_each(|value| typed(p, value, dict));
    p.write(if bare { "" } else { ")" });
}

fn print_end(p: &mut OpPrinter<'_>, op: OpId, args: &[ValueId]) {
    print_dict(p, op);
    let body = p.body();
    let by_address = body.attr(op, "callee").is_none() && body.num_operands(op) > 0;
    let address = by_address.then(|| body.ty(body.operand(op, 0)));
    print_types(p, op, args, address);
}

// ---- call

/// `fastcc tail @callee(%args) vararg(type) [bundles] {…} : (types) -> type`
pub(crate) fn parse_call(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
    eat_attr(p, state, "CConv", "CConv");
    eat_attr(p, state, "TailCallKind", "TailCallKind");
    let call = parse_callee(p, state)?;
    parse_variadic(p, state)?;
    parse_end(p, state, &call)
}

/// Reads what follows the arguments: bundles, attributes and types.
fn parse_end(p: &mut OpParser<'_>, state: &mut OpState, call: &Call) -> ParseResult<()> {
    let bundles = bundles::parse(p)?;
    p.attr_dict(state)?;
    let values = parse_types(p, state, call)?;
    state.operand_segments(&[values.len(), bundles.operands.len()]);
    state.operands.extend(values);
    p.resolve_into(&bundles.operands, &bundles.types, state)?;
    bundles.add_to(state);
    Ok(())
}

/// Prints `call`.
pub(crate) fn print_call(p: &mut OpPrinter<'_>, op: OpId) {
    print_word(p, op, "CConv", "CConv");
    print_word(p, op, "TailCallKind", "TailCallKind");
    let args = print_callee(p, op);
    print_variadic(p, op);
    bundles::print_of(p, op);
    print_end(p, op, &args);
}

/// An address is a pointer, and what takes more than it names says so.
pub(crate) fn verify(registry: &Registry, body: &Body, op: OpId) -> Result<(), String> {
    if body.attr(op, "callee").is_none() {
        let first = registry.operands_of(body, op, "callee_operands").first().copied();
        let address = first.map(|value| body.ty(value));
        if address.and_then(|ty| ty.dialect_params("llvm.ptr")).is_none() {
            return Err("calls neither a function by its name nor an address".to_owned());
        }
    }
    let ty = body.attr(op, "var_callee_type").and_then(Attr::as_type);
    if ty.and_then(signature).is_some_and(|signature| !signature.variadic) {
        return Err("says the type of a function that takes no more than it names".to_owned());
    }
    bundles::verify(registry, body, op)
}

// ---- invoke

/// `@callee(%args) to ^normal(…) unwind ^unwind(…) vararg(type) [bundles] {…} : (types) -> type`
pub(crate) fn parse_invoke(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
    eat_attr(p, state, "CConv", "CConv");
    let call = parse_callee(p, state)?;
    p.expect("to")?;
    let normal = p.successor_with_operands(state)?;
    p.expect("unwind")?;
    let unwind = p.successor_with_operands(state)?;
    let passed = std::mem::take(&mut state.operands);
    parse_variadic(p, state)?;
    let bundles = bundles::parse(p)?;
    p.attr_dict(state)?;
    let values = parse_types(p, state, &call)?;
    state.operand_segments(&[values.len(), normal, unwind, bundles.operands.len()]);
    state.operands.extend(values);
    state.operands.extend(passed);
    p.resolve_into(&bundles.operands, &bundles.types, state)?;
    bundles.add_to(state);
    Ok(())
}

/// Prints `invoke`.
pub(crate) fn print_invoke(p: &mut OpPrinter<'_>, op: OpId) {
    let body = p.body();
    let &[normal, unwind] = body.successors(op) else { return };
    print_word(p, op, "CConv", "CConv");
    let args = print_callee(p, op);
    for (word, block, group) in
        [(" to ", normal, "normalDestOperands"), (" unwind ", unwind, "unwindDestOperands")]
    {
        p.write(word);
        let values = p.registry().operands_of(body, op, group);
        p.successor_with_operands(block, &values);
    }
    print_variadic(p, op);
    bundles::print_of(p, op);
    print_end(p, op, &args);
}

// ---- intrinsics by their names

/// `"llvm.name"(%args) [bundles] {…} : (types) -> type`
pub(crate) fn parse_intrinsic(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
    let name = p.string()?;
    state.attr("intrin", Attr::string(&name));
    let call = Call { address: None, args: p.operands_in("(", ")")? };
    parse_end(p, state, &call)
}

/// Prints `call_intrinsic`.
pub(crate) fn print_intrinsic(p: &mut OpPrinter<'_>, op: OpId) {
    let body = p.body();
    p.write(" ");
    let name = body.attr(op, "intrin").and_then(Attr::as_str).unwrap_or_default();
    p.string(name.as_bytes());
    p.write("(");
    let args = p.registry().operands_of(body, op, "args");
    p.operands(args.iter().copied());
    p.write(")");
    bundles::print_of(p, op);
    print_dict(p, op);
    print_types(p, op, &args, None);
}

/// LLVM knows no other names.
pub(crate) fn verify_intrinsic(registry: &Registry, body: &Body, op: OpId) -> Result<(), String> {
    let name = body.attr(op, "intrin").and_then(Attr::as_str).unwrap_or_default();
    if !name.starts_with("llvm.") {
        return Err(format!("the name of an intrinsic begins with `llvm.`, unlike `{name}`"));
    }
    bundles::verify(registry, body, op)
}
