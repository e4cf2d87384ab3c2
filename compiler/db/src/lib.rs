//! The incremental layer: salsa inputs and queries, the only place that holds them.
