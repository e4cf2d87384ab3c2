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
    let is = |op: OpId, kind| structured::kind(rw.body, op) == Some(kind);
    ops.iter().copied().find(|&op| is(op, Kind::Mmt4d)).or_else(|| ops.last().copied())
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

/// A nest over parallel loops is tiled to one vector register along the innermost loop. Others are
/// not tiled; gives whether it was.
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
    if let Some(last) = vector.last_mut() {
        *last = lanes;
    }
    set_config(rw, op, &[("distribution", &distribution), ("vector_common_parallel", &vector)]);
    Ok(true)
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
