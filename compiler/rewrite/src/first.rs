//! What a pattern asks first: which ops make the root's operands.
//!
//! Most patterns of an op are told apart by that. It is read from the program once, so that those
//! that cannot match are passed over without running theirs; the program stays what decides.

use tegula_ir::{Body, OpId, OpName, Registry};
use tegula_schema::{Arity, Inst, Reg, Segment};

use crate::constant_of;

/// What must make an operand of the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Maker {
    Op(OpName),
    Constant,
}

/// What the operands of a pattern's root must be made by.
#[derive(Clone, Debug, Default)]
pub(crate) struct First {
    makers: Vec<(usize, Maker)>,
}

impl First {
    /// Reads a program up to its first choice. What fails before one fails for good.
    pub(crate) fn of(code: &[Inst]) -> First {
        let mut first = First::default();
        let mut operands: Vec<(Reg, usize)> = Vec::new();
        for inst in code {
            let of = |value: Reg| operands.iter().find(|(reg, _)| *reg == value).map(|(_, i)| *i);
            let maker = match inst {
                Inst::Choice { .. } | Inst::Jump { .. } | Inst::Commit => break,
                Inst::Operand { op: 0, segment: Segment::Index(index), arity, into }
                    if *arity == Arity::One =>
                {
                    operands.push((*into, usize::from(*index)));
                    continue;
                }
                Inst::Def { value, name, .. } if !name.is_empty() => {
                    of(*value).map(|index| (index, Maker::Op(OpName::of(name))))
                }
                Inst::Constant { value, .. } => of(*value).map(|index| (index, Maker::Constant)),
                _ => None,
            };
            first.makers.extend(maker);
        }
        first
    }

    /// Whether the pattern could match the op.
    pub(crate) fn may_match(&self, registry: &Registry, body: &Body, root: OpId) -> bool {
        self.makers.iter().all(|&(index, maker)| {
            if index >= body.num_operands(root) {
                return false;
            }
            let value = body.operand(root, index);
            match maker {
                Maker::Op(name) => body.defining_op(value).is_some_and(|op| body.name(op) == name),
                Maker::Constant => constant_of(registry, body, value).is_some(),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;

    fn operand(index: u16, into: Reg) -> Inst {
        Inst::Operand { op: 0, segment: Segment::Index(index), arity: Arity::One, into }
    }

    fn def(value: Reg, into: Reg) -> Inst {
        Inst::Def { value, name: Cow::Borrowed("t.neg"), into }
    }

    #[test]
    fn reads_up_to_the_first_choice() {
        let code = [
            operand(1, 1),
            Inst::Constant { value: 1, into: 2 },
            operand(0, 3),
            def(3, 4),
            // An operand of an operand's maker is not the root's.
            Inst::Operand { op: 4, segment: Segment::Index(0), arity: Arity::One, into: 5 },
            def(5, 6),
            Inst::Choice { otherwise: 9 },
            operand(2, 7),
            def(7, 8),
            Inst::Commit,
        ];
        let neg = Maker::Op(OpName::of("t.neg"));
        assert_eq!(First::of(&code).makers, [(1, Maker::Constant), (0, neg)]);
    }
}
