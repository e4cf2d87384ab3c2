//! The sharded interner behind every handle.

use std::borrow::Borrow;
use std::hash::{BuildHasher, Hash};
use std::sync::{LazyLock, Mutex};

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

const SHARDS: usize = 16;

/// An append-only set of values, each known by a dense id that is never reused.
///
/// Look-up by id takes no lock; interning locks the shard of the value's hash.
pub(crate) struct Interner<T: 'static> {
    values: boxcar::Vec<T>,
    shards: [Mutex<HashTable<Known>>; SHARDS],
}

/// An interned value as a shard knows it. The hash stands beside the id so that neither a look-up
/// that fails nor a table that grows has to look at values, which lie all over the memory.
#[derive(Clone, Copy)]
struct Known {
    hash: u64,
    id: u32,
}

impl<T: Eq + Hash> Interner<T> {
    pub(crate) fn new() -> Self {
        Interner { values: boxcar::Vec::new(), shards: std::array::from_fn(|_| Mutex::default()) }
    }

    /// Returns the id of the value that equals `value`, adding it when there is none.
    pub(crate) fn intern(&self, value: T) -> u32 {
        let hash = FxBuildHasher.hash_one(&value);
        self.find_or_add(hash, value, |known, value| known == value, |value| value)
    }

    /// Like [`Interner::intern`]; the value is made only when it is new.
    pub(crate) fn intern_ref<Q>(&self, value: &Q) -> u32
    where
        Q: Eq + Hash + ?Sized,
        T: Borrow<Q> + for<'q> From<&'q Q>,
    {
        // `Borrow` promises that both forms hash alike.
        let hash = FxBuildHasher.hash_one(value);
        self.find_or_add(hash, value, |known, value| known.borrow() == *value, T::from)
    }

    fn find_or_add<V>(
        &self,
        hash: u64,
        value: V,
        same: impl Fn(&T, &V) -> bool,
        make: impl FnOnce(V) -> T,
    ) -> u32 {
        // Fx keeps its entropy in the high bits; the table uses the top seven, the shard the next.
        let shard = &self.shards[(hash >> 48) as usize % SHARDS];
        let mut table = match shard.lock() {
            Ok(guard) => guard,
            // A panic while holding the lock leaves the table valid: insertion is its last step.
            Err(poisoned) => poisoned.into_inner(),
        };
        let is_same =
            |known: &Known| known.hash == hash && same(&self.values[known.id as usize], &value);
        if let Some(known) = table.find(hash, is_same) {
            return known.id;
        }
        let id = self.values.push(make(value)) as u32;
        table.insert_unique(hash, Known { hash, id }, |known| known.hash);
        id
    }

    pub(crate) fn get(&'static self, id: u32) -> &'static T {
        &self.values[id as usize]
    }
}

/// A static interner that is made on first use.
pub(crate) type Table<T> = LazyLock<Interner<T>>;

/// Declares a `Copy` handle type over a static interner of `$data`.
macro_rules! handle {
    ($(#[$doc:meta])* $name:ident => $data:ty, $table:ident) => {
        static $table: $crate::interner::Table<$data> =
            std::sync::LazyLock::new($crate::interner::Interner::new);

        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        pub struct $name(pub(crate) u32);

        impl $name {
            /// Interns the value.
            pub fn new(data: $data) -> Self {
                $name($table.intern(data))
            }

            /// The value behind the handle.
            pub fn data(self) -> &'static $data {
                $table.get(self.0)
            }
        }
    };
}
pub(crate) use handle;
