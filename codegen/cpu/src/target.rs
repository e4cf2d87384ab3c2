//! What code generation knows of the machine and of the run.

use tegula_dialect_iree_cpu::resolver::target_of;
use tegula_ir::{Attr, Body, OpId, Registry};

/// The numbers that tile sizes and loop shapes are functions of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CpuTarget {
    /// The width of a vector register in bytes.
    pub native_vector_bytes: i64,
    /// The number of vector registers.
    pub vector_registers: i64,
    /// Threads that distribution provides for.
    pub threads: i64,
    /// The largest tile of a distributed loop that no other rule bounds.
    pub distribution_size: i64,
    /// The bytes that the operands of a distributed contraction tile may take.
    pub matmul_tile_bytes: i64,
    /// How often the innermost loop of a contraction is repeated in its body.
    pub unroll: i64,
    /// The bytes of scratch that a dispatch may put on the stack.
    pub max_stack_bytes: i64,
}

impl Default for CpuTarget {
    /// A 128-bit SIMD machine with 32 vector registers, and IREE's defaults for distribution.
    fn default() -> Self {
        CpuTarget {
            native_vector_bytes: 16,
            vector_registers: 32,
            threads: 8,
            distribution_size: 64,
            matmul_tile_bytes: 256 * 1024,
            unroll: 4,
            max_stack_bytes: 32 * 1024,
        }
    }
}

impl CpuTarget {
    /// Takes over what the executable variant around an op says of its target, and what is known of
    /// that target.
    pub fn with_variant_of(mut self, registry: &Registry, body: &Body, op: OpId) -> CpuTarget {
        if let Some(config) = target_config_around(body, op) {
            let known = target_of(registry, config);
            let int = |name: &str| {
                let said = config.get(name).and_then(Attr::as_int);
                said.or_else(|| known.and_then(|target| target.param(name)))
            };
            if let Some(bytes) = int("native_vector_size").filter(|&b| b >= 4) {
                self.native_vector_bytes = bytes;
            }
            if let Some(bytes) = int("max_stack_allocation_size") {
                self.max_stack_bytes = bytes;
            }
        }
        self
    }

    /// Elements of that many bits in a vector register.
    pub fn lanes(&self, element_bits: i64) -> i64 {
        (self.native_vector_bytes * 8 / element_bits.max(1)).max(1)
    }

    /// The largest multi-dimensional vector, in elements, that may stand for a tile: one that the
    /// registers can hold.
    pub fn max_vector_elements(&self, element_bits: i64) -> i64 {
        self.lanes(element_bits) * self.vector_registers
    }
}

/// The configuration of the executable variant around an op.
pub(crate) fn target_config_around(body: &Body, op: OpId) -> Option<Attr> {
    let mut at = Some(op);
    while let Some(op) = at {
        if let Some(config) = target_config(body, op) {
            return Some(config);
        }
        at = body.parent_op(op);
    }
    None
}

/// The configuration in an executable variant's target.
fn target_config(body: &Body, op: OpId) -> Option<Attr> {
    let target = body.attr(op, "target")?;
    let params = target.dialect_params("hal.executable.target")?;
    params.iter().copied().find(|p| p.as_dict().is_some())
}
