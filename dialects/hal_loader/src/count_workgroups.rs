//! `tegula-hal-loader-count-workgroups`: dispatches say how many workgroups they run.

use tegula_dialect_hal::executable::{Entry, children};
use tegula_ir::{Attr, Body, InsertPoint, Module, OpId, ValueId};
use tegula_pass::{Changed, Failed, PassCx, PassResult};
use tegula_rewrite::Rewriter;

/// The attribute of a dispatch whose workload is the number of workgroups: the full name of its
/// entry point.
const ENTRY: &str = "hal_loader.entry_point";

/// Runs the pass.
pub(crate) fn run(cx: &mut PassCx<'_>, module: &mut Module) -> PassResult {
    let mut found = Vec::new();
    for (at, body) in module.bodies.iter().enumerate() {
        let dispatches = body.walk_all().filter(|&op| body.is(op, "stream.cmd.dispatch"));
        for dispatch in dispatches.filter(|&op| body.attr(op, ENTRY).is_none()) {
            found.push((at, dispatch, entry_of(cx, module, body, dispatch)?));
        }
    }
    for (at, dispatch, entry) in &found {
        // The executable is another body.
        let mut body = std::mem::take(&mut module.bodies[*at]);
        let counted = count(cx, module, &mut body, *dispatch, entry);
        let counted = counted.map_err(|why| cx.error(&body, *dispatch, "no-count", why));
        module.bodies[*at] = body;
        counted?;
    }
    Ok(Changed::when(!found.is_empty()))
}

fn entry_of(
    cx: &mut PassCx<'_>,
    module: &Module,
    body: &Body,
    dispatch: OpId,
) -> Result<Entry, Failed> {
    let entries = body.attr(dispatch, "entry_points").and_then(Attr::as_array).unwrap_or(&[]);
    let &[entry] = entries else {
        let message = "the dispatch has a choice of entry points; only one can be loaded";
        return Err(cx.error(body, dispatch, "several-variants", message));
    };
    let found = Entry::find(module, entry).filter(|entry| {
        let body = &module.bodies[entry.executable];
        let root = body.root();
        root.is_some_and(|root| children(body, root, "hal.executable.variant").count() == 1)
    });
    found.ok_or_else(|| {
        let message = format!("no executable with exactly one variant has the entry point {entry}");
        cx.error(body, dispatch, "no-entry", message)
    })
}

/// Makes the number of workgroups the workload.
fn count(
    cx: &PassCx<'_>,
    module: &Module,
    body: &mut Body,
    dispatch: OpId,
    entry: &Entry,
) -> Result<(), String> {
    let registry = cx.registry;
    let executable = &module.bodies[entry.executable];
    let workload: Vec<ValueId> = registry.operands_of(body, dispatch, "workload");
    let mut rw = Rewriter::new(body, registry);
    let at = InsertPoint::Before(dispatch);
    let counts = entry.export.count_workgroups(executable, &mut rw, at, &workload)?;
    rw.modify(dispatch, |body| registry.set_operands_of(body, dispatch, "workload", &counts));
    rw.set_attr(dispatch, ENTRY, Attr::symbol_path(&entry.path));
    Ok(())
}
