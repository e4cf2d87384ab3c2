// Rewrites of `tensor` ops.
