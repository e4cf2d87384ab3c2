//! Dispatches at run time: calls of device code with one workgroup.
//!
//! Device code gets its bindings and values as arguments of its function, or, once it has none,
//! through [`Interface`].

use tegula_eval::{EvalError, Flow, Frame, Interp, Span, Value};
use tegula_ir::{Attr, Body, OpId, Registry, TypeData};

use crate::passes::tied_operands;
use crate::semantics::device_function;

/// What the dispatch that runs was given, for device code that takes no arguments.
#[derive(Clone, Debug, Default)]
pub struct Interface {
    /// The bindings by number.
    pub bindings: Vec<Span>,
    /// The constants by ordinal.
    pub constants: Vec<Value>,
}

/// Calls device code with bindings and values, each in order; the types of the function's arguments
/// say which is which.
fn call<'m>(
    interp: &mut Interp<'m>,
    (body, function): (&'m Body, OpId),
    bindings: Vec<Span>,
    values: Vec<Value>,
) -> Result<(), EvalError> {
    let ty = body.attr(function, "function_type").and_then(Attr::as_type);
    let Some(TypeData::Function { inputs, .. }) = ty.map(|ty| ty.data()) else {
        return Err(EvalError::new("dispatches something that is no function"));
    };
    let mut args = Vec::new();
    if !inputs.is_empty() {
        let (mut spans, mut others) = (bindings.iter(), values.iter());
        for input in inputs.iter() {
            let next = match input.dialect_params("stream.binding") {
                Some(_) => spans.next().map(|&span| Value::Span(span)),
                None => others.next().cloned(),
            };
            args.push(next.ok_or("passes fewer arguments than the function takes")?);
        }
        if spans.next().is_some() || others.next().is_some() {
            return Err(EvalError::new("passes more arguments than the function takes"));
        }
    }
    let interface = Interface { bindings, constants: values };
    let outer = std::mem::replace(interp.state::<Interface>(), interface);
    let result = interp.call(body, function, &args);
    *interp.state::<Interface>() = outer;
    result.map(|_| ())
}

/// The definitions that say what results are tied to.
struct Definitions(Registry);

impl Default for Definitions {
    fn default() -> Self {
        Definitions(Registry::new([crate::entry()]))
    }
}

/// For each result the number of the operand, after so many others, whose storage it shares.
fn tied(interp: &mut Interp<'_>, frame: &Frame<'_>, op: OpId, others: usize) -> Vec<Option<usize>> {
    let Definitions(registry) = interp.state();
    let all = tied_operands(registry, frame.body, op).into_iter();
    all.map(|operand| operand?.checked_sub(others)).collect()
}

/// Runs a dispatch with value semantics: results are new resources behind the operands, or copies
/// of the operands that they are tied to.
fn run<'m>(
    interp: &mut Interp<'m>,
    frame: &mut Frame<'m>,
    op: OpId,
    ranges: Option<(usize, usize)>,
    sizes: usize,
) -> Result<Flow, EvalError> {
    let callee = device_function(interp, frame, op)?;
    let mut operands = frame.values(frame.segment(op, 1)?)?;
    let sizes = frame.ints(frame.segment(op, sizes)?)?;
    let tied = tied(interp, frame, op, frame.segment(op, 0)?.len());
    let mut results = Vec::new();
    for (&size, tied) in sizes.iter().zip(&tied) {
        let span = interp.memory.undefined(size)?;
        if let Some(operand) = tied.and_then(|at| operands.get_mut(at)) {
            let old = operand.as_span()?;
            let length = old.length.min(span.length);
            interp.memory.copy(old.slice(0, length)?, span.slice(0, length)?)?;
            *operand = Value::Span(span);
        }
        results.push(span);
    }
    let (offsets, lengths) = match ranges {
        Some((offsets, lengths)) => {
            (frame.ints(frame.segment(op, offsets)?)?, frame.ints(frame.segment(op, lengths)?)?)
        }
        None => Default::default(),
    };
    let mut ranges = offsets.iter().zip(&lengths);
    let (mut bindings, mut values) = (Vec::new(), Vec::new());
    for operand in operands {
        match operand {
            Value::Span(span) => bindings.push(match ranges.next() {
                Some((&offset, &length)) => span.range(offset, length)?,
                None => span,
            }),
            value => values.push(value),
        }
    }
    let fresh = results.iter().zip(&tied).filter(|(_, tied)| tied.is_none());
    bindings.extend(fresh.map(|(span, _)| *span));
    call(interp, callee, bindings, values)?;
    frame.set_results(op, results.into_iter().map(Value::Span))?;
    Ok(Flow::Next)
}

pub(crate) fn tensor_dispatch<'m>(
    interp: &mut Interp<'m>,
    frame: &mut Frame<'m>,
    op: OpId,
) -> Result<Flow, EvalError> {
    run(interp, frame, op, None, 4)
}

pub(crate) fn async_dispatch<'m>(
    interp: &mut Interp<'m>,
    frame: &mut Frame<'m>,
    op: OpId,
) -> Result<Flow, EvalError> {
    run(interp, frame, op, Some((3, 5)), 6)
}

pub(crate) fn cmd_dispatch<'m>(
    interp: &mut Interp<'m>,
    frame: &mut Frame<'m>,
    op: OpId,
) -> Result<Flow, EvalError> {
    let callee = device_function(interp, frame, op)?;
    let values = frame.values(frame.segment(op, 1)?)?;
    let offsets = frame.ints(frame.segment(op, 4)?)?;
    let lengths = frame.ints(frame.segment(op, 5)?)?;
    let mut bindings = Vec::new();
    for (at, resource) in frame.values(frame.segment(op, 2)?)?.into_iter().enumerate() {
        let (Some(&offset), Some(&length)) = (offsets.get(at), lengths.get(at)) else {
            return Err(EvalError::new("has a resource without a range"));
        };
        bindings.push(resource.as_span()?.range(offset, length)?);
    }
    call(interp, callee, bindings, values)?;
    Ok(Flow::Next)
}
