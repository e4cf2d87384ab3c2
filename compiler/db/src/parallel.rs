//! Queries on several symbols at once.

use std::cmp::Reverse;
use std::num::NonZeroUsize;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::available_parallelism;

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::database::Database;
use crate::inputs::Stage;

/// Passes recurse with the nesting of what they are given.
const STACK: usize = 16 << 20;

/// As many passes on a body, all in all, are work for more than one thread.
const WORTH: usize = 6;

/// Does it on one of the threads, which then takes its part in what it [asks of
/// several](ask_all) instead of waiting for others to wake up.
pub(crate) fn on_a_thread<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    match pool() {
        Some(pool) => pool.install(work),
        None => work(),
    }
}

/// Asks the same of all symbols, so that whoever asks next finds the answers; does nothing when one
/// thread is done sooner. `passes` is how many passes on a body a question is as much work as. When
/// one of the questions is given up, so is this, by unwinding.
pub(crate) fn ask_all(
    db: &Database,
    mut stages: Vec<Stage>,
    passes: usize,
    ask: impl Fn(&Database, Stage) + Sync,
) {
    if stages.len() < 2 || stages.len() * passes < WORTH {
        return;
    }
    let Some(pool) = pool() else { return };
    // Threads end together when what takes longest does not come last.
    stages.sort_by_cached_key(|stage| Reverse(stage.body(db).body().bounds().0));
    let threads = pool.current_num_threads().min(stages.len());
    let next = AtomicUsize::new(0);
    let take = |db: &Database| {
        while let Some(&stage) = stages.get(next.fetch_add(1, Ordering::Relaxed)) {
            ask(db, stage);
        }
    };
    // A handle of the database is for one thread.
    let own = db.clone();
    let take = &take;
    pool.scope(move |scope| {
        for _ in 1..threads {
            let handle = own.clone();
            scope.spawn(move |_| take(&handle));
        }
        take(&own);
    });
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
