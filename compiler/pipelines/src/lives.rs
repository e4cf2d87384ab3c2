//! Which phases of a program hold which ops.

use tegula_ir::{Body, OpId, Registry};

use crate::Phase;

/// An op that no program holds which has been through the phase in question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfPhase {
    /// The op.
    pub op: OpId,
    /// The phase that is next to the one in question among those whose programs hold it.
    pub phase: Phase,
}

/// What ops are meant.
enum Which {
    /// Of this name, or of those that begin so where it ends with a star.
    Name(&'static str),
    /// With this trait.
    Trait(&'static str),
}

/// Where ops stand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    /// Among what the host runs.
    Host,
    /// In what a device runs.
    Device,
}

use Phase::*;
use Side::*;
use Which::*;

/// Ops with the first and the last phase after which programs hold them. Of ops that are not named,
/// nothing is known.
const LIVES: &[(Side, Which, Phase, Phase)] = &[
    (Host, Name("func.func"), Input, Input),
    (Host, Trait("LinalgContractionOpInterface"), Input, Abi),
    (Host, Name("linalg.*"), Input, GlobalOptimization),
    (Host, Name("tensor.empty"), Input, GlobalOptimization),
    (Host, Name("iree_tensor_ext.compute_barrier.*"), Input, GlobalOptimization),
    (Host, Name("flow.dispatch.region"), Input, DispatchCreation),
    (Host, Name("flow.dispatch.workgroups"), Input, DispatchCreation),
    (Host, Name("flow.*"), Input, Flow),
    (Host, Name("tensor.*"), Input, Flow),
    (Host, Name("hal.tensor.*"), Input, Flow),
    (Host, Name("stream.executable"), Input, Stream),
    (Host, Name("stream.*"), Input, ExecutableTargets),
    (Host, Name("hal.command_buffer.*"), Hal, Vm),
    (Host, Name("hal.executable.binary"), Hal, Vm),
    (Host, Name("vm.*"), Vm, Vm),
    (Device, Name("stream.*"), Input, Stream),
    (Device, Name("iree_encoding.*"), Input, ExecutableSources),
    (Device, Name("iree_tensor_ext.dispatch.tensor.*"), Input, ExecutableSources),
    (Device, Name("linalg.*"), Input, ExecutableConfigurations),
    (Device, Name("tensor.*"), Input, ExecutableConfigurations),
    (Device, Name("iree_codegen.*"), Input, ExecutableConfigurations),
    (Device, Name("func.return"), Input, ExecutableConfigurations),
    (Device, Name("neon.*"), ExecutableTargets, Vm),
];

/// Ops that hold what a device runs.
const AROUND_DEVICE_CODE: [&str; 6] = [
    "flow.dispatch.region",
    "flow.dispatch.workgroups",
    "flow.executable",
    "stream.executable",
    "hal.executable",
    "hal.executable.source",
];

/// An op of a body that programs do not hold which have been through a phase: of several, the first
/// of those that are furthest from it.
pub fn out_of_phase(registry: &Registry, body: &Body, from: Phase) -> Option<OutOfPhase> {
    let distance = |phase: Phase| (phase as usize).abs_diff(from as usize);
    let found = body.walk_all().filter_map(|op| {
        let (first, last) = lives(registry, body, op)?;
        let phase = if from < first { first } else { last };
        (from < first || last < from).then_some(OutOfPhase { op, phase })
    });
    found.min_by_key(|found| std::cmp::Reverse(distance(found.phase)))
}

fn lives(registry: &Registry, body: &Body, op: OpId) -> Option<(Phase, Phase)> {
    let name = body.name(op).as_str();
    let is = |which: &Which| match which {
        Name(meant) => match meant.strip_suffix('*') {
            Some(start) => name.starts_with(start),
            None => name == *meant,
        },
        Trait(meant) => registry.op(body.name(op)).is_some_and(|i| i.def().has_trait(meant)),
    };
    let around = std::iter::successors(body.parent_op(op), |&op| body.parent_op(op));
    let device =
        around.map(|op| body.name(op).as_str()).any(|name| AROUND_DEVICE_CODE.contains(&name));
    let here = if device { Device } else { Host };
    let known = LIVES.iter().find(|(side, which, ..)| *side == here && is(which));
    known.map(|&(_, _, first, last)| (first, last))
}
