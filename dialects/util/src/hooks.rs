//! The Rust that the definitions of this dialect name.

use tegula_ir as ir;
use tegula_ir::text;
use tegula_ir::{Attr, AttrData, Ident, Type};

use crate::generated::Hooks;
use crate::{asm, contents, directive, global_uses, hoistable, list, shared_directives, template};

/// The hooks of the dialect.
pub struct UtilHooks;

impl Hooks for UtilHooks {
    shared_directives!(
        operand_type_list,
        passed_types,
        range_list,
        symbol_visibility,
        tied_function_result_list,
        type_or_attr,
        typed_value_list,
        value_type_list
    );

    fn verify_symbols_global_address(
        symbols: &ir::verify::Symbols<'_>,
        body: &ir::Body,
        op: ir::OpId,
    ) -> Result<(), String> {
        global_uses::verify_address(symbols, body, op)
    }

    fn verify_symbols_global_load(
        symbols: &ir::verify::Symbols<'_>,
        body: &ir::Body,
        op: ir::OpId,
    ) -> Result<(), String> {
        global_uses::verify_load(symbols, body, op)
    }

    fn verify_symbols_global_store(
        symbols: &ir::verify::Symbols<'_>,
        body: &ir::Body,
        op: ir::OpId,
    ) -> Result<(), String> {
        global_uses::verify_store(symbols, body, op)
    }

    directive!(
        parse_directive_list_type_get = list::parse_type_get,
        print_directive_list_type_get = list::print_type_get
    );
    directive!(
        parse_directive_list_type_set = list::parse_type_set,
        print_directive_list_type_set = list::print_type_set
    );

    /// The value is what the pointer points to.
    fn verify_global_indirect(
        registry: &ir::Registry,
        body: &ir::Body,
        op: ir::OpId,
    ) -> Result<(), String> {
        let pointer = registry.operand_of(body, op, "global").map(|v| body.ty(v));
        let target = pointer.and_then(|ty| ty.dialect_params("util.ptr")?.first()?.as_type());
        let (what, value) = match registry.operand_of(body, op, "value") {
            Some(value) => ("store", Some(value)),
            None => ("load", body.results(op).next()),
        };
        let value = value.map(|value| body.ty(value));
        match (target, value) {
            (Some(target), Some(value)) if target != value => {
                Err(format!("global pointer is '{target}' but {what} is '{value}'"))
            }
            _ => Ok(()),
        }
    }

    fn verify_list_construct(
        _: &ir::Registry,
        body: &ir::Body,
        op: ir::OpId,
    ) -> Result<(), String> {
        list::verify_construct(body, op)
    }

    fn verify_list_access(
        registry: &ir::Registry,
        body: &ir::Body,
        op: ir::OpId,
    ) -> Result<(), String> {
        list::verify_access(registry, body, op)
    }

    fn verify_string_format(_: &ir::Registry, body: &ir::Body, op: ir::OpId) -> Result<(), String> {
        let format = body.attr(op, "format").and_then(Attr::as_str).unwrap_or_default();
        template::pieces(format, body.num_operands(op)).map(drop)
    }

    fn parse_params_list(p: &mut text::AsmParser<'_>) -> text::ParseResult<Vec<Attr>> {
        list::parse_params(p)
    }

    fn print_params_list(p: &mut text::AsmPrinter<'_>, params: &[Attr]) {
        list::print_params(p, params);
    }

    fn parse_params_typed(p: &mut text::AsmParser<'_>) -> text::ParseResult<Vec<Attr>> {
        contents::parse_typed(p)
    }

    fn print_params_typed(p: &mut text::AsmPrinter<'_>, params: &[Attr]) {
        contents::print_typed(p, params);
    }

    fn parse_params_byte_pattern(p: &mut text::AsmParser<'_>) -> text::ParseResult<Vec<Attr>> {
        contents::parse_byte_pattern(p)
    }

    fn print_params_byte_pattern(p: &mut text::AsmPrinter<'_>, params: &[Attr]) {
        contents::print_byte_pattern(p, params);
    }

    fn parse_params_composite(p: &mut text::AsmParser<'_>) -> text::ParseResult<Vec<Attr>> {
        contents::parse_composite(p)
    }

    fn print_params_composite(p: &mut text::AsmPrinter<'_>, params: &[Attr]) {
        contents::print_composite(p, params);
    }

    fn parse_hoistable_conversion(
        p: &mut text::OpParser<'_>,
        state: &mut text::OpState,
    ) -> text::ParseResult<()> {
        hoistable::parse_conversion(p, state)
    }

    fn print_hoistable_conversion(p: &mut text::OpPrinter<'_>, op: ir::OpId) {
        hoistable::print_conversion(p, op);
    }

    fn parse_unfoldable_constant(
        p: &mut text::OpParser<'_>,
        state: &mut text::OpState,
    ) -> text::ParseResult<()> {
        hoistable::parse_constant(p, state)
    }

    fn print_unfoldable_constant(p: &mut text::OpPrinter<'_>, op: ir::OpId) {
        hoistable::print_constant(p, op);
    }

    fn result_names_global_address(
        _: &ir::Registry,
        body: &ir::Body,
        op: ir::OpId,
        name: &mut dyn FnMut(ir::ValueId, &str),
    ) {
        if let Some(global) = body.attr(op, "global").and_then(Attr::as_symbol_root) {
            name(body.result(op, 0), &format!("ptr_{global}"));
        }
    }

    fn result_names_buffer_constant(
        _: &ir::Registry,
        body: &ir::Body,
        op: ir::OpId,
        name: &mut dyn FnMut(ir::ValueId, &str),
    ) {
        let own = body.attr(op, "name").and_then(Attr::as_str);
        name(body.result(op, 0), own.unwrap_or("buffer_cst"));
    }

    fn result_names_string_format(
        _: &ir::Registry,
        body: &ir::Body,
        op: ir::OpId,
        name: &mut dyn FnMut(ir::ValueId, &str),
    ) {
        let format = body.attr(op, "format").and_then(Attr::as_str).unwrap_or_default();
        name(body.result(op, 0), &template::name(format));
    }

    fn verify_func(_: &ir::Registry, body: &ir::Body, op: ir::OpId) -> Result<(), String> {
        let ty = body.attr(op, "function_type").and_then(Attr::as_type);
        let inputs = ty.and_then(Type::as_function).map_or(0, |(inputs, _)| inputs.len());
        verify_ties(body, op, inputs)
    }

    fn verify_global(registry: &ir::Registry, body: &ir::Body, op: ir::OpId) -> Result<(), String> {
        global_uses::verify_initial(registry, body, op)
    }

    fn verify_cast(_: &ir::Registry, body: &ir::Body, op: ir::OpId) -> Result<(), String> {
        let (from, to) = (body.ty(body.operand(op, 0)), body.ty(body.result(op, 0)));
        let is_any = |ty: Type| ty.dialect_params("util.object").is_some();
        if from == to || is_any(from) || is_any(to) {
            return Ok(());
        }
        Err(format!("operand type '{from}' and result type '{to}' are cast incompatible"))
    }

    fn verify_hoistable_conversion(
        _: &ir::Registry,
        body: &ir::Body,
        op: ir::OpId,
    ) -> Result<(), String> {
        hoistable::verify(body, op)
    }

    fn verify_assume_int(_: &ir::Registry, body: &ir::Body, op: ir::OpId) -> Result<(), String> {
        let rows = body.attr(op, "assumptions").and_then(Attr::as_array).unwrap_or(&[]);
        let operands = body.num_operands(op);
        if rows.len() != operands {
            return Err(format!("expected {operands} assumption rows to match number of operands"));
        }
        // One assumption holds wherever the value comes from.
        let counts = || rows.iter().map(|row| row.as_array().map_or(0, <[_]>::len));
        let places = counts().find(|&count| count != 1).unwrap_or(1);
        match counts().position(|count| count != 1 && count != places) {
            None => Ok(()),
            Some(at) => Err(format!(
                "expected operand #{at} to have {places} assumptions but it has {}",
                counts().nth(at).unwrap_or_default()
            )),
        }
    }

    fn parse_func(p: &mut text::OpParser<'_>, state: &mut text::OpState) -> text::ParseResult<()> {
        asm::parse_function(p, state)
    }

    fn print_func(p: &mut text::OpPrinter<'_>, op: ir::OpId) {
        asm::print_function(p, op);
    }

    fn parse_initializer(
        p: &mut text::OpParser<'_>,
        state: &mut text::OpState,
    ) -> text::ParseResult<()> {
        state.attr("function_type", Attr::ty(Type::function(&[], &[])));
        p.attr_dict_with_keyword(state)?;
        let region = p.region(&[])?;
        state.regions.push(region);
        Ok(())
    }

    fn print_initializer(p: &mut text::OpPrinter<'_>, op: ir::OpId) {
        p.attr_dict_with_keyword(op, &["function_type"]);
        p.write(" ");
        if let Some(region) = p.body().region(op, 0) {
            p.region(region);
        }
    }

    fn parse_assume_int(
        p: &mut text::OpParser<'_>,
        state: &mut text::OpState,
    ) -> text::ParseResult<()> {
        let mut operands = Vec::new();
        let mut lists = Vec::new();
        loop {
            operands.push(p.operand()?);
            let assumptions = if p.at("[") {
                p.delimited("[", "]", parse_assumption)?
            } else {
                vec![parse_assumption(p)?]
            };
            lists.push(Attr::array(&assumptions));
            if !p.eat(",") {
                break;
            }
        }
        p.expect(":")?;
        let mut types = vec![p.ty()?];
        while p.eat(",") {
            types.push(p.ty()?);
        }
        p.resolve_into(&operands, &types, state)?;
        state.results.extend(types);
        state.attr("assumptions", Attr::array(&lists));
        p.attr_dict(state)
    }

    fn print_assume_int(p: &mut text::OpPrinter<'_>, op: ir::OpId) {
        let body = p.body();
        let several = body.num_operands(op) > 1;
        let lists = body.attr(op, "assumptions").and_then(Attr::as_array).unwrap_or(&[]);
        let lines = |p: &mut text::OpPrinter<'_>| {
            for (index, value) in body.operands(op).enumerate() {
                if index > 0 {
                    p.write(", ");
                }
                if several {
                    p.newline();
                }
                p.operand(value);
                let list = lists.get(index).and_then(|l| l.as_array()).unwrap_or(&[]);
                if let [one] = list {
                    p.attr_stripped(*one);
                } else {
                    p.write("[");
                    p.comma_list(list, |p, &a| p.attr_stripped(a));
                    p.write("]");
                }
            }
        };
        p.write(" ");
        if several {
            p.indented(|p| {
                p.indented(lines);
                p.newline();
            });
        } else {
            lines(p);
            p.write(" ");
        }
        p.write(": ");
        p.types_of(body.operands(op));
        p.attr_dict(op, &["assumptions"]);
    }

    fn parse_params_int_assumption(p: &mut text::AsmParser<'_>) -> text::ParseResult<Vec<Attr>> {
        p.expect("<")?;
        let mut params = [Attr::absent(); 3];
        if !p.eat(">") {
            loop {
                let name = p.keyword_of(&ASSUMPTION_FIELDS)?;
                p.expect("=")?;
                let value = p.integer()?;
                if let Some(at) = ASSUMPTION_FIELDS.iter().position(|f| *f == name) {
                    params[at] = Attr::i64(value);
                }
                if !p.eat(",") {
                    break;
                }
            }
            p.expect(">")?;
        }
        Ok(params.to_vec())
    }

    fn print_params_int_assumption(p: &mut text::AsmPrinter<'_>, params: &[Attr]) {
        let named = ASSUMPTION_FIELDS.iter().zip(params).filter(|(_, a)| !a.is_absent());
        p.write("<");
        p.comma_list(named, |p, (name, value)| {
            p.write(name);
            p.write(" = ");
            p.attr_no_type(*value);
        });
        p.write(">");
    }

    fn result_names_global_load(
        _: &ir::Registry,
        body: &ir::Body,
        op: ir::OpId,
        name: &mut dyn FnMut(ir::ValueId, &str),
    ) {
        if let Some(global) = body.attr(op, "global").and_then(Attr::as_symbol_root) {
            name(body.result(op, 0), global.as_str());
        }
    }
}

/// Each result is tied to no operand, or to one that exists.
fn verify_ties(body: &ir::Body, op: ir::OpId, operands: usize) -> Result<(), String> {
    let ties = body.attr(op, "tied_operands").and_then(Attr::as_array).unwrap_or(&[]);
    for (result, tie) in ties.iter().enumerate() {
        let tie = tie.as_int().unwrap_or(-1);
        if tie != -1 && usize::try_from(tie).map_or(true, |at| at >= operands) {
            return Err(format!("result #{result} tied to invalid operand index {tie}"));
        }
    }
    Ok(())
}

const ASSUMPTION_FIELDS: [&str; 3] = ["umin", "umax", "udiv"];

/// `<umin = 0, …>` or the attribute with its name.
fn parse_assumption(p: &mut text::AsmParser<'_>) -> text::ParseResult<Attr> {
    if p.at("<") {
        let params = UtilHooks::parse_params_int_assumption(p)?;
        return Ok(Attr::new(AttrData::Dialect {
            name: Ident::of("util.int.assumption"),
            params: params.into(),
        }));
    }
    p.attr()
}
