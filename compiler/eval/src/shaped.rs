//! Index arithmetic over shapes.

use smallvec::SmallVec;

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
