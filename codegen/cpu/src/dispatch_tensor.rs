//! Dispatch tensors and the bindings behind them.

use tegula_ir::{Attr, AttrData, Body, OpId, Type, TypeData};

use crate::attrs;

pub(crate) const SUBSPAN: &str = "hal.interface.binding.subspan";
pub(crate) const LOAD: &str = "iree_tensor_ext.dispatch.tensor.load";
pub(crate) const STORE: &str = "iree_tensor_ext.dispatch.tensor.store";

const TYPE: &str = "iree_tensor_ext.dispatch.tensor";

/// The tensor type that a dispatch tensor is bound to.
pub(crate) fn bound_type(ty: Type) -> Option<Type> {
    ty.dialect_params(TYPE)?.iter().find_map(|p| p.as_type())
}

/// The same dispatch tensor bound to another type.
pub(crate) fn with_bound(ty: Type, bound: Type) -> Type {
    let Some(params) = ty.dialect_params(TYPE) else { return ty };
    let params: Vec<Attr> =
        params.iter().map(|&p| if p.as_type().is_some() { Attr::ty(bound) } else { p }).collect();
    Type::dialect(TYPE, &params)
}

/// Whether a dispatch tensor is only read.
pub(crate) fn is_readonly(ty: Type) -> bool {
    let params = ty.dialect_params(TYPE).unwrap_or(&[]);
    params.iter().any(|&p| attrs::enum_word(p) == Some("readonly"))
}

/// The offsets, sizes and strides of an access to all of a shape.
pub(crate) fn whole_access(shape: &[i64]) -> [(&'static str, Attr); 3] {
    [
        ("static_offsets", Attr::i64_array(&vec![0; shape.len()])),
        ("static_sizes", Attr::i64_array(shape)),
        ("static_strides", Attr::i64_array(&vec![1; shape.len()])),
    ]
}

/// The binding number of a subspan.
pub(crate) fn binding(body: &Body, subspan: OpId) -> Option<i64> {
    body.attr(subspan, "binding")?.as_int()
}

/// The memory space of a buffer that backs a binding: `#hal.descriptor_type<…>` with the type that
/// the subspan's pipeline layout gives the binding, a storage buffer when it has none.
pub(crate) fn memory_space(body: &Body, subspan: OpId) -> Attr {
    let descriptor = || {
        let layout = body.attr(subspan, "layout")?.dialect_params("hal.pipeline.layout")?;
        let bindings = layout.iter().find_map(|p| p.as_array())?;
        let number = usize::try_from(binding(body, subspan)?).ok()?;
        let params = bindings.get(number)?.dialect_params("hal.pipeline.binding")?;
        params.first()?.as_str()
    };
    let word = descriptor().unwrap_or("storage_buffer");
    Attr::dialect("hal.descriptor_type", &[Attr::string(word)])
}

/// The memref type of a tensor in a binding at a byte offset: the identity layout at offset 0, and
/// static strides with an unknown offset elsewhere.
pub(crate) fn memref_type(tensor: Type, byte_offset: Option<i64>, space: Attr) -> Option<Type> {
    let TypeData::RankedTensor { shape, element, encoding: None } = tensor.data() else {
        return None;
    };
    let layout = if byte_offset == Some(0) {
        None
    } else {
        let mut strides = vec![1i64; shape.len()];
        for dim in (1..shape.len()).rev() {
            strides[dim - 1] = strides[dim].checked_mul(shape[dim])?;
        }
        let offset = tegula_ir::DYNAMIC;
        Some(Attr::new(AttrData::Strided { strides: strides.into(), offset }))
    };
    Some(Type::memref(shape, *element, layout, Some(space)))
}
