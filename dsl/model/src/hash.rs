//! The hash that tells whether compiled accessors and hooks still fit a definition.

use std::hash::{Hash, Hasher};

use tegula_schema::{DialectDef, Source, Str};

/// FNV-1a: the same on every machine and in every release of the compiler.
struct Fnv(u64);

impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

/// Hashes what accessors and hooks depend on: prose and places in the text do not count, nor does
/// what only the engine reads.
pub(crate) fn of(def: &DialectDef) -> u64 {
    let mut ops = def.ops.to_vec();
    for op in &mut ops {
        op.source = Source::default();
        (op.summary, op.description) = (Str::Borrowed(""), Str::Borrowed(""));
    }
    let mut types = def.types.to_vec();
    for ty in &mut types {
        ty.source = Source::default();
        (ty.summary, ty.description) = (Str::Borrowed(""), Str::Borrowed(""));
    }
    let mut attrs = def.attrs.to_vec();
    for attr in &mut attrs {
        attr.source = Source::default();
        (attr.summary, attr.description) = (Str::Borrowed(""), Str::Borrowed(""));
    }
    let mut hasher = Fnv(0xcbf2_9ce4_8422_2325);
    (&def.name, ops, types, attrs, &def.enums).hash(&mut hasher);
    hasher.finish()
}
