//! The phases of a compilation, as `--compile-to` names them.

/// A point of the road after which the IR can be looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    /// As it was written.
    Input,
    /// Functions have the interface of the runtime.
    Abi,
    /// Named ops are loops with bodies; devices are known.
    GlobalOptimization,
    /// Computations are dispatches with encoded operands.
    DispatchCreation,
    /// Dispatches are executables.
    Flow,
    /// Work is commands on memory.
    Stream,
    /// Executables have a variant for each target.
    ExecutableSources,
    /// Executables have layouts and lowering strategies.
    ExecutableConfigurations,
    /// Executables are machine instructions.
    ExecutableTargets,
    /// Work on streams is work of devices.
    Hal,
    /// The host program is a module of the runtime's virtual machine.
    Vm,
}

/// Every phase with its name and the pipeline that leads to it from the phase before.
const PHASES: &[(Phase, &str, &[&str])] = &[
    (Phase::Input, "input", &[]),
    (Phase::Abi, "abi", &["iree-abi-transformation-pipeline"]),
    (
        Phase::GlobalOptimization,
        "global-optimization",
        &[
            "iree-hal-device-assignment-pipeline",
            "iree-global-optimization-transformation-pipeline",
        ],
    ),
    (Phase::DispatchCreation, "dispatch-creation", &["iree-dispatch-creation-pipeline"]),
    (Phase::Flow, "flow", &["iree-flow-transformation-pipeline"]),
    (Phase::Stream, "stream", &["iree-stream-transformation-pipeline"]),
    (Phase::ExecutableSources, "executable-sources", &["iree-hal-executable-sources-pipeline"]),
    (
        Phase::ExecutableConfigurations,
        "executable-configurations",
        &["iree-hal-configure-executables-pipeline"],
    ),
    (Phase::ExecutableTargets, "executable-targets", &["iree-hal-translate-executables-pipeline"]),
    (Phase::Hal, "hal", &["tegula-hal-host-pipeline"]),
    (Phase::Vm, "vm", &["iree-vm-transformation-pipeline"]),
];

impl Phase {
    /// The phase after which text can be made.
    pub const LAST: Phase = Phase::ExecutableTargets;

    /// The phase after which there is none.
    pub const END: Phase = Phase::Vm;

    /// The phase of that name.
    pub fn from_name(name: &str) -> Option<Phase> {
        PHASES.iter().find(|(_, n, _)| *n == name).map(|&(phase, ..)| phase)
    }

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        PHASES.iter().find(|(phase, ..)| *phase == self).map_or("", |&(_, name, _)| name)
    }

    /// The names of all phases in order.
    pub fn names() -> Vec<&'static str> {
        PHASES.iter().map(|&(_, name, _)| name).collect()
    }

    /// The pipeline from after another phase to after this one, as text.
    pub fn pipeline_from(self, from: Phase) -> String {
        let parts = PHASES.iter().filter(|(phase, ..)| from < *phase && *phase <= self);
        let names: Vec<&str> = parts.flat_map(|(_, _, names)| names.iter().copied()).collect();
        format!("builtin.module({})", names.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back() {
        for name in Phase::names() {
            assert_eq!(Phase::from_name(name).map(Phase::name), Some(name));
        }
        assert_eq!(Phase::from_name("assembly"), None);
        let pipeline = Phase::Abi.pipeline_from(Phase::Input);
        assert_eq!(pipeline, "builtin.module(iree-abi-transformation-pipeline)");
        let pipeline = Phase::Stream.pipeline_from(Phase::Flow);
        assert_eq!(pipeline, "builtin.module(iree-stream-transformation-pipeline)");
        assert_eq!(Phase::Flow.pipeline_from(Phase::Stream), "builtin.module()");
    }
}
