//! Running an entry.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::harness::{EXIT_ABORT, EXIT_INPUT, EXIT_MEMORY, EXIT_OUTPUT};
use crate::tool::command_line;
use crate::{Buffer, ToolError, Toolchain, harness_text};

/// What a run gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunOutcome {
    /// The bytes of the buffers that are outputs, in order.
    pub outputs: Vec<Vec<u8>>,
    /// The command that ran it.
    pub command: String,
}

/// Links the object with a program around `entry` and runs it. `entry` is the assembler's name of
/// the symbol; `inputs` are the bytes of the buffers that are inputs, in order.
pub fn run_entry(
    tools: &Toolchain,
    object: &Path,
    entry: &str,
    buffers: &[Buffer],
    inputs: &[&[u8]],
) -> Result<RunOutcome, ToolError> {
    check_buffers(buffers, inputs)?;
    tools.can_run()?;
    let dir = tempfile::tempdir()
        .map_err(|error| ToolError::io(&std::env::temp_dir(), "make a directory in", &error))?;
    let harness = dir.path().join("harness.o");
    let program = dir.path().join("program");
    tools.assemble(&harness_text(entry, buffers), &harness)?;
    let object = PathBuf::from(object);
    tools.link_executable(&[harness, object], &program)?;

    // Files, not pipes: the program reads everything before it writes anything, but it may be
    // killed in between, and a full pipe would then block this side.
    let (input, output) = (dir.path().join("input"), dir.path().join("output"));
    std::fs::write(&input, inputs.concat())
        .map_err(|error| ToolError::io(&input, "write", &error))?;
    let open = |path: &Path, file: std::io::Result<std::fs::File>| {
        file.map_err(|error| ToolError::io(path, "open", &error))
    };
    let mut command = tools.runner(&program)?;
    command
        .stdin(open(&input, std::fs::File::open(&input))?)
        .stdout(open(&output, std::fs::File::create(&output))?)
        .stderr(Stdio::piped());
    let line = command_line(&command);
    let done = command
        .output()
        .map_err(|error| ToolError::Start { command: line.clone(), reason: error.to_string() })?;
    if !done.status.success() {
        let status = match done.status.code() {
            Some(EXIT_MEMORY) => "no memory for the buffers".to_owned(),
            Some(EXIT_INPUT) => "the inputs ended early".to_owned(),
            Some(EXIT_OUTPUT) => "the outputs could not be written".to_owned(),
            Some(EXIT_ABORT) => "the entry aborted: no memory for its scratch".to_owned(),
            _ => done.status.to_string(),
        };
        let stderr = String::from_utf8_lossy(&done.stderr).into_owned();
        return Err(ToolError::Failed { command: line, status, stderr });
    }
    let bytes = std::fs::read(&output).map_err(|error| ToolError::io(&output, "read", &error))?;
    let mut rest = bytes.as_slice();
    let mut outputs = Vec::new();
    for buffer in buffers.iter().filter(|buffer| buffer.is_output()) {
        let length = usize::try_from(buffer.bytes).unwrap_or(usize::MAX);
        let Some((head, tail)) = rest.split_at_checked(length) else {
            return Err(ToolError::Buffers("the program wrote too few bytes".to_owned()));
        };
        outputs.push(head.to_vec());
        rest = tail;
    }
    Ok(RunOutcome { outputs, command: line })
}

fn check_buffers(buffers: &[Buffer], inputs: &[&[u8]]) -> Result<(), ToolError> {
    if buffers.len() > 8 {
        let message = format!("{} arguments; at most 8 are passed in registers", buffers.len());
        return Err(ToolError::Buffers(message));
    }
    let expected: Vec<u64> = buffers.iter().filter(|b| b.is_input()).map(|b| b.bytes).collect();
    let given: Vec<u64> = inputs.iter().map(|bytes| bytes.len() as u64).collect();
    if expected == given {
        return Ok(());
    }
    Err(ToolError::Buffers(format!(
        "the inputs have {given:?} bytes, the entry takes {expected:?}"
    )))
}
