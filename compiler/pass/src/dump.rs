//! The dump tree: a file for every change, as `--mlir-print-ir-tree-dir` lays them out.
//!
//! A file stands in a folder for each op around and including the one that the pass ran on
//! (`builtin_module_no-symbol-name/util_func_matmul`), and its name is a counter for each of these
//! ops and the pass (`4_0_canonicalize.mlir`). An op's counter starts at 0 with its first dump; one
//! that was only passed through so far counts as 0. Counters belong to ops by kind and name, so that
//! they do not depend on where in memory an op lives.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tegula_ir::text::{PrintOptions, print_module, print_op};
use tegula_ir::{Body, Module, Names, OpId, Registry};

use crate::{Changed, Instrument, PassInfo, PassResult, Target};

/// When a dump tree gets a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moments {
    /// Before each pass.
    pub before: bool,
    /// After each pass.
    pub after: bool,
    /// After passes only where they changed something.
    pub after_change: bool,
}

/// Writes the dump tree.
pub struct DumpTree<'a> {
    root: PathBuf,
    registry: &'a Registry,
    options: PrintOptions,
    moments: Moments,
    /// The printed names of the symbols of the module as it last was.
    names: Names,
    counters: BTreeMap<Vec<String>, i64>,
    errors: Vec<(PathBuf, io::Error)>,
}

impl<'a> DumpTree<'a> {
    /// A tree below a folder, which is made when it does not exist.
    pub fn new(
        root: &Path,
        registry: &'a Registry,
        options: PrintOptions,
        moments: Moments,
    ) -> DumpTree<'a> {
        DumpTree {
            root: root.to_path_buf(),
            registry,
            options,
            moments,
            names: Names::default(),
            counters: BTreeMap::new(),
            errors: Vec::new(),
        }
    }

    /// What could not be written. Nothing is written after the first such file, so that a folder
    /// that can't be made is told once and not for every pass.
    pub fn errors(&self) -> &[(PathBuf, io::Error)] {
        &self.errors
    }

    fn write(&mut self, file: &Path, text: &str) {
        if !self.errors.is_empty() {
            return;
        }
        let written = match file.parent() {
            Some(folder) => fs::create_dir_all(folder).and_then(|()| fs::write(file, text)),
            None => fs::write(file, text),
        };
        if let Err(error) = written {
            self.errors.push((file.to_path_buf(), error));
        }
    }

    /// The file for the next dump of the op at the end of the path. Each element of the path is a
    /// folder's name and what tells the op from others of that name.
    fn next_file(&mut self, path: &[(String, String)], pass: &str) -> PathBuf {
        let keys: Vec<String> =
            path.iter().map(|(folder, key)| format!("{folder}\0{key}")).collect();
        *self.counters.entry(keys.clone()).or_insert(-1) += 1;
        let mut prefix = String::new();
        for depth in 1..=keys.len() {
            let counter = self.counters.entry(keys[..depth].to_vec()).or_insert(0);
            prefix.push_str(&format!("{counter}_"));
        }
        let mut file = self.root.clone();
        file.extend(path.iter().map(|(folder, _)| folder));
        file.push(format!("{prefix}{pass}.mlir"));
        file
    }

    fn module_folder(&self, name: Option<&str>) -> (String, String) {
        (
            folder("builtin.module", name.map(|name| self.names.resolve(name)).as_deref()),
            String::new(),
        )
    }
}

/// `builtin.module` and `m` give `builtin_module_m`.
fn folder(op: &str, symbol: Option<&str>) -> String {
    format!("{}_{}", op.replace('.', "_"), symbol.unwrap_or("no-symbol-name"))
}

/// What tells an op without a name from others: of a body where it comes from, of an op in it its
/// position in its block.
fn ordinal(body: &Body, op: OpId) -> u64 {
    if body.root() == Some(op) {
        return body.lineage();
    }
    let mut count = 0;
    let mut at = body.prev_op(op);
    while let Some(op) = at {
        count += 1;
        at = body.prev_op(op);
    }
    count
}

/// When IR is printed, as the first line of a dump says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// Before a pass.
    Before,
    /// After it.
    After,
    /// After it gave up.
    AfterFailure,
}

/// The first line of a dump.
pub fn header_line(moment: Moment, pass: &PassInfo) -> String {
    let options =
        if pass.options.is_empty() { String::new() } else { format!("{{{}}}", pass.options) };
    let (when, failed) = match moment {
        Moment::Before => ("Before", ""),
        Moment::After => ("After", ""),
        Moment::AfterFailure => ("After", " Failed"),
    };
    let (class, argument) = (&pass.class, &pass.argument);
    format!("// -----// IR Dump {when} {class}{failed}: {argument}{options} //----- //\n")
}

impl Instrument for DumpTree<'_> {
    fn module(&mut self, module: &Module) {
        let symbols = module.bodies.iter().filter_map(|body| body.symbol_name(body.root()?));
        self.names = Names::assign(symbols.collect::<Vec<_>>());
    }

    fn before(&mut self, pass: &PassInfo, target: Target<'_>) {
        if self.moments.before {
            self.dump(Moment::Before, pass, target);
        }
    }

    fn after(&mut self, pass: &PassInfo, target: Target<'_>, result: PassResult) {
        let dumps = match result {
            Ok(Changed::Yes) => true,
            Ok(Changed::No) => !self.moments.after_change,
            Err(_) => false,
        };
        if dumps && self.moments.after {
            self.dump(Moment::After, pass, target);
        }
    }
}

impl DumpTree<'_> {
    fn dump(&mut self, moment: Moment, pass: &PassInfo, target: Target<'_>) {
        let (path, mut text) = match target {
            Target::Module(module) => (
                vec![self.module_folder(module.name.map(|n| n.as_str()))],
                // The top-level op ends its last line itself.
                format!("{}\n", print_module(self.registry, module, &self.options).trim_end()),
            ),
            Target::Op { header, body, op: Some(op) } => {
                let mut path = Vec::new();
                let mut at = Some(op);
                while let Some(op) = at {
                    let symbol = body.symbol_name(op).map(|name| self.names.resolve(name));
                    let key = match &symbol {
                        Some(_) => String::new(),
                        None => ordinal(body, op).to_string(),
                    };
                    path.push((folder(body.name(op).as_str(), symbol.as_deref()), key));
                    at = body.parent_op(op);
                }
                path.push(self.module_folder(header.name.map(|n| n.as_str())));
                path.reverse();
                // Without its module there is no place for aliases.
                let options = PrintOptions { local_scope: true, ..self.options.clone() };
                let text = print_op(self.registry, body, op, &options);
                (path, text.trim_end().to_owned())
            }
            Target::Op { op: None, .. } => return,
        };
        if let Target::Module(module) = target {
            Instrument::module(self, module);
        }
        let file = self.next_file(&path, &pass.argument);
        text.insert_str(0, &header_line(moment, pass));
        text.push_str("\n\n");
        let text = self.names.resolve(&text).into_owned();
        self.write(&file, &text);
    }
}
