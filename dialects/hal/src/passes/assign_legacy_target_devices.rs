//! `iree-hal-assign-legacy-target-devices`: the device that the target flags describe.

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
    if module.attrs.get("hal.device.targets").is_some() {
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
    if let Some(other) = backends.iter().find(|b| *b != "llvm-cpu") {
        let message = format!("no target backend `{other}`; there is `llvm-cpu`");
        return Err(cx.error_no_op("unsupported-target", message));
    }
    if backends.is_empty() {
        return Ok(Changed::No);
    }
    let executable = executable_target(cx)?;
    let device = Attr::dialect(
        "hal.device.target",
        &[Attr::string("local"), Attr::absent(), Attr::array(&[executable])],
    );
    let entry = (Ident::of("hal.device.targets"), Attr::array(&[device]));
    let entries = module.attrs.as_dict().unwrap_or(&[]).iter().copied().chain([entry]);
    module.attrs = Attr::dict(entries);
    Ok(Changed::Yes)
}

/// The targets that the installed dialects define.
fn targets(registry: &Registry) -> impl Iterator<Item = &TargetDef> {
    registry.dialects().flat_map(|d| d.def.targets.iter())
}

/// `#hal.executable.target` for the target flags.
fn executable_target(cx: &mut PassCx<'_>) -> Result<Attr, tegula_pass::Failed> {
    let registry = cx.registry;
    let cpu = cx.setting(CPU).filter(|cpu| !cpu.is_empty()).unwrap_or("generic");
    let Some(target) = targets(registry).find(|t| t.name == cpu) else {
        let known: Vec<&str> = targets(registry).map(|t| t.name.as_ref()).collect();
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
    let resolver = Attr::dialect("iree_cpu.cpu_encoding_resolver", &[Attr::absent()]);
    let ukernels = cx.setting(UKERNELS).unwrap_or("none");
    let config = Attr::dict([
        (Ident::of("cpu"), Attr::string(cpu)),
        (Ident::of("cpu_features"), Attr::string(&features.join(","))),
        (Ident::of("data_layout"), text("data_layout")),
        (Ident::of("iree.encoding.resolver"), resolver),
        (Ident::of("max_stack_allocation_size"), number("max_stack_allocation_size")),
        (Ident::of("native_vector_size"), number("native_vector_size")),
        (Ident::of("target_triple"), text("target_triple")),
        (Ident::of("ukernels"), Attr::string(ukernels)),
    ]);
    Ok(Attr::dialect("hal.executable.target", &[Attr::string("llvm-cpu"), text("format"), config]))
}
