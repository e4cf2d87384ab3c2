//! What a rewriter tells.

use tegula_ir::{BlockId, Body, OpId, ValueId};

/// Hears of every edit. An event comes after the edit, except where its text says otherwise.
pub trait Listener {
    /// An op was made and is attached.
    fn op_inserted(&mut self, _body: &Body, _op: OpId) {}
    /// An op that was there is elsewhere now; mostly that is as if it had been made there.
    fn op_moved(&mut self, body: &Body, op: OpId) {
        self.op_inserted(body, op);
    }
    /// Operands, attributes, successors, result types or regions of an op changed in place.
    fn op_modified(&mut self, _body: &Body, _op: OpId) {}
    /// The op's results are about to be replaced by these values.
    fn op_replaced(&mut self, _body: &Body, _op: OpId, _values: &[ValueId]) {}
    /// The op is about to be erased; its operands and regions can still be read. Ops in its
    /// regions are announced too, inner before outer.
    fn op_erased(&mut self, _body: &Body, _op: OpId) {}
    /// A block was made or moved.
    fn block_inserted(&mut self, _body: &Body, _block: BlockId) {}
    /// The block is about to be erased; its ops have been announced.
    fn block_erased(&mut self, _body: &Body, _block: BlockId) {}
    /// A pattern looked at the op and did not apply, for the reason given.
    fn match_failed(&mut self, _body: &Body, _op: OpId, _reason: &str) {}
}

/// Hears nothing.
pub struct NoListener;

impl Listener for NoListener {}
