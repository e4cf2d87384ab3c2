//! The language server: protocol only.
