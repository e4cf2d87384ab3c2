//! Evaluating the IR between passes, and references in f64.

use tegula_diag::{Diagnostic, Sources, nearest};
use tegula_eval::{ScalarType, Tensor};
use tegula_ir::text::parse_module;
use tegula_ir::{Attr, AttrData, Body, FloatKind, Module, Registry, Type, TypeData};
use tegula_package::Signature;
use tegula_pass::{NoInstrument, Plan, run_pipeline};
use tegula_pipelines::{Phase, Setup, evaluate};

use crate::context::{Context, Done};
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
    match setup.plan(Phase::LAST) {
        Ok(plan) => Ok(plan),
        Err(errors) => {
            let found: Vec<Diagnostic> =
                (errors.iter()).map(|e| Diagnostic::error(e.code, e.message.clone())).collect();
            cx.show(&found)?;
            Err(crate::context::Failed)
        }
    }
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

/// Evaluates a function of the IR after a pass, named by its argument, `after NAME` or `NAME`;
/// where a pass runs several times `NAME#0` is the first and the plain name the last.
pub fn evaluate_after(
    cx: &mut Context,
    setup: &Setup,
    text: &str,
    pass: &str,
    signature: &Signature,
    inputs: &[Array],
) -> Done<Vec<Array>> {
    let plan = plan(cx, setup)?;
    let pass = pass.strip_prefix("after ").unwrap_or(pass);
    let module = if pass == INPUT {
        parse(&setup.registry, text)
    } else {
        let (name, occurrence) = match pass.rsplit_once('#') {
            Some((name, number)) => (name, number.parse::<usize>().ok()),
            None => (pass, None),
        };
        let steps = plan.steps();
        let found: Vec<usize> =
            steps.iter().filter(|s| s.pass.def.name == name).map(|s| s.index).collect();
        let index = match occurrence {
            Some(at) => found.get(at),
            None => found.last(),
        };
        match index {
            Some(&index) => {
                let (module, found) = module_after(setup, &plan, text, index);
                cx.show(&found)?;
                module
            }
            None => {
                let message = format!("no pass `{pass}` runs on the road");
                let mut error = Diagnostic::error("unknown-pass", message);
                let names = steps.iter().map(|s| s.pass.def.name.as_ref()).chain([INPUT]);
                if let Some(near) = nearest(name, names) {
                    error = error.note(format!("a similar name is `{near}`"));
                }
                return cx.fail(error);
            }
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

/// The results of the program as it was written, computed in f64: every f32 in it is made an f64.
pub fn reference(
    cx: &mut Context,
    setup: &Setup,
    text: &str,
    signature: &Signature,
    inputs: &[Array],
) -> Done<Vec<Array>> {
    let mut module = parse(&setup.registry, text);
    for body in &mut module.bodies {
        widen_body(body);
    }
    let inputs: Vec<Array> = inputs.iter().map(widen_array).collect();
    evaluate_module(cx, setup, &module, signature, &inputs)
}

fn widen_array(array: &Array) -> Array {
    match crate::values::floats(array) {
        Some(numbers) => Array {
            shape: array.shape.clone(),
            element: "f64",
            bytes: numbers.iter().flat_map(|x| x.to_le_bytes()).collect(),
        },
        None => array.clone(),
    }
}

fn widen_body(body: &mut Body) {
    let ops: Vec<_> = body.walk_all().collect();
    for op in ops {
        let attrs = body.attr_entries(op).iter().map(|&(name, attr)| (name, widen_attr(attr)));
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

fn widen_attr(attr: Attr) -> Attr {
    match attr.data() {
        AttrData::Float { bits, ty } if *ty == Type::f32() => {
            let wide = f64::from(f32::from_bits(*bits as u32));
            Attr::new(AttrData::Float { bits: wide.to_bits().into(), ty: Type::f64() })
        }
        AttrData::Dense { ty, data } if ty.element() == Some(Type::f32()) => {
            let widen = |bytes: &[u8]| -> Vec<u8> {
                let (numbers, _) = bytes.as_chunks::<4>();
                numbers
                    .iter()
                    .flat_map(|b| f64::from(f32::from_le_bytes(*b)).to_le_bytes())
                    .collect()
            };
            let data = match data {
                tegula_ir::DenseData::Splat(bytes) => {
                    tegula_ir::DenseData::Splat(widen(bytes).into())
                }
                tegula_ir::DenseData::Bytes(bytes) => {
                    tegula_ir::DenseData::Bytes(widen(bytes).into())
                }
            };
            Attr::new(AttrData::Dense { ty: widen_type(*ty), data })
        }
        AttrData::Type(ty) => Attr::ty(widen_type(*ty)),
        AttrData::Array(items) => {
            Attr::array(&items.iter().map(|&a| widen_attr(a)).collect::<Vec<_>>())
        }
        AttrData::Dict(entries) => {
            Attr::dict(entries.iter().map(|&(name, attr)| (name, widen_attr(attr))))
        }
        _ => attr,
    }
}
