// Rewrites of `affine` ops.

include "tegula/Passes.td"
include "tegula/Patterns.td"

// Applications compose, constants fold into maps, operands are listed once.
def ComposeApply : NativePattern<"canonicalize", AffineApplyOp, "affine_compose">;
def ComposeMin : NativePattern<"canonicalize", AffineMinOp, "affine_compose">;
def ComposeMax : NativePattern<"canonicalize", AffineMaxOp, "affine_compose">;

// A result that a minimum or maximum lists twice, or alone.
def FewerMinResults : NativePattern<"canonicalize", AffineMinOp, "affine_fewer_results">;
def FewerMaxResults : NativePattern<"canonicalize", AffineMaxOp, "affine_fewer_results">;

// The results of a minimum or maximum stand in the order of their coefficients.
def OrderMinResults : NativePattern<"canonicalize", AffineMinOp, "affine_order_results">;
def OrderMaxResults : NativePattern<"canonicalize", AffineMaxOp, "affine_order_results">;

// What splits and joins indices becomes arithmetic.
def IREEAffineExpandIndexOpsPass : Pass<"iree-affine-expand-index-ops"> {
  let summary = "What splits and joins indices becomes arithmetic";
  let body = GreedyRewrite<["affine-expand-index-ops"]>;
}
def ExpandDelinearizeIndex
    : NativePattern<"affine-expand-index-ops", AffineDelinearizeIndexOp, "affine_expand_delinearize">;
def ExpandLinearizeIndex
    : NativePattern<"affine-expand-index-ops", AffineLinearizeIndexOp, "affine_expand_linearize">;
