//! Analyses over bodies that look and never edit: effects, dominance, liveness.
//!
//! Purpose: what several passes and drivers ask of a body, from tables alone.
//! Non-goals: rewriting, and anything that only one dialect needs.

#![warn(missing_docs)]

mod dominance;
mod effects;
mod flow;

pub use dominance::Dominance;
pub use effects::{
    Effect, EffectKind, OpEffects, effects, is_speculatable, is_trivially_dead,
    would_be_trivially_dead,
};
pub use flow::{Flow, passed_on};
