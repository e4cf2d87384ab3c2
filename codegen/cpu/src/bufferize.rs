//! `iree-codegen-iree-comprehensive-bufferize`: tensors become buffers.
//!
//! Every op here writes its result into a destination operand, so a tensor either continues the
//! buffer of its destination or needs one of its own. What is stored to a binding is computed there
//! from the start (which also removes empty tensors) when nothing else reads that binding. A
//! destination's buffer is reused when the op is the last to look at it; else its contents are
//! copied. That is conservative: it never needs to prove that two views are apart.

use rustc_hash::{FxHashMap, FxHashSet};
use tegula_ir::{
    Attr, AttrData, BlockId, Body, DYNAMIC, InsertPoint, NewOp, OpId, Type, TypeData, ValueId,
    ValueKind,
};
use tegula_rewrite::Rewriter;

use crate::attrs;
use crate::builder::{Builder, Idx, upper_bound};
use crate::cleanup;
use crate::dispatch_tensor as dt;
use crate::error::{CpuResult, fail};
use crate::loops;
use crate::slice::{self, Range};
use crate::structured::{self, Kind};
use crate::target::CpuTarget;
use crate::vector;

/// Runs the pass on a function.
pub(crate) fn run(rw: &mut Rewriter<'_>, func: OpId, target: &CpuTarget) -> CpuResult {
    let has_tensors =
        rw.body.walk(func).any(|op| rw.body.results(op).any(|r| is_tensor(rw.body, r)));
    let stores = rw.body.walk(func).any(|op| rw.body.is(op, STORE_TO_BUFFER));
    if !has_tensors && !stores {
        return Ok(false);
    }
    let mut b = Builder::new(rw, func)?;
    let mut pass = Bufferize {
        destination: FxHashMap::default(),
        buffer: FxHashMap::default(),
        owned: FxHashSet::default(),
        dead: Vec::new(),
        scratch_bytes: 0,
        max_scratch_bytes: target.max_stack_bytes,
    };
    pass.claim_bindings(&b);
    let entry = b.entry();
    pass.block(&mut b, entry)?;
    for op in pass.dead.into_iter().rev() {
        b.rw.erase(op);
    }
    cleanup::erase_dead(b.rw, func);
    Ok(true)
}

const LOAD_FROM_BUFFER: &str = "iree_codegen.load_from_buffer";
const STORE_TO_BUFFER: &str = "iree_codegen.store_to_buffer";

struct Bufferize {
    /// Where a tensor is to be computed, when that was decided beforehand.
    destination: FxHashMap<ValueId, ValueId>,
    /// Where a tensor is.
    buffer: FxHashMap<ValueId, ValueId>,
    /// Buffers that may be written: scratch, and bindings that were claimed.
    owned: FxHashSet<ValueId>,
    /// Ops on tensors that were replaced, in order.
    dead: Vec<OpId>,
    scratch_bytes: i64,
    max_scratch_bytes: i64,
}

impl Bufferize {
    // Destinations that are known beforehand.

    fn claim_bindings(&mut self, b: &Builder<'_, '_>) {
        let body = b.body();
        let ops: Vec<OpId> = body.block_ops(b.entry()).collect();
        for &op in &ops {
            if !body.is(op, STORE_TO_BUFFER) {
                continue;
            }
            let (value, target) = (body.operand(op, 0), body.operand(op, 1));
            let binding = binding_of(body, target);
            let touched_by_others = binding.is_none()
                || ops.iter().any(|&other| {
                    let buffer = match body.name(other).as_str() {
                        LOAD_FROM_BUFFER => body.operand(other, 0),
                        STORE_TO_BUFFER if other != op => body.operand(other, 1),
                        _ => return false,
                    };
                    // Bindings of different numbers are different memory, or read-only on both.
                    binding_of(body, buffer) == binding
                });
            if !touched_by_others {
                self.claim(body, value, target);
            }
        }
    }

    /// Lets `value` be computed in `target`, and with it the destinations that it continues.
    fn claim(&mut self, body: &Body, value: ValueId, target: ValueId) {
        if self.destination.contains_key(&value) {
            return;
        }
        let ValueKind::Result(op, index) = body.definition(value) else { return };
        if body.is(op, "scf.for") {
            self.destination.insert(value, target);
            self.owned.insert(target);
            let Some(block) = body.region_entry(op, 0) else { return };
            let arg = body.block_args(block)[index as usize + 1];
            self.destination.insert(arg, target);
            if let Some(yielded) =
                body.last_op(block).and_then(|end| body.operands(end).nth(index as usize))
            {
                self.claim(body, yielded, target);
            }
            self.claim_init(body, op, body.operand(op, index as usize + 3), target);
            return;
        }
        let Some(init) = destination_operand(body, op, index as usize) else { return };
        self.destination.insert(value, target);
        self.owned.insert(target);
        self.claim_init(body, op, init, target);
    }

    fn claim_init(&mut self, body: &Body, user: OpId, init: ValueId, target: ValueId) {
        if is_last_user(body, user, init) {
            self.claim(body, init, target);
        }
    }

    // The walk.

    fn block(&mut self, b: &mut Builder<'_, '_>, block: BlockId) -> CpuResult<()> {
        let ops: Vec<OpId> = b.body().block_ops(block).collect();
        for op in ops {
            self.visit(b, op)?;
        }
        Ok(())
    }

    fn visit(&mut self, b: &mut Builder<'_, '_>, op: OpId) -> CpuResult<()> {
        b.at(InsertPoint::Before(op));
        match b.body().name(op).as_str() {
            LOAD_FROM_BUFFER => {
                self.buffer.insert(b.body().result(op, 0), b.body().operand(op, 0));
                self.dead.push(op);
            }
            STORE_TO_BUFFER => {
                let (value, target) = (b.body().operand(op, 0), b.body().operand(op, 1));
                let from = self.buffer_of(b, op, value)?;
                if from != target {
                    copy(b, op, from, target)?;
                }
                self.dead.push(op);
            }
            "tensor.empty" => self.dead.push(op),
            "tensor.extract_slice" => {
                let source = b.body().operand(op, 0);
                let from = self.buffer_of(b, op, source)?;
                let view = subview(b, op, from, 1)?;
                if self.owned.contains(&from) {
                    self.owned.insert(view);
                }
                self.buffer.insert(b.body().result(op, 0), view);
                self.dead.push(op);
            }
            "tensor.collapse_shape" => {
                let source = b.body().operand(op, 0);
                let from = self.buffer_of(b, op, source)?;
                let view = collapsed(b, op, from)?;
                if !b.body().has_one_use(source) {
                    // What writes to one of the two would be seen in the other.
                    self.owned.remove(&from);
                } else if self.owned.contains(&from) {
                    self.owned.insert(view);
                }
                self.buffer.insert(b.body().result(op, 0), view);
                self.dead.push(op);
            }
            "tensor.insert_slice" => self.insert_slice(b, op)?,
            "vector.transfer_read" => {
                let base = b.body().operand(op, 0);
                if is_tensor(b.body(), base) {
                    let from = self.buffer_of(b, op, base)?;
                    b.rw.set_operand(op, 0, from);
                }
            }
            "vector.transfer_write" if b.body().num_results(op) == 1 => {
                let dest = self.destination_of(b, op, 0)?;
                let operands: Vec<ValueId> = b.body().operands(op).collect();
                let rank = b.body().ty(dest).shape().map_or(0, <[i64]>::len);
                let mask = operands.get(2 + rank).copied();
                b.op(vector::write_op(operands[0], dest, &operands[2..2 + rank], mask));
                self.dead.push(op);
            }
            "scf.for" => self.for_loop(b, op)?,
            "scf.yield" => {}
            _ if structured::kind(b.body(), op).is_some() => self.linalg(b, op)?,
            _ => {
                let tensor = b
                    .body()
                    .results(op)
                    .chain(b.body().operands(op))
                    .any(|v| is_tensor(b.body(), v));
                if tensor {
                    let name = b.body().name(op);
                    return fail(
                        op,
                        "unsupported-op",
                        format!("{name} on tensors is not supported here"),
                    );
                }
                for region in b.body().regions(op).to_vec() {
                    let blocks: Vec<BlockId> = b.body().blocks(region).collect();
                    for block in blocks {
                        self.block(b, block)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The buffer that holds a tensor now; fresh scratch for one whose contents do not matter.
    fn buffer_of(
        &mut self,
        b: &mut Builder<'_, '_>,
        op: OpId,
        value: ValueId,
    ) -> CpuResult<ValueId> {
        if let Some(&known) = self.buffer.get(&value) {
            return Ok(known);
        }
        match b.body().defining_op(value) {
            Some(def) if b.body().is(def, "tensor.empty") => self.scratch(b, op, value),
            _ => fail(op, "unknown-buffer", "the tensor has no buffer"),
        }
    }

    /// The buffer that result `index` of a destination-passing op is computed in, holding what its
    /// destination operand held.
    fn destination_of(
        &mut self,
        b: &mut Builder<'_, '_>,
        op: OpId,
        index: usize,
    ) -> CpuResult<ValueId> {
        let result = b.body().result(op, index);
        let Some(init) = destination_operand(b.body(), op, index) else {
            return fail(op, "unsupported-op", "the op has no destination");
        };
        let dest = self.continue_buffer(b, op, result, init)?;
        self.buffer.insert(result, dest);
        Ok(dest)
    }

    fn continue_buffer(
        &mut self,
        b: &mut Builder<'_, '_>,
        op: OpId,
        result: ValueId,
        init: ValueId,
    ) -> CpuResult<ValueId> {
        let from = self.buffer.get(&init).copied();
        let in_place = from.filter(|from| {
            self.owned.contains(from)
                && (is_last_user(b.body(), op, init) || is_window(b.body(), op, init))
        });
        let dest = match (self.destination.get(&result), in_place) {
            (Some(&target), _) => target,
            (None, Some(from)) => from,
            (None, None) => self.scratch(b, op, init)?,
        };
        if let Some(from) = from
            && from != dest
        {
            copy(b, op, from, dest)?;
        }
        Ok(dest)
    }

    fn linalg(&mut self, b: &mut Builder<'_, '_>, op: OpId) -> CpuResult<()> {
        let count = b.body().num_results(op);
        if count == 0 {
            return Ok(());
        }
        let mut dests = Vec::new();
        for index in 0..count {
            dests.push(self.destination_of(b, op, index)?);
        }
        let inits: Vec<Option<ValueId>> =
            (0..count).map(|i| destination_operand(b.body(), op, i)).collect();
        let mut operands = Vec::new();
        let first_init = first_destination(b.body(), op);
        for (at, value) in b.body().operands(op).collect::<Vec<_>>().into_iter().enumerate() {
            let init = at.checked_sub(first_init).filter(|&i| i < inits.len());
            operands.push(match init {
                Some(index) => dests[index],
                None if is_tensor(b.body(), value) => self.buffer_of(b, op, value)?,
                None => value,
            });
        }
        let loc = b.body().loc(op);
        let new =
            NewOp::new(b.body().name(op)).operands(operands).attrs(b.body().attrs(op)).loc(loc);
        let made = b.rw.insert(InsertPoint::Before(op), new);
        for old in b.body().regions(op).to_vec() {
            let region = b.rw.add_region(made);
            b.rw.take_region(old, region);
        }
        self.dead.push(op);
        // Relayouts exist on tensors only.
        match structured::kind(b.body(), made) {
            Some(Kind::Pack | Kind::Unpack) => loops::lower(b, made),
            _ => Ok(()),
        }
    }

    fn insert_slice(&mut self, b: &mut Builder<'_, '_>, op: OpId) -> CpuResult<()> {
        let (source, dest) = (b.body().operand(op, 0), b.body().operand(op, 1));
        let part = self.buffer_of(b, op, source)?;
        let whole = self.destination_of(b, op, 0)?;
        let written_in_place = window_of(b.body(), source).is_some_and(|window| {
            self.buffer.get(&b.body().result(window, 0)) == Some(&part)
                && b.body().operand(window, 0) == dest
                && self.buffer.get(&dest) == Some(&whole)
                && slice::ranges_of(b.body(), window, 1) == slice::ranges_of(b.body(), op, 2)
        });
        if !written_in_place {
            b.at(InsertPoint::Before(op));
            let view = subview(b, op, whole, 2)?;
            copy(b, op, part, view)?;
        }
        self.dead.push(op);
        Ok(())
    }

    /// The loop without its carried tensors, whose buffers stay where they are.
    fn for_loop(&mut self, b: &mut Builder<'_, '_>, op: OpId) -> CpuResult<()> {
        let Some(block) = b.body().region_entry(op, 0) else { return Ok(()) };
        let count = b.body().num_results(op);
        let carried: Vec<usize> =
            (0..count).filter(|&i| is_tensor(b.body(), b.body().result(op, i))).collect();
        for &at in &carried {
            let (result, init) = (b.body().result(op, at), b.body().operand(op, at + 3));
            b.at(InsertPoint::Before(op));
            let dest = self.continue_buffer(b, op, result, init)?;
            self.owned.insert(dest);
            self.buffer.insert(result, dest);
            self.buffer.insert(b.body().block_args(block)[at + 1], dest);
        }
        self.block(b, block)?;
        if carried.is_empty() {
            return Ok(());
        }
        let Some(end) = b.body().last_op(block) else { return Ok(()) };
        for &at in &carried {
            let yielded = b.body().operand(end, at);
            let dest = self.buffer[&b.body().result(op, at)];
            b.at(InsertPoint::Before(end));
            let from = self.buffer_of(b, end, yielded)?;
            if from != dest {
                copy(b, end, from, dest)?;
            }
        }
        let keep = |values: Vec<ValueId>| -> Vec<ValueId> {
            let kept = values.into_iter().enumerate().filter(|(i, _)| !carried.contains(i));
            kept.map(|(_, v)| v).collect()
        };
        let yielded = keep(b.body().operands(end).collect());
        b.rw.set_operands(end, &yielded);
        let inits = keep(b.body().operands(op).skip(3).collect());
        let results = keep(b.body().results(op).collect());
        let types: Vec<Type> = results.iter().map(|&r| b.body().ty(r)).collect();
        let bounds: Vec<ValueId> = b.body().operands(op).take(3).collect();
        let loc = b.body().loc(op);
        let new = NewOp::new("scf.for").operands(bounds).operands(inits).results(types);
        let made = b.rw.insert(InsertPoint::Before(op), new.attrs(b.body().attrs(op)).loc(loc));
        let region = b.rw.add_region(made);
        if let Some(old) = b.body().region(op, 0) {
            b.rw.take_region(old, region);
        }
        let replacements: Vec<ValueId> = b.body().results(made).collect();
        for (&old, &new) in results.iter().zip(&replacements) {
            b.rw.replace_all_uses(old, new);
        }
        self.dead.push(op);
        self.drop_carried(b, block, &carried);
        Ok(())
    }

    /// Removes block arguments of carried tensors. The ops that use them are dead and come later
    /// than the loop in `dead`, so they are erased here.
    fn drop_carried(&mut self, b: &mut Builder<'_, '_>, block: BlockId, carried: &[usize]) {
        let parent = b.body().block_parent_op(block);
        let (inside, outside): (Vec<OpId>, Vec<OpId>) = self
            .dead
            .iter()
            .partition(|&&op| parent.is_some_and(|p| p != op && b.body().is_ancestor(p, op)));
        for op in inside.into_iter().rev() {
            b.rw.erase(op);
        }
        self.dead = outside;
        for &at in carried.iter().rev() {
            b.rw.remove_block_arg(block, at + 1);
        }
    }

    /// Scratch on the stack for a tensor, at the head of the function: of the most that the tensor
    /// can take.
    fn scratch(
        &mut self,
        b: &mut Builder<'_, '_>,
        op: OpId,
        tensor: ValueId,
    ) -> CpuResult<ValueId> {
        let ty = b.body().ty(tensor);
        let TypeData::RankedTensor { shape, element, .. } = ty.data() else {
            return fail(op, "unsupported-op", "only ranked tensors have buffers");
        };
        let sizes = sizes_of(b.body(), tensor, shape);
        let most: Option<Vec<i64>> =
            sizes.iter().flatten().map(|&size| upper_bound(b.body(), size)).collect();
        let bits = element.bit_width().map(i64::from);
        let bytes = most.as_ref().filter(|most| most.len() == shape.len()).and_then(|most| {
            most.iter().try_fold(bits?.max(8) / 8, |all, &size| all.checked_mul(size))
        });
        let (Some(most), Some(sizes), Some(bytes)) = (most, sizes, bytes) else {
            return fail(op, "dynamic-scratch", "scratch of dynamic size is not supported");
        };
        self.scratch_bytes = self.scratch_bytes.saturating_add(bytes);
        if self.scratch_bytes > self.max_scratch_bytes {
            return fail(
                op,
                "scratch-too-large",
                format!(
                    "the dispatch needs {} bytes of scratch; max_stack_allocation_size allows {}",
                    self.scratch_bytes, self.max_scratch_bytes
                ),
            );
        }
        let mut made = alloca(b, &most, *element);
        if shape.contains(&DYNAMIC) {
            let ranges: Vec<Range> =
                sizes.into_iter().map(|size| Range { offset: Idx::Const(0), size }).collect();
            made = slice::view(b, made, &ranges).unwrap_or(made);
        }
        self.owned.insert(made);
        Ok(made)
    }
}

/// The sizes of a tensor; none of one of dynamic shape that is not made empty.
fn sizes_of(body: &Body, tensor: ValueId, shape: &[i64]) -> Option<Vec<Idx>> {
    let mut dynamic = body
        .defining_op(tensor)
        .filter(|&op| body.is(op, "tensor.empty"))
        .into_iter()
        .flat_map(|op| body.operands(op));
    let size = |&size: &i64| match size {
        DYNAMIC => dynamic.next().map(Idx::Value),
        size => Some(Idx::Const(size)),
    };
    shape.iter().map(size).collect()
}

/// Static scratch at the head of the function, after the constants.
pub(crate) fn alloca(b: &mut Builder<'_, '_>, shape: &[i64], element: Type) -> ValueId {
    let new = NewOp::new("memref.alloca")
        .attr("operandSegmentSizes", attrs::segments(&[0, 0]))
        .result(Type::memref(shape, element, None, None))
        .loc(b.body().loc(b.func));
    let at = b.after_constants();
    b.rw.insert_value(at, new)
}

fn is_tensor(body: &Body, value: ValueId) -> bool {
    matches!(body.ty(value).data(), TypeData::RankedTensor { .. })
}

/// The binding number behind a memref, through views.
fn binding_of(body: &Body, memref: ValueId) -> Option<i64> {
    let mut at = memref;
    loop {
        let op = body.defining_op(at)?;
        match body.name(op).as_str() {
            dt::SUBSPAN => return dt::binding(body, op),
            "memref.subview" | "memref.assume_alignment" => at = body.operand(op, 0),
            _ => return None,
        }
    }
}

/// The position of an op's first destination operand.
fn first_destination(body: &Body, op: OpId) -> usize {
    match structured::kind(body, op) {
        Some(Kind::Pack | Kind::Unpack) => 1,
        Some(_) => body.num_operands(op) - body.num_results(op),
        None => 1,
    }
}

/// The operand whose contents result `index` starts from.
fn destination_operand(body: &Body, op: OpId, index: usize) -> Option<ValueId> {
    let passes_destination = structured::kind(body, op).is_some()
        || matches!(body.name(op).as_str(), "vector.transfer_write" | "tensor.insert_slice");
    passes_destination.then(|| body.operands(op).nth(first_destination(body, op) + index))?
}

/// Whether no other op looks at `value` after `user`, in whose block it must be defined: in a loop
/// a value from outside is looked at again in the next iteration.
fn is_last_user(body: &Body, user: OpId, value: ValueId) -> bool {
    let Some(block) = body.parent_block(user) else { return false };
    if body.defining_block(value) != Some(block) {
        return false;
    }
    let slots = body.uses(value).filter(|&slot| body.use_owner(slot) == user).count();
    slots == 1
        && body.users(value).all(|other| {
            other == user
                || body
                    .ancestor_in_block(block, other)
                    .is_some_and(|other| other != user && body.is_before_in_block(other, user))
        })
}

/// Whether `init` is a window that `op` fills and an insert puts back at once: then the tensor that
/// it is cut from is looked at by nothing else, and the window may be written in place.
fn is_window(body: &Body, op: OpId, init: ValueId) -> bool {
    let Some(window) = body.defining_op(init).filter(|&w| body.is(w, "tensor.extract_slice"))
    else {
        return false;
    };
    let source = body.operand(window, 0);
    let insert = body.results(op).next().filter(|&r| body.has_one_use(r));
    let insert = insert.and_then(|r| body.users(r).next());
    body.has_one_use(init)
        && insert.is_some_and(|insert| {
            body.is(insert, "tensor.insert_slice")
                && body.operand(insert, 1) == source
                && body.users(source).all(|u| u == window || u == insert)
        })
}

/// The slice that an op's destination is, when `value` is the op's result.
fn window_of(body: &Body, value: ValueId) -> Option<OpId> {
    let op = body.defining_op(value)?;
    let init = destination_operand(body, op, 0)?;
    body.defining_op(init).filter(|&w| body.is(w, "tensor.extract_slice"))
}

/// The view of a buffer that a slice op names; `first` is the position of its first offset.
fn subview(b: &mut Builder<'_, '_>, op: OpId, buffer: ValueId, first: usize) -> CpuResult<ValueId> {
    let Some(ranges) = slice::ranges_of(b.body(), op, first) else {
        return fail(op, "unsupported-slice", "only slices of stride 1 are supported");
    };
    match slice::view(b, buffer, &ranges) {
        Some(view) => Ok(view),
        None => fail(op, "unsupported-slice", "rank-reducing slices are not supported"),
    }
}

/// A buffer with the dimensions merged that a reshape merges, where they lie in memory without gaps.
fn collapsed(b: &mut Builder<'_, '_>, op: OpId, buffer: ValueId) -> CpuResult<ValueId> {
    let ty = b.body().ty(buffer);
    let groups = b.body().attr(op, "reassociation").and_then(attrs::lists_of);
    let (TypeData::MemRef { shape, element, space, .. }, Some(groups), Some((strides, offset))) =
        (ty.data(), &groups, slice::strided(ty))
    else {
        return fail(op, "unsupported-layout", "the buffer has no strides");
    };
    let mut merged = Vec::new();
    for group in groups {
        let long = group.iter().copied().filter(|&dim| shape[dim] != 1);
        let long: Vec<usize> = long.collect();
        if !long.windows(2).all(|d| strides[d[0]].checked_div(strides[d[1]]) == Some(shape[d[1]])) {
            return fail(op, "unsupported-layout", "the merged dimensions lie apart");
        }
        let last = long.last().or(group.last());
        merged.push(last.map_or(1, |&dim| strides[dim]));
    }
    let new = NewOp::new("memref.collapse_shape").operand(buffer);
    let layout = Attr::new(AttrData::Strided { strides: merged.into(), offset });
    let layout = Some(layout).filter(|_| !ty.has_plain_layout());
    let shape = b.body().ty(b.body().result(op, 0)).shape().unwrap_or(&[]);
    let view = Type::memref(shape, *element, layout, *space);
    Ok(b.value(new.attrs(b.body().attrs(op)).result(view)))
}

/// Copies a buffer element by element, at the insertion point.
fn copy(b: &mut Builder<'_, '_>, op: OpId, from: ValueId, to: ValueId) -> CpuResult<()> {
    let ty = b.body().ty(from);
    let Some(rank) = ty.shape().map(<[i64]>::len) else {
        return fail(op, "unsupported-copy", "only ranked buffers can be copied");
    };
    let identity = Attr::map(tegula_ir::AffineMap::identity(rank as u32));
    let element = ty.element_or_self();
    let new = NewOp::new("linalg.generic")
        .operands([from, to])
        .attr("indexing_maps", Attr::array(&[identity; 2]))
        .attr("iterator_types", Attr::array(&vec![attrs::iterator("linalg", false); rank]))
        .attr("operandSegmentSizes", attrs::segments(&[1, 1]));
    let made = b.op(new);
    let resume = b.rw.insertion_point();
    let region = b.rw.add_region(made);
    let block = b.rw.append_block(region, &[element; 2]);
    let value = b.body().block_args(block)[0];
    b.at(InsertPoint::End(block));
    b.op(NewOp::new("linalg.yield").operand(value));
    if let Some(resume) = resume {
        b.at(resume);
    }
    Ok(())
}
