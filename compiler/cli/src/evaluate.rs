//! Evaluating the IR between passes, and references in f64.

use tegula_diag::{Diagnostic, Sources, did_you_mean};
use tegula_eval::{ScalarType, Semantics, Tensor};
use tegula_ir::text::parse_module;
use tegula_ir::{Attr, AttrData, Body, FloatKind, Module, Registry, Type, TypeData};
use tegula_package::Signature;
use tegula_pass::{NoInstrument, Plan, run_pipeline};
use tegula_pipelines::{Phase, Setup, evaluate, evaluate_with};

use crate::bound::{self, Pair};
use crate::context::{Context, Done};
use crate::flags::CommandLine;
use crate::npy::{self, Array};

/// The name of the point before all passes.
pub const INPUT: &str = "input";

/// Parses a program that has been checked already.
pub fn parse(registry: &Registry, text: &str) -> Module {
    let mut sources = Sources::new();
    let id = sources.add_virtual("<program>", text);
    parse_module(registry, id, text).0
}

/// The plan of the whole road.
pub fn plan(cx: &mut Context, setup: &Setup) -> Done<Plan> {
    cx.planned(setup.plan(Phase::LAST))
}

/// The module after the pass of that number, and what passes up to it said.
pub fn module_after(
    setup: &Setup,
    plan: &Plan,
    text: &str,
    index: usize,
) -> (Module, Vec<Diagnostic>) {
    let poll = || {};
    let mut env = setup.env(&poll, false);
    env.until = Some(index);
    let run = run_pipeline(env, plan, parse(&setup.registry, text), &mut NoInstrument);
    let found = (run.reports.iter())
        .map(|r| tegula_db::report_diagnostic(r, &tegula_ir::text::SourceMap::new()));
    (run.value, found.collect())
}

/// A point of the road where the IR can be evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Point {
    /// Before all passes.
    Input,
    /// After the pass of that number.
    After(usize),
}

/// The point that `--interpret` names: `input`, or a pass by its argument, `after NAME` or `NAME`;
/// where it runs several times `NAME#0` is the first run and the plain name the last.
pub fn point(cx: &mut Context, setup: &Setup, line: &CommandLine, name: &str) -> Done<Point> {
    let plan = plan(cx, setup)?;
    let name = name.strip_prefix("after ").unwrap_or(name);
    if name == INPUT {
        return Ok(Point::Input);
    }
    let passes: Vec<(usize, String)> =
        plan.steps().iter().map(|s| (s.index, s.pass.def.name.to_string())).collect();
    match tegula_ide::find_pass(&passes, name) {
        Ok(index) => Ok(Point::After(index)),
        Err(error) => {
            let span = line.locate(&mut cx.sources, "--interpret");
            let mut diagnostic = Diagnostic::error("unknown-pass", error.message).at(span);
            diagnostic.notes.extend(error.hint.or_else(|| did_you_mean(name, [INPUT])));
            cx.fail(diagnostic)
        }
    }
}

/// Evaluates a function of the IR at a point of the road.
pub fn evaluate_at(
    cx: &mut Context,
    setup: &Setup,
    text: &str,
    point: Point,
    signature: &Signature,
    inputs: &[Array],
) -> Done<Vec<Array>> {
    let module = match point {
        Point::Input => parse(&setup.registry, text),
        Point::After(index) => {
            let plan = plan(cx, setup)?;
            let (module, found) = module_after(setup, &plan, text, index);
            cx.show(&found)?;
            module
        }
    };
    evaluate_module(cx, setup, &module, signature, inputs)
}

/// Evaluates a function of a module.
pub fn evaluate_module(
    cx: &mut Context,
    setup: &Setup,
    module: &Module,
    signature: &Signature,
    inputs: &[Array],
) -> Done<Vec<Array>> {
    match try_evaluate(setup, module, signature, inputs) {
        Ok(outputs) => Ok(outputs),
        Err(why) => cx.fail(Diagnostic::error("evaluation", why)),
    }
}

/// Evaluates a function of a module; why it can't, as one sentence.
pub fn try_evaluate(
    setup: &Setup,
    module: &Module,
    signature: &Signature,
    inputs: &[Array],
) -> Result<Vec<Array>, String> {
    let tensors: Result<Vec<Tensor>, String> = inputs.iter().map(to_tensor).collect();
    let outputs = evaluate(setup, module, signature, &tensors?).map_err(|e| e.to_string())?;
    outputs.into_iter().map(to_array).collect()
}

fn to_tensor(array: &Array) -> Result<Tensor, String> {
    let elem = match array.element {
        "f16" => ScalarType::Float(FloatKind::F16),
        "f32" => ScalarType::Float(FloatKind::F32),
        "f64" => ScalarType::Float(FloatKind::F64),
        int => {
            let width =
                int.trim_start_matches('i').parse().map_err(|_| "a strange element type")?;
            ScalarType::Int(width)
        }
    };
    Tensor::from_bytes(&array.shape, elem, array.bytes.clone()).map_err(|e| e.to_string())
}

fn to_array(tensor: Tensor) -> Result<Array, String> {
    let element = tegula_ir::text::print_type(&Registry::default(), tensor.elem.ty());
    let element = npy::element_name(&element)
        .ok_or_else(|| format!("results of type {element} can't be shown"))?;
    Ok(Array { shape: tensor.shape.to_vec(), element, bytes: tensor.data.to_vec() })
}

/// What the results of a program should be.
pub struct Reference {
    /// Computed in f64.
    pub numbers: Vec<Array>,
    /// By how much each element may be off; or the op that no bound is known for.
    pub errors: Result<Vec<Vec<f64>>, String>,
}

/// The results of the program as it was written, computed in f64: every f32 in it is made an f64.
pub fn reference(
    cx: &mut Context,
    setup: &Setup,
    text: &str,
    signature: &Signature,
    inputs: &[Array],
) -> Done<Vec<Array>> {
    let (module, inputs) = widened(setup, text, inputs, |number| f64::from(number).to_bits());
    evaluate_module(cx, setup, &module, signature, &inputs)
}

/// The reference, and how far rounding may take results from it.
pub fn reference_with_errors(
    cx: &mut Context,
    setup: &Setup,
    text: &str,
    signature: &Signature,
    inputs: &[Array],
) -> Done<Reference> {
    let numbers = reference(cx, setup, text, signature, inputs)?;
    let (module, inputs) = widened(setup, text, inputs, |number| Pair::given(number).bits());
    if let Some(op) = bound::unknown(&module) {
        return Ok(Reference { numbers, errors: Err(op) });
    }
    let semantics = Semantics::merge([setup.semantics.clone(), bound::semantics()]);
    let errors = |tensor: &Tensor| {
        let (bits, _) = tensor.data.as_chunks();
        bits.iter().map(|b| Pair::from_bits(u64::from_le_bytes(*b)).error()).collect()
    };
    let tensors: Result<Vec<Tensor>, String> = inputs.iter().map(to_tensor).collect();
    let results = tensors.and_then(|tensors| {
        evaluate_with(setup, &semantics, &module, signature, &tensors).map_err(|e| e.to_string())
    });
    match results {
        Ok(results) => Ok(Reference { numbers, errors: Ok(results.iter().map(errors).collect()) }),
        Err(why) => cx.fail(Diagnostic::error("evaluation", why)),
    }
}

/// A program and its inputs with every f32 made an f64 whose bits are given.
fn widened(
    setup: &Setup,
    text: &str,
    inputs: &[Array],
    bits: fn(f32) -> u64,
) -> (Module, Vec<Array>) {
    let mut module = parse(&setup.registry, text);
    for body in &mut module.bodies {
        widen_body(body, bits);
    }
    (module, inputs.iter().map(|array| widen_array(array, bits)).collect())
}

fn widen_array(array: &Array, bits: fn(f32) -> u64) -> Array {
    match array.element {
        "f32" => Array {
            shape: array.shape.clone(),
            element: "f64",
            bytes: widen_bytes(&array.bytes, bits),
        },
        _ => array.clone(),
    }
}

fn widen_bytes(bytes: &[u8], bits: fn(f32) -> u64) -> Vec<u8> {
    let (numbers, _) = bytes.as_chunks::<4>();
    numbers.iter().flat_map(|b| bits(f32::from_le_bytes(*b)).to_le_bytes()).collect()
}

fn widen_body(body: &mut Body, bits: fn(f32) -> u64) {
    let ops: Vec<_> = body.walk_all().collect();
    for op in ops {
        let attrs =
            body.attr_entries(op).iter().map(|&(name, attr)| (name, widen_attr(attr, bits)));
        let attrs = Attr::dict(attrs);
        body.set_attrs(op, attrs);
        let mut values: Vec<_> = body.results(op).collect();
        for &region in body.regions(op) {
            for block in body.blocks(region) {
                values.extend(body.block_args(block));
            }
        }
        for value in values {
            body.set_type(value, widen_type(body.ty(value)));
        }
    }
}

fn widen_type(ty: Type) -> Type {
    match ty.data() {
        TypeData::Float(FloatKind::F32) => Type::f64(),
        TypeData::Function { inputs, results } => {
            let all = |types: &[Type]| types.iter().map(|&t| widen_type(t)).collect::<Vec<_>>();
            Type::function(&all(inputs), &all(results))
        }
        _ => match ty.element() {
            Some(element) => ty.with_element(widen_type(element)),
            None => ty,
        },
    }
}

fn widen_attr(attr: Attr, number: fn(f32) -> u64) -> Attr {
    match attr.data() {
        AttrData::Float { bits, ty } if *ty == Type::f32() => {
            let wide = number(f32::from_bits(*bits as u32));
            Attr::new(AttrData::Float { bits: wide.into(), ty: Type::f64() })
        }
        AttrData::Dense { ty, data } if ty.element() == Some(Type::f32()) => {
            let data = match data {
                tegula_ir::DenseData::Splat(bytes) => {
                    tegula_ir::DenseData::Splat(widen_bytes(bytes, number).into())
                }
                tegula_ir::DenseData::Bytes(bytes) => {
                    tegula_ir::DenseData::Bytes(widen_bytes(bytes, number).into())
                }
            };
            Attr::new(AttrData::Dense { ty: widen_type(*ty), data })
        }
        AttrData::Type(ty) => Attr::ty(widen_type(*ty)),
        AttrData::Array(items) => {
            Attr::array(&items.iter().map(|&a| widen_attr(a, number)).collect::<Vec<_>>())
        }
        AttrData::Dict(entries) => {
            Attr::dict(entries.iter().map(|&(name, attr)| (name, widen_attr(attr, number))))
        }
        _ => attr,
    }
}
