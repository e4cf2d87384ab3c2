//! How much memory this machine has left.

/// The bytes that programs can still have, where the system says so.
pub fn available() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    parse(&text)
}

fn parse(text: &str) -> Option<u64> {
    let rest = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let number = rest.trim().strip_suffix("kB")?.trim_end();
    number.parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn reads_the_table() {
        let text = "MemTotal:  100 kB\nMemAvailable:      42 kB\nBuffers: 1 kB\n";
        assert_eq!(parse(text), Some(42 * 1024));
        assert_eq!(parse("MemTotal: 100 kB\n"), None);
        assert_eq!(parse("MemAvailable: many kB\n"), None);
    }
}
