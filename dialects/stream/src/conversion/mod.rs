//! From tensors to resources: `iree-stream-conversion` and the passes that settle encodings.

mod convert_to_stream;
mod encode_host_tensors;
mod executables;
mod globals;
mod layouts;
mod materialize_encodings;
mod specialize_encodings;

use tegula_ir::{Type, TypeData};
use tegula_pass::{PassImpl, PassRun};
use tegula_rewrite::RewriteHooks;

/// The implementations of the passes, by name.
pub(crate) fn passes() -> Vec<PassImpl> {
    let pass = |name, run| PassImpl { name, run };
    vec![
        pass("iree-stream-conversion", PassRun::BySubject(&convert_to_stream::ConvertToStream)),
        pass(
            "iree-stream-specialize-encodings",
            PassRun::BySubject(&specialize_encodings::SpecializeEncodings),
        ),
        pass("iree-stream-encode-host-tensors", PassRun::Local(encode_host_tensors::run)),
        pass("iree-stream-materialize-encodings", PassRun::Outline(materialize_encodings::run)),
    ]
}

/// The hooks that the patterns of these passes name, beside others.
pub(crate) fn rewrites(hooks: RewriteHooks) -> RewriteHooks {
    layouts::rewrites(hooks)
}

/// Whether a type is that of a tensor.
fn is_tensor(ty: Type) -> bool {
    matches!(ty.data(), TypeData::RankedTensor { .. } | TypeData::UnrankedTensor { .. })
}
