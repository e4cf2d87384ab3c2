//! From the text of items to bodies.

use std::sync::Arc;

use tegula_diag::{Diagnostic, SourceId};
use tegula_ir::text::{
    AliasTable, ParseOptions, TextOrigin, parse_aliases, parse_item, parse_module, split,
};
use tegula_ir::{FrozenBody, Ident, verify};
use tegula_package::Signature;
use tegula_pass::Header;
use tegula_pipelines::{EmitError, source_signature, unwritten_reads};

use crate::database::Db;
use crate::{Item, Program};

/// Stands for the item's own text; whoever shows a diagnostic puts the real source in its place.
pub(crate) const ITEM_SOURCE: SourceId = SourceId(0);

/// What an item's text gives.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Parsed {
    /// Its bodies, for each the name that its locations bear; one in all but odd cases.
    pub(crate) bodies: Vec<(Ident, Option<Arc<FrozenBody>>)>,
    /// The spans of the ops of each body, from the start of the item.
    pub(crate) spans: Vec<Arc<[(u32, u32)]>>,
    /// The names of each body's arguments as they are written, without `%`.
    args: Vec<Arc<[Ident]>>,
    /// What is wrong with the text, in spans from the start of the item.
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// The aliases of the program.
#[salsa::tracked(returns(ref))]
pub(crate) fn aliases(db: &dyn Db, program: Program) -> (AliasTable, Vec<Diagnostic>) {
    let text = &program.frame(db).aliases;
    parse_aliases(&program.setup(db).registry, ITEM_SOURCE, text, split(text).items)
}

/// The module's name and attributes as they are written.
#[salsa::tracked(returns(ref))]
pub(crate) fn written_header(db: &dyn Db, program: Program) -> (Header, Vec<Diagnostic>) {
    let frame = program.frame(db);
    let text = format!("{}\n{}", frame.aliases, frame.header);
    let (module, _, diagnostics) = parse_module(&program.setup(db).registry, ITEM_SOURCE, &text);
    (Header::of(&module), diagnostics)
}

/// Parses and verifies an item.
#[salsa::tracked(returns(ref))]
pub(crate) fn parsed(db: &dyn Db, program: Program, item: Item) -> Parsed {
    let registry = &program.setup(db).registry;
    let (aliases, _) = aliases(db, program);
    let origin = TextOrigin { source: ITEM_SOURCE, base: 0 };
    let name = Ident::of(item.name(db));
    let options = ParseOptions::default();
    let mut diagnostics = Vec::new();
    let items =
        parse_item(registry, item.text(db), origin, aliases, name, options, &mut diagnostics);
    let mut out = Parsed { bodies: Vec::new(), spans: Vec::new(), args: Vec::new(), diagnostics };
    for parsed in items {
        let mut map = tegula_ir::text::SourceMap::new();
        map.insert(parsed.item, ITEM_SOURCE, 0, parsed.spans.clone());
        let body = parsed.body.filter(|body| {
            let errors = verify::verify_body(registry, body);
            out.diagnostics.extend(errors.iter().map(|e| e.to_diagnostic(&map)));
            errors.is_empty()
        });
        out.bodies.push((parsed.item, body.map(|b| Arc::new(b.freeze()))));
        out.spans.push(parsed.spans);
        out.args.push(parsed.args);
    }
    out
}

/// The number of bodies of an item.
#[salsa::tracked(returns(copy))]
pub(crate) fn body_count(db: &dyn Db, program: Program, item: Item) -> usize {
    parsed(db, program, item).bodies.len()
}

/// One body of an item. An edit that only moves text or changes comments ends here.
#[salsa::tracked(returns(clone))]
pub(crate) fn item_body(
    db: &dyn Db,
    program: Program,
    item: Item,
    index: usize,
) -> Option<Arc<FrozenBody>> {
    parsed(db, program, item).bodies.get(index)?.1.clone()
}

/// The names of the arguments of an item, without `%`; none where they have none.
#[salsa::tracked(returns(clone))]
fn item_arg_names(db: &dyn Db, program: Program, item: Item) -> Arc<[Ident]> {
    parsed(db, program, item).args.first().cloned().unwrap_or_default()
}

/// The C signature of an item that is a public function.
#[salsa::tracked(returns(clone))]
pub(crate) fn item_signature(
    db: &dyn Db,
    program: Program,
    item: Item,
) -> Option<Result<Arc<Signature>, EmitError>> {
    let body = item_body(db, program, item, 0)?;
    let names = item_arg_names(db, program, item);
    let names: Vec<Option<String>> = names.iter().map(|n| Some(n.as_str().to_owned())).collect();
    let signature = source_signature(&program.setup(db).registry, body.body(), &names)?;
    Some(signature.map(Arc::new))
}

/// What of an item reads tensors that nothing has written, in spans from the start of the item.
#[salsa::tracked(returns(ref))]
pub(crate) fn item_unwritten_reads(db: &dyn Db, program: Program, item: Item) -> Vec<Diagnostic> {
    let parsed = parsed(db, program, item);
    let mut out = Vec::new();
    for ((name, body), spans) in parsed.bodies.iter().zip(&parsed.spans) {
        let Some(body) = body else { continue };
        let body = body.body();
        let reads = unwritten_reads(&program.setup(db).registry, body);
        if reads.is_empty() {
            continue;
        }
        let mut map = tegula_ir::text::SourceMap::new();
        map.insert(*name, ITEM_SOURCE, 0, spans.clone());
        for read in reads {
            let message = format!(
                "'{}' op reads its `{}`, which nothing has written",
                body.name(read.op),
                read.group
            );
            let mut warning = Diagnostic::warning("unwritten-read", message)
                .at_opt(map.op_span(body, read.op))
                .note("fill the tensor first, with `linalg.fill`");
            if let Some(span) = map.op_span(body, read.made) {
                warning = warning.label(span, "the tensor is made without contents here");
            }
            out.push(warning);
        }
    }
    out
}
