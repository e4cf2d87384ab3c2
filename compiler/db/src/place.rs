//! What of a program is not where it can be compiled from: ops of other phases than the one that it is
//! said to have been through, and dispatches to what is not there.

use tegula_diag::Diagnostic;
use tegula_ir::Attr;
use tegula_ir::text::SourceMap;
use tegula_ir::verify::{refers, resolve_symbol};
use tegula_pipelines::out_of_phase;

use crate::database::Db;
use crate::parse::{ITEM_SOURCE, item_body, parsed};
use crate::{Item, Program};

/// What an item holds that programs of the phase do not, in spans from the start of the item.
#[salsa::tracked(returns(ref))]
pub(crate) fn item_out_of_phase(db: &dyn Db, program: Program, item: Item) -> Vec<Diagnostic> {
    let setup = program.setup(db);
    let parsed = parsed(db, program, item);
    let mut out = Vec::new();
    for ((name, body), spans) in parsed.bodies.iter().zip(&parsed.spans) {
        let Some(body) = body.as_ref().map(|body| body.body()) else { continue };
        let Some(found) = out_of_phase(&setup.registry, body, setup.from) else { continue };
        let mut map = SourceMap::new();
        map.insert(*name, ITEM_SOURCE, 0, spans.clone());
        let (op, phase, from) = (body.name(found.op), found.phase.name(), setup.from.name());
        let how = match found.phase < setup.from {
            true => "hold it no longer",
            false => "do not hold it yet",
        };
        let message = format!(
            "'{op}' op belongs to the phase `{phase}`: programs that have been through `{from}` {how}"
        );
        let note = format!("where the program has been through `{phase}`: --compile-from={phase}");
        let error = Diagnostic::error("wrong-phase", message).note(note);
        out.push(error.at_opt(map.op_span(body, found.op)));
    }
    out
}

/// What the dispatches of an item run that the item does not hold itself, each with the error for
/// it to be nowhere, in spans from the start of the item.
#[salsa::tracked(returns(ref))]
pub(crate) fn item_dispatched(
    db: &dyn Db,
    program: Program,
    item: Item,
) -> Vec<(Attr, Diagnostic)> {
    let registry = &program.setup(db).registry;
    let parsed = parsed(db, program, item);
    let mut out = Vec::new();
    for ((name, body), spans) in parsed.bodies.iter().zip(&parsed.spans) {
        let Some(body) = body.as_ref().map(|body| body.body()) else { continue };
        let mut map = SourceMap::new();
        map.insert(*name, ITEM_SOURCE, 0, spans.clone());
        for op in body.walk_all() {
            let entries = body.attr(op, "entry_points").and_then(Attr::as_array).unwrap_or(&[]);
            for &entry in entries {
                if resolve_symbol(registry, body, op, entry).is_some() {
                    continue;
                }
                let message =
                    format!("'{}' op runs {entry}, which is not in the program", body.name(op));
                let error = Diagnostic::error("undefined-entry-point", message);
                out.push((entry, error.at_opt(map.op_span(body, op))));
            }
        }
    }
    out
}

/// Whether an item holds what a symbol names.
pub(crate) fn holds(db: &dyn Db, program: Program, item: Item, symbol: Attr) -> bool {
    let Some(body) = item_body(db, program, item, 0) else { return true };
    let body = body.body();
    let found = |root| resolve_symbol(&program.setup(db).registry, body, root, symbol);
    body.root().and_then(found).is_some()
}

/// Whether an item calls or refers to something by name.
#[salsa::tracked(returns(copy))]
pub(crate) fn item_refers(db: &dyn Db, program: Program, item: Item) -> bool {
    let registry = &program.setup(db).registry;
    let bodies = parsed(db, program, item).bodies.iter();
    bodies.flat_map(|(_, body)| body).any(|body| refers(registry, body.body()))
}
