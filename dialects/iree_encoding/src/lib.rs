//! The `iree_encoding` dialect.
