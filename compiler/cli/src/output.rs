//! Writing results: whole or not at all.

use std::io::{self, Write};
use std::path::Path;
use std::sync::OnceLock;

/// Writes a file by way of a temporary one beside it, so that an error leaves no part of it. A file
/// that is there keeps its permissions, and a link to it stays a link; `-` is standard output.
pub fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    write_pieces(path, [content])
}

/// Writes a file of some pieces likewise.
pub fn write_pieces<P: AsRef<[u8]>>(
    path: &Path,
    pieces: impl IntoIterator<Item = P>,
) -> io::Result<()> {
    let mut pieces = pieces.into_iter();
    write_by(path, &mut |out| pieces.try_for_each(|piece| out.write_all(piece.as_ref())))
}

/// Writes likewise what a function writes.
pub fn write_by(
    path: &Path,
    write_to: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    if path == Path::new("-") {
        let mut out = io::stdout().lock();
        write_to(&mut out)?;
        return out.flush();
    }
    if path.exists() && !path.is_file() {
        // A device or pipe is written in place; there is nothing to keep whole.
        return write_to(&mut std::fs::File::create(path)?);
    }
    let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let mut file = tempfile::Builder::new().prefix(".tegula-").tempfile_in(folder_of(&target))?;
    write_to(&mut file)?;
    match target.metadata() {
        Ok(there) => file.as_file().set_permissions(there.permissions())?,
        Err(_) => set_ordinary_permissions(file.as_file())?,
    }
    file.persist(target).map_err(|e| e.error)?;
    Ok(())
}

/// Why a file could not be written, before anything is; it is not touched.
pub fn check(path: &Path) -> io::Result<()> {
    if path == Path::new("-") || (path.exists() && !path.is_file()) {
        return Ok(());
    }
    tempfile::tempfile_in(folder_of(path)).map(drop)
}

/// Why no files could be written into a folder, which need not be there yet.
pub fn check_folder(folder: &Path) -> io::Result<()> {
    if folder == Path::new("-") {
        return Ok(());
    }
    let there = folder.ancestors().find(|path| path.exists());
    tempfile::tempfile_in(there.unwrap_or(Path::new("."))).map(drop)
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Why standard output could not be written, once it could not.
static UNSAID: OnceLock<String> = OnceLock::new();

/// Says a line on standard output, where that can be written.
macro_rules! say {
    ($($arg:tt)*) => { crate::output::say_line(format_args!($($arg)*)) };
}

pub(crate) use say;

/// Does what [`say!`] is for.
pub fn say_line(line: std::fmt::Arguments<'_>) {
    if UNSAID.get().is_none()
        && let Err(error) = writeln!(io::stdout().lock(), "{line}")
    {
        let _ = UNSAID.set(reason(&error));
    }
}

/// Says a line on standard error; where that is closed nobody wants to know.
pub fn aside(line: std::fmt::Arguments<'_>) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}

/// Why not everything could be said, when it could not.
pub fn unsaid() -> Option<&'static str> {
    UNSAID.get().map(String::as_str)
}

/// What an error says, without its number and the name of a temporary file.
pub fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error ").next().unwrap_or_default().to_owned()
}

#[cfg(unix)]
fn set_ordinary_permissions(file: &std::fs::File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn set_ordinary_permissions(_: &std::fs::File) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unwritable_place_leaves_nothing() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let missing = folder.path().join("no/such/folder/out.s");
        assert!(write(&missing, b"text").is_err());
        let there = folder.path().join("out.s");
        write(&there, b"text").expect("a writable folder");
        assert_eq!(std::fs::read(&there).expect("the file"), b"text");
        assert_eq!(std::fs::read_dir(folder.path()).expect("the folder").count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn what_is_there_keeps_its_links_and_permissions() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        std::fs::write(&file, "old").expect("a writable folder");
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).expect("our file");
        symlink(&file, &link).expect("a writable folder");
        write(&link, b"new").expect("a writable folder");
        assert!(link.is_symlink());
        let there = std::fs::metadata(&file).expect("the file");
        assert_eq!(there.permissions().mode() & 0o777, 0o600);
        assert_eq!(std::fs::read(&file).expect("the file"), b"new");
    }
}
