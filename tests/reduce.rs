//! Modules shrink to little more than what is looked for in them, and verify on the way.

mod common;

use std::fs;
use std::path::Path;

use tegula_ir::Module;
use tegula_ir::text::SourceMap;
use tegula_ir::verify::verify_module;
use tegula_pass::Settings;
use tegula_pipelines::Setup;
use tegula_reduce::{Judge, reduce};

use common::{parse, print};

/// Looks for a word.
struct Word<'a> {
    setup: &'a Setup,
    word: &'a str,
    asked: usize,
}

impl Judge for Word<'_> {
    fn holds(&mut self, module: &Module) -> bool {
        self.asked += 1;
        let text = print(self.setup, module, false);
        assert_eq!(verify_module(&self.setup.registry, module, &SourceMap::new()), [], "{text}");
        assert_eq!(print(self.setup, &parse(self.setup, &text), false), text);
        text.contains(self.word)
    }
}

#[test]
fn modules_shrink() {
    let setup = Setup::new(Settings::default(), []);
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let entries = fs::read_dir(root.join("tests/fixtures/reduce")).expect("the fixtures");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("a fixture").path()).collect();
    paths.sort();
    for path in paths {
        let text = fs::read_to_string(&path).expect("a fixture");
        let word = text.lines().next().and_then(|line| line.strip_prefix("// keep: "));
        let mut judge = Word { setup: &setup, word: word.expect("a word"), asked: 0 };
        let reduced = reduce(&setup.registry, parse(&setup, &text), &mut judge);
        assert!(judge.asked < 400, "{} questions", judge.asked);
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let mut settings = insta::Settings::new();
        settings.set_snapshot_path(root.join("snapshots/reduce"));
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.bind(|| insta::assert_snapshot!(name, print(&setup, &reduced, false)));
    }
}
