//! Calling tools.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

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

/// The first line that a program prints about its version.
fn version(path: &Path) -> String {
    let output = Command::new(path).arg("--version").output();
    let text = output.map(|o| String::from_utf8_lossy(&o.stdout).into_owned()).unwrap_or_default();
    text.lines().next().unwrap_or("unknown version").trim().to_owned()
}

impl Assembler {
    /// What it says about itself.
    pub fn version(&self) -> String {
        version(&self.path)
    }
}

impl Emulator {
    /// What it says about itself.
    pub fn version(&self) -> String {
        version(&self.path)
    }
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
            call(command.arg("-o").arg(part).arg(&source)).map(|_| ())
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
            call(command.args(args).arg("-o").arg(part).args(objects)).map(|_| ())
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

    /// Whether text can be assembled, linked and run here; the first thing that is missing if not.
    pub fn can_run(&self) -> Result<(), ToolError> {
        self.assembler.as_ref().map_err(Clone::clone)?;
        self.linker.as_ref().map_err(Clone::clone)?;
        match self.host {
            Host::LinuxArm64 => Ok(()),
            // Freestanding executables make Linux system calls.
            Host::MacArm64 | Host::Other => {
                self.emulator.as_ref().map_err(Clone::clone).map(|_| ())
            }
        }
    }

    /// One line on each tool, for reports.
    pub fn describe(&self) -> Vec<String> {
        let mut lines = Vec::new();
        match &self.assembler {
            Ok(tool) => {
                lines.push(format!("assembler: {} ({})", tool.path.display(), tool.version()));
            }
            Err(error) => lines.push(format!("assembler: {error}")),
        }
        match (&self.host, &self.emulator) {
            (Host::LinuxArm64, _) => lines.push("runs natively".to_owned()),
            (_, Ok(tool)) => {
                lines.push(format!("emulator: {} ({})", tool.path.display(), tool.version()));
            }
            (_, Err(error)) => lines.push(format!("emulator: {error}")),
        }
        lines
    }
}
