//! How long it takes until an edit of one among many functions has its new assembly text.
//!
//! `cargo bench -p tegula-db` prints for each kind of edit at the first, the middle and the last
//! function the median, the 95th percentile and the worst of several rounds, and before them what a
//! compilation from nothing costs. Arguments: another number of functions than 1,000, and the kinds
//! of edits, by name, if not all are wanted.

#[path = "../tests/edits/mod.rs"]
mod edits;

use std::time::{Duration, Instant};

use edits::{Edit, assembly, functions, module, session, setup};
use tegula_db::Database;
use tegula_neon::Flavour;

/// The allocator of the shipped program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Rounds for each kind of edit at each place.
const ROUNDS: usize = 20;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let count = args.iter().find_map(|arg| arg.parse().ok()).unwrap_or(1000);
    let named: Vec<Edit> =
        Edit::ALL.into_iter().filter(|kind| args.contains(&format!("{kind:?}"))).collect();
    let kinds = if named.is_empty() { Edit::ALL.to_vec() } else { named };
    let setup = setup();
    let original = functions(count);
    let text = module(&original);
    let start = Instant::now();
    let mut session = session(Database::new(), &setup, &text);
    let fresh = assembly(&mut session);
    println!(
        "{count} functions, {} bytes of text, {} bytes of assembly: fresh in {:.0} ms, peak memory {} MiB",
        text.len(),
        fresh.len(),
        millis(start.elapsed()),
        peak_mebibytes().map_or("unknown".to_owned(), |mib| mib.to_string()),
    );
    let mut all = Vec::new();
    for edit in kinds {
        for (place, index) in [("first", 0), ("middle", count / 2), ("last", count - 1)] {
            let mut functions = original.clone();
            session.set_text(&text);
            assembly(&mut session);
            let mut times = Vec::new();
            for round in 0..ROUNDS {
                if edit == Edit::AddMatmul {
                    functions[index] = original[index].clone();
                    functions[index].shape.0 = 600 + round;
                    session.set_text(&module(&functions));
                    assembly(&mut session);
                }
                edit.apply(&mut functions[index], round);
                let edited = module(&functions);
                let start = Instant::now();
                session.set_text(&edited);
                let piece = session.assembly_of(&functions[index].name, Flavour::Elf);
                times.push(start.elapsed());
                assert!(!piece.is_empty(), "no text for {:?}", functions[index]);
            }
            report(&format!("{edit:?} at the {place}"), &mut times);
            all.extend(times);
        }
    }
    report("all edits", &mut all);
}

fn report(what: &str, times: &mut [Duration]) {
    times.sort_unstable();
    let at = |part: usize| millis(times[(times.len() * part).div_ceil(100).max(1) - 1]);
    println!(
        "{what:<28} median {:6.2} ms   p95 {:6.2} ms   worst {:6.2} ms",
        at(50),
        at(95),
        at(100)
    );
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// The most memory that the process has held; the system tells on Linux only.
fn peak_mebibytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches("kB").trim().parse::<u64>().ok().map(|kib| kib / 1024)
}
