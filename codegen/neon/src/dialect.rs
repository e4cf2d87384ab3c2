//! The dialect's tables, generated from `neon.td`.

/// The dialect as it is installed.
pub fn entry() -> tegula_ir::DialectEntry {
    tegula_ir::DialectEntry { def: std::borrow::Cow::Owned(Default::default()), hooks: Default::default() }
}
