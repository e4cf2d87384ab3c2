// Rewrites of `affine` ops.

include "tegula/Patterns.td"

// Applications compose, constants fold into maps, operands are listed once.
def ComposeApply : NativePattern<"canonicalize", AffineApplyOp, "compose">;
def ComposeMin : NativePattern<"canonicalize", AffineMinOp, "compose">;
def ComposeMax : NativePattern<"canonicalize", AffineMaxOp, "compose">;

// A result that a minimum or maximum lists twice, or alone.
def FewerMinResults : NativePattern<"canonicalize", AffineMinOp, "fewer_results">;
def FewerMaxResults : NativePattern<"canonicalize", AffineMaxOp, "fewer_results">;
