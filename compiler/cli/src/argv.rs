//! The arguments in the form that the parser of the command line takes.
//!
//! People write flags as LLVM's tools read them: with one dash or two, switches with a value
//! (`--verify-each=false`), and in `opt` the name of every pass as a flag, in the order in which
//! the passes run (`-canonicalize --cse`, `--canonicalize=max-iterations=3` or
//! `--canonicalize{max-iterations=3}`). Which passes exist is known only once definitions are
//! loaded, which the same line names; so a flag of `opt` that the parser does not know is taken as
//! a pass here, and looked up later.

use std::ffi::{OsStr, OsString};

use clap::{Arg, ArgAction, Command, CommandFactory, FromArgMatches};

use crate::args::Cli;
use crate::pipeline;

/// Reads the arguments, the program's name first.
pub fn read(args: impl IntoIterator<Item = OsString>) -> Result<Cli, clap::Error> {
    let mut command = Cli::command();
    command.build();
    let args = in_clap_form(&command, args);
    if args.iter().any(|arg| arg == "--help") {
        command = command.mut_subcommand("opt", |opt| {
            opt.after_long_help(pipeline::listing_of_built_in_passes())
        });
    }
    let mut matches = command.try_get_matches_from_mut(args)?;
    Cli::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut command))
}

fn in_clap_form(root: &Command, args: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut args = args.into_iter();
    let mut out: Vec<OsString> = args.by_ref().take(1).collect();
    let mut command = root;
    while let Some(arg) = args.next() {
        if arg == "--" {
            out.push(arg);
            break;
        }
        // Paths need not be text; flags are.
        let Some(text) = arg.to_str().map(str::to_owned) else {
            out.push(arg);
            continue;
        };
        if !text.starts_with('-') {
            if std::ptr::eq(command, root) {
                command = root.find_subcommand(&text).unwrap_or(root);
            }
            out.push(arg);
            continue;
        }
        out.extend(flag(command, &text));
        if takes_next(command, &text) {
            out.extend(args.next());
        }
    }
    out.extend(args);
    out
}

/// A flag in clap's form; nothing for a switch that is turned off.
fn flag(command: &Command, text: &str) -> Option<OsString> {
    let Some((name, rest)) = long(text) else { return Some(text.into()) };
    let Some(known) = argument(command, name) else {
        // One dash may also begin the short form of a folder.
        let short = !text.starts_with("--") && text.starts_with("-I");
        let passes = argument(command, "pass").is_some();
        return Some(if passes && !short { pass(name, rest) } else { text.into() });
    };
    let switch = matches!(known.get_action(), ArgAction::SetTrue);
    let names = known.get_value_names().unwrap_or_default();
    let truth = truth(rest).filter(|_| switch || names.iter().any(|name| name == "BOOL"));
    match truth {
        Some(false) if switch => None,
        Some(true) if switch => Some(format!("--{name}").into()),
        Some(value) => Some(format!("--{name}={value}").into()),
        None => Some(format!("--{name}{rest}").into()),
    }
}

/// What is joined to a flag as a truth value, in the spellings of LLVM's tools.
fn truth(rest: &str) -> Option<bool> {
    match rest {
        "=true" | "=TRUE" | "=True" | "=1" => Some(true),
        "=false" | "=FALSE" | "=False" | "=0" => Some(false),
        _ => None,
    }
}

/// The name of a long flag and what is joined to it.
fn long(text: &str) -> Option<(&str, &str)> {
    let body = text.strip_prefix("--").or_else(|| text.strip_prefix('-'))?;
    let (name, rest) = body.split_at(body.find(['=', '{']).unwrap_or(body.len()));
    (name.len() > 1 && name.starts_with(|c: char| c.is_ascii_alphabetic())).then_some((name, rest))
}

fn argument<'c>(command: &'c Command, name: &str) -> Option<&'c Arg> {
    command.get_arguments().find(|arg| {
        arg.get_long() == Some(name) || arg.get_all_aliases().is_some_and(|a| a.contains(&name))
    })
}

/// Whether the next argument is the flag's value, whatever it looks like.
fn takes_next(command: &Command, text: &str) -> bool {
    let known = match long(text) {
        Some((name, "")) => argument(command, name),
        Some(_) => None,
        None => command.get_arguments().find(|arg| {
            let mut letters = text.chars().skip(1);
            letters.next() == arg.get_short()
                && arg.get_short().is_some()
                && letters.next().is_none()
        }),
    };
    known.is_some_and(|arg| arg.get_action().takes_values() && !arg.is_require_equals_set())
}

/// A pass in the syntax of pipelines.
fn pass(name: &str, rest: &str) -> OsString {
    let options = rest.strip_prefix('=').unwrap_or(rest);
    let mut out = OsString::from(format!("--pass={name}"));
    if options.starts_with('{') {
        out.push(options);
    } else if !options.is_empty() {
        out.push(OsStr::new("{"));
        out.push(options);
        out.push(OsStr::new("}"));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(args: &str, want: &str) {
        let mut command = Cli::command();
        command.build();
        let line = format!("tegula {args}");
        let out = in_clap_form(&command, line.split(' ').map(OsString::from));
        let out: Vec<_> = out.iter().skip(1).map(|arg| arg.to_string_lossy()).collect();
        assert_eq!(out.join(" "), want);
    }

    #[test]
    fn flags_of_passes_keep_their_order() {
        check(
            "opt -cse a.mlir --canonicalize=max-iterations=3 --inline{x=1} -o out",
            "opt --pass=cse a.mlir --pass=canonicalize{max-iterations=3} --pass=inline{x=1} -o out",
        );
    }

    #[test]
    fn flags_have_one_dash_or_two() {
        check("opt -split-input-file -Idir -I dir", "opt --split-input-file -Idir -I dir");
        check("compile -iree-opt-level=O3 -o -x", "compile --iree-opt-level=O3 -o -x");
        check("compile -iree-opt-levl=O3", "compile -iree-opt-levl=O3");
        check("-version", "--version");
    }

    #[test]
    fn switches_take_a_value() {
        check("opt --mlir-print-debuginfo=true", "opt --mlir-print-debuginfo");
        check("opt -mlir-print-debuginfo=0 --list-passes", "opt --list-passes");
    }

    #[test]
    fn values_and_what_follows_two_dashes_stay() {
        check("opt --pass-pipeline -cse -- -cse", "opt --pass-pipeline -cse -- -cse");
    }
}
