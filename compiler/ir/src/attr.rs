//! Attributes.

use std::fmt;
use std::sync::{Arc, LazyLock, OnceLock};

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

use crate::interner::{handle, hash_of};
use crate::{AffineMap, Ident, IntegerSet, Type, WideInt};

handle! {
    /// An interned attribute.
    Attr => AttrNode.data: AttrData
}

struct AttrNode {
    data: AttrData,
    /// The first dictionary that was made of nothing but this attribute, under whatever name.
    alone: OnceLock<Attr>,
}

impl AttrNode {
    fn new(data: AttrData) -> AttrNode {
        AttrNode { data, alone: OnceLock::new() }
    }
}

/// What an attribute is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum AttrData {
    /// `unit`
    Unit,
    /// `4 : i32`, `true` (of type `i1`); the value is sign-extended from the type's width
    /// (zero-extended for unsigned types).
    Integer {
        /// The value.
        value: i128,
        /// An integer type or `index`.
        ty: Type,
    },
    /// `1 : i256`: the same of a type of more than 128 bits.
    WideInteger {
        /// The value.
        value: WideInt,
        /// An integer type.
        ty: Type,
    },
    /// `1.0 : f32`
    Float {
        /// The bits in the type's own format, in the low end.
        bits: u128,
        /// The float type.
        ty: Type,
    },
    /// `"text"`, `"text" : !type`
    String {
        /// The bytes, which text may escape; mostly UTF-8.
        text: Box<[u8]>,
        /// The type unless it is `none`.
        ty: Option<Type>,
    },
    /// `[a, b]`
    Array(Box<[Attr]>),
    /// `{a = 1, b}`: sorted by name, no name twice. Most have one entry.
    Dict(SmallVec<[(Ident, Attr); 1]>),
    /// `i32` as an attribute
    Type(Type),
    /// `@root::@nested`
    SymbolRef {
        /// The first name.
        root: Ident,
        /// The names below it.
        nested: Box<[Ident]>,
    },
    /// `affine_map<…>`
    AffineMap(AffineMap),
    /// `affine_set<…>`
    IntegerSet(IntegerSet),
    /// `dense<…> : type`
    Dense {
        /// The shaped type.
        ty: Type,
        /// The elements.
        data: DenseData,
    },
    /// `dense<["a"]> : type` of strings.
    DenseStrings {
        /// The shaped type.
        ty: Type,
        /// One string, or as many as elements.
        values: Box<[Box<[u8]>]>,
    },
    /// `array<i32: 1, 2>`
    DenseArray {
        /// `i1`, `i8` … `i64`, `f32`, `f64`.
        element: Type,
        /// Integers as such, floats as bits.
        values: Box<[i64]>,
    },
    /// `dense_resource<name> : type`
    DenseResource {
        /// The resource's key.
        key: Ident,
        /// Its bytes behind those of its alignment, where the text has them.
        blob: Option<Arc<[u8]>>,
        /// The shaped type.
        ty: Type,
    },
    /// `sparse<indices, values> : type`
    Sparse {
        /// The shaped type.
        ty: Type,
        /// A dense attribute of the indices.
        indices: Attr,
        /// A dense attribute of the values.
        values: Attr,
    },
    /// `strided<[4, 1], offset: ?>`; [`crate::DYNAMIC`] for `?`.
    Strided {
        /// Strides in elements.
        strides: Box<[i64]>,
        /// The offset in elements.
        offset: i64,
    },
    /// `distinct[0]<…>`
    Distinct {
        /// The number in brackets.
        id: u64,
        /// The attribute inside.
        inner: Attr,
    },
    /// A location as an attribute.
    Loc(LocData),
    /// `#dialect.name<params>`; parameters are stored in the order of the definition.
    Dialect {
        /// The full name without `#`.
        name: Ident,
        /// One attribute a parameter; absent optional ones are [`Attr::absent`].
        params: Box<[Attr]>,
    },
    /// A dialect attribute that no definition reads: `#dialect.` and balanced text.
    Opaque {
        /// The dialect.
        dialect: Ident,
        /// The text after the dialect's dot, aliases resolved.
        text: Box<str>,
    },
    /// Stands for an absent optional parameter; never printed.
    Absent,
}

/// The elements of a dense attribute, little-endian, each padded to whole bytes (`i1` is a byte).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum DenseData {
    /// All elements are this one.
    Splat(Box<[u8]>),
    /// The elements in row-major order.
    Bytes(Arc<[u8]>),
}

/// A location.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum LocData {
    /// `loc(unknown)`
    Unknown,
    /// Where a parsed op stands: the n-th op in the text of a top-level symbol. File positions are
    /// a separate value, so that an edit elsewhere does not change it.
    Item {
        /// The symbol, or a made-up name of an anonymous item.
        item: Ident,
        /// The position of the op among the ops of the item's text.
        ordinal: u32,
    },
    /// `loc("file":1:2)`, perhaps a range.
    File {
        /// The file's name.
        file: Ident,
        /// Line and column, from 1.
        start: (u32, u32),
        /// The end when it is a range.
        end: Option<(u32, u32)>,
    },
    /// `loc("name"(child))`
    Name(Ident, Attr),
    /// `loc(callsite(a at b))`
    CallSite(Attr, Attr),
    /// `loc(fused<meta>[a, b])`
    Fused(Option<Attr>, Box<[Attr]>),
}

impl LocData {
    /// `loc(fused<metadata>[locs])`: what is fused with the same metadata is taken apart, unknown
    /// places and repetitions are left out, and one place alone is itself.
    pub fn fused(metadata: Option<Attr>, locs: impl IntoIterator<Item = Attr>) -> Attr {
        let mut all: IndexSet<Attr, FxBuildHasher> = IndexSet::default();
        for loc in locs {
            match loc.data() {
                AttrData::Loc(LocData::Fused(inner, parts)) if *inner == metadata => {
                    all.extend(parts.iter().copied());
                }
                AttrData::Loc(LocData::Unknown) => {}
                _ => drop(all.insert(loc)),
            }
        }
        let mut all: Vec<Attr> = all.into_iter().collect();
        if all.is_empty() {
            all.push(Attr::new(AttrData::Loc(LocData::Unknown)));
        }
        match (metadata, &*all) {
            (None, &[one]) => one,
            _ => Attr::new(AttrData::Loc(LocData::Fused(metadata, all.into()))),
        }
    }
}

/// The hash by which integers are interned: those that differ little stand side by side in the
/// table, since programs count.
fn hash_of_int(value: i128, ty: Type) -> u64 {
    let low = (value & 7) as u64;
    hash_of(&(value >> 3, ty)) ^ low ^ (low << 57)
}

impl Attr {
    /// Interns the value; entries of a dictionary must be in order of their names.
    pub fn new(data: AttrData) -> Attr {
        match data {
            AttrData::Dict(entries) => Attr::sorted_dict(&entries),
            AttrData::Integer { value, ty } => Attr::int(value, ty),
            data => {
                let same = |known: &AttrNode, data: &AttrData| known.data == *data;
                Attr::interned(hash_of(&data), data, same, AttrNode::new)
            }
        }
    }

    /// `unit`
    pub fn unit() -> Attr {
        static UNIT: LazyLock<Attr> = LazyLock::new(|| Attr::new(AttrData::Unit));
        *UNIT
    }

    /// The placeholder for an absent optional parameter.
    pub fn absent() -> Attr {
        static ABSENT: LazyLock<Attr> = LazyLock::new(|| Attr::new(AttrData::Absent));
        *ABSENT
    }

    /// An integer of the given type.
    pub fn int(value: i128, ty: Type) -> Attr {
        let same = |known: &AttrNode, &(value, ty): &(i128, Type)| match known.data {
            AttrData::Integer { value: v, ty: t } => v == value && t == ty,
            _ => false,
        };
        let make = |(value, ty)| AttrNode::new(AttrData::Integer { value, ty });
        Attr::interned(hash_of_int(value, ty), (value, ty), same, make)
    }

    /// `value : index`
    pub fn index(value: i64) -> Attr {
        Attr::int(value.into(), Type::index())
    }

    /// `value : i64`
    pub fn i64(value: i64) -> Attr {
        Attr::int(value.into(), Type::int(64))
    }

    /// `value : i32`
    pub fn i32(value: i32) -> Attr {
        Attr::int(value.into(), Type::int(32))
    }

    /// `true` or `false`. As in MLIR the value is that of a signed one-bit integer.
    pub fn bool(value: bool) -> Attr {
        Attr::int(if value { -1 } else { 0 }, Type::int(1))
    }

    /// A string.
    pub fn string(text: &str) -> Attr {
        Attr::new(AttrData::String { text: text.as_bytes().into(), ty: None })
    }

    /// An `f32`.
    pub fn f32(value: f32) -> Attr {
        Attr::new(AttrData::Float { bits: value.to_bits().into(), ty: Type::f32() })
    }

    /// An array.
    pub fn array(items: &[Attr]) -> Attr {
        Attr::new(AttrData::Array(items.into()))
    }

    /// A dictionary; later entries win over earlier ones of the same name.
    pub fn dict(entries: impl IntoIterator<Item = (Ident, Attr)>) -> Attr {
        let entries: SmallVec<[(Ident, Attr); 8]> = entries.into_iter().collect();
        Attr::dict_of(&entries)
    }

    /// The same of entries that stand side by side.
    pub fn dict_of(entries: &[(Ident, Attr)]) -> Attr {
        if entries.is_sorted_by(|(a, _), (b, _)| a.as_str() < b.as_str()) {
            return Attr::sorted_dict(entries);
        }
        // The sort keeps the order of equals, so that the last of a name becomes its first.
        let mut sorted: SmallVec<[(Ident, Attr); 8]> = entries.iter().rev().copied().collect();
        sorted.sort_by_key(|(name, _)| name.as_str());
        sorted.dedup_by_key(|(name, _)| *name);
        Attr::sorted_dict(&sorted)
    }

    /// A dictionary of entries in order of their names, which is looked up before it is made.
    fn sorted_dict(entries: &[(Ident, Attr)]) -> Attr {
        let make = |entries: &[(Ident, Attr)]| AttrNode::new(AttrData::Dict(entries.into()));
        if let [(_, value)] = entries {
            // Most constants have a value of their own. Their dictionaries are found by it: a
            // table would have to be searched for each and hold them all.
            let alone = value.0.alone.get_or_init(|| Attr(Box::leak(Box::new(make(entries)))));
            if alone.as_dict() == Some(entries) {
                return *alone;
            }
        }
        let same = |known: &AttrNode, entries: &&[(Ident, Attr)]| match &known.data {
            AttrData::Dict(known) => **known == **entries,
            _ => false,
        };
        Attr::interned(hash_of(entries), entries, same, make)
    }

    /// The empty dictionary.
    pub fn empty_dict() -> Attr {
        // Most ops bear it.
        static EMPTY: LazyLock<Attr> = LazyLock::new(|| Attr::sorted_dict(&[]));
        *EMPTY
    }

    /// A type as an attribute.
    pub fn ty(ty: Type) -> Attr {
        Attr::new(AttrData::Type(ty))
    }

    /// `@name`
    pub fn symbol(name: &str) -> Attr {
        Attr::new(AttrData::SymbolRef { root: Ident::of(name), nested: Box::new([]) })
    }

    /// `@path[0]::@path[1]…`; an empty path gives an empty root.
    pub fn symbol_path(path: &[&str]) -> Attr {
        let root = Ident::of(path.first().copied().unwrap_or_default());
        let nested = path.iter().skip(1).map(|n| Ident::of(n)).collect();
        Attr::new(AttrData::SymbolRef { root, nested })
    }

    /// An affine map.
    pub fn map(map: AffineMap) -> Attr {
        Attr::new(AttrData::AffineMap(map))
    }

    /// `array<i64: …>`
    pub fn i64_array(values: &[i64]) -> Attr {
        Attr::new(AttrData::DenseArray { element: Type::int(64), values: values.into() })
    }

    /// `array<i32: …>`
    pub fn i32_array(values: &[i32]) -> Attr {
        let values = values.iter().map(|&v| v.into()).collect();
        Attr::new(AttrData::DenseArray { element: Type::int(32), values })
    }

    /// A dialect attribute.
    pub fn dialect(name: &str, params: &[Attr]) -> Attr {
        Attr::new(AttrData::Dialect { name: Ident::of(name), params: params.into() })
    }

    /// Whether this stands for an absent parameter.
    pub fn is_absent(self) -> bool {
        matches!(self.data(), AttrData::Absent)
    }

    /// The value of an integer attribute that fits `i64`.
    pub fn as_int(self) -> Option<i64> {
        match self.data() {
            AttrData::Integer { value, .. } => i64::try_from(*value).ok(),
            _ => None,
        }
    }

    /// The value of a boolean attribute.
    pub fn as_bool(self) -> Option<bool> {
        match self.data() {
            AttrData::Integer { value, ty } if ty.is_int(1) => Some(*value != 0),
            _ => None,
        }
    }

    /// The text of a UTF-8 string attribute.
    pub fn as_str(self) -> Option<&'static str> {
        match self.data() {
            AttrData::String { text, .. } => std::str::from_utf8(text).ok(),
            _ => None,
        }
    }

    /// The elements of an array attribute.
    pub fn as_array(self) -> Option<&'static [Attr]> {
        match self.data() {
            AttrData::Array(items) => Some(items),
            _ => None,
        }
    }

    /// The entries of a dictionary, sorted by name.
    pub fn as_dict(self) -> Option<&'static [(Ident, Attr)]> {
        match self.data() {
            AttrData::Dict(entries) => Some(entries),
            _ => None,
        }
    }

    /// The entry of that name in a dictionary.
    #[inline]
    pub fn get(self, name: &str) -> Option<Attr> {
        // Dictionaries are short, and most names differ in length.
        self.as_dict()?.iter().find(|(n, _)| n.as_str() == name).map(|(_, attr)| *attr)
    }

    /// The type inside a type attribute.
    pub fn as_type(self) -> Option<Type> {
        match self.data() {
            AttrData::Type(ty) => Some(*ty),
            _ => None,
        }
    }

    /// The type of a typed attribute (integer, float, dense, string with a type).
    #[inline]
    pub fn value_type(self) -> Option<Type> {
        match self.data() {
            AttrData::Integer { ty, .. }
            | AttrData::WideInteger { ty, .. }
            | AttrData::Float { ty, .. }
            | AttrData::Dense { ty, .. }
            | AttrData::DenseStrings { ty, .. }
            | AttrData::DenseResource { ty, .. }
            | AttrData::Sparse { ty, .. } => Some(*ty),
            AttrData::String { ty, .. } => *ty,
            _ => None,
        }
    }

    /// The map inside an affine-map attribute.
    pub fn as_map(self) -> Option<AffineMap> {
        match self.data() {
            AttrData::AffineMap(map) => Some(*map),
            _ => None,
        }
    }

    /// The name of a flat symbol reference, or the root of a nested one.
    pub fn as_symbol_root(self) -> Option<Ident> {
        match self.data() {
            AttrData::SymbolRef { root, .. } => Some(*root),
            _ => None,
        }
    }

    /// The values of a dense array.
    pub fn as_dense_array(self) -> Option<&'static [i64]> {
        match self.data() {
            AttrData::DenseArray { values, .. } => Some(values),
            _ => None,
        }
    }

    /// The parameters, when this is the dialect attribute of that name.
    pub fn dialect_params(self, name: &str) -> Option<&'static [Attr]> {
        match self.data() {
            AttrData::Dialect { name: n, params } if n.as_str() == name => Some(params),
            _ => None,
        }
    }
}

impl fmt::Debug for Attr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.data().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dictionary_is_the_same_however_it_is_made() {
        let value = Attr::i64(4_711);
        let of = |name: &str| Attr::dict([(Ident::of(name), value)]);
        let (a, b) = (of("a"), of("b"));
        assert_ne!(a, b);
        assert_eq!((a, b), (of("a"), of("b")));
        assert_eq!(b, Attr::new(AttrData::Dict([(Ident::of("b"), value)].into())));
        assert_eq!(b.as_dict(), Some([(Ident::of("b"), value)].as_slice()));
    }

    #[test]
    fn integers_are_told_apart_by_value_and_type() {
        let mut all: Vec<Attr> = Vec::new();
        for ty in [Type::int(64), Type::int(32), Type::index()] {
            all.extend((-20..20).chain([1 << 40, 1 << 100]).map(|value| Attr::int(value, ty)));
        }
        let distinct: std::collections::HashSet<Attr> = all.iter().copied().collect();
        assert_eq!(distinct.len(), all.len());
        assert_eq!(Attr::int(-3, Type::index()), Attr::index(-3));
    }
}
