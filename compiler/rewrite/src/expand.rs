//! What an op says of its values one by one, once a conversion has made several of one.
//!
//! `arg_attrs`, `res_attrs` and `tied_operands` speak of the arguments and results of a function or
//! call: what is said of a value is said of the first that it becomes, of the others nothing. The
//! trait `SegmentsBy<"group", "attr">` says that an attribute divides a group of operands.

use tegula_ir::{Attr, AttrData, Body, OpId, Registry};

/// How many values each argument and each result becomes.
pub(crate) struct Counts<'a> {
    pub(crate) arguments: &'a [usize],
    pub(crate) results: &'a [usize],
}

/// The attribute of that name for an op whose values become as many; none when it stays.
pub(crate) fn expanded(name: &str, attr: Attr, counts: &Counts<'_>) -> Option<Attr> {
    let list = attr.as_array()?;
    let (of, nothing) = match name {
        "arg_attrs" => (counts.arguments, Attr::empty_dict()),
        "res_attrs" => (counts.results, Attr::empty_dict()),
        "tied_operands" => (counts.results, Attr::index(-1)),
        _ => return None,
    };
    if list.len() != of.len() {
        return None;
    }
    let said = |attr: Attr| match attr.as_int().and_then(|tie| usize::try_from(tie).ok()) {
        Some(tie) => {
            let before: usize = counts.arguments.iter().take(tie).sum();
            Attr::index(i64::try_from(before).unwrap_or(i64::MAX))
        }
        None => attr,
    };
    let each = list.iter().zip(of).flat_map(|(&attr, &count)| {
        let first = (count > 0).then(|| said(attr));
        first.into_iter().chain(std::iter::repeat_n(nothing, count.saturating_sub(1)))
    });
    Some(Attr::array(&each.collect::<Vec<Attr>>()))
}

/// The attribute of that name for an op whose operands become as many, when it divides a group.
pub(crate) fn divided(
    registry: &Registry,
    body: &Body,
    op: OpId,
    name: &str,
    operands: &[usize],
) -> Option<Attr> {
    let def = registry.op(body.name(op))?.def();
    let rule = def
        .traits
        .iter()
        .find(|t| t.name == "SegmentsBy" && t.args.get(1).is_some_and(|arg| arg == name))?;
    let group = def.operand_index(rule.args.first()?)?;
    let range = registry.operand_groups(body, op)?.get(group)?.clone();
    let AttrData::DenseArray { values, .. } = body.attr(op, name)?.data() else { return None };
    let mut of = operands.get(range)?.iter();
    let parts = values.iter().map(|&size| {
        let size = usize::try_from(size).unwrap_or_default();
        i32::try_from(of.by_ref().take(size).sum::<usize>()).unwrap_or(i32::MAX)
    });
    Some(Attr::i32_array(&parts.collect::<Vec<i32>>()))
}
