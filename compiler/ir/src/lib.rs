//! Types, attributes, bodies, modules; MLIR text in and out; the verifier.
