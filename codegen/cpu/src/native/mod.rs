//! `iree-llvmcpu-virtual-vector-lowering`: multi-dimensional vectors become machine vectors.
//!
//! A vector of any shape is its elements in row-major order, cut into machine vectors; when their
//! number is no multiple of the lanes it is scalars. Shape casts are then free, elementwise ops go
//! piece by piece, transposes are shuffles, contractions are fused multiply-adds, and masked
//! transfers become a choice: whole machine vectors when the mask is full, else element loops over
//! just what the mask allows, through scratch. Nothing outside of the mask is ever accessed.

mod contract;
mod lanes;
mod transfer;

use rustc_hash::FxHashMap;
use tegula_ir::{
    Attr, AttrData, BlockId, Body, DenseData, InsertPoint, NewOp, OpId, Type, TypeData, ValueId,
};
use tegula_rewrite::Rewriter;

use crate::builder::{Builder, Idx};
use crate::cleanup;
use crate::error::{CpuResult, fail};
use crate::target::CpuTarget;
use lanes::Lanes;

/// Runs the pass on a function.
pub(crate) fn run(rw: &mut Rewriter<'_>, func: OpId, target: &CpuTarget) -> CpuResult {
    let lanes = target.lanes(32);
    let virtual_vectors = rw.body.walk(func).any(|op| {
        let mut types = rw.body.results(op).chain(rw.body.operands(op)).map(|v| rw.body.ty(v));
        types.any(is_vector) && !is_native_op(rw.body, op, lanes)
    });
    if !virtual_vectors {
        return Ok(false);
    }
    let mut b = Builder::new(rw, func)?;
    let mut pass = Native {
        lanes,
        values: FxHashMap::default(),
        masks: FxHashMap::default(),
        scratch: FxHashMap::default(),
        views: FxHashMap::default(),
        dead: Vec::new(),
        old_args: Vec::new(),
    };
    let entry = b.entry();
    pass.block(&mut b, entry)?;
    for op in pass.dead.iter().rev() {
        b.rw.erase(*op);
    }
    for (block, arg) in pass.old_args.into_iter().rev() {
        let at = b.body().block_args(block).iter().position(|&a| a == arg);
        if let Some(at) = at {
            b.rw.remove_block_arg(block, at);
        }
    }
    cleanup::erase_dead(b.rw, func);
    Ok(true)
}

fn is_vector(ty: Type) -> bool {
    matches!(ty.data(), TypeData::Vector { .. })
}

/// Whether an op is of the form that this pass leaves.
fn is_native_op(body: &Body, op: OpId, lanes: i64) -> bool {
    let native = [lanes];
    let types_ok = body
        .results(op)
        .chain(body.operands(op))
        .map(|v| body.ty(v))
        .filter(|&ty| is_vector(ty))
        .all(|ty| ty.shape() == Some(&native));
    let name = body.name(op);
    types_ok
        && match name.dialect() {
            "arith" | "scf" => true,
            "vector" => !matches!(
                name.as_str(),
                "vector.transfer_read"
                    | "vector.transfer_write"
                    | "vector.contract"
                    | "vector.create_mask"
            ),
            _ => false,
        }
}

struct Native {
    /// Lanes of a machine vector of `f32`.
    lanes: i64,
    /// The pieces of each vector.
    values: FxHashMap<ValueId, Lanes>,
    /// The sizes of each mask.
    masks: FxHashMap<ValueId, Vec<Idx>>,
    /// Scratch by shape; its uses never overlap in time.
    scratch: FxHashMap<Vec<i64>, ValueId>,
    /// Views of bindings in other shapes.
    views: FxHashMap<(ValueId, Vec<i64>), ValueId>,
    /// Replaced ops in order.
    dead: Vec<OpId>,
    /// Block arguments that were split.
    old_args: Vec<(BlockId, ValueId)>,
}

impl Native {
    fn block(&mut self, b: &mut Builder<'_, '_>, block: BlockId) -> CpuResult<()> {
        let ops: Vec<OpId> = b.body().block_ops(block).collect();
        for op in ops {
            b.at(InsertPoint::Before(op));
            self.visit(b, op)?;
        }
        Ok(())
    }

    fn visit(&mut self, b: &mut Builder<'_, '_>, op: OpId) -> CpuResult<()> {
        let name = b.body().name(op);
        let vector_results = b.body().results(op).any(|r| is_vector(b.body().ty(r)));
        match name.as_str() {
            "arith.constant" if vector_results => self.constant(b, op),
            "vector.create_mask" => {
                let sizes = b.body().operands(op).map(|v| b.fold(v)).collect();
                self.masks.insert(b.body().result(op, 0), sizes);
                self.dead.push(op);
                Ok(())
            }
            "vector.transfer_read" => self.read(b, op),
            "vector.transfer_write" => self.write(b, op),
            "vector.broadcast" => self.broadcast(b, op),
            "vector.shape_cast" => {
                let value = self.pieces(b, op, b.body().operand(op, 0))?;
                self.define(b, op, value);
                Ok(())
            }
            "vector.transpose" => self.transpose(b, op),
            "vector.contract" => self.contract(b, op),
            // The loop around it gives it its pieces.
            "scf.yield" => Ok(()),
            "scf.for" => self.for_loop(b, op),
            "arith.select" if vector_results => {
                fail(op, "unsupported-op", "selects of vectors are not supported")
            }
            _ if vector_results && name.dialect() == "arith" => self.elementwise(b, op),
            _ if vector_results || b.body().operands(op).any(|v| is_vector(b.body().ty(v))) => {
                fail(op, "unsupported-op", format!("{name} on vectors is not supported"))
            }
            _ => {
                for region in b.body().regions(op).to_vec() {
                    let blocks: Vec<BlockId> = b.body().blocks(region).collect();
                    for block in blocks {
                        self.block(b, block)?;
                    }
                }
                Ok(())
            }
        }
    }

    /// The pieces of a vector that was visited.
    fn pieces(&self, b: &Builder<'_, '_>, op: OpId, value: ValueId) -> CpuResult<Lanes> {
        match self.values.get(&value) {
            Some(pieces) => Ok(pieces.clone()),
            None => fail(
                op,
                "unsupported-op",
                format!("no machine vectors stand for an operand of {}", b.body().name(op)),
            ),
        }
    }

    fn define(&mut self, b: &Builder<'_, '_>, op: OpId, value: Lanes) {
        self.values.insert(b.body().result(op, 0), value);
        self.dead.push(op);
    }

    /// The number of elements of a vector, and whether machine vectors make them up.
    fn form(&self, op: OpId, ty: Type) -> CpuResult<(usize, bool)> {
        if ty.element() != Some(Type::f32()) {
            return fail(op, "unsupported-element-type", "only vectors of f32 are supported");
        }
        match ty.num_elements().and_then(|n| usize::try_from(n).ok()) {
            Some(count) => Ok((count, count as i64 % self.lanes == 0)),
            None => fail(op, "unsupported-op", "the vector's shape is not supported"),
        }
    }

    fn native_type(&self) -> Type {
        Type::vector(&[self.lanes], Type::f32())
    }

    /// The types of the pieces of a vector.
    fn piece_types(&self, op: OpId, ty: Type) -> CpuResult<Vec<Type>> {
        let (count, native) = self.form(op, ty)?;
        Ok(if native {
            vec![self.native_type(); count / self.lanes as usize]
        } else {
            vec![Type::f32(); count]
        })
    }

    fn constant(&mut self, b: &mut Builder<'_, '_>, op: OpId) -> CpuResult<()> {
        let ty = b.body().ty(b.body().result(op, 0));
        let (count, native) = self.form(op, ty)?;
        let value = b.body().attr(op, "value");
        let Some(AttrData::Dense { data: DenseData::Splat(bytes), .. }) = value.map(Attr::data)
        else {
            return fail(op, "unsupported-constant", "only constants of one value are supported");
        };
        let bits: [u8; 4] = bytes.as_ref().try_into().unwrap_or_default();
        let scalar = f32::from_le_bytes(bits);
        let value = self.splat(b, scalar, count, native);
        self.define(b, op, value);
        Ok(())
    }

    /// The same number in every element.
    fn splat(&self, b: &mut Builder<'_, '_>, scalar: f32, count: usize, native: bool) -> Lanes {
        if !native {
            let value = b.f32(scalar);
            return Lanes::scalars(vec![value; count]);
        }
        let ty = self.native_type();
        let data = DenseData::Splat(scalar.to_le_bytes().into());
        let value = b.constant(Attr::new(AttrData::Dense { ty, data }), ty);
        Lanes::native(vec![value; count / self.lanes as usize], self.lanes as usize)
    }

    fn broadcast(&mut self, b: &mut Builder<'_, '_>, op: OpId) -> CpuResult<()> {
        let source = b.body().operand(op, 0);
        let ty = b.body().ty(b.body().result(op, 0));
        let (count, native) = self.form(op, ty)?;
        if !is_vector(b.body().ty(source)) {
            let value = if native {
                let splat = lanes::splat(b, source, self.native_type());
                Lanes::native(vec![splat; count / self.lanes as usize], self.lanes as usize)
            } else {
                Lanes::scalars(vec![source; count])
            };
            self.define(b, op, value);
            return Ok(());
        }
        // Dimensions are added in front, and extents of 1 repeat.
        let from_shape = b.body().ty(source).shape().unwrap_or(&[]);
        let to_shape = ty.shape().unwrap_or(&[]);
        let added = to_shape.len().saturating_sub(from_shape.len());
        let value = self.pieces(b, op, source)?;
        let places = lanes::places(to_shape, |at| {
            let inner = at[added..].iter().zip(from_shape);
            let inner: Vec<i64> =
                inner.map(|(&i, &extent)| if extent == 1 { 0 } else { i }).collect();
            lanes::flat(from_shape, &inner)
        });
        let value = self.gathered(b, &value, &places, native);
        self.define(b, op, value);
        Ok(())
    }

    fn transpose(&mut self, b: &mut Builder<'_, '_>, op: OpId) -> CpuResult<()> {
        let source = b.body().operand(op, 0);
        let permutation =
            b.body().attr(op, "permutation").and_then(Attr::as_dense_array).unwrap_or(&[]);
        let from_shape = b.body().ty(source).shape().unwrap_or(&[]);
        let ty = b.body().ty(b.body().result(op, 0));
        let (_, native) = self.form(op, ty)?;
        let value = self.pieces(b, op, source)?;
        let places = lanes::places(ty.shape().unwrap_or(&[]), |at| {
            let mut from = vec![0; from_shape.len()];
            for (&dim, &index) in permutation.iter().zip(at) {
                from[dim as usize] = index;
            }
            lanes::flat(from_shape, &from)
        });
        let value = self.gathered(b, &value, &places, native);
        self.define(b, op, value);
        Ok(())
    }

    /// The elements of a vector at these places, in order.
    fn gathered(
        &self,
        b: &mut Builder<'_, '_>,
        value: &Lanes,
        places: &[usize],
        native: bool,
    ) -> Lanes {
        let mut cache = lanes::Cache::default();
        if !native {
            let scalars = places.iter().map(|&at| value.element(b, &mut cache, at)).collect();
            return Lanes::scalars(scalars);
        }
        let ty = self.native_type();
        let chunks = places
            .chunks_exact(self.lanes as usize)
            .map(|places| value.gather(b, &mut cache, places, ty))
            .collect();
        Lanes::native(chunks, self.lanes as usize)
    }

    fn elementwise(&mut self, b: &mut Builder<'_, '_>, op: OpId) -> CpuResult<()> {
        let ty = b.body().ty(b.body().result(op, 0));
        let types = self.piece_types(op, ty)?;
        let operands: Vec<ValueId> = b.body().operands(op).collect();
        let operands: Vec<Lanes> =
            operands.into_iter().map(|v| self.pieces(b, op, v)).collect::<CpuResult<_>>()?;
        let mut pieces = Vec::new();
        for (at, &ty) in types.iter().enumerate() {
            let new = NewOp::new(b.body().name(op))
                .operands(operands.iter().map(|o| o.pieces[at]))
                .attrs(b.body().attrs(op))
                .result(ty);
            pieces.push(b.value(new));
        }
        let value = self.lanes_of(&types, pieces);
        self.define(b, op, value);
        Ok(())
    }

    fn lanes_of(&self, types: &[Type], pieces: Vec<ValueId>) -> Lanes {
        if types.first().is_some_and(|&ty| is_vector(ty)) {
            Lanes::native(pieces, self.lanes as usize)
        } else {
            Lanes::scalars(pieces)
        }
    }

    /// The loop with carried vectors in pieces, which come after the other carried values.
    fn for_loop(&mut self, b: &mut Builder<'_, '_>, op: OpId) -> CpuResult<()> {
        let Some(block) = b.body().region_entry(op, 0) else { return Ok(()) };
        let results: Vec<ValueId> = b.body().results(op).collect();
        let split: Vec<usize> =
            (0..results.len()).filter(|&i| is_vector(b.body().ty(results[i]))).collect();
        if split.is_empty() {
            return self.block(b, block);
        }
        let operands: Vec<ValueId> = b.body().operands(op).collect();
        let args: Vec<ValueId> = b.body().block_args(block).to_vec();
        let kept: Vec<usize> = (0..results.len()).filter(|i| !split.contains(i)).collect();
        let mut inits: Vec<ValueId> = kept.iter().map(|&i| operands[i + 3]).collect();
        let mut types: Vec<Type> = kept.iter().map(|&i| b.body().ty(results[i])).collect();
        let mut piece_types = Vec::new();
        for &i in &split {
            let init = self.pieces(b, op, operands[i + 3])?;
            let these = self.piece_types(op, b.body().ty(results[i]))?;
            inits.extend(&init.pieces);
            types.extend(&these);
            piece_types.push(these);
        }
        let loc = b.body().loc(op);
        let new = NewOp::new("scf.for")
            .operands(operands[..3].iter().copied())
            .operands(inits)
            .results(types)
            .attrs(b.body().attrs(op));
        let made = b.rw.insert(InsertPoint::Before(op), new.loc(loc));
        let region = b.rw.add_region(made);
        if let Some(old) = b.body().region(op, 0) {
            b.rw.take_region(old, region);
        }
        let mut next_result = kept.len();
        for (&i, these) in split.iter().zip(&piece_types) {
            let new_args: Vec<ValueId> =
                these.iter().map(|&ty| b.rw.add_block_arg(block, ty)).collect();
            self.values.insert(args[i + 1], self.lanes_of(these, new_args));
            self.old_args.push((block, args[i + 1]));
            let new_results = (next_result..next_result + these.len())
                .map(|r| b.body().result(made, r))
                .collect();
            next_result += these.len();
            self.values.insert(results[i], self.lanes_of(these, new_results));
        }
        for (at, &i) in kept.iter().enumerate() {
            let value = b.body().result(made, at);
            b.rw.replace_all_uses(results[i], value);
        }
        self.dead.push(op);
        self.block(b, block)?;
        if let Some(end) = b.body().last_op(block) {
            let yielded: Vec<ValueId> = b.body().operands(end).collect();
            let mut values: Vec<ValueId> = kept.iter().map(|&i| yielded[i]).collect();
            for &i in &split {
                values.extend(self.pieces(b, end, yielded[i])?.pieces);
            }
            b.rw.set_operands(end, &values);
        }
        Ok(())
    }
}
