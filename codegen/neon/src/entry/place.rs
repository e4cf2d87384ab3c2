//! Where the buffers of a schedule are.

use tegula_ir::ValueId;
use tegula_package::{Buffer, Range, Schedule, Signature, Step};

use super::NoEntry;

/// An argument that is read after its buffer was written as a result: a copy is read instead.
pub(super) struct InputCopy {
    pub(super) param: usize,
    pub(super) bytes: i64,
    /// Where the copy lies in the workspace.
    pub(super) workspace: i64,
    input: usize,
}

pub(super) struct Places {
    inputs: Vec<usize>,
    outputs: Vec<usize>,
    pub(super) copies: Vec<InputCopy>,
    /// Bytes of scratch and copies.
    pub(super) workspace: i64,
}

impl Places {
    pub(super) fn new(signature: &Signature, schedule: &Schedule) -> Result<Places, NoEntry> {
        let find = |what: &str, number: usize, of: fn(&tegula_package::Param) -> Option<usize>| {
            signature.params.iter().position(|param| of(param) == Some(number)).ok_or_else(|| {
                NoEntry(format!("{what} {number} of `{}` has no parameter", signature.function))
            })
        };
        let inputs: Vec<usize> = (0..schedule.inputs.len())
            .map(|number| find("argument", number, |p| p.input))
            .collect::<Result<_, _>>()?;
        let outputs: Vec<usize> = (0..schedule.outputs.len())
            .map(|number| find("result", number, |p| p.output))
            .collect::<Result<_, _>>()?;
        let mut places =
            Places { inputs, outputs, copies: Vec::new(), workspace: schedule.scratch };
        for (input, &param) in places.inputs.iter().enumerate() {
            let output = signature.params[param].output;
            if !output.is_some_and(|output| is_overwritten(schedule, input, output)) {
                continue;
            }
            let bytes = schedule.inputs[input];
            let copy = InputCopy { param, bytes, workspace: places.workspace, input };
            let end = places.workspace.checked_add(bytes);
            let end = end.and_then(tegula_package::scratch_end);
            places.workspace = end.filter(|&end| end < 1 << 46).ok_or_else(|| {
                NoEntry("scratch memory is larger than an address can hold".to_owned())
            })?;
            places.copies.push(copy);
        }
        Ok(places)
    }

    /// The register and byte offset of a range.
    pub(super) fn of(
        &self,
        range: &Range,
        params: &[ValueId],
        workspace: ValueId,
    ) -> Result<(ValueId, i64), NoEntry> {
        let param = |list: &[usize], number: usize| {
            list.get(number).and_then(|&at| params.get(at)).copied().ok_or_else(|| {
                NoEntry("a step names a buffer that the function does not have".to_owned())
            })
        };
        match range.buffer {
            Buffer::Scratch => Ok((workspace, range.offset)),
            Buffer::Output(number) => Ok((param(&self.outputs, number)?, range.offset)),
            Buffer::Input(number) => match self.copies.iter().find(|copy| copy.input == number) {
                Some(copy) => Ok((workspace, copy.workspace + range.offset)),
                None => Ok((param(&self.inputs, number)?, range.offset)),
            },
        }
    }
}

/// Whether a step reads the argument when, or after, a step writes the result. A step that does
/// both may write an element before it reads it.
fn is_overwritten(schedule: &Schedule, input: usize, output: usize) -> bool {
    let reads = |range: &Range| range.buffer == Buffer::Input(input);
    let writes = |range: &Range| range.buffer == Buffer::Output(output);
    let mut written = false;
    for step in &schedule.steps {
        let (read, write) = match step {
            Step::Dispatch { bindings, .. } => (
                bindings.iter().any(|(range, _)| reads(range)),
                bindings.iter().any(|(range, written)| *written && writes(range)),
            ),
            Step::Fill { range, .. } => (false, writes(range)),
            Step::Copy { from, to } => (reads(from), writes(to)),
        };
        written |= write;
        if read && written {
            return true;
        }
    }
    false
}
