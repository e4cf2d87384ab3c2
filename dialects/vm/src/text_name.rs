//! Names for texts that lie in the module file: `_utf8_hal_device_id_C6650FF277232B5A`.

use tegula_ir::{Attr, Body, Registry};
use tegula_rewrite::Bound;

/// How much of a name can be read; a hash follows, so that texts that begin alike differ.
const READABLE: usize = 32;

/// The name for a text.
pub(crate) fn of_text(_: &Registry, _: &Body, bound: &[Bound]) -> Option<Bound> {
    let text = bound.first()?.attr()?.as_str()?;
    Some(Bound::Attr(Attr::string(&name(text))))
}

fn name(text: &str) -> String {
    let mut name = "_utf8_".to_owned();
    let mut gap = true;
    for byte in text.bytes().filter(|byte| matches!(byte, b' '..=b'~')) {
        if byte.is_ascii_alphanumeric() {
            name.push(char::from(byte.to_ascii_lowercase()));
        } else if !gap {
            name.push('_');
        }
        gap = !byte.is_ascii_alphanumeric();
    }
    name.truncate(READABLE);
    if !name.ends_with('_') {
        name.push('_');
    }
    format!("{name}{:X}", md5_low(text.as_bytes()))
}

/// The first half of the MD5 digest (RFC 1321), which IREE's names end with.
fn md5_low(bytes: &[u8]) -> u64 {
    const SHIFTS: [[u32; 4]; 4] =
        [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]];
    let mut state = [0x6745_2301u32, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476];
    let mut padded = bytes.to_vec();
    padded.push(0x80);
    padded.resize(padded.len().next_multiple_of(64), 0);
    if padded.len() - bytes.len() < 9 {
        padded.resize(padded.len() + 64, 0);
    }
    let end = padded.len() - 8;
    padded[end..].copy_from_slice(&(8 * bytes.len() as u64).to_le_bytes());
    for chunk in padded.chunks_exact(64) {
        let words: Vec<u32> = chunk
            .chunks_exact(4)
            .map(|word| word.iter().rev().fold(0, |sum, &byte| sum << 8 | u32::from(byte)))
            .collect();
        let [mut a, mut b, mut c, mut d] = state;
        for round in 0..64 {
            let (mixed, word) = match round / 16 {
                0 => (b & c | !b & d, round),
                1 => (d & b | !d & c, 5 * round + 1),
                2 => (b ^ c ^ d, 3 * round + 5),
                _ => (c ^ (b | !d), 7 * round),
            };
            let sine = ((round as f64 + 1.0).sin().abs() * 4_294_967_296.0) as u32;
            let sum = a.wrapping_add(mixed).wrapping_add(sine).wrapping_add(words[word % 16]);
            let turned = sum.rotate_left(SHIFTS[round / 16][round % 4]);
            (a, d, c, b) = (d, c, b, b.wrapping_add(turned));
        }
        for (total, part) in state.iter_mut().zip([a, b, c, d]) {
            *total = total.wrapping_add(part);
        }
    }
    u64::from(state[1]) << 32 | u64::from(state[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_those_of_the_standard() {
        let swapped = |text: &str| md5_low(text.as_bytes()).swap_bytes();
        assert_eq!(swapped(""), 0xd41d_8cd9_8f00_b204);
        assert_eq!(swapped("message digest"), 0xf96b_697d_7cb7_938d);
        let digits = "1234567890".repeat(8);
        assert_eq!(swapped(&digits), 0x57ed_f4a2_2be3_c955);
        assert_eq!(swapped(&digits[..56]), 0x49f1_93ad_ce17_8490);
    }

    #[test]
    fn names_can_be_read_and_differ() {
        assert_eq!(name("hal.device.id"), "_utf8_hal_device_id_C6650FF277232B5A");
        assert_eq!(name("local*"), "_utf8_local_1A8FF0278D7661D8");
        assert_eq!(name("input0"), "_utf8_input0_DCE99660CEB3F6B");
        let long = "_encoding_0_encode_64x64xf32_to_64x64xf32";
        assert_eq!(name(long), "_utf8_encoding_0_encode_64x64xf3_C5C995843690F9CF");
    }
}
