//! Ids into a body's arenas.

use std::fmt;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub(crate) u32);

        impl $name {
            pub(crate) const NONE: $name = $name(u32::MAX);

            #[inline]
            pub(crate) fn some(self) -> Option<$name> {
                (self != Self::NONE).then_some(self)
            }

            /// The position in the arena, for side tables.
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }
    };
}

id! {
    /// An op of a body. Order of ids means nothing outside of side tables.
    OpId, "op"
}
id! {
    /// A block of a body.
    BlockId, "block"
}
id! {
    /// A region of a body.
    RegionId, "region"
}
id! {
    /// An SSA value of a body.
    ValueId, "value"
}
id! {
    /// One operand slot of a body: a use of a value.
    UseId, "use"
}
