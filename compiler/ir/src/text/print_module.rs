//! Modules, ops, types and attributes to text.

use super::asm_printer::{AsmPrinter, Elide, PrintOptions};
use super::collect::{AliasDef, Collector, Subject};
use super::names::ValueNames;
use super::op_printer::OpPrinter;
use crate::{Attr, AttrData, Body, Ident, LocData, Module, OpId, Registry, Type};

/// A module as text, ending in a line end.
pub fn print_module(registry: &Registry, module: &Module, options: &PrintOptions) -> String {
    let mut printer = AsmPrinter::new(registry, options);
    let mut names: Vec<Option<ValueNames>> =
        ValueNames::number_all(registry, &module.bodies, options.generic)
            .into_iter()
            .map(Some)
            .collect();
    let mut deferred = Vec::new();
    if !options.local_scope {
        printer.collector = Some(Collector::default());
        module_op(&mut printer, module, &mut names);
        deferred = define_aliases(&mut printer);
    }
    module_op(&mut printer, module, &mut names);
    printer.write("\n");
    print_definitions(&mut printer, &deferred);
    printer.finish()
}

/// An op as text, without a line end: in local scope as `options` say, else with the aliases that
/// it uses before it. Values are numbered as they are inside of the nearest op that is isolated.
pub fn print_op(registry: &Registry, body: &Body, op: OpId, options: &PrintOptions) -> String {
    let mut printer = AsmPrinter::new(registry, options);
    let roots = numbering_roots(registry, body, op);
    let mut names = Some(ValueNames::number(registry, body, &roots, options.generic));
    let mut deferred = Vec::new();
    if !options.local_scope {
        printer.collector = Some(Collector::default());
        with_body(&mut printer, body, &mut names, 0, |p| p.op(op));
        deferred = define_aliases(&mut printer);
    }
    with_body(&mut printer, body, &mut names, 0, |p| p.op(op));
    if !deferred.is_empty() {
        printer.write("\n");
        print_definitions(&mut printer, &deferred);
    }
    printer.finish()
}

fn numbering_roots(registry: &Registry, body: &Body, op: OpId) -> Vec<OpId> {
    let mut at = op;
    loop {
        if registry.op(body.name(at)).is_some_and(|info| info.isolated) {
            return vec![at];
        }
        match body.parent_op(at) {
            Some(parent) => at = parent,
            // Several ops at the top share values.
            None => return body.block_ops(body.top_block()).collect(),
        }
    }
}

/// A type as text, in local scope.
pub fn print_type(registry: &Registry, ty: Type) -> String {
    let options = PrintOptions::default();
    let mut printer = AsmPrinter::new(registry, &options);
    printer.ty(ty);
    printer.finish()
}

/// An attribute as text, in local scope.
pub fn print_attr(registry: &Registry, attr: Attr) -> String {
    let options = PrintOptions::default();
    let mut printer = AsmPrinter::new(registry, &options);
    printer.attr(attr);
    printer.finish()
}

/// Runs an op printer over a body with the state of `printer`.
fn with_body<'a>(
    printer: &mut AsmPrinter<'a>,
    body: &'a Body,
    names: &mut Option<ValueNames>,
    indent: usize,
    run: impl FnOnce(&mut OpPrinter<'a>),
) {
    let Some(own) = names.take() else { return };
    let empty = AsmPrinter::new(printer.registry, printer.options);
    let asm = std::mem::replace(printer, empty);
    let mut op_printer =
        OpPrinter { asm, body, names: own, indent, default_dialects: vec!["builtin"] };
    run(&mut op_printer);
    *names = Some(op_printer.names);
    *printer = op_printer.asm;
}

/// Names what was collected, and prints the definitions that stand before the ops. Gives the rest.
fn define_aliases(printer: &mut AsmPrinter<'_>) -> Vec<AliasDef> {
    let Some(collector) = printer.collector.take() else { return Vec::new() };
    printer.out.clear();
    let (names, defs) = collector.finish();
    printer.aliases = names;
    let (deferred, first): (Vec<_>, Vec<_>) = defs.into_iter().partition(|def| def.deferred);
    print_definitions(printer, &first);
    deferred
}

fn print_definitions(printer: &mut AsmPrinter<'_>, defs: &[AliasDef]) {
    for def in defs {
        printer.write(&def.name);
        printer.write(" = ");
        match def.subject {
            Subject::Attr(attr) => printer.attr_body(attr, Elide::Never),
            Subject::Type(ty) => printer.type_body(ty),
        }
        printer.write("\n");
    }
}

fn module_op<'a>(
    printer: &mut AsmPrinter<'a>,
    module: &'a Module,
    names: &mut [Option<ValueNames>],
) {
    let unknown = || Attr::new(AttrData::Loc(LocData::Unknown));
    let loc = module.loc.unwrap_or_else(unknown);
    if printer.options.debuginfo && printer.collector.is_some() {
        printer.collect_loc(loc);
    }
    let attrs = module.attrs.as_dict().unwrap_or(&[]);
    let generic = printer.options.generic;
    if generic {
        printer.write("\"builtin.module\"()");
        if let Some(name) = module.name {
            printer.write(" <{");
            printer.named_attr(Ident::of("sym_name"), Attr::string(name.as_str()));
            printer.write("}>");
        }
        printer.write(" (");
    } else {
        printer.write("module");
        if let Some(name) = module.name {
            printer.write(" ");
            printer.symbol_name(name.as_str());
        }
        printer.optional_dict_with_keyword(attrs, &[]);
        printer.write(" ");
    }
    if printer.options.skip_regions {
        printer.write("{...}");
    } else {
        printer.write("{\n");
        if generic && module.bodies.is_empty() {
            printer.write("^bb0:\n");
        }
        for (body, names) in module.bodies.iter().zip(names) {
            with_body(printer, body, names, 2, |p| {
                for op in body.block_ops(body.top_block()) {
                    p.write("  ");
                    p.op(op);
                    if p.collector.is_some() {
                        p.asm.out.clear();
                    }
                    p.write("\n");
                }
            });
        }
        printer.write("}");
    }
    if generic {
        printer.write(")");
        printer.optional_dict(attrs, &[]);
        printer.write(" : () -> ()");
    }
    if printer.options.debuginfo && printer.collector.is_none() {
        printer.write(" ");
        printer.location(loc);
    }
}
