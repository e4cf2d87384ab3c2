//! `--iree-hal-dump-executable-…-to`: executables as files, at the points of the road where IREE
//! writes them.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use tegula_db::report_diagnostic;
use tegula_diag::{Diagnostic, SourceId};
use tegula_ir::text::{PrintOptions, SourceMap, parse_module, print_op};
use tegula_ir::{Attr, Module};
use tegula_library::{BINARIES, INTERMEDIATES};
use tegula_pass::{NoInstrument, Plan, run_pipeline};
use tegula_pipelines::{Phase, Setup};

use crate::args::ExecutableArgs;
use crate::context::{Context, Done};
use crate::dump::names;
use crate::flags::CommandLine;
use crate::output::reason;

const SOURCES: &str = "iree-hal-dump-executable-sources-to";
const CONFIGURATIONS: &str = "iree-hal-dump-executable-configurations-to";

/// From machine instructions to the library that a program is deployed with.
const LIBRARY: &str = "builtin.module(iree-hal-link-all-executables,\
    hal.executable(iree-hal-serialize-all-executables))";

/// A kind of file that is asked for.
pub struct Asked {
    flag: &'static str,
    /// The phase that makes what is written.
    phase: Phase,
    /// Where it is written.
    pub folder: PathBuf,
}

/// What is asked for, in order of the phases, all of which those from one to another have to be.
pub fn asked(
    cx: &mut Context,
    args: &ExecutableArgs,
    line: &CommandLine,
    phases: RangeInclusive<Phase>,
) -> Done<Vec<Asked>> {
    let all = &args.iree_hal_dump_executable_files_to;
    let mut out = Vec::new();
    for (flag, phase, one) in [
        (SOURCES, Phase::ExecutableSources, &args.iree_hal_dump_executable_sources_to),
        (
            CONFIGURATIONS,
            Phase::ExecutableConfigurations,
            &args.iree_hal_dump_executable_configurations_to,
        ),
        (INTERMEDIATES, Phase::LAST, &args.iree_hal_dump_executable_intermediates_to),
        (BINARIES, Phase::LAST, &args.iree_hal_dump_executable_binaries_to),
    ] {
        let Some(folder) = one.clone().or_else(|| all.clone()) else { continue };
        if phases.contains(&phase) {
            out.push(Asked { flag, phase, folder });
        } else if one.is_some() {
            let flag = format!("--{flag}");
            let message = format!(
                "{flag} writes what the phase {} makes, which is not passed through",
                phase.name()
            );
            let span = line.locate(&mut cx.sources, &flag);
            return cx.fail(Diagnostic::error("unsupported-value", message).at(span));
        }
    }
    Ok(out)
}

/// Writes what is asked for of a program without errors.
pub fn dump(cx: &mut Context, setup: &Setup, source: SourceId, asked: &[Asked]) -> Done {
    if asked.is_empty() {
        return Ok(());
    }
    let mut settings = setup.settings.clone();
    let (mut module, map, _) = parse_module(&setup.registry, source, cx.sources.text(source));
    cx.locate_module(&mut module, source, map.module());
    let poll = || {};
    let mut env = setup.env(&poll, false);
    let mut reached = setup.from;
    for Asked { flag, phase, folder } in asked {
        if folder != Path::new("-")
            && let Err(error) = std::fs::create_dir_all(folder)
        {
            let message =
                format!("cannot make the folder {}: {}", folder.display(), reason(&error));
            return cx.fail(Diagnostic::error("unwritable-output", message));
        }
        let plan = cx.planned(setup.plan_between(reached, *phase))?;
        module = run_pipeline(env, &plan, module, &mut NoInstrument).value;
        reached = *phase;
        match *flag {
            SOURCES => list(cx, setup, &module, "", folder)?,
            CONFIGURATIONS => list(cx, setup, &module, "configured_", folder)?,
            name => drop(settings.insert(name.to_owned(), folder.to_string_lossy().into_owned())),
        }
    }
    if settings == setup.settings {
        return Ok(());
    }
    let plan = cx.planned(Plan::new(&setup.passes, LIBRARY, &[]))?;
    env.settings = &settings;
    let run = run_pipeline(env, &plan, module, &mut NoInstrument);
    let found: Vec<Diagnostic> =
        run.reports.iter().map(|report| report_diagnostic(report, &SourceMap::new())).collect();
    cx.show(&found)
}

/// Writes each executable as a public one, so that it is a program of its own.
fn list(cx: &mut Context, setup: &Setup, module: &Module, prefix: &str, folder: &Path) -> Done {
    let names = names(module);
    let stem = module.name.map_or("module", |name| name.as_str());
    let options = PrintOptions { local_scope: true, ..PrintOptions::default() };
    let to_stdout = folder == Path::new("-");
    for body in &module.bodies {
        let Some(root) = body.root().filter(|&root| body.is(root, "hal.executable")) else {
            continue;
        };
        let mut body = body.clone();
        body.set_attr(root, "sym_visibility", Attr::string("public"));
        let text = format!("{}\n", print_op(&setup.registry, &body, root, &options).trim_end());
        let name = names.resolve(body.symbol_name(root).unwrap_or_default());
        let file = match to_stdout {
            true => PathBuf::from("-"),
            false => folder.join(format!("{prefix}{stem}_{name}.mlir")),
        };
        cx.write(&file, names.resolve(&text).as_bytes())?;
    }
    Ok(())
}
