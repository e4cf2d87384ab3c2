//! `tegula reduce`

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use tegula_diag::{Diagnostic, has_errors};
use tegula_ir::text::{ParseOptions, PrintOptions, parse_module_with, print_module};
use tegula_ir::{Module, Registry};
use tegula_pipelines::Setup;
use tegula_reduce::{Judge, reduce};

use crate::args::{ReduceArgs, TargetArgs};
use crate::context::{Context, Done, settings};
use crate::flags::CommandLine;
use crate::output::{aside, reason};

/// Runs the command.
pub fn run(args: &ReduceArgs, line: &CommandLine) -> Done {
    let mut cx = Context::new();
    let live = cx.dialects(&args.dialect)?;
    let setup = Setup::new(settings(&TargetArgs::defaults()), live);
    cx.check_setup(&setup)?;
    let source = cx.read(&args.input)?;
    cx.check_output(line, "-o", &args.output, &[])?;
    let text = cx.sources.text(source).to_owned();
    let options = ParseOptions {
        allow_unregistered: args.allow_unregistered_dialect,
        ..ParseOptions::default()
    };
    let (module, _, found) = parse_module_with(&setup.registry, source, &text, options);
    if has_errors(&found) {
        return cx.show(&found);
    }
    let test = match Test::new(args) {
        Ok(test) => test,
        Err(error) => {
            let message = format!("cannot make a folder for modules: {}", reason(&error));
            return cx.fail(Diagnostic::error("unwritable-output", message));
        }
    };
    let print = PrintOptions { generic: args.mlir_print_op_generic, ..PrintOptions::default() };
    let mut search = Search {
        registry: &setup.registry,
        print,
        test,
        output: Some(args.output.as_path()).filter(|path| *path != Path::new("-")),
        tried: HashSet::new(),
        failed: None,
        questions: 0,
    };
    let printed = print_module(&setup.registry, &module, &search.print);
    for (text, whose) in [(&text, "the input"), (&printed, "the input as tegula prints it")] {
        match search.test.fails(text) {
            Ok(true) => {}
            Ok(false) => {
                let span = line.locate(&mut cx.sources, "--test");
                let message = format!("the command does not fail on {whose}");
                return cx.fail(Diagnostic::error("nothing-to-reduce", message).at(span));
            }
            Err(error) => return refuse(&mut cx, line, error),
        }
    }
    if let Some(path) = search.output {
        cx.write(path, printed.as_bytes())?;
    }
    let module = reduce(&setup.registry, module, &mut search);
    let text = search.text(&module);
    match search.failed.take() {
        Some(error) => refuse(&mut cx, line, error),
        None => cx.write(&args.output, text.as_bytes()),
    }
}

fn refuse(cx: &mut Context, line: &CommandLine, error: Trouble) -> Done {
    let error = match error {
        Trouble::Command(why) => {
            let span = line.locate(&mut cx.sources, "--test");
            let message = format!("the command cannot be run: {why}");
            Diagnostic::error("unrunnable-command", message).at(span)
        }
        Trouble::Output(path, why) => {
            let message = format!("cannot write {}: {why}", path.display());
            Diagnostic::error("unwritable-output", message)
        }
    };
    cx.fail(error)
}

/// Why nothing more can be asked.
enum Trouble {
    Command(String),
    Output(PathBuf, String),
}

/// The command, asked for one module after the other.
struct Search<'a> {
    registry: &'a Registry,
    print: PrintOptions,
    test: Test,
    /// The file for the smallest module so far.
    output: Option<&'a Path>,
    /// Texts on which the command did not fail.
    tried: HashSet<String>,
    failed: Option<Trouble>,
    questions: usize,
}

impl Search<'_> {
    fn text(&self, module: &Module) -> String {
        print_module(self.registry, module, &self.print)
    }
}

impl Judge for Search<'_> {
    fn holds(&mut self, module: &Module) -> bool {
        let text = self.text(module);
        if self.failed.is_some() || self.tried.contains(&text) {
            return false;
        }
        self.questions += 1;
        let held = self.test.fails(&text).and_then(|fails| {
            if let Some(path) = self.output.filter(|_| fails) {
                crate::output::write(path, text.as_bytes())
                    .map_err(|error| Trouble::Output(path.to_owned(), reason(&error)))?;
            }
            Ok(fails)
        });
        match held {
            Ok(true) => true,
            Ok(false) => {
                self.tried.insert(text);
                false
            }
            Err(trouble) => {
                self.failed = Some(trouble);
                false
            }
        }
    }

    fn tried(&mut self, step: &str, module: &Module) {
        let asked = std::mem::take(&mut self.questions);
        if asked > 0 {
            let ops: usize = module.bodies.iter().map(|body| body.walk_all().count()).sum();
            let lines = self.text(module).lines().count();
            aside(format_args!("{step}: {ops} ops, {lines} lines left ({asked} tries)"));
        }
    }
}

/// A command, and the file that modules are handed to it in.
struct Test {
    command: String,
    timeout: Option<Duration>,
    folder: tempfile::TempDir,
    name: PathBuf,
}

impl Test {
    fn new(args: &ReduceArgs) -> io::Result<Test> {
        let name = args.input.file_name().filter(|name| *name != "-");
        let mut command = args.test.clone();
        if !command.contains("$1") {
            command.push_str(" \"$1\"");
        }
        Ok(Test {
            command,
            timeout: args.test_timeout.map(Duration::from_secs),
            folder: tempfile::Builder::new().prefix("tegula-reduce-").tempdir()?,
            name: name.map_or_else(|| PathBuf::from("module.mlir"), PathBuf::from),
        })
    }

    fn fails(&self, text: &str) -> Result<bool, Trouble> {
        let file = self.folder.path().join(&self.name);
        std::fs::write(&file, text)
            .map_err(|error| Trouble::Output(file.clone(), reason(&error)))?;
        let wrong = |error: io::Error| Trouble::Command(reason(&error));
        let mut command = Command::new("sh");
        command.arg("-c").arg(&self.command).arg("sh").arg(&file);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(wrong)?;
        let Some(status) = wait(&mut child, self.timeout).map_err(wrong)? else {
            return Ok(false);
        };
        match status.code() {
            // What the shell says of a command that is not there, or is no program.
            Some(127) => Err(Trouble::Command("there is no such command".to_owned())),
            Some(126) => Err(Trouble::Command("it is no program".to_owned())),
            _ => Ok(!status.success()),
        }
    }
}

/// How a child ended; none when it took too long.
fn wait(
    child: &mut std::process::Child,
    timeout: Option<Duration>,
) -> io::Result<Option<ExitStatus>> {
    let Some(timeout) = timeout else { return child.wait().map(Some) };
    let end = Instant::now() + timeout;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if Instant::now() >= end {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}
