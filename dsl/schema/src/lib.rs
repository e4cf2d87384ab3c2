//! The plain table types that a lowered `.td` model consists of.
//!
//! Purpose: one vocabulary for generated statics and the live registry. Non-goals: parsing, evaluation, any behaviour.
