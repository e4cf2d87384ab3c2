//! `iree-llvmcpu-select-lowering-strategy`: tile sizes for each op, a pipeline for the function.
//!
//! The sizes are functions of the shapes and of [`CpuTarget`]; inner tiles are those of the packed
//! types. Nothing is tiled here.

use tegula_ir::{Attr, Ident, OpId};
use tegula_rewrite::Rewriter;

use crate::distribution::{self, Contraction, Loop};
use crate::error::CpuResult;
use crate::structured::{self, Kind, Loops, Packing};
use crate::target::CpuTarget;

/// The pipeline names of `#iree_cpu.pipeline`.
pub(crate) const MMT4D: &str = "Mmt4dTilingExpert";
pub(crate) const DATA_TILING: &str = "DataTiling";
const DOUBLE_TILING: &str = "DoubleTilingExpert";
const DEFAULT: &str = "Default";

/// Runs the pass on a function.
pub(crate) fn run(rw: &mut Rewriter<'_>, func: OpId, target: &CpuTarget) -> CpuResult {
    if rw.body.attr(func, "translation_info").is_some() {
        return Ok(false);
    }
    let ops: Vec<OpId> =
        rw.body.walk(func).filter(|&op| structured::kind(rw.body, op).is_some()).collect();
    let root = root_of(rw, &ops);
    let pipeline = match root.map(|op| (op, structured::kind(rw.body, op))) {
        Some((op, Some(Kind::Mmt4d))) => {
            mmt4d_configs(rw, target, op, &ops)?;
            MMT4D
        }
        Some((op, Some(Kind::Pack))) => {
            pack_config(rw, target, op)?;
            DATA_TILING
        }
        Some((op, Some(Kind::Unpack))) => {
            unpack_config(rw, target, op)?;
            DATA_TILING
        }
        Some((op, Some(Kind::Generic))) if structured::is_multiply_add(rw.body, op) => {
            if contraction_config(rw, target, op)? {
                DOUBLE_TILING
            } else {
                DEFAULT
            }
        }
        Some((op, _)) => {
            if loops_config(rw, target, op)? {
                DOUBLE_TILING
            } else {
                DEFAULT
            }
        }
        None => DEFAULT,
    };
    let config = (pipeline == DATA_TILING)
        .then(|| Attr::dict([(Ident::of("enable_decomposition"), Attr::unit())]));
    rw.set_attr(func, "translation_info", translation_info(pipeline, config));
    Ok(true)
}

/// The op that the others are tiled after: the first contraction, else the last op.
fn root_of(rw: &Rewriter<'_>, ops: &[OpId]) -> Option<OpId> {
    let is_contraction = |&op: &OpId| match structured::kind(rw.body, op) {
        Some(Kind::Mmt4d) => true,
        Some(Kind::Generic) => structured::is_multiply_add(rw.body, op),
        _ => false,
    };
    ops.iter().copied().find(is_contraction).or_else(|| ops.last().copied())
}

fn mmt4d_configs(
    rw: &mut Rewriter<'_>,
    target: &CpuTarget,
    root: OpId,
    ops: &[OpId],
) -> CpuResult<()> {
    let loops = Loops::of(rw.body, root)?;
    let &[m1, n1, k1, m0, n0, k0] = loops.extents.as_slice() else { return Ok(()) };
    let bytes = element_bytes(rw, root);
    let k = k1.saturating_mul(k0);
    let sizes = Contraction { m1, n1, m0, n0, k, bytes };
    let [tile_m, tile_n] = distribution::contraction_tile(target, &sizes);
    set_config(
        rw,
        root,
        &[
            ("distribution", &[tile_m, tile_n, 0, 0, 0, 0]),
            ("vector_common_parallel", &[1, 1, 0, m0, n0, 0]),
            ("vector_reduction", &[0, 0, 1, 0, 0, k0]),
        ],
    );
    for &op in ops {
        match structured::kind(rw.body, op) {
            Some(Kind::Fill | Kind::Generic) => {
                let loops = Loops::of(rw.body, op)?;
                if loops.is_parallel() && loops.extents == [m1, n1, m0, n0] {
                    set_config(rw, op, &[("vector_common_parallel", &[1, 1, m0, n0])]);
                }
            }
            Some(Kind::Unpack) => {
                let tiles = Packing::of(rw.body, op)?.inner_tiles;
                set_config(rw, op, &[("vector_common_parallel", &tiles)]);
            }
            _ => {}
        }
    }
    Ok(())
}

fn pack_config(rw: &mut Rewriter<'_>, target: &CpuTarget, op: OpId) -> CpuResult<()> {
    let pack = Packing::of(rw.body, op)?;
    let rank = pack.plain.len();
    let lanes = target.lanes(element_bytes(rw, op) * 8);
    let loops: Vec<Loop> = (0..rank)
        .map(|dim| Loop {
            extent: pack.packed[dim],
            max: target.distribution_size,
            vector: if pack.inner_dims_pos.contains(&dim) { lanes } else { 1 },
        })
        .collect();
    let distribution = distribution::tile_sizes(target, &loops);
    let config: [(&str, &[i64]); 2] =
        [("distribution", &distribution), ("vector_common_parallel", &vec![1; rank])];
    set_config(rw, op, &config);
    Ok(())
}

fn unpack_config(rw: &mut Rewriter<'_>, target: &CpuTarget, op: OpId) -> CpuResult<()> {
    let unpack = Packing::of(rw.body, op)?;
    let loop_of = |extent: &i64| Loop { extent: *extent, max: target.distribution_size, vector: 1 };
    let loops: Vec<Loop> = unpack.plain.iter().map(loop_of).collect();
    let mut distribution = distribution::tile_sizes(target, &loops);
    for (dim, size) in distribution.iter_mut().enumerate() {
        let tile = unpack.tile_of(dim);
        *size = (*size / tile + i64::from(*size % tile != 0)) * tile;
    }
    let tiles: Vec<i64> = (0..unpack.plain.len()).map(|dim| unpack.tile_of(dim)).collect();
    set_config(rw, op, &[("distribution", &distribution), ("vector_common_parallel", &tiles)]);
    Ok(())
}

/// A nest over parallel loops is tiled along the innermost loop to a few vector registers, which
/// share what it costs to go round. Others are not tiled; gives whether it was.
fn loops_config(rw: &mut Rewriter<'_>, target: &CpuTarget, op: OpId) -> CpuResult<bool> {
    let loops = Loops::of(rw.body, op)?;
    let lanes = target.lanes(element_bytes(rw, op) * 8);
    if !loops.is_parallel()
        || !loops.is_projected()
        || loops.extents.last().is_none_or(|&e| e < lanes)
    {
        return Ok(false);
    }
    let loop_of = |extent: &i64| Loop { extent: *extent, max: target.distribution_size, vector: 1 };
    let nest: Vec<Loop> = loops.extents.iter().map(loop_of).collect();
    let distribution = distribution::tile_sizes(target, &nest);
    let mut vector = vec![1; nest.len()];
    if let (Some(last), Some(&extent)) = (vector.last_mut(), loops.extents.last()) {
        *last = contraction_tile(extent, target.vector_registers / 4 * lanes, lanes);
    }
    set_config(rw, op, &[("distribution", &distribution), ("vector_common_parallel", &vector)]);
    Ok(true)
}

/// A contraction of plain operands. The accumulator tile takes half of the registers: as wide as
/// the result's innermost loop allows, then as many rows as are left. The reduction goes step by
/// step, or by a register where only its loop is contiguous in memory.
fn contraction_config(rw: &mut Rewriter<'_>, target: &CpuTarget, op: OpId) -> CpuResult<bool> {
    let loops = Loops::of(rw.body, op)?;
    let out: Option<Vec<usize>> =
        loops.out_map(0).results().iter().map(|e| e.as_dim().map(|d| d as usize)).collect();
    let Some(out) = out.filter(|_| loops.is_projected() && loops.outs.len() == 1) else {
        return Ok(false);
    };
    let lanes = target.lanes(element_bytes(rw, op) * 8);
    let mut room = target.vector_registers / 2 * lanes;
    let mut parallel = vec![0; loops.extents.len()];
    for (from_last, &dim) in out.iter().rev().enumerate() {
        let extent = loops.extents[dim];
        // Two registers of a row are enough to hide what loading the other side costs.
        let most = if from_last == 0 && out.len() > 1 && extent_of_others(&loops, &out) > 1 {
            2 * lanes
        } else {
            room
        };
        parallel[dim] = contraction_tile(extent, most.min(room), lanes);
        room /= parallel[dim].max(1);
    }
    let mut reduction = vec![0; loops.extents.len()];
    for dim in (0..loops.extents.len()).filter(|&d| loops.reduction[d]) {
        let one_column = out.last().is_some_and(|&last| loops.extents[last] == 1);
        let by_register = one_column && loops.extents[dim] % lanes == 0;
        reduction[dim] = if by_register { lanes } else { 1 };
    }
    set_config(rw, op, &[("vector_common_parallel", &parallel), ("vector_reduction", &reduction)]);
    Ok(true)
}

/// The extent of all loops of a result but the innermost.
fn extent_of_others(loops: &Loops, out: &[usize]) -> i64 {
    out.iter().rev().skip(1).fold(1i64, |n, &d| n.saturating_mul(loops.extents[d]))
}

/// The largest tile of at most `most`: a divisor that is a multiple of the lanes when there is one,
/// else a multiple of the lanes that leaves a ragged edge, else the whole of a short loop.
fn contraction_tile(extent: i64, most: i64, lanes: i64) -> i64 {
    if extent <= 1 || most <= 1 {
        return 1;
    }
    let mut multiples = (1..=most / lanes).rev().map(|n| n * lanes);
    if let Some(exact) = multiples.find(|t| extent % t == 0) {
        return exact;
    }
    if extent >= lanes && most >= lanes {
        return (most / lanes * lanes).min(extent / lanes * lanes);
    }
    (1..=most.min(extent)).rev().find(|t| extent % t == 0).unwrap_or(1)
}

fn element_bytes(rw: &Rewriter<'_>, op: OpId) -> i64 {
    let last = rw.body.operands(op).last().map(|v| rw.body.ty(v).element_or_self());
    last.and_then(|ty| ty.bit_width()).map_or(4, |bits| i64::from(bits.div_ceil(8)))
}

fn set_config(rw: &mut Rewriter<'_>, op: OpId, levels: &[(&str, &[i64])]) {
    let entries = levels.iter().map(|(name, sizes)| {
        let sizes: Vec<Attr> = sizes.iter().map(|&s| Attr::i64(s)).collect();
        (Ident::of(name), Attr::array(&sizes))
    });
    let config = Attr::dialect("iree_cpu.lowering_config", &[Attr::dict(entries)]);
    rw.set_attr(op, "lowering_config", config);
}

fn translation_info(pipeline: &str, config: Option<Attr>) -> Attr {
    let pipeline = Attr::dialect("iree_cpu.pipeline", &[Attr::string(pipeline)]);
    let absent = Attr::absent();
    let config = config.unwrap_or(absent);
    Attr::dialect("iree_codegen.translation_info", &[pipeline, absent, absent, absent, config])
}

/// The pipeline that a function's `translation_info` names.
pub(crate) fn pipeline_of(body: &tegula_ir::Body, func: OpId) -> Option<&'static str> {
    let info = body.attr(func, "translation_info")?;
    let pipeline = *info.dialect_params("iree_codegen.translation_info")?.first()?;
    pipeline.dialect_params("iree_cpu.pipeline")?.first()?.as_str()
}

/// The tile sizes of an op at a level.
pub(crate) fn tiles_of(body: &tegula_ir::Body, op: OpId, level: &str) -> Option<Vec<i64>> {
    let config = body.attr(op, "lowering_config")?;
    let levels = *config.dialect_params("iree_cpu.lowering_config")?.first()?;
    crate::attrs::integers(levels.get(level)?)
}
