//! What commands share: sources, definitions, and how findings reach the user.

use std::io::{IsTerminal, Read, Write};
use std::path::Path;
use std::sync::Arc;

use tegula_diag::{Diagnostic, Renderer, SourceId, Sources, Span, Style, has_errors};
use tegula_pass::Settings;
use tegula_pipelines::{Problem, Setup};
use tegula_schema::DialectDef;

use crate::args::{DialectArgs, TargetArgs};
use crate::flags::{self, CommandLine};
use crate::output::reason;

/// The command failed and has said why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failed;

/// What a command gives.
pub type Done<T = ()> = Result<T, Failed>;

/// Sources and the way of findings to the user.
pub struct Context {
    /// All texts that messages may point into.
    pub sources: Sources,
    /// What was shown, so that nothing is said twice.
    told: Vec<Diagnostic>,
}

/// Findings beyond this many are counted, not shown.
const MOST_SHOWN: usize = 50;

impl Context {
    /// A context without sources.
    pub fn new() -> Context {
        Context { sources: Sources::new(), told: Vec::new() }
    }

    /// Shows findings; fails when one of them is an error.
    pub fn show(&mut self, diagnostics: &[Diagnostic]) -> Done {
        let style = if std::io::stderr().is_terminal() { Style::Coloured } else { Style::Plain };
        let mut err = std::io::stderr().lock();
        let mut hidden = 0;
        for diagnostic in diagnostics {
            if self.told.contains(diagnostic) {
                continue;
            }
            if self.told.len() < MOST_SHOWN {
                let text = Renderer::new(&self.sources, style).render(diagnostic);
                // Nothing can be said when standard error is closed.
                let _ = writeln!(err, "{}", text.trim_end());
                self.told.push(diagnostic.clone());
            } else {
                hidden += 1;
            }
        }
        if hidden > 0 {
            let _ = writeln!(err, "… and {hidden} more");
        }
        if has_errors(diagnostics) { Err(Failed) } else { Ok(()) }
    }

    /// Shows one error and fails.
    pub fn fail<T>(&mut self, diagnostic: Diagnostic) -> Done<T> {
        let _ = self.show(&[diagnostic]);
        Err(Failed)
    }

    /// Reads a file, or standard input for `-`.
    pub fn read(&mut self, path: &Path) -> Done<SourceId> {
        let read = if path == Path::new("-") {
            let mut bytes = Vec::new();
            std::io::stdin().read_to_end(&mut bytes).map(|_| bytes)
        } else {
            std::fs::read(path)
        };
        let bytes = match read {
            Ok(bytes) => bytes,
            Err(error) => {
                let message = format!("cannot read {}: {}", path.display(), reason(&error));
                return self.fail(Diagnostic::error("unreadable-input", message));
            }
        };
        let name = if path == Path::new("-") { Path::new("<stdin>") } else { path };
        match String::from_utf8(bytes) {
            Ok(mut text) if text.len() < u32::MAX as usize => {
                if let Some(at) = text.find('\0') {
                    text.truncate(at + 1);
                    let at = at as u32;
                    let text = text.replace('\0', "\u{2400}");
                    let place = Span::new(self.sources.add(name, text), at, at + 1);
                    let message = format!("{} is no text: it holds a zero byte", name.display());
                    return self.fail(Diagnostic::error("not-text", message).at(place));
                }
                // Editors write a byte order mark, and show none.
                if text.starts_with('\u{feff}') {
                    text.drain(..'\u{feff}'.len_utf8());
                }
                Ok(self.sources.add(name, text))
            }
            Ok(_) => {
                let message = format!("{} is larger than 4 GiB", name.display());
                self.fail(Diagnostic::error("input-too-large", message))
            }
            Err(error) => {
                let diagnostic = self.not_utf8(name, error.as_bytes(), error.utf8_error());
                self.fail(diagnostic)
            }
        }
    }

    /// The error for bytes that are no text, at the first that is wrong.
    fn not_utf8(&mut self, name: &Path, bytes: &[u8], error: std::str::Utf8Error) -> Diagnostic {
        let at = error.valid_up_to();
        let byte = bytes.get(at).copied().unwrap_or_default();
        let message = format!("{} is no UTF-8 text: byte 0x{byte:02X} is invalid", name.display());
        let diagnostic = Diagnostic::error("invalid-utf8", message);
        if bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]) {
            return diagnostic.note("it looks like UTF-16; save it as UTF-8");
        }
        // The text up to there places the error; what follows may be anything.
        let mut text = String::from_utf8_lossy(bytes.get(..at).unwrap_or_default()).into_owned();
        text.push(char::REPLACEMENT_CHARACTER);
        let start = u32::try_from(at).unwrap_or(u32::MAX);
        let end = u32::try_from(text.len()).unwrap_or(u32::MAX);
        let source = self.sources.add(name, text);
        diagnostic.at(Span::new(source, start, end))
    }

    /// Writes a result.
    pub fn write(&mut self, path: &Path, content: &[u8]) -> Done {
        match crate::output::write(path, content) {
            Ok(()) => Ok(()),
            Err(error) => {
                let message = format!("cannot write {}: {}", path.display(), reason(&error));
                let mut diagnostic = Diagnostic::error("unwritable-output", message);
                if let Some(folder) = path.parent().filter(|p| !p.as_os_str().is_empty())
                    && !folder.is_dir()
                {
                    diagnostic = diagnostic.note(format!("{} is no folder", folder.display()));
                }
                self.fail(diagnostic)
            }
        }
    }

    /// The dialects of the .td files on the command line.
    pub fn dialects(&mut self, args: &DialectArgs) -> Done<Vec<DialectDef>> {
        let mut all = Vec::new();
        for path in &args.dialects {
            let (defs, diagnostics) =
                tegula_model::load_live(path, &args.includes, &mut self.sources);
            self.show(&diagnostics)?;
            all.extend(defs);
        }
        Ok(all)
    }

    /// The setup for a target, its flags checked.
    pub fn setup(
        &mut self,
        target: &TargetArgs,
        dialect: &DialectArgs,
        line: &CommandLine,
    ) -> Done<Arc<Setup>> {
        let live = self.dialects(dialect)?;
        let setup = Setup::new(settings(target), live);
        let cpus = setup.cpus();
        let cpus: Vec<&str> = cpus.iter().map(String::as_str).collect();
        let wrong = flags::check(target, line, &mut self.sources, &cpus);
        self.show(&wrong)?;
        self.check_setup(&setup)?;
        Ok(setup)
    }

    /// Shows what in the definitions does not fit together; fails when nothing can be compiled.
    pub fn check_setup(&mut self, setup: &Setup) -> Done {
        let problems: Vec<Diagnostic> = setup.problems().iter().map(|p| self.problem(p)).collect();
        self.show(&problems)
    }

    fn problem(&self, problem: &Problem) -> Diagnostic {
        let message = problem.message.clone();
        let diagnostic = if problem.fatal {
            Diagnostic::error("broken-definition", message)
        } else {
            Diagnostic::warning("disabled-definition", message)
        };
        let Some(place) = &problem.source else { return diagnostic };
        match self.line(&place.file, place.line) {
            Some(span) => diagnostic.at(span),
            // Definitions that are built in have no text here.
            None => diagnostic.note(format!("defined at {}:{}", place.file, place.line)),
        }
    }

    /// A line of a file that was read, which tables name relative to a folder, without its
    /// indentation.
    fn line(&self, file: &str, line: u32) -> Option<Span> {
        let (id, source) = self.sources.iter().find(|(_, s)| s.path().ends_with(file))?;
        let range = source.line_range((line as usize).checked_sub(1)?)?;
        let text = source.text().get(range.clone())?;
        let indent = text.len() - text.trim_start().len();
        let (start, end) = (range.start + indent, range.start + text.trim_end().len());
        Some(Span::new(id, start as u32, end as u32))
    }
}

/// Target flags as settings of passes, under the flags' names.
pub fn settings(target: &TargetArgs) -> Settings {
    let mut settings = Settings::new();
    let mut set = |name: &str, value: &str| {
        settings.insert(name.to_owned(), value.to_owned());
    };
    set("iree-hal-target-backends", &target.iree_hal_target_backends);
    set("iree-llvmcpu-target-cpu", &target.iree_llvmcpu_target_cpu);
    set("iree-llvmcpu-enable-ukernels", &target.iree_llvmcpu_enable_ukernels);
    settings
}

/// A file's ending without the dot.
pub fn ending(path: &Path) -> String {
    path.extension().map(|e| e.to_string_lossy().into_owned()).unwrap_or_default()
}

/// A path for messages.
pub fn shown(path: &Path) -> String {
    path.display().to_string()
}
