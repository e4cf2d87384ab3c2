//! The order in which values of a function are defined.

use tegula_ir::{BlockId, Body, OpId, ValueId};

/// A number for each value; of two values that are both visible at some place, the one with the
/// smaller number is defined earlier. A region's values come before its op's results.
pub(super) struct Order(Vec<u32>);

impl Order {
    pub(super) fn new(body: &Body, func: OpId) -> Order {
        let mut order = Order(vec![0; body.bounds().1]);
        let mut next = 1;
        // Work that is left, the next on top: enter a block, or number an op's results.
        enum Step {
            Enter(BlockId),
            Op(OpId),
            Results(OpId),
        }
        let mut stack = vec![Step::Op(func)];
        while let Some(step) = stack.pop() {
            let mut number = |value: ValueId| {
                order.0[value.index()] = next;
                next += 1;
            };
            match step {
                Step::Enter(block) => {
                    body.block_args(block).iter().copied().for_each(&mut number);
                    let from = stack.len();
                    stack.extend(body.block_ops(block).map(Step::Op));
                    stack[from..].reverse();
                }
                Step::Op(op) => {
                    stack.push(Step::Results(op));
                    for &region in body.regions(op).iter().rev() {
                        let from = stack.len();
                        stack.extend(body.blocks(region).map(Step::Enter));
                        stack[from..].reverse();
                    }
                }
                Step::Results(op) => body.results(op).for_each(&mut number),
            }
        }
        order
    }

    pub(super) fn of(&self, value: ValueId) -> u32 {
        self.0.get(value.index()).copied().unwrap_or(u32::MAX)
    }
}
