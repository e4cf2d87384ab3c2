//! Output files that are whole or not there.

use std::path::{Path, PathBuf};

use crate::ToolError;

/// Makes a file next to its final place and renames it when `fill` is done with it.
pub(crate) fn whole_file(
    path: &Path,
    fill: impl FnOnce(&Path) -> Result<(), ToolError>,
) -> Result<(), ToolError> {
    let dir = match path.parent() {
        Some(dir) if !dir.as_os_str().is_empty() => dir.to_owned(),
        _ => PathBuf::from("."),
    };
    let write = |error: &std::io::Error| ToolError::io(path, "write", error);
    let scratch = tempfile::Builder::new()
        .prefix(".tegula-")
        .tempdir_in(dir)
        .map_err(|error| write(&error))?;
    let part = scratch.path().join("output");
    fill(&part)?;
    std::fs::rename(&part, path).map_err(|error| write(&error))
}
