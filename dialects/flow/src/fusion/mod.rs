//! Which ops share a dispatch: roots, and what is fused with them.

mod decide;
mod fusable;
mod group;

pub use decide::decide;
pub use group::{Group, MOST_OPERANDS};

/// What may be fused.
#[derive(Clone, Copy, Debug)]
pub struct FusionOptions {
    /// What not every backend can compile.
    pub aggressive: bool,
    /// Producers that several ops use.
    pub multi_use_producers: bool,
    /// Padding with convolutions of what is padded.
    pub pad_with_consumers: bool,
    /// Padding with what makes the padded tensor.
    pub pad_with_producers: bool,
}
