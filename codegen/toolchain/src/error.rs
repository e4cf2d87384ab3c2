//! Errors of external tools.

use std::fmt;
use std::path::PathBuf;

use tegula_diag::Diagnostic;

/// What went wrong with an external tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToolError {
    /// Nothing that does the job was found.
    Missing {
        /// The job: "assembler for AArch64".
        what: &'static str,
        /// What was looked for, in order.
        tried: Vec<String>,
        /// How to get one.
        help: String,
    },
    /// An override in the environment names something that cannot be called.
    BadOverride {
        /// The variable.
        variable: &'static str,
        /// Its value.
        value: String,
    },
    /// A tool ran and said no.
    Failed {
        /// The command line.
        command: String,
        /// How it ended.
        status: String,
        /// What it wrote to its standard error.
        stderr: String,
    },
    /// A tool ended well without the file that it was to write.
    NoFile {
        /// The program.
        program: PathBuf,
    },
    /// A tool did not say in time what it is.
    NoAnswer {
        /// The program with its arguments.
        command: String,
        /// How long it was waited for.
        seconds: u64,
    },
    /// A tool could not be started.
    Start {
        /// The command line.
        command: String,
        /// The reason.
        reason: String,
    },
    /// A file could not be read or written.
    Io {
        /// The file.
        path: PathBuf,
        /// What was tried: "write".
        action: &'static str,
        /// The reason.
        reason: String,
    },
    /// The inputs of a run do not fit its buffers.
    Buffers(String),
}

impl ToolError {
    pub(crate) fn io(path: &std::path::Path, action: &'static str, error: &std::io::Error) -> Self {
        ToolError::Io { path: path.to_owned(), action, reason: error.to_string() }
    }

    /// A stable name of the kind of error.
    pub fn code(&self) -> &'static str {
        match self {
            ToolError::Missing { .. } => "tool-missing",
            ToolError::BadOverride { .. } => "tool-override",
            ToolError::Failed { .. } => "tool-failed",
            ToolError::NoFile { .. } => "tool-failed",
            ToolError::NoAnswer { .. } => "tool-timeout",
            ToolError::Start { .. } => "tool-start",
            ToolError::Io { .. } => "file",
            ToolError::Buffers(_) => "run-buffers",
        }
    }

    /// The error as a diagnostic without a place.
    pub fn diagnostic(&self) -> Diagnostic {
        let mut diagnostic =
            Diagnostic::new(tegula_diag::Severity::Error, self.code(), self.to_string());
        match self {
            ToolError::Missing { tried, help, .. } => {
                diagnostic.notes.push(format!("looked for {}", tried.join(", ")));
                diagnostic.notes.push(help.clone());
            }
            ToolError::Failed { stderr, .. } => {
                diagnostic.notes.extend(stderr.lines().take(20).map(str::to_owned));
            }
            _ => {}
        }
        diagnostic
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ToolError::Missing { what, .. } => write!(f, "found no {what}"),
            ToolError::BadOverride { variable, value } => {
                write!(f, "{variable} is set to `{value}`, which is not a program")
            }
            ToolError::Failed { command, status, .. } => write!(f, "`{command}` failed: {status}"),
            ToolError::NoFile { program } => {
                write!(f, "the tool `{}` wrote no file", program.display())
            }
            ToolError::NoAnswer { command, seconds } => {
                write!(f, "`{command}` gave no answer in {seconds} seconds")
            }
            ToolError::Start { command, reason } => {
                write!(f, "`{command}` could not be started: {reason}")
            }
            ToolError::Io { path, action, reason } => {
                write!(f, "could not {action} `{}`: {reason}", path.display())
            }
            ToolError::Buffers(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for ToolError {}

/// An error of the temporary directory, which is where files without a name of their own go.
impl From<std::io::Error> for ToolError {
    fn from(error: std::io::Error) -> Self {
        ToolError::io(&std::env::temp_dir(), "use the temporary directory", &error)
    }
}
