//! The database.

use std::panic::{AssertUnwindSafe, resume_unwind};
use std::sync::{Arc, Mutex};

use salsa::EventKind;

/// Says whether a question is to be given up.
pub(crate) type Stop = Arc<dyn Fn() -> bool + Send + Sync>;

/// What queries ask of their database.
#[salsa::db]
pub(crate) trait Db: salsa::Database {
    /// Says whether the question under way is to be given up.
    fn stop(&self) -> &Stop;
}

/// Holds inputs and results. Cloning gives another handle on the same data for another thread.
#[salsa::db]
#[derive(Clone)]
pub struct Database {
    storage: salsa::Storage<Self>,
    executed: Arc<Mutex<Vec<String>>>,
    stop: Stop,
}

#[salsa::db]
impl salsa::Database for Database {}

#[salsa::db]
impl Db for Database {
    fn stop(&self) -> &Stop {
        &self.stop
    }
}

impl Default for Database {
    fn default() -> Self {
        Database::new()
    }
}

impl Database {
    /// An empty database.
    pub fn new() -> Database {
        Database {
            storage: salsa::Storage::new(None),
            executed: Arc::default(),
            stop: Arc::new(|| false),
        }
    }

    /// An empty database that remembers which queries ran.
    pub fn logging() -> Database {
        let executed: Arc<Mutex<Vec<String>>> = Arc::default();
        let log = executed.clone();
        let storage = salsa::Storage::new(Some(Box::new(move |event: salsa::Event| {
            if let EventKind::WillExecute { database_key } = event.kind
                && let Ok(mut log) = log.lock()
            {
                // `query(Id(3))`: keys are made in an order that says nothing.
                let key = format!("{database_key:?}");
                log.push(key.split('(').next().unwrap_or_default().to_owned());
            }
        })));
        Database { storage, executed, stop: Arc::new(|| false) }
    }

    /// The names of the queries that ran since the last call, in order of name with their counts.
    pub fn take_executed(&self) -> Vec<(String, usize)> {
        let names = match self.executed.lock() {
            Ok(mut log) => std::mem::take(&mut *log),
            Err(_) => Vec::new(),
        };
        let mut counts = std::collections::BTreeMap::new();
        for name in names {
            *counts.entry(name).or_insert(0) += 1;
        }
        counts.into_iter().collect()
    }

    /// Gives questions up from now on once the answer to this one is yes.
    pub(crate) fn set_stop(&mut self, stop: Stop) {
        self.stop = stop;
    }
}

/// What passes call between units of work.
pub(crate) fn poll(db: &dyn Db) -> impl Fn() + Sync + 'static {
    let stop = db.stop().clone();
    move || give_up_if(&stop)
}

/// Unwinds as queries do when an input is about to change.
pub(crate) fn give_up_if(stop: &Stop) {
    if stop() {
        resume_unwind(Box::new(salsa::Cancelled::Local));
    }
}

/// A question was given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cancelled;

/// Asks a question that a change of an input ends early, by unwinding. Results of queries that were
/// done by then are kept.
pub fn cancellable<T>(ask: impl FnOnce() -> T) -> Result<T, Cancelled> {
    // What a question leaves half done is dropped with its clone of the database, or is taken up
    // where it was left.
    salsa::Cancelled::catch(AssertUnwindSafe(ask)).map_err(|_| Cancelled)
}
