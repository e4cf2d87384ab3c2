//! Dataflow analyses over bodies: effects, aliasing, liveness, lattices.
