//! What one query decides for many keys, so that a change for some of them is not one for all.
//!
//! A map as the value of a query makes every reader look again when any entry changes. Here the
//! entries stand in a fixed number of shards, each a tracked struct: the list of shards never
//! changes, and a reader depends on the one that its key falls in. Which shard that is shows in no
//! result.

use salsa::plumbing::AsId;
use tegula_pass::Fact;

use crate::symbols::{Name, Symbol};

/// Enough for modules of thousands of symbols to have few in a shard, and not so many that a
/// small module pays for them.
const COUNT: usize = 512;

/// One projection, as a value of this layer.
#[derive(Clone, Debug, PartialEq, salsa::SalsaValue)]
pub(crate) struct Decided(pub(crate) Fact);

/// Projections of a solve.
#[salsa::tracked(debug)]
pub(crate) struct Projections<'db> {
    number: usize,
    #[tracked]
    #[returns(ref)]
    pub(crate) entries: Vec<(Symbol<'db>, Decided)>,
}

/// The symbols that symbols call.
#[salsa::tracked(debug)]
pub(crate) struct Callees<'db> {
    number: usize,
    #[tracked]
    #[returns(ref)]
    pub(crate) entries: Vec<(Symbol<'db>, Vec<Symbol<'db>>)>,
}

/// For contents the first symbol that asked for them, and their place among what it asked for.
#[salsa::tracked(debug)]
pub(crate) struct Sources<'db> {
    number: usize,
    #[tracked]
    #[returns(ref)]
    pub(crate) entries: Vec<(Name<'db>, (Symbol<'db>, usize))>,
}

/// The shards of some entries, in order of their numbers; `make` makes one of a number and what
/// falls in it.
pub(crate) fn shards<K: AsId + Copy, V, S>(
    entries: impl IntoIterator<Item = (K, V)>,
    make: impl Fn(usize, Vec<(K, V)>) -> S,
) -> Vec<S> {
    let mut out: Vec<Vec<(K, V)>> = std::iter::repeat_with(Vec::new).take(COUNT).collect();
    for entry in entries {
        out[number(entry.0)].push(entry);
    }
    out.into_iter().enumerate().map(|(number, entries)| make(number, entries)).collect()
}

/// The shard that a key falls in.
pub(crate) fn shard<K: AsId, S: Copy>(shards: &[S], key: K) -> Option<S> {
    shards.get(number(key)).copied()
}

/// The entry of a key.
pub(crate) fn entry<K: PartialEq, V>(entries: &[(K, V)], key: K) -> Option<&V> {
    entries.iter().find(|(k, _)| *k == key).map(|(_, value)| value)
}

fn number(key: impl AsId) -> usize {
    key.as_id().index() as usize % COUNT
}
