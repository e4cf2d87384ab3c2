//! Tile sizes for distribution: how a loop nest would be shared among threads.
//!
//! The heuristics are IREE's, so that configurations read alike. Distribution itself is off in the
//! runs that this crate serves; the sizes are recorded all the same.

use crate::target::CpuTarget;

/// What is known of one loop.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Loop {
    /// The trip count.
    pub(crate) extent: i64,
    /// The largest tile; 0 for a loop that is not distributed.
    pub(crate) max: i64,
    /// Tiles that are multiples of this are preferred, when it is above 1.
    pub(crate) vector: i64,
}

/// The tile size of each loop, a divisor of its extent.
pub(crate) fn tile_sizes(target: &CpuTarget, loops: &[Loop]) -> Vec<i64> {
    let mut tiles = initial_sizes(target, loops);
    merge_small_tiles(target, loops, &mut tiles);
    even_out(loops, &mut tiles);
    for (tile, l) in tiles.iter_mut().zip(loops) {
        if *tile != 0 {
            *tile = largest_divisor(l.extent, *tile);
        }
    }
    tiles
}

/// Shares each loop among the threads that the loops before it left.
fn initial_sizes(target: &CpuTarget, loops: &[Loop]) -> Vec<i64> {
    let mut threads = target.threads;
    let mut tiles = Vec::with_capacity(loops.len());
    for l in loops {
        if l.max == 0 {
            tiles.push(0);
            continue;
        }
        let share = (l.extent / threads).min(l.max);
        let mut tile = 1;
        if l.vector > 1 {
            let mut multiples = (1..=share / l.vector).map(|n| n * l.vector);
            tile = multiples.rfind(|k| l.extent % k == 0).unwrap_or(1);
        }
        if l.vector <= 1 || tile == 1 {
            tile = floor_power_of_two(share).max(1);
        }
        let tile = tile.min(l.max);
        let count = l.extent / tile;
        if count > 0 {
            threads = (threads / count).max(1);
        }
        tiles.push(tile);
    }
    tiles
}

/// Doubles tiles, innermost first, while there are more than two a thread.
fn merge_small_tiles(target: &CpuTarget, loops: &[Loop], tiles: &mut [i64]) {
    let count = |l: &Loop, tile: i64| if tile == 0 { 1 } else { div_ceil(l.extent, tile) };
    let mut counts: Vec<i64> = loops.iter().zip(&*tiles).map(|(l, &t)| count(l, t)).collect();
    let mut dim = loops.len();
    while dim > 0 && counts.iter().product::<i64>() > 2 * target.threads {
        let (l, tile) = (&loops[dim - 1], tiles[dim - 1]);
        if tile == 0 || tile >= l.max || tile >= l.extent {
            dim -= 1;
            continue;
        }
        let doubled = (tile * 2).min(l.extent);
        if l.vector > 1 && is_ideal(l, tile) && !is_ideal(l, doubled) {
            dim -= 1;
            continue;
        }
        tiles[dim - 1] = doubled;
        let fewer = count(l, doubled);
        if fewer < counts[dim - 1] {
            counts[dim - 1] = fewer;
        } else {
            dim -= 1;
        }
    }
}

/// Makes the tiles of a loop as equal as their number allows.
fn even_out(loops: &[Loop], tiles: &mut [i64]) {
    for (tile, l) in tiles.iter_mut().zip(loops) {
        if *tile == 0 || l.extent == 0 {
            continue;
        }
        let even = div_ceil(l.extent, div_ceil(l.extent, *tile));
        if l.vector <= 1 || is_ideal(l, even) {
            *tile = even;
        }
    }
}

/// The largest divisor of the extent that is at most `max`.
fn largest_divisor(extent: i64, max: i64) -> i64 {
    (1..=max.min(extent)).rev().find(|i| extent % i == 0).unwrap_or(1)
}

fn is_ideal(l: &Loop, tile: i64) -> bool {
    tile > 0 && tile % l.vector == 0 && l.extent % tile == 0
}

/// The tile, in tiles of (m0, n0), of a contraction: among the divisors of the numbers of tiles the
/// pair that fits the byte budget and costs least traffic.
pub(crate) fn contraction_tile(target: &CpuTarget, sizes: &Contraction) -> [i64; 2] {
    let c = sizes;
    let (m, n) = (c.m0 * c.m1, c.n0 * c.n1);
    // Each side is read once for every tile of the other side; too few tiles leave threads idle.
    let cost = |tiles_m: i64, tiles_n: i64| {
        let traffic = tiles_n.saturating_mul(m) + tiles_m.saturating_mul(n);
        traffic.saturating_mul((target.threads / (tiles_m * tiles_n).max(1)).max(1))
    };
    let mut best = ([1, 1], cost(c.m1, c.n1));
    for tile_m in divisors(c.m1) {
        for tile_n in divisors(c.n1) {
            let (count_m, count_n) = (c.m1 / tile_m, c.n1 / tile_n);
            // A side that fits whole is read again and again, so it may take twice the room.
            let half = |bytes: i64, whole: bool| if whole { bytes / 2 } else { bytes };
            let lhs = half(tile_m * c.m0 * c.k * c.bytes, count_m == 1);
            let rhs = half(tile_n * c.n0 * c.k * c.bytes, count_n == 1);
            let acc = half(tile_m * c.m0 * tile_n * c.n0 * c.bytes, count_m == 1 && count_n == 1);
            if lhs + rhs + acc > target.matmul_tile_bytes {
                continue;
            }
            let this = cost(count_m, count_n);
            if this < best.1 {
                best = ([tile_m, tile_n], this);
            }
        }
    }
    best.0
}

/// The sizes of a tiled contraction.
pub(crate) struct Contraction {
    pub(crate) m1: i64,
    pub(crate) n1: i64,
    pub(crate) m0: i64,
    pub(crate) n0: i64,
    /// All of the reduction.
    pub(crate) k: i64,
    /// Of an element.
    pub(crate) bytes: i64,
}

/// The divisors of a positive number in ascending order; none of others.
fn divisors(n: i64) -> Vec<i64> {
    let small: Vec<i64> = (1..).take_while(|i| i * i <= n).filter(|i| n % i == 0).collect();
    let large: Vec<i64> =
        small.iter().rev().map(|i| n / i).filter(|j| !small.contains(j)).collect();
    [small, large].concat()
}

fn div_ceil(a: i64, b: i64) -> i64 {
    a / b + i64::from(a % b != 0)
}

fn floor_power_of_two(n: i64) -> i64 {
    if n <= 0 { 0 } else { 1 << n.ilog2() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pack(extents: &[i64], vector: i64) -> Vec<i64> {
        let target = CpuTarget::default();
        let loops: Vec<Loop> = extents
            .iter()
            .map(|&extent| Loop { extent, max: target.distribution_size, vector })
            .collect();
        tile_sizes(&target, &loops)
    }

    /// IREE's choices for the packs of 64³, 127×255×63 and 500³.
    #[test]
    fn packs_are_distributed_as_by_iree() {
        let cases: &[(&[i64], &[i64])] = &[
            (&[8, 64], &[1, 64]),
            (&[8, 8], &[1, 8]),
            (&[16, 63], &[2, 21]),
            (&[32, 63], &[4, 21]),
            (&[16, 32], &[2, 32]),
            (&[63, 500], &[63, 20]),
            (&[63, 63], &[3, 63]),
            (&[1, 7], &[1, 1]),
        ];
        for (extents, expected) in cases {
            assert_eq!(pack(extents, 4), *expected, "pack of {extents:?}");
        }
    }

    /// IREE's choices for the contractions of 64³, 127×255×63 and 500³.
    #[test]
    fn contractions_are_distributed_as_by_iree() {
        let cases =
            [(8, 8, 64, [2, 4]), (16, 32, 63, [8, 8]), (63, 63, 500, [7, 7]), (1, 1, 7, [1, 1])];
        for (m1, n1, k, expected) in cases {
            let sizes = Contraction { m1, n1, m0: 8, n0: 8, k, bytes: 4 };
            assert_eq!(contraction_tile(&CpuTarget::default(), &sizes), expected, "{m1}×{n1}×{k}");
        }
    }
}
