//! The `flow` dialect.
