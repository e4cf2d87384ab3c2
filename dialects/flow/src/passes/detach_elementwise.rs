//! `iree-global-opt-detach-elementwise-from-named-ops`: contractions start from zeros, and what they
//! started from is added.

use tegula_dialect_linalg::{Flavour, build_region, empty_like, iterator_attr};
use tegula_eval::{Scalar, ScalarType};
use tegula_ir::{
    AffineMap, Attr, AttrData, Body, DenseData, InsertPoint, NewOp, OpId, Type, TypeData, ValueId,
};
use tegula_pass::{Changed, PassCx, PassResult};
use tegula_rewrite::Rewriter;

use crate::computations::is_convolution;
use crate::structured::{Structured, is_structured};

/// Runs the pass.
pub fn run(cx: &mut PassCx<'_>, body: &mut Body, root: OpId) -> PassResult {
    let ops: Vec<OpId> = body.walk(root).filter(|&op| is_structured(body, op)).collect();
    let mut changed = false;
    let mut rewriter = cx.rewriter(body);
    for op in ops {
        changed |= fill_splats(&mut rewriter, op) | detach(&mut rewriter, op);
    }
    Ok(Changed::when(changed) | cx.greedy(body, root, &[])?)
}

/// Outputs that are constants of equal elements are filled.
fn fill_splats(rewriter: &mut Rewriter<'_>, op: OpId) -> bool {
    let Some(structured) = Structured::read(rewriter.body, op) else { return false };
    let first = structured.inputs.len();
    let mut changed = false;
    for (at, &init) in structured.inits.iter().enumerate() {
        if let Some(Constant::Splat(element)) = constant(rewriter.body, init) {
            let filled = filled(rewriter, op, init, element);
            rewriter.set_operand(op, first + at, filled);
            changed = true;
        }
    }
    changed
}

/// Adds what another computation gives, or a constant, behind a contraction.
fn detach(rewriter: &mut Rewriter<'_>, op: OpId) -> bool {
    let body = &*rewriter.body;
    let Some(structured) = Structured::read(body, op) else { return false };
    let (&[init], Some(map)) = (&structured.inits[..], structured.maps.last()) else {
        return false;
    };
    let is_named = structured.contraction(body, op).is_some() || is_convolution(body, op);
    let computed = body
        .defining_op(init)
        .is_some_and(|maker| is_structured(body, maker) && !body.is(maker, "linalg.fill"));
    let listed = matches!(constant(body, init), Some(Constant::Listed));
    let Some(zero) = zero_of(body.ty(init).element_or_self()) else { return false };
    if !is_named || !(computed || listed) || !map.is_projected_permutation() {
        return false;
    }
    let zeros = filled(rewriter, op, init, zero);
    let inputs = structured.inputs.len();
    rewriter.set_operand(op, inputs, zeros);
    add(rewriter, op, init, zeros);
    true
}

/// Adds a tensor to what an op gives.
fn add(rewriter: &mut Rewriter<'_>, op: OpId, addend: ValueId, dest: ValueId) {
    let product = rewriter.body.result(op, 0);
    let ty = rewriter.body.ty(product);
    let element = ty.element_or_self();
    let rank = ty.shape().map_or(0, <[i64]>::len);
    let map = Attr::map(AffineMap::identity(rank as u32));
    let loc = rewriter.body.loc(op);
    let new = NewOp::new("linalg.generic")
        .operands([product, addend, dest])
        .attr("indexing_maps", Attr::array(&[map; 3]))
        .attr("iterator_types", Attr::array(&vec![iterator_attr(true); rank]))
        .attr("operandSegmentSizes", Attr::i32_array(&[2, 1]));
    let sum = rewriter.insert(InsertPoint::After(op), new.result(ty).loc(loc));
    let region = rewriter.add_region(sum);
    let block = rewriter.append_block(region, &[element; 3]);
    let args = rewriter.body.block_args(block).to_vec();
    let name =
        if matches!(element.data(), TypeData::Float(_)) { "arith.addf" } else { "arith.addi" };
    let added = NewOp::new(name).operands([args[0], args[1]]).result(element).loc(loc);
    let added = rewriter.insert_value(InsertPoint::End(block), added);
    rewriter.insert(InsertPoint::End(block), NewOp::new("linalg.yield").operand(added).loc(loc));
    let value = rewriter.body.result(sum, 0);
    rewriter.replace_uses_if(product, value, |body, slot| body.use_owner(slot) != sum);
}

/// A tensor like another one, of this element alone.
fn filled(rewriter: &mut Rewriter<'_>, op: OpId, like: ValueId, element: Attr) -> ValueId {
    let at = InsertPoint::Before(op);
    let (ty, loc) = (rewriter.body.ty(like), rewriter.body.loc(op));
    let empty = empty_like(rewriter, like, at, op);
    let scalar = ty.element_or_self();
    let value = NewOp::new("arith.constant").attr("value", element).result(scalar).loc(loc);
    let value = rewriter.insert_value(at, value);
    let fill = NewOp::new("linalg.fill").operands([value, empty]);
    let fill = fill.attr("operandSegmentSizes", Attr::i32_array(&[1, 1])).result(ty).loc(loc);
    let fill = rewriter.insert(at, fill);
    let region = rewriter.add_region(fill);
    let built =
        build_region(rewriter.body, region, "linalg.fill", &[scalar; 2], Flavour::default());
    debug_assert_eq!(built, Ok(()), "a fill has a region for all elements");
    rewriter.body.result(fill, 0)
}

/// A constant tensor of numbers.
enum Constant {
    /// All elements are this one.
    Splat(Attr),
    Listed,
}

fn constant(body: &Body, value: ValueId) -> Option<Constant> {
    let op = body.defining_op(value).filter(|&op| body.is(op, "arith.constant"))?;
    let AttrData::Dense { ty, data } = body.attr(op, "value")?.data() else { return None };
    let element = ty.element()?;
    let scalar = ScalarType::of(element).filter(|_| is_number(element))?;
    Some(match data {
        DenseData::Splat(one) => {
            let bits = scalar.load(one.get(..scalar.bytes())?);
            Constant::Splat(Scalar { ty: scalar, bits }.to_attr(element))
        }
        DenseData::Bytes(_) => Constant::Listed,
    })
}

fn zero_of(element: Type) -> Option<Attr> {
    let ty = ScalarType::of(element).filter(|_| is_number(element))?;
    Some(Scalar { ty, bits: 0 }.to_attr(element))
}

fn is_number(ty: Type) -> bool {
    matches!(ty.data(), TypeData::Integer { .. } | TypeData::Float(_))
}
