//! The `util` dialect.
