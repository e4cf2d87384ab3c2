//! `convert-scf-to-cf`: structured control flow becomes branches between blocks.

use tegula_ir::text::dense_attr;
use tegula_ir::{Attr, BlockId, Body, InsertPoint, NewOp, OpId, RegionId, Type, ValueId};
use tegula_pass::{Changed, PassCx, PassResult};
use tegula_rewrite::Rewriter;

/// Runs the pass on an op. Outer ops go first, so that what is around an op is blocks already.
pub(crate) fn run(cx: &mut PassCx<'_>, body: &mut Body, root: OpId) -> PassResult {
    let mut changed = Changed::No;
    let ops: Vec<OpId> = body.walk(root).filter(|&op| op != root).collect();
    for op in ops {
        let lower = match body.name(op).as_str() {
            "scf.if" => Flow::lower_if,
            "scf.for" => Flow::lower_for,
            "scf.while" => Flow::lower_while,
            "scf.index_switch" => Flow::lower_switch,
            "scf.execute_region" => Flow::lower_region,
            _ => continue,
        };
        if !is_in_blocks(body, op) {
            continue;
        }
        let mut flow = Flow { rw: cx.rewriter(body), loc: Attr::unit() };
        flow.loc = flow.rw.body.loc(op);
        if lower(&mut flow, op).is_none() {
            let message =
                "an op of structured control flow has a region that does not end as it must";
            return Err(cx.error(body, op, "structured-control-flow", message));
        }
        changed = Changed::Yes;
    }
    Ok(changed)
}

/// Whether the region around an op may have several blocks, as those of other structured ops do not.
fn is_in_blocks(body: &Body, op: OpId) -> bool {
    body.parent_op(op).is_none_or(|parent| !body.name(parent).as_str().starts_with("scf."))
}

struct Flow<'a> {
    rw: Rewriter<'a>,
    loc: Attr,
}

impl Flow<'_> {
    fn end(&mut self, block: BlockId, new: NewOp) -> OpId {
        let loc = self.loc;
        self.rw.insert(InsertPoint::End(block), new.loc(loc))
    }

    fn go(&mut self, from: BlockId, to: BlockId, values: &[ValueId]) {
        self.end(from, NewOp::new("cf.br").operands(values.iter().copied()).successor(to));
    }

    fn choose(
        &mut self,
        from: BlockId,
        condition: ValueId,
        (yes, values): (BlockId, &[ValueId]),
        no: BlockId,
    ) {
        let new = self.rw.registry.new_op("cf.cond_br");
        let new = new.operands("condition", [condition]);
        let new = new.operands("trueDestOperands", values.iter().copied()).build();
        self.end(from, new.successor(yes).successor(no));
    }

    /// What stands behind an op becomes a block of its own: the op's block and that one.
    fn split(&mut self, op: OpId) -> Option<(BlockId, BlockId)> {
        let block = self.rw.body.parent_block(op)?;
        let rest = self.rw.split_block(op);
        Some((block, rest))
    }

    /// A block before another one with arguments for the results of an op.
    fn joining(&mut self, before: BlockId, op: OpId) -> Option<BlockId> {
        let body = &mut *self.rw.body;
        let types: Vec<Type> = body.results(op).map(|value| body.ty(value)).collect();
        if types.is_empty() {
            return Some(before);
        }
        let made = body.insert_block_after(body.prev_block(before)?);
        for ty in types {
            self.rw.add_block_arg(made, ty);
        }
        self.go(made, before, &[]);
        Some(made)
    }

    /// Moves the blocks of a region before another block; gives the first and the last.
    fn inline(&mut self, region: RegionId, before: BlockId) -> Option<(BlockId, BlockId)> {
        let body = &mut *self.rw.body;
        let to = body.block_parent(before)?;
        let blocks: Vec<BlockId> = body.blocks(region).collect();
        for &block in &blocks {
            body.detach_block(block);
            body.attach_block(block, to, Some(before));
        }
        Some((*blocks.first()?, *blocks.last()?))
    }

    /// Takes the terminator out of a block; gives what it handed on.
    fn take_end(&mut self, block: BlockId, name: &str) -> Option<Vec<ValueId>> {
        let last = self.rw.body.last_op(block).filter(|&op| self.rw.body.is(op, name))?;
        let values = self.rw.body.operands(last).collect();
        self.rw.erase(last);
        Some(values)
    }

    /// Moves a region before a block to which it goes with what it yields; gives its first block.
    fn inline_to(&mut self, region: RegionId, before: BlockId, to: BlockId) -> Option<BlockId> {
        let blocks: Vec<BlockId> = self.rw.body.blocks(region).collect();
        let (first, _) = self.inline(region, before)?;
        for block in blocks {
            if let Some(values) = self.take_end(block, "scf.yield") {
                self.go(block, to, &values);
            }
        }
        Some(first)
    }

    fn replace(&mut self, op: OpId, values: &[ValueId]) {
        self.rw.replace(op, values);
    }

    fn lower_if(&mut self, op: OpId) -> Option<()> {
        let condition = self.rw.body.operand(op, 0);
        let [yes, no] = self.rw.body.regions(op)[..] else { return None };
        let (block, rest) = self.split(op)?;
        let join = self.joining(rest, op)?;
        let first = self.inline_to(yes, join, join)?;
        let otherwise = match self.rw.body.first_block(no) {
            Some(_) => self.inline_to(no, join, join)?,
            None => join,
        };
        self.choose(block, condition, (first, &[]), otherwise);
        self.replace_by_arguments(op, join);
        Some(())
    }

    /// Replaces the results of an op by the arguments of the block that its regions go to.
    fn replace_by_arguments(&mut self, op: OpId, join: BlockId) {
        let values = self.rw.body.block_args(join).to_vec();
        self.replace(op, &values);
    }

    fn lower_for(&mut self, op: OpId) -> Option<()> {
        let operands: Vec<ValueId> = self.rw.body.operands(op).collect();
        let (&[lower, upper, step], carried) = operands.split_first_chunk::<3>()?;
        let is_unsigned = self.rw.body.attr(op, "unsignedCmp").is_some();
        let region = self.rw.body.region(op, 0)?;
        let (block, rest) = self.split(op)?;
        let first = self.rw.body.first_block(region)?;
        let condition = first;
        let inside = self.rw.split_block(self.rw.body.first_op(first)?);
        let last = self.rw.body.last_block(region)?;
        self.inline(region, rest)?;
        let args = self.rw.body.block_args(condition).to_vec();
        let (&counter, results) = args.split_first()?;
        let ty = self.rw.body.ty(counter);

        let yielded = self.take_end(last, "scf.yield")?;
        let add = self.end(last, NewOp::new("arith.addi").operands([counter, step]).result(ty));
        let mut next = vec![self.rw.body.result(add, 0)];
        next.extend(yielded);
        self.go(last, condition, &next);

        let mut start = vec![lower];
        start.extend(carried);
        self.go(block, condition, &start);

        let predicate = Attr::int(if is_unsigned { 6 } else { 2 }, Type::int(64));
        let compare = NewOp::new("arith.cmpi").operands([counter, upper]);
        let compare = compare.attr("predicate", predicate).result(Type::int(1));
        let compare = self.end(condition, compare);
        let goes_on = self.rw.body.result(compare, 0);
        self.choose(condition, goes_on, (inside, &[]), rest);
        self.replace(op, results);
        Some(())
    }

    fn lower_while(&mut self, op: OpId) -> Option<()> {
        let start: Vec<ValueId> = self.rw.body.operands(op).collect();
        let [before, after] = self.rw.body.regions(op)[..] else { return None };
        let (block, rest) = self.split(op)?;
        let (after, after_last) = self.inline(after, rest)?;
        let (before, before_last) = self.inline(before, after)?;
        self.go(block, before, &start);

        let values = self.take_end(before_last, "scf.condition")?;
        let (&condition, values) = values.split_first()?;
        let yielded = self.take_end(after_last, "scf.yield")?;
        if self.passes_on(after, &yielded) {
            // What comes after the condition does nothing.
            self.rw.erase_block(after);
            self.choose(before_last, condition, (before, values), rest);
        } else {
            self.choose(before_last, condition, (after, values), rest);
            self.go(after_last, before, &yielded);
        }
        self.replace(op, values);
        Some(())
    }

    /// Whether a block only hands its arguments on, in order.
    fn passes_on(&self, block: BlockId, values: &[ValueId]) -> bool {
        let body = &*self.rw.body;
        body.first_op(block).is_none() && body.block_args(block) == values
    }

    fn lower_switch(&mut self, op: OpId) -> Option<()> {
        let index = self.rw.body.operand(op, 0);
        let cases = self.rw.body.attr(op, "cases")?.as_dense_array()?.to_vec();
        let regions = self.rw.body.regions(op).to_vec();
        let (&default, others) = regions.split_first()?;
        let types: Vec<Type> = {
            let body = &*self.rw.body;
            body.results(op).map(|value| body.ty(value)).collect()
        };
        let (block, rest) = self.split(op)?;
        for &ty in &types {
            self.rw.add_block_arg(rest, ty);
        }
        let mut targets = Vec::new();
        for &case in others {
            targets.push(self.inline_to(case, rest, rest)?);
        }
        let default = self.inline_to(default, rest, rest)?;
        let flag = NewOp::new("arith.index_cast").operand(index).result(Type::int(64));
        let flag = self.end(block, flag);
        let flag = self.rw.body.result(flag, 0);
        let values = i64::try_from(cases.len()).ok()?;
        let ty = Type::vector(&[values], Type::int(64));
        let bytes = cases.iter().flat_map(|case| case.to_le_bytes()).collect();
        let new = self.rw.registry.new_op("cf.switch").operands("flag", [flag]);
        let new = new.attr("case_values", dense_attr(ty, bytes, false));
        let new = new.attr("case_operand_segments", Attr::i32_array(&vec![0; cases.len()]));
        let new = new.build().successor(default).successors(targets);
        self.end(block, new);
        self.replace_by_arguments(op, rest);
        Some(())
    }

    fn lower_region(&mut self, op: OpId) -> Option<()> {
        let region = self.rw.body.region(op, 0)?;
        let types: Vec<Type> = {
            let body = &*self.rw.body;
            body.results(op).map(|value| body.ty(value)).collect()
        };
        let (block, rest) = self.split(op)?;
        for &ty in &types {
            self.rw.add_block_arg(rest, ty);
        }
        let first = self.inline_to(region, rest, rest)?;
        self.go(block, first, &[]);
        self.replace_by_arguments(op, rest);
        Some(())
    }
}
