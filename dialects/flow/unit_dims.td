// Unit dimensions leave the computation, and reshapes leave it for where the program begins and
// ends.

// Dispatches are what they are.
def DropUnitDims
    : Linalg_DropUnitDims<"fold-unit-extent-dims",
                          [(unless (within $op, (anyOf Flow_DispatchRegionOp,
                                                       Flow_DispatchWorkgroupsOp)))]> {
  let benefit = 2;
}
def MoveInitsToInputs : Linalg_MoveInitsToInputs<"fold-unit-extent-dims">;
def DropUnitsOfOwnFill : Linalg_CollapseOfOwnFill<"fold-unit-extent-dims">;
def DropUnitsOfFill : Linalg_CollapseOfFill<"fold-unit-extent-dims">;
def AddUnitsToOwnFill : Linalg_ExpandOfOwnFill<"fold-unit-extent-dims">;
def AddUnitsToFill : Linalg_ExpandOfFill<"fold-unit-extent-dims">;
def DropUnitsOfEmpty : Tensor_CollapseOfEmpty<"fold-unit-extent-dims">;
def AddUnitsToEmpty : Tensor_ExpandOfEmpty<"fold-unit-extent-dims">;
def DropUnitsOfExtract : Tensor_ExtractWithoutUnits<"fold-unit-extent-dims">;
def DropUnitsBetween : Tensor_DropUnitsBetween<"fold-unit-extent-dims">;

// Where a tensor enters the computation, and where it leaves it.
def Flow_Entering : Function<(params $x), (IREETensorExt_ComputeBarrierStartOp
    $x, (Tensor_DynamicSizes $x), (types (typeOf $x)))>;
def Flow_Leaving : Function<(params $x), (IREETensorExt_ComputeBarrierEndOp
    $x, (Tensor_DynamicSizes $x), (types (typeOf $x)))>;

def CollapseBeforeComputation
    : Pattern<"fold-reshapes-into-tensor-barriers",
              (Tensor_CollapseShapeOp:$reshape
                 (IREETensorExt_ComputeBarrierStartOp $x, ?), $groups),
              [(Tensor_CollapseShapeOp:$new $x, $groups, (types (typeOf $reshape))),
               (replace (Flow_Entering $new))]>;
def ExpandBeforeComputation
    : Pattern<"fold-reshapes-into-tensor-barriers",
              (Tensor_ExpandShapeOp:$reshape
                 (IREETensorExt_ComputeBarrierStartOp $x, ?), $groups, $sizes, $static),
              [(Tensor_ExpandShapeOp:$new $x, $groups, $sizes, $static,
                                          (types (typeOf $reshape))),
               (replace (Flow_Entering $new))]>;
def CollapseAfterComputation
    : Pattern<"fold-reshapes-into-tensor-barriers",
              (IREETensorExt_ComputeBarrierEndOp:$end (Tensor_CollapseShapeOp $x, $groups), ?),
              [(replace (Tensor_CollapseShapeOp (Flow_Leaving $x), $groups,
                                                (types (typeOf $end))))]>;
def ExpandAfterComputation
    : Pattern<"fold-reshapes-into-tensor-barriers",
              (IREETensorExt_ComputeBarrierEndOp:$end
                 (Tensor_ExpandShapeOp $x, $groups, $sizes, $static), ?),
              [(replace (Tensor_ExpandShapeOp (Flow_Leaving $x), $groups, $sizes, $static,
                                              (types (typeOf $end))))]>;
