//! Calling tools.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use crate::output::whole_file;
use crate::{Host, ToolError};

/// The tools of a machine; each is found or is the reason why not.
#[derive(Clone, Debug)]
pub struct Toolchain {
    pub(crate) host: Host,
    /// The assembler.
    pub assembler: Result<Assembler, ToolError>,
    /// The linker.
    pub linker: Result<Linker, ToolError>,
    /// The emulator.
    pub emulator: Result<Emulator, ToolError>,
}

/// An assembler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assembler {
    /// The program.
    pub path: PathBuf,
    /// How it is called.
    pub kind: AssemblerKind,
}

/// How an assembler is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AssemblerKind {
    /// `PROGRAM -o OUT FILE`
    As,
    /// `PROGRAM ARGS… -c -o OUT FILE`
    Driver(Vec<String>),
    /// `llvm-mc -triple=aarch64-linux-gnu -filetype=obj -o OUT FILE`
    LlvmMc,
}

/// A linker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Linker {
    /// The program.
    pub path: PathBuf,
    /// Arguments that come first when it is a compiler driver; none for a bare linker.
    pub driver: Option<Vec<String>>,
}

/// An emulator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Emulator {
    /// The program.
    pub path: PathBuf,
}

/// How long a program may take to say its version.
const VERSION_SECONDS: u64 = 10;

/// The first line that a program prints about its version.
fn version(path: &Path) -> Result<String, ToolError> {
    let unknown = || "unknown version".to_owned();
    let mut command = Command::new(path);
    command.arg("--version").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let Ok(mut child) = command.spawn() else { return Ok(unknown()) };
    let (sender, receiver) = mpsc::channel();
    if let Some(output) = child.stdout.take() {
        // What the program started may keep its output open for good: nobody waits for this thread.
        std::thread::spawn(move || {
            let mut line = Vec::new();
            let _ = BufReader::new(output.take(1 << 12)).read_until(b'\n', &mut line);
            let _ = sender.send(line);
        });
    }
    let line = receiver.recv_timeout(Duration::from_secs(VERSION_SECONDS));
    // It has said what is of interest, or never will.
    let _ = child.kill();
    let _ = child.wait();
    match line {
        Ok(line) if line.is_empty() => Ok(unknown()),
        Ok(line) => Ok(String::from_utf8_lossy(&line).trim().to_owned()),
        Err(_) => {
            Err(ToolError::NoAnswer { command: command_line(&command), seconds: VERSION_SECONDS })
        }
    }
}

impl Assembler {
    /// What it says about itself.
    pub fn version(&self) -> Result<String, ToolError> {
        version(&self.path)
    }
}

impl Emulator {
    /// What it says about itself.
    pub fn version(&self) -> Result<String, ToolError> {
        version(&self.path)
    }
}

/// Runs a command that is to write a file.
fn make(command: &mut Command, file: &Path) -> Result<(), ToolError> {
    call(command)?;
    if file.is_file() {
        return Ok(());
    }
    Err(ToolError::NoFile { program: command.get_program().into() })
}

/// Runs a command to its end; an unsuccessful one is an error with what it wrote.
pub(crate) fn call(command: &mut Command) -> Result<Output, ToolError> {
    let line = command_line(command);
    let output = command
        .output()
        .map_err(|error| ToolError::Start { command: line.clone(), reason: error.to_string() })?;
    if output.status.success() {
        return Ok(output);
    }
    Err(ToolError::Failed {
        command: line,
        status: output.status.to_string(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    })
}

pub(crate) fn command_line(command: &Command) -> String {
    let mut words = vec![command.get_program().to_string_lossy().into_owned()];
    words.extend(command.get_args().map(|arg| arg.to_string_lossy().into_owned()));
    words.join(" ")
}

impl Toolchain {
    /// Assembles text to an object file.
    pub fn assemble(&self, text: &str, object: &Path) -> Result<(), ToolError> {
        let assembler = self.assembler.as_ref().map_err(Clone::clone)?;
        whole_file(object, |part| {
            let source = part.with_extension("s");
            std::fs::write(&source, text)
                .map_err(|error| ToolError::io(&source, "write", &error))?;
            let mut command = Command::new(&assembler.path);
            match &assembler.kind {
                AssemblerKind::As => {}
                AssemblerKind::Driver(args) => {
                    command.args(args).arg("-c");
                }
                AssemblerKind::LlvmMc => {
                    command.args(["-triple=aarch64-linux-gnu", "-filetype=obj"]);
                }
            }
            make(command.arg("-o").arg(part).arg(&source), part)
        })
    }

    /// Links objects to a shared library.
    pub fn link_shared(&self, objects: &[PathBuf], library: &Path) -> Result<(), ToolError> {
        let linker = self.linker.as_ref().map_err(Clone::clone)?;
        // A program that is linked with the library finds it by its name, wherever it lay then.
        let name = library.file_name().unwrap_or_default().to_string_lossy();
        let own = format!("-Wl,-soname,{name}");
        let args: &[&str] = match (self.host, linker.driver.is_some()) {
            (Host::MacArm64, _) => &["-dynamiclib", "-arch", "arm64"],
            // What an object refers to is in whatever process loads it; no library is named, so
            // that none is needed here.
            (_, true) => &["-shared", "-nostdlib", &own],
            (_, false) => &["-shared", "-soname", &name],
        };
        self.link(args, objects, library)
    }

    /// Links objects to a shared library that needs nothing of who loads it, as IREE's own loader
    /// wants it: no imports, one hash table, no sections that only a debugger reads.
    pub fn link_embedded(&self, objects: &[PathBuf], library: &Path) -> Result<(), ToolError> {
        let linker = self.linker.as_ref().map_err(Clone::clone)?;
        let flags = [
            "-shared",
            "--build-id=none",
            "--hash-style=sysv",
            "--no-undefined",
            "--strip-all",
            "-z",
            "now",
            "-z",
            "norelro",
        ];
        if linker.driver.is_none() {
            return self.link(&flags, objects, library);
        }
        let flags: Vec<String> = flags.iter().map(|flag| format!("-Wl,{flag}")).collect();
        let args: Vec<&str> =
            ["-shared", "-nostdlib"].into_iter().chain(flags.iter().map(String::as_str)).collect();
        self.link(&args, objects, library)
    }

    /// Links objects, one of which has `_start`, to an executable that needs no library.
    pub fn link_executable(&self, objects: &[PathBuf], program: &Path) -> Result<(), ToolError> {
        let linker = self.linker.as_ref().map_err(Clone::clone)?;
        let args: &[&str] =
            if linker.driver.is_some() { &["-static", "-nostdlib"] } else { &["-static"] };
        self.link(args, objects, program)
    }

    fn link(&self, args: &[&str], objects: &[PathBuf], output: &Path) -> Result<(), ToolError> {
        let linker = self.linker.as_ref().map_err(Clone::clone)?;
        whole_file(output, |part| {
            let mut command = Command::new(&linker.path);
            command.args(linker.driver.iter().flatten());
            make(command.args(args).arg("-o").arg(part).args(objects), part)
        })
    }

    /// The command that runs a static executable: itself, or an emulator with it.
    pub(crate) fn runner(&self, program: &Path) -> Result<Command, ToolError> {
        if self.host == Host::LinuxArm64 {
            return Ok(Command::new(program));
        }
        let emulator = self.emulator.as_ref().map_err(Clone::clone)?;
        let mut command = Command::new(&emulator.path);
        command.arg(program);
        Ok(command)
    }

    /// Whether text can be assembled, linked and run here. If not, the override that can't be
    /// called, or else the first thing that is missing.
    pub fn can_run(&self) -> Result<(), ToolError> {
        let emulator = match self.host {
            Host::LinuxArm64 => None,
            // Freestanding executables make Linux system calls.
            Host::MacArm64 | Host::Other => self.emulator.as_ref().err(),
        };
        let errors = [self.assembler.as_ref().err(), self.linker.as_ref().err(), emulator];
        let mut errors: Vec<&ToolError> = errors.into_iter().flatten().collect();
        errors.sort_by_key(|error| matches!(error, ToolError::Missing { .. }));
        errors.first().map_or(Ok(()), |&error| Err(error.clone()))
    }

    /// One line on each tool, for reports.
    pub fn describe(&self) -> Result<Vec<String>, ToolError> {
        let mut lines = Vec::new();
        match &self.assembler {
            Ok(tool) => {
                lines.push(format!("assembler: {} ({})", tool.path.display(), tool.version()?));
            }
            Err(error) => lines.push(format!("assembler: {error}")),
        }
        match (&self.host, &self.emulator) {
            (Host::LinuxArm64, _) => lines.push("runs natively".to_owned()),
            (_, Ok(tool)) => {
                lines.push(format!("emulator: {} ({})", tool.path.display(), tool.version()?));
            }
            (_, Err(error)) => lines.push(format!("emulator: {error}")),
        }
        Ok(lines)
    }
}
