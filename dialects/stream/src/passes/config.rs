//! What a device asks of the resources on it.

/// Limits and alignments of resources, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ResourceConfig {
    /// Offsets of bindings into a buffer are multiples of this.
    pub(crate) offset_alignment: i64,
    /// Lengths of bindings are multiples of this.
    pub(crate) range_alignment: i64,
    /// The width of `index` in device code.
    pub(crate) index_bits: u32,
    /// Bindings that are written may share a buffer binding with others.
    pub(crate) alias_mutable_bindings: bool,
}

impl Default for ResourceConfig {
    /// The host's own memory: cache lines and 64-bit addresses.
    fn default() -> Self {
        ResourceConfig {
            offset_alignment: 64,
            range_alignment: 64,
            index_bits: 64,
            alias_mutable_bindings: false,
        }
    }
}
