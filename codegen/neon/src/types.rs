//! The register types.

use std::sync::LazyLock;

use tegula_ir::Type;

/// The types by name; selection asks for them at every instruction.
struct Types {
    x: Type,
    w: Type,
    v128: Type,
    s: Type,
    flags: Type,
}

static TYPES: LazyLock<Types> = LazyLock::new(|| Types {
    x: Type::dialect("neon.x", &[]),
    w: Type::dialect("neon.w", &[]),
    v128: Type::dialect("neon.v128", &[]),
    s: Type::dialect("neon.s", &[]),
    flags: Type::dialect("neon.flags", &[]),
});

/// `!neon.x`
pub fn x() -> Type {
    TYPES.x
}

/// `!neon.w`
pub fn w() -> Type {
    TYPES.w
}

/// `!neon.v128`
pub fn v128() -> Type {
    TYPES.v128
}

/// `!neon.s`
pub fn s() -> Type {
    TYPES.s
}

/// `!neon.flags`
pub fn flags() -> Type {
    TYPES.flags
}
