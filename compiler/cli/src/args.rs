//! The command line. Names and flags are those of `iree-compile`, `iree-opt` and `mlir-opt`
//! wherever the meaning is the same.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use tegula_ir::text::MARKER;

use tegula_pass::Display;

use crate::expect::Level;

/// Compiles `linalg.matmul` MLIR to AArch64 NEON assembly text, pass by pass as IREE does.
#[derive(Debug, Parser)]
#[command(
    name = "tegula",
    version,
    propagate_version = true,
    args_override_self = true,
    max_term_width = 100,
    arg_required_else_help = true
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Compile an .mlir file to IR, assembly text, an object, a shared object or a module for IREE's runtime.
    Compile(CompileArgs),
    /// Parse an .mlir file, run passes over it and print it.
    Opt(OptArgs),
    /// Compile a function and run it on given or random inputs.
    Run(RunArgs),
    /// Find the first pass after which a function computes something else.
    Bisect(BisectArgs),
    /// Lay out .mlir files as they are printed; names and comments stay. They must parse, types
    /// included, but need not verify.
    Fmt(FmtArgs),
    /// Shrink a module while a command keeps failing on it.
    Reduce(ReduceArgs),
    /// Make random modules that verify, from the definitions of ops.
    Smith(SmithArgs),
    /// Evaluate .td files and print the records, as llvm-tblgen does, or check them.
    Td(TdArgs),
    /// Write a dialect's reference in Markdown.
    Doc(DocArgs),
    /// Serve an editor over standard input and output.
    Lsp(LspArgs),
}

/// Definitions that are loaded besides the built-in ones.
#[derive(Clone, Debug, Default, Args)]
pub struct DialectArgs {
    /// Install the dialects of this .td file; one of the same name is replaced. Repeatable.
    #[arg(long = "dialect", value_name = "FILE.td")]
    pub dialects: Vec<PathBuf>,
    /// Look for included .td files in this folder, too. Repeatable.
    #[arg(short = 'I', long = "include", value_name = "DIR")]
    pub includes: Vec<PathBuf>,
}

/// What a compilation depends on besides the program.
#[derive(Clone, Debug, Default, Args)]
pub struct TargetArgs {
    /// Backend: llvm-cpu (AArch64 NEON through tegula's own code generator) or vmvx-inline (loops of
    /// the host program).
    #[arg(long, value_name = "NAME", help_heading = "Target", default_value = "llvm-cpu")]
    pub iree_hal_target_backends: String,
    /// Target triple of an AArch64 machine.
    #[arg(
        long,
        value_name = "TRIPLE",
        help_heading = "Target",
        default_value = "aarch64-linux-gnu"
    )]
    pub iree_llvmcpu_target_triple: String,
    /// Target CPU; sets features and tile sizes.
    #[arg(long, value_name = "CPU", help_heading = "Target", default_value = "apple-m4")]
    pub iree_llvmcpu_target_cpu: String,
    /// Optimization level; only O3 exists.
    #[arg(long, value_name = "LEVEL", help_heading = "Target", default_value = "O3")]
    pub iree_opt_level: String,
    /// Data tiling; only the data-tiled road exists.
    #[arg(long, value_name = "BOOL", help_heading = "Target", default_value = "true",
          num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub iree_opt_data_tiling: String,
    /// Keep every dispatch in one workgroup; distribution does not exist yet.
    #[arg(long, value_name = "BOOL", help_heading = "Target", default_value = "true",
          num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub iree_llvmcpu_disable_distribution: String,
    /// Microkernels; only "none" exists.
    #[arg(long, value_name = "NAME", help_heading = "Target", default_value = "none")]
    pub iree_llvmcpu_enable_ukernels: String,
    /// Tiles that grow with the vectors of targets that say how long these are only at run time
    #[arg(long, value_name = "BOOL", help_heading = "Target", default_value_t = false,
          num_args = 0..=1, require_equals = true, default_missing_value = "true",
          action = clap::ArgAction::Set)]
    pub iree_llvmcpu_enable_scalable_vectorization: bool,
    /// How many times as long as they are at least vectors are, for sizes that depend on it
    #[arg(long, value_name = "N", help_heading = "Target",
          value_parser = clap::value_parser!(u32).range(1..))]
    pub iree_experimental_vscale_value: Option<u32>,
}

impl TargetArgs {
    /// The values without any flag.
    pub fn defaults() -> TargetArgs {
        TargetArgs {
            iree_hal_target_backends: "llvm-cpu".to_owned(),
            iree_llvmcpu_target_triple: "aarch64-linux-gnu".to_owned(),
            iree_llvmcpu_target_cpu: "apple-m4".to_owned(),
            iree_opt_level: "O3".to_owned(),
            iree_opt_data_tiling: "true".to_owned(),
            iree_llvmcpu_disable_distribution: "true".to_owned(),
            iree_llvmcpu_enable_ukernels: "none".to_owned(),
            iree_llvmcpu_enable_scalable_vectorization: false,
            iree_experimental_vscale_value: None,
        }
    }
}

/// What the program has been through.
#[derive(Clone, Debug, Args)]
pub struct FromArgs {
    /// Go on after this phase, the name of which is one of --compile-to's: the program is IR that
    /// it gives, of this program or of iree-compile.
    #[arg(long, value_name = "PHASE", default_value = "input")]
    pub compile_from: String,
}

/// Executables as files.
#[derive(Clone, Debug, Default, Args)]
pub struct ExecutableArgs {
    /// Write each executable as it is before code is generated, a file each; `-` is standard output.
    #[arg(long, value_name = "DIR", help_heading = "Executables")]
    pub iree_hal_dump_executable_sources_to: Option<PathBuf>,
    /// Write each executable once its layouts and tile sizes are chosen.
    #[arg(long, value_name = "DIR", help_heading = "Executables")]
    pub iree_hal_dump_executable_configurations_to: Option<PathBuf>,
    /// Write the assembly text and the object of what the executables are linked into.
    #[arg(long, value_name = "DIR", help_heading = "Executables")]
    pub iree_hal_dump_executable_intermediates_to: Option<PathBuf>,
    /// Write the library that they are linked into, as IREE's runtime loads it.
    #[arg(long, value_name = "DIR", help_heading = "Executables")]
    pub iree_hal_dump_executable_binaries_to: Option<PathBuf>,
    /// Write all of these.
    #[arg(long, value_name = "DIR", help_heading = "Executables")]
    pub iree_hal_dump_executable_files_to: Option<PathBuf>,
}

/// Printing of the IR between passes.
#[derive(Clone, Debug, Default, Args)]
pub struct PrintArgs {
    /// Print the IR after every pass.
    #[arg(long, help_heading = "Printing")]
    pub mlir_print_ir_after_all: bool,
    /// Print the IR only after passes that changed it.
    #[arg(long, help_heading = "Printing")]
    pub mlir_print_ir_after_change: bool,
    /// Print into a tree of files below this folder instead of to standard error.
    #[arg(long, value_name = "DIR", help_heading = "Printing")]
    pub mlir_print_ir_tree_dir: Option<PathBuf>,
    /// Run on one thread.
    #[arg(long, help_heading = "Printing")]
    pub mlir_disable_threading: bool,
}

/// `tegula compile`
#[derive(Debug, Args)]
pub struct CompileArgs {
    /// The program; `-` reads standard input.
    pub input: PathBuf,
    /// Where to write; the ending says what: .mlir, .s, .o, .so, .h, .vmfb. `-` is standard output.
    #[arg(short, value_name = "FILE", default_value = "-")]
    pub output: PathBuf,
    /// Stop after this phase and write its IR: input, abi, global-optimization, dispatch-creation,
    /// flow, stream, executable-sources, executable-configurations, executable-targets, hal or vm.
    #[arg(long, value_name = "PHASE")]
    pub compile_to: Option<String>,
    /// Where to begin.
    #[command(flatten)]
    pub from: FromArgs,
    /// Executables as files.
    #[command(flatten)]
    pub executables: ExecutableArgs,
    /// The target.
    #[command(flatten)]
    pub target: TargetArgs,
    /// Printing.
    #[command(flatten)]
    pub print: PrintArgs,
    /// Definitions.
    #[command(flatten)]
    pub dialect: DialectArgs,
}

/// `tegula opt`
///
/// Flags are taken with one dash or two. The name of each pass is a flag, too (`crate::argv`).
#[derive(Debug, Args)]
#[command(after_help = "Every pass is a flag: --canonicalize --cse runs both on the module, in \
                        that order.\nOptions are given as --PASS=\"a=1 b=2\" or --PASS{a=1 b=2}. \
                        --help lists the passes.")]
pub struct OptArgs {
    /// The program; `-` reads standard input.
    #[arg(default_value = "-")]
    pub input: PathBuf,
    /// Where to write; `-` is standard output.
    #[arg(short, value_name = "FILE", default_value = "-")]
    pub output: PathBuf,
    /// The passes, in MLIR's pipeline syntax: `builtin.module(func.func(canonicalize,cse))`.
    #[arg(long, value_name = "PIPELINE")]
    pub pass_pipeline: Option<String>,
    /// A pass to run, in the order given. `--NAME` says the same.
    #[arg(long = "pass", value_name = "NAME")]
    pub passes: Vec<String>,
    /// How many bits an index has for the virtual machine, where the flag of a pass (its option
    /// `index-bits`) does not say.
    #[arg(long, value_name = "BITS", value_parser = ["32", "64"])]
    pub iree_vm_target_index_bits: Option<String>,
    /// Whether command buffers are recorded once and given their buffers when they are submitted,
    /// which is how they are made.
    #[arg(
        long,
        value_name = "BOOL",
        num_args = 0..=1,
        require_equals = true,
        default_value = "true",
        default_missing_value = "true",
        value_parser = ["true"]
    )]
    pub iree_hal_indirect_command_buffers: String,
    /// Take each part between lines of this marker as a module of its own; `// -----` when none
    /// is given.
    #[arg(
        long,
        value_name = "MARKER",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = MARKER
    )]
    pub split_input_file: Option<String>,
    /// Hold what is found against the comments `expected-error`, `-warning`, `-note` and
    /// `-remark` of the input: `expected-error@+1 {{part of the message}}`.
    #[arg(
        long,
        value_enum,
        value_name = "LEVEL",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "all"
    )]
    pub verify_diagnostics: Option<Level>,
    /// Check the IR after each pass that changes it.
    #[arg(
        long,
        value_name = "BOOL",
        num_args = 0..=1,
        require_equals = true,
        default_value = "true",
        default_missing_value = "true",
        action = clap::ArgAction::Set,
        value_parser = clap::builder::BoolishValueParser::new()
    )]
    pub verify_each: bool,
    /// Accept ops that no dialect defines.
    #[arg(long)]
    pub allow_unregistered_dialect: bool,
    /// Print ops in generic form.
    #[arg(long, help_heading = "Printing")]
    pub mlir_print_op_generic: bool,
    /// Print attributes in place instead of as aliases.
    #[arg(long, help_heading = "Printing")]
    pub mlir_print_local_scope: bool,
    /// Print locations.
    #[arg(long, help_heading = "Printing")]
    pub mlir_print_debuginfo: bool,
    /// Print the IR before every pass.
    #[arg(long, help_heading = "Printing")]
    pub mlir_print_ir_before_all: bool,
    /// Print the IR before these passes.
    #[arg(long, value_name = "PASS", value_delimiter = ',', help_heading = "Printing")]
    pub mlir_print_ir_before: Vec<String>,
    /// Print the IR after these passes.
    #[arg(long, value_name = "PASS", value_delimiter = ',', help_heading = "Printing")]
    pub mlir_print_ir_after: Vec<String>,
    /// Print the IR after a pass that gives up.
    #[arg(long, help_heading = "Printing")]
    pub mlir_print_ir_after_failure: bool,
    /// Print the whole module, also around passes on single ops.
    #[arg(long, help_heading = "Printing")]
    pub mlir_print_ir_module_scope: bool,
    /// Print to standard error how each pass changes the functions that it changes.
    #[arg(long, help_heading = "Printing")]
    pub print_ir_diff: bool,
    /// Print no ops in regions.
    #[arg(long, help_heading = "Printing")]
    pub mlir_print_skip_regions: bool,
    /// Print `__elided__` for elements attributes with more elements than this.
    #[arg(long, value_name = "N", help_heading = "Printing")]
    pub mlir_elide_elementsattrs_if_larger: Option<usize>,
    /// List the passes with their options and exit.
    #[arg(long)]
    pub list_passes: bool,
    /// List the dialects and exit.
    #[arg(long)]
    pub show_dialects: bool,
    /// Print the pipeline to standard error, with all options, before it runs.
    #[arg(long)]
    pub dump_pass_pipeline: bool,
    /// Print to standard error how long each pass takes.
    #[arg(long, help_heading = "Reports")]
    pub mlir_timing: bool,
    /// How that is laid out: tree or list.
    #[arg(long, value_enum, value_name = "LAYOUT", default_value_t = Layout::Tree,
          help_heading = "Reports")]
    pub mlir_timing_display: Layout,
    /// Print to standard error what each pass counts.
    #[arg(long, help_heading = "Reports")]
    pub mlir_pass_statistics: bool,
    /// How that is laid out: pipeline or list.
    #[arg(long, value_enum, value_name = "LAYOUT", default_value_t = Layout::Tree,
          help_heading = "Reports")]
    pub mlir_pass_statistics_display: Layout,
    /// Write the module and the pipeline to this file when a pass fails or crashes.
    #[arg(long, value_name = "FILE", help_heading = "Reproducers")]
    pub mlir_pass_pipeline_crash_reproducer: Option<PathBuf>,
    /// Reproduce just the pass that fails, on the module as it comes to it.
    #[arg(long, requires = "mlir_pass_pipeline_crash_reproducer", help_heading = "Reproducers")]
    pub mlir_pass_pipeline_local_reproducer: bool,
    /// Run the pipeline that the input, a reproducer, holds.
    #[arg(long, conflicts_with = "pass_pipeline", help_heading = "Reproducers")]
    pub run_reproducer: bool,
    /// Say why a pattern does or does not apply to the ops of a line, after the passes if there are
    /// any, and exit. The input is `FILE:LINE`.
    #[arg(long, value_name = "PATTERN")]
    pub explain: Option<String>,
    /// Print to standard error which patterns passes apply, and where those are defined.
    #[arg(long)]
    pub print_applied_patterns: bool,
    /// The target.
    #[command(flatten)]
    pub target: TargetArgs,
    /// Printing.
    #[command(flatten)]
    pub print: PrintArgs,
    /// Definitions.
    #[command(flatten)]
    pub dialect: DialectArgs,
}

/// `tegula run`
#[derive(Debug, Args)]
pub struct RunArgs {
    /// The program.
    pub input: PathBuf,
    /// The function.
    #[arg(long, value_name = "NAME")]
    pub function: Option<String>,
    /// An input, in order: `@file.npy`, or `4x8xf32=1` or `2xf32=1,2`. Repeatable.
    #[arg(long = "input", value_name = "VALUE")]
    pub inputs: Vec<String>,
    /// Fill the inputs with reproducible random numbers from [-1, 1).
    #[arg(long, value_name = "SEED", conflicts_with = "inputs")]
    pub random: Option<u64>,
    /// What a result must be, in order: `@file.npy` or a value. Repeatable. Floating-point elements
    /// may differ by 1e-4 of the larger one, plus 1e-4; others not at all.
    #[arg(long = "expected-output", value_name = "VALUE")]
    pub expected: Vec<String>,
    /// Compare with a reference computed in f64 from the program as it was written.
    #[arg(long)]
    pub check: bool,
    /// Write a result, in order: `@file.npy`. Repeatable.
    #[arg(long = "output", value_name = "@FILE")]
    pub outputs: Vec<String>,
    /// Evaluate the IR after this pass instead of running assembled code.
    #[arg(long, value_name = "PASS")]
    pub interpret: Option<String>,
    /// Where to begin.
    #[command(flatten)]
    pub from: FromArgs,
    /// The target.
    #[command(flatten)]
    pub target: TargetArgs,
    /// Definitions.
    #[command(flatten)]
    pub dialect: DialectArgs,
}

/// `tegula bisect`
#[derive(Debug, Args)]
pub struct BisectArgs {
    /// The program.
    pub input: PathBuf,
    /// The function; the only public one when not given.
    #[arg(long, value_name = "NAME")]
    pub function: Option<String>,
    /// The seed of the small whole numbers that the inputs are filled with.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub seed: u64,
    /// Judge the program after each pass, also when the result after the last is right.
    #[arg(long)]
    pub every_pass: bool,
    /// Where to begin.
    #[command(flatten)]
    pub from: FromArgs,
    /// The target.
    #[command(flatten)]
    pub target: TargetArgs,
    /// Definitions.
    #[command(flatten)]
    pub dialect: DialectArgs,
}

/// `tegula reduce`
#[derive(Debug, Args)]
#[command(after_help = "A command fails when its exit code is not 0, or when a signal ends it. \
                        Only modules that verify are tried, unless the input does not.\nTo shrink \
                        what one program accepts and another refuses, give a script.")]
pub struct ReduceArgs {
    /// The module; `-` reads standard input.
    pub input: PathBuf,
    /// Where to write. While the module shrinks, the file always holds the smallest so far, so that
    /// it is there after an interruption. `-` is standard output, at the end.
    #[arg(short, value_name = "FILE", default_value = "-")]
    pub output: PathBuf,
    /// The command, as the shell reads it. It finds the module's file as `$1`, or as its last
    /// argument where it does not say `$1`.
    #[arg(long, value_name = "COMMAND")]
    pub test: String,
    /// A command that takes longer is ended and has not failed.
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    pub test_timeout: Option<u64>,
    /// Accept ops that no dialect defines.
    #[arg(long)]
    pub allow_unregistered_dialect: bool,
    /// Hand modules to the command in generic form.
    #[arg(long, help_heading = "Printing")]
    pub mlir_print_op_generic: bool,
    /// Definitions.
    #[command(flatten)]
    pub dialect: DialectArgs,
}

/// How a report is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Layout {
    /// Passes in the pipelines in which they run.
    #[value(alias = "pipeline")]
    Tree,
    /// Each kind of pass once.
    List,
}

impl Layout {
    /// The same for reports.
    pub fn display(self) -> Display {
        match self {
            Layout::Tree => Display::Tree,
            Layout::List => Display::List,
        }
    }
}

/// `tegula fmt`
#[derive(Debug, Args)]
pub struct FmtArgs {
    /// The files, which are written over; `-`, or none, is standard input to standard output.
    #[arg(value_name = "FILE.mlir")]
    pub files: Vec<PathBuf>,
    /// Write nothing; name the files that are laid out otherwise, and fail when there are any.
    #[arg(long)]
    pub check: bool,
    /// Definitions.
    #[command(flatten)]
    pub dialect: DialectArgs,
}

/// `tegula smith`
#[derive(Debug, Args)]
pub struct SmithArgs {
    /// The seed: the same one gives the same module, on every machine.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub seed: u64,
    /// How many modules, those of further seeds behind the first.
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u64).range(1..))]
    pub count: u64,
    /// The dialects whose ops are taken.
    #[arg(
        long = "dialects",
        value_name = "NAMES",
        value_delimiter = ',',
        default_value = "arith,cf,func,scf"
    )]
    pub made_of: Vec<String>,
    /// How many ops a module has, more or less.
    #[arg(long, value_name = "N", default_value_t = 30)]
    pub ops: usize,
    /// Set no attributes that need not be set, such as the flags of floating-point ops.
    #[arg(long)]
    pub no_optional_attributes: bool,
    /// Where to write; `-` is standard output.
    #[arg(short, value_name = "FILE", default_value = "-")]
    pub output: PathBuf,
    /// Print ops in generic form.
    #[arg(long, help_heading = "Printing")]
    pub mlir_print_op_generic: bool,
    /// Definitions.
    #[command(flatten)]
    pub dialect: DialectArgs,
}

/// `tegula td`
#[derive(Debug, Args)]
pub struct TdArgs {
    /// The .td files; `-` is standard input. What several include is read and evaluated once.
    #[arg(default_value = "-")]
    pub inputs: Vec<PathBuf>,
    /// Look for included files in this folder, too. Repeatable.
    #[arg(short = 'I', value_name = "DIR")]
    pub includes: Vec<PathBuf>,
    /// Define this macro for `#ifdef`. Repeatable.
    #[arg(short = 'D', value_name = "MACRO")]
    pub macros: Vec<String>,
    /// The file to write; `-` is standard output. With several inputs a folder, in which each
    /// result lies as its input lies in the folder that all inputs share.
    #[arg(short, default_value = "-")]
    pub output: PathBuf,
    /// Print all classes and records, as llvm-tblgen does by default.
    #[arg(long, overrides_with_all = ["dump_json", "print_records", "check"])]
    pub print_records: bool,
    /// Print all records as llvm-tblgen --dump-json does: one line of JSON for each input.
    #[arg(long, overrides_with_all = ["dump_json", "print_records", "check"])]
    pub dump_json: bool,
    /// Print no records; check the dialects, patterns, passes and pipelines that they define.
    #[arg(long, overrides_with_all = ["dump_json", "print_records", "check"])]
    pub check: bool,
    /// Do not warn of template arguments that nothing uses.
    #[arg(long)]
    pub no_warn_on_unused_template_args: bool,
}

/// `tegula doc`
#[derive(Debug, Args)]
pub struct DocArgs {
    /// The dialect's name.
    pub name: String,
    /// Definitions.
    #[command(flatten)]
    pub dialect: DialectArgs,
}

/// `tegula lsp`
#[derive(Debug, Args)]
pub struct LspArgs {
    /// Definitions.
    #[command(flatten)]
    pub dialect: DialectArgs,
}
