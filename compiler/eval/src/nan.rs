//! Which NaN an operation gives.
//!
//! IEEE 754 leaves it open, and processors differ: x86 makes negative ones. The evaluator gives
//! what AArch64 gives with `FPCR.DN` clear, so that it agrees with assembled code bit for bit: the
//! first signalling operand made quiet, else the first quiet one, else the positive default.

/// A binary floating-point format, by what NaNs need of it.
#[derive(Clone, Copy)]
pub(crate) struct NanFormat {
    /// The bits of infinity: all ones in the exponent.
    infinity: u64,
    /// The top bit of the significand, set in quiet NaNs.
    quiet: u64,
    sign: u64,
}

impl NanFormat {
    /// A format of `width` bits, `significand` of them below the exponent.
    pub(crate) const fn new(width: u32, significand: u32) -> NanFormat {
        let sign = 1 << (width - 1);
        NanFormat {
            infinity: (sign - 1) & !((1 << significand) - 1),
            quiet: 1 << (significand - 1),
            sign,
        }
    }

    #[inline]
    pub(crate) fn is_nan(self, bits: u64) -> bool {
        bits & !self.sign > self.infinity
    }

    fn is_quiet(self, bits: u64) -> bool {
        self.is_nan(bits) && bits & self.quiet != 0
    }

    fn default_nan(self) -> u64 {
        self.infinity | self.quiet
    }

    /// The NaN that an operation on these operands gives.
    pub(crate) fn propagate(self, operands: &[u64]) -> u64 {
        let signalling = operands.iter().find(|&&o| self.is_nan(o) && !self.is_quiet(o));
        let first = signalling.or_else(|| operands.iter().find(|&&o| self.is_nan(o)));
        first.map_or_else(|| self.default_nan(), |&nan| nan | self.quiet)
    }

    /// The NaN that `a * b + c` gives. Infinity times zero is invalid even beside a quiet NaN.
    pub(crate) fn propagate_fma(self, a: u64, b: u64, c: u64) -> u64 {
        let (x, y) = (a & !self.sign, b & !self.sign);
        let invalid = (x == self.infinity && y == 0) || (x == 0 && y == self.infinity);
        if invalid && self.is_quiet(c) {
            return self.default_nan();
        }
        self.propagate(&[c, a, b])
    }
}
