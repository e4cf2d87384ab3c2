//! What the tests of this crate share.

use std::sync::OnceLock;

use tegula_ir::{Body, InsertPoint, NewOp, OpId, Registry, Type, ValueId};

/// A registry with the dialect of this crate.
pub(crate) fn registry() -> Registry {
    static REGISTRY: OnceLock<Registry> = OnceLock::new();
    REGISTRY.get_or_init(|| Registry::new([crate::entry()])).clone()
}

/// A function without a body yet: its op and its entry block.
pub(crate) fn function(name: &str, inputs: &[Type]) -> (Body, OpId, tegula_ir::BlockId) {
    let mut body = Body::new();
    let at = InsertPoint::End(body.top_block());
    let new = NewOp::new("func.func")
        .attr("sym_name", tegula_ir::Attr::string(name))
        .attr("function_type", tegula_ir::Attr::ty(Type::function(inputs, &[])))
        .regions(1);
    let func = body.insert(at, new);
    let region = body.region(func, 0).unwrap();
    let entry = body.append_block(region);
    for &ty in inputs {
        body.add_block_arg(entry, ty);
    }
    (body, func, entry)
}

/// Appends an op to a block and returns its results.
pub(crate) fn push(body: &mut Body, block: tegula_ir::BlockId, new: NewOp) -> Vec<ValueId> {
    let op = body.insert(InsertPoint::End(block), new);
    body.results(op).collect()
}

/// Settings for snapshots of this crate.
pub(crate) fn snapshots() -> insta::Settings {
    let mut settings = insta::Settings::clone_current();
    settings
        .set_snapshot_path(concat!(env!("CARGO_MANIFEST_DIR"), "/../../snapshots/codegen/neon"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings
}

/// `dense<[…]> : vector<nxf32>`
pub(crate) fn f32_vector(values: &[f32]) -> tegula_ir::Attr {
    let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
    tegula_ir::Attr::new(tegula_ir::AttrData::Dense {
        ty: Type::vector(&[values.len() as i64], Type::f32()),
        data: tegula_ir::DenseData::Bytes(bytes.into()),
    })
}
