//! `iree-codegen-cpu-propagate-data-layout`: reshapes go behind what unpacks, to the dispatch's
//! results.

use tegula_ir::{Attr, InsertPoint, NewOp, OpId, Type, ValueId};
use tegula_rewrite::Rewriter;

use crate::attrs;
use crate::builder::Builder;
use crate::cleanup;
use crate::error::CpuResult;
use crate::reshapes;
use crate::structured::Packing;

/// Runs the pass on a function.
pub(crate) fn run(rw: &mut Rewriter<'_>, func: OpId) -> CpuResult {
    let mut b = Builder::new(rw, func)?;
    let unpacks: Vec<OpId> =
        b.body().walk(func).filter(|&op| b.body().is(op, "linalg.unpack")).collect();
    let mut changed = false;
    for unpack in unpacks {
        let Some(wide) = Wide::of(&b, unpack) else { continue };
        let value = wide.unpack(&mut b, unpack);
        let reshape = b.body().defining_op(b.body().operand(unpack, 0));
        b.rw.replace(unpack, &[value]);
        for maker in reshape.into_iter().chain(b.body().defining_op(wide.dest)) {
            cleanup::erase_unused(b.rw, maker);
        }
        changed = true;
    }
    Ok(changed | reshapes::stores_before_reshapes(rw, func)?)
}

/// An unpack of merged dimensions as one of the dimensions before they were merged.
struct Wide {
    /// What is merged.
    source: ValueId,
    /// Where the narrow one unpacks to.
    dest: ValueId,
    /// For each inner dimension of the source the outer one that it tiles.
    inner_dims_pos: Vec<i64>,
    /// The sizes of the inner dimensions.
    inner_tiles: Vec<i64>,
    /// The shape that unpacking the source gives.
    plain: Vec<i64>,
    /// The dimensions of that shape which the narrow one's are.
    groups: Vec<Vec<i64>>,
}

impl Wide {
    /// When the source merges each outer dimension with units, and its tile with as many of them.
    fn of(b: &Builder<'_, '_>, unpack: OpId) -> Option<Wide> {
        let narrow = Packing::of(b.body(), unpack).ok()?;
        let collapse = b.body().defining_op(narrow.source)?;
        if !b.body().is(collapse, "tensor.collapse_shape")
            || !narrow.outer_dims_perm.iter().enumerate().all(|(at, &dim)| at == dim)
        {
            return None;
        }
        let source = b.body().operand(collapse, 0);
        let shape = b.body().ty(source).shape()?;
        let merged = attrs::lists_of(b.body().attr(collapse, "reassociation")?)?;
        let (outer, inner) = merged.split_at_checked(narrow.plain.len())?;
        let mut wide = Wide {
            source,
            dest: narrow.dest,
            inner_dims_pos: Vec::new(),
            inner_tiles: Vec::new(),
            plain: vec![1; outer.iter().map(Vec::len).sum()],
            groups: outer.iter().map(|g| g.iter().map(|&d| d as i64).collect()).collect(),
        };
        for (group, &dim) in inner.iter().zip(&narrow.inner_dims_pos) {
            let tiled = outer.get(dim)?;
            let tiles: Vec<i64> =
                group.iter().map(|&d| shape.get(d).copied()).collect::<Option<_>>()?;
            if tiled.len() != tiles.len() {
                return None;
            }
            wide.inner_dims_pos.extend(tiled.iter().map(|&d| d as i64));
            wide.inner_tiles.extend(tiles);
        }
        for (dim, group) in outer.iter().enumerate() {
            let tile_of = |d: usize| {
                let at = wide.inner_dims_pos.iter().position(|&p| p == d as i64);
                at.map_or(1, |at| wide.inner_tiles[at])
            };
            let is_unit = |&&d: &&usize| shape[d] == 1 && tile_of(d) == 1;
            let long: Vec<usize> = group.iter().filter(|d| !is_unit(d)).copied().collect();
            let &main = match long[..] {
                [] => group.first()?,
                [ref one] => one,
                _ => return None,
            };
            wide.plain[main] = narrow.plain[dim];
        }
        Some(wide)
    }

    /// Makes the unpack and merges what it gives.
    fn unpack(&self, b: &mut Builder<'_, '_>, narrow: OpId) -> ValueId {
        b.at(InsertPoint::Before(narrow));
        let ty = b.body().ty(self.dest);
        let plain = Type::tensor(&self.plain, ty.element_or_self(), None);
        let empty = b.value(NewOp::new("tensor.empty").result(plain));
        let unpack = NewOp::new("linalg.unpack")
            .operand(self.source)
            .operand(empty)
            .attr("inner_dims_pos", Attr::i64_array(&self.inner_dims_pos))
            .attr("static_inner_tiles", Attr::i64_array(&self.inner_tiles));
        let whole = b.value(unpack.result(plain));
        reshapes::collapsed(b, whole, ty, attrs::index_lists(&self.groups))
    }
}
