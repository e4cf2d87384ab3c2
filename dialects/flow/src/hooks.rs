//! The Rust that the definitions of this dialect name.

use tegula_dialect_util::{asm, directive, shared_directives};
use tegula_ir as ir;
use tegula_ir::text;
use tegula_ir::verify::Symbols;
use tegula_ir::{Attr, Type};

use crate::generated::Hooks;
use crate::regions::REGION;
use crate::{folds, listings, uses};

/// The hooks of the dialect.
pub struct FlowHooks;

impl Hooks for FlowHooks {
    shared_directives!(
        dispatch_entry_points,
        parameter_reference,
        shaped_function_type,
        shaped_tied_result,
        symbol_alias,
        symbol_visibility
    );

    directive!(
        parse_directive_shaped_operand_list = listings::parse_tensors,
        print_directive_shaped_operand_list = listings::print_tensors
    );

    fn parse_params_named_parameter(p: &mut text::AsmParser<'_>) -> text::ParseResult<Vec<Attr>> {
        asm::parse_named_parameter(p)
    }

    fn print_params_named_parameter(p: &mut text::AsmPrinter<'_>, params: &[Attr]) {
        asm::print_named_parameter(p, params);
    }

    fn verify_workgroup_count(
        _: &ir::Registry,
        body: &ir::Body,
        op: ir::OpId,
    ) -> Result<(), String> {
        tegula_dialect_util::workload::verify_count(body, op)
    }

    fn verify_symbols_call(
        symbols: &Symbols<'_>,
        body: &ir::Body,
        op: ir::OpId,
    ) -> Result<(), String> {
        uses::verify_call(symbols, body, op)
    }

    fn verify_symbols_dispatch(
        symbols: &Symbols<'_>,
        body: &ir::Body,
        op: ir::OpId,
    ) -> Result<(), String> {
        uses::verify_dispatch(symbols, body, op)
    }

    fn parse_func(p: &mut text::OpParser<'_>, state: &mut text::OpState) -> text::ParseResult<()> {
        asm::parse_function(p, state)
    }

    fn print_func(p: &mut text::OpPrinter<'_>, op: ir::OpId) {
        asm::print_function(p, op);
    }

    fn result_names_dispatch_workgroup(
        registry: &ir::Registry,
        body: &ir::Body,
        op: ir::OpId,
        name: &mut dyn FnMut(ir::ValueId, &str),
    ) {
        asm::dispatch_workgroup(registry, body, op, name);
    }

    fn verify_tensor_element(
        registry: &ir::Registry,
        body: &ir::Body,
        op: ir::OpId,
    ) -> Result<(), String> {
        let tensor = ["source", "target"].iter().find_map(|n| registry.operand_of(body, op, n));
        let rank = tensor.and_then(|t| body.ty(t).shape()).map_or(0, <[i64]>::len);
        let given = registry.operands_of(body, op, "indices").len();
        if rank != given {
            return Err(format!("has a tensor of rank {rank}, but {given} indices"));
        }
        Ok(())
    }

    /// What a region of a dispatch gives are its results.
    fn verify_return(_: &ir::Registry, body: &ir::Body, op: ir::OpId) -> Result<(), String> {
        let region = body.parent_op(op).filter(|&around| body.is(around, REGION));
        let Some(region) = region.filter(|&region| {
            body.parent_block(op).and_then(|block| body.block_parent(block))
                == body.region(region, 0)
        }) else {
            return Ok(());
        };
        if body.num_results(region) != body.num_operands(op) {
            return Err(format!(
                "number of results ({}) does not match number of returned values ({})",
                body.num_results(region),
                body.num_operands(op)
            ));
        }
        let given = body.operands(op).map(|value| body.ty(value));
        if !given.eq(body.results(region).map(|value| body.ty(value))) {
            return Err("operand types do not match with parent results".to_owned());
        }
        Ok(())
    }

    fn fold_tensor_load(cx: &ir::FoldContext<'_>) -> Option<Vec<ir::FoldResult>> {
        folds::load(cx)
    }

    fn fold_tensor_store(cx: &ir::FoldContext<'_>) -> Option<Vec<ir::FoldResult>> {
        folds::store(cx)
    }

    fn fold_tensor_slice(cx: &ir::FoldContext<'_>) -> Option<Vec<ir::FoldResult>> {
        folds::slice(cx)
    }

    fn fold_tensor_update(cx: &ir::FoldContext<'_>) -> Option<Vec<ir::FoldResult>> {
        folds::update(cx)
    }

    fn verify_dispatch_workgroups(
        registry: &ir::Registry,
        body: &ir::Body,
        op: ir::OpId,
    ) -> Result<(), String> {
        let Some(entry) = body.region_entry(op, 0) else {
            return Err("has no body".to_owned());
        };
        let arguments = registry.operands_of(body, op, "arguments").len();
        let expected = arguments + body.num_results(op);
        let given = body.block_args(entry).len();
        if given != expected && body.attr(op, "tied_operands").is_none() {
            return Err(format!(
                "takes {arguments} arguments and has {} results, but its body has {given} \
                 arguments",
                body.num_results(op)
            ));
        }
        Ok(())
    }

    fn verify_tensor_encode(
        registry: &ir::Registry,
        body: &ir::Body,
        op: ir::OpId,
    ) -> Result<(), String> {
        let source = registry.operand_of(body, op, "operand").map(|v| body.ty(v));
        let result = body.results(op).next().map(|r| body.ty(r));
        let (Some(source), Some(result)) = (source, result) else { return Ok(()) };
        let rank = |ty: Type| ty.shape().map(<[i64]>::len);
        if rank(source) != rank(result) || source.element() != result.element() {
            return Err(format!(
                "must keep rank and element type, not make `{result}` of `{source}`"
            ));
        }
        Ok(())
    }

    fn parse_dispatch_region(
        p: &mut text::OpParser<'_>,
        state: &mut text::OpState,
    ) -> text::ParseResult<()> {
        let workload = if p.at("[") { p.operands_in("[", "]")? } else { Vec::new() };
        let (mut types, mut dims) = (Vec::new(), Vec::new());
        if p.eat("->") {
            p.expect("(")?;
            if !p.eat(")") {
                asm::parse_sized_types(p, &mut types, &mut dims)?;
                p.expect(")")?;
            }
        }
        p.attr_dict_with_keyword(state)?;
        let body = p.region(&[])?;
        state.regions.push(body);
        let count = if p.eat("count") { parse_count(p)? } else { p.empty_region() };
        state.regions.push(count);
        state.operand_segments(&[dims.len(), workload.len()]);
        let values = p.resolve_same(&dims, Type::index())?;
        state.operands.extend(values);
        let values = p.resolve_same(&workload, Type::index())?;
        state.operands.extend(values);
        state.results.extend(types);
        Ok(())
    }

    fn print_dispatch_region(p: &mut text::OpPrinter<'_>, op: ir::OpId) {
        let body = p.body();
        let registry = p.registry();
        let workload = registry.operands_of(body, op, "workload");
        if !workload.is_empty() {
            p.write("[");
            p.operands(workload);
            p.write("]");
        }
        let types: Vec<Type> = body.results(op).map(|r| body.ty(r)).collect();
        p.write(" -> (");
        asm::print_sized_types(p, &types, &registry.operands_of(body, op, "result_dims"));
        p.write(")");
        p.attr_dict_with_keyword(op, &[]);
        p.write(" ");
        if let Some(region) = body.region(op, 0) {
            let exit = body.first_block(region).and_then(|b| body.last_op(b));
            let spelled =
                exit.is_some_and(|e| body.num_operands(e) > 0 || !body.attr_entries(e).is_empty());
            p.region_with(region, true, spelled, false);
        }
        if let Some(region) = body.region(op, 1) {
            print_count(p, region);
        }
    }

    fn parse_directive_dispatch_workgroup_body(
        p: &mut text::OpParser<'_>,
        args: &mut text::ParseArgs<'_>,
    ) -> text::ParseResult<bool> {
        let arguments = p.arguments_with_types()?;
        let region = p.region(&arguments)?;
        *args.regions(p, 2)? = vec![region];
        Ok(true)
    }

    fn print_directive_dispatch_workgroup_body(
        p: &mut text::OpPrinter<'_>,
        _: ir::OpId,
        args: &text::PrintArgs,
    ) {
        let Some(&region) = args.regions(2).first() else { return };
        p.write("(");
        if let Some(entry) = p.body().first_block(region) {
            for (index, &arg) in p.body().block_args(entry).iter().enumerate() {
                p.write(if index > 0 { ", " } else { "" });
                p.argument(arg);
            }
        }
        p.write(") ");
        p.region_with(region, false, true, false);
    }

    fn parse_directive_dispatch_workgroups_count_region(
        p: &mut text::OpParser<'_>,
        args: &mut text::ParseArgs<'_>,
    ) -> text::ParseResult<bool> {
        let present = p.eat("count");
        let region = if present { parse_count(p)? } else { p.empty_region() };
        *args.regions(p, 0)? = vec![region];
        Ok(present)
    }

    fn print_directive_dispatch_workgroups_count_region(
        p: &mut text::OpPrinter<'_>,
        _: ir::OpId,
        args: &text::PrintArgs,
    ) {
        if let Some(&region) = args.regions(0).first() {
            print_count(p, region);
        }
    }

    fn parse_directive_workgroup_count_region(
        p: &mut text::OpParser<'_>,
        args: &mut text::ParseArgs<'_>,
    ) -> text::ParseResult<bool> {
        asm::parse_counting_region(p, args, "workgroups", &[Type::index(); 3])
    }

    fn print_directive_workgroup_count_region(
        p: &mut text::OpPrinter<'_>,
        op: ir::OpId,
        args: &text::PrintArgs,
    ) {
        asm::print_counting_region(p, op, args, "workgroups", &[Type::index(); 3]);
    }
}

/// `(%arg: index) -> (index, index, index) {…}`
fn parse_count(p: &mut text::OpParser<'_>) -> text::ParseResult<ir::RegionId> {
    let arguments = p.arguments_with_types()?;
    p.expect("->")?;
    let at = p.span();
    let types = p.function_results()?;
    if types != [Type::index(); 3] {
        return Err(p.error_at(at, "the region must give (index, index, index)"));
    }
    p.region(&arguments)
}

/// Prints ` count` and the region, unless it is empty.
fn print_count(p: &mut text::OpPrinter<'_>, region: ir::RegionId) {
    let Some(entry) = p.body().first_block(region) else { return };
    p.write(" count(");
    for (index, &arg) in p.body().block_args(entry).iter().enumerate() {
        p.write(if index > 0 { ", " } else { "" });
        p.argument(arg);
    }
    p.write(") -> (index, index, index) ");
    p.region_with(region, false, true, false);
}
