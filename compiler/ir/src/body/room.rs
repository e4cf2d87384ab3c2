//! How much memory the arrays of a body take while it is read from text.

use super::Body;

/// So many bytes of text have an op in them, about.
const TEXT_OF_OP: usize = 48;

/// Beyond so many ops nothing is known of a text by its length.
const MOST: usize = 1 << 20;

impl Body {
    /// Makes room in an empty body, so that its arrays mostly need not grow while the text is read.
    /// Memory that is never written costs nothing.
    pub(crate) fn make_room(&mut self, text: &str) {
        let ops = (text.len() / TEXT_OF_OP).min(MOST);
        self.ops.reserve(ops);
        self.values.reserve(ops);
        self.uses.reserve(ops + ops / 2);
        self.locs.reserve(ops);
    }

    /// Gives back the room that the arrays do not need. A module's bodies are all there before the
    /// first is printed, and each array would be a third larger than what it holds.
    pub(crate) fn trim(&mut self) {
        trim(&mut self.ops);
        trim(&mut self.values);
        trim(&mut self.uses);
        trim(&mut self.blocks);
        trim(&mut self.regions);
        self.locs.trim();
    }
}

/// Moves a list to where it has just the room that it needs. The allocator leaves a list that
/// shrinks a little where it is, but uses what is let go for the next body. Large lists end in
/// memory that was never written.
pub(super) fn trim<T>(list: &mut Vec<T>) {
    const LARGE: usize = 1 << 20;
    let unused = list.capacity() - list.len();
    if unused > list.len() / 16 && list.capacity() * size_of::<T>() < LARGE {
        let mut own = Vec::with_capacity(list.len());
        own.append(list);
        *list = own;
    }
}
