//! Dominance between ops and values of a body.

use petgraph::algo::dominators::{self, Dominators};
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashMap;
use tegula_ir::{BlockId, Body, OpId, RegionId, ValueId, ValueKind};

/// Dominance of a body as it was when this was made; edits that keep all blocks and edges keep it
/// valid. Trees are computed for regions of several blocks only.
#[derive(Default)]
pub struct Dominance {
    trees: FxHashMap<RegionId, Tree>,
}

struct Tree {
    nodes: FxHashMap<BlockId, NodeIndex>,
    dominators: Dominators<NodeIndex>,
}

impl Dominance {
    /// The dominance of all regions.
    pub fn new(body: &Body) -> Dominance {
        let mut trees = FxHashMap::default();
        for op in body.walk_all() {
            for &region in body.regions(op) {
                if let Some(tree) = tree(body, region) {
                    trees.insert(region, tree);
                }
            }
        }
        Dominance { trees }
    }

    /// Whether every way to block `b` passes block `a` of the same region; a block dominates
    /// itself, and everything dominates a block that cannot be reached.
    pub fn block_dominates(&self, body: &Body, a: BlockId, b: BlockId) -> bool {
        if a == b {
            return true;
        }
        let Some(region) = body.block_parent(a) else { return false };
        if body.block_parent(b) != Some(region) {
            return false;
        }
        let Some(tree) = self.trees.get(&region) else { return false };
        let (Some(&a), Some(&b)) = (tree.nodes.get(&a), tree.nodes.get(&b)) else { return false };
        match tree.dominators.dominators(b) {
            Some(mut all) => all.any(|d| d == a),
            None => true,
        }
    }

    /// Whether op `a` comes before op `b` on every way to `b`. `b` may lie in regions of ops that
    /// `a` comes before. An op does not dominate itself.
    pub fn properly_dominates(&self, body: &Body, a: OpId, b: OpId) -> bool {
        let Some(block_a) = body.parent_block(a) else { return false };
        let Some(region) = body.block_parent(block_a) else { return false };
        // The op around `b`, or `b` itself, that lies in the region of `a`.
        let mut at = b;
        let block_b = loop {
            let Some(block) = body.parent_block(at) else { return false };
            if body.block_parent(block) == Some(region) {
                break block;
            }
            let Some(parent) = body.parent_op(at) else { return false };
            at = parent;
        };
        if at == a {
            return false;
        }
        if block_a == block_b {
            body.is_before_in_block(a, at)
        } else {
            self.block_dominates(body, block_a, block_b)
        }
    }

    /// Whether the block of op `a` dominates the block, in the same region, that holds op `b` or
    /// an op around it. For who visits ops in layout order and saw `a` first this is whether `a`
    /// comes before `b`, without looking through the block.
    pub fn block_dominates_op(&self, body: &Body, a: OpId, b: OpId) -> bool {
        let Some(block_a) = body.parent_block(a) else { return false };
        let region = body.block_parent(block_a);
        let mut at = b;
        loop {
            let Some(block) = body.parent_block(at) else { return false };
            if body.block_parent(block) == region {
                return self.block_dominates(body, block_a, block);
            }
            let Some(parent) = body.parent_op(at) else { return false };
            at = parent;
        }
    }

    /// Whether the value may be used by the op.
    pub fn value_dominates(&self, body: &Body, value: ValueId, user: OpId) -> bool {
        match body.definition(value) {
            ValueKind::Result(op, _) => self.properly_dominates(body, op, user),
            ValueKind::Arg(block, _) => {
                let Some(region) = body.block_parent(block) else { return false };
                let mut at = user;
                loop {
                    let Some(b) = body.parent_block(at) else { return false };
                    if body.block_parent(b) == Some(region) {
                        return self.block_dominates(body, block, b);
                    }
                    let Some(parent) = body.parent_op(at) else { return false };
                    at = parent;
                }
            }
        }
    }
}

fn tree(body: &Body, region: RegionId) -> Option<Tree> {
    let entry = body.first_block(region)?;
    body.next_block(entry)?;
    let mut graph = DiGraph::<BlockId, ()>::new();
    let nodes: FxHashMap<BlockId, NodeIndex> =
        body.blocks(region).map(|block| (block, graph.add_node(block))).collect();
    for block in body.blocks(region) {
        let Some(last) = body.last_op(block) else { continue };
        for successor in body.successors(last) {
            if let (Some(&from), Some(&to)) = (nodes.get(&block), nodes.get(successor)) {
                graph.add_edge(from, to, ());
            }
        }
    }
    let dominators = dominators::simple_fast(&graph, *nodes.get(&entry)?);
    Some(Tree { nodes, dominators })
}
