//! The entry point.

use tegula_ir::Module;

use crate::{EvalError, Interp, Limits, Semantics, Value};

/// Calls a function of a module by its name and gives its results.
pub fn run_function(
    module: &Module,
    semantics: &Semantics,
    name: &str,
    args: &[Value],
) -> Result<Vec<Value>, EvalError> {
    let mut interp = Interp::new(module, semantics, Limits::default());
    run_function_with(&mut interp, name, args)
}

/// Calls a function in a run that the caller prepared; buffers that it made stay readable.
pub fn run_function_with(
    interp: &mut Interp<'_>,
    name: &str,
    args: &[Value],
) -> Result<Vec<Value>, EvalError> {
    let module = interp.module;
    let body = module
        .symbol(name)
        .ok_or_else(|| EvalError::new(format!("the module has no function @{name}")))?;
    let root =
        body.root().ok_or_else(|| EvalError::new(format!("the module has no function @{name}")))?;
    interp.call(body, root, args).map_err(|e| e.at(body, root))
}
