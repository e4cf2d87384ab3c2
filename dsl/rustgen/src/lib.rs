//! Schema tables to Rust statics and typed wrappers.
