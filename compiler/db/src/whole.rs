//! Phases that see the whole module: the exception, which reruns on every edit.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use tegula_ir::{FrozenBody, Module};
use tegula_pass::{Header, NoInstrument, Plan, Report, run_pipeline};

use crate::Program;
use crate::phase::{body_at, header_at, no_poll, plan};
use crate::symbols::{Origin, Symbol, Symbols, symbols_at};

/// What such a phase makes of the module.
#[derive(Clone, Debug, PartialEq, salsa::SalsaValue)]
pub(crate) struct Whole<'db> {
    pub(crate) header: Arc<Header>,
    pub(crate) symbols: Symbols<'db>,
    /// In the order of the symbols; empty when the phase failed.
    pub(crate) bodies: Vec<Arc<FrozenBody>>,
    pub(crate) reports: Vec<Report>,
}

/// Runs such a phase. Symbols are known again by name, those without one by position.
#[salsa::tracked(returns(ref), no_eq)]
pub(crate) fn whole<'db>(
    db: &'db dyn salsa::Database,
    program: Program,
    phase: usize,
) -> Whole<'db> {
    let header = header_at(db, program, phase);
    let mut module =
        Module { name: header.name, attrs: header.attrs, loc: None, bodies: Vec::new() };
    let mut named: FxHashMap<&'static str, Symbol<'db>> = FxHashMap::default();
    let mut anonymous = Vec::new();
    for &symbol in &symbols_at(db, program, phase).list {
        let Some(body) = body_at(db, program, phase, symbol) else { continue };
        let name = body.body().root().and_then(|root| body.body().symbol_name(root));
        match name {
            Some(name) => {
                named.insert(name, symbol);
            }
            None => anonymous.push(symbol),
        }
        module.bodies.push(body.thaw());
    }
    let planned = plan(db, program);
    let phases = planned.0.phases.get(phase).cloned().into_iter().collect();
    let one = Plan { phases, count: planned.0.count };
    let setup = program.setup(db);
    let run = run_pipeline(setup.env(&no_poll, false), &one, module, &mut NoInstrument);
    let mut anonymous = anonymous.into_iter();
    let mut out = Whole {
        header: Arc::new(Header::of(&run.value)),
        symbols: Symbols { list: Vec::new(), failed: run.result.is_err() },
        bodies: Vec::new(),
        reports: run.reports,
    };
    for (index, body) in run.value.bodies.iter().enumerate() {
        let known = match body.root().and_then(|root| body.symbol_name(root)) {
            Some(name) => named.remove(name),
            None => anonymous.next(),
        };
        let symbol =
            known.unwrap_or_else(|| Symbol::new(db, Origin::Whole(phase as u32, index as u32)));
        out.symbols.list.push(symbol);
        if run.result.is_ok() {
            out.bodies.push(Arc::new(body.freeze()));
        }
    }
    out
}

/// The header that such a phase leaves.
#[salsa::tracked(returns(clone))]
pub(crate) fn whole_header(
    db: &dyn salsa::Database,
    program: Program,
    phase: usize,
) -> Arc<Header> {
    whole(db, program, phase).header.clone()
}

/// The symbols that such a phase leaves.
#[salsa::tracked(returns(ref))]
pub(crate) fn whole_symbols<'db>(
    db: &'db dyn salsa::Database,
    program: Program,
    phase: usize,
) -> Symbols<'db> {
    whole(db, program, phase).symbols.clone()
}

/// The body that such a phase leaves of a symbol.
#[salsa::tracked(returns(clone))]
pub(crate) fn whole_body<'db>(
    db: &'db dyn salsa::Database,
    program: Program,
    phase: usize,
    symbol: Symbol<'db>,
) -> Option<Arc<FrozenBody>> {
    let whole = whole(db, program, phase);
    let at = whole.symbols.list.iter().position(|&s| s == symbol)?;
    whole.bodies.get(at).cloned()
}
