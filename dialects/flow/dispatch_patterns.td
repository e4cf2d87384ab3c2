// Folds and canonicalizations of dispatches.

def UnusedRegionResults
    : NativePattern<"canonicalize", Flow_DispatchRegionOp, "flow_region_results">;
def UnusedCaptures
    : NativePattern<"canonicalize", Flow_DispatchWorkgroupsOp, "flow_workgroups_closure">;
def RedundantWorkload
    : NativePattern<"canonicalize", Flow_DispatchWorkgroupsOp, "flow_workgroups_workload">;
def RedundantSliceWorkload
    : NativePattern<"canonicalize", Flow_DispatchWorkgroupsOp, "flow_workgroups_slice_workload">;

// Results without elements need no dispatch.
def ResultsOfNothing
    : Pattern<"canonicalize", (Flow_DispatchWorkgroupsOp:$op (rest)),
              [(forEach (each $r, (values $op)),
                  (when (allOf (AnyRankedTensor $r),
                               (some (each $size, (shape (typeOf $r))), (eq $size, 0))),
                     (Flow_TensorEmptyOp:$empty (compute "util_dims_of", $r, $op),
                                                (types (typeOf $r))),
                     (replaceUses $r, $empty)))],
              [(some (each $r, (values $op)), (unless (noUse $r)), (AnyRankedTensor $r),
                     (some (each $size, (shape (typeOf $r))), (eq $size, 0)))]>;

def DispatchShapeOfStatic : Fold<(Flow_DispatchTieShapeOp $x, (values)), [(fold $x)]>;

def SameEntryPoints
    : Pattern<"canonicalize", (Flow_DispatchOp:$op ?, $points, (rest)),
              [(setAttr $op, "entry_points", (map (each $point, (unique $points)), $point))],
              [(ne (count (unique $points)), (count $points))]>;

def UnusedChannel
    : Pattern<"canonicalize", (Flow_ChannelSplitOp:$op (rest)), [(erase)], [(noUse $op)]>;
