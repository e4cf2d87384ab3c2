//! Conditions by name.

/// The conditions that `b.cond`, `csel` and their kin take, each before its inverse.
const CONDITIONS: [(&str, &str); 5] =
    [("eq", "ne"), ("lt", "ge"), ("gt", "le"), ("lo", "hs"), ("hi", "ls")];

/// The condition that holds just when this one does not.
pub(crate) fn inverse_condition(condition: &str) -> Option<&'static str> {
    CONDITIONS.iter().find_map(|(a, b)| match condition {
        c if c == *a => Some(*b),
        c if c == *b => Some(*a),
        _ => None,
    })
}

/// The condition of an `arith.cmpi` predicate by its number.
pub(crate) fn of_predicate(predicate: i64) -> Option<&'static str> {
    let all = ["eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs"];
    usize::try_from(predicate).ok().and_then(|at| all.get(at).copied())
}
