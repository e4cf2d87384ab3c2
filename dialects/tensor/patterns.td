// Rewrites of `tensor` ops.

// The sizes of a tensor that its type does not state.
def Tensor_DynamicSizes : Function<(params $x), (map
    (each $dim, (compute "tensor_dynamic_dims", (typeOf $x))),
    (Tensor_DimOp $x, (Arith_ConstantOp $dim)))>;

// A cast keeps the sizes.
def DimOfTensorCast
    : Pattern<"canonicalize", (Tensor_DimOp:$dim (Tensor_CastOp $x), ?),
              [(setOperand $dim, "source", $x)]>;

// Elements that nobody may look at have no order.
class Tensor_EmptyReshaped<string group, dag reshape>
    : Pattern<group, reshape, [(replace (Tensor_EmptyOp (values), (types (typeOf $reshape))))],
              [(AnyStaticShapeTensor $reshape)]>;
class Tensor_CollapseOfEmpty<string group>
    : Tensor_EmptyReshaped<group, (Tensor_CollapseShapeOp:$reshape (Tensor_EmptyOp ?), ?)>;
class Tensor_ExpandOfEmpty<string group>
    : Tensor_EmptyReshaped<group, (Tensor_ExpandShapeOp:$reshape (Tensor_EmptyOp ?), (rest))>;

// An element of a tensor without the dimensions of size one.
class Tensor_ExtractWithoutUnits<string group>
    : Pattern<group, (Tensor_ExtractOp $x, $indices),
              [(Tensor_CollapseShapeOp:$long $x, (compute "tensor_long_groups", (typeOf $x)),
                                       (types (compute "tensor_without_units", (typeOf $x)))),
               (replace (Tensor_ExtractOp $long, (map
                  (each $dim, (compute "tensor_long_dims", (typeOf $x))),
                  (item $indices, $dim))))]>;

// Dimensions of size one that come and go.
class Tensor_DropUnitsBetween<string group>
    : NativePattern<group, Tensor_CollapseShapeOp, "tensor_drop_units_between">;

// The sizes of what loops carry are known before them.
def SCFForLoopCanonicalization : Pass<"scf-for-loop-canonicalization"> {
  let summary = "What loops keep is known before them";
  let body = GreedyRewrite<["scf-for-loop-canonicalization"]>;
}
def DimOfCarried
    : NativePattern<"scf-for-loop-canonicalization", Tensor_DimOp, "tensor_dim_of_carried">;
