//! Bodies: the arena of one top-level op.
//!
//! Ops, blocks, regions, values and operand slots live in dense arrays and are named by `u32` ids.
//! What an op is (`OpNode`) stands apart from where it comes from (the location table), so that
//! equal programs compare equal wherever they were written. Erased entries stay in the arrays until
//! the body is frozen, or until a new op takes their place once they are forgotten
//! ([`Body::forget`]); ids of erased entries must not be used.
//!
//! The top region of a body has one block, which holds the top-level op (or, rarely, several ops
//! that use each other's results).

mod edit;
mod freeze;
mod ids;
mod locs;
mod room;
mod uses;
mod view;
mod walk;

pub use edit::{InsertPoint, NewOp};
pub use freeze::FrozenBody;
pub use ids::*;
pub(crate) use locs::{Locs, Place};
pub use uses::Uses;
pub use view::{ValueDefinition, ValueKind};
pub use walk::{BlockOps, RegionBlocks, Walk};

use std::sync::atomic::{AtomicU64, Ordering};

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use thin_vec::ThinVec;

use crate::{Attr, OpName, Type};

/// One line of the processor's cache: few ops have regions or successors, so those stand elsewhere.
#[derive(Clone, Debug)]
pub(crate) struct OpNode {
    pub(crate) name: OpName,
    pub(crate) parent: BlockId,
    pub(crate) prev: OpId,
    pub(crate) next: OpId,
    pub(crate) first_operand: u32,
    pub(crate) num_operands: u32,
    pub(crate) first_result: u32,
    pub(crate) num_results: u32,
    pub(crate) attrs: Attr,
    pub(crate) regions: ThinVec<RegionId>,
    pub(crate) successors: ThinVec<BlockId>,
    pub(crate) erased: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct ValueNode {
    pub(crate) ty: Type,
    pub(crate) first_use: UseId,
    pub(crate) kind: ValueKind,
}

#[derive(Clone, Debug)]
pub(crate) struct UseNode {
    pub(crate) value: ValueId,
    pub(crate) owner: OpId,
    pub(crate) prev: UseId,
    pub(crate) next: UseId,
}

#[derive(Clone, Debug)]
pub(crate) struct BlockNode {
    pub(crate) parent: RegionId,
    pub(crate) prev: BlockId,
    pub(crate) next: BlockId,
    pub(crate) first_op: OpId,
    pub(crate) last_op: OpId,
    pub(crate) args: SmallVec<[ValueId; 4]>,
}

#[derive(Clone, Debug)]
pub(crate) struct RegionNode {
    pub(crate) parent: OpId,
    pub(crate) first_block: BlockId,
    pub(crate) last_block: BlockId,
}

/// The arena of one top-level op.
#[derive(Clone, Debug)]
pub struct Body {
    pub(crate) ops: Vec<OpNode>,
    pub(crate) values: Vec<ValueNode>,
    pub(crate) uses: Vec<UseNode>,
    pub(crate) blocks: Vec<BlockNode>,
    pub(crate) regions: Vec<RegionNode>,
    /// The location of each op, by op id; kept apart so that it never decides equality.
    pub(crate) locs: Locs,
    /// The locations of block arguments that have one.
    pub(crate) arg_locs: FxHashMap<ValueId, Attr>,
    /// Erased ops of one result, whose places and whose results' places are free.
    pub(crate) forgotten: Vec<OpId>,
    /// Tells the body from others, whatever becomes of it.
    pub(crate) lineage: u64,
}

/// The number of bodies that were made.
static MADE: AtomicU64 = AtomicU64::new(0);

impl Default for Body {
    fn default() -> Self {
        Body::new()
    }
}

impl Body {
    /// What tells the body from others that were made in this process, as long as it is edited: a
    /// body without a symbol is known again by it. It decides nothing that is compiled.
    pub fn lineage(&self) -> u64 {
        self.lineage
    }

    /// An empty body: a top region with one empty block.
    pub fn new() -> Body {
        let mut body = Body {
            lineage: MADE.fetch_add(1, Ordering::Relaxed),
            ops: Vec::new(),
            values: Vec::new(),
            uses: Vec::new(),
            blocks: Vec::new(),
            regions: Vec::new(),
            locs: Locs::default(),
            arg_locs: FxHashMap::default(),
            forgotten: Vec::new(),
        };
        let region = body.new_region(OpId::NONE);
        body.append_block(region);
        body
    }

    /// The region that holds everything.
    pub fn top_region(&self) -> RegionId {
        RegionId(0)
    }

    /// The block that holds the top-level op.
    pub fn top_block(&self) -> BlockId {
        BlockId(0)
    }

    /// The top-level op; none in an empty body.
    pub fn root(&self) -> Option<OpId> {
        self.first_op(self.top_block())
    }
}
