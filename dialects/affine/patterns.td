// Rewrites of `affine` ops.
