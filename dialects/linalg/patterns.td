// Rewrites of `linalg` ops.
