//! Which passes run for which phase and execution model.
