//! Queries on several symbols at once.

use std::num::NonZeroUsize;
use std::sync::OnceLock;
use std::thread::available_parallelism;

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::database::Database;
use crate::inputs::Stage;

/// Passes recurse with the nesting of what they are given.
const STACK: usize = 16 << 20;

/// As many passes on a body, all in all, are work for more than one thread.
const WORTH: usize = 32;

/// Asks the same of all symbols, so that whoever asks next finds the answers; does nothing when one
/// thread is done sooner. `passes` is how many passes on a body a question is as much work as. When
/// one of the questions is given up, so is this, by unwinding.
pub(crate) fn ask_all(
    db: &Database,
    stages: &[Stage],
    passes: usize,
    ask: impl Fn(&Database, Stage) + Sync,
) {
    if stages.len() < 2 || stages.len() * passes < WORTH {
        return;
    }
    if let Some(pool) = pool() {
        // A handle of the database is for one thread.
        let handle = db.clone();
        pool.install(|| stages.par_iter().for_each_with(handle, |db, &stage| ask(db, stage)));
    }
}

/// The threads; none on a machine with one processor, or that gives none.
fn pool() -> Option<&'static ThreadPool> {
    static POOL: OnceLock<Option<ThreadPool>> = OnceLock::new();
    let make = || {
        let threads = available_parallelism().map_or(1, NonZeroUsize::get);
        let builder = ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK);
        (threads > 1).then(|| builder.build().ok()).flatten()
    };
    POOL.get_or_init(make).as_ref()
}
