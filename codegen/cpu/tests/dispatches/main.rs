//! Dispatches through the passes: what they compute, what they look like, what is refused.

mod errors;
mod exact;
mod general;
mod support;
mod text;
