//! Finding and calling the external assembler, linker and emulator.
//!
//! Purpose: turn assembly text into objects, shared libraries and static executables, and run
//! entries on this machine or under an emulator. What is missing is named, with where it was
//! looked for and how to install it. An output file is either whole or not there.
//! Non-goals: making the text (tegula-neon), caching.

#![warn(missing_docs)]

mod error;
mod find;
mod harness;
mod output;
mod run;
mod tool;

pub use error::ToolError;
pub use find::{Host, Search};
pub use harness::{Buffer, Direction, harness_text};
pub use run::{RunOutcome, run_entry};
pub use tool::{Assembler, AssemblerKind, Emulator, Linker, Toolchain};
