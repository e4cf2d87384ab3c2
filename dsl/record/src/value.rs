//! What evaluation yields: records, fields and values.

use std::fmt;
use std::sync::Arc;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use tegula_diag::Span;

/// An ordered map with a fast hash.
pub type FieldMap<V> = IndexMap<Arc<str>, V, FxBuildHasher>;

/// All classes and definitions of an evaluation, in the order in which they came into being.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Records {
    /// The classes by name.
    pub classes: FieldMap<Arc<ClassInfo>>,
    /// The definitions by name, anonymous ones included.
    pub defs: FieldMap<Arc<Record>>,
    /// The lists that `defset` collected, by name.
    pub defsets: FieldMap<Defset>,
}

impl Records {
    /// The definition of a name.
    pub fn def(&self, name: &str) -> Option<&Arc<Record>> {
        self.defs.get(name)
    }

    /// The definitions that derive from a class, in definition order.
    pub fn derived(&self, class: &str) -> impl Iterator<Item = &Arc<Record>> {
        self.defs.values().filter(move |record| record.isa(class))
    }
}

/// A class, as far as readers of records need it.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassInfo {
    /// Its name.
    pub name: Arc<str>,
    /// Where its name stands.
    pub span: Span,
    /// Its template parameters.
    pub params: Vec<ParamInfo>,
    /// Its direct and indirect superclasses, each behind its own superclasses.
    pub superclasses: Vec<(Arc<str>, Span)>,
    /// Its fields; their values may be unresolved.
    pub fields: FieldMap<Field>,
}

/// A template parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct ParamInfo {
    /// Its name.
    pub name: Arc<str>,
    /// Its type.
    pub ty: Ty,
    /// Its default value; [`Value::Unset`] when there is none.
    pub default: Value,
    /// Where its name stands.
    pub span: Span,
}

/// The records that a `defset` collected.
#[derive(Clone, Debug, PartialEq)]
pub struct Defset {
    /// Its name.
    pub name: Arc<str>,
    /// The type of the list.
    pub ty: Ty,
    /// The names of the records.
    pub defs: Vec<Arc<str>>,
    /// Where its name stands.
    pub span: Span,
}

/// A definition.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Its name.
    pub name: Arc<str>,
    /// Whether the name was made up.
    pub anonymous: bool,
    /// Whether something in it is wrong, so that it is not what was meant.
    pub broken: bool,
    /// Where its name stands, or what made it when it is anonymous.
    pub span: Span,
    /// Where it came from, the innermost last: its `def`, then the `defm`s around it.
    pub origins: Vec<Span>,
    /// Its direct and indirect superclasses, each behind its own superclasses. A class that is
    /// reached twice stands here twice.
    pub superclasses: Vec<(Arc<str>, Span)>,
    /// Its fields, inherited ones first.
    pub fields: FieldMap<Field>,
}

impl Record {
    /// Whether it derives from a class.
    pub fn isa(&self, class: &str) -> bool {
        self.superclasses.iter().any(|(name, _)| &**name == class)
    }

    /// The value of a field; [`Value::Unset`] for `?`, nothing when there is no such field.
    pub fn get(&self, field: &str) -> Option<&Value> {
        self.fields.get(field).map(|field| &field.value)
    }
}

/// A field.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Its type.
    pub ty: Ty,
    /// Its value.
    pub value: Value,
    /// Where the value was last assigned, or the field declared when it never was.
    pub span: Span,
    /// Whether it was declared with `field`, which lets it stay unresolved.
    pub nonconcrete: bool,
}

/// A type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Ty {
    /// One bit.
    Bit,
    /// That many bits.
    Bits(u32),
    /// A 64-bit integer.
    Int,
    /// Text, code included.
    Str,
    /// A directed acyclic graph.
    Dag,
    /// A list.
    List(Arc<Ty>),
    /// A record of these classes; of any when there are none.
    Record(Arc<[Arc<str>]>),
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ty::Bit => f.write_str("bit"),
            Ty::Bits(width) => write!(f, "bits<{width}>"),
            Ty::Int => f.write_str("int"),
            Ty::Str => f.write_str("string"),
            Ty::Dag => f.write_str("dag"),
            Ty::List(element) => write!(f, "list<{element}>"),
            Ty::Record(classes) => match &**classes {
                [class] => f.write_str(class),
                classes => write!(f, "{{{}}}", classes.join(", ")),
            },
        }
    }
}

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `?`
    Unset,
    /// A bit.
    Bit(bool),
    /// Bits, the lowest first; `None` for those that are `?`.
    Bits(Arc<[Option<bool>]>),
    /// Bits of which some refer to bits of other fields, the lowest first; each is
    /// [`Value::Unset`], [`Value::Bit`], [`Value::BitOf`] or [`Value::Unresolved`].
    MixedBits(Arc<[Value]>),
    /// A bit of another field that is unset, as instruction encodings have them.
    BitOf(Arc<str>, u32),
    /// An integer.
    Int(i64),
    /// Text.
    Str(Arc<str>),
    /// Text that was written as code.
    Code(Arc<str>),
    /// A list.
    List(Arc<[Value]>),
    /// A dag.
    Dag(Arc<Dag>),
    /// A definition, by name.
    Def(Arc<str>),
    /// A term that could not be resolved, as TableGen prints it: in classes, and in `field`s of
    /// definitions, but nowhere else when evaluation reported no error.
    Unresolved(Arc<str>),
}

impl Value {
    /// Whether the value is `?`.
    pub fn is_unset(&self) -> bool {
        matches!(self, Value::Unset)
    }

    /// The text of a string or of code.
    pub fn as_str(&self) -> Option<&Arc<str>> {
        match self {
            Value::Str(text) | Value::Code(text) => Some(text),
            _ => None,
        }
    }

    /// An integer, or what a bit or fully known bits are as one.
    pub fn as_int(&self) -> Option<i64> {
        match self {
            Value::Int(value) => Some(*value),
            Value::Bit(bit) => Some(i64::from(*bit)),
            Value::Bits(bits) if bits.len() <= 64 => bits
                .iter()
                .zip(0..)
                .try_fold(0, |sum, (bit, at)| Some(sum | i64::from((*bit)?) << at)),
            _ => None,
        }
    }

    /// A bit, or what an integer of 0 or 1 is as one.
    pub fn as_bit(&self) -> Option<bool> {
        match self.as_int()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    /// The elements of a list.
    pub fn as_list(&self) -> Option<&Arc<[Value]>> {
        match self {
            Value::List(values) => Some(values),
            _ => None,
        }
    }

    /// A dag.
    pub fn as_dag(&self) -> Option<&Arc<Dag>> {
        match self {
            Value::Dag(dag) => Some(dag),
            _ => None,
        }
    }

    /// The name of a definition.
    pub fn as_def(&self) -> Option<&Arc<str>> {
        match self {
            Value::Def(name) => Some(name),
            _ => None,
        }
    }

    /// What kind of value it is, for messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Unset => "nothing (`?`)",
            Value::Bit(_) | Value::BitOf(..) => "a bit",
            Value::Bits(_) | Value::MixedBits(_) => "bits",
            Value::Int(_) => "an integer",
            Value::Str(_) => "a string",
            Value::Code(_) => "code",
            Value::List(_) => "a list",
            Value::Dag(_) => "a dag",
            Value::Def(_) => "a definition",
            Value::Unresolved(_) => "an unresolved value",
        }
    }
}

/// A dag.
#[derive(Clone, Debug, PartialEq)]
pub struct Dag {
    /// The operator, most often a definition.
    pub op: Value,
    /// The operator's name.
    pub op_name: Option<Arc<str>>,
    /// The arguments.
    pub args: Vec<DagArg>,
    /// Where the dag was written.
    pub span: Span,
}

/// An argument of a dag.
#[derive(Clone, Debug, PartialEq)]
pub struct DagArg {
    /// The value; [`Value::Unset`] in `$name`.
    pub value: Value,
    /// The name, without its `$`.
    pub name: Option<Arc<str>>,
    /// Where the argument was written.
    pub span: Span,
}
