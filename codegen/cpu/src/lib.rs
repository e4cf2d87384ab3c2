//! Code generation for CPU executables: encodings to pack and mmt4d, tiling, vectors, buffers, loops.
