// Loops that run once.

// The operands of a group (0: inputs, 1: outputs) through reshapes that drop what is always the
// first index.
def Linalg_WithoutUnits : Function<(params $op, $values, $group), (map
    (each $x, $values), (each $groups, (compute "linalg_unit_reshapes", $op, $group)),
    (each $type, (compute "linalg_unit_types", $op, $group)),
    (switch (case (same $groups, (attr "unit")), $x),
            (default (Tensor_CollapseShapeOp $x, $groups, (types $type)))))>;

// The results of an op without units as the results of the op were.
def Linalg_WithUnits : Function<(params $op, $results, $outputs), (map
    (each $x, $results), (each $old, $outputs),
    (each $groups, (compute "linalg_unit_reshapes", $op, (attr "1 : index"))),
    (switch (case (same $groups, (attr "unit")), $x),
            (default (Tensor_ExpandShapeOp $x, $groups, (Tensor_DynamicSizes $x),
                                           (compute "tensor_shape", (typeOf $old)),
                                           (types (typeOf $old))))))>;

class Linalg_DropUnitDims<string group, list<dag> conditions = []>
    : Pattern<group, (Linalg_GenericOp:$op $inputs, $outputs, (rest)),
              [(bind (Linalg_WithoutUnits $op, $inputs, (attr "0 : index")):$ins),
               (bind (Linalg_WithoutUnits $op, $outputs, (attr "1 : index")):$outs),
               (forEach (each $inner, (bodyOps $op, "region")),
                  (when (allOf (matches $inner, (Linalg_IndexOp:$index $loop)),
                               (bind (compute "linalg_unit_loop", $op, $loop):$number)),
                        (when (ge $number, 0), (setAttr $index, "dim", $number)),
                        (when (lt $number, 0),
                              (replaceOp $index, (Arith_ConstantOp (attr "0 : index")))))),
               (Linalg_GenericOp:$new $ins, $outs, (compute "linalg_unit_indexing_maps", $op),
                                      (compute "linalg_unit_iterator_types", $op),
                                      (absent), (absent),
                                      (attrsOf $op, "indexing_maps", "iterator_types",
                                               "operandSegmentSizes"),
                                      (types (typeOf $outs))),
               (takeRegion $op, "region", $new, "region"),
               (replace (Linalg_WithUnits $op, $new, $outputs))],
              conditions>;

// Outputs that all loops of a parallel nest read are inputs, and what is written is new.
class Linalg_MoveInitsToInputs<string group>
    : NativePattern<group, Linalg_GenericOp, "linalg_move_inits_to_inputs">;

// What is the same in every shape is made in the shape that is asked for. What nothing else asks
// for goes.
class Linalg_CollapseOfFill<string group, list<dag> further = [], list<dag> conditions = []>
    : Pattern<group,
              (Tensor_CollapseShapeOp:$reshape
                 (Linalg_FillOp:$fill $value, (values $dest), (rest)):$filled, $groups),
              !listconcat([
                (Tensor_CollapseShapeOp:$new $dest, $groups, (types (typeOf $reshape))),
                (replace (build "linalg_fill_of", $fill, (result $new, 0)))
              ], further),
              conditions>;
class Linalg_ExpandOfFill<string group, list<dag> further = [], list<dag> conditions = []>
    : Pattern<group,
              (Tensor_ExpandShapeOp:$reshape
                 (Linalg_FillOp:$fill $value, (values $dest), (rest)):$filled,
                 $groups, $sizes, $static),
              !listconcat([
                (Tensor_ExpandShapeOp:$new $dest, $groups, $sizes, $static,
                                           (types (typeOf $reshape))),
                (replace (build "linalg_fill_of", $fill, (result $new, 0)))
              ], further),
              conditions>;
class Linalg_CollapseOfOwnFill<string group>
    : Linalg_CollapseOfFill<group, [(erase $fill)], [(oneUse $filled)]> {
  let benefit = 2;
}
class Linalg_ExpandOfOwnFill<string group>
    : Linalg_ExpandOfFill<group, [(erase $fill)], [(oneUse $filled)]> {
  let benefit = 2;
}
def CollapseOfOwnFill : Linalg_CollapseOfOwnFill<"canonicalize">;
def CollapseOfFill : Linalg_CollapseOfFill<"canonicalize">;
def ExpandOfOwnFill : Linalg_ExpandOfOwnFill<"canonicalize">;
def ExpandOfFill : Linalg_ExpandOfFill<"canonicalize">;
