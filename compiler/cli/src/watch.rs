//! What watches the passes that `tegula opt` runs.

use std::path::Path;

use indexmap::IndexMap;
use tegula_ir::text::PrintOptions;
use tegula_ir::{Module, Registry};
use tegula_pass::{DumpTree, Instrument, Moments, PassInfo, PassResult, Profile, Target};
use tegula_rewrite::Application;

use crate::args::OptArgs;
use crate::dump::{Chosen, StderrApplied, StderrDump};
use crate::ir_diff::IrDiff;

/// Everything that was asked for.
pub struct Watch<'a> {
    /// Dumps in files.
    pub tree: Option<DumpTree<'a>>,
    /// Dumps on standard error.
    pub stderr: Option<StderrDump<'a>>,
    diff: Option<IrDiff<'a>>,
    applied: Option<StderrApplied>,
    /// Time and statistics.
    pub profile: Option<Profile>,
    /// The first pass that gave up.
    pub failed: Option<usize>,
}

impl<'a> Watch<'a> {
    /// What flags ask for.
    pub fn new(args: &OptArgs, registry: &'a Registry, options: &PrintOptions) -> Watch<'a> {
        let print = &args.print;
        let moments = Moments {
            before: args.mlir_print_ir_before_all,
            after: print.mlir_print_ir_after_all,
            after_change: print.mlir_print_ir_after_change,
        };
        let folder = print.mlir_print_ir_tree_dir.as_deref();
        let tree = |folder: &Path| DumpTree::new(folder, registry, options.clone(), moments);
        let stderr = StderrDump {
            options: options.clone(),
            before: Chosen::of(args.mlir_print_ir_before_all, &args.mlir_print_ir_before),
            after: Chosen::of(print.mlir_print_ir_after_all, &args.mlir_print_ir_after),
            after_change: print.mlir_print_ir_after_change,
            after_failure: args.mlir_print_ir_after_failure,
            module_scope: args.mlir_print_ir_module_scope,
            ..StderrDump::new(registry)
        };
        Watch {
            tree: folder.filter(|_| moments.before || moments.after).map(tree),
            stderr: (folder.is_none() && stderr.prints()).then_some(stderr),
            diff: args.print_ir_diff.then(|| IrDiff::new(registry, options.clone())),
            applied: args.print_applied_patterns.then_some(StderrApplied),
            profile: (args.mlir_timing || args.mlir_pass_statistics).then(Profile::default),
            failed: None,
        }
    }

    fn each(&mut self, mut tell: impl FnMut(&mut dyn Instrument)) {
        self.tree.iter_mut().for_each(|i| tell(i));
        self.stderr.iter_mut().for_each(|i| tell(i));
        self.diff.iter_mut().for_each(|i| tell(i));
        self.applied.iter_mut().for_each(|i| tell(i));
        self.profile.iter_mut().for_each(|i| tell(i));
    }
}

impl Instrument for Watch<'_> {
    fn module(&mut self, module: &Module) {
        self.each(|i| i.module(module));
    }

    fn before(&mut self, pass: &PassInfo, target: Target<'_>) {
        self.each(|i| i.before(pass, target));
    }

    fn applied(&mut self, pass: &PassInfo, applied: &[Application]) {
        self.each(|i| i.applied(pass, applied));
    }

    fn counted(&mut self, pass: &PassInfo, statistics: &IndexMap<&'static str, u64>) {
        self.each(|i| i.counted(pass, statistics));
    }

    fn after(&mut self, pass: &PassInfo, target: Target<'_>, result: PassResult) {
        if result.is_err() {
            self.failed.get_or_insert(pass.index);
        }
        self.each(|i| i.after(pass, target, result));
    }
}
