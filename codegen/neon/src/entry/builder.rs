//! Making functions of machine ops.

use tegula_ir::{Attr, BlockId, Body, Ident, InsertPoint, NewOp, OpId, Type, ValueId};

use super::{HostFunction, NoEntry};
use crate::asm::Visibility;
use crate::select::constant_ops;
use crate::types;

pub(super) struct Builder {
    body: Body,
    func: OpId,
    block: BlockId,
}

impl Builder {
    pub(super) fn new(symbol: Ident, params: usize) -> Builder {
        let inputs = vec![types::x(); params];
        let mut body = Body::new();
        let new = NewOp::new("func.func")
            .attr("sym_name", Attr::string(symbol.as_str()))
            .attr("function_type", Attr::ty(Type::function(&inputs, &[])))
            .regions(1);
        let func = body.insert(InsertPoint::End(body.top_block()), new);
        let region = body.regions(func)[0];
        let block = body.append_block(region);
        for ty in inputs {
            body.add_block_arg(block, ty);
        }
        Builder { body, func, block }
    }

    pub(super) fn finish(self, symbol: Ident) -> HostFunction {
        HostFunction { body: self.body, func: self.func, symbol, visibility: Visibility::Global }
    }

    pub(super) fn params(&self) -> Vec<ValueId> {
        self.body.block_args(self.block).to_vec()
    }

    /// A block at the end of the function.
    pub(super) fn block(&mut self) -> BlockId {
        self.body.append_block(self.body.regions(self.func)[0])
    }

    /// Goes on in another block.
    pub(super) fn enter(&mut self, block: BlockId) {
        self.block = block;
    }

    pub(super) fn op(&mut self, new: NewOp) -> OpId {
        self.body.insert(InsertPoint::End(self.block), new)
    }

    /// An op with one result in a general-purpose register.
    pub(super) fn value(&mut self, new: NewOp) -> ValueId {
        let op = self.op(new.result(types::x()));
        self.body.result(op, 0)
    }

    pub(super) fn constant(&mut self, value: i64) -> ValueId {
        let (first, rest) = constant_ops(value);
        let mut made = self.value_of(first);
        for part in rest {
            made = self.value_of(part.operand(made));
        }
        made
    }

    /// Loads 8 bytes.
    pub(super) fn load(&mut self, base: ValueId, offset: i64) -> ValueId {
        let load = NewOp::new("neon.ldr_x").operand(base).attr("offset", Attr::i64(offset));
        self.value(load)
    }

    /// Stores 8 bytes.
    pub(super) fn store(&mut self, value: ValueId, base: ValueId, offset: i64) {
        let store = NewOp::new("neon.str_x").operands([value, base]);
        self.op(store.attr("offset", Attr::i64(offset)));
    }

    /// An op that has its result type already.
    pub(super) fn value_of(&mut self, new: NewOp) -> ValueId {
        let op = self.op(new);
        self.body.result(op, 0)
    }

    pub(super) fn add(&mut self, value: ValueId, offset: i64) -> ValueId {
        match offset {
            0 => value,
            1..=4095 => {
                self.value(NewOp::new("neon.add_imm").operand(value).attr("imm", Attr::i64(offset)))
            }
            _ => {
                let offset = self.constant(offset);
                self.value(NewOp::new("neon.add_x").operands([value, offset]))
            }
        }
    }

    pub(super) fn frame(&mut self, bytes: i64) -> ValueId {
        self.value(NewOp::new("neon.frame_address").attr("size", Attr::i64(bytes)))
    }

    fn call_op(callee: Ident, args: &[ValueId]) -> NewOp {
        NewOp::new("neon.bl")
            .operands(args.iter().copied())
            .attr("callee", Attr::symbol(callee.as_str()))
    }

    pub(super) fn call(&mut self, callee: Ident, args: &[ValueId]) {
        self.op(Self::call_op(callee, args));
    }

    pub(super) fn call_value(&mut self, callee: Ident, args: &[ValueId]) -> ValueId {
        self.value(Self::call_op(callee, args))
    }

    pub(super) fn branch_if_zero(&mut self, value: ValueId, yes: BlockId, no: BlockId) {
        let sizes = Attr::i32_array(&[1, 0, 0]);
        let new = NewOp::new("neon.cbz").operand(value).attr("operandSegmentSizes", sizes);
        self.op(new.successor(yes).successor(no));
    }

    /// Runs `step` `count` times over carried values; gives them as they are afterwards.
    fn repeat(
        &mut self,
        count: i64,
        carried: &[ValueId],
        step: impl FnOnce(&mut Builder, &[ValueId]) -> Vec<ValueId>,
    ) -> Vec<ValueId> {
        if count <= 0 {
            return carried.to_vec();
        }
        let left = self.constant(count);
        let (header, exit) = (self.block(), self.block());
        let left_arg = self.body.add_block_arg(header, types::x());
        let args: Vec<ValueId> =
            carried.iter().map(|_| self.body.add_block_arg(header, types::x())).collect();
        let out: Vec<ValueId> =
            carried.iter().map(|_| self.body.add_block_arg(exit, types::x())).collect();
        let enter = NewOp::new("neon.b").operand(left).operands(carried.iter().copied());
        self.op(enter.successor(header));
        self.enter(header);
        let next = step(self, &args);
        let down = NewOp::new("neon.subs_imm").operand(left_arg).attr("imm", Attr::i64(1));
        let down = self.op(down.result(types::x()).result(types::flags()));
        let (left, flags) = (self.body.result(down, 0), self.body.result(down, 1));
        let count = next.len() as i32;
        let back = NewOp::new("neon.b_cond")
            .operand(flags)
            .operand(left)
            .operands(next.iter().copied())
            .operands(next.iter().copied())
            .attr("cond", Attr::string("ne"))
            .attr("operandSegmentSizes", Attr::i32_array(&[1, count + 1, count]));
        self.op(back.successor(header).successor(exit));
        self.enter(exit);
        out
    }

    /// Copies bytes, 16 at a time and then 4.
    pub(super) fn copy(&mut self, from: ValueId, to: ValueId, bytes: i64) -> Result<(), NoEntry> {
        whole_words(bytes)?;
        let ends = self.repeat(bytes / 16, &[from, to], |b, at| {
            let load = NewOp::new("neon.ldr_q_post").operand(at[0]).attr("offset", Attr::i64(16));
            let load = b.op(load.result(types::v128()).result(types::x()));
            let (value, from) = (b.body.result(load, 0), b.body.result(load, 1));
            vec![from, b.store_and_advance(value, at[1])]
        });
        for offset in (0..bytes % 16).step_by(4) {
            let offset = Attr::i64(offset);
            let load = NewOp::new("neon.ldr_s").operand(ends[0]).attr("offset", offset);
            let value = self.value_of(load.result(types::s()));
            let store = NewOp::new("neon.str_s").operands([value, ends[1]]);
            self.op(store.attr("offset", offset));
        }
        Ok(())
    }

    /// Fills bytes with a pattern of four.
    pub(super) fn fill(&mut self, to: ValueId, bytes: i64, pattern: u32) -> Result<(), NoEntry> {
        whole_words(bytes)?;
        let part = |name: &'static str, at: u32| {
            NewOp::new(name)
                .attr("imm", Attr::i64((pattern >> at & 0xffff).into()))
                .attr("shift", Attr::i64(at.into()))
                .result(types::w())
        };
        let low = self.value_of(part("neon.movz_w", 0));
        let word = self.value_of(part("neon.movk_w", 16).operand(low));
        let all = NewOp::new("neon.dup_w_4s").operand(word).result(types::v128());
        let all = self.value_of(all);
        let one = NewOp::new("neon.fmov_s_w").operand(word).result(types::s());
        let one = self.value_of(one);
        let end = self.repeat(bytes / 16, &[to], |b, at| vec![b.store_and_advance(all, at[0])]);
        for offset in (0..bytes % 16).step_by(4) {
            let store = NewOp::new("neon.str_s").operands([one, end[0]]);
            self.op(store.attr("offset", Attr::i64(offset)));
        }
        Ok(())
    }

    fn store_and_advance(&mut self, value: ValueId, to: ValueId) -> ValueId {
        let store = NewOp::new("neon.str_q_post").operands([value, to]);
        self.value(store.attr("offset", Attr::i64(16)))
    }
}

fn whole_words(bytes: i64) -> Result<(), NoEntry> {
    if bytes % 4 == 0 {
        return Ok(());
    }
    Err(NoEntry(format!("a copy or fill of {bytes} bytes, which is no multiple of 4")))
}
