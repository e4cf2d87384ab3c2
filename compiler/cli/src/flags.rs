//! Flag values that exist, and located errors for those that don't.

use std::path::Path;

use tegula_diag::{Diagnostic, Sources, Span, nearest};
use tegula_pipelines::{Phase, Setup};

use crate::args::{PrintArgs, TargetArgs};

/// The command line as a source, so that messages can point into it.
pub struct CommandLine {
    text: String,
    /// Where each argument stands, quotes included.
    places: Vec<(String, u32, u32)>,
}

impl CommandLine {
    /// The command line of these arguments.
    pub fn new(args: impl IntoIterator<Item = String>) -> CommandLine {
        let mut text = String::new();
        let mut places = Vec::new();
        for arg in args {
            // The program by its name: where it lies says nothing.
            let file = Path::new(&arg).file_name().filter(|_| places.is_empty());
            let arg = file.map_or(arg.clone(), |name| name.to_string_lossy().into_owned());
            if !text.is_empty() {
                text.push(' ');
            }
            let start = text.len() as u32;
            if arg.is_empty()
                || arg.contains(|c: char| c.is_whitespace() || "'\"$`\\*?".contains(c))
            {
                text.push('\'');
                text.push_str(&arg.replace('\'', "'\\''"));
                text.push('\'');
            } else {
                text.push_str(&arg);
            }
            places.push((arg, start, text.len() as u32));
        }
        CommandLine { text, places }
    }

    /// Where the flag's value was given; the whole line when it was not.
    pub fn locate(&self, sources: &mut Sources, flag: &str) -> Span {
        let source = sources.add_virtual("<command line>", self.text.clone());
        let (start, end) =
            self.find(flag.trim_start_matches('-')).unwrap_or((0, self.text.len() as u32));
        Span::new(source, start, end)
    }

    /// Where a flag and its value stand; it is named without dashes.
    pub fn find(&self, flag: &str) -> Option<(u32, u32)> {
        self.places.iter().enumerate().find_map(|(at, (arg, start, end))| {
            let rest = arg.strip_prefix('-')?.trim_start_matches('-').strip_prefix(flag)?;
            if rest.starts_with(['=', '{']) {
                return Some((*start, *end));
            }
            // A value may be an argument of its own.
            let next = self.places.get(at + 1).filter(|(next, ..)| !next.starts_with('-'));
            rest.is_empty().then(|| (*start, next.map_or(*end, |(_, _, end)| *end)))
        })
    }

    /// The error for a value that does not exist, naming those that do.
    pub fn unsupported(
        &self,
        sources: &mut Sources,
        flag: &str,
        value: &str,
        supported: &[&str],
    ) -> Diagnostic {
        let span = self.locate(sources, flag);
        let all = supported.join(", ");
        let diagnostic = Diagnostic::error(
            "unsupported-value",
            format!("unsupported value '{value}' for {flag}"),
        )
        .at(span);
        let fix = nearest(value, supported.iter().copied())
            .or_else(|| (supported.len() == 1).then(|| supported[0]));
        match fix {
            Some(best) => diagnostic.note(format!("supported: {all}; did you mean {flag}={best}?")),
            None => diagnostic.note(format!("supported: {all}")),
        }
    }
}

/// Checks the values of target flags for a compilation up to a phase: each takes effect or is an
/// error.
pub fn check(
    target: &TargetArgs,
    line: &CommandLine,
    sources: &mut Sources,
    setup: &Setup,
    phase: Phase,
) -> Vec<Diagnostic> {
    let mut out = wrong_backend(target, line, sources, setup, phase);
    let cpus = setup.cpus();
    let cpus: Vec<&str> = cpus.iter().map(String::as_str).collect();
    let mut expect = |flag: &str, value: &str, supported: &[&str]| {
        if !supported.contains(&value) {
            out.push(line.unsupported(sources, flag, value, supported));
        }
    };
    expect("--iree-llvmcpu-target-cpu", &target.iree_llvmcpu_target_cpu, &cpus);
    expect("--iree-opt-level", &target.iree_opt_level, &["O3"]);
    expect("--iree-opt-data-tiling", &target.iree_opt_data_tiling, &["true"]);
    expect(
        "--iree-llvmcpu-disable-distribution",
        &target.iree_llvmcpu_disable_distribution,
        &["true"],
    );
    expect("--iree-llvmcpu-enable-ukernels", &target.iree_llvmcpu_enable_ukernels, &["none"]);
    let triple = &target.iree_llvmcpu_target_triple;
    let mut parts = triple.split('-');
    let arch = parts.next().unwrap_or_default();
    // Neither other object formats nor 32-bit addresses exist.
    let foreign = |part: &str| {
        ["windows", "uefi", "wasi", "coff"].iter().any(|os| part.starts_with(os))
            || part.ends_with("ilp32")
            || part.ends_with("_32")
    };
    if !["aarch64", "arm64"].contains(&arch) || parts.any(foreign) {
        out.push(line.unsupported(
            sources,
            "--iree-llvmcpu-target-triple",
            triple,
            &["aarch64-linux-gnu", "aarch64-unknown-unknown-eabi-elf", "arm64-apple-macosx"],
        ));
    }
    out
}

/// The error for a backend that a compilation up to a phase has no use for.
fn wrong_backend(
    target: &TargetArgs,
    line: &CommandLine,
    sources: &mut Sources,
    setup: &Setup,
    phase: Phase,
) -> Vec<Diagnostic> {
    let backend = &target.iree_hal_target_backends;
    let there = setup.backends(phase);
    if there.contains(backend) {
        return Vec::new();
    }
    let names: Vec<&str> = there.iter().map(String::as_str).collect();
    let error = line.unsupported(sources, "--iree-hal-target-backends", backend, &names);
    let until = Phase::ExecutableSources;
    let mut early = setup.backends(until);
    early.retain(|name| !there.contains(name));
    if early.is_empty() {
        return vec![error];
    }
    let note = format!("up to --compile-to={} also: {}", until.name(), early.join(", "));
    vec![error.note(note)]
}

/// Checks that printing flags have something to act on: whether IR is printed around passes.
pub fn check_print(
    print: &PrintArgs,
    prints: bool,
    line: &CommandLine,
    sources: &mut Sources,
) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    let idle = [
        ("--mlir-print-ir-after-change", print.mlir_print_ir_after_change),
        ("--mlir-print-ir-tree-dir", print.mlir_print_ir_tree_dir.is_some()),
    ];
    for (flag, given) in idle {
        if given && !prints {
            let message = format!("{flag} does nothing without --mlir-print-ir-after-all");
            out.push(
                Diagnostic::error("flag-without-effect", message).at(line.locate(sources, flag)),
            );
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_value_is_pointed_at() {
        let args = ["tegula", "compile", "a b.mlir", "--iree-opt-level=O2"];
        let line = CommandLine::new(args.map(str::to_owned));
        let mut sources = Sources::new();
        let target = TargetArgs { iree_opt_level: "O2".into(), ..TargetArgs::defaults() };
        let setup = Setup::new(Default::default(), []);
        let found = check(&target, &line, &mut sources, &setup, Phase::LAST);
        assert_eq!(found.len(), 1);
        let span = found[0].primary.expect("a place");
        assert_eq!(sources.slice(span), "--iree-opt-level=O2");
        assert!(found[0].notes[0].contains("O3"), "{:?}", found[0].notes);
    }
}
