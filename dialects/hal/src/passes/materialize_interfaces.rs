//! `iree-hal-materialize-interfaces`: executables get a variant for each target that their
//! dispatches may run on, and device functions reach their bindings and constants through the
//! pipeline layout.

use std::collections::{BTreeMap, BTreeSet};

use tegula_dialect_stream::dispatch::{
    CmdDispatch, Entry, arg_attrs, binding_type, exports, statement,
};
use tegula_ir::{Attr, BlockId, Body, InsertPoint, NewOp, OpId, Registry, Type, ValueId};
use tegula_pass::{
    Changed, Failed, Header, PassCx, PassResult, SolveBySubject, Statement, Subject, Verdicts,
};
use tegula_rewrite::{IrMapping, Rewriter};

use super::sources::{SOURCE, assign_targets, source_entries};
use crate::rewrites::DEFAULT_AFFINITY;

/// The pass.
pub(crate) struct MaterializeInterfaces;

/// What one dispatch asks of an entry.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Site {
    /// The device that runs it, by the name of its global; none means any.
    device: Option<&'static str>,
    constants: usize,
    /// For each binding whether it is only read.
    read_only: Vec<bool>,
    /// The commands are recorded once and may be replayed with other buffers.
    indirect: bool,
}

/// The interface of one entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Interface {
    constants: usize,
    read_only: Vec<bool>,
    indirect: bool,
    targets: Vec<Attr>,
}

/// The targets of devices by the names of their globals.
type Devices = BTreeMap<&'static str, Vec<Attr>>;

impl SolveBySubject for MaterializeInterfaces {
    type Claim = Site;
    /// A device global and the targets of its device.
    type Shared = (&'static str, Vec<Attr>);
    type Common = Devices;
    type Verdict = Interface;

    fn summarize(
        &self,
        _: &Registry,
        header: &Header,
        body: &Body,
        root: OpId,
    ) -> Statement<Site, Self::Shared> {
        let mut sites = Vec::new();
        for dispatch in CmdDispatch::all(body, root) {
            let read_only: Vec<bool> =
                dispatch.accesses(body).iter().map(|a| a.as_int() == Some(1)).collect();
            for entry in dispatch.entries(body) {
                let site = Site {
                    device: device_of(header, body, dispatch.op),
                    constants: dispatch.uniforms(body).len(),
                    read_only: read_only.clone(),
                    indirect: !runs_once(body, dispatch.op),
                };
                sites.push((entry, site));
            }
        }
        let mut out = Statement { shared: device(body, root), ..statement(body, root, sites) };
        out.asks.extend(source_entries(body, root).iter().map(Entry::subject));
        out
    }

    fn common(&self, _: &mut PassCx<'_>, devices: &[&Self::Shared]) -> Result<Devices, Failed> {
        Ok(devices.iter().map(|&device| device.clone()).collect())
    }

    fn decide(
        &self,
        cx: &mut PassCx<'_>,
        devices: &Devices,
        subject: Subject,
        sites: &[&Site],
    ) -> Result<Interface, Failed> {
        let mut interface = Interface {
            constants: sites.first().map_or(0, |site| site.constants),
            read_only: sites.first().map_or_else(Vec::new, |site| site.read_only.clone()),
            indirect: sites.iter().any(|site| site.indirect),
            targets: Vec::new(),
        };
        for site in sites {
            let targets = targets_of(devices, site.device);
            if targets.is_empty() {
                return Err(cx.error_no_op(
                    "no-device",
                    format!(
                        "@{subject} is dispatched, but no device global says what may run it; run \
                         iree-hal-materialize-target-devices before"
                    ),
                ));
            }
            for (all, one) in interface.read_only.iter_mut().zip(&site.read_only) {
                *all &= one;
            }
            for target in targets {
                if !interface.targets.contains(&target) {
                    interface.targets.push(target);
                }
            }
        }
        Ok(interface)
    }

    fn apply(
        &self,
        cx: &mut PassCx<'_>,
        body: &mut Body,
        root: OpId,
        devices: &Devices,
        verdicts: &Verdicts<'_, Interface>,
    ) -> PassResult {
        let mut changed = Changed::No;
        for dispatch in CmdDispatch::all(body, root) {
            let device = device_of(cx.header, body, dispatch.op);
            let refs = expand(&dispatch.entries(body), &targets_of(devices, device));
            cx.rewriter(body).set_attr(dispatch.op, "entry_points", Attr::array(&refs));
            changed = Changed::Yes;
        }
        if body.is(root, SOURCE) {
            let entries = source_entries(body, root);
            let asked = entries.iter().filter_map(|entry| verdicts.get(entry.subject()));
            let dispatched = asked.flat_map(|interface| &interface.targets).copied().collect();
            return assign_targets(cx, body, root, &targets_of(devices, None), dispatched);
        }
        if body.is(root, "stream.executable") && !verdicts.is_empty() {
            let interfaces = exports(body, root).into_iter();
            let interfaces = interfaces.filter_map(|(entry, _)| {
                Some((entry.clone(), verdicts.get(entry.subject())?.clone()))
            });
            let interfaces: BTreeMap<Entry, Interface> = interfaces.collect();
            let made = materialize(&mut cx.rewriter(body), root, &interfaces);
            if let Err((op, why)) = made {
                return Err(cx.error(body, op, "no-interface", why));
            }
            // Folds what is known now; constants are put first.
            if let Some(root) = body.root() {
                cx.greedy(body, root, &[])?;
            }
            changed = Changed::Yes;
        }
        Ok(changed)
    }
}

/// The targets of a device, or of all when none is named, each once.
fn targets_of(devices: &Devices, device: Option<&str>) -> Vec<Attr> {
    let mut targets: Vec<Attr> = Vec::new();
    for (_, own) in devices.iter().filter(|(name, _)| device.is_none_or(|d| d == **name)) {
        for &target in own {
            if !targets.contains(&target) {
                targets.push(target);
            }
        }
    }
    targets
}

/// The device global that a body is, with the targets of its device.
fn device(body: &Body, root: OpId) -> Option<(&'static str, Vec<Attr>)> {
    if !body.is(root, "util.global") {
        return None;
    }
    let value = body.attr(root, "initial_value")?;
    let targets = value.dialect_params("hal.device.target")?.last()?.as_array()?;
    Some((body.symbol_name(root)?, targets.to_vec()))
}

fn enclosing(body: &Body, op: OpId, name: &str) -> Option<OpId> {
    let mut at = body.parent_op(op)?;
    while !body.is(at, name) {
        at = body.parent_op(at)?;
    }
    Some(at)
}

/// The device that a dispatch runs on: the one of its execution region, of what is around that, or
/// of the module.
fn device_of(header: &Header, body: &Body, dispatch: OpId) -> Option<&'static str> {
    let execute = enclosing(body, dispatch, "stream.cmd.execute")?;
    let around = std::iter::successors(Some(execute), |&op| body.parent_op(op));
    let affinity = body
        .attr(execute, "affinity")
        .or_else(|| around.into_iter().find_map(|op| body.attr(op, "stream.affinity")))
        .or_else(|| header.attr(DEFAULT_AFFINITY))?;
    let device = affinity.dialect_params("hal.device.affinity")?.first()?.as_symbol_root()?;
    Some(device.as_str())
}

fn runs_once(body: &Body, dispatch: OpId) -> bool {
    let execute = enclosing(body, dispatch, "stream.cmd.execute");
    execute.is_some_and(|op| body.attr(op, "once").is_some())
}

/// The symbol of a target's variant: its format with what symbols can't hold replaced.
pub(super) fn variant_name(target: Attr) -> Option<String> {
    let format = target.dialect_params("hal.executable.target")?.get(1)?.as_str()?;
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' };
    Some(format.chars().map(plain).collect())
}

fn expand(entries: &[Entry], targets: &[Attr]) -> Vec<Attr> {
    let variants: BTreeSet<String> = targets.iter().filter_map(|&t| variant_name(t)).collect();
    let mut refs = Vec::new();
    for entry in entries {
        for variant in &variants {
            refs.push(Attr::symbol_path(&[&entry.executable, variant, &entry.export]));
        }
    }
    refs
}

/// Replaces the executable by one with a variant for each target.
fn materialize(
    rw: &mut Rewriter<'_>,
    root: OpId,
    interfaces: &BTreeMap<Entry, Interface>,
) -> Result<(), (OpId, &'static str)> {
    let old: Vec<(Entry, OpId)> = exports(rw.body, root);
    let targets = interfaces.values().flat_map(|i| &i.targets);
    let targets: BTreeMap<String, Attr> =
        targets.filter_map(|&target| Some((variant_name(target)?, target))).collect();
    let visibility = rw.body.attr(root, "sym_visibility");
    let block = add_executable(rw, root, visibility);
    for (name, target) in targets {
        let inside = add_variant(rw, block, &name, target);
        for (ordinal, (entry, func)) in old.iter().enumerate() {
            let unused = "this entry point is never dispatched, so that it has no interface";
            let interface = interfaces.get(entry).ok_or((*func, unused))?;
            export(rw, root, entry, ordinal, interface, InsertPoint::End(inside));
        }
        let modules: Vec<OpId> =
            (rw.body.walk(root).skip(1)).filter(|&op| rw.body.is(op, "builtin.module")).collect();
        for module in modules {
            let copy = rw.clone_op(module, InsertPoint::End(inside), &mut IrMapping::new());
            for (entry, func) in &old {
                if let (Some(interface), Some(name)) =
                    (interfaces.get(entry), rw.body.symbol_name(*func))
                {
                    let func = rw.body.walk(copy).find(|&op| {
                        rw.body.is(op, "func.func") && rw.body.symbol_name(op) == Some(name)
                    });
                    if let Some(func) = func {
                        connect(rw, func, interface)?;
                    }
                }
            }
        }
        rw.insert(InsertPoint::End(inside), NewOp::new("hal.executable.variant_end"));
    }
    rw.insert(InsertPoint::End(block), NewOp::new("hal.executable_end"));
    rw.erase(root);
    Ok(())
}

/// Adds an executable of the same name before another one; gives its block.
pub(super) fn add_executable(
    rw: &mut Rewriter<'_>,
    root: OpId,
    visibility: Option<Attr>,
) -> BlockId {
    let executable = NewOp::new("hal.executable")
        .attr_opt("sym_name", rw.body.attr(root, "sym_name"))
        .attr_opt("sym_visibility", visibility)
        .loc(rw.body.loc(root))
        .regions(1);
    let executable = rw.insert(InsertPoint::Before(root), executable);
    body_block(rw, executable)
}

/// Adds a variant for a target; gives its block.
pub(super) fn add_variant(
    rw: &mut Rewriter<'_>,
    block: BlockId,
    name: &str,
    target: Attr,
) -> BlockId {
    let variant = NewOp::new("hal.executable.variant")
        .attr("sym_name", Attr::string(name))
        .attr("sym_visibility", Attr::string("public"))
        .attr("target", target)
        .regions(1);
    let variant = rw.insert(InsertPoint::End(block), variant);
    body_block(rw, variant)
}

fn body_block(rw: &mut Rewriter<'_>, op: OpId) -> BlockId {
    let region = match rw.body.region(op, 0) {
        Some(region) => region,
        None => rw.add_region(op),
    };
    rw.append_block(region, &[])
}

/// The export of a variant, with the workgroup count of the old one as a function of the device.
fn export(
    rw: &mut Rewriter<'_>,
    root: OpId,
    entry: &Entry,
    ordinal: usize,
    interface: &Interface,
    at: InsertPoint,
) {
    let new = NewOp::new("hal.executable.export")
        .attr("sym_name", Attr::string(&entry.export))
        .attr("sym_visibility", Attr::string("public"))
        .attr("ordinal", Attr::index(ordinal as i64))
        .attr("layout", interface.layout())
        .regions(2);
    let new = rw.insert(at, new);
    let source = rw.body.walk(root).find(|&op| {
        rw.body.is(op, "stream.executable.export") && rw.body.symbol_name(op) == Some(&entry.export)
    });
    let Some(from) = source.and_then(|op| rw.body.region_entry(op, 0)) else { return };
    let Some(region) = rw.body.region(new, 0) else { return };
    let workload: Vec<ValueId> = rw.body.block_args(from).to_vec();
    let mut types = vec![Type::dialect("hal.device", &[])];
    types.extend(workload.iter().map(|&v| rw.body.ty(v)));
    let block = rw.append_block(region, &types);
    let args: Vec<ValueId> = rw.body.block_args(block).to_vec();
    let mut mapping = IrMapping::new();
    mapping.map_all(workload, args.into_iter().skip(1));
    rw.clone_block_ops(from, InsertPoint::End(block), &mut mapping);
    if let Some(end) = rw.body.last_op(block).filter(|&op| rw.body.is(op, "stream.return")) {
        let values: Vec<ValueId> = rw.body.operands(end).collect();
        rw.replace_with(end, NewOp::new("hal.return").operands(values));
    }
}

impl Interface {
    fn flags(&self, binding: usize) -> u8 {
        u8::from(self.read_only.get(binding).copied().unwrap_or(false))
            | u8::from(self.indirect) << 1
    }

    fn layout(&self) -> Attr {
        let keyword = |bits: u8| match bits {
            1 => "ReadOnly",
            2 => "Indirect",
            _ => "ReadOnly|Indirect",
        };
        let optional = |text: Option<&str>| text.map_or_else(Attr::absent, Attr::string);
        let bindings: Vec<Attr> = (0..self.read_only.len())
            .map(|b| {
                let flags = Some(self.flags(b)).filter(|&f| f != 0).map(keyword);
                let kind = Attr::string("storage_buffer");
                Attr::dialect("hal.pipeline.binding", &[kind, optional(flags)])
            })
            .collect();
        let constants = match self.constants {
            0 => Attr::absent(),
            count => Attr::i64(count as i64),
        };
        let flags = optional(self.indirect.then_some("Indirect"));
        Attr::dialect("hal.pipeline.layout", &[Attr::array(&bindings), constants, flags])
    }
}

/// Makes a device function reach its arguments through the interface.
fn connect(
    rw: &mut Rewriter<'_>,
    func: OpId,
    interface: &Interface,
) -> Result<(), (OpId, &'static str)> {
    let Some(block) = rw.body.region_entry(func, 0) else { return Ok(()) };
    let args: Vec<ValueId> = rw.body.block_args(block).to_vec();
    let attrs = arg_attrs(rw.body, func, args.len());
    let (mut binding, mut constant) = (0, 0);
    let mut at = InsertPoint::Start(block);
    for (&arg, attrs) in args.iter().zip(attrs) {
        if rw.body.ty(arg) == binding_type() {
            let users: Vec<OpId> = rw.body.users(arg).collect();
            for user in users {
                if !rw.body.is(user, "stream.binding.subspan") {
                    return Err((user, "a binding may only be used through subspans"));
                }
                subspan(rw, user, binding, attrs.get("stream.alignment"), interface);
            }
            binding += 1;
        } else {
            let load = NewOp::new("hal.interface.constant.load")
                .attr("layout", interface.layout())
                .attr("ordinal", Attr::index(constant))
                .attr_opt("alignment", attrs.get("stream.alignment"))
                .attr_opt("values", attrs.get("stream.values"))
                .result(rw.body.ty(arg));
            let load = rw.insert(at, load);
            at = InsertPoint::After(load);
            let value = rw.body.result(load, 0);
            rw.replace_all_uses(arg, value);
            constant += 1;
        }
    }
    for index in (0..args.len()).rev() {
        rw.remove_block_arg(block, index);
    }
    rw.modify(func, |body| {
        body.set_attr(func, "function_type", Attr::ty(Type::function(&[], &[])));
        body.remove_attr(func, "arg_attrs");
    });
    Ok(())
}

fn subspan(
    rw: &mut Rewriter<'_>,
    old: OpId,
    binding: usize,
    alignment: Option<Attr>,
    interface: &Interface,
) {
    let registry = rw.registry;
    let offset = registry.operand_of(rw.body, old, "byte_offset");
    let dims = registry.operands_of(rw.body, old, "dynamic_dims");
    let result = rw.body.result(old, 0);
    let flags = Some(interface.flags(binding)).filter(|&f| f != 0);
    let new = registry.new_op("hal.interface.binding.subspan");
    let new = new
        .operands("byte_offset", offset)
        .operands("dynamic_dims", dims)
        .results("result", [rw.body.ty(result)])
        .attr("layout", interface.layout())
        .attr("binding", Attr::index(binding as i64))
        .attr_opt("alignment", alignment)
        .attr_opt("descriptor_flags", flags.map(|f| Attr::i32(f.into())))
        .build();
    rw.replace_with(old, new);
}
