//! The name that the writer most likely meant.

/// The candidate nearest to `name` by edit distance, if one is near enough to suggest; the first
/// of equally near ones. Of names of one or two letters only the case may differ.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = match name.chars().count() {
        0..3 => 0,
        length => length / 3,
    };
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        if candidate == name {
            continue;
        }
        let bound = best.map_or(limit, |(distance, _)| distance);
        let Some(distance) = distance_within(name, candidate, bound) else { continue };
        // Of two that are equally near the one that begins alike is meant.
        let nearer = best.is_none_or(|(best, other)| {
            distance < best || common_start(name, candidate) > common_start(name, other)
        });
        if nearer {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

fn common_start(a: &str, b: &str) -> usize {
    a.bytes().zip(b.bytes()).take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count()
}

/// The question whether the nearest candidate was meant, if one is near enough (see [`nearest`]).
pub fn did_you_mean<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    nearest(name, candidates).map(|near| format!("did you mean `{near}`?"))
}

/// The edit distance (insertion, deletion, substitution, swap of neighbours; letter case does not
/// count) when it is at most `bound`.
fn distance_within(a: &str, b: &str, bound: usize) -> Option<usize> {
    let a: Vec<char> = a.chars().flat_map(char::to_lowercase).collect();
    let b: Vec<char> = b.chars().flat_map(char::to_lowercase).collect();
    if a.len().abs_diff(b.len()) > bound {
        return None;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut row = Vec::with_capacity(b.len() + 1);
        row.push(i + 1);
        for (j, y) in b.iter().enumerate() {
            let mut cost = (above[j] + usize::from(x != y)).min(above[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y {
                cost = cost.min(before[j - 1] + 1);
            }
            row.push(cost);
        }
        before = std::mem::replace(&mut above, row);
    }
    above.last().copied().filter(|distance| *distance <= bound)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn suggests_only_what_is_near() {
        let names = ["Op", "Operation", "results", "arguments"];
        let check = |name, want| assert_eq!(nearest(name, names), want, "{name}");
        check("argumnets", Some("arguments"));
        check("result", Some("results"));
        check("Opp", Some("Op"));
        check("oP", Some("Op"));
        check("O", None);
        assert_eq!(nearest("ilegal", ["legal", "illegal"]), Some("illegal"));
        check("xyz", None);
        check("", None);
    }
}
