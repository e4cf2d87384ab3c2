// Rewrites of `arith` ops.
