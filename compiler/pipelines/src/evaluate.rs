//! Running a function of a module at any level of the road.

use tegula_dialect_hal::BufferView;
use tegula_eval::{EvalError, Semantics, Tensor, Value, run_function};
use tegula_ir::{Attr, Body, Module, OpId, Type, TypeData};
use tegula_package::Signature;

use crate::{EmitError, Emitter, Setup, run_machine_ops};

/// Calls a function with tensors: as it is where it takes tensors, through buffer views where it has
/// the interface of the runtime, and through its C entry where its dispatches are machine ops.
pub fn evaluate(
    setup: &Setup,
    module: &Module,
    signature: &Signature,
    inputs: &[Tensor],
) -> Result<Vec<Tensor>, EvalError> {
    evaluate_with(setup, &setup.semantics, module, signature, inputs)
}

/// The same where ops mean something else, machine ops aside.
pub fn evaluate_with(
    setup: &Setup,
    semantics: &Semantics,
    module: &Module,
    signature: &Signature,
    inputs: &[Tensor],
) -> Result<Vec<Tensor>, EvalError> {
    let name = signature.function.as_str();
    let body = module
        .symbol(name)
        .ok_or_else(|| EvalError::new(format!("the module has no function @{name}")))?;
    let root = body.root().ok_or_else(|| EvalError::new("the function is empty"))?;
    if is_machine_code(module) {
        return machine(setup, module, body, signature, inputs);
    }
    let args = arguments(body, root, inputs)?;
    let results = run_function(module, semantics, name, &args)?;
    results.into_iter().map(tensor).collect()
}

/// Whether a module's dispatches are machine ops, at least in part: they run through C entries.
pub fn is_machine_code(module: &Module) -> bool {
    let machine = |body: &Body| body.walk_all().any(|op| body.name(op).dialect() == "neon");
    module.bodies.iter().any(machine)
}

fn arguments(body: &Body, root: OpId, inputs: &[Tensor]) -> Result<Vec<Value>, EvalError> {
    let ty = body.attr(root, "function_type").and_then(Attr::as_type);
    let Some(TypeData::Function { inputs: types, .. }) = ty.map(|ty| ty.data()) else {
        return Err(EvalError::new("the symbol is no function"));
    };
    if types.len() != inputs.len() {
        return Err(EvalError::new(format!(
            "the function takes {} arguments and is given {}",
            types.len(),
            inputs.len()
        )));
    }
    let view = |ty: Type| ty.dialect_params("hal.buffer_view").is_some();
    let wrap = |(ty, tensor): (&Type, &Tensor)| match view(*ty) {
        true => Value::opaque(BufferView(tensor.clone())),
        false => Value::Tensor(tensor.clone()),
    };
    Ok(types.iter().zip(inputs).map(wrap).collect())
}

fn tensor(value: Value) -> Result<Tensor, EvalError> {
    match value {
        Value::Tensor(tensor) => Ok(tensor),
        other => Ok(other.as_opaque::<BufferView>()?.0.clone()),
    }
}

fn machine(
    setup: &Setup,
    module: &Module,
    body: &Body,
    signature: &Signature,
    inputs: &[Tensor],
) -> Result<Vec<Tensor>, EvalError> {
    let wrong = |error: EmitError| EvalError::new(error.message);
    let emitter = Emitter::new(setup).map_err(wrong)?;
    let schedule = emitter.schedule(body, signature).map_err(wrong)?;
    let mut contents: Vec<Vec<u8>> = Vec::new();
    for param in &signature.params {
        contents.push(match param.input.and_then(|at| inputs.get(at)) {
            Some(tensor) => tensor.data.to_vec(),
            None => {
                let bytes = tegula_package::byte_size(param.ty).unwrap_or(0);
                vec![0; usize::try_from(bytes).unwrap_or(0)]
            }
        });
    }
    run_machine_ops(module, signature, &schedule, &mut contents).map_err(wrong)?;
    let mut results: Vec<(usize, Tensor)> = Vec::new();
    for (param, bytes) in signature.params.iter().zip(contents) {
        let Some(number) = param.output else { continue };
        let elem = param.ty.element().and_then(tegula_eval::ScalarType::of);
        let elem = elem.ok_or("a result's element type can't be evaluated")?;
        let shape = param.ty.shape().unwrap_or(&[]);
        results.push((number, Tensor::from_bytes(shape, elem, bytes)?));
    }
    results.sort_by_key(|(number, _)| *number);
    Ok(results.into_iter().map(|(_, tensor)| tensor).collect())
}
