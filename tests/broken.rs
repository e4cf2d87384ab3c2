//! Texts that are cut at every byte, and in which one bit of any byte is another one, give a result
//! or mistakes that are told where they stand. `TEGULA_BROKEN` names a folder whose files are taken
//! instead of the fixtures, `TEGULA_BROKEN_STEP` how many bytes lie between two cuts.

use std::fs;
use std::path::{Path, PathBuf};

use tegula_diag::{Diagnostic, SourceId, Sources};
use tegula_ide::{Language, Options, Workspace};
use tegula_ir::Module;
use tegula_ir::text::{PrintOptions, SourceMap, parse_module, print_module};
use tegula_ir::verify::verify_module;
use tegula_pass::{NoInstrument, Plan, Settings, run_pipeline};
use tegula_pipelines::Setup;

/// Small programs of several dialects.
const TEXTS: [&str; 7] = [
    "ir/text/structure.mlir",
    "ir/text/resources.mlir",
    "dialects/affine/ops.mlir",
    "dialects/cf/ops.mlir",
    "dialects/func/ops.mlir",
    "dialects/vm/sink_defining_ops.mlir",
    "dialects/hal/memoize_device_queries.mlir",
];

fn paths() -> Vec<PathBuf> {
    match std::env::var("TEGULA_BROKEN") {
        Ok(folder) => {
            let entries = fs::read_dir(folder).expect("the folder");
            entries.map(|entry| entry.expect("a file").path()).collect()
        }
        Err(_) => {
            let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
            TEXTS.map(|name| root.join(name)).to_vec()
        }
    }
}

/// Shows the text at hand after a panic.
struct Shown<'t>(&'t str);

impl Drop for Shown<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("--- of this text:\n{}\n---", self.0);
        }
    }
}

struct Check {
    setup: std::sync::Arc<Setup>,
    plan: Plan,
    workspace: Workspace,
    /// How many texts verified.
    verified: usize,
}

impl Check {
    fn read(&self, text: &str) -> (SourceId, Module, SourceMap, Vec<Diagnostic>) {
        let id = Sources::new().add_virtual("<text>", text);
        let (module, map, found) = parse_module(&self.setup.registry, id, text);
        (id, module, map, found)
    }

    fn print(&self, module: &Module) -> String {
        print_module(&self.setup.registry, module, &PrintOptions::default())
    }

    fn text(&mut self, text: &str) {
        let _shown = Shown(text);
        let (id, module, map, mut found) = self.read(text);
        if found.is_empty() {
            found = verify_module(&self.setup.registry, &module, &map);
        }
        for error in &found {
            let at = error.primary.expect("a place");
            assert!(at.start <= at.end && at.end as usize <= text.len(), "{error:?}");
        }
        if found.is_empty() {
            self.verified += 1;
            let printed = self.print(&module);
            let (_, read, _, found) = self.read(&printed);
            assert_eq!(found, [], "{printed}");
            assert_eq!(self.print(&read), printed);
            let poll = || {};
            let run =
                run_pipeline(self.setup.env(&poll, true), &self.plan, module, &mut NoInstrument);
            self.print(&run.value);
        }
        if let Err(errors) = tegula_format::format(&self.setup.registry, id, text) {
            assert!(errors.iter().all(|error| error.primary.is_some()), "{errors:?}");
        }
        let path = Path::new("/text.mlir");
        self.workspace.set(path, Language::Mlir, text).expect("an open file");
        let file = self.workspace.file(path).expect("the open file");
        file.text_findings().expect("findings");
        file.outline().expect("an outline");
    }
}

#[test]
fn broken_texts_are_survived() {
    let setup = Setup::new(Settings::default(), []);
    let plan = Plan::new(&setup.passes, "builtin.module(canonicalize)", &[]);
    let plan = plan.unwrap_or_else(|errors| panic!("{errors:?}"));
    let workspace = Workspace::new(Options::default());
    let mut check = Check { setup, plan, workspace, verified: 0 };
    let step = std::env::var("TEGULA_BROKEN_STEP").map_or(1, |step| step.parse().expect("bytes"));
    for path in paths() {
        let whole = fs::read(&path).expect("a file");
        for at in (0..whole.len()).step_by(step) {
            let mut flipped = whole.clone();
            flipped[at] ^= 1 << (at % 7);
            for bytes in [&whole[..at], &flipped] {
                if let Ok(text) = std::str::from_utf8(bytes) {
                    check.text(text);
                }
            }
        }
    }
    assert!(check.verified > 0);
}
