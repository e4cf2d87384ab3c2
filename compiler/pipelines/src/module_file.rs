//! From the phase `vm` to the file that the runtime loads.

use tegula_ir::{Module, Names};
use tegula_pass::{NoInstrument, Plan, Report, Severity, run_pipeline};

use crate::Setup;

/// Gives what the file numbers its number.
const NUMBERED: &str = "builtin.module(vm.module(iree-vm-ordinal-allocation))";

/// The module file of a program after the phase `vm`; otherwise what stands in the way.
pub fn module_file(setup: &Setup, program: Module) -> Result<Vec<u8>, Vec<Report>> {
    let plan = Plan::new(&setup.passes, NUMBERED, &[]).map_err(|errors| {
        errors.into_iter().map(|e| Report::error(e.code, e.message)).collect::<Vec<_>>()
    })?;
    let poll = || {};
    let run = run_pipeline(setup.env(&poll, false), &plan, program, &mut NoInstrument);
    if run.result.is_err() {
        return Err(run.reports);
    }
    let program = run.value;
    let symbols = program.bodies.iter().filter_map(|body| body.symbol_name(body.root()?));
    let names = Names::assign(symbols.collect::<Vec<_>>());
    let modules: Vec<_> = (program.bodies.iter())
        .filter_map(|body| Some((body, body.root().filter(|&root| body.is(root, "vm.module"))?)))
        .collect();
    let at = |(body, op), code: &str, message: String| {
        vec![Report::at(Severity::Error, body, op, code, message)]
    };
    match modules[..] {
        [(body, root)] => tegula_bytecode::module_file(&setup.registry, &names, body, root)
            .map_err(|no| at((body, no.op), no.code, no.message)),
        [] => Err(vec![Report::error("no-module", "the program is no `vm.module`")]),
        [_, second, ..] => Err(at(
            second,
            "several-modules",
            "is a second module, where a file holds one".to_owned(),
        )),
    }
}
