//! Modules, ops, types and attributes to text.

use std::borrow::Borrow;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::asm_printer::{AsmPrinter, Elide, PrintOptions};
use super::collect::{AliasDef, Collector, Subject};
use super::names::{ModuleNames, ValueNames};
use super::op_printer::OpPrinter;
use super::watch::Watch;
use crate::{
    Attr, AttrData, Body, ExternalResources, Ident, LocData, Module, OpId, Registry, Resources,
    Type,
};

/// So many ops are printed in one piece, or those of one body.
const PIECE: usize = 4096;

/// An op takes so many bytes of text, about.
const TEXT_OF_OP: usize = 64;

/// A module as text, ending in a line end.
pub fn print_module(registry: &Registry, module: &Module, options: &PrintOptions) -> String {
    let bodies = module.bodies.iter().collect();
    pieces(registry, Head::of(module), bodies, &module.external, options).concat()
}

/// The same text in pieces, none of which ends inside of an op. Bodies are let go as soon as they
/// are printed.
pub fn print_pieces(
    registry: &Registry,
    mut module: Module,
    options: &PrintOptions,
) -> Vec<String> {
    let bodies = std::mem::take(&mut module.bodies);
    pieces(registry, Head::of(&module), bodies, &module.external, options)
}

/// An op as text, without a line end: in local scope as `options` say, else with the aliases that
/// it uses before it. Values are numbered as they are inside of the nearest op that is isolated.
pub fn print_op(registry: &Registry, body: &Body, op: OpId, options: &PrintOptions) -> String {
    let roots = numbering_roots(registry, body, op);
    let mut names = Some(ValueNames::number(registry, body, &roots, options.generic));
    let mut printer = first_printer(registry, options, &mut Watch::default());
    with_body(&mut printer, body, &mut names, 0, |p| p.op(op));
    if let Some(collector) = printer.collector.take() {
        let (aliases, defs) = collector.finish();
        let (deferred, first): (Vec<_>, Vec<_>) = defs.into_iter().partition(|def| def.deferred);
        printer = AsmPrinter::new(registry, options);
        printer.aliases = Arc::new(aliases);
        print_definitions(&mut printer, &first);
        with_body(&mut printer, body, &mut names, 0, |p| p.op(op));
        if !deferred.is_empty() {
            printer.write("\n");
            print_definitions(&mut printer, &deferred);
        }
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

/// A printer that does not know yet which aliases there are. All locations get one.
fn first_printer<'a>(
    registry: &'a Registry,
    options: &'a PrintOptions,
    watch: &mut Watch,
) -> AsmPrinter<'a> {
    let mut printer = AsmPrinter::new(registry, options);
    if !options.local_scope {
        match options.debuginfo {
            true => printer.collector = Some(Collector::default()),
            false => printer.watch = Some(std::mem::take(watch)),
        }
    }
    printer
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

/// What a module is without its bodies.
#[derive(Clone, Copy)]
struct Head {
    name: Option<Ident>,
    attrs: Attr,
    loc: Attr,
}

/// What is printed in one piece.
enum Part<B> {
    Begin {
        empty: bool,
    },
    /// Bodies, of which the first has that number.
    Bodies(usize, Mutex<Vec<B>>),
    End,
}

/// A piece as it was printed first.
enum Piece {
    Text(String),
    /// It stands if there are no aliases.
    Uncertain(String),
    /// It has to be printed with aliases.
    Aliases(Collector),
}

fn pieces<B: Borrow<Body> + Send>(
    registry: &Registry,
    head: Head,
    bodies: Vec<B>,
    external: &ExternalResources,
    options: &PrintOptions,
) -> Vec<String> {
    let named = Mutex::new(BTreeMap::new());
    let name_resources = |at: usize, resources: Resources| {
        if !resources.is_empty() {
            named.lock().unwrap_or_else(PoisonError::into_inner).insert(at, resources);
        }
    };
    let names = ModuleNames::new(registry, bodies.iter().map(B::borrow), options.generic);
    let parts = parts(bodies, options);
    let print = |printer: AsmPrinter<'_>, part: &Part<B>| match part {
        Part::Begin { empty } => Printed::of(head.begin(printer, *empty)),
        Part::Bodies(first, bodies) => {
            let bodies = bodies.lock().unwrap_or_else(PoisonError::into_inner);
            // The printer may keep what it is given only as long as the lock is held.
            let mut printer = printer;
            let ops: usize = bodies.iter().map(|body| body.borrow().bounds().0).sum();
            printer.out.reserve(ops * TEXT_OF_OP);
            for (index, body) in (*first..).zip(bodies.iter()) {
                let body = body.borrow();
                let own = names.of(registry, index, body);
                with_body(&mut printer, body, &mut Some(own), 2, OpPrinter::top_level);
            }
            Printed::of(printer)
        }
        Part::End => Printed::of(head.end(printer)),
    };
    let done = |part: &Part<B>| {
        if let Part::Bodies(_, bodies) = part {
            bodies.lock().unwrap_or_else(PoisonError::into_inner).clear();
        }
    };
    let first = |watch: &mut Watch, at: usize| {
        let printed = print(first_printer(registry, options, watch), &parts[at]);
        *watch = printed.watch;
        name_resources(at, printed.resources);
        let uncertain = std::mem::take(&mut watch.uncertain);
        match printed.collector {
            Some(collector) => Piece::Aliases(collector),
            None if uncertain => Piece::Uncertain(printed.text),
            None => {
                done(&parts[at]);
                Piece::Text(printed.text)
            }
        }
    };
    let mut printed = options.threads.in_order(parts.len(), Watch::default, first);

    let mut printer = AsmPrinter::new(registry, options);
    for piece in &mut printed {
        let Piece::Aliases(collector) = piece else { continue };
        let collector = std::mem::take(collector);
        match printer.collector {
            Some(_) => printer.collect_again(collector.into_asked()),
            None => printer.collector = Some(collector),
        }
    }
    let (aliases, defs) = printer.collector.take().map(Collector::finish).unwrap_or_default();
    let aliases = Arc::new(aliases);
    let (deferred, defs): (Vec<_>, Vec<_>) = defs.into_iter().partition(|def| def.deferred);
    let again = |_: &mut (), at: usize| {
        let stands = match &printed[at] {
            Piece::Text(_) => true,
            Piece::Uncertain(_) => defs.is_empty() && deferred.is_empty(),
            Piece::Aliases(_) => false,
        };
        (!stands).then(|| {
            let mut printer = AsmPrinter::new(registry, options);
            printer.aliases = aliases.clone();
            let printed = print(printer, &parts[at]);
            name_resources(at, printed.resources);
            done(&parts[at]);
            printed.text
        })
    };
    let again = options.threads.in_order(parts.len(), || (), again);

    let end = parts.len();
    let definitions = |defs: &[AliasDef]| {
        let mut printer = AsmPrinter::new(registry, options);
        printer.aliases = aliases.clone();
        print_definitions(&mut printer, defs);
        name_resources(end, std::mem::take(&mut printer.resources));
        printer.finish()
    };
    let mut pieces = vec![definitions(&defs)];
    pieces.extend(printed.into_iter().zip(again).map(|(first, again)| match (first, again) {
        (_, Some(text)) | (Piece::Text(text) | Piece::Uncertain(text), None) => text,
        (Piece::Aliases(_), None) => String::new(),
    }));
    pieces.push(definitions(&deferred));
    let named = named.into_inner().unwrap_or_else(PoisonError::into_inner);
    let mut printer = AsmPrinter::new(registry, options);
    printer.metadata(named.into_values().flatten().collect(), external);
    pieces.push(printer.finish());
    pieces
}

fn parts<B: Borrow<Body>>(bodies: Vec<B>, options: &PrintOptions) -> Vec<Part<B>> {
    let mut parts = vec![Part::Begin { empty: bodies.is_empty() }];
    if !options.skip_regions {
        let mut ops = PIECE;
        for (index, body) in bodies.into_iter().enumerate() {
            let own = body.borrow().bounds().0;
            match parts.last_mut() {
                Some(Part::Bodies(_, bodies)) if ops + own <= PIECE => {
                    bodies.get_mut().unwrap_or_else(PoisonError::into_inner).push(body);
                    ops += own;
                }
                _ => {
                    parts.push(Part::Bodies(index, Mutex::new(vec![body])));
                    ops = own;
                }
            }
        }
    }
    parts.push(Part::End);
    parts
}

/// What a printer leaves.
struct Printed {
    text: String,
    collector: Option<Collector>,
    watch: Watch,
    resources: Resources,
}

impl Printed {
    fn of(printer: AsmPrinter<'_>) -> Printed {
        let AsmPrinter { out, collector, watch, resources, .. } = printer;
        Printed { text: out, collector, watch: watch.unwrap_or_default(), resources }
    }
}

impl OpPrinter<'_> {
    /// Prints the top-level ops of a body, a line each.
    fn top_level(&mut self) {
        let body = self.body();
        for op in body.block_ops(body.top_block()) {
            self.write("  ");
            self.op(op);
            if self.collector.is_some() {
                self.asm.out.clear();
            }
            self.write("\n");
        }
    }
}

impl Head {
    fn of(module: &Module) -> Head {
        let unknown = || Attr::new(AttrData::Loc(LocData::Unknown));
        let loc = module.loc.unwrap_or_else(unknown);
        Head { name: module.name, attrs: module.attrs, loc }
    }

    fn entries(&self) -> &'static [(Ident, Attr)] {
        self.attrs.as_dict().unwrap_or(&[])
    }

    fn begin<'a>(&self, mut printer: AsmPrinter<'a>, empty: bool) -> AsmPrinter<'a> {
        if printer.options.debuginfo && printer.collector.is_some() {
            printer.collect_loc(self.loc);
        }
        let generic = printer.options.generic;
        if generic {
            printer.write("\"builtin.module\"()");
            if let Some(name) = self.name {
                printer.write(" <{");
                printer.named_attr(Ident::of("sym_name"), Attr::string(name.as_str()));
                printer.write("}>");
            }
            printer.write(" (");
        } else {
            printer.write("module");
            if let Some(name) = self.name {
                printer.write(" ");
                printer.symbol_name(name.as_str());
            }
            printer.optional_dict_with_keyword(self.entries(), &[]);
            printer.write(" ");
        }
        if printer.options.skip_regions {
            printer.write("{...}");
            return printer;
        }
        printer.write("{\n");
        if generic && empty {
            printer.write("^bb0:\n");
        }
        printer
    }

    fn end<'a>(&self, mut printer: AsmPrinter<'a>) -> AsmPrinter<'a> {
        if !printer.options.skip_regions {
            printer.write("}");
        }
        if printer.options.generic {
            printer.write(")");
            printer.optional_dict(self.entries(), &[]);
            printer.write(" : () -> ()");
        }
        if printer.options.debuginfo && printer.collector.is_none() {
            printer.write(" ");
            printer.location(self.loc);
        }
        printer.write("\n");
        printer
    }
}
