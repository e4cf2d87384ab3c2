//! `iree-hal-assign-legacy-target-devices`: the device that the target flags describe.

use std::collections::BTreeSet;

use tegula_ir::{Attr, Ident, Module, Registry};
use tegula_pass::{Changed, OptionValue, PassCx, PassResult};
use tegula_schema::TargetDef;

/// The settings that describe the target, under the names of their flags.
const CPU: &str = "iree-llvmcpu-target-cpu";
const EXTRA_FEATURES: &str = "iree-llvmcpu-target-cpu-features";
const TRIPLE: &str = "iree-llvmcpu-target-triple";
const UKERNELS: &str = "iree-llvmcpu-enable-ukernels";
const BACKENDS: &str = "iree-hal-target-backends";

/// Runs the pass on a module.
pub fn run(cx: &mut PassCx<'_>, module: &mut Module) -> PassResult {
    let known = ["hal.device.targets", "stream.affinity.default"];
    if known.iter().any(|name| module.attrs.get(name).is_some()) {
        return Ok(Changed::No);
    }
    let mut backends: Vec<String> = cx
        .options
        .list("targetBackends")
        .iter()
        .map(|backend| match backend {
            OptionValue::String(name) => name.clone(),
            other => other.to_string(),
        })
        .collect();
    if backends.is_empty() {
        let flag = cx.setting(BACKENDS).unwrap_or("llvm-cpu");
        backends.extend(flag.split(',').filter(|s| !s.is_empty()).map(str::to_owned));
    }
    let Some(backend) = backends.first() else { return Ok(Changed::No) };
    if let Some(other) = backends.iter().find(|other| *other != backend) {
        let message = format!("one target backend at a time, not `{backend}` and `{other}`");
        return Err(cx.error_no_op("unsupported-target", message));
    }
    let executable = executable_target(cx, backend)?;
    let device = Attr::dialect(
        "hal.device.target",
        &[Attr::string("local"), Attr::absent(), Attr::array(&[executable])],
    );
    module.set_attr("hal.device.targets", Some(Attr::array(&[device])));
    Ok(Changed::Yes)
}

/// The targets that the installed dialects define.
fn targets(registry: &Registry) -> impl Iterator<Item = &TargetDef> {
    registry.dialects().flat_map(|d| d.def.targets.iter())
}

/// `#hal.executable.target` for a backend and the target flags.
fn executable_target(cx: &mut PassCx<'_>, backend: &str) -> Result<Attr, tegula_pass::Failed> {
    let registry = cx.registry;
    let own: Vec<&TargetDef> = targets(registry).filter(|t| t.backend == backend).collect();
    if own.is_empty() {
        let known: BTreeSet<&str> = targets(registry).map(|t| t.backend.as_ref()).collect();
        let known: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
        let message = format!("no target backend `{backend}`; there are {}", known.join(" and "));
        return Err(cx.error_no_op("unsupported-target", message));
    }
    let resolver = |target: &TargetDef| {
        let name =
            format!("iree_cpu.{}", target.text("resolver").unwrap_or("cpu_encoding_resolver"));
        (Ident::of("iree.encoding.resolver"), Attr::dialect(&name, &[Attr::absent()]))
    };
    let ukernels = (Ident::of("ukernels"), Attr::string(cx.setting(UKERNELS).unwrap_or("none")));
    let of = |target: &TargetDef, config: Attr| {
        let format = Attr::string(target.text("format").unwrap_or(""));
        Attr::dialect("hal.executable.target", &[Attr::string(backend), format, config])
    };
    // What is no machine has nothing to choose.
    if let Some(target) = own.iter().find(|target| target.arch.is_empty()) {
        return Ok(of(target, Attr::dict([resolver(target), ukernels])));
    }
    let cpu = cx.setting(CPU).filter(|cpu| !cpu.is_empty()).unwrap_or("generic");
    let Some(target) = own.iter().find(|t| t.name == cpu) else {
        let known: Vec<&str> = own.iter().map(|t| t.name.as_ref()).collect();
        let message = format!("no target CPU `{cpu}`; there are {}", known.join(", "));
        return Err(cx.error_no_op("unsupported-target", message));
    };
    if let Some(triple) = cx.setting(TRIPLE).filter(|t| !t.is_empty()) {
        let arch = match triple.split('-').next() {
            Some("arm64") => "aarch64",
            Some(arch) => arch,
            None => "",
        };
        if arch != target.arch {
            let message = format!("target CPU `{cpu}` is an {} and not an {arch}", target.arch);
            return Err(cx.error_no_op("unsupported-target", message));
        }
    }
    let mut features: Vec<String> = Vec::new();
    // What the platform reserves comes after what the CPU has and what flags add.
    let (reserved, own): (Vec<&str>, Vec<&str>) =
        target.features.iter().map(AsRef::as_ref).partition(|f: &&str| f.starts_with("reserve-"));
    features.extend(own.iter().map(|f| format!("+{f}")));
    if let Some(extra) = cx.setting(EXTRA_FEATURES) {
        features.extend(extra.split(',').filter(|s| !s.is_empty()).map(str::to_owned));
    }
    features.extend(reserved.iter().map(|f| format!("+{f}")));

    let text = |name: &str| Attr::string(target.text(name).unwrap_or(""));
    let number = |name: &str| Attr::i64(target.param(name).unwrap_or(0));
    let config = Attr::dict([
        (Ident::of("cpu"), Attr::string(cpu)),
        (Ident::of("cpu_features"), Attr::string(&features.join(","))),
        (Ident::of("data_layout"), text("data_layout")),
        resolver(target),
        (Ident::of("max_stack_allocation_size"), number("max_stack_allocation_size")),
        (Ident::of("native_vector_size"), number("native_vector_size")),
        (Ident::of("target_triple"), text("target_triple")),
        ukernels,
    ]);
    Ok(of(target, config))
}
