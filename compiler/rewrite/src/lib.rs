//! The rewriter, the matcher engine, and the greedy and conversion drivers.
