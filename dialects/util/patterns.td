// Canonicalizations of `util` ops.

include "tegula/Patterns.td"

def AssumeIntOfKnown : NativePattern<"canonicalize", Util_AssumeIntOp, "util_assume_int">;
