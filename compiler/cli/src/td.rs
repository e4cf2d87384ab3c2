//! `tegula td`

use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use tegula_diag::{Diagnostic, has_errors};
use tegula_model::Loader;
use tegula_pass::Settings;
use tegula_pipelines::Setup;
use tegula_record::{FileLoader, LoadError, LoadedFile, Macros, json, load_each, print};

use crate::args::TdArgs;
use crate::context::{Context, Done};
use crate::flags::CommandLine;
use crate::output::{self, reason};

/// Runs the command.
pub fn run(args: &TdArgs, line: &CommandLine) -> Done {
    let result = if args.check { check } else { print };
    result(args, line)
}

/// Prints the records of each file.
fn print(args: &TdArgs, line: &CommandLine) -> Done {
    let mut cx = Context::like_llvm();
    let outputs = outputs(args);
    for output in &outputs {
        cx.check_output(line, "-o", output, &args.inputs)?;
    }
    let mut macros = Macros::default();
    for name in &args.macros {
        macros.define(name);
    }
    let loader = WithStdin { files: Loader::new(&args.includes), stdin: stdin(args, &mut cx)? };
    let names: Vec<_> = args.inputs.iter().map(|input| input.to_string_lossy()).collect();
    let names: Vec<&str> = names.iter().map(|name| &**name).collect();
    let mut results: Vec<(Vec<Diagnostic>, Written)> = Vec::new();
    results.resize_with(names.len(), Default::default);
    let (mut json, mut text) = (json::Dumper::default(), print::Printer::default());
    load_each(
        &names,
        &macros,
        &loader,
        &mut cx.sources,
        &mut |index, evaluated, found, sources| {
            let written = match (has_errors(&found), &outputs[..]) {
                (true, _) => Written::Nothing,
                (_, [output]) => Written::Done(output::write_by(output, &mut |out| {
                    if args.dump_json {
                        json::write(evaluated, sources, out)
                    } else {
                        print::write(evaluated, out)
                    }
                })),
                // Only several files share what is written of a record.
                _ if args.dump_json => Written::Text(json.dump(&evaluated.records(), sources)),
                _ => Written::Text(text.dump(&evaluated.records())),
            };
            if let Some(slot) = results.get_mut(index) {
                *slot = (found, written);
            }
        },
    );
    let mut done = Ok(());
    for ((mut found, written), output) in results.into_iter().zip(&outputs) {
        if args.no_warn_on_unused_template_args {
            found.retain(|found| found.code != "unused-parameter");
        }
        let shown = cx.show(&found);
        done = done.and(shown);
        match written {
            Written::Nothing | Written::Done(Ok(())) => {}
            Written::Done(Err(error)) => return cx.cannot_write(output, &error),
            Written::Text(text) => write(args, &mut cx, output, &text)?,
        }
    }
    done
}

/// What became of the records of a file.
#[derive(Default)]
enum Written {
    #[default]
    Nothing,
    /// They were written as they were made.
    Done(io::Result<()>),
    Text(String),
}

/// Writes one result, into a folder that is made where several are written.
fn write(args: &TdArgs, cx: &mut Context, output: &Path, text: &str) -> Done {
    if args.inputs.len() > 1
        && let Some(folder) = output.parent().filter(|_| output != Path::new("-"))
        && let Err(error) = std::fs::create_dir_all(folder)
    {
        let message = format!("cannot make {}: {}", folder.display(), reason(&error));
        return cx.fail(Diagnostic::error("unwritable-output", message));
    }
    cx.write(output, text.as_bytes())
}

/// Where the result of each input goes.
fn outputs(args: &TdArgs) -> Vec<PathBuf> {
    if args.inputs.len() == 1 || args.output == Path::new("-") {
        return vec![args.output.clone(); args.inputs.len()];
    }
    let mut shared = args.inputs.first().and_then(|input| input.parent()).unwrap_or(Path::new(""));
    while let Some(parent) = shared.parent()
        && !args.inputs.iter().all(|input| input.starts_with(shared))
    {
        shared = parent;
    }
    let ending = if args.dump_json { "json" } else { "txt" };
    let below = |input: &PathBuf| {
        let own = input.strip_prefix(shared).unwrap_or(input);
        let plain = own.components().filter(|part| matches!(part, Component::Normal(_)));
        args.output.join(plain.collect::<PathBuf>()).with_extension(ending)
    };
    args.inputs.iter().map(below).collect()
}

/// Checks what each file defines and says what that is.
fn check(args: &TdArgs, _: &CommandLine) -> Done {
    let mut done = Ok(());
    for input in &args.inputs {
        done = done.and(check_one(args, input));
    }
    done
}

fn check_one(args: &TdArgs, input: &Path) -> Done {
    let mut cx = Context::new();
    let (defs, found) = tegula_model::load_live(input, &args.includes, &mut cx.sources);
    cx.show(&found)?;
    // What only shows when everything is put together: types and values in texts, hooks.
    let setup = Setup::new(Settings::default(), defs.clone());
    cx.check_setup(&setup)?;
    for def in defs {
        output::say!(
            "{}: {} ops, {} types, {} attributes, {} patterns, {} passes",
            def.name,
            def.ops.len(),
            def.types.len(),
            def.attrs.len(),
            def.patterns.len(),
            def.passes.len()
        );
    }
    Ok(())
}

/// The text of standard input, if it is asked for.
fn stdin(args: &TdArgs, cx: &mut Context) -> Done<Option<Arc<str>>> {
    let path = Path::new("-");
    if !args.inputs.iter().any(|input| input == path) {
        return Ok(None);
    }
    let source = cx.read(path)?;
    Ok(cx.sources.get(source).map(|source| source.text().clone().into()))
}

/// Files, and standard input as the file `-`.
struct WithStdin {
    files: Loader,
    stdin: Option<Arc<str>>,
}

impl FileLoader for WithStdin {
    fn load(&self, path: &str, from: Option<&Path>) -> Result<Option<LoadedFile>, LoadError> {
        match &self.stdin {
            Some(text) if from.is_none() && path == "-" => {
                let (path, text) = (PathBuf::from("<stdin>"), text.clone());
                Ok(Some(LoadedFile { path, text, is_virtual: true }))
            }
            _ => self.files.load(path, from),
        }
    }

    fn searched(&self) -> Vec<String> {
        self.files.searched()
    }
}
