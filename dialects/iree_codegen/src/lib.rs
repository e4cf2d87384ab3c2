//! The `iree_codegen` dialect.
