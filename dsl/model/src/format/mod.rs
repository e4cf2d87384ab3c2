//! Assembly formats: text to programs.
//!
//! Lexing and parsing know only the grammar; [`resolve`] binds names to slots and reports what a
//! program cannot mean; [`check`](check::check_op) asks whether parsing could recover everything
//! that printing leaves out.

mod ambiguity;
mod check;
mod lex;
mod literal;
mod parse;
mod resolve;
mod text;

pub(crate) use ambiguity::check as ambiguities;
pub(crate) use check::{check_op, check_params, duplicates, is_whole};
pub(crate) use parse::parse;
pub(crate) use resolve::{OpNames, resolve_op, resolve_params};
pub(crate) use text::FormatText;
