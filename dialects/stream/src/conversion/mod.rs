//! From tensors to resources: `iree-stream-conversion` and the passes that settle encodings.

mod convert_to_stream;
mod encode_host_tensors;
mod executables;
mod host;
mod layouts;
mod materialize_encodings;
mod specialize_encodings;

use tegula_pass::{PassImpl, PassRun};

/// The implementations of the passes, by name.
pub(crate) fn passes() -> Vec<PassImpl> {
    let pass = |name, run| PassImpl { name, run };
    vec![
        pass("iree-stream-conversion", PassRun::Local(convert_to_stream::run)),
        pass(
            "iree-stream-specialize-encodings",
            PassRun::BySubject(&specialize_encodings::SpecializeEncodings),
        ),
        pass("iree-stream-encode-host-tensors", PassRun::Local(encode_host_tensors::run)),
        pass("iree-stream-materialize-encodings", PassRun::Outline(materialize_encodings::run)),
    ]
}
