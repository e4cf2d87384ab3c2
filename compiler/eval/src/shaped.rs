//! Index arithmetic over shapes.

use smallvec::SmallVec;

use crate::EvalError;

/// The strides, in elements, of a dense row-major array.
pub fn row_major_strides(sizes: &[i64]) -> SmallVec<[i64; 4]> {
    let mut strides = SmallVec::from_elem(1, sizes.len());
    let mut stride = 1i64;
    for (slot, &size) in strides.iter_mut().zip(sizes).rev() {
        *slot = stride;
        stride = stride.wrapping_mul(size);
    }
    strides
}

/// Calls `f` with every index of the shape in row-major order until it fails. A shape with an empty
/// dimension has no index; the empty shape has one.
pub fn for_each_index<E>(
    sizes: &[i64],
    mut f: impl FnMut(&[i64]) -> Result<(), E>,
) -> Result<(), E> {
    if sizes.iter().any(|&size| size <= 0) {
        return Ok(());
    }
    let mut index = SmallVec::<[i64; 8]>::from_elem(0, sizes.len());
    loop {
        f(&index)?;
        let mut dim = sizes.len();
        loop {
            if dim == 0 {
                return Ok(());
            }
            dim -= 1;
            index[dim] += 1;
            if index[dim] < sizes[dim] {
                break;
            }
            index[dim] = 0;
        }
    }
}

/// Elements of an array of bytes, addressed by strides in elements.
#[derive(Clone, Copy, Debug)]
pub struct Strided<'a> {
    /// The first element.
    pub offset: i64,
    /// The stride of each dimension.
    pub strides: &'a [i64],
}

/// Copies a box of elements of `size` bytes from one array to another. Every position is checked.
pub fn copy_box(
    sizes: &[i64],
    size: usize,
    (from, source): (&[u8], Strided<'_>),
    (to, target): (&mut [u8], Strided<'_>),
) -> Result<(), EvalError> {
    if source.strides.len() != sizes.len() || target.strides.len() != sizes.len() {
        return Err("copies between boxes of different rank".into());
    }
    // Innermost runs that are contiguous on both sides are copied at once.
    let (outer, run) = match sizes.split_last() {
        Some((&last, outer))
            if last > 0
                && source.strides.last() == Some(&1)
                && target.strides.last() == Some(&1) =>
        {
            (outer, last as usize)
        }
        _ => (sizes, 1),
    };
    let bytes = |at: i64, length: usize| {
        let start = usize::try_from(at).ok()?.checked_mul(size)?;
        let end = start.checked_add(run * size)?;
        (end <= length).then_some(start..end)
    };
    for_each_index(outer, |index| {
        let at = |s: &Strided<'_>| {
            index.iter().zip(s.strides).fold(s.offset, |at, (&i, &stride)| at + i * stride)
        };
        let outside = "accesses elements out of bounds";
        let source = bytes(at(&source), from.len()).ok_or(outside)?;
        let target = bytes(at(&target), to.len()).ok_or(outside)?;
        to[target].copy_from_slice(&from[source]);
        Ok(())
    })
}

/// Which dimensions of a box are kept in a type of lower rank, which leaves out some of size one.
/// None when the two do not fit.
pub fn kept_dims(full: &[i64], reduced: &[i64]) -> Option<SmallVec<[usize; 4]>> {
    let mut kept = SmallVec::new();
    for (dim, &size) in full.iter().enumerate() {
        let may_drop = size == 1 && full.len() - dim > reduced.len() - kept.len();
        match reduced.get(kept.len()) {
            Some(&next) if next == size || next == tegula_ir::DYNAMIC && !may_drop => {
                kept.push(dim)
            }
            _ if size == 1 => {}
            Some(&tegula_ir::DYNAMIC) => kept.push(dim),
            _ => return None,
        }
    }
    (kept.len() == reduced.len()).then_some(kept)
}
