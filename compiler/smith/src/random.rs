//! Reproducible random numbers.

/// A SplitMix64 generator: the same seed gives the same numbers on every machine.
pub struct Random(u64);

impl Random {
    /// A generator for the seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below a bound; 0 when the bound is.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.bits() % bound.max(1) as u64) as usize
    }

    /// Whether one of so many cases is met.
    pub fn one_in(&mut self, cases: usize) -> bool {
        self.below(cases) == 0
    }

    /// One of these; none of nothing.
    pub fn choose<'t, T>(&mut self, all: &'t [T]) -> Option<&'t T> {
        all.get(self.below(all.len()))
    }

    /// Uniform in [-1, 1).
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// A whole number from -bound to bound.
    pub fn small(&mut self, bound: i64) -> i64 {
        (self.bits() % (2 * bound as u64 + 1)) as i64 - bound
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stays_in_range_and_repeats() {
        let draw = |seed| {
            let mut random = Random::new(seed);
            (0..1000).map(|_| (random.unit(), random.small(4))).collect::<Vec<_>>()
        };
        assert_eq!(draw(7), draw(7));
        assert_ne!(draw(7), draw(8));
        assert!(draw(7).iter().all(|(u, s)| (-1.0..1.0).contains(u) && (-4..=4).contains(s)));
    }
}
