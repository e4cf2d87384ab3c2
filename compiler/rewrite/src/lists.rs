//! Lists that programs work on: values, types, ops and array attributes.

use rustc_hash::FxHashSet;
use tegula_ir::{Attr, Body, OpId, Type, ValueId, ValueKind};
use tegula_schema::{Gather, Reg};

use crate::Bound;
use crate::machine::{Registers, values_of};

/// How many elements something has.
pub(crate) fn length(body: &Body, bound: &Bound) -> Option<usize> {
    match bound {
        Bound::Attr(attr) => {
            attr.as_array().map(<[Attr]>::len).or_else(|| attr.as_dense_array().map(<[i64]>::len))
        }
        Bound::Types(types) => Some(types.len()),
        Bound::Type(_) => Some(1),
        Bound::Ops(ops) => Some(ops.len()),
        bound => Some(values_of(body, bound).len()),
    }
}

/// One element.
pub(crate) fn element(body: &Body, bound: &Bound, index: usize) -> Option<Bound> {
    match bound {
        Bound::Attr(attr) => match attr.as_array() {
            Some(items) => items.get(index).map(|&item| Bound::Attr(item)),
            None => attr.as_dense_array()?.get(index).map(|&n| Bound::Attr(Attr::i64(n))),
        },
        Bound::Types(_) | Bound::Type(_) => bound.types().get(index).map(|&ty| Bound::Type(ty)),
        Bound::Ops(ops) => ops.get(index).map(|&op| Bound::Op(op)),
        Bound::Value(_) | Bound::Values(_) => {
            bound.values().get(index).map(|&value| Bound::Value(value))
        }
        Bound::Op(_) | Bound::Absent => {
            values_of(body, bound).get(index).map(|&value| Bound::Value(value))
        }
    }
}

/// The elements without those that came before.
pub(crate) fn unique(body: &Body, bound: &Bound) -> Option<Bound> {
    fn firsts<T: Copy + PartialEq>(items: &[T]) -> Vec<T> {
        let mut out: Vec<T> = Vec::new();
        for &item in items {
            if !out.contains(&item) {
                out.push(item);
            }
        }
        out
    }
    Some(match bound {
        Bound::Attr(attr) => Bound::Attr(Attr::array(&firsts(attr.as_array()?))),
        Bound::Types(types) => Bound::Types(firsts(types)),
        Bound::Ops(ops) => Bound::Ops(firsts(ops)),
        Bound::Type(_) => bound.clone(),
        bound => Bound::Values(firsts(&values_of(body, bound))),
    })
}

/// The ops that use a value, each once, oldest use first.
pub(crate) fn users(body: &Body, value: ValueId) -> Vec<OpId> {
    let mut users: Vec<OpId> = Vec::new();
    let mut seen = FxHashSet::default();
    for user in body.users(value) {
        if seen.insert(user) {
            users.push(user);
        }
    }
    users.reverse();
    users
}

/// The values from outside that ops within the regions of an op use, each once, in order of use.
pub fn captures(body: &Body, op: OpId) -> Vec<ValueId> {
    let within: FxHashSet<OpId> = body.walk(op).filter(|&inner| inner != op).collect();
    let inside = |value: ValueId| match body.definition(value) {
        ValueKind::Result(by, _) => within.contains(&by),
        ValueKind::Arg(block, _) => {
            body.block_parent_op(block).is_some_and(|by| by == op || within.contains(&by))
        }
    };
    let mut seen = FxHashSet::default();
    let users = body.walk(op).filter(|&inner| inner != op);
    let used = users.flat_map(|user| body.operands(user));
    used.filter(|&value| !inside(value) && seen.insert(value)).collect()
}

/// The next `count` elements of a list, and the cursor behind them.
pub(crate) fn take(
    body: &Body,
    r: &Registers,
    list: Reg,
    count: Reg,
    cursor: Reg,
) -> Option<(Bound, Bound)> {
    let number = |reg: Reg| usize::try_from(r.get(reg).attr()?.as_int()?).ok();
    let (start, count) = (number(cursor).unwrap_or(0), number(count)?);
    let end = start.checked_add(count)?;
    let taken = match r.get(list) {
        Bound::Attr(attr) => Bound::Attr(Attr::array(attr.as_array()?.get(start..end)?)),
        Bound::Types(types) => Bound::Types(types.get(start..end)?.to_vec()),
        Bound::Ops(ops) => Bound::Ops(ops.get(start..end)?.to_vec()),
        bound => Bound::Values(values_of(body, bound).get(start..end)?.to_vec()),
    };
    Some((taken, Bound::Attr(Attr::index(i64::try_from(end).ok()?))))
}

/// The number of rounds of a loop over lists of the same length.
pub(crate) fn rounds(body: &Body, r: &Registers, lists: &[Reg]) -> Option<usize> {
    let mut lengths = lists.iter().map(|&list| length(body, r.get(list)));
    let first = lengths.next()??;
    lengths.all(|length| length == Some(first)).then_some(first)
}

/// Puts the elements of a round where the body finds them.
pub(crate) fn enter(
    body: &Body,
    r: &mut Registers,
    lists: &[Reg],
    items: &[Reg],
    index: usize,
) -> Option<()> {
    for (&list, &item) in lists.iter().zip(items) {
        let bound = element(body, r.get(list), index)?;
        r.set(item, bound);
    }
    Some(())
}

/// No list that a pattern makes is longer: a pattern that makes such is wrong.
const MAX_LENGTH: usize = 1 << 20;

/// The most operands that a body of so many may come to have while patterns are applied without end
/// in sight.
pub(crate) fn room_for_operands(body: &Body) -> usize {
    body.operand_bound().saturating_mul(64).saturating_add(MAX_LENGTH)
}

/// A list, if it is not too long.
pub(crate) fn bounded<T>(list: Vec<T>) -> Option<Vec<T>> {
    (list.len() <= MAX_LENGTH).then_some(list)
}

/// What a loop gathers.
pub(crate) enum Gathered {
    Nothing,
    Values(Vec<ValueId>),
    Types(Vec<Type>),
    Attrs(Vec<Attr>),
    /// Elements of a list, and the list.
    Kept(Vec<Bound>, Bound),
}

impl Gathered {
    /// Nothing yet; `list` is the first list of the loop.
    pub(crate) fn new(gather: Gather, list: &Bound) -> Gathered {
        match gather {
            Gather::Values => Gathered::Values(Vec::new()),
            Gather::Types => Gathered::Types(Vec::new()),
            Gather::Attrs => Gathered::Attrs(Vec::new()),
            Gather::Keep => Gathered::Kept(Vec::new(), list.clone()),
            Gather::Any | Gather::All | Gather::Carry => Gathered::Nothing,
        }
    }

    /// Adds what a round gives; none when that is of another kind, or there is too much.
    pub(crate) fn add(&mut self, body: &Body, bound: &Bound) -> Option<()> {
        let length = match self {
            Gathered::Nothing | Gathered::Kept(..) => 0,
            Gathered::Values(values) => {
                values.extend(values_of(body, bound));
                values.len()
            }
            Gathered::Types(types) => {
                types.extend(bound.types());
                types.len()
            }
            Gathered::Attrs(attrs) => {
                match bound {
                    Bound::Type(ty) => attrs.push(Attr::ty(*ty)),
                    bound => attrs.push(bound.attr()?),
                }
                attrs.len()
            }
        };
        (length <= MAX_LENGTH).then_some(())
    }

    /// Adds an element that is kept.
    pub(crate) fn keep(&mut self, bound: &Bound) {
        if let Gathered::Kept(kept, _) = self {
            kept.push(bound.clone());
        }
    }

    /// The list; none when nothing is gathered.
    pub(crate) fn finish(self) -> Option<Bound> {
        Some(match self {
            Gathered::Nothing => return None,
            Gathered::Values(values) => Bound::Values(values),
            Gathered::Types(types) => Bound::Types(types),
            Gathered::Attrs(attrs) => Bound::Attr(Attr::array(&attrs)),
            Gathered::Kept(kept, list) => match list {
                Bound::Attr(_) => {
                    let attrs: Vec<Attr> = kept.iter().filter_map(Bound::attr).collect();
                    Bound::Attr(Attr::array(&attrs))
                }
                Bound::Type(_) | Bound::Types(_) => {
                    Bound::Types(kept.iter().filter_map(Bound::ty).collect())
                }
                Bound::Ops(_) => Bound::Ops(kept.iter().filter_map(Bound::op).collect()),
                _ => Bound::Values(kept.iter().filter_map(Bound::value).collect()),
            },
        })
    }
}
