//! Files with random changes give records or located errors, and end.
//!
//! `TEGULA_MUTATIONS` is how many changed files are evaluated, `TEGULA_SEED` where the random
//! numbers begin, and `TEGULA_TD` folders, apart by `:`, whose files are changed in place of our
//! own and searched for those that they include.

use std::path::{Path, PathBuf};

use tegula_diag::{Diagnostic, Renderer, Sources};
use tegula_record::{Files, load};

/// Xorshift: the same changes on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end.max(1) as u64) as usize
    }
}

const PIECES: [&str; 24] = [
    "{",
    "}",
    "<",
    ">",
    "(",
    ")",
    "[",
    "]",
    ";",
    ":",
    ",",
    "=",
    "#",
    "?",
    "\"",
    "[{",
    "}]",
    "!if(",
    "!foreach(x, ",
    "let ",
    "def ",
    "class A<int n> : A<n>;",
    "defm ",
    "0x7fffffffffffffff",
];

fn change(text: &str, random: &mut Random) -> String {
    let mut text = text.to_owned();
    for _ in 0..=random.below(3) {
        let at = text.floor_char_boundary(random.below(text.len() + 1));
        let end = text.floor_char_boundary((at + random.below(12)).min(text.len()));
        match random.below(5) {
            0 => text.replace_range(at..end, ""),
            1 => text.insert_str(at, PIECES[random.below(PIECES.len())]),
            2 => text.replace_range(at..end, PIECES[random.below(PIECES.len())]),
            3 => text.truncate(at),
            _ => {
                let from = text.floor_char_boundary(random.below(text.len() + 1));
                let to = text.floor_char_boundary((from + random.below(80)).min(text.len()));
                let copy = text[from..to].to_owned();
                text.insert_str(at, &copy);
            }
        }
    }
    text
}

fn collect(path: &Path, out: &mut Vec<PathBuf>) {
    if path.is_dir() {
        let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
        entries.for_each(|entry| collect(&entry.path(), out));
    } else if path.extension().is_some_and(|ending| ending == "td") {
        out.push(path.to_owned());
    }
}

#[test]
fn changed_files_give_records_or_located_errors() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let (changed, searched) = match std::env::var_os("TEGULA_TD") {
        Some(folders) => {
            let folders: Vec<PathBuf> = std::env::split_paths(&folders).collect();
            (folders.clone(), folders)
        }
        None => (
            ["dsl/prelude", "dialects/arith"].map(|at| root.join(at)).to_vec(),
            ["dsl/prelude", "dialects"].map(|at| root.join(at)).to_vec(),
        ),
    };
    let mut files = Vec::new();
    changed.iter().for_each(|folder| collect(folder, &mut files));
    files.sort();
    let mut random = Random(number("TEGULA_SEED").unwrap_or(1) | 1 << 40);
    let loader = searched.into_iter().fold(Files::new(), Files::dir);
    for _ in 0..number("TEGULA_MUTATIONS").unwrap_or(60) {
        let path = &files[random.below(files.len())];
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let text = change(&text, &mut random);
        let loader = loader.clone().file("changed.td", text.clone());
        let mut sources = Sources::new();
        let (_, found) = load("changed.td", &loader, &mut sources);
        let errors = found.iter().filter(|found| found.is_error());
        let lost: Vec<&Diagnostic> = errors.filter(|error| error.primary.is_none()).collect();
        assert!(lost.is_empty(), "{}\n{text}", Renderer::plain(&sources).render_all(lost));
        let _ = Renderer::plain(&sources).render_all(&found);
    }
}
