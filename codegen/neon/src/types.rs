//! The register types.

use tegula_ir::Type;

/// `!neon.x`
pub fn x() -> Type {
    Type::dialect("neon.x", &[])
}

/// `!neon.w`
pub fn w() -> Type {
    Type::dialect("neon.w", &[])
}

/// `!neon.v128`
pub fn v128() -> Type {
    Type::dialect("neon.v128", &[])
}

/// `!neon.s`
pub fn s() -> Type {
    Type::dialect("neon.s", &[])
}

/// `!neon.flags`
pub fn flags() -> Type {
    Type::dialect("neon.flags", &[])
}
