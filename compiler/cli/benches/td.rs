//! `tegula td` against `llvm-tblgen`: processor time and memory over the `.td` files of folders.
//!
//! `cargo bench --bench td -- [-I DIR]… [FOLDER or FILE]…`; without arguments, MLIR's own files,
//! which `llvm-config` finds. `LLVM_TBLGEN` and `LLVM_CONFIG` name other programs. What one of the
//! two programs refuses is left out. Linux only: times and memory come from `/proc` and `time`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn main() {
    let (mut includes, mut files) = (Vec::new(), Vec::new());
    let mut args = std::env::args().skip(1).filter(|arg| arg != "--bench");
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "-I" => includes.extend(args.next()),
            _ => collect(Path::new(&arg), &mut files),
        }
    }
    if files.is_empty() {
        let folder = output(&program("LLVM_CONFIG", "llvm-config"), &["--includedir"]);
        collect(&Path::new(folder.trim()).join("mlir"), &mut files);
        includes.push(folder.trim().to_owned());
    }
    files.sort();
    let tblgen = vec![program("LLVM_TBLGEN", "llvm-tblgen"), "--dump-json".to_owned()];
    let tegula =
        vec![env!("CARGO_BIN_EXE_tegula").to_owned(), "td".to_owned(), "--dump-json".to_owned()];
    let flags: Vec<String> =
        includes.iter().flat_map(|dir| ["-I".to_owned(), dir.clone()]).collect();
    let (mut accepted, mut theirs, mut ours) = (Vec::new(), Used::default(), Used::default());
    for file in &files {
        let own = file.parent().map(|folder| folder.display().to_string()).unwrap_or_default();
        let rest = [&flags[..], &["-I".to_owned(), own, file.display().to_string()]].concat();
        let (one, other) = (run(&tblgen, &rest), run(&tegula, &rest));
        if let (Some(one), Some(other)) = (one, other) {
            theirs.add(one);
            ours.add(other);
            accepted.push(file.display().to_string());
        }
    }
    println!("{} of {} files", accepted.len(), files.len());
    println!("a process for each file: {}", ours.against(theirs));
    match run(&tegula, &[flags, accepted].concat()) {
        Some(all) => println!("one process for all files: {}", all.against(theirs)),
        None => println!("one process for all files: refused"),
    }
}

/// Processor time in seconds and the peak of memory in KiB.
#[derive(Copy, Clone, Default)]
struct Used {
    seconds: f64,
    memory: u64,
}

impl Used {
    fn add(&mut self, other: Used) {
        self.seconds += other.seconds;
        self.memory = self.memory.max(other.memory);
    }

    fn against(self, other: Used) -> String {
        let ratio = |a: f64, b: f64| a / b.max(1e-9);
        format!(
            "{:.2} s against {:.2} s, ratio {:.2}; at most {} KiB against {} KiB, ratio {:.2}",
            self.seconds,
            other.seconds,
            ratio(self.seconds, other.seconds),
            self.memory,
            other.memory,
            ratio(self.memory as f64, other.memory as f64)
        )
    }
}

/// What a program uses; nothing when it fails.
fn run(program: &[String], rest: &[String]) -> Option<Used> {
    let before = children_ticks();
    let mut command = Command::new("time");
    command.args(["-q", "-f", "%M"]).args(program).args(rest);
    let ran = command.stdin(Stdio::null()).stdout(Stdio::null()).output().ok()?;
    let memory = String::from_utf8_lossy(&ran.stderr).lines().last()?.trim().parse().ok()?;
    let seconds = (children_ticks() - before) / 100.0;
    ran.status.success().then_some(Used { seconds, memory })
}

/// The processor time of the children that have ended, in ticks of 10 ms.
fn children_ticks() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // Behind the program's name in brackets, these are the 14th and 15th fields.
    let fields = stat.rsplit(')').next().unwrap_or("").split_whitespace();
    fields.skip(13).take(2).filter_map(|field| field.parse::<f64>().ok()).sum()
}

fn program(variable: &str, default: &str) -> String {
    std::env::var(variable).unwrap_or_else(|_| default.to_owned())
}

fn output(program: &str, args: &[&str]) -> String {
    match Command::new(program).args(args).output() {
        Ok(ran) => String::from_utf8_lossy(&ran.stdout).into_owned(),
        Err(error) => panic!("{program} can't be run: {error}"),
    }
}

fn collect(path: &Path, out: &mut Vec<PathBuf>) {
    if path.is_dir() {
        let entries = fs::read_dir(path).into_iter().flatten().flatten();
        entries.for_each(|entry| collect(&entry.path(), out));
    } else if path.extension().is_some_and(|ending| ending == "td") {
        out.push(path.to_owned());
    }
}
