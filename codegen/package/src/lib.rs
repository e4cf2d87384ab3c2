//! Packaging of compiled code: what a function looks like from C, which dispatches it runs on which
//! bytes, and the header that says so.
//!
//! Non-goals: making code (tegula-neon), calling tools (tegula-toolchain).

#![warn(missing_docs)]

mod abi;
mod header;
mod schedule;

pub use abi::{NoSignature, Param, Signature, byte_size, c_type, entry_symbols, signature};
pub use header::c_header;
pub use schedule::{Buffer, NoSchedule, Range, Schedule, Step, schedule, scratch_end};
