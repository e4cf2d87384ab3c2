//! Tests of all standard dialects together: `linalg` is the one that uses most of the others.

mod common;
mod evaluate;
mod rewrites;
mod round_trip;
