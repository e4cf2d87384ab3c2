//! Evaluation of `.td` files: syntax trees to records.
//!
//! The semantics are TableGen's: a record's fields are terms over its other fields and over
//! template parameters, and are resolved step by step as classes are instantiated, from left to
//! right, with `let`s, multiclasses and loops in between. [`load`] reads a file with all that it
//! includes, [`load_each`] many files that share what they include; both go on after errors and return every one
//! that they found together with the records that are usable.
//!
//! Non-goals: what the classes mean (`tegula-model`), and incremental evaluation, for which the
//! state is kept append-only: an environment is described by the lengths of its tables.

mod eval;
mod getters;
pub mod json;
mod loader;
pub mod print;
mod value;

pub use tegula_syntax::Macros;

pub use eval::may_lack;
pub use eval::{Each, Evaluated, load, load_each};
pub use loader::{FileLoader, Files, LoadError, LoadedFile, read_file};
pub use value::{
    ClassInfo, Dag, DagArg, Defset, Field, FieldMap, ParamInfo, Record, Records, Ty, Value,
};
