//! Searching among many things for those that may go.

/// Tries to do without groups of these things: all, halves, quarters and so on to single ones, the
/// last first, so that what is used goes after its users. `attempt` says whether a group went.
pub(crate) fn shrink<T: Clone>(things: &[T], mut attempt: impl FnMut(&[T]) -> bool) -> bool {
    let mut left = things.to_vec();
    let mut size = left.len();
    let mut changed = false;
    while size > 0 {
        let mut end = left.len();
        while end > 0 {
            let start = end.saturating_sub(size);
            if attempt(&left[start..end]) {
                left.drain(start..end);
                changed = true;
            }
            end = start;
        }
        size = if size == 1 { 0 } else { size.min(left.len().max(1)).div_ceil(2) };
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::shrink;

    #[test]
    fn only_what_is_needed_stays() {
        let mut left: Vec<u32> = (0..100).collect();
        let mut asked = 0;
        let all = left.clone();
        let changed = shrink(&all, |group| {
            asked += 1;
            let goes = !group.contains(&17) && !group.contains(&60);
            if goes {
                left.retain(|n| !group.contains(n));
            }
            goes
        });
        assert!(changed);
        assert_eq!(left, [17, 60]);
        assert!(asked < 60, "{asked} questions");
    }

    #[test]
    fn nothing_is_asked_of_nothing() {
        assert!(!shrink(&[] as &[u8], |_| true));
    }
}
