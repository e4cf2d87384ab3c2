//! Looking for tools.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::tool::{Assembler, AssemblerKind, Emulator, Linker};
use crate::{ToolError, Toolchain};

/// The machine that the compiler runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Host {
    /// AArch64 with Linux: objects run natively.
    LinuxArm64,
    /// AArch64 with macOS: its own assembler, no static executables.
    MacArm64,
    /// Any other: objects run under an emulator.
    Other,
}

impl Host {
    /// This machine.
    pub fn current() -> Host {
        match (std::env::consts::ARCH, std::env::consts::OS) {
            ("aarch64", "linux") => Host::LinuxArm64,
            ("aarch64", "macos") => Host::MacArm64,
            _ => Host::Other,
        }
    }
}

/// Where tools are looked for.
#[derive(Clone, Debug)]
pub struct Search {
    /// The machine.
    pub host: Host,
    /// The directories, as `PATH` has them.
    pub path: OsString,
    /// `TEGULA_AS`: an assembler that takes `-o OUT FILE`.
    pub assembler: Option<OsString>,
    /// `TEGULA_CC`: a compiler driver for AArch64 that assembles and links.
    pub compiler: Option<OsString>,
    /// `TEGULA_QEMU`: an emulator that takes a static executable.
    pub emulator: Option<OsString>,
}

const CC: &str = "TEGULA_CC";
const AS: &str = "TEGULA_AS";
const QEMU: &str = "TEGULA_QEMU";

impl Search {
    /// This machine, `PATH`, and the overrides in the environment.
    pub fn from_env() -> Search {
        let var = |name| std::env::var_os(name).filter(|value| !value.is_empty());
        Search {
            host: Host::current(),
            path: var("PATH").unwrap_or_default(),
            assembler: var(AS),
            compiler: var(CC),
            emulator: var(QEMU),
        }
    }

    /// Finds what there is. No tool is an error before it is needed.
    pub fn toolchain(&self) -> Toolchain {
        Toolchain {
            host: self.host,
            assembler: self.find_assembler(),
            linker: self.find_linker(),
            emulator: self.find_emulator(),
        }
    }

    fn which(&self, name: &str) -> Option<PathBuf> {
        which::which_in(name, Some(&self.path), ".").ok()
    }

    fn overridden(
        &self,
        variable: &'static str,
        value: &Option<OsString>,
    ) -> Result<Option<PathBuf>, ToolError> {
        let Some(value) = value else { return Ok(None) };
        match which::which_in(value, Some(&self.path), ".") {
            Ok(path) => Ok(Some(path)),
            Err(_) => Err(ToolError::BadOverride {
                variable,
                value: value.to_string_lossy().into_owned(),
            }),
        }
    }

    fn find_assembler(&self) -> Result<Assembler, ToolError> {
        if let Some(path) = self.overridden(AS, &self.assembler)? {
            return Ok(Assembler { path, kind: AssemblerKind::As });
        }
        if let Some(path) = self.overridden(CC, &self.compiler)? {
            return Ok(Assembler { path, kind: AssemblerKind::Driver(Vec::new()) });
        }
        let driver = |args: &[&str]| {
            AssemblerKind::Driver(args.iter().map(|arg| (*arg).to_owned()).collect())
        };
        let native: &[(&str, AssemblerKind)] = &match self.host {
            Host::LinuxArm64 => [("cc", driver(&[])), ("as", AssemblerKind::As)],
            Host::MacArm64 => [("clang", driver(&["-arch", "arm64"])), ("cc", driver(&[]))],
            Host::Other => [
                ("aarch64-linux-gnu-gcc", driver(&[])),
                ("aarch64-linux-gnu-as", AssemblerKind::As),
            ],
        };
        let cross = [
            ("aarch64-linux-gnu-gcc", driver(&[])),
            ("aarch64-linux-gnu-as", AssemblerKind::As),
            ("clang", driver(&["--target=aarch64-linux-gnu"])),
            ("llvm-mc", AssemblerKind::LlvmMc),
        ];
        let mut tried = vec![format!("${AS}"), format!("${CC}")];
        for (name, kind) in native.iter().chain(&cross) {
            if let Some(path) = self.which(name) {
                return Ok(Assembler { path, kind: kind.clone() });
            }
            if !tried.iter().any(|t| t == name) {
                tried.push((*name).to_owned());
            }
        }
        Err(ToolError::Missing { what: "assembler for AArch64", tried, help: self.help() })
    }

    fn find_linker(&self) -> Result<Linker, ToolError> {
        if let Some(path) = self.overridden(CC, &self.compiler)? {
            return Ok(Linker { path, driver: Some(Vec::new()) });
        }
        let native: &[(&str, bool)] = match self.host {
            Host::LinuxArm64 => &[("cc", true), ("ld", false)],
            Host::MacArm64 => &[("clang", true), ("cc", true)],
            Host::Other => &[],
        };
        let cross =
            [("aarch64-linux-gnu-gcc", true), ("aarch64-linux-gnu-ld", false), ("ld.lld", false)];
        let mut tried = vec![format!("${CC}")];
        for (name, is_driver) in native.iter().chain(&cross) {
            if let Some(path) = self.which(name) {
                return Ok(Linker { path, driver: is_driver.then(Vec::new) });
            }
            tried.push((*name).to_owned());
        }
        Err(ToolError::Missing { what: "linker for AArch64", tried, help: self.help() })
    }

    fn find_emulator(&self) -> Result<Emulator, ToolError> {
        if let Some(path) = self.overridden(QEMU, &self.emulator)? {
            return Ok(Emulator { path });
        }
        let names = ["qemu-aarch64", "qemu-aarch64-static"];
        let found = names.iter().find_map(|name| self.which(name));
        found.map(|path| Emulator { path }).ok_or_else(|| {
            let mut tried = vec![format!("${QEMU}")];
            tried.extend(names.map(str::to_owned));
            ToolError::Missing { what: "emulator for AArch64", tried, help: self.help() }
        })
    }

    fn help(&self) -> String {
        match self.host {
            Host::LinuxArm64 => "install one with `apt install binutils` or set TEGULA_AS".into(),
            Host::MacArm64 => "install one with `xcode-select --install` or set TEGULA_CC".into(),
            Host::Other => "install them with `apt install binutils-aarch64-linux-gnu qemu-user`, \
                            or set TEGULA_AS, TEGULA_CC and TEGULA_QEMU"
                .into(),
        }
    }
}
