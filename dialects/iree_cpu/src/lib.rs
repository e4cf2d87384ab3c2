//! The `iree_cpu` dialect.
