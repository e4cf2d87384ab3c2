//! Natural numbers of any size, for the digits of floating-point numbers.

use std::cmp::Ordering;

/// A natural number, its lowest 32 bits first; the last word is not zero.
pub(super) struct Big(Vec<u32>);

impl Big {
    pub(super) fn new(value: u128) -> Big {
        let mut big = Big((0..4).map(|at| (value >> (32 * at)) as u32).collect());
        big.trim();
        big
    }

    fn trim(&mut self) {
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
    }

    pub(super) fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn bits(&self) -> usize {
        let top = self.0.last().map_or(0, |w| 32 - w.leading_zeros() as usize);
        self.0.len().saturating_sub(1) * 32 + top
    }

    /// `self * by + more`
    pub(super) fn multiply_add(&mut self, by: u32, more: u32) {
        let mut carry = u64::from(more);
        for word in &mut self.0 {
            carry += u64::from(*word) * u64::from(by);
            *word = carry as u32;
            carry >>= 32;
        }
        if carry > 0 {
            self.0.push(carry as u32);
        }
    }

    pub(super) fn multiply(&mut self, by: u32) {
        self.multiply_add(by, 0);
    }

    /// `self * base^times`
    pub(super) fn scale(&mut self, base: u32, times: u32) {
        each_power(base, times, |power| self.multiply(power));
    }

    /// `self / base^times`, rounded down.
    pub(super) fn unscale(&mut self, base: u32, times: u32) {
        each_power(base, times, |power| {
            self.divide(power);
        });
    }

    /// `self * 2^by`
    pub(super) fn shift(&mut self, by: usize) {
        if !self.is_zero() {
            self.multiply(1 << (by % 32));
            self.0.splice(0..0, std::iter::repeat_n(0, by / 32));
        }
    }

    /// Divides in place and gives the remainder.
    pub(super) fn divide(&mut self, by: u32) -> u32 {
        let mut rest = 0u64;
        for word in self.0.iter_mut().rev() {
            rest = rest << 32 | u64::from(*word);
            *word = (rest / u64::from(by)) as u32;
            rest %= u64::from(by);
        }
        self.trim();
        rest as u32
    }

    /// Subtracts a number if it is not larger; whether it was.
    pub(super) fn take(&mut self, other: &Big) -> bool {
        let shorter = self.0.len().cmp(&other.0.len());
        if shorter.then_with(|| self.0.iter().rev().cmp(other.0.iter().rev())) == Ordering::Less {
            return false;
        }
        let mut borrow = false;
        let others = other.0.iter().copied().chain(std::iter::repeat(0));
        for (word, other) in self.0.iter_mut().zip(others) {
            let (once, first) = word.overflowing_sub(other);
            let (twice, second) = once.overflowing_sub(u32::from(borrow));
            (*word, borrow) = (twice, first || second);
        }
        self.trim();
        true
    }
}

/// Powers of a base, as large as fit a word, whose product is `base^times`.
fn each_power(base: u32, mut times: u32, mut apply: impl FnMut(u32)) {
    while times > 0 {
        let (mut power, mut used) = (base, 1);
        while used < times
            && let Some(larger) = power.checked_mul(base)
        {
            (power, used) = (larger, used + 1);
        }
        apply(power);
        times -= used;
    }
}
