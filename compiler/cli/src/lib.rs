//! The commands of the `tegula` program.
//!
//! Exit codes: 0 done, 1 the command line, the input or the environment is at fault, each with a
//! message.

#![warn(missing_docs)]

mod args;
mod argv;
mod bisect;
mod bound;
mod compile;
mod context;
mod doc;
mod dump;
mod evaluate;
mod executables;
mod expect;
mod explain;
mod flags;
mod fmt;
mod ir_diff;
mod memory;
mod npy;
mod opt;
mod output;
mod pipeline;
mod reduce;
mod reproducer;
mod run;
mod smith;
mod td;
mod values;
mod watch;

use std::process::ExitCode;

use tegula_ide::Options;

use crate::args::{Command, DialectArgs};
use crate::flags::CommandLine;

/// Runs the program on the process's arguments.
pub fn main() -> ExitCode {
    let args = std::env::args_os().map(|arg| arg.to_string_lossy().into_owned());
    let line = CommandLine::new(args);
    let cli = match argv::read(std::env::args_os()) {
        Ok(cli) => cli,
        // Help and versions are answers.
        Err(answer) => {
            let printed = answer.print().is_ok();
            return ExitCode::from(u8::from(answer.use_stderr() || !printed));
        }
    };
    let done = match &cli.command {
        Command::Compile(args) => compile::run(args, &line),
        Command::Opt(args) => opt::run(args, &line),
        Command::Run(args) => run::run(args, &line),
        Command::Bisect(args) => bisect::run(args, &line),
        Command::Reduce(args) => reduce::run(args, &line),
        Command::Fmt(args) => fmt::run(args),
        Command::Smith(args) => smith::run(args, &line),
        Command::Td(args) => td::run(args, &line),
        Command::Doc(args) => doc::run(args),
        Command::Lsp(args) => {
            let DialectArgs { dialects, includes } = args.dialect.clone();
            return tegula_lsp::run(Options { include: includes, dialects, cpu: None });
        }
    };
    if let Some(why) = output::unsaid() {
        output::aside(format_args!(
            "error[unwritable-output]: cannot write to standard output: {why}"
        ));
        return ExitCode::from(1);
    }
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(context::Failed) => ExitCode::from(1),
    }
}
