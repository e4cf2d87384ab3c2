//! The Rust that the definitions of this dialect name.

use tegula_dialect_util::{asm, shared_directives};
use tegula_ir as ir;
use tegula_ir::text;
use tegula_ir::{Attr, Type};

use crate::generated::Hooks;
use crate::{constants, objects};

/// What may hold of a link between devices, in the order of its parameters.
const LINK_PROPERTIES: [&str; 2] = ["unified_memory", "transparent_access"];

/// The hooks of the dialect.
pub struct HalHooks;

impl Hooks for HalHooks {
    shared_directives!(
        bindings,
        passed_types,
        shaped_function_type,
        size_aware_type,
        symbol_visibility
    );

    fn verify_bindings(
        registry: &ir::Registry,
        body: &ir::Body,
        op: ir::OpId,
    ) -> Result<(), String> {
        asm::verify_bindings(registry, body, op)
    }

    fn parse_constant_block(
        p: &mut text::OpParser<'_>,
        state: &mut text::OpState,
    ) -> text::ParseResult<()> {
        constants::parse(p, state)
    }

    fn print_constant_block(p: &mut text::OpPrinter<'_>, op: ir::OpId) {
        constants::print(p, op);
    }

    fn verify_constant_block(
        _: &ir::Registry,
        body: &ir::Body,
        op: ir::OpId,
    ) -> Result<(), String> {
        constants::verify(body, op)
    }

    fn verify_return(_: &ir::Registry, body: &ir::Body, op: ir::OpId) -> Result<(), String> {
        constants::verify_return(body, op)
    }

    fn parse_executable_condition(
        p: &mut text::OpParser<'_>,
        state: &mut text::OpState,
    ) -> text::ParseResult<()> {
        let (arguments, region) = objects::parse_condition(p)?;
        let inputs: Vec<Type> = arguments.iter().map(|arg| arg.ty).collect();
        state.attr("function_type", Attr::ty(Type::function(&inputs, &[Type::int(1)])));
        state.regions.push(region);
        Ok(())
    }

    fn print_executable_condition(p: &mut text::OpPrinter<'_>, op: ir::OpId) {
        objects::print_condition_op(p, op);
    }

    fn parse_params_executable_object(p: &mut text::AsmParser<'_>) -> text::ParseResult<Vec<Attr>> {
        objects::parse_object(p)
    }

    fn print_params_executable_object(p: &mut text::AsmPrinter<'_>, params: &[Attr]) {
        objects::print_object(p, params);
    }

    fn parse_params_executable_objects(
        p: &mut text::AsmParser<'_>,
    ) -> text::ParseResult<Vec<Attr>> {
        objects::parse_objects(p)
    }

    fn print_params_executable_objects(p: &mut text::AsmPrinter<'_>, params: &[Attr]) {
        objects::print_objects(p, params);
    }

    fn verify_params_executable_objects(_: &ir::Registry, params: &[Attr]) -> Result<(), String> {
        objects::verify_objects(params)
    }

    fn parse_directive_target_condition_objects(
        p: &mut text::OpParser<'_>,
        args: &mut text::ParseArgs<'_>,
    ) -> text::ParseResult<bool> {
        objects::parse_targets(p, args)
    }

    fn print_directive_target_condition_objects(
        p: &mut text::OpPrinter<'_>,
        _: ir::OpId,
        args: &text::PrintArgs,
    ) {
        objects::print_targets(p, args);
    }

    fn verify_device_queue(
        registry: &ir::Registry,
        body: &ir::Body,
        op: ir::OpId,
    ) -> Result<(), String> {
        let fence = |group| registry.operand_of(body, op, group);
        let (wait, signal) = (fence("wait_fence"), fence("signal_fence"));
        let null = wait
            .and_then(|fence| body.defining_op(fence))
            .is_some_and(|def| body.is(def, "util.null"));
        if wait == signal && wait.is_some() && !null {
            return Err("device queue operations cannot wait and signal on the same fence".into());
        }
        Ok(())
    }

    fn verify_interface_binding_subspan(
        _: &ir::Registry,
        body: &ir::Body,
        op: ir::OpId,
    ) -> Result<(), String> {
        let layout = body.attr(op, "layout").and_then(|l| l.dialect_params("hal.pipeline.layout"));
        let bindings = layout.and_then(|l| l.first()?.as_array()).unwrap_or(&[]).len();
        let binding = body.attr(op, "binding").and_then(Attr::as_int).unwrap_or(-1);
        if usize::try_from(binding).is_ok_and(|b| b < bindings) {
            return Ok(());
        }
        Err(format!("binding {binding} is not one of the layout's {bindings}"))
    }

    fn verify_params_pipeline_layout(_: &ir::Registry, params: &[Attr]) -> Result<(), String> {
        let bindings = params.first().and_then(|b| b.as_array()).unwrap_or(&[]);
        match bindings.iter().find(|b| b.dialect_params("hal.pipeline.binding").is_none()) {
            Some(other) => Err(format!("`{other}` is no `#hal.pipeline.binding`")),
            None => Ok(()),
        }
    }

    fn parse_params_pipeline_layout(p: &mut text::AsmParser<'_>) -> text::ParseResult<Vec<Attr>> {
        p.expect("<")?;
        let mut constants = Attr::absent();
        if p.eat("constants") {
            p.expect("=")?;
            constants = Attr::i64(p.integer()?);
            p.expect(",")?;
        }
        p.expect("bindings")?;
        p.expect("=")?;
        let bindings = p.delimited("[", "]", |p| p.attr_named("hal.pipeline.binding"))?;
        let mut flags = Attr::absent();
        if p.eat(",") {
            p.expect("flags")?;
            p.expect("=")?;
            flags = Attr::string(&p.keyword_or_string()?);
        }
        p.expect(">")?;
        Ok(vec![Attr::array(&bindings), constants, flags])
    }

    fn print_params_pipeline_layout(p: &mut text::AsmPrinter<'_>, params: &[Attr]) {
        let &[bindings, constants, flags] = params else { return };
        p.write("<");
        if !constants.is_absent() {
            p.write("constants = ");
            p.attr_no_type(constants);
            p.write(", ");
        }
        p.write("bindings = ");
        p.attr(bindings);
        if let Some(flags) = flags.as_str() {
            p.write(", flags = ");
            p.enum_keyword(flags);
        }
        p.write(">");
    }

    fn parse_params_device_target(p: &mut text::AsmParser<'_>) -> text::ParseResult<Vec<Attr>> {
        p.expect("<")?;
        let device = Attr::string(&p.string()?);
        let (mut config, mut targets) = (Attr::absent(), Vec::new());
        while p.eat(",") {
            if p.at("{") {
                config = p.dict()?;
            } else {
                targets = p.delimited("[", "]", |p| p.attr_named("hal.executable.target"))?;
            }
        }
        p.expect(">")?;
        Ok(vec![device, config, Attr::array(&targets)])
    }

    fn print_params_device_target(p: &mut text::AsmPrinter<'_>, params: &[Attr]) {
        let &[device, config, targets] = params else { return };
        p.write("<");
        p.attr(device);
        if config.as_dict().is_some_and(|d| !d.is_empty()) {
            p.write(", ");
            p.attr(config);
        }
        if targets.as_array().is_some_and(|t| !t.is_empty()) {
            p.write(", ");
            p.attr(targets);
        }
        p.write(">");
    }

    fn parse_params_device_affinity(p: &mut text::AsmParser<'_>) -> text::ParseResult<Vec<Attr>> {
        p.expect("<")?;
        let device = p.symbol_ref()?;
        let mut mask = Attr::absent();
        if p.eat(",") {
            let at = p.span();
            let queues = p.delimited("[", "]", |p| p.integer())?;
            let mut bits = 0u64;
            for queue in queues {
                let Some(bit) = u32::try_from(queue).ok().and_then(|q| 1u64.checked_shl(q)) else {
                    return Err(p.error_at(at, "queues are numbered from 0 to 63"));
                };
                bits |= bit;
            }
            mask = Attr::i64(bits as i64);
        }
        p.expect(">")?;
        Ok(vec![device, mask])
    }

    fn print_params_device_affinity(p: &mut text::AsmPrinter<'_>, params: &[Attr]) {
        let &[device, mask] = params else { return };
        p.write("<");
        p.attr(device);
        if let Some(mask) = mask.as_int().filter(|&m| m != -1) {
            let queues = (0..64).filter(|q| mask as u64 >> q & 1 == 1);
            p.write(", [");
            p.comma_list(queues, |p, queue| p.display(queue));
            p.write("]");
        }
        p.write(">");
    }

    fn parse_params_device_link(p: &mut text::AsmParser<'_>) -> text::ParseResult<Vec<Attr>> {
        p.expect("(")?;
        let source = p.symbol_ref()?;
        p.expect("->")?;
        let target = p.symbol_ref()?;
        p.expect("=")?;
        let mut holds = [Attr::absent(); 2];
        let said = p.delimited("{", "}", |p| {
            let name = p.keyword_of(&LINK_PROPERTIES)?;
            p.expect("=")?;
            Ok((name, p.boolean()?))
        })?;
        for (name, value) in said {
            let at = LINK_PROPERTIES.iter().position(|property| *property == name);
            if let Some(at) = at.filter(|_| value) {
                holds[at] = Attr::bool(true);
            }
        }
        let extra = if p.eat(",") { p.dict()? } else { Attr::absent() };
        p.expect(")")?;
        Ok(vec![source, target, holds[0], holds[1], extra])
    }

    fn print_params_device_link(p: &mut text::AsmPrinter<'_>, params: &[Attr]) {
        let &[source, target, unified, transparent, extra] = params else { return };
        p.write("(");
        p.attr(source);
        p.write(" -> ");
        p.attr(target);
        p.write(" = {");
        let holds = LINK_PROPERTIES.iter().zip([unified, transparent]);
        p.comma_list(holds.filter(|(_, value)| !value.is_absent()), |p, (name, _)| {
            p.write(name);
            p.write(" = true");
        });
        p.write("}");
        if !extra.is_absent() {
            p.write(", ");
            p.attr(extra);
        }
        p.write(")");
    }

    fn parse_params_device_topology(p: &mut text::AsmParser<'_>) -> text::ParseResult<Vec<Attr>> {
        p.expect("<")?;
        p.expect("links")?;
        p.expect("=")?;
        let links = p.delimited("[", "]", |p| {
            Ok(Attr::dialect("hal.device.link", &Self::parse_params_device_link(p)?))
        })?;
        p.expect(">")?;
        Ok(vec![Attr::array(&links)])
    }

    fn print_params_device_topology(p: &mut text::AsmPrinter<'_>, params: &[Attr]) {
        let links = params.first().and_then(|links| links.as_array()).unwrap_or(&[]);
        p.write("<links = [");
        p.comma_list(links, |p, link| {
            Self::print_params_device_link(
                p,
                link.dialect_params("hal.device.link").unwrap_or(&[]),
            );
        });
        p.write("]>");
    }

    fn parse_params_device_optimal(p: &mut text::AsmParser<'_>) -> text::ParseResult<Vec<Attr>> {
        p.expect("<")?;
        let affinities = p.delimited("[", "]", |p| p.attr())?;
        p.expect(">")?;
        Ok(vec![Attr::array(&affinities)])
    }

    fn print_params_device_optimal(p: &mut text::AsmPrinter<'_>, params: &[Attr]) {
        let &[affinities] = params else { return };
        p.write("<");
        p.attr(affinities);
        p.write(">");
    }

    fn parse_directive_device_queue_affinity_list(
        p: &mut text::OpParser<'_>,
        args: &mut text::ParseArgs<'_>,
    ) -> text::ParseResult<bool> {
        let (mut devices, mut types, mut queues) = (Vec::new(), Vec::new(), Vec::new());
        p.expect("[")?;
        while p.eat("(") {
            devices.push(p.operand()?);
            p.expect(",")?;
            queues.push(p.operand()?);
            types.push(p.colon_type()?);
            p.expect(",")?;
            p.ty()?;
            p.expect(")")?;
            if !p.eat(",") {
                break;
            }
        }
        p.expect("]")?;
        *args.operands(p, 0)? = devices;
        *args.types(p, 1)? = types;
        *args.operands(p, 2)? = queues;
        Ok(true)
    }

    fn print_directive_device_queue_affinity_list(
        p: &mut text::OpPrinter<'_>,
        _: ir::OpId,
        args: &text::PrintArgs,
    ) {
        p.write("[");
        let devices = args.operands(0).iter().zip(args.types(1)).zip(args.operands(2));
        for (index, ((&device, &ty), &queues)) in devices.enumerate() {
            p.write(if index > 0 { "," } else { "" });
            p.newline();
            p.write("  (");
            p.operand(device);
            p.write(", ");
            p.operand(queues);
            p.write(" : ");
            p.ty(ty);
            p.write(", ");
            p.ty(Type::int(64));
            p.write(")");
        }
        p.newline();
        p.write("]");
    }

    fn result_names_device_resolve(
        _: &ir::Registry,
        body: &ir::Body,
        op: ir::OpId,
        name: &mut dyn FnMut(ir::ValueId, &str),
    ) {
        for result in body.results(op) {
            let ty = body.ty(result);
            name(
                result,
                if ty == Type::int(64) {
                    "queue_affinity"
                } else if ty.dialect_params("hal.allocator").is_some() {
                    "allocator"
                } else {
                    "device"
                },
            );
        }
    }

    fn result_names_devices_get(
        registry: &ir::Registry,
        body: &ir::Body,
        op: ir::OpId,
        name: &mut dyn FnMut(ir::ValueId, &str),
    ) {
        let index = registry.operand_of(body, op, "index");
        let index = index.and_then(|index| body.attr(body.defining_op(index)?, "value")?.as_int());
        match index {
            Some(index) => name(body.result(op, 0), &format!("device_{index}")),
            None => name(body.result(op, 0), "device_n"),
        }
    }

    fn parse_directive_type_alias(
        p: &mut text::OpParser<'_>,
        args: &mut text::ParseArgs<'_>,
    ) -> text::ParseResult<bool> {
        let encoding = p.ty()?;
        let storage = if p.eat("as") { p.ty()? } else { encoding };
        *args.attr(p, 0)? = Some(Attr::ty(encoding));
        *args.types(p, 1)? = vec![storage];
        Ok(true)
    }

    fn print_directive_type_alias(
        p: &mut text::OpPrinter<'_>,
        _: ir::OpId,
        args: &text::PrintArgs,
    ) {
        let encoding = args.attr(0).and_then(Attr::as_type);
        let storage = args.types(1).first().copied();
        if let Some(encoding) = encoding.filter(|_| encoding != storage) {
            p.ty(encoding);
            p.write(" as ");
        }
        if let Some(storage) = storage {
            p.ty(storage);
        }
    }

    fn parse_directive_export_condition_region(
        p: &mut text::OpParser<'_>,
        args: &mut text::ParseArgs<'_>,
    ) -> text::ParseResult<bool> {
        asm::parse_counting_region(p, args, "", &[Type::int(1)])
    }

    fn print_directive_export_condition_region(
        p: &mut text::OpPrinter<'_>,
        op: ir::OpId,
        args: &text::PrintArgs,
    ) {
        asm::print_counting_region(p, op, args, "", &[Type::int(1)]);
    }

    fn result_names_element_type(
        _: &ir::Registry,
        body: &ir::Body,
        op: ir::OpId,
        name: &mut dyn FnMut(ir::ValueId, &str),
    ) {
        if let Some(ty) = body.attr(op, "type") {
            name(body.result(op, 0), &format!("element_type_{ty}"));
        }
    }

    fn result_names_encoding_type(
        _: &ir::Registry,
        body: &ir::Body,
        op: ir::OpId,
        name: &mut dyn FnMut(ir::ValueId, &str),
    ) {
        if body.attr(op, "encoding").is_none() {
            name(body.result(op, 0), "dense_row_major");
        }
    }

    fn result_names_interface_workgroup(
        _: &ir::Registry,
        body: &ir::Body,
        op: ir::OpId,
        name: &mut dyn FnMut(ir::ValueId, &str),
    ) {
        let dimension = body.attr(op, "dimension").and_then(Attr::as_int);
        let axis = match dimension {
            Some(0) => "x",
            Some(1) => "y",
            Some(2) => "z",
            _ => return,
        };
        let what = body.name(op).as_str().rsplit('.').next().unwrap_or_default();
        name(body.result(op, 0), &format!("workgroup_{what}_{axis}"));
    }

    fn parse_directive_workgroup_count_region(
        p: &mut text::OpParser<'_>,
        args: &mut text::ParseArgs<'_>,
    ) -> text::ParseResult<bool> {
        asm::parse_counting_region(p, args, "", &[Type::index(); 3])
    }

    fn print_directive_workgroup_count_region(
        p: &mut text::OpPrinter<'_>,
        op: ir::OpId,
        args: &text::PrintArgs,
    ) {
        asm::print_counting_region(p, op, args, "", &[Type::index(); 3]);
    }
}
