//! What commands share: sources, definitions, and how findings reach the user.

use std::io::{IsTerminal, Read, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tegula_diag::{Diagnostic, Renderer, SourceId, Sources, Span, Style, decode, has_errors};
use tegula_ide::problem_diagnostic;
use tegula_ir::{Attr, AttrData, Ident, LocData, Module};
use tegula_pass::text::PipelineError;
use tegula_pass::{Plan, Settings};
use tegula_pipelines::{Phase, Setup};
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
    /// How findings are laid out.
    style: Style,
    /// What was shown, so that nothing is said twice.
    told: Vec<Diagnostic>,
}

/// Findings beyond this many are counted, not shown.
const MOST_SHOWN: usize = 50;

impl Context {
    /// A context without sources.
    pub fn new() -> Context {
        let style = if std::io::stderr().is_terminal() { Style::Coloured } else { Style::Plain };
        Context { sources: Sources::new(), style, told: Vec::new() }
    }

    /// A context that lays findings out as LLVM's tools do.
    pub fn like_llvm() -> Context {
        Context { style: Style::Llvm, ..Context::new() }
    }

    /// Shows findings; fails when one of them is an error.
    pub fn show(&mut self, diagnostics: &[Diagnostic]) -> Done {
        let mut err = std::io::stderr().lock();
        let mut hidden = 0;
        for diagnostic in diagnostics {
            if self.told.contains(diagnostic) {
                continue;
            }
            if self.told.len() < MOST_SHOWN {
                let text = Renderer::new(&self.sources, self.style).render(diagnostic);
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
        match decode(name, bytes) {
            Ok(text) => Ok(self.sources.add(name, text)),
            Err(error) => {
                let diagnostic = error.locate(&mut self.sources);
                self.fail(diagnostic)
            }
        }
    }

    /// Refuses a file to write that is one of those that were read, or one of some others.
    pub fn check_output(
        &mut self,
        line: &CommandLine,
        flag: &str,
        output: &Path,
        others: &[PathBuf],
    ) -> Done {
        // Where there is no file yet, there is none to lose.
        let Ok(file) = std::fs::canonicalize(output) else { return Ok(()) };
        let read = self
            .sources
            .iter()
            .map(|(_, source)| source.path())
            .chain(others.iter().map(PathBuf::as_path));
        let same = |path: &&Path| std::fs::canonicalize(path).is_ok_and(|path| path == file);
        let Some(input) = read.filter(|path| path.is_file()).find(same) else { return Ok(()) };
        let message = format!("{} would be written over: it is read, too", input.display());
        let span = line.locate(&mut self.sources, flag);
        self.fail(Diagnostic::error("output-is-input", message).at(span))
    }

    /// Writes a result.
    pub fn write(&mut self, path: &Path, content: &[u8]) -> Done {
        self.write_pieces(path, [content])
    }

    /// Writes a result in pieces.
    pub fn write_pieces<P: AsRef<[u8]>>(
        &mut self,
        path: &Path,
        pieces: impl IntoIterator<Item = P>,
    ) -> Done {
        match crate::output::write_pieces(path, pieces) {
            Ok(()) => Ok(()),
            Err(error) => self.cannot_write(path, &error),
        }
    }

    /// Says that a result could not be written.
    pub fn cannot_write(&mut self, path: &Path, error: &std::io::Error) -> Done {
        self.fail(unwritable(path, error))
    }

    /// Refuses a file that could not be written, and folders that nothing could be written into,
    /// before anything is.
    pub fn check_writable(&mut self, output: &Path, folders: &[&Path]) -> Done {
        if let Err(error) = crate::output::check(output) {
            return self.fail(unwritable(output, &error));
        }
        for folder in folders {
            if let Err(error) = crate::output::check_folder(folder) {
                let message = format!("cannot write into {}: {}", folder.display(), reason(&error));
                return self.fail(Diagnostic::error("unwritable-output", message));
            }
        }
        Ok(())
    }

    /// The dialects of the .td files on the command line.
    pub fn dialects(&mut self, args: &DialectArgs) -> Done<Vec<DialectDef>> {
        let mut all = Vec::new();
        for path in &args.dialects {
            let (defs, diagnostics) =
                tegula_model::load_live(path, &args.includes, &mut self.sources);
            self.show(&diagnostics)?;
            let lacks_modules = |def: &DialectDef| {
                def.name == "builtin" && def.ops.iter().all(|op| op.name != "builtin.module")
            };
            if defs.iter().any(lacks_modules) {
                let path = path.display();
                let message =
                    format!("{path} replaces the dialect `builtin` by one without modules");
                return self.fail(Diagnostic::error("builtin-dialect", message));
            }
            all.extend(defs);
        }
        Ok(all)
    }

    /// The setup for a target, its flags checked for a compilation from one phase to another.
    pub fn setup(
        &mut self,
        target: &TargetArgs,
        dialect: &DialectArgs,
        input: &Path,
        line: &CommandLine,
        phases: RangeInclusive<Phase>,
    ) -> Done<Arc<Setup>> {
        let (from, to) = phases.into_inner();
        if to < from {
            let span = line.locate(&mut self.sources, "--compile-from");
            let message = format!("the phase {} comes before {}", to.name(), from.name());
            return self.fail(Diagnostic::error("unsupported-value", message).at(span));
        }
        let live = self.dialects(dialect)?;
        let mut settings = settings(target);
        if input != Path::new("-") {
            settings.insert("input-file".to_owned(), input.display().to_string());
        }
        let setup = Setup::after(from, settings, live);
        let wrong = flags::check(target, line, &mut self.sources, &setup, to);
        self.show(&wrong)?;
        self.check_setup(&setup)?;
        Ok(setup)
    }

    /// A plan; shows why there is none.
    pub fn planned(&mut self, plan: Result<Plan, Vec<PipelineError>>) -> Done<Plan> {
        match plan {
            Ok(plan) => Ok(plan),
            Err(errors) => {
                let found: Vec<Diagnostic> =
                    errors.iter().map(|e| Diagnostic::error(e.code, e.message.clone())).collect();
                self.show(&found)?;
                Err(Failed)
            }
        }
    }

    /// Locates a module in its file where its text does not say: at its head, or in line 0 when it
    /// is implicit.
    pub fn locate_module(&self, module: &mut Module, source: SourceId, head: Option<Span>) {
        module.loc.get_or_insert_with(|| {
            let file = Ident::of(self.sources.name(source));
            let start = head.map_or((0, 0), |head| byte_position(&self.sources, head));
            Attr::new(AttrData::Loc(LocData::File { file, start, end: None }))
        });
    }

    /// The phase that a flag names.
    pub fn phase(&mut self, line: &CommandLine, flag: &str, name: &str) -> Done<Phase> {
        match Phase::from_name(name) {
            Some(phase) => Ok(phase),
            None => {
                let error = line.unsupported(&mut self.sources, flag, name, &Phase::names());
                self.fail(error)
            }
        }
    }

    /// Shows what in the definitions does not fit together; fails when nothing can be compiled.
    pub fn check_setup(&mut self, setup: &Setup) -> Done {
        let problems: Vec<Diagnostic> =
            (setup.problems().iter()).map(|p| problem_diagnostic(&self.sources, p)).collect();
        self.show(&problems)
    }
}

/// The error for a file that cannot be written.
fn unwritable(path: &Path, error: &std::io::Error) -> Diagnostic {
    let message = format!("cannot write {}: {}", path.display(), reason(error));
    let diagnostic = Diagnostic::error("unwritable-output", message);
    match path.parent().filter(|p| !p.as_os_str().is_empty() && !p.is_dir()) {
        Some(folder) => diagnostic.note(format!("{} is no folder", folder.display())),
        None => diagnostic,
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
    if target.iree_llvmcpu_enable_scalable_vectorization {
        set("iree-llvmcpu-enable-scalable-vectorization", "true");
    }
    if let Some(scale) = target.iree_experimental_vscale_value {
        set("iree-experimental-vscale-value", &scale.to_string());
    }
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

/// The line and column at which a span begins, as locations in MLIR text have them: columns count
/// bytes.
pub fn byte_position(sources: &Sources, span: Span) -> (u32, u32) {
    let text = sources.text(span.source);
    let before = text.get(..span.start as usize).unwrap_or_default();
    let column = before.len() - before.rfind('\n').map_or(0, |at| at + 1) + 1;
    (sources.line_col(span).line, column as u32)
}
