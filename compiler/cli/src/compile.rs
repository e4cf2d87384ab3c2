//! `tegula compile`

use std::path::Path;
use std::sync::Arc;

use tegula_db::{Database, Session, report_diagnostic};
use tegula_diag::Diagnostic;
use tegula_ir::text::{PrintOptions, parse_module};
use tegula_neon::{AsmFile, Flavour};
use tegula_package::{Signature, c_header};
use tegula_pass::{DumpTree, Moments, run_pipeline};
use tegula_pipelines::{Phase, Setup, module_file};
use tegula_toolchain::{Host, Search};

use crate::args::{CompileArgs, PrintArgs};
use crate::context::{Context, Done, Failed, ending, shown};
use crate::dump::{Chosen, StderrDump, module_text};
use crate::executables;
use crate::flags::{self, CommandLine};
use crate::output::reason;

/// Dialects that IREE's and MLIR's tools, which are to read dump trees, do not know.
const OWN_DIALECTS: &[&str] = &["neon"];

/// What is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Output {
    Ir(Phase),
    Assembly,
    Object,
    Shared,
    Header,
    Module,
}

/// Runs the command.
pub fn run(args: &CompileArgs, line: &CommandLine) -> Done {
    let mut cx = Context::new();
    let output = output_kind(&mut cx, args, line)?;
    let wrong =
        flags::check_print(&args.print, args.print.mlir_print_ir_after_all, line, &mut cx.sources);
    cx.show(&wrong)?;
    let phase = match output {
        Output::Ir(phase) => phase,
        Output::Module => Phase::END,
        _ => Phase::LAST,
    };
    let from = cx.phase(line, "--compile-from", &args.from.compile_from)?;
    let setup = cx.setup(&args.target, &args.dialect, &args.input, line, from..=phase)?;
    let source = cx.read(&args.input)?;
    cx.check_output(line, "-o", &args.output, &[])?;
    let text: Arc<str> = cx.sources.text(source).into();
    let mut session = Session::once(Database::new(), setup.clone(), phase, &text);
    cx.show(&session.written().text_diagnostics(source))?;
    cx.show(&session.written().misplaced(source))?;
    cx.show(&session.written().unwritten_reads(source))?;
    let asked = executables::asked(&mut cx, &args.executables, line, from..=phase)?;
    let folders = asked.iter().map(|asked| &*asked.folder);
    let folders: Vec<&Path> = folders.chain(args.print.mlir_print_ir_tree_dir.as_deref()).collect();
    cx.check_writable(&args.output, &folders)?;
    if args.print.mlir_print_ir_after_all {
        let until = match output {
            Output::Ir(phase) => phase,
            _ => Phase::END,
        };
        dump(&mut cx, &setup, (&args.input, &text), until, &args.print)?;
    }
    match output {
        Output::Ir(_) => {
            cx.show(&tegula_ide::reports(&mut session, source))?;
            let text = module_text(&setup.registry, &session.module(), &PrintOptions::default());
            cx.write(&args.output, text.as_bytes())
        }
        Output::Assembly => {
            let flavour = flavour(&args.target.iree_llvmcpu_target_triple);
            let text = assembly(&mut cx, &mut session, source, flavour)?;
            cx.write(&args.output, text.as_bytes())
        }
        Output::Header => {
            assembly(
                &mut cx,
                &mut session,
                source,
                flavour(&args.target.iree_llvmcpu_target_triple),
            )?;
            let signatures: Vec<_> = session.written().signatures().into_iter().flatten().collect();
            let signatures: Vec<&Signature> = signatures.iter().map(|s| s.as_ref()).collect();
            let name = args.output.file_name().unwrap_or_default().to_string_lossy();
            cx.write(&args.output, c_header(&name, &signatures).as_bytes())
        }
        Output::Module => {
            cx.show(&tegula_ide::reports(&mut session, source))?;
            let file = match module_file(&setup, session.module()) {
                Ok(file) => file,
                Err(reports) => {
                    let map = session.written().source_map(source);
                    let found = reports.iter().map(|report| report_diagnostic(report, &map));
                    cx.show(&found.collect::<Vec<_>>())?;
                    return Err(Failed);
                }
            };
            cx.write(&args.output, &file)
        }
        Output::Object | Output::Shared => {
            let search = Search::from_env();
            let flavour = object_flavour(&mut cx, args, line, search.host)?;
            let text = assembly(&mut cx, &mut session, source, flavour)?;
            let toolchain = search.toolchain();
            let made = match output {
                Output::Object => toolchain.assemble(&text, &args.output),
                _ => shared(&toolchain, &text, &args.output),
            };
            match made {
                Ok(()) => Ok(()),
                Err(error) => cx.fail(error.diagnostic()),
            }
        }
    }?;
    executables::dump(&mut cx, &setup, source, &asked)
}

/// The object format that a triple asks for.
pub fn flavour(triple: &str) -> Flavour {
    if ["darwin", "macos", "ios"].iter().any(|os| triple.contains(os)) {
        Flavour::MachO
    } else {
        Flavour::Elf
    }
}

/// The object format that the tools of this machine make; an error when another one is asked for.
fn object_flavour(
    cx: &mut Context,
    args: &CompileArgs,
    line: &CommandLine,
    host: Host,
) -> Done<Flavour> {
    let made = if host == Host::MacArm64 { Flavour::MachO } else { Flavour::Elf };
    let triple = &args.target.iree_llvmcpu_target_triple;
    if flavour(triple) == made {
        return Ok(made);
    }
    let message = format!(
        "the tools of this machine make no objects for {triple}, as {} needs",
        shown(&args.output)
    );
    let span = line.locate(&mut cx.sources, "--iree-llvmcpu-target-triple");
    let error = Diagnostic::error("unsupported-value", message).at(span);
    cx.fail(error.note("write a .s file and assemble it where the program is to run"))
}

fn shared(
    toolchain: &tegula_toolchain::Toolchain,
    text: &str,
    library: &std::path::Path,
) -> Result<(), tegula_toolchain::ToolError> {
    let folder = tempfile::tempdir().map_err(tegula_toolchain::ToolError::from)?;
    let object = folder.path().join("code.o");
    toolchain.assemble(text, &object)?;
    toolchain.link_shared(&[object], library)
}

fn output_kind(cx: &mut Context, args: &CompileArgs, line: &CommandLine) -> Done<Output> {
    let phase = match &args.compile_to {
        None => None,
        Some(name) => Some(cx.phase(line, "--compile-to", name)?),
    };
    let kinds = ".mlir (IR), .s (assembly text), .o (object), .so (shared object), \
                 .h (C header), .vmfb (module for IREE's runtime)";
    let to_stdout = args.output == std::path::Path::new("-");
    match (ending(&args.output).as_str(), phase) {
        ("mlir", phase) => Ok(Output::Ir(phase.unwrap_or(Phase::LAST))),
        (_, Some(phase)) if to_stdout => Ok(Output::Ir(phase)),
        (_, None) if to_stdout => Ok(Output::Assembly),
        ("s" | "S" | "o" | "so" | "h" | "vmfb", Some(_)) => {
            let span = line.locate(&mut cx.sources, "--compile-to");
            let error = Diagnostic::error(
                "unsupported-value",
                format!("--compile-to writes IR, which {} can't hold", shown(&args.output)),
            );
            cx.fail(error.at(span).note("write to a .mlir file, or leave --compile-to out"))
        }
        ("s" | "S", None) => Ok(Output::Assembly),
        ("o", None) => Ok(Output::Object),
        ("so", None) => Ok(Output::Shared),
        ("h", None) => Ok(Output::Header),
        ("vmfb", None) => Ok(Output::Module),
        (other, _) => {
            let span = line.locate(&mut cx.sources, "-o");
            let what = match other {
                "" => "a file without ending".to_owned(),
                other => format!("'.{other}'"),
            };
            let error = Diagnostic::error(
                "unsupported-value",
                format!("unsupported value for -o: {what} is no kind of output"),
            );
            cx.fail(error.at(span).note(format!("supported: {kinds}")))
        }
    }
}

/// The program's assembly text.
pub fn assembly(
    cx: &mut Context,
    session: &mut Session,
    source: tegula_diag::SourceId,
    flavour: Flavour,
) -> Done<String> {
    let (compiled, mut found) = tegula_ide::compile(session, source, flavour);
    if found.is_empty() && !compiled.pieces.iter().any(|p| p.entry.is_some()) {
        let message = "the program has no public function with a body";
        let start = tegula_diag::Span::at(source, 0);
        found.push(Diagnostic::error("nothing-to-compile", message).at(start));
    }
    cx.show(&found)?;
    // Together at once: text that grows is copied, and held twice meanwhile.
    let pieces = compiled.pieces.iter().map(|piece| &*piece.text);
    Ok(pieces.chain([AsmFile::trailer(flavour)]).collect::<Vec<_>>().concat())
}

/// Runs the passes once more, in one go, with the IR printed between them.
fn dump(
    cx: &mut Context,
    setup: &Setup,
    (path, text): (&Path, &str),
    phase: Phase,
    print: &PrintArgs,
) -> Done {
    let mut sources = tegula_diag::Sources::new();
    let id = sources.add(path, text);
    let (module, ..) = parse_module(&setup.registry, id, text);
    let plan = cx.planned(setup.plan(phase))?;
    let poll = || {};
    let env = setup.env(&poll, false);
    let after_change = print.mlir_print_ir_after_change;
    match &print.mlir_print_ir_tree_dir {
        Some(folder) => {
            let options = PrintOptions { generic_dialects: OWN_DIALECTS, ..Default::default() };
            let moments = Moments { before: false, after: true, after_change };
            let mut tree = DumpTree::new(folder, &setup.registry, options, moments);
            run_pipeline(env, &plan, module, &mut tree);
            let found: Vec<Diagnostic> = (tree.errors().iter())
                .map(|(path, error)| {
                    let message = format!("cannot write {}: {}", path.display(), reason(error));
                    Diagnostic::error("unwritable-output", message)
                })
                .collect();
            cx.show(&found)
        }
        None => {
            let mut dump =
                StderrDump { after: Chosen::All, after_change, ..StderrDump::new(&setup.registry) };
            run_pipeline(env, &plan, module, &mut dump);
            Ok(())
        }
    }
}
