//! Work on many pieces at once, whose results do not show it.

use std::num::NonZeroUsize;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// How many threads take part in a piece of work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Threads {
    /// The one that asks for it.
    #[default]
    One,
    /// As many as there are processors.
    All,
}

/// What is read, verified and printed recurses with its nesting.
const STACK: usize = 16 << 20;

impl Threads {
    fn count(self) -> usize {
        match self {
            Threads::One => 1,
            Threads::All => thread::available_parallelism().map_or(1, NonZeroUsize::get),
        }
    }

    /// What `work` makes of each number below `count`, in their order. Each thread has a state of
    /// its own, which must not decide anything.
    pub(crate) fn in_order<S, T: Send>(
        self,
        count: usize,
        state: impl Fn() -> S + Sync,
        work: impl Fn(&mut S, usize) -> T + Sync,
    ) -> Vec<T> {
        let threads = if count > 1 { self.count().min(count) } else { 1 };
        let next = AtomicUsize::new(0);
        let take = || {
            let mut state = state();
            let mut done = Vec::new();
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                if at >= count {
                    return done;
                }
                done.push((at, work(&mut state, at)));
            }
        };
        let mut done = thread::scope(|scope| {
            let start = |_| thread::Builder::new().stack_size(STACK).spawn_scoped(scope, take).ok();
            let others: Vec<_> = (1..threads).map_while(start).collect();
            let mut done = take();
            for other in others {
                done.append(&mut other.join().unwrap_or_else(|panic| resume_unwind(panic)));
            }
            done
        });
        if threads > 1 {
            done.sort_unstable_by_key(|&(at, _)| at);
        }
        done.into_iter().map(|(_, result)| result).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Threads;

    #[test]
    fn results_are_in_order() {
        for threads in [Threads::One, Threads::All] {
            for count in [0, 1, 2, 1000] {
                let squares = threads.in_order(count, || (), |(), at| at * at);
                assert_eq!(squares, (0..count).map(|at| at * at).collect::<Vec<_>>());
            }
        }
    }
}
