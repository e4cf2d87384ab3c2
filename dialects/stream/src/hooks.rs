//! The Rust that the definitions of this dialect name.

use tegula_dialect_util::{asm, directive, shared_directives};
use tegula_ir as ir;
use tegula_ir::text;
use tegula_ir::{Attr, Type};

use crate::generated::Hooks;
use crate::passes::is_resource;
use crate::{config, entries, listings, parameters};

/// The hooks of the dialect.
pub struct StreamHooks;

const LIFETIMES: [&str; 5] = ["external", "staging", "transient", "variable", "constant"];

impl Hooks for StreamHooks {
    shared_directives!(
        dispatch_entry_points,
        parameter_reference,
        shaped_function_type,
        shaped_tied_result,
        shaped_type_list,
        symbol_alias,
        symbol_visibility
    );

    directive!(
        parse_directive_parameter_gather_operations = parameters::parse_gather,
        print_directive_parameter_gather_operations = parameters::print_gather
    );
    directive!(
        parse_directive_parameter_scatter_operations = parameters::parse_scatter,
        print_directive_parameter_scatter_operations = parameters::print_scatter
    );
    directive!(
        parse_directive_parameter_load_operations = parameters::parse_load,
        print_directive_parameter_load_operations = parameters::print_load
    );
    directive!(
        parse_directive_constant_value_list = listings::parse_constants,
        print_directive_constant_value_list = listings::print_constants
    );
    directive!(
        parse_directive_encoded_resource_operands = listings::parse_tensors,
        print_directive_encoded_resource_operands = listings::print_tensors
    );
    directive!(
        parse_directive_cmd_call_operands = listings::parse_call,
        print_directive_cmd_call_operands = listings::print_call
    );
    directive!(
        parse_directive_collective_param = listings::parse_collective,
        print_directive_collective_param = listings::print_collective
    );

    fn parse_params_named_parameter(p: &mut text::AsmParser<'_>) -> text::ParseResult<Vec<Attr>> {
        asm::parse_named_parameter(p)
    }

    fn print_params_named_parameter(p: &mut text::AsmPrinter<'_>, params: &[Attr]) {
        asm::print_named_parameter(p, params);
    }

    fn result_names_dispatch_workgroup(
        registry: &ir::Registry,
        body: &ir::Body,
        op: ir::OpId,
        name: &mut dyn FnMut(ir::ValueId, &str),
    ) {
        asm::dispatch_workgroup(registry, body, op, name);
    }

    fn verify_resource_pack(
        registry: &ir::Registry,
        body: &ir::Body,
        op: ir::OpId,
    ) -> Result<(), String> {
        let intervals = body.attr(op, "lifetime_intervals").and_then(Attr::as_array).unwrap_or(&[]);
        let sizes = registry.operands_of(body, op, "dynamic_slice_sizes").len();
        if intervals.len() != 2 * sizes || body.num_results(op) != sizes + 1 {
            return Err("needs an interval, a size and an offset for each slice".to_owned());
        }
        Ok(())
    }

    fn verify_tensor_dispatch(
        registry: &ir::Registry,
        body: &ir::Body,
        op: ir::OpId,
    ) -> Result<(), String> {
        let operands = registry.operands_of(body, op, "mixed_operands");
        let count = |name: &str| body.attr(op, name).and_then(Attr::as_array).map_or(0, <[_]>::len);
        if count("operand_encodings") != operands.len() {
            return Err("needs an encoding for each operand".to_owned());
        }
        if count("result_encodings") != body.num_results(op) {
            return Err("needs an encoding for each result".to_owned());
        }
        verify_tied_encodings(body, op)?;
        verify_sizes(registry, body, op, &operands, "operand_sizes")
    }

    fn verify_async_dispatch(
        registry: &ir::Registry,
        body: &ir::Body,
        op: ir::OpId,
    ) -> Result<(), String> {
        let operands = registry.operands_of(body, op, "resource_operands");
        for group in [
            "resource_operand_sizes",
            "resource_operand_offsets",
            "resource_operand_ends",
            "resource_operand_lengths",
        ] {
            verify_sizes(registry, body, op, &operands, group)?;
        }
        Ok(())
    }

    fn verify_workgroup_count(
        _: &ir::Registry,
        body: &ir::Body,
        op: ir::OpId,
    ) -> Result<(), String> {
        tegula_dialect_util::workload::verify_count(body, op)
    }

    fn verify_symbols_dispatch(
        symbols: &ir::verify::Symbols<'_>,
        body: &ir::Body,
        op: ir::OpId,
    ) -> Result<(), String> {
        entries::verify_workload(symbols, body, op)
    }

    fn verify_symbols_async_call(
        symbols: &ir::verify::Symbols<'_>,
        body: &ir::Body,
        op: ir::OpId,
    ) -> Result<(), String> {
        entries::verify_async_call(symbols, body, op)
    }

    fn verify_symbols_cmd_call(
        symbols: &ir::verify::Symbols<'_>,
        body: &ir::Body,
        op: ir::OpId,
    ) -> Result<(), String> {
        entries::verify_cmd_call(symbols, body, op)
    }

    fn verify_symbols_cmd_dispatch(
        symbols: &ir::verify::Symbols<'_>,
        body: &ir::Body,
        op: ir::OpId,
    ) -> Result<(), String> {
        entries::verify_command(symbols, body, op)
    }

    fn verify_cmd_dispatch(
        registry: &ir::Registry,
        body: &ir::Body,
        op: ir::OpId,
    ) -> Result<(), String> {
        let resources = registry.operands_of(body, op, "resources");
        for group in ["resource_sizes", "resource_offsets", "resource_lengths"] {
            verify_sizes(registry, body, op, &resources, group)?;
        }
        let accesses = body.attr(op, "resource_accesses").and_then(Attr::as_array).unwrap_or(&[]);
        if accesses.len() != resources.len() {
            return Err("needs an access for each resource".to_owned());
        }
        Ok(())
    }

    fn parse_async_func(
        p: &mut text::OpParser<'_>,
        state: &mut text::OpState,
    ) -> text::ParseResult<()> {
        asm::parse_function(p, state)
    }

    fn print_async_func(p: &mut text::OpPrinter<'_>, op: ir::OpId) {
        asm::print_function(p, op);
    }

    fn parse_params_resource_config(p: &mut text::AsmParser<'_>) -> text::ParseResult<Vec<Attr>> {
        config::parse_resources(p)
    }

    fn print_params_resource_config(p: &mut text::AsmPrinter<'_>, params: &[Attr]) {
        config::print_resources(p, params);
    }

    fn parse_params_resource(p: &mut text::AsmParser<'_>) -> text::ParseResult<Vec<Attr>> {
        p.expect("<")?;
        let lifetime = if p.eat("*") { "*" } else { p.keyword_of(&LIFETIMES)? };
        p.expect(">")?;
        Ok(vec![Attr::string(lifetime)])
    }

    fn print_params_resource(p: &mut text::AsmPrinter<'_>, params: &[Attr]) {
        p.write("<");
        p.write(params.first().and_then(|l| l.as_str()).unwrap_or("*"));
        p.write(">");
    }

    fn parse_params_timepoint(p: &mut text::AsmParser<'_>) -> text::ParseResult<Vec<Attr>> {
        p.expect("<")?;
        p.expect("immediate")?;
        p.expect(">")?;
        Ok(Vec::new())
    }

    fn print_params_timepoint(p: &mut text::AsmPrinter<'_>, _: &[Attr]) {
        p.write("<immediate>");
    }

    fn parse_directive_pack_slice_ranges(
        p: &mut text::OpParser<'_>,
        args: &mut text::ParseArgs<'_>,
    ) -> text::ParseResult<bool> {
        let (mut intervals, mut sizes) = (Vec::new(), Vec::new());
        while p.at("[") {
            p.expect("[")?;
            intervals.push(Attr::index(p.integer()?));
            p.expect(",")?;
            intervals.push(Attr::index(p.integer()?));
            p.expect("]")?;
            p.expect("=")?;
            sizes.push(p.operand()?);
            if !p.eat(",") {
                break;
            }
        }
        *args.types(p, 2)? = vec![Type::index(); sizes.len()];
        *args.attr(p, 0)? = Some(Attr::array(&intervals));
        *args.operands(p, 1)? = sizes;
        Ok(true)
    }

    fn print_directive_pack_slice_ranges(
        p: &mut text::OpPrinter<'_>,
        _: ir::OpId,
        args: &text::PrintArgs,
    ) {
        let intervals = args.attr(0).and_then(Attr::as_array).unwrap_or(&[]);
        let slices = intervals.chunks_exact(2).zip(args.operands(1));
        let mut any = false;
        for (interval, &size) in slices {
            p.write(if any { "," } else { "" });
            any = true;
            p.newline();
            p.write("  [");
            p.attr_no_type(interval[0]);
            p.write(", ");
            p.attr_no_type(interval[1]);
            p.write("] = ");
            p.operand(size);
        }
        if any {
            p.newline();
        }
    }

    fn parse_directive_dispatch_function_signature(
        p: &mut text::OpParser<'_>,
        args: &mut text::ParseArgs<'_>,
    ) -> text::ParseResult<bool> {
        let (mut inputs, mut attrs) = (Vec::new(), Vec::new());
        p.expect("(")?;
        while !p.at(")") {
            p.operand()?;
            let range = p.at("[");
            if range {
                asm::parse_range(p)?;
            }
            p.expect(":")?;
            inputs.push(p.ty()?);
            attrs.push(if p.at("{") { p.dict()? } else { Attr::empty_dict() });
            if range {
                inputs.extend([Type::index(); 2]);
                attrs.extend([Attr::empty_dict(); 2]);
            }
            if !p.eat(",") {
                break;
            }
        }
        p.expect(")")?;
        let (mut results, mut result_attrs) = (Vec::new(), Vec::new());
        if p.eat("->") {
            let open = p.eat("(");
            while !(open && p.at(")")) {
                results.push(p.ty()?);
                result_attrs.push(if p.at("{") { p.dict()? } else { Attr::empty_dict() });
                if !p.eat(",") {
                    break;
                }
            }
            if open {
                p.expect(")")?;
            }
        }
        let some = |attrs: Vec<Attr>| {
            attrs.iter().any(|&a| a != Attr::empty_dict()).then(|| Attr::array(&attrs))
        };
        *args.attr(p, 0)? = Some(Attr::ty(Type::function(&inputs, &results)));
        *args.attr(p, 1)? = some(attrs);
        *args.attr(p, 2)? = some(result_attrs);
        Ok(true)
    }

    fn print_directive_dispatch_function_signature(
        p: &mut text::OpPrinter<'_>,
        _: ir::OpId,
        args: &text::PrintArgs,
    ) {
        let function = args.attr(0).and_then(Attr::as_type);
        let Some(ir::TypeData::Function { inputs, results }) = function.map(Type::data) else {
            return;
        };
        let attrs = |p: &mut text::OpPrinter<'_>, all: Option<Attr>, index: usize| {
            let dict = all.and_then(Attr::as_array).and_then(|a| a.get(index).copied());
            if let Some(dict) = dict.filter(|&d| d != Attr::empty_dict()) {
                p.write(" ");
                p.attr(dict);
            }
        };
        p.write("(");
        let mut index = 0;
        while let Some(&ty) = inputs.get(index) {
            p.write(if index > 0 { ", " } else { "" });
            p.write(&format!("%arg{index}"));
            // A resource is passed with its range.
            let range = ty.dialect_params("stream.resource").is_some();
            if range {
                p.write(&format!("[%arg{} for %arg{}]", index + 1, index + 2));
            }
            p.write(": ");
            p.ty(ty);
            attrs(p, args.attr(1), index);
            index += if range { 3 } else { 1 };
        }
        p.write(")");
        if results.is_empty() {
            return;
        }
        p.write(if results.len() == 1 { " -> " } else { " -> (" });
        for (index, &ty) in results.iter().enumerate() {
            p.write(if index > 0 { ", " } else { "" });
            p.ty(ty);
            attrs(p, args.attr(2), index);
        }
        p.write(if results.len() == 1 { "" } else { ")" });
    }

    fn parse_directive_dispatch_operands(
        p: &mut text::OpParser<'_>,
        args: &mut text::ParseArgs<'_>,
    ) -> text::ParseResult<bool> {
        let mut lists: [Vec<text::UnresolvedOperand>; 4] = Default::default();
        p.expect("(")?;
        if !p.eat(")") {
            loop {
                lists[0].push(p.operand()?);
                if p.eat("[") {
                    lists[1].push(p.operand()?);
                    p.expect("to")?;
                    lists[2].push(p.operand()?);
                    p.expect("for")?;
                    lists[3].push(p.operand()?);
                    p.expect("]")?;
                }
                if !p.eat(",") {
                    break;
                }
            }
            p.expect(")")?;
        }
        for (index, list) in lists.into_iter().enumerate() {
            *args.operands(p, index)? = list;
        }
        Ok(true)
    }

    fn print_directive_dispatch_operands(
        p: &mut text::OpPrinter<'_>,
        _: ir::OpId,
        args: &text::PrintArgs,
    ) {
        let mut ranges = args.operands(1).iter().zip(args.operands(2)).zip(args.operands(3));
        p.write("(");
        for (index, &operand) in args.operands(0).iter().enumerate() {
            p.write(if index > 0 { ", " } else { "" });
            p.operand(operand);
            if is_resource(p.body(), operand)
                && let Some(((&offset, &end), &length)) = ranges.next()
            {
                p.write("[");
                p.operand(offset);
                p.write(" to ");
                p.operand(end);
                p.write(" for ");
                p.operand(length);
                p.write("]");
            }
        }
        p.write(")");
    }

    fn parse_directive_dispatch_resources(
        p: &mut text::OpParser<'_>,
        args: &mut text::ParseArgs<'_>,
    ) -> text::ParseResult<bool> {
        let (mut resources, mut types, mut sizes) = (Vec::new(), Vec::new(), Vec::new());
        let (mut offsets, mut lengths, mut accesses) = (Vec::new(), Vec::new(), Vec::new());
        while !p.at("}") {
            let bits = match p.keyword_of(&["ro", "wo", "rw"])? {
                "ro" => 1,
                "wo" => 2,
                _ => 3,
            };
            accesses.push(Attr::i32(bits));
            resources.push(p.operand()?);
            let [offset, length] = asm::parse_range(p)?;
            offsets.push(offset);
            lengths.push(length);
            p.expect(":")?;
            types.push(p.ty()?);
            p.expect("{")?;
            sizes.push(p.operand()?);
            p.expect("}")?;
            if !p.eat(",") {
                break;
            }
        }
        *args.types(p, 1)? = types;
        *args.operands(p, 0)? = resources;
        *args.operands(p, 2)? = sizes;
        *args.operands(p, 3)? = offsets;
        *args.operands(p, 4)? = lengths;
        *args.attr(p, 5)? = Some(Attr::array(&accesses));
        Ok(true)
    }

    fn print_directive_dispatch_resources(
        p: &mut text::OpPrinter<'_>,
        _: ir::OpId,
        args: &text::PrintArgs,
    ) {
        let accesses = args.attr(5).and_then(Attr::as_array).unwrap_or(&[]);
        let at = |index: usize, group: usize| args.operands(group).get(index).copied();
        for (index, &resource) in args.operands(0).iter().enumerate() {
            let (Some(size), Some(offset), Some(length), Some(&ty)) =
                (at(index, 2), at(index, 3), at(index, 4), args.types(1).get(index))
            else {
                continue;
            };
            p.write(if index > 0 { "," } else { "" });
            p.newline();
            p.write("  ");
            p.write(match accesses.get(index).and_then(|a| a.as_int()) {
                Some(1) => "ro",
                Some(2) => "wo",
                _ => "rw",
            });
            p.write(" ");
            p.operand(resource);
            p.write("[");
            p.operand(offset);
            p.write(" for ");
            p.operand(length);
            p.write("] : ");
            p.ty(ty);
            p.write("{");
            p.operand(size);
            p.write("}");
        }
    }

    fn parse_directive_resource_region(
        p: &mut text::OpParser<'_>,
        args: &mut text::ParseArgs<'_>,
    ) -> text::ParseResult<bool> {
        let captures = parse_captures(p)?;
        let mut types = Vec::new();
        let mut sizes = Vec::new();
        let mut ties = None;
        if p.eat("->") {
            let parens = p.eat("(");
            if !(parens && p.eat(")")) {
                let results =
                    asm::parse_shaped_result_list(p, &captures.operands, &captures.types, true)?;
                ties = results.ties_attr();
                (types, sizes) = (results.types, results.dims);
                if parens {
                    p.expect(")")?;
                }
            }
        }
        let region = parse_body(p, &captures)?;
        *args.operands(p, 0)? = captures.operands;
        *args.types(p, 1)? = captures.types;
        *args.operands(p, 2)? = captures.sizes;
        *args.types(p, 3)? = types;
        *args.operands(p, 4)? = sizes;
        *args.attr(p, 5)? = ties;
        *args.regions(p, 6)? = vec![region];
        Ok(true)
    }

    fn print_directive_resource_region(
        p: &mut text::OpPrinter<'_>,
        _: ir::OpId,
        args: &text::PrintArgs,
    ) {
        let Some(&region) = args.regions(6).first() else { return };
        print_captures(p, args.operands(0), args.operands(2), region);
        let types = args.types(3);
        if !types.is_empty() {
            let alone = types.len() == 1;
            p.write(if alone { " -> " } else { " -> (" });
            asm::print_shaped_result_list(
                p,
                args.operands(0),
                types,
                args.operands(4),
                args.attr(5),
            );
            p.write(if alone { "" } else { ")" });
        }
        p.write(" ");
        p.region_with(region, false, true, false);
    }

    fn parse_directive_explicit_resource_region(
        p: &mut text::OpParser<'_>,
        args: &mut text::ParseArgs<'_>,
    ) -> text::ParseResult<bool> {
        let captures = parse_captures(p)?;
        let region = parse_body(p, &captures)?;
        *args.operands(p, 0)? = captures.operands;
        *args.types(p, 1)? = captures.types;
        *args.operands(p, 2)? = captures.sizes;
        *args.regions(p, 3)? = vec![region];
        Ok(true)
    }

    fn print_directive_explicit_resource_region(
        p: &mut text::OpPrinter<'_>,
        _: ir::OpId,
        args: &text::PrintArgs,
    ) {
        let Some(&region) = args.regions(3).first() else { return };
        print_captures(p, args.operands(0), args.operands(2), region);
        p.write(" ");
        p.region_with(region, false, false, false);
    }

    fn parse_directive_encoded_shaped_function_type(
        p: &mut text::OpParser<'_>,
        args: &mut text::ParseArgs<'_>,
    ) -> text::ParseResult<bool> {
        let operands = args.operands(p, 0)?.clone();
        let inputs = parse_encoded_types(p, &[], &[])?;
        p.expect("->")?;
        let outputs = parse_encoded_types(p, &operands, &inputs.types)?;
        *args.types(p, 1)? = inputs.types;
        *args.operands(p, 2)? = inputs.sizes;
        *args.attr(p, 3)? = Some(Attr::array(&inputs.encodings));
        *args.operands(p, 4)? = inputs.dims;
        *args.types(p, 5)? = outputs.types;
        *args.operands(p, 6)? = outputs.sizes;
        *args.attr(p, 7)? = Some(Attr::array(&outputs.encodings));
        *args.operands(p, 8)? = outputs.dims;
        let ties: Vec<Attr> = outputs.ties.iter().map(|&t| Attr::index(t)).collect();
        *args.attr(p, 9)? = outputs.ties.iter().any(|&t| t >= 0).then(|| Attr::array(&ties));
        Ok(true)
    }

    fn print_directive_encoded_shaped_function_type(
        p: &mut text::OpPrinter<'_>,
        _: ir::OpId,
        args: &text::PrintArgs,
    ) {
        let encodings = |index: usize| args.attr(index).and_then(Attr::as_array).unwrap_or(&[]);
        p.write("(");
        print_encoded_types(
            p,
            &EncodedTypes {
                types: args.types(1),
                sizes: args.operands(2),
                encodings: encodings(3),
                dims: args.operands(4),
                operands: &[],
                ties: None,
            },
        );
        p.write(") -> ");
        let alone = args.types(5).len() == 1;
        p.write(if alone { "" } else { "(" });
        print_encoded_types(
            p,
            &EncodedTypes {
                types: args.types(5),
                sizes: args.operands(6),
                encodings: encodings(7),
                dims: args.operands(8),
                operands: args.operands(0),
                ties: args.attr(9),
            },
        );
        p.write(if alone { "" } else { ")" });
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

/// What is computed in the storage of an operand lies there as the operand does.
fn verify_tied_encodings(body: &ir::Body, op: ir::OpId) -> Result<(), String> {
    let list = |name: &str| body.attr(op, name).and_then(Attr::as_array).unwrap_or(&[]);
    let (inputs, outputs) = (list("operand_encodings"), list("result_encodings"));
    for (tie, output) in list("tied_operands").iter().zip(outputs) {
        let Some(at) = tie.as_int().and_then(|at| usize::try_from(at).ok()) else { continue };
        let Some(input) = inputs.get(at).filter(|&input| input != output) else { continue };
        return Err(format!(
            "the {at}-th operandEncoding ({input}) does not match the resultEncoding ({output})"
        ));
    }
    Ok(())
}

/// Each operand that is a resource has one value in the group.
fn verify_sizes(
    registry: &ir::Registry,
    body: &ir::Body,
    op: ir::OpId,
    operands: &[ir::ValueId],
    group: &str,
) -> Result<(), String> {
    let resources = operands.iter().filter(|&&v| is_resource(body, v)).count();
    let given = registry.operands_of(body, op, group).len();
    if resources == given {
        return Ok(());
    }
    Err(format!("has {resources} resources but {given} `{group}`"))
}

/// `%outer as %inner: type{%size}` of an execution region.
struct Captures {
    operands: Vec<text::UnresolvedOperand>,
    types: Vec<Type>,
    sizes: Vec<text::UnresolvedOperand>,
    args: Vec<text::RegionArg>,
}

fn parse_captures(p: &mut text::OpParser<'_>) -> text::ParseResult<Captures> {
    let (operands, types, sizes, args) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut captures = Captures { operands, types, sizes, args };
    p.expect("(")?;
    if p.eat(")") {
        return Ok(captures);
    }
    loop {
        captures.operands.push(p.operand()?);
        p.expect("as")?;
        let name = p.argument()?;
        p.expect(":")?;
        let ty = p.ty()?;
        captures.types.push(ty);
        captures.args.push(text::RegionArg::new(name, ty));
        if asm::dims_of(p.registry(), ty) > 0 {
            p.expect("{")?;
            captures.sizes.push(p.operand()?);
            p.expect("}")?;
        }
        if !p.eat(",") {
            break;
        }
    }
    p.expect(")")?;
    Ok(captures)
}

/// The region after the captures; its terminator may be left out.
fn parse_body(p: &mut text::OpParser<'_>, captures: &Captures) -> text::ParseResult<ir::RegionId> {
    let region = p.region(&captures.args)?;
    p.ensure_terminator(region, "stream.yield");
    Ok(region)
}

fn print_captures(
    p: &mut text::OpPrinter<'_>,
    operands: &[ir::ValueId],
    mut sizes: &[ir::ValueId],
    region: ir::RegionId,
) {
    let entry = p.body().first_block(region);
    let args = entry.map(|e| p.body().block_args(e)).unwrap_or(&[]);
    p.write("(");
    for (index, (&operand, &arg)) in operands.iter().zip(args).enumerate() {
        p.write(if index > 0 { ", " } else { "" });
        p.operand(operand);
        p.write(" as ");
        p.operand(arg);
        let ty = p.body().ty(arg);
        p.write(": ");
        p.ty(ty);
        asm::print_dims(p, ty, &mut sizes);
    }
    p.write(")");
}

/// Types with encodings as they are read: `tensor<4xf32> in !stream.resource<*>{%size}`.
#[derive(Default)]
struct ParsedTypes {
    types: Vec<Type>,
    sizes: Vec<text::UnresolvedOperand>,
    encodings: Vec<Attr>,
    dims: Vec<text::UnresolvedOperand>,
    ties: Vec<i64>,
}

/// Types in parentheses, or one without them. Results may be tied to operands; operands themselves
/// are read with no operands given.
fn parse_encoded_types(
    p: &mut text::OpParser<'_>,
    operands: &[text::UnresolvedOperand],
    operand_types: &[Type],
) -> text::ParseResult<ParsedTypes> {
    let mut parsed = ParsedTypes::default();
    let parens = p.eat("(");
    if parens && p.eat(")") {
        return Ok(parsed);
    }
    loop {
        parse_encoded_type(p, operands, operand_types, &mut parsed)?;
        if !parens || !p.eat(",") {
            break;
        }
    }
    if parens {
        p.expect(")")?;
    }
    Ok(parsed)
}

fn parse_encoded_type(
    p: &mut text::OpParser<'_>,
    operands: &[text::UnresolvedOperand],
    operand_types: &[Type],
    parsed: &mut ParsedTypes,
) -> text::ParseResult<()> {
    let mut encoding = Type::dialect("util.unused", &[]);
    let mut plain = None;
    if !p.at("%") {
        let ty = p.ty()?;
        let mut dims = Vec::new();
        if p.at("{") {
            dims = p.operands_in("{", "}")?;
        }
        if p.eat("in") {
            encoding = ty;
            parsed.dims.extend(dims);
        } else {
            plain = Some((ty, dims));
        }
    }
    let mut tie = -1;
    let (ty, sizes) = match plain {
        Some(plain) => plain,
        None => {
            let mut known = None;
            if let Some(operand) = p.eat_operand()? {
                let name = p.operand_name(operand);
                let Some(at) = operands.iter().position(|&o| p.operand_name(o) == name) else {
                    let span = p.operand_span(operand);
                    return Err(p.error_at(span, format!("`{name}` is not an operand of the op")));
                };
                tie = i64::try_from(at).unwrap_or(i64::MAX);
                if !p.eat("as") {
                    known = operand_types.get(at).copied();
                }
            }
            let ty = match known {
                Some(ty) => ty,
                None => p.ty()?,
            };
            let sizes = if p.at("{") { p.operands_in("{", "}")? } else { Vec::new() };
            (ty, sizes)
        }
    };
    parsed.types.push(ty);
    parsed.sizes.extend(sizes);
    parsed.encodings.push(Attr::ty(encoding));
    parsed.ties.push(tie);
    Ok(())
}

/// Types with encodings as they are printed.
struct EncodedTypes<'a> {
    types: &'a [Type],
    sizes: &'a [ir::ValueId],
    encodings: &'a [Attr],
    dims: &'a [ir::ValueId],
    operands: &'a [ir::ValueId],
    ties: Option<Attr>,
}

fn print_encoded_types(p: &mut text::OpPrinter<'_>, list: &EncodedTypes<'_>) {
    let (mut sizes, mut dims) = (list.sizes, list.dims);
    for (index, &ty) in list.types.iter().enumerate() {
        p.write(if index > 0 { ", " } else { "" });
        let encoding = list.encodings.get(index).and_then(|e| e.as_type());
        if let Some(encoding) = encoding.filter(|e| e.dialect_params("util.unused").is_none()) {
            p.ty(encoding);
            asm::print_dims(p, encoding, &mut dims);
            p.write(" in ");
        }
        let tie = list.ties.and_then(Attr::as_array).and_then(|t| t.get(index)?.as_int());
        let tied = tie.and_then(|t| list.operands.get(usize::try_from(t).ok()?).copied());
        if let Some(operand) = tied {
            p.operand(operand);
        }
        if tied.is_none_or(|operand| p.body().ty(operand) != ty) {
            p.write(if tied.is_some() { " as " } else { "" });
            p.ty(ty);
        }
        asm::print_dims(p, ty, &mut sizes);
    }
}
