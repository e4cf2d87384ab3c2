//! The sharded interner behind every handle.

use std::cell::Cell;
use std::hash::{BuildHasher, Hash};
use std::sync::{Mutex, PoisonError};
use std::thread::LocalKey;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rustc_hash::FxBuildHasher;

const SHARDS: usize = 16;

/// How many values a thread keeps at hand; each costs two words.
const RECENT: usize = 512;

/// A set of values that only grows; each lives as long as the process and is known by its address.
///
/// A handle is a reference, so looking at a value costs nothing. Interning locks the shard of the
/// value's hash, unless the thread has had the value lately.
pub(crate) struct Interner<T: 'static> {
    shards: [Mutex<HashTable<Known<T>>>; SHARDS],
}

/// An interned value. The hash stands beside it so that neither a look-up that fails nor a table
/// that grows has to look at values, which lie all over the memory.
struct Known<T: 'static> {
    hash: u64,
    value: &'static T,
}

impl<T> Clone for Known<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Known<T> {}

/// What a thread has interned lately, each value at the place that its hash gives.
pub(crate) struct Recent<T: 'static>([Cell<Option<Known<T>>>; RECENT]);

impl<T> Recent<T> {
    pub(crate) const fn new() -> Self {
        Recent([const { Cell::new(None) }; RECENT])
    }
}

/// The hash by which a value is interned.
pub(crate) fn hash_of(value: &(impl Hash + ?Sized)) -> u64 {
    FxBuildHasher.hash_one(value)
}

impl<T> Interner<T> {
    pub(crate) const fn new() -> Self {
        Interner { shards: [const { Mutex::new(HashTable::new()) }; SHARDS] }
    }

    /// The value of that hash that is the same as `value`, made of it when there is none.
    #[inline]
    pub(crate) fn intern<V>(
        &self,
        recent: &'static LocalKey<Recent<T>>,
        hash: u64,
        value: V,
        same: impl Fn(&T, &V) -> bool,
        make: impl FnOnce(V) -> T,
    ) -> &'static T {
        recent.with(|recent| {
            let slot = &recent.0[hash as usize % RECENT];
            if let Some(known) = slot.get()
                && known.hash == hash
                && same(known.value, &value)
            {
                return known.value;
            }
            let value = self.find_or_add(hash, value, same, make);
            slot.set(Some(Known { hash, value }));
            value
        })
    }

    fn find_or_add<V>(
        &self,
        hash: u64,
        value: V,
        same: impl Fn(&T, &V) -> bool,
        make: impl FnOnce(V) -> T,
    ) -> &'static T {
        // The table uses the low bits and the top seven, the shard others.
        let shard = &self.shards[(hash >> 48) as usize % SHARDS];
        // A panic while holding the lock leaves the table valid: insertion is its last step.
        let mut table = shard.lock().unwrap_or_else(PoisonError::into_inner);
        let is_same = |known: &Known<T>| known.hash == hash && same(known.value, &value);
        match table.entry(hash, is_same, |known| known.hash) {
            Entry::Occupied(known) => known.get().value,
            Entry::Vacant(place) => {
                let value: &'static T = Box::leak(Box::new(make(value)));
                place.insert(Known { hash, value });
                value
            }
        }
    }
}

/// Declares a `Copy` handle type over a static interner of `$data`, or of nodes that hold it.
macro_rules! handle {
    ($(#[$doc:meta])* $name:ident => $data:ty) => {
        $crate::interner::handle!(@over $data, $(#[$doc])* $name);

        impl $name {
            /// The value behind the handle.
            #[inline]
            pub fn data(self) -> &'static $data {
                self.0
            }
        }
    };
    ($(#[$doc:meta])* $name:ident => $node:ident.$field:ident: $data:ty) => {
        $crate::interner::handle!(@over $node, $(#[$doc])* $name);

        impl $name {
            /// The value behind the handle.
            #[inline]
            pub fn data(self) -> &'static $data {
                &self.0.$field
            }
        }
    };
    (@over $data:ty, $(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub struct $name(&'static $data);

        impl $name {
            /// Interns what `value` stands for. Whatever stands for equal data must bear the same
            /// hash.
            #[inline]
            fn interned<V>(
                hash: u64,
                value: V,
                same: impl Fn(&$data, &V) -> bool,
                make: impl FnOnce(V) -> $data,
            ) -> Self {
                use $crate::interner::{Interner, Recent};

                static ALL: Interner<$data> = Interner::new();
                std::thread_local! {
                    static RECENT: Recent<$data> = const { Recent::new() };
                }
                $name(ALL.intern(&RECENT, hash, value, same, make))
            }

        }

        impl PartialEq for $name {
            #[inline]
            fn eq(&self, other: &Self) -> bool {
                std::ptr::eq(self.0, other.0)
            }
        }

        impl Eq for $name {}

        impl std::hash::Hash for $name {
            #[inline]
            fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
                std::ptr::from_ref(self.0).hash(state);
            }
        }
    };
    ($(#[$doc:meta])* $name:ident => $data:ty, from data) => {
        $crate::interner::handle!($(#[$doc])* $name => $data);

        impl $name {
            /// Interns the value.
            pub fn new(data: $data) -> Self {
                let hash = $crate::interner::hash_of(&data);
                $name::interned(hash, data, |known, data| known == data, |data| data)
            }
        }
    };
}
pub(crate) use handle;
