//! The Rust that the definitions of this dialect name.

use tegula_ir as ir;
use tegula_ir::text;
use tegula_ir::{Attr, AttrData, Ident, Type, TypeData};

use crate::asm;
use crate::generated::Hooks;

/// The hooks of the dialect.
pub struct UtilHooks;

impl Hooks for UtilHooks {
    fn verify_func(_: &ir::Registry, body: &ir::Body, op: ir::OpId) -> Result<(), String> {
        let ty = body.attr(op, "function_type").and_then(Attr::as_type);
        let Some(TypeData::Function { inputs, .. }) = ty.map(|ty| ty.data()) else {
            return Err("needs a function type".to_owned());
        };
        let Some(entry) = body.region_entry(op, 0) else { return Ok(()) };
        let args: Vec<Type> = body.block_args(entry).iter().map(|&a| body.ty(a)).collect();
        if args != inputs[..] {
            return Err("entry block arguments differ from the function's inputs".to_owned());
        }
        Ok(())
    }

    fn verify_assume_int(_: &ir::Registry, body: &ir::Body, op: ir::OpId) -> Result<(), String> {
        let lists = body.attr(op, "assumptions").and_then(Attr::as_array).unwrap_or(&[]);
        if lists.len() != body.num_operands(op) {
            return Err(format!(
                "needs a list of assumptions for each of its {} operands, has {}",
                body.num_operands(op),
                lists.len()
            ));
        }
        let all = lists.iter().flat_map(|l| l.as_array().unwrap_or(&[]));
        let foreign = all.clone().find(|a| a.dialect_params("util.int.assumption").is_none());
        match foreign {
            Some(_) => Err("assumptions must be `#util.int.assumption`".to_owned()),
            None => Ok(()),
        }
    }

    fn fold_align(cx: &ir::FoldContext<'_>) -> Option<Vec<ir::FoldResult>> {
        let value = cx.body.operand(cx.op, 0);
        let &[constant, alignment] = cx.constants else { return None };
        let (alignment, ty) = (alignment?.as_int()?, cx.body.ty(value));
        if alignment == 1 {
            return Some(vec![ir::FoldResult::Value(value)]);
        }
        let value = constant?.as_int().filter(|_| alignment > 0)?;
        let aligned = value.checked_add(alignment - 1)?.div_euclid(alignment) * alignment;
        Some(vec![ir::FoldResult::Attr(Attr::int(aligned.into(), ty))])
    }

    fn parse_func(p: &mut text::OpParser<'_>, state: &mut text::OpState) -> text::ParseResult<()> {
        let visibility = p.eat_keyword_of(&["public", "private", "nested"]);
        state.attr_opt("sym_visibility", visibility.map(Attr::string));
        let name = p.symbol_name()?;
        state.attr("sym_name", Attr::string(name.as_str()));
        let args = p.arguments_with_types()?;
        let mut results = Vec::new();
        let mut result_attrs = Vec::new();
        let mut ties = Vec::new();
        if p.eat("->") {
            let open = p.eat("(");
            if !(open && p.eat(")")) {
                loop {
                    let (tie, ty) = parse_result(p, &args)?;
                    ties.push(Attr::index(tie));
                    results.push(ty);
                    let attrs = if open && p.at("{") { p.dict()? } else { Attr::empty_dict() };
                    result_attrs.push(attrs);
                    if !open || !p.eat(",") {
                        break;
                    }
                }
                if open {
                    p.expect(")")?;
                }
            }
        }
        let inputs: Vec<Type> = args.iter().map(|a| a.ty).collect();
        state.attr("function_type", Attr::ty(Type::function(&inputs, &results)));
        let arg_attrs: Vec<Attr> = args.iter().map(|a| a.attrs).collect();
        state.attr_opt("arg_attrs", dicts(&arg_attrs));
        state.attr_opt("res_attrs", dicts(&result_attrs));
        if ties.iter().any(|t| t.as_int() != Some(-1)) {
            state.attr("tied_operands", Attr::array(&ties));
        }
        p.attr_dict_with_keyword(state)?;
        let plain: Vec<text::RegionArg> =
            args.into_iter().map(|a| text::RegionArg { attrs: Attr::empty_dict(), ..a }).collect();
        let region = match p.eat_region(&plain)? {
            Some(region) => region,
            None => p.empty_region(),
        };
        state.regions.push(region);
        Ok(())
    }

    fn print_func(p: &mut text::OpPrinter<'_>, op: ir::OpId) {
        let body = p.body();
        let text = |name: &str| body.attr(op, name).and_then(Attr::as_str);
        p.write(" ");
        p.write(text("sym_visibility").unwrap_or("public"));
        p.write(" ");
        p.symbol_name(text("sym_name").unwrap_or_default());
        let ty = body.attr(op, "function_type").and_then(Attr::as_type).map(|ty| ty.data());
        let (inputs, results): (&[Type], &[Type]) = match ty {
            Some(TypeData::Function { inputs, results }) => (inputs, results),
            _ => (&[], &[]),
        };
        let entry = body.region_entry(op, 0);
        let values = entry.map(|e| body.block_args(e)).unwrap_or(&[]);
        p.write("(");
        for (index, &ty) in inputs.iter().enumerate() {
            p.write(if index > 0 { ", " } else { "" });
            print_argument_name(p, values, index);
            p.write(": ");
            p.ty(ty);
            print_io_attrs(p, body.attr(op, "arg_attrs"), index);
        }
        p.write(")");
        if !results.is_empty() {
            p.write(" -> ");
            let res_attrs = body.attr(op, "res_attrs");
            let annotated = res_attrs.and_then(Attr::as_array).unwrap_or(&[]).iter();
            let annotated = annotated.into_iter().any(|d| *d != Attr::empty_dict());
            let parens = results.len() != 1 || annotated;
            p.write(if parens { "(" } else { "" });
            let ties = body.attr(op, "tied_operands").and_then(Attr::as_array).unwrap_or(&[]);
            for (index, &ty) in results.iter().enumerate() {
                p.write(if index > 0 { ", " } else { "" });
                let tie = ties.get(index).and_then(|t| usize::try_from(t.as_int()?).ok());
                if let Some(tie) = tie {
                    print_argument_name(p, values, tie);
                }
                if tie.is_none_or(|t| inputs.get(t) != Some(&ty)) {
                    p.write(if tie.is_some() { " as " } else { "" });
                    p.ty(ty);
                }
                print_io_attrs(p, res_attrs, index);
            }
            p.write(if parens { ")" } else { "" });
        }
        let elided = [
            "sym_name",
            "function_type",
            "tied_operands",
            "sym_visibility",
            "arg_attrs",
            "res_attrs",
        ];
        p.attr_dict_with_keyword(op, &elided);
        if let Some(region) = body.region(op, 0).filter(|&r| body.first_block(r).is_some()) {
            p.write(" ");
            p.region_with(region, false, true, false);
        }
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

    fn parse_directive_operand_type_list(
        p: &mut text::OpParser<'_>,
        args: &mut text::ParseArgs<'_>,
    ) -> text::ParseResult<bool> {
        asm::parse_operand_type_list(p, args)
    }

    fn print_directive_operand_type_list(
        p: &mut text::OpPrinter<'_>,
        op: ir::OpId,
        args: &text::PrintArgs,
    ) {
        asm::print_operand_type_list(p, op, args);
    }

    fn parse_directive_tied_function_result_list(
        p: &mut text::OpParser<'_>,
        args: &mut text::ParseArgs<'_>,
    ) -> text::ParseResult<bool> {
        asm::parse_tied_function_result_list(p, args)
    }

    fn print_directive_tied_function_result_list(
        p: &mut text::OpPrinter<'_>,
        op: ir::OpId,
        args: &text::PrintArgs,
    ) {
        asm::print_tied_function_result_list(p, op, args);
    }

    fn parse_directive_symbol_visibility(
        p: &mut text::OpParser<'_>,
        args: &mut text::ParseArgs<'_>,
    ) -> text::ParseResult<bool> {
        asm::parse_symbol_visibility(p, args)
    }

    fn print_directive_symbol_visibility(
        p: &mut text::OpPrinter<'_>,
        op: ir::OpId,
        args: &text::PrintArgs,
    ) {
        asm::print_symbol_visibility(p, op, args);
    }

    fn parse_directive_type_or_attr(
        p: &mut text::OpParser<'_>,
        args: &mut text::ParseArgs<'_>,
    ) -> text::ParseResult<bool> {
        asm::parse_type_or_attr(p, args)
    }

    fn print_directive_type_or_attr(
        p: &mut text::OpPrinter<'_>,
        op: ir::OpId,
        args: &text::PrintArgs,
    ) {
        asm::print_type_or_attr(p, op, args);
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

/// A result's type, or the argument that it is tied to; -1 for none.
fn parse_result(
    p: &mut text::OpParser<'_>,
    args: &[text::RegionArg],
) -> text::ParseResult<(i64, Type)> {
    let Some(operand) = p.eat_operand()? else { return Ok((-1, p.ty()?)) };
    let name = p.operand_name(operand);
    let Some(index) = args.iter().position(|a| p.operand_name(a.name) == name) else {
        let span = p.operand_span(operand);
        return Err(p.error_at(span, format!("`{name}` is not an argument of the function")));
    };
    let ty = if p.eat("as") { p.ty()? } else { args[index].ty };
    Ok((i64::try_from(index).unwrap_or(i64::MAX), ty))
}

/// The attribute for a list of dictionaries; absent when all of them are empty.
fn dicts(list: &[Attr]) -> Option<Attr> {
    list.iter().any(|&d| d != Attr::empty_dict()).then(|| Attr::array(list))
}

/// The name of an argument; `%argN` when the function has no body.
fn print_argument_name(p: &mut text::OpPrinter<'_>, values: &[ir::ValueId], index: usize) {
    match values.get(index) {
        Some(&value) => p.operand(value),
        None => p.display(format_args!("%arg{index}")),
    }
}

/// The dictionary of an argument or result, when it is not empty.
fn print_io_attrs(p: &mut text::OpPrinter<'_>, all: Option<Attr>, index: usize) {
    let dict = all.and_then(Attr::as_array).and_then(|l| l.get(index).copied());
    if let Some(entries) = dict.and_then(Attr::as_dict) {
        p.optional_dict(entries, &[]);
    }
}
