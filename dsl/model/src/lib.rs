//! Records to dialects, and their lowering to schema tables.
//!
//! Purpose: one function, [`lower`], turns evaluated records into the tables that both generated
//! statics and the live registry consist of, and makes every check that needs no module. [`load`]
//! and [`load_live`] read files, with the prelude built in.
//! Non-goals: what ops mean (the dialects' Rust), and the text of generated code (tegula-rustgen).

#![warn(missing_docs)]

mod constraint;
mod cx;
mod default_value;
mod format;
mod hash;
mod load;
mod lower;
mod ods;
mod ops;
mod passes;
mod pattern;
pub mod prelude;
mod references;
mod sound;
mod traits;
mod types;

pub use load::{Loaded, Loader, load, load_live, load_with, tidy};
pub use lower::{Lowered, lower};
