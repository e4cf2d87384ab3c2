//! Where the ops of a parsed text stand. The map is a value apart from the module: an edit that
//! only moves text changes the map and nothing else.

use std::sync::Arc;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use tegula_diag::{SourceId, Span};

use crate::{Attr, AttrData, Body, Ident, LocData, OpId};

/// The spans of the ops of one item, relative to its start.
#[derive(Clone, Debug, PartialEq, Eq)]
struct ItemSpans {
    source: SourceId,
    base: u32,
    spans: Arc<[(u32, u32)]>,
}

/// The spans of the ops of all items.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceMap {
    items: IndexMap<Ident, ItemSpans, FxBuildHasher>,
    module: Option<Span>,
}

impl SourceMap {
    /// An empty map.
    pub fn new() -> SourceMap {
        SourceMap::default()
    }

    /// Adds an item: where its text begins, and the spans of its ops in order of text.
    pub fn insert(&mut self, item: Ident, source: SourceId, base: u32, spans: Arc<[(u32, u32)]>) {
        self.items.insert(item, ItemSpans { source, base, spans });
    }

    /// Adds where the head of the module stands that the text spells.
    pub fn set_module(&mut self, span: Span) {
        self.module = Some(span);
    }

    /// Where the head of the module stands; none where the module is implicit.
    pub fn module(&self) -> Option<Span> {
        self.module
    }

    /// The span of the n-th op of an item.
    pub fn span(&self, item: Ident, ordinal: u32) -> Option<Span> {
        let item = self.items.get(&item)?;
        let &(start, end) = item.spans.get(ordinal as usize)?;
        Some(Span::new(item.source, item.base + start, item.base + end))
    }

    /// The span that a location names, or the first that it is made of.
    pub fn locate(&self, loc: Attr) -> Option<Span> {
        let AttrData::Loc(data) = loc.data() else { return None };
        match data {
            LocData::Item { item, ordinal } => self.span(*item, *ordinal),
            LocData::Name(_, child) => self.locate(*child),
            LocData::CallSite(callee, caller) => {
                self.locate(*callee).or_else(|| self.locate(*caller))
            }
            LocData::Fused(_, locs) => locs.iter().find_map(|&loc| self.locate(loc)),
            LocData::Unknown | LocData::File { .. } => None,
        }
    }

    /// The span of an op.
    pub fn op_span(&self, body: &Body, op: OpId) -> Option<Span> {
        self.locate(body.loc(op))
    }

    /// The op of a body that begins at or spans an offset, innermost first.
    pub fn op_at(&self, body: &Body, source: SourceId, offset: u32) -> Option<OpId> {
        let mut best: Option<(u32, OpId)> = None;
        for op in body.walk_all() {
            let Some(span) = self.op_span(body, op) else { continue };
            if span.source == source
                && span.touches(offset)
                && best.is_none_or(|(len, _)| span.len() <= len)
            {
                best = Some((span.len(), op));
            }
        }
        best.map(|(_, op)| op)
    }
}
