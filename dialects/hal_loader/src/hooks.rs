//! The Rust that the definitions of this dialect name.

use tegula_ir::text::{OpParser, OpPrinter, ParseArgs, ParseResult, PrintArgs};
use tegula_ir::{Attr, Body, OpId, Registry, ValueId};

use crate::generated::Hooks;

/// The hooks of the dialect.
pub(crate) struct HalLoaderHooks;

impl Hooks for HalLoaderHooks {
    fn verify_dispatch(registry: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        let [buffers, offsets, lengths] = ["binding_buffers", "binding_offsets", "binding_lengths"]
            .map(|group| registry.operands_of(body, op, group).len());
        if buffers != offsets || buffers != lengths {
            return Err(format!(
                "binding buffers/offsets/lengths must match; have {buffers}/{offsets}/{lengths}"
            ));
        }
        Ok(())
    }

    fn result_names_supported(
        _: &Registry,
        body: &Body,
        op: OpId,
        name: &mut dyn FnMut(ValueId, &str),
    ) {
        if let Some(format) = body.attr(op, "executable_format").and_then(Attr::as_str) {
            name(body.result(op, 0), &format!("{format}_supported"));
        }
    }

    fn parse_directive_dispatch_bindings(
        p: &mut OpParser<'_>,
        args: &mut ParseArgs<'_>,
    ) -> ParseResult<bool> {
        let (mut buffers, mut types) = (Vec::new(), Vec::new());
        let (mut offsets, mut lengths) = (Vec::new(), Vec::new());
        while p.eat("(") {
            buffers.push(p.operand()?);
            types.push(p.colon_type()?);
            p.expect(")")?;
            p.expect("[")?;
            offsets.push(p.operand()?);
            p.expect(",")?;
            lengths.push(p.operand()?);
            p.expect("]")?;
            if !p.eat(",") {
                break;
            }
        }
        *args.operands(p, 0)? = buffers;
        *args.types(p, 1)? = types;
        *args.operands(p, 2)? = offsets;
        *args.operands(p, 3)? = lengths;
        Ok(true)
    }

    fn print_directive_dispatch_bindings(p: &mut OpPrinter<'_>, _: OpId, args: &PrintArgs) {
        let ranges = args.operands(2).iter().zip(args.operands(3));
        let bindings = args.operands(0).iter().zip(args.types(1)).zip(ranges);
        for (index, ((&buffer, &ty), (&offset, &length))) in bindings.enumerate() {
            p.write(if index > 0 { ", " } else { "" });
            p.newline();
            p.write("  (");
            p.operand(buffer);
            p.write(" : ");
            p.ty(ty);
            p.write(")[");
            p.operand(offset);
            p.write(", ");
            p.operand(length);
            p.write("]");
        }
        p.newline();
    }
}
