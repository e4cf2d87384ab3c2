//! The server over a connection in memory.

mod answers;
mod protocol;
mod support;
