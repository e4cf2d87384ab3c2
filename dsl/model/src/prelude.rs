//! The `.td` files that dialects include, built in.

/// The files by the name under which they are included.
pub const FILES: &[(&str, &str)] = &[
    ("tegula/AttrTypeBase.td", include_str!("../../prelude/tegula/AttrTypeBase.td")),
    ("tegula/Attrs.td", include_str!("../../prelude/tegula/Attrs.td")),
    ("tegula/Constraints.td", include_str!("../../prelude/tegula/Constraints.td")),
    ("tegula/Instr.td", include_str!("../../prelude/tegula/Instr.td")),
    ("tegula/OpBase.td", include_str!("../../prelude/tegula/OpBase.td")),
    ("tegula/Patterns.td", include_str!("../../prelude/tegula/Patterns.td")),
    ("tegula/Passes.td", include_str!("../../prelude/tegula/Passes.td")),
    ("tegula/Target.td", include_str!("../../prelude/tegula/Target.td")),
    ("tegula/Traits.td", include_str!("../../prelude/tegula/Traits.td")),
    ("tegula/Types.td", include_str!("../../prelude/tegula/Types.td")),
];
