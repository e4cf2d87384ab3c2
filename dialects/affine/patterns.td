// Rewrites of `affine` ops.

include "tegula/Patterns.td"

// Applications compose, constants fold into maps, operands are listed once.
def ComposeApply : NativePattern<"canonicalize", AffineApplyOp, "affine_compose">;
def ComposeMin : NativePattern<"canonicalize", AffineMinOp, "affine_compose">;
def ComposeMax : NativePattern<"canonicalize", AffineMaxOp, "affine_compose">;

// A result that a minimum or maximum lists twice, or alone.
def FewerMinResults : NativePattern<"canonicalize", AffineMinOp, "affine_fewer_results">;
def FewerMaxResults : NativePattern<"canonicalize", AffineMaxOp, "affine_fewer_results">;
