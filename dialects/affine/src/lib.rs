//! The `affine` dialect.
