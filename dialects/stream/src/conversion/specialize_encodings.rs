//! `iree-stream-specialize-encodings`: encodings become the layouts that devices choose.
//!
//! Ops that run on a device get the layouts of that device, or, what dispatches read, of the device
//! that has made it. The bindings of an entry point get those of its dispatches; where dispatches
//! differ, each has an executable of its own.

use std::collections::BTreeMap;

use tegula_dialect_iree_cpu::resolver as cpu;
use tegula_dialect_iree_encoding::encoding::with_encoding;
use tegula_dialect_iree_encoding::resolver::{
    self, Asker, Resolver, is_serializable, is_serialized, with_layouts,
};
use tegula_ir::{Attr, Body, OpId, Registry, Type, ValueId};
use tegula_pass::{
    Changed, Failed, Header, PassCx, PassResult, SolveBySubject, Statement, Subject, Verdicts,
};

use crate::canonicalize::of_resource;
use crate::dispatch::{Entry, binding_type, exports};
use crate::passes::{is_resource, tied_operands};

/// All that choose layouts.
const RESOLVERS: [&[Resolver]; 2] = [resolver::RESOLVERS, cpu::RESOLVERS];

/// The setting under which tiles may grow with the vectors of a target.
const SCALABLE: &str = "iree-llvmcpu-enable-scalable-vectorization";

const DISPATCH: &str = "stream.tensor.dispatch";
const DISPATCH_TENSOR: &str = "iree_tensor_ext.dispatch.tensor";

/// The pass.
pub(crate) struct SpecializeEncodings;

/// The configurations of the module's devices by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Devices {
    by_name: BTreeMap<String, Vec<Attr>>,
    /// Where what nobody has put anywhere lies.
    default: Option<Attr>,
    /// Tiles may grow with the vectors of targets.
    scalable: bool,
}

/// What is said of an entry point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Claim {
    /// An executable has it, and what it binds can have layouts.
    Exported,
    /// A dispatch passes these.
    Dispatched(Vec<Passed>),
}

/// What a dispatch passes or takes, and where it was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Passed {
    ty: Type,
    place: Option<Attr>,
}

/// The tensors that dispatches of an entry point pass, once they have layouts; of each combination
/// one.
type Variants = Vec<Vec<Type>>;

impl SolveBySubject for SpecializeEncodings {
    type Claim = Claim;
    /// The device that a global holds: its name and the configurations of its executable targets.
    type Shared = (String, Vec<Attr>);
    type Common = Devices;
    /// None where no executable has the entry point.
    type Verdict = Option<Variants>;

    fn summarize(
        &self,
        registry: &Registry,
        _: &Header,
        body: &Body,
        root: OpId,
    ) -> Statement<Claim, Self::Shared> {
        let mut claims = Vec::new();
        let mut asks = Vec::new();
        for (entry, func) in exports(body, root) {
            asks.push(entry.subject());
            if binds_tensors(body, func) {
                claims.push((entry.subject(), Claim::Exported));
            }
        }
        for op in body.walk(root).filter(|&op| body.is(op, DISPATCH)) {
            if !has_encodings(registry, body, op) {
                continue;
            }
            let passed = passed(registry, body, op);
            for entry in Entry::of_op(body, op) {
                claims.push((entry.subject(), Claim::Dispatched(passed.clone())));
                if !asks.contains(&entry.subject()) {
                    asks.push(entry.subject());
                }
            }
        }
        Statement { claims, asks, shared: device(body, root) }
    }

    fn common(&self, cx: &mut PassCx<'_>, devices: &[&Self::Shared]) -> Result<Devices, Failed> {
        let by_name = devices.iter().map(|&device| device.clone()).collect();
        let default = cx.header.attr("stream.affinity.default");
        let scalable = cx.setting(SCALABLE) == Some("true");
        Ok(Devices { by_name, default, scalable })
    }

    fn decide(
        &self,
        cx: &mut PassCx<'_>,
        devices: &Devices,
        _: Subject,
        claims: &[&Claim],
    ) -> Result<Option<Variants>, Failed> {
        if !claims.contains(&&Claim::Exported) {
            return Ok(None);
        }
        let mut variants = Variants::new();
        for claim in claims {
            let Claim::Dispatched(passed) = claim else { continue };
            // Dispatches say themselves what is wrong with them.
            if let Ok(variant) = devices.variant(cx.registry, passed)
                && !variants.contains(&variant)
            {
                variants.push(variant);
            }
        }
        Ok(Some(variants))
    }

    fn apply(
        &self,
        cx: &mut PassCx<'_>,
        body: &mut Body,
        root: OpId,
        devices: &Devices,
        verdicts: &Verdicts<'_, Option<Variants>>,
    ) -> PassResult {
        let mut changed = Changed::No;
        let exports = exports(body, root);
        for (entry, func) in &exports {
            let Some(Some(variants)) = verdicts.get(entry.subject()) else { continue };
            let Some((own, others)) = variants.split_first() else { continue };
            if !others.is_empty() && exports.len() > 1 {
                let message = "dispatches of one of several entry points differ in layouts";
                return Err(cx.error(body, *func, "several-layouts", message));
            }
            for (index, variant) in others.iter().enumerate().rev() {
                let mut copy = body.clone();
                bind(cx, &mut copy, *func, variant);
                let name = Attr::string(&duplicate(&entry.executable, index));
                cx.rewriter(&mut copy).set_attr(root, "sym_name", name);
                cx.emit(copy);
                changed = Changed::Yes;
            }
            changed |= bind(cx, body, *func, own);
        }
        let ops: Vec<OpId> = body.walk(root).collect();
        for op in ops {
            if body.attr(op, "affinity").is_none() {
                continue;
            }
            changed |= if body.is(op, DISPATCH) {
                specialize_dispatch(cx, body, op, devices, verdicts)?
            } else {
                specialize_op(cx, body, op, devices)?
            };
        }
        Ok(changed)
    }
}

/// The name of a further executable for other layouts.
fn duplicate(executable: &str, index: usize) -> String {
    format!("{executable}_dup{index}")
}

/// The device that a global holds.
fn device(body: &Body, root: OpId) -> Option<(String, Vec<Attr>)> {
    let configs = match body.is(root, "util.global") {
        true => configs(body.attr(root, "initial_value")?)?,
        false => return None,
    };
    Some((body.symbol_name(root)?.to_owned(), configs))
}

/// The configurations of the executable targets of a device, or of all that it may turn out to be,
/// the last first.
fn configs(device: Attr) -> Option<Vec<Attr>> {
    if let Some(devices) = device.dialect_params("hal.device.select") {
        let devices = devices.first()?.as_array()?.iter().rev();
        let all: Option<Vec<Vec<Attr>>> = devices.map(|&device| configs(device)).collect();
        return Some(all?.concat());
    }
    let targets = device.dialect_params("hal.device.target")?.get(2)?.as_array()?;
    let config = |target: &Attr| target.dialect_params("hal.executable.target")?.get(2).copied();
    targets.iter().map(config).collect()
}

/// Why a tensor has no layout.
enum Unresolved {
    /// It is not known where it lies.
    NoDevice,
    /// The device chooses none.
    NoLayout,
}

impl Devices {
    /// The configurations of the targets on which something lies or runs.
    fn configs(&self, place: Option<Attr>) -> Option<&[Attr]> {
        let Some(place) = place.or(self.default) else {
            // Where all devices are alike it does not matter which it is.
            let mut all = self.by_name.values();
            let first = all.next()?;
            return all.all(|other| other == first).then_some(first);
        };
        let name = place.dialect_params("hal.device.affinity")?.first()?.as_symbol_root()?;
        self.by_name.get(name.as_str()).map(Vec::as_slice)
    }

    /// The tensor with the layouts that are chosen where it lies; the same when it has layouts or
    /// takes none.
    fn specialized(&self, registry: &Registry, passed: Passed) -> Result<Type, Unresolved> {
        let Some(encoding) = open_encoding(registry, passed.ty) else { return Ok(passed.ty) };
        let configs = self.configs(passed.place).filter(|configs| !configs.is_empty());
        let configs = configs.ok_or(Unresolved::NoDevice)?;
        let asker = Asker { resolvers: &RESOLVERS, registry, scalable: self.scalable };
        let layouts = asker.layouts_on(configs, passed.ty).ok_or(Unresolved::NoLayout)?;
        Ok(with_encoding(passed.ty, Some(with_layouts(encoding, &layouts))))
    }

    /// What a dispatch passes, with layouts.
    fn variant(&self, registry: &Registry, passed: &[Passed]) -> Result<Vec<Type>, Unresolved> {
        passed.iter().map(|&passed| self.specialized(registry, passed)).collect()
    }
}

/// The encoding of a tensor that takes layouts and has none.
fn open_encoding(registry: &Registry, ty: Type) -> Option<Attr> {
    ty.encoding().filter(|&e| is_serializable(registry, e) && !is_serialized(e))
}

/// The tensors in a list of types.
fn types(body: &Body, op: OpId, attr: &str) -> Vec<Type> {
    let types = body.attr(op, attr).and_then(Attr::as_array).unwrap_or(&[]);
    types.iter().filter_map(|ty| ty.as_type()).collect()
}

/// Whether a dispatch passes or gives tensors that have layouts, or take them.
fn has_encodings(registry: &Registry, body: &Body, op: OpId) -> bool {
    let all = ["operand_encodings", "result_encodings"].map(|attr| types(body, op, attr)).concat();
    let encodings = all.iter().filter_map(|ty| ty.encoding());
    body.attr(op, "affinity").is_some()
        && encodings.into_iter().any(|encoding| is_serializable(registry, encoding))
}

/// The device that has made a tensor: a transfer leaves its layout as it is.
fn made_on(body: &Body, value: ValueId) -> Option<Attr> {
    let transfer = body.defining_op(value).filter(|&op| body.is(op, "stream.async.transfer"));
    match transfer {
        Some(op) => made_on(body, body.operand(op, 0)).or_else(|| body.attr(op, "source_affinity")),
        None => of_resource(body, value),
    }
}

/// What a dispatch binds: its operands, then the results with storage of their own.
fn passed(registry: &Registry, body: &Body, op: OpId) -> Vec<Passed> {
    let operands = registry.operands_of(body, op, "mixed_operands");
    let operands = types(body, op, "operand_encodings").into_iter().zip(operands);
    let operands = operands.map(|(ty, value)| {
        let place = is_resource(body, value).then(|| made_on(body, value)).flatten();
        Passed { ty, place }
    });
    let results = types(body, op, "result_encodings").into_iter();
    let results = results.zip(tied_operands(registry, body, op));
    let place = body.attr(op, "affinity");
    let results = results.filter(|(_, tied)| tied.is_none()).map(|(ty, _)| Passed { ty, place });
    operands.chain(results).collect()
}

/// Whether a device function takes its bindings as tensors and in no other way.
fn binds_tensors(body: &Body, func: OpId) -> bool {
    let Some(entry) = body.region_entry(func, 0) else { return false };
    let bindings = body.block_args(entry).iter().filter(|&&arg| body.ty(arg) == binding_type());
    let is_tensor = |user: OpId| {
        body.is(user, "stream.binding.subspan")
            && body.ty(body.result(user, 0)).dialect_params(DISPATCH_TENSOR).is_some()
    };
    bindings.into_iter().all(|&arg| body.users(arg).all(is_tensor))
}

/// Gives the tensors of a device function's bindings these layouts. What is loaded from them still
/// says what it is used for, which is how code generation knows what to compute.
fn bind(cx: &PassCx<'_>, body: &mut Body, func: OpId, variant: &[Type]) -> Changed {
    let mut changed = Changed::No;
    let Some(entry) = body.region_entry(func, 0) else { return changed };
    let args = body.block_args(entry).to_vec();
    for (arg, ty) in args.into_iter().zip(variant) {
        let encoding = ty.encoding().filter(|&encoding| is_serializable(cx.registry, encoding));
        if body.ty(arg) != binding_type() || encoding.is_none() {
            continue;
        }
        let users: Vec<OpId> = body.users(arg).collect();
        for user in users {
            let value = body.result(user, 0);
            let old = body.ty(value);
            let Some(&[access, bound]) = old.dialect_params(DISPATCH_TENSOR) else { continue };
            let Some(bound) = bound.as_type() else { continue };
            let bound = Attr::ty(with_encoding(bound, encoding));
            let new = Type::dialect(DISPATCH_TENSOR, &[access, bound]);
            if new != old {
                cx.rewriter(body).set_type(value, new);
                changed = Changed::Yes;
            }
        }
    }
    changed
}

fn specialize_dispatch(
    cx: &mut PassCx<'_>,
    body: &mut Body,
    op: OpId,
    devices: &Devices,
    verdicts: &Verdicts<'_, Option<Variants>>,
) -> PassResult {
    let registry = cx.registry;
    let entries = Entry::of_op(body, op);
    let known: Option<Vec<&Variants>> =
        entries.iter().map(|entry| verdicts.get(entry.subject())?.as_ref()).collect();
    let Some(known) = known.filter(|_| has_encodings(registry, body, op)) else {
        return Ok(Changed::No);
    };
    let passed = passed(registry, body, op);
    let variant = match devices.variant(registry, &passed) {
        Ok(variant) => variant,
        Err(why) => return Err(fail(cx, body, op, Some(&why))),
    };
    let place = body.attr(op, "affinity");
    let results = types(body, op, "result_encodings").into_iter();
    let results = results.map(|ty| devices.specialized(registry, Passed { ty, place }));
    let results: Vec<Type> = match results.collect() {
        Ok(results) => results,
        Err(why) => return Err(fail(cx, body, op, Some(&why))),
    };
    let operands = types(body, op, "operand_encodings").len();
    let list =
        |types: &[Type]| Attr::array(&types.iter().map(|&ty| Attr::ty(ty)).collect::<Vec<_>>());
    let targets = entries.iter().zip(&known).map(|(entry, variants)| {
        let executable = match variants.iter().position(|other| *other == variant) {
            None | Some(0) => entry.executable.clone(),
            Some(index) => duplicate(&entry.executable, index - 1),
        };
        Attr::symbol_path(&[&executable, &entry.export])
    });
    let new = [
        ("operand_encodings", list(&variant[..operands])),
        ("result_encodings", list(&results)),
        ("entry_points", Attr::array(&targets.collect::<Vec<_>>())),
    ];
    Ok(set_attrs(cx, body, op, &new))
}

fn specialize_op(cx: &mut PassCx<'_>, body: &mut Body, op: OpId, devices: &Devices) -> PassResult {
    let Some(info) = cx.registry.op(body.name(op)) else { return Ok(Changed::No) };
    let place = body.attr(op, "affinity");
    let mut new = Vec::new();
    for rule in info.def().traits.iter() {
        let takes = rule.name == "TakesLayouts";
        if !takes && rule.name != "NeedsLayouts" {
            continue;
        }
        for name in rule.args.iter() {
            let Some(ty) = body.attr(op, name).and_then(Attr::as_type) else { continue };
            if !takes && open_encoding(cx.registry, ty).is_some() {
                return Err(fail(cx, body, op, None));
            }
            match devices.specialized(cx.registry, Passed { ty, place }) {
                Ok(ty) => new.push((name.as_ref(), Attr::ty(ty))),
                Err(why) => return Err(fail(cx, body, op, Some(&why))),
            }
        }
    }
    Ok(set_attrs(cx, body, op, &new))
}

fn set_attrs(cx: &PassCx<'_>, body: &mut Body, op: OpId, new: &[(&str, Attr)]) -> Changed {
    let mut changed = Changed::No;
    for &(name, value) in new {
        if body.attr(op, name) != Some(value) {
            cx.rewriter(body).set_attr(op, name, value);
            changed = Changed::Yes;
        }
    }
    changed
}

/// Says why encodings of an op stay what they are.
fn fail(cx: &mut PassCx<'_>, body: &Body, op: OpId, why: Option<&Unresolved>) -> Failed {
    match why {
        Some(Unresolved::NoDevice) => {
            let message = "no device is known on which this runs, so its encoding has no layout";
            cx.error(body, op, "no-device", message);
        }
        Some(Unresolved::NoLayout) => {
            cx.error(body, op, "unresolved-encoding", "failed to resolve recognized layout");
        }
        None => {}
    }
    let message = "failed to convert unserialized encoding to serialized encoding";
    cx.error(body, op, "unserialized-encoding", message);
    let message = "failed to add layouts to Stream::TensorPhaseOp with encodings";
    cx.error_no_op("unserialized-encoding", message)
}
