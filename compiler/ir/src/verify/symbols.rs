//! Symbol tables inside of a body.

use crate::{Attr, AttrData, Body, Ident, OpId, Registry};

/// The op with a symbol table around an op, itself excluded; none when that is the module.
pub fn symbol_table_of(registry: &Registry, body: &Body, op: OpId) -> Option<OpId> {
    let mut at = body.parent_op(op);
    while let Some(parent) = at {
        if registry.op(body.name(parent)).is_some_and(|info| info.symbol_table) {
            return Some(parent);
        }
        at = body.parent_op(parent);
    }
    None
}

/// The op of the body that a symbol reference at `from` names. The tables around `from` are asked
/// from the inside out; none when the symbol is not in this body.
pub fn resolve_symbol(registry: &Registry, body: &Body, from: OpId, symbol: Attr) -> Option<OpId> {
    let AttrData::SymbolRef { root, nested } = symbol.data() else { return None };
    let mut table = symbol_table_of(registry, body, from);
    let mut found = None;
    while found.is_none() {
        found = match table {
            Some(table) => in_table(body, table, root.as_str()),
            None => body
                .block_ops(body.top_block())
                .find(|&op| body.symbol_name(op) == Some(root.as_str())),
        };
        match table {
            Some(inner) => table = symbol_table_of(registry, body, inner),
            None => break,
        }
    }
    descend(body, found?, nested)
}

/// What a path of names leads to from an op.
pub(super) fn descend(body: &Body, from: OpId, path: &[Ident]) -> Option<OpId> {
    path.iter().try_fold(from, |at, name| in_table(body, at, name.as_str()))
}

/// The symbol of that name directly in an op's regions.
fn in_table(body: &Body, table: OpId, name: &str) -> Option<OpId> {
    let regions = body.regions(table);
    let blocks = regions.iter().flat_map(|&region| body.blocks(region));
    blocks.flat_map(|block| body.block_ops(block)).find(|&op| body.symbol_name(op) == Some(name))
}
