//! The pieces that stand for a vector, and how elements are taken from them.

use rustc_hash::FxHashMap;
use tegula_ir::{Attr, NewOp, Type, ValueId};

use crate::builder::Builder;

/// A vector in pieces: machine vectors, or scalars when `lanes` is 1.
#[derive(Clone, Debug)]
pub(super) struct Lanes {
    pub(super) pieces: Vec<ValueId>,
    lanes: usize,
}

/// What was made for one op: lanes as scalars, splats of lanes, and shuffles of two pieces.
#[derive(Default)]
pub(super) struct Cache {
    elements: FxHashMap<(ValueId, usize), ValueId>,
    splats: FxHashMap<(ValueId, usize), ValueId>,
    shuffles: FxHashMap<(ValueId, ValueId, Vec<i64>), ValueId>,
}

impl Lanes {
    pub(super) fn native(pieces: Vec<ValueId>, lanes: usize) -> Lanes {
        Lanes { pieces, lanes }
    }

    pub(super) fn scalars(pieces: Vec<ValueId>) -> Lanes {
        Lanes { pieces, lanes: 1 }
    }

    /// Whether the pieces are scalars.
    pub(super) fn is_scalar(&self) -> bool {
        self.lanes == 1
    }

    fn place(&self, at: usize) -> (ValueId, usize) {
        (self.pieces[at / self.lanes], at % self.lanes)
    }

    /// One element.
    pub(super) fn element(&self, b: &mut Builder<'_, '_>, cache: &mut Cache, at: usize) -> ValueId {
        let (piece, lane) = self.place(at);
        if self.is_scalar() {
            return piece;
        }
        *cache.elements.entry((piece, lane)).or_insert_with(|| {
            let new = NewOp::new("vector.extract")
                .operand(piece)
                .attr("static_position", Attr::i64_array(&[lane as i64]))
                .result(Type::f32());
            b.value(new)
        })
    }

    /// A machine vector of the elements at these places.
    pub(super) fn gather(
        &self,
        b: &mut Builder<'_, '_>,
        cache: &mut Cache,
        places: &[usize],
        ty: Type,
    ) -> ValueId {
        let from: Vec<(ValueId, usize)> = places.iter().map(|&at| self.place(at)).collect();
        let (first, lane) = from[0];
        if from.iter().all(|&f| f == (first, lane)) {
            if let Some(&known) = cache.splats.get(&(first, lane)) {
                return known;
            }
            let scalar = self.element(b, cache, places[0]);
            let value = splat(b, scalar, ty);
            cache.splats.insert((first, lane), value);
            return value;
        }
        if !self.is_scalar() {
            if from.iter().enumerate().all(|(i, &f)| f == (first, i)) {
                return first;
            }
            if let Some(value) = shuffled(b, cache, &from, ty) {
                return value;
            }
        }
        let scalar = self.element(b, cache, places[0]);
        let mut value = splat(b, scalar, ty);
        for (lane, &at) in places.iter().enumerate().skip(1) {
            let element = self.element(b, cache, at);
            let new = NewOp::new("vector.insert")
                .operands([element, value])
                .attr("static_position", Attr::i64_array(&[lane as i64]))
                .result(ty);
            value = b.value(new);
        }
        value
    }
}

/// The scalar in every lane.
pub(super) fn splat(b: &mut Builder<'_, '_>, scalar: ValueId, ty: Type) -> ValueId {
    b.value(NewOp::new("vector.broadcast").operand(scalar).result(ty))
}

/// Elements of two pieces by one shuffle, when machines have it; of four pieces, all of one lane,
/// by a row of a 4x4 transpose, whose first step neighbouring rows share.
fn shuffled(
    b: &mut Builder<'_, '_>,
    cache: &mut Cache,
    from: &[(ValueId, usize)],
    ty: Type,
) -> Option<ValueId> {
    let lanes = from.len();
    let mut pieces: Vec<ValueId> = Vec::new();
    for &(piece, _) in from {
        if !pieces.contains(&piece) {
            pieces.push(piece);
        }
    }
    if pieces.len() <= 2 {
        let (x, y) = (pieces[0], *pieces.last()?);
        let mask: Vec<i64> = from
            .iter()
            .map(|&(piece, lane)| (if piece == x { lane } else { lane + lanes }) as i64)
            .collect();
        return is_machine_shuffle(&mask, lanes as i64).then(|| shuffle(b, cache, x, y, mask, ty));
    }
    let lane = from[0].1;
    if lanes != 4 || pieces.len() != 4 || from.iter().any(|&(_, l)| l != lane) {
        return None;
    }
    // trn1/trn2 of the pairs hold lane 0 and 2, or 1 and 3, of both pieces side by side.
    let odd = (lane % 2) as i64;
    let pairs = vec![odd, 4 + odd, 2 + odd, 6 + odd];
    let top = shuffle(b, cache, pieces[0], pieces[1], pairs.clone(), ty);
    let bottom = shuffle(b, cache, pieces[2], pieces[3], pairs, ty);
    let half = if lane < 2 { vec![0, 1, 4, 5] } else { vec![2, 3, 6, 7] };
    Some(shuffle(b, cache, top, bottom, half, ty))
}

/// The shuffles that AArch64 has as one instruction on two vectors: zip, uzp and trn of elements
/// and of halves, and ext.
fn is_machine_shuffle(mask: &[i64], lanes: i64) -> bool {
    let half = lanes / 2;
    let by = |f: &dyn Fn(i64) -> i64| mask.iter().enumerate().all(|(i, &m)| m == f(i as i64));
    let zip = |base: i64| by(&|i| base + i / 2 + (i % 2) * lanes);
    let unzip = |odd: i64| by(&|i| 2 * i + odd);
    let transpose = |odd: i64| by(&|i| i - i % 2 + odd + (i % 2) * lanes);
    let halves = |base: i64| by(&|i| base + i % half + (i / half) * lanes);
    let extract = (1..lanes).any(|n| by(&|i| i + n));
    zip(0)
        || zip(half)
        || unzip(0)
        || unzip(1)
        || transpose(0)
        || transpose(1)
        || halves(0)
        || halves(half)
        || extract
}

fn shuffle(
    b: &mut Builder<'_, '_>,
    cache: &mut Cache,
    x: ValueId,
    y: ValueId,
    mask: Vec<i64>,
    ty: Type,
) -> ValueId {
    let key = (x, y, mask);
    if let Some(&known) = cache.shuffles.get(&key) {
        return known;
    }
    let new = NewOp::new("vector.shuffle")
        .operands([x, y])
        .attr("mask", Attr::i64_array(&key.2))
        .result(ty);
    let value = b.value(new);
    cache.shuffles.insert(key, value);
    value
}

/// The row-major position of an index.
pub(super) fn flat(shape: &[i64], index: &[i64]) -> usize {
    shape.iter().zip(index).fold(0, |at, (&size, &i)| at * size + i) as usize
}

/// The index of a row-major position.
pub(super) fn index_of(shape: &[i64], at: usize) -> Vec<i64> {
    let mut rest = at as i64;
    let mut index = vec![0; shape.len()];
    for (slot, &size) in index.iter_mut().zip(shape).rev() {
        let size = size.max(1);
        *slot = rest % size;
        rest /= size;
    }
    index
}

/// For each index of a shape, in order, what `f` gives.
pub(super) fn places(shape: &[i64], f: impl Fn(&[i64]) -> usize) -> Vec<usize> {
    let count = shape.iter().product::<i64>().max(0) as usize;
    (0..count).map(|at| f(&index_of(shape, at))).collect()
}
