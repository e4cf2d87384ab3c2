//! The Rust that the definitions of this dialect name.

use tegula_dialect_func::syntax;
use tegula_dialect_util::{directive, global_uses, shared_directives};
use tegula_ir as ir;
use tegula_ir::text::{OpParser, OpPrinter, OpState, ParseResult};
use tegula_ir::verify::Symbols;
use tegula_ir::{Attr, Body, FoldContext, FoldResult, OpId, Registry, Type, ValueId};

use crate::generated::Hooks;
use crate::{branch_table, calls, fold, imports};

/// The hooks of the dialect.
pub struct VmHooks;

impl Hooks for VmHooks {
    shared_directives!(passed_types, symbol_alias, symbol_visibility, type_or_attr);

    directive!(
        parse_directive_result_type_list = calls::parse_result_types,
        print_directive_result_type_list = calls::print_result_types
    );

    fn fold_evaluate(cx: &FoldContext<'_>) -> Option<Vec<FoldResult>> {
        fold::evaluate(cx)
    }

    fn verify_export(registry: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        // Beside a module, other bodies may hold the function.
        if body.parent_op(op).is_none() {
            return Ok(());
        }
        let Some(symbol) = body.attr(op, "function_ref") else { return Ok(()) };
        let name = symbol.as_symbol_root().map_or("", |name| name.as_str());
        match ir::verify::resolve_symbol(registry, body, op, symbol) {
            Some(_) => Ok(()),
            None => Err(format!("vm.func op named '{name}' not found for export")),
        }
    }

    fn verify_symbols_global_load(
        symbols: &Symbols<'_>,
        body: &Body,
        op: OpId,
    ) -> Result<(), String> {
        global_uses::verify_load(symbols, body, op)
    }

    fn verify_symbols_global_store(
        symbols: &Symbols<'_>,
        body: &Body,
        op: OpId,
    ) -> Result<(), String> {
        global_uses::verify_store(symbols, body, op)
    }

    fn verify_symbols_rodata(symbols: &Symbols<'_>, body: &Body, op: OpId) -> Result<(), String> {
        if symbols.named(body, op, "rodata", "vm.rodata").is_some() {
            return Ok(());
        }
        let symbol = body.attr(op, "rodata").and_then(Attr::as_symbol_root);
        Err(format!("undefined rodata section: '{}'", symbol.map_or("", |name| name.as_str())))
    }

    fn verify_fail(registry: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        let status = registry.operand_of(body, op, "status");
        let made_by = status.and_then(|status| body.defining_op(status));
        let ok = made_by.is_some_and(|made_by| match body.name(made_by).as_str() {
            "vm.const.i32" => body.attr(made_by, "value").and_then(Attr::as_int) == Some(0),
            name => name == "vm.const.i32.zero",
        });
        if ok { Err("status is 0; expected to not be OK".to_owned()) } else { Ok(()) }
    }

    fn verify_list_access(registry: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        let list = registry.operand_of(body, op, "list").map(|list| body.ty(list));
        let held = list.and_then(|list| list.dialect_params("vm.list")?.first()?.as_type());
        let Some(held) = held else { return Ok(()) };
        let value = registry.operand_of(body, op, "value");
        let value = body.ty(value.unwrap_or_else(|| body.result(op, 0)));
        let is = |ty: Type, name: &str| ty.dialect_params(name).is_some();
        let reference = |ty| ["vm.ref", "vm.buffer", "vm.list"].iter().any(|name| is(ty, name));
        let any = |ty: Type| {
            ty.dialect_params("vm.ref").is_some_and(|p| p.first().is_none_or(|p| p.is_absent()))
        };
        if !reference(held) {
            return Err(format!("list contains '{held}' that cannot be accessed as '{value}'"));
        }
        if held == value || any(held) || any(value) {
            return Ok(());
        }
        Err(format!("list contains '{held}' that cannot be accessed as '{value}'"))
    }

    fn parse_func(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
        syntax::parse_function(p, state)
    }

    fn print_func(p: &mut OpPrinter<'_>, op: OpId) {
        syntax::print_function(p, op);
    }

    fn parse_import(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
        imports::parse(p, state)
    }

    fn print_import(p: &mut OpPrinter<'_>, op: OpId) {
        imports::print(p, op);
    }

    fn parse_call_variadic(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
        calls::parse(p, state)
    }

    fn print_call_variadic(p: &mut OpPrinter<'_>, op: OpId) {
        calls::print(p, op);
    }

    fn parse_br_table(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
        branch_table::parse(p, state)
    }

    fn print_br_table(p: &mut OpPrinter<'_>, op: OpId) {
        branch_table::print(p, op);
    }

    fn parse_cond_fail(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
        let condition = p.operand()?;
        let mut status = condition;
        let mut comma = p.eat(",");
        if comma && let Some(operand) = p.eat_operand()? {
            status = operand;
            comma = p.eat(",");
        }
        if comma {
            let message = p.string()?;
            state.attr("message", Attr::string(&message));
        }
        let i32 = Type::int(32);
        p.resolve_into(&[condition, status], &[i32, i32], state)?;
        p.attr_dict(state)
    }

    fn print_cond_fail(p: &mut OpPrinter<'_>, op: OpId) {
        let body = p.body();
        let mut operands: Vec<ValueId> = body.operands(op).collect();
        operands.dedup();
        p.write(" ");
        p.operands(operands);
        if let Some(message) = body.attr(op, "message").and_then(Attr::as_str) {
            p.write(", ");
            p.string(message.as_bytes());
        }
        p.attr_dict(op, &["message"]);
    }

    fn result_names_number(
        _: &Registry,
        body: &Body,
        op: OpId,
        name: &mut dyn FnMut(ValueId, &str),
    ) {
        match body.attr(op, "value").and_then(Attr::as_int) {
            Some(0) => name(body.result(op, 0), "zero"),
            Some(value) => name(body.result(op, 0), &format!("c{value}")),
            None => name(body.result(op, 0), "c"),
        }
    }

    fn result_names_symbol(
        _: &Registry,
        body: &Body,
        op: OpId,
        name: &mut dyn FnMut(ValueId, &str),
    ) {
        let symbol = ["global", "rodata"].iter().find_map(|&key| body.attr(op, key));
        if let Some(symbol) = symbol.and_then(Attr::as_symbol_root) {
            name(body.result(op, 0), symbol.as_str());
        }
    }

    fn result_names_import_resolved(
        _: &Registry,
        body: &Body,
        op: OpId,
        name: &mut dyn FnMut(ValueId, &str),
    ) {
        if let Some(import) = body.attr(op, "import").and_then(Attr::as_symbol_root) {
            let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
            let text: String = import.as_str().chars().map(plain).collect();
            name(body.result(op, 0), &format!("has_{text}"));
        }
    }

    fn result_names_by_type(
        _: &Registry,
        body: &Body,
        op: OpId,
        name: &mut dyn FnMut(ValueId, &str),
    ) {
        let Some(first) = body.results(op).next() else { return };
        let ir::TypeData::Dialect { name: ty, .. } = body.ty(first).data() else { return };
        match ty.as_str() {
            "vm.buffer" => name(first, "buffer"),
            "vm.list" => name(first, "list"),
            "vm.ref" => name(first, "ref"),
            _ => {}
        }
    }
}
