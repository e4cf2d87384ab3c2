//! `iree-stream-specialize-encodings`: encodings become the layouts that the device chooses.

use std::collections::BTreeMap;

use tegula_dialect_iree_cpu::resolver::resolve;
use tegula_dialect_iree_encoding::encoding::{layout_attr, with_encoding};
use tegula_ir::{Attr, Body, OpId, Registry, Type};
use tegula_pass::{
    Changed, Failed, Header, PassCx, PassResult, SolveBySubject, Statement, Subject, Verdicts,
};

/// The attributes of `stream.tensor` ops that hold tensor types, alone or in a list.
const ENCODINGS: &[&str] = &[
    "encoding",
    "source_encoding",
    "result_encoding",
    "target_encoding",
    "operand_encodings",
    "result_encodings",
];

const DISPATCH_TENSOR: &str = "iree_tensor_ext.dispatch.tensor";

/// The pass.
pub(crate) struct SpecializeEncodings;

/// The configurations of the module's devices by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Devices {
    by_name: BTreeMap<String, Vec<Attr>>,
    /// The device that ops without one run on.
    default: Option<Attr>,
}

impl SolveBySubject for SpecializeEncodings {
    type Claim = ();
    /// The device that a global holds: its name and the configurations of its executable targets.
    type Shared = (String, Vec<Attr>);
    type Common = Devices;
    type Verdict = ();

    fn summarize(
        &self,
        _: &Registry,
        _: &Header,
        body: &Body,
        root: OpId,
    ) -> Statement<(), Self::Shared> {
        Statement { shared: device(body, root), ..Statement::default() }
    }

    fn common(&self, cx: &mut PassCx<'_>, devices: &[&Self::Shared]) -> Result<Devices, Failed> {
        let by_name = devices.iter().map(|&device| device.clone()).collect();
        let default = cx.header.attr("stream.affinity.default");
        Ok(Devices { by_name, default })
    }

    fn decide(&self, _: &mut PassCx<'_>, _: &Devices, _: Subject, _: &[&()]) -> Result<(), Failed> {
        Ok(())
    }

    fn apply(
        &self,
        cx: &mut PassCx<'_>,
        body: &mut Body,
        root: OpId,
        devices: &Devices,
        _: &Verdicts<'_, ()>,
    ) -> PassResult {
        let mut changed = Changed::No;
        let ops: Vec<OpId> = body.walk(root).collect();
        for op in ops {
            changed |= match body.name(op).as_str() {
                "stream.binding.subspan" => specialize_binding(cx, body, op, devices)?,
                name if name.starts_with("stream.tensor.") => {
                    specialize_attrs(cx, body, op, devices)?
                }
                _ => Changed::No,
            };
        }
        Ok(changed)
    }
}

fn device(body: &Body, root: OpId) -> Option<(String, Vec<Attr>)> {
    if !body.is(root, "util.global") {
        return None;
    }
    let params = body.attr(root, "initial_value")?.dialect_params("hal.device.target")?;
    let targets = params.get(2)?.as_array()?;
    let config = |target: &Attr| target.dialect_params("hal.executable.target")?.get(2).copied();
    let configs: Option<Vec<Attr>> = targets.iter().map(config).collect();
    Some((body.symbol_name(root)?.to_owned(), configs?))
}

impl Devices {
    /// The configurations of the targets on which an op with this affinity runs.
    fn configs(&self, affinity: Option<Attr>) -> Option<&[Attr]> {
        let params = affinity.or(self.default)?.dialect_params("hal.device.affinity")?;
        let name = params.first()?.as_symbol_root()?;
        self.by_name.get(name.as_str()).map(Vec::as_slice)
    }
}

/// The type with its encoding resolved; the type itself when it has none or it is resolved.
fn specialize(
    cx: &mut PassCx<'_>,
    body: &Body,
    op: OpId,
    ty: Type,
    devices: &Devices,
) -> Result<Type, Failed> {
    let open = ty.encoding().filter(|e| e.dialect_params("iree_encoding.encoding").is_some());
    let Some(encoding) = open else { return Ok(ty) };
    let Some(configs) = devices.configs(body.attr(op, "affinity")) else {
        let message = "no device is known on which this runs, so its encoding has no layout";
        return Err(cx.error(body, op, "no-device", message));
    };
    let resolved: Option<Vec<Attr>> = (configs.iter())
        .map(|&config| Some(resolve(cx.registry, config, ty)?.write(config, encoding)))
        .collect();
    match resolved {
        Some(layouts) if !layouts.is_empty() => Ok(with_encoding(ty, Some(layout_attr(&layouts)))),
        _ => {
            let message = format!("the device can't choose a layout for `{ty}`");
            Err(cx.error(body, op, "unresolved-encoding", message))
        }
    }
}

fn specialize_attrs(
    cx: &mut PassCx<'_>,
    body: &mut Body,
    op: OpId,
    devices: &Devices,
) -> PassResult {
    let mut changed = Changed::No;
    for name in ENCODINGS {
        let Some(old) = body.attr(op, name) else { continue };
        let new = match (old.as_type(), old.as_array()) {
            (Some(ty), _) => Attr::ty(specialize(cx, body, op, ty, devices)?),
            (None, Some(items)) => {
                let mut new = Vec::with_capacity(items.len());
                for &item in items {
                    new.push(match item.as_type() {
                        Some(ty) => Attr::ty(specialize(cx, body, op, ty, devices)?),
                        None => item,
                    });
                }
                Attr::array(&new)
            }
            (None, None) => continue,
        };
        if new != old {
            cx.rewriter(body).set_attr(op, name, new);
            changed = Changed::Yes;
        }
    }
    Ok(changed)
}

/// Bindings hold tensors as they lie in memory. What is loaded from them still says what it is used
/// for, which is how code generation knows what to compute.
fn specialize_binding(
    cx: &mut PassCx<'_>,
    body: &mut Body,
    op: OpId,
    devices: &Devices,
) -> PassResult {
    let value = body.result(op, 0);
    let Some(&[access, bound]) = body.ty(value).dialect_params(DISPATCH_TENSOR) else {
        return Ok(Changed::No);
    };
    let Some(ty) = bound.as_type() else { return Ok(Changed::No) };
    let new = specialize(cx, body, op, ty, devices)?;
    if new == ty {
        return Ok(Changed::No);
    }
    cx.rewriter(body).set_type(value, Type::dialect(DISPATCH_TENSOR, &[access, Attr::ty(new)]));
    Ok(Changed::Yes)
}
