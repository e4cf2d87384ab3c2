// Rewrites of `memref` ops.
