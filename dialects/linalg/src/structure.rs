//! The iteration space of structured ops: indexing maps and iterator types, from attributes or from
//! the op's name.

use tegula_ir::{AffineExpr, AffineMap, Attr, Body, OpId};

use crate::convolution::convolution;

/// A structured op's iteration space.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Structure {
    /// One map an operand, inputs before outputs.
    pub maps: Vec<AffineMap>,
    /// Whether each dimension is parallel; the others are reductions.
    pub parallel: Vec<bool>,
}

impl Structure {
    /// The maps as an attribute.
    pub fn maps_attr(&self) -> Attr {
        Attr::array(&self.maps.iter().map(|&map| Attr::map(map)).collect::<Vec<_>>())
    }

    /// The iterator types as an attribute.
    pub fn iterators_attr(&self) -> Attr {
        let types: Vec<Attr> = self.parallel.iter().map(|&p| iterator_attr(p)).collect();
        Attr::array(&types)
    }
}

/// `#linalg.iterator_type<…>`
pub fn iterator_attr(parallel: bool) -> Attr {
    let keyword = if parallel { "parallel" } else { "reduction" };
    Attr::dialect("linalg.iterator_type", &[Attr::string(keyword)])
}

/// A named contraction: for each operand the dimensions that index it, by the letters of the
/// iteration space.
struct Contraction {
    name: &'static str,
    /// The iteration space; capitals are reductions.
    space: &'static str,
    operands: [&'static str; 3],
}

/// Named contractions. In `mmt4d` `x`, `y` and `Z` are the inner tile's rows, columns and depth.
const CONTRACTIONS: &[Contraction] = &[
    Contraction { name: "linalg.matmul", space: "mnK", operands: ["mK", "Kn", "mn"] },
    Contraction { name: "linalg.batch_matmul", space: "bmnK", operands: ["bmK", "bKn", "bmn"] },
    Contraction { name: "linalg.matvec", space: "mK", operands: ["mK", "K", "m"] },
    Contraction { name: "linalg.vecmat", space: "nK", operands: ["K", "Kn", "n"] },
    Contraction { name: "linalg.dot", space: "K", operands: ["K", "K", ""] },
    Contraction { name: "linalg.batch_matvec", space: "bmK", operands: ["bmK", "bK", "bm"] },
    Contraction { name: "linalg.batch_vecmat", space: "bnK", operands: ["bK", "bKn", "bn"] },
    Contraction { name: "linalg.mmt4d", space: "mnKxyZ", operands: ["mKxZ", "nKyZ", "mnxy"] },
    Contraction {
        name: "linalg.batch_mmt4d",
        space: "bmnKxyZ",
        operands: ["bmKxZ", "bnKyZ", "bmnxy"],
    },
];

/// Whether the op of that name sums products.
pub fn is_contraction(name: &str) -> bool {
    name == "linalg.contract" || CONTRACTIONS.iter().any(|c| c.name == name)
}

/// The iteration space that the name alone says; none for names that say none.
pub fn named_contraction(name: &str) -> Option<Structure> {
    let contraction = CONTRACTIONS.iter().find(|c| c.name == name)?;
    let dim = |letter: char| {
        let position = contraction.space.chars().position(|c| c == letter);
        AffineExpr::dim(position.unwrap_or(0) as u32)
    };
    let dims = contraction.space.len() as u32;
    let maps = contraction
        .operands
        .iter()
        .map(|letters| AffineMap::get(dims, 0, &letters.chars().map(dim).collect::<Vec<_>>()))
        .collect();
    let parallel = contraction.space.chars().map(|c| c.is_ascii_lowercase()).collect();
    Some(Structure { maps, parallel })
}

/// How many operands of a structured op are inputs; the rest are outputs.
pub fn num_inputs(body: &Body, op: OpId) -> usize {
    let count = body.num_operands(op);
    let sizes = body.attr(op, "operandSegmentSizes").and_then(Attr::as_dense_array);
    match sizes {
        Some(&[inputs, ..]) => usize::try_from(inputs).unwrap_or_default().min(count),
        // Each input has an output of its own.
        _ if body.is(op, "linalg.reduce") => count / 2,
        _ => count.saturating_sub(1),
    }
}

/// The iteration space of a structured op; none when its attributes do not give one.
pub fn structure(body: &Body, op: OpId) -> Option<Structure> {
    let name = body.name(op).as_str();
    let rank = |value| body.ty(value).shape().map(|shape| shape.len() as u32);
    let maps = || -> Option<Vec<AffineMap>> {
        body.attr(op, "indexing_maps")?.as_array()?.iter().map(|map| map.as_map()).collect()
    };
    match name {
        "linalg.generic" => Some(Structure { maps: maps()?, parallel: iterators(body, op)? }),
        "linalg.fill" | "linalg.copy" => {
            let rank = rank(body.operands(op).last()?)?;
            let identity = AffineMap::identity(rank);
            let input = body.operands(op).next()?;
            let first = match body.ty(input).shape() {
                Some(_) => identity,
                None => AffineMap::get(rank, 0, &[]),
            };
            Some(all_parallel(vec![first, identity], rank))
        }
        "linalg.elementwise" => {
            let rank = rank(body.operands(op).last()?)?;
            let maps =
                maps().unwrap_or_else(|| vec![AffineMap::identity(rank); body.num_operands(op)]);
            Some(all_parallel(maps, rank))
        }
        "linalg.transpose" => {
            let rank = rank(body.operands(op).last()?)?;
            let permutation = body.attr(op, "permutation")?.as_dense_array()?;
            let mut input = vec![AffineExpr::dim(0); rank as usize];
            for (to, &from) in permutation.iter().enumerate() {
                *input.get_mut(usize::try_from(from).ok()?)? = AffineExpr::dim(to as u32);
            }
            let input = AffineMap::get(rank, 0, &input);
            Some(all_parallel(vec![input, AffineMap::identity(rank)], rank))
        }
        "linalg.broadcast" => {
            let rank = rank(body.operands(op).last()?)?;
            let added = body.attr(op, "dimensions")?.as_dense_array()?;
            let kept: Vec<AffineExpr> = (0..rank)
                .filter(|&dim| !added.contains(&i64::from(dim)))
                .map(AffineExpr::dim)
                .collect();
            let input = AffineMap::get(rank, 0, &kept);
            Some(all_parallel(vec![input, AffineMap::identity(rank)], rank))
        }
        "linalg.map" => {
            let rank = rank(body.operands(op).last()?)?;
            Some(all_parallel(vec![AffineMap::identity(rank); body.num_operands(op)], rank))
        }
        "linalg.reduce" => {
            let rank = rank(body.operands(op).next()?)?;
            let reduced = body.attr(op, "dimensions")?.as_dense_array()?;
            let parallel: Vec<bool> =
                (0..rank).map(|dim| !reduced.contains(&i64::from(dim))).collect();
            let kept: Vec<AffineExpr> =
                (0..rank).filter(|&dim| parallel[dim as usize]).map(AffineExpr::dim).collect();
            let inputs = num_inputs(body, op);
            let mut maps = vec![AffineMap::identity(rank); inputs];
            maps.resize(body.num_operands(op), AffineMap::get(rank, 0, &kept));
            Some(Structure { maps, parallel })
        }
        "linalg.contract" => Some(mapped(maps()?)),
        _ => match maps() {
            Some(maps) if is_contraction(name) => Some(mapped(maps)),
            _ => named_contraction(name).or_else(|| convolution(body, op)),
        },
    }
}

fn all_parallel(maps: Vec<AffineMap>, rank: u32) -> Structure {
    Structure { maps, parallel: vec![true; rank as usize] }
}

/// Dimensions of the output are parallel, the others are summed.
fn mapped(maps: Vec<AffineMap>) -> Structure {
    let dims = maps.first().map_or(0, |map| map.dims());
    let output = maps.last().map_or(&[][..], |map| map.results());
    let parallel = (0..dims).map(|dim| output.iter().any(|e| e.as_dim() == Some(dim))).collect();
    Structure { maps, parallel }
}

/// Whether each dimension of a `linalg.generic` is parallel.
fn iterators(body: &Body, op: OpId) -> Option<Vec<bool>> {
    let types = body.attr(op, "iterator_types")?.as_array()?;
    types.iter().map(|&ty| Some(iterator_keyword(ty)? == "parallel")).collect()
}

/// The keyword of an iterator type, which is an attribute of the dialect (or a string in old text).
pub fn iterator_keyword(attr: Attr) -> Option<&'static str> {
    match attr.dialect_params("linalg.iterator_type") {
        Some(params) => params.first()?.as_str(),
        None => attr.as_str(),
    }
}
