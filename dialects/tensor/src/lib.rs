//! The `tensor` dialect.
