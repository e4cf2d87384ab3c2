// Rewrites of `vector` ops.
