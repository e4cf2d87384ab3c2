//! The dimensions of contractions, from the indexing maps of their operands.

use tegula_ir::{AffineMap, Attr};

/// The loops of a contraction by what they do. Indices are positions of loops, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContractionDims {
    /// Loops over all three operands.
    pub batch: Vec<u32>,
    /// Loops over the left side and the result.
    pub m: Vec<u32>,
    /// Loops over the right side and the result.
    pub n: Vec<u32>,
    /// Loops over both sides that the result sums over.
    pub k: Vec<u32>,
}

fn has(map: AffineMap, dim: u32) -> bool {
    map.results().iter().any(|e| e.as_dim() == Some(dim))
}

impl ContractionDims {
    /// Sorts the loops of two inputs and a result. None unless all maps are projected permutations
    /// of one loop nest in which every loop is one of the four kinds.
    pub fn infer(maps: &[AffineMap]) -> Option<ContractionDims> {
        let &[lhs, rhs, out] = maps else { return None };
        let loops = out.dims();
        let fits = |map: &AffineMap| map.dims() == loops && map.is_projected_permutation();
        if !maps.iter().all(fits) {
            return None;
        }
        let mut dims = ContractionDims::default();
        for dim in 0..loops {
            match (has(lhs, dim), has(rhs, dim), has(out, dim)) {
                (true, true, true) => dims.batch.push(dim),
                (true, false, true) => dims.m.push(dim),
                (false, true, true) => dims.n.push(dim),
                (true, true, false) => dims.k.push(dim),
                _ => return None,
            }
        }
        Some(dims)
    }

    /// Whether there is at most one loop of each kind, a summed one, and one of the result's.
    pub fn is_simple(&self) -> bool {
        self.batch.len() <= 1
            && self.m.len() <= 1
            && self.n.len() <= 1
            && self.k.len() == 1
            && !(self.m.is_empty() && self.n.is_empty())
    }
}

/// The maps of an array attribute; none when something else is in it.
pub fn maps_of(attr: Attr) -> Option<Vec<AffineMap>> {
    attr.as_array()?.iter().map(|a| a.as_map()).collect()
}

/// The position of a loop among the results of a map.
pub fn result_position(map: AffineMap, dim: u32) -> Option<usize> {
    map.results().iter().position(|e| e.as_dim() == Some(dim))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tegula_ir::AffineExpr;

    fn map(dims: u32, results: &[u32]) -> AffineMap {
        let results: Vec<_> = results.iter().map(|&d| AffineExpr::dim(d)).collect();
        AffineMap::get(dims, 0, &results)
    }

    #[test]
    fn sorts_the_loops_of_a_matmul() {
        let dims =
            ContractionDims::infer(&[map(3, &[0, 2]), map(3, &[2, 1]), map(3, &[0, 1])]).unwrap();
        assert_eq!((dims.m, dims.n, dims.k), (vec![0], vec![1], vec![2]));
    }

    #[test]
    fn a_matrix_times_a_vector_has_no_columns() {
        let dims = ContractionDims::infer(&[map(2, &[0, 1]), map(2, &[1]), map(2, &[0])]).unwrap();
        assert!(dims.n.is_empty() && dims.is_simple());
    }

    #[test]
    fn a_loop_over_one_input_alone_is_no_contraction() {
        assert_eq!(ContractionDims::infer(&[map(2, &[0, 1]), map(2, &[0]), map(2, &[0])]), None);
    }
}
