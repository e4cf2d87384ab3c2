//! The layout resolver: which inner tiles an encoded tensor gets on a CPU.

use tegula_dialect_iree_encoding::contraction::result_position;
use tegula_dialect_iree_encoding::encoding::{Encoding, power_of_two_ceil};
use tegula_dialect_iree_encoding::resolver::{Request, Resolver};
use tegula_ir::{Attr, DYNAMIC, Registry, Type};
use tegula_schema::{TargetDef, TileDef};

use crate::layout::{CPU, PackedLayout, VMVX};

/// The resolvers of this dialect.
pub const RESOLVERS: &[Resolver] = &[
    Resolver {
        name: CPU,
        reads: &["cpu", "cpu_features", "target_triple", "ukernels", "enable_inner_tiled"],
        layout: packed,
    },
    Resolver { name: VMVX, reads: &["ukernels"], layout: packed },
];

/// A tensor whose encoding says nothing that the resolver knows stays as it is.
fn packed(request: &Request<'_>) -> Option<Attr> {
    let &Request { registry, config, ty, scalable, .. } = request;
    Some(resolve(registry, config, ty, scalable).unwrap_or_default().write(request))
}

/// Sizes of an inner tile: rows, columns, depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TileSizes {
    /// Rows of the result.
    pub m: i64,
    /// Columns of the result.
    pub n: i64,
    /// The summed loop.
    pub k: i64,
}

/// The dimension of a result that is small and so should not be padded far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Narrow {
    None,
    M(i64),
    N(i64),
}

/// The target that a `#hal.executable.target` configuration describes: the one of its `cpu`, or any
/// of its architecture, or, where there is no machine, the one of its resolver.
pub fn target_of(registry: &Registry, config: Attr) -> Option<&TargetDef> {
    let targets = &registry.dialect("iree_cpu")?.def.targets;
    let text = |name: &str| config.get(name).and_then(Attr::as_str);
    let cpu = text("cpu").and_then(|cpu| targets.iter().find(|t| t.name == cpu));
    let arch = text("target_triple").and_then(|triple| triple.split('-').next());
    let resolver = config.get("iree.encoding.resolver");
    let resolves = |t: &&TargetDef| {
        let name = format!("iree_cpu.{}", t.text("resolver").unwrap_or_default());
        t.arch.is_empty() && resolver.is_some_and(|r| r.dialect_params(&name).is_some())
    };
    cpu.or_else(|| targets.iter().find(|t| Some(t.arch.as_ref()) == arch))
        .or_else(|| targets.iter().find(resolves).filter(|_| arch.is_none()))
}

/// The layout of an encoded tensor on the target of this configuration, with tiles that grow with
/// vectors where they may and the target has such. None when the encoding is not one that the
/// resolver knows; the identity when the target has no tile for it.
pub fn resolve(
    registry: &Registry,
    config: Attr,
    ty: Type,
    scalable: bool,
) -> Option<PackedLayout> {
    let encoding = Encoding::read(ty.encoding()?)?;
    let dims = encoding.dims()?;
    if !dims.is_simple() {
        return Some(PackedLayout::default());
    }
    let narrow = match (encoding.size_of(&dims.m), encoding.size_of(&dims.n)) {
        (Some(m), Some(n)) => narrow_dimension(m, n),
        _ => Narrow::None,
    };
    // The columns of tiles that grow may be more than there are.
    let padded = match (narrow, encoding.size_of(&dims.m)) {
        (Narrow::N(_), Some(DYNAMIC)) if scalable && !dims.m.is_empty() => Narrow::None,
        (Narrow::N(_), Some(m)) if scalable && !dims.m.is_empty() => Narrow::M(m),
        _ => narrow,
    };
    let Some(tile) = choose(&candidates(registry, config, &encoding), padded) else {
        return Some(PackedLayout::default());
    };
    let map = encoding.map()?;
    let mut layout = PackedLayout::default();
    let sized = [
        (&dims.batch, None),
        (&dims.m, Some(tile.m)),
        (&dims.n, Some(tile.n)),
        (&dims.k, Some(tile.k)),
    ];
    for (loops, size) in sized {
        let position = loops.first().and_then(|&dim| result_position(map, dim));
        let Some(position) = position.and_then(|p| i64::try_from(p).ok()) else { continue };
        layout.outer_dims_perm.push(position);
        if let Some(size) = size {
            layout.inner_dims_pos.push(position);
            layout.inner_tile_sizes.push(size);
        }
    }
    if scalable && has_scalable_vectors(config) {
        let grows = [(&dims.m, false), (&dims.n, true), (&dims.k, false)];
        let tiled = grows.into_iter().filter(|(loops, _)| {
            loops.first().is_some_and(|&dim| result_position(map, dim).is_some())
        });
        layout.scalable_tiles = tiled.map(|(_, grows)| grows).collect();
    }
    // A result with few columns is computed transposed, so that its few columns become rows.
    if encoding.operand == 2
        && matches!(narrow, Narrow::N(_))
        && layout.inner_tile_sizes.len() >= 2
        && !layout.scalable_tiles.contains(&true)
    {
        for list in
            [&mut layout.inner_dims_pos, &mut layout.inner_tile_sizes, &mut layout.outer_dims_perm]
        {
            let last = list.len() - 1;
            list.swap(last - 1, last);
        }
    }
    Some(layout)
}

/// Whether the columns of tiles can grow with the vectors of a target.
fn has_scalable_vectors(config: Attr) -> bool {
    let triple = config.get("target_triple").and_then(Attr::as_str).unwrap_or("");
    let has = |name: &str| has_feature(config, name);
    triple.starts_with("aarch64-") && (has("sve") || has("sve2")) && !has("sme")
}

/// Whether the configuration of a target asks for a feature of its CPU.
fn has_feature(config: Attr, name: &str) -> bool {
    let features = config.get("cpu_features").and_then(Attr::as_str).unwrap_or("");
    features.split(',').any(|feature| feature.strip_prefix('+') == Some(name))
}

/// The target's tiles for the encoding's element types, those of the first kind whose features
/// hold.
fn candidates(registry: &Registry, config: Attr, encoding: &Encoding) -> Vec<TileSizes> {
    let Some(target) = target_of(registry, config) else { return Vec::new() };
    let &[lhs, rhs, out] = &encoding.element_types[..] else { return Vec::new() };
    let (lhs, rhs, out) = (lhs.to_string(), rhs.to_string(), out.to_string());
    let has = |name: &str| has_feature(config, name);
    let fits =
        |tile: &&TileDef| tile.is_for(&lhs, &rhs, &out) && tile.requires.iter().all(|f| has(f));
    let mut fitting = target.tiles.iter().filter(fits);
    let Some(first) = fitting.next() else { return Vec::new() };
    let same_kind = fitting.filter(|t| t.k == first.k && t.n == first.n);
    let sizes = |t: &TileDef| TileSizes { m: t.m.into(), n: t.n.into(), k: t.k.into() };
    std::iter::once(first).chain(same_kind).map(sizes).collect()
}

fn narrow_dimension(m: i64, n: i64) -> Narrow {
    match (m == DYNAMIC, n == DYNAMIC) {
        (true, true) => Narrow::None,
        (true, false) => Narrow::N(power_of_two_ceil(n)),
        (false, true) => Narrow::M(power_of_two_ceil(m)),
        (false, false) if n < m => Narrow::N(power_of_two_ceil(n)),
        (false, false) if m < n => Narrow::M(power_of_two_ceil(m)),
        (false, false) => Narrow::None,
    }
}

/// The largest among the tiles that pad a narrow dimension least. Padding up to the next power of
/// two counts as none.
fn choose(tiles: &[TileSizes], narrow: Narrow) -> Option<TileSizes> {
    if let Narrow::N(size) = narrow {
        let tile = choose(tiles, Narrow::M(size))?;
        return Some(TileSizes { m: tile.n, n: tile.m, k: tile.k });
    }
    let padding = |tile: &TileSizes| match narrow {
        Narrow::M(size) => (tile.m - size).max(0),
        _ => 0,
    };
    let least = tiles.iter().map(padding).min()?;
    let mut best: Option<TileSizes> = None;
    for &tile in tiles.iter().filter(|t| padding(t) == least) {
        if best.is_none_or(|b| b.m * b.n * b.k < tile.m * tile.n * tile.k) {
            best = Some(tile);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> Vec<TileSizes> {
        [8, 4, 2, 1].into_iter().map(|m| TileSizes { m, n: 8, k: 1 }).collect()
    }

    #[test]
    fn few_rows_choose_the_tile_that_pads_to_the_next_power_of_two() {
        let tile = |m, n| Some(TileSizes { m, n, k: 1 });
        let cases = [((7, 100), tile(8, 8)), ((3, 1000), tile(4, 8)), ((1, 64), tile(1, 8))];
        for ((m, n), expected) in cases {
            assert_eq!(choose(&rows(), narrow_dimension(m, n)), expected, "{m} rows");
        }
    }

    #[test]
    fn few_columns_choose_the_transposed_tile() {
        let tile = choose(&rows(), narrow_dimension(512, 1));
        assert_eq!(tile, Some(TileSizes { m: 8, n: 1, k: 1 }));
    }

    #[test]
    fn empty_results_choose_as_if_they_had_one_row() {
        assert_eq!(choose(&rows(), narrow_dimension(0, 9)).map(|t| t.m), Some(1));
    }
}
