//! Instructions while a program is made, with the lines that they come from.

use std::borrow::Cow;

use tegula_schema::{Block, Inst};

/// A sequence of instructions.
#[derive(Clone, Debug, Default)]
pub(super) struct Stream {
    pub(super) code: Vec<Inst>,
    pub(super) lines: Vec<u32>,
}

impl Stream {
    pub(super) fn push(&mut self, inst: Inst, line: u32) {
        self.code.push(inst);
        self.lines.push(line);
    }

    pub(super) fn append(&mut self, mut other: Stream) {
        self.code.append(&mut other.code);
        self.lines.append(&mut other.lines);
    }

    pub(super) fn len(&self) -> usize {
        self.code.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.code.is_empty()
    }

    /// Whether an instruction may fail, so that it had better be tried before anything is edited.
    pub(super) fn may_fail(&self) -> bool {
        self.code.iter().any(|inst| {
            !matches!(
                inst,
                Inst::TypeOf { .. }
                    | Inst::Literal { .. }
                    | Inst::TypeLiteral { .. }
                    | Inst::Absent { .. }
                    | Inst::Concat { .. }
                    | Inst::Count { .. }
                    | Inst::Positions { .. }
                    | Inst::Unique { .. }
                    | Inst::TypeAttr { .. }
            )
        })
    }

    pub(super) fn block(self) -> Block {
        Block { code: Cow::Owned(self.code), lines: Cow::Owned(self.lines) }
    }
}
