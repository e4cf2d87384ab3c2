//! Functions of several blocks. Branches lead forward only, so that what is made ends.

use tegula_ir::{BlockId, OpId, OpInfo, Type};
use tegula_schema::Arity;

use crate::op::Asked;
use crate::types::SCALARS;
use crate::{Maker, stands_in};

/// How many blocks a function has at most.
const MOST: usize = 4;

impl<'r> Maker<'_, 'r> {
    /// Fills a function but for its end; gives the block that has to end it, or none when no branch
    /// could be made.
    pub(crate) fn branching(&mut self, function: OpId, entry: BlockId) -> Option<BlockId> {
        let name = self.body.name(function).as_str();
        let branches: Vec<&'r OpInfo> = self
            .smith
            .ops
            .iter()
            .copied()
            .filter(|info| info.terminator && !info.def().successors.is_empty())
            .filter(|info| stands_in(info, name))
            .collect();
        let mut blocks = vec![entry];
        if !branches.is_empty() && self.random.one_in(3) {
            let region = self.body.regions(function)[0];
            for _ in 0..1 + self.random.below(MOST - 1) {
                let block = self.body.append_block(region);
                for _ in 0..self.random.below(3) {
                    if let Some(ty) = self.argument_type() {
                        self.body.add_block_arg(block, ty);
                    }
                }
                blocks.push(block);
            }
        }
        blocks.iter().for_each(|&block| self.open(block));
        let share = self.left / blocks.len();
        for (at, &block) in blocks.iter().enumerate() {
            let rest = self.left.saturating_sub(share);
            let mut idle = 0;
            while self.left > rest && idle < 4 {
                if self.any(block, 0).is_none() {
                    idle += 1;
                }
            }
            if at + 1 < blocks.len() && !self.branch(block, &blocks[at + 1..], &branches) {
                return None;
            }
        }
        blocks.last().copied()
    }

    /// A type that values are likely to have.
    fn argument_type(&mut self) -> Option<Type> {
        let types = &self.smith.types.all;
        let at = self.random.below(types.len().min(SCALARS));
        types.get(at).copied()
    }

    /// Ends a block by going to the next one, perhaps also to others behind it.
    fn branch(&mut self, block: BlockId, behind: &[BlockId], branches: &[&'r OpInfo]) -> bool {
        (0..6).any(|_| {
            let Some(&info) = self.random.choose(branches) else { return false };
            let count: usize = info
                .def()
                .successors
                .iter()
                .map(|successor| match successor.arity {
                    Arity::One => 1,
                    Arity::Optional | Arity::Variadic => 0,
                })
                .sum();
            let mut successors: Vec<BlockId> =
                (0..count).filter_map(|_| self.random.choose(behind).copied()).collect();
            let at = self.random.below(count);
            match successors.get_mut(at) {
                Some(successor) => *successor = behind[0],
                None => return false,
            }
            let asked = Asked { successors, ..Asked::default() };
            self.make(info, block, &asked, 0).is_some()
        })
    }
}
