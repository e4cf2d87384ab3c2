//! Symbol names that every assembler reads.

use std::fmt::Write;

/// The assembler's name of an MLIR symbol.
///
/// Letters, digits, `_` and `.` stand for themselves; every other byte, a digit or dot at the
/// start, and `$` itself become `$` and two hexadecimal digits, so that different symbols have
/// different names.
pub fn mangle(symbol: &str) -> String {
    let mut out = String::with_capacity(symbol.len());
    for (at, byte) in symbol.bytes().enumerate() {
        let plain = byte.is_ascii_alphabetic()
            || byte == b'_'
            || (at > 0 && (byte.is_ascii_digit() || byte == b'.'));
        if plain {
            out.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(out, "${byte:02x}");
        }
    }
    if out.is_empty() {
        out.push('$');
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn names() {
        let cases = [
            ("matmul", "matmul"),
            ("matmul$async_dispatch_0", "matmul$24async_dispatch_0"),
            ("_a.b", "_a.b"),
            (".L0", "$2eL0"),
            ("2x", "$32x"),
            ("a b", "a$20b"),
            ("é", "$c3$a9"),
            ("", "$"),
        ];
        for (symbol, name) in cases {
            assert_eq!(super::mangle(symbol), name, "{symbol:?}");
        }
    }
}
