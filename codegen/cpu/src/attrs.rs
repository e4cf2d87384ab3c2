//! Attribute forms that several passes make or read.

use tegula_ir::{AffineExpr, AffineMap, Attr, AttrData};

/// `array<i32: …>` of operand group sizes.
pub(crate) fn segments(sizes: &[usize]) -> Attr {
    let sizes: Vec<i32> = sizes.iter().map(|&n| i32::try_from(n).unwrap_or(i32::MAX)).collect();
    Attr::i32_array(&sizes)
}

/// A map whose results are plain dimensions.
pub(crate) fn dims_map(dims: u32, results: &[u32]) -> AffineMap {
    let results: Vec<AffineExpr> = results.iter().map(|&d| AffineExpr::dim(d)).collect();
    AffineMap::get(dims, 0, &results)
}

/// Whether an iterator-type attribute says `reduction`; none when it says neither.
pub(crate) fn is_reduction(attr: Attr) -> Option<bool> {
    match enum_word(attr)? {
        "parallel" => Some(false),
        "reduction" => Some(true),
        _ => None,
    }
}

/// The word of an enum attribute: a string, or a dialect attribute whose only parameter is one.
pub(crate) fn enum_word(attr: Attr) -> Option<&'static str> {
    match attr.data() {
        AttrData::String { .. } => attr.as_str(),
        AttrData::Dialect { params, .. } => params.first()?.as_str(),
        _ => None,
    }
}

/// An iterator type of a dialect: `#vector.iterator_type<reduction>`.
pub(crate) fn iterator(dialect: &str, reduction: bool) -> Attr {
    let word = if reduction { "reduction" } else { "parallel" };
    Attr::dialect(&format!("{dialect}.iterator_type"), &[Attr::string(word)])
}

/// An array of booleans, all true.
pub(crate) fn all_true(count: usize) -> Attr {
    Attr::array(&vec![Attr::bool(true); count])
}

/// The integers of a dense array or of an array of integers.
pub(crate) fn integers(attr: Attr) -> Option<Vec<i64>> {
    match attr.data() {
        AttrData::DenseArray { values, .. } => Some(values.to_vec()),
        AttrData::Array(items) => items.iter().map(|a| a.as_int()).collect(),
        _ => None,
    }
}

/// Whether `list` names each of `0..count` once.
pub(crate) fn is_permutation(list: &[usize], count: usize) -> bool {
    list.len() == count && is_injective(list, count)
}

/// Whether `list` names none twice and only those below `count`.
pub(crate) fn is_injective(list: &[usize], count: usize) -> bool {
    let mut seen = vec![false; count];
    list.iter().all(|&d| d < count && !std::mem::replace(&mut seen[d], true))
}

/// Lists of dimensions, as reshapes have them.
pub(crate) fn index_lists(lists: &[Vec<i64>]) -> Attr {
    let list =
        |dims: &Vec<i64>| Attr::array(&dims.iter().map(|&d| Attr::i64(d)).collect::<Vec<_>>());
    Attr::array(&lists.iter().map(list).collect::<Vec<_>>())
}

/// The lists of indices that an array of arrays is, as [`index_lists`] makes it.
pub(crate) fn lists_of(attr: Attr) -> Option<Vec<Vec<usize>>> {
    let list = |attr: &Attr| -> Option<Vec<usize>> {
        attr.as_array()?.iter().map(|dim| usize::try_from(dim.as_int()?).ok()).collect()
    };
    attr.as_array()?.iter().map(list).collect()
}
