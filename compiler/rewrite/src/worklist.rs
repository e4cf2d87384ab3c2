//! The greedy driver's worklist.

use tegula_ir::{Body, OpId, RegionId};

use crate::Listener;

/// A stack of ops without duplicates, fed by the events of a rewriter.
///
/// An op that is pushed again keeps its place. Ops outside of the scope are ignored; with an op its
/// ancestors inside of the scope are pushed.
pub(crate) struct Worklist {
    scope: RegionId,
    stack: Vec<Option<OpId>>,
    /// Where in the stack an op is, by its id; [`NOWHERE`] when it is not there.
    places: Vec<u32>,
    pub(crate) edits: usize,
    /// The ops that were made or changed since this was last emptied.
    pub(crate) touched: Vec<OpId>,
    /// The number of ops of which somebody else may know.
    known: usize,
    /// What was erased and is not forgotten yet.
    erased: Vec<OpId>,
}

const NOWHERE: u32 = u32::MAX;

impl Worklist {
    pub(crate) fn new(body: &Body, scope: RegionId) -> Worklist {
        let (known, ..) = body.bounds();
        let (stack, places, touched, erased) = Default::default();
        Worklist { scope, stack, places, edits: 0, touched, known, erased }
    }

    /// The ops that were made or changed, to keep.
    pub(crate) fn take_touched(&mut self, body: &Body) -> Vec<OpId> {
        (self.known, ..) = body.bounds();
        std::mem::take(&mut self.touched)
    }

    /// Lets new ops take the places of erased ones of which nobody knows. Whoever calls this holds
    /// none of them.
    pub(crate) fn forget_erased(&mut self, body: &mut Body) {
        let unknown = |op: &OpId| op.index() >= self.known;
        self.erased.drain(..).filter(unknown).for_each(|op| body.forget(op));
    }

    pub(crate) fn clear(&mut self) {
        self.stack.clear();
        self.places.clear();
    }

    /// Makes room for more ops at once.
    pub(crate) fn reserve(&mut self, count: usize) {
        self.stack.reserve(count);
    }

    /// Turns the stack upside down: what was pushed first is popped first.
    pub(crate) fn reverse(&mut self) {
        self.stack.retain(Option::is_some);
        self.stack.reverse();
        for (at, op) in self.stack.iter().flatten().enumerate() {
            self.places[op.index()] = at as u32;
        }
    }

    pub(crate) fn pop(&mut self) -> Option<OpId> {
        while let Some(slot) = self.stack.pop() {
            if let Some(op) = slot {
                self.places[op.index()] = NOWHERE;
                return Some(op);
            }
        }
        None
    }

    #[inline]
    pub(crate) fn push_one(&mut self, op: OpId) {
        if self.places.len() <= op.index() {
            // Ops are made one by one; room for many is made at once.
            self.places.resize((op.index() + 1).next_power_of_two(), NOWHERE);
        }
        let place = &mut self.places[op.index()];
        if *place == NOWHERE {
            *place = self.stack.len() as u32;
            self.stack.push(Some(op));
        }
    }

    fn remove(&mut self, op: OpId) {
        if let Some(place) = self.places.get_mut(op.index())
            && *place != NOWHERE
        {
            self.stack[*place as usize] = None;
            *place = NOWHERE;
        }
    }

    fn push(&mut self, body: &Body, op: OpId) {
        let region = body.parent_block(op).and_then(|block| body.block_parent(block));
        // Most ops stand right in the scope.
        if region == Some(self.scope) {
            self.push_one(op);
        } else {
            self.push_path(body, op);
        }
    }

    /// Pushes the op and its ancestors when it lies in the scope.
    fn push_path(&mut self, body: &Body, op: OpId) {
        let mut path = Vec::new();
        let mut at = op;
        loop {
            path.push(at);
            let Some(region) = body.parent_block(at).and_then(|block| body.block_parent(block))
            else {
                return;
            };
            if region == self.scope {
                break;
            }
            let Some(parent) = body.region_parent(region) else { return };
            at = parent;
        }
        for op in path {
            self.push_one(op);
        }
    }

    /// With the op gone its operands may be dead, or have one user left.
    fn push_operands(&mut self, body: &Body, op: OpId) {
        for value in body.operands(op) {
            let Some(def) = body.defining_op(value) else { continue };
            let mut others = body.users(value).filter(|&user| user != op);
            if others.next().is_none_or(|other| others.all(|user| user == other)) {
                self.push(body, def);
            }
        }
    }
}

impl Listener for Worklist {
    fn op_inserted(&mut self, body: &Body, op: OpId) {
        self.edits += 1;
        self.touched.push(op);
        self.push(body, op);
    }

    fn op_modified(&mut self, body: &Body, op: OpId) {
        self.edits += 1;
        self.touched.push(op);
        self.push(body, op);
    }

    fn op_erased(&mut self, body: &Body, op: OpId) {
        self.edits += 1;
        self.push_operands(body, op);
        self.remove(op);
        self.erased.push(op);
    }
}
