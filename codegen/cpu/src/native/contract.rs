//! Contractions as fused multiply-adds of machine vectors.

use tegula_ir::{AffineMap, Attr, NewOp, OpId, Type};

use super::Native;
use super::lanes::{self, Cache, Lanes};
use crate::attrs;
use crate::builder::Builder;
use crate::error::{CpuResult, fail};

impl Native {
    /// For each piece of the accumulator and each step of the reduction one multiply-add. The
    /// elements of each side that a piece needs are a machine vector of that side or, mostly, one
    /// element in all lanes.
    pub(super) fn contract(&mut self, b: &mut Builder<'_, '_>, op: OpId) -> CpuResult<()> {
        let list = |name: &str| b.body().attr(op, name).and_then(Attr::as_array).unwrap_or(&[]);
        let maps: Vec<AffineMap> =
            list("indexing_maps").iter().filter_map(|a| a.as_map()).collect();
        let reduction: Vec<bool> =
            list("iterator_types").iter().filter_map(|&a| attrs::is_reduction(a)).collect();
        let is_sum = b.body().attr(op, "kind").and_then(attrs::enum_word) == Some("add");
        if maps.len() != 3 || !is_sum || maps.iter().any(|m| !m.is_projected_permutation()) {
            return fail(op, "unsupported-op", "only sums of products in plain dimensions");
        }
        let operands: Vec<_> = b.body().operands(op).take(3).collect();
        let shapes: Vec<&[i64]> =
            operands.iter().map(|&v| b.body().ty(v).shape().unwrap_or(&[])).collect();
        let sides: Vec<Lanes> =
            operands.iter().map(|&v| self.pieces(b, op, v)).collect::<CpuResult<_>>()?;
        let mut extents = vec![1; reduction.len()];
        for (map, shape) in maps.iter().zip(&shapes) {
            for (expr, &size) in map.results().iter().zip(*shape) {
                if let Some(dim) = expr.as_dim() {
                    extents[dim as usize] = size;
                }
            }
        }
        let steps_shape: Vec<i64> =
            extents.iter().zip(&reduction).map(|(&e, &r)| if r { e } else { 1 }).collect();
        let steps = steps_shape.iter().product::<i64>().max(0) as usize;
        let mut acc = sides[2].pieces.clone();
        let width = if sides[2].is_scalar() { 1 } else { self.lanes as usize };
        let ty = if width == 1 { Type::f32() } else { self.native_type() };
        let mut cache = Cache::default();
        for step in 0..steps {
            let step = lanes::index_of(&steps_shape, step);
            for (piece, value) in acc.iter_mut().enumerate() {
                let place = |side: usize, lane: usize| {
                    let at = lanes::index_of(shapes[2], piece * width + lane);
                    let mut loops = step.clone();
                    for (expr, &index) in maps[2].results().iter().zip(&at) {
                        if let Some(dim) = expr.as_dim() {
                            loops[dim as usize] = index;
                        }
                    }
                    let index: Vec<i64> = maps[side]
                        .results()
                        .iter()
                        .filter_map(|e| e.as_dim().map(|d| loops[d as usize]))
                        .collect();
                    lanes::flat(shapes[side], &index)
                };
                let mut factor = |b: &mut Builder<'_, '_>, side: usize| {
                    let places: Vec<usize> = (0..width).map(|lane| place(side, lane)).collect();
                    if width == 1 {
                        sides[side].element(b, &mut cache, places[0])
                    } else {
                        sides[side].gather(b, &mut cache, &places, ty)
                    }
                };
                let (lhs, rhs) = (factor(b, 0), factor(b, 1));
                *value = if width == 1 {
                    let product = b.value(NewOp::new("arith.mulf").operands([lhs, rhs]).result(ty));
                    b.value(NewOp::new("arith.addf").operands([*value, product]).result(ty))
                } else {
                    b.value(NewOp::new("vector.fma").operands([lhs, rhs, *value]).result(ty))
                };
            }
        }
        let value = if width == 1 { Lanes::scalars(acc) } else { Lanes::native(acc, width) };
        self.define(b, op, value);
        Ok(())
    }
}
