//! Copies between registers that happen at once, as copies one after the other.

use std::collections::BTreeMap;

/// Puts copies from a register to another in an order in which none overwrites what another still
/// has to read. Where copies go round in a circle, one register's value waits in a spare one.
///
/// No register is written twice. What stays where it is needs no copy.
pub(crate) fn in_order(copies: &[(u16, u16)], spare: impl Fn(u16) -> u16) -> Vec<(u16, u16)> {
    let mut pending: Vec<(u16, u16)> =
        copies.iter().copied().filter(|(from, to)| from != to).collect();
    let mut readers: BTreeMap<u16, usize> = BTreeMap::new();
    for &(from, _) in &pending {
        *readers.entry(from).or_default() += 1;
    }
    let mut out = Vec::new();
    while let Some(&(_, blocked)) = pending.first() {
        let is_read = |register| readers.get(register).is_some_and(|&count| count > 0);
        match pending.iter().position(|(_, to)| !is_read(to)) {
            Some(free) => {
                let (from, to) = pending.swap_remove(free);
                readers.entry(from).and_modify(|count| *count -= 1);
                out.push((from, to));
            }
            None => {
                let waiting = spare(blocked);
                out.push((blocked, waiting));
                for (from, _) in pending.iter_mut().filter(|(from, _)| *from == blocked) {
                    *from = waiting;
                }
                let count = readers.remove(&blocked).unwrap_or_default();
                readers.insert(waiting, count);
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPARE: u16 = 100;

    /// What registers hold after copies, each beginning with its own number.
    fn run(copies: &[(u16, u16)]) -> BTreeMap<u16, u16> {
        let mut held: BTreeMap<u16, u16> = (0..=SPARE).map(|r| (r, r)).collect();
        for &(from, to) in copies {
            let value = held[&from];
            held.insert(to, value);
        }
        held
    }

    #[test]
    fn copies_happen_as_if_at_once() {
        // Every map of four registers to where they are copied from.
        for which in 0..4u16.pow(4) {
            let from: Vec<u16> = (0..4).map(|at| which / 4u16.pow(at) % 4).collect();
            let copies: Vec<(u16, u16)> = from.iter().copied().zip(0..4).collect();
            let held = run(&in_order(&copies, |_| SPARE));
            let found: Vec<u16> = (0..4).map(|r| held[&r]).collect();
            assert_eq!(found, from);
        }
    }

    #[test]
    fn circles_wait_one_by_one() {
        let copies = [(0, 1), (1, 0), (2, 3), (3, 2), (1, 4), (5, 5)];
        let held = run(&in_order(&copies, |_| SPARE));
        assert_eq!([0, 1, 2, 3, 4, 5].map(|r| held[&r]), [1, 0, 3, 2, 1, 5]);
    }
}
