//! Records to dialects, and the model's lowering to schema tables.
