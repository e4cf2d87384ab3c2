// Folds and canonicalizations of `flow.tensor.*`.

//===-- Sizes that are known ------------------------------------------------------------------------

def DimOfKnown
    : Pattern<"canonicalize", (Tensor_DimOp:$dim $x, (ConstantLike $index)),
              [(replace (item $dims, $at))],
              [(bind (compute "util_dims_of", $x, $dim):$dims),
               (bind (compute "util_dynamic_dim", (typeOf $x), $index):$at)]>;
def TensorShapeOfStatic : Fold<(Flow_TensorTieShapeOp $x, (values)), [(fold $x)]>;

//===-- Tensors without elements --------------------------------------------------------------------

// `op` has one result and is about a tensor of type `type` that certainly has no elements; `$dims`
// are the sizes of the result.
class Flow_NothingOf<dag op, dag type>
    : Pattern<"canonicalize", op, [(replace (Flow_TensorEmptyOp $dims, (types (typeOf $op))))],
              [(some (each $size, (shape type)), (eq $size, 0))]>;
def ShapeOfNothing : Flow_NothingOf<(Flow_TensorTieShapeOp:$op $x, $dims), (typeOf $x)>;
def ReshapeOfNothing : Flow_NothingOf<(Flow_TensorReshapeOp:$op $x, ?, $dims), (typeOf $x)>;
def ReshapeToNothing : Flow_NothingOf<(Flow_TensorReshapeOp:$op ?, ?, $dims), (typeOf $op)>;
def BitsOfNothing : Flow_NothingOf<(Flow_TensorBitCastOp:$op $x, ?, $dims), (typeOf $x)>;
def BitsToNothing : Flow_NothingOf<(Flow_TensorBitCastOp:$op ?, ?, $dims), (typeOf $op)>;
def SplatToNothing : Flow_NothingOf<(Flow_TensorSplatOp:$op ?, $dims), (typeOf $op)>;
def CloneOfNothing : Flow_NothingOf<(Flow_TensorCloneOp:$op $x, $dims), (typeOf $x)>;
def SliceOfNothing
    : Flow_NothingOf<(Flow_TensorSliceOp:$op $x, ?, ?, ?, $dims), (typeOf $x)>;
def SliceToNothing
    : Flow_NothingOf<(Flow_TensorSliceOp:$op ?, ?, ?, ?, $dims), (typeOf $op)>;
def UpdateOfNothing
    : Flow_NothingOf<(Flow_TensorUpdateOp:$op ?, $dims, (rest)), (typeOf $op)>;
def UpdateByNothing
    : Pattern<"canonicalize", (Flow_TensorUpdateOp $target, ?, ?, $update, ?), [(replace $target)],
              [(some (each $size, (shape (typeOf $update))), (eq $size, 0))]>;

//===-- Contents that nobody may look at ------------------------------------------------------------

class Flow_OfEmpty<dag op>
    : Pattern<"canonicalize", op, [(replace (Flow_TensorEmptyOp $dims, (types (typeOf $op))))]>;
def ReshapeOfEmpty : Flow_OfEmpty<(Flow_TensorReshapeOp:$op (Flow_TensorEmptyOp ?), ?, $dims)>;
def BitsOfEmpty : Flow_OfEmpty<(Flow_TensorBitCastOp:$op (Flow_TensorEmptyOp ?), ?, $dims)>;
def CloneOfEmpty : Flow_OfEmpty<(Flow_TensorCloneOp:$op (Flow_TensorEmptyOp ?), $dims)>;
def SliceOfEmpty
    : Flow_OfEmpty<(Flow_TensorSliceOp:$op (Flow_TensorEmptyOp ?), ?, ?, ?, $dims)>;
def UnusedTensorAlloca
    : Pattern<"canonicalize", (Flow_TensorAllocaOp:$op (rest)), [(erase)], [(noUse $op)]>;

// Sizes that are constants are said by the type.
def EmptyOfConstants
    : Pattern<"canonicalize", (Flow_TensorEmptyOp:$op $dims),
              [(bind (map (each $size, (shape (typeOf $op))),
                          (take $dim, $dims, (switch (case (lt $size, 0), 1), (default 0))),
                  (switch (case (eq (count $dim), 0), $size),
                          (case (allOf (bind (item $dim, 0):$value),
                                       (matches $value, (ConstantLike $known)), (ge $known, 0)),
                             $known),
                          (default $size))):$sizes),
               (Flow_TensorEmptyOp:$new
                  (filter (each $dim, $dims),
                     (unless (allOf (matches $dim, (ConstantLike $known)), (ge $known, 0)))),
                  (types (withShape (typeOf $op), $sizes))),
               (replace (Tensor_CastOp $new, (types (typeOf $op))))],
              [(some (each $dim, $dims), (matches $dim, (ConstantLike $known)), (ge $known, 0))]>;

//===-- Constants -----------------------------------------------------------------------------------

def StaticDynamicConstant
    : Fold<(Flow_TensorDynamicConstantOp:$op $value), [(fold $value)], [(AnyStaticShapeTensor $op)]>;
// Sizes that nobody is to know are behind barriers.
def DynamicConstant
    : Pattern<"canonicalize", (Flow_TensorDynamicConstantOp:$op $value),
              [(Flow_TensorConstantOp:$constant $value),
               (bind (map (each $size, (shape (typeOf $op))), (each $known, (shape (typeOf $value))),
                  (switch (case (lt $size, 0), (Util_OptimizationBarrierOp (values
                             (Arith_ConstantOp (toInt $known, Index))),
                             (types Index))),
                          (default (values)))):$dims),
               (replace (Flow_TensorReshapeOp $constant, (values), $dims,
                                              (types (typeOf $op))))],
              [(unless (AnyStaticShapeTensor $op))]>;
def CloneOfConstant : Fold<(Flow_TensorCloneOp (ConstantLike ?):$x, ?), [(fold $x)]>;

//===-- The same elements ---------------------------------------------------------------------------

class Flow_SameTensor<dag op>
    : Fold<op, [(fold $x)],
           [(same (elementType (typeOf $x)), (elementType (typeOf $op))),
            (predicate "util_same_shape", (typeOf $x), $from, (typeOf $op), $to)]>;
def SameReshape : Flow_SameTensor<(Flow_TensorReshapeOp:$op $x, $from, $to)>;
def SameBits : Flow_SameTensor<(Flow_TensorBitCastOp:$op $x, $from, $to)>;

// What is read as something else twice is read as that once.
class Flow_ReadTwice<dag op>
    : Pattern<"canonicalize", op,
              [(replace (switch
                  (case (same (elementType (typeOf $x)), (elementType (typeOf $op))),
                     (Flow_TensorReshapeOp $x, $from, $to, (types (typeOf $op)))),
                  (default (Flow_TensorBitCastOp $x, $from, $to, (types (typeOf $op))))))]>;
defvar Flow_Read
    = (anyOf (Flow_TensorReshapeOp $x, $from, ?), (Flow_TensorBitCastOp $x, $from, ?));
def ReshapeOfRead : Flow_ReadTwice<(Flow_TensorReshapeOp:$op Flow_Read, ?, $to)>;
def BitsOfRead : Flow_ReadTwice<(Flow_TensorBitCastOp:$op Flow_Read, ?, $to)>;

def ReshapeOfSplat
    : Pattern<"canonicalize", (Flow_TensorReshapeOp:$op (Flow_TensorSplatOp $value, ?), ?, $dims),
              [(replace (Flow_TensorSplatOp $value, $dims, (types (typeOf $op))))]>;
def LoadOfSplat : Fold<(Flow_TensorLoadOp (Flow_TensorSplatOp $value, ?), (rest)), [(fold $value)]>;

//===-- Where tensors are ---------------------------------------------------------------------------

def TransferToSame
    : Fold<(Flow_TensorTransferOp $x, ?, $target), [(fold $x)],
           [(matches $x, (tied (Flow_TensorTransferOp ?, ?, $target)))]>;
def TransferByWay
    : Pattern<"canonicalize",
              (Flow_TensorTransferOp:$op (Flow_TensorTransferOp $x, ?, $other), $dims, $target),
              [(replace (Flow_TensorTransferOp $x, $dims, $target, (types (typeOf $op))))],
              [(unless (same $other, $target))]>;

// What moves is the tensor, and who wants it reads it as something else.
class Flow_ReadAfter<Op move, Op read>
    : Pattern<"canonicalize", (move:$op (read:$read $x, $from, $to), ?, $target),
              [(bind (move $x, $from, $target, (types (typeOf $x))):$moved),
               (replace (read $moved, $from, $to, (discardableOf $read),
                              (types (typeOf $op))))]>;
def BarrierOfReshape : Flow_ReadAfter<Flow_TensorBarrierOp, Flow_TensorReshapeOp>;
def BarrierOfBits : Flow_ReadAfter<Flow_TensorBarrierOp, Flow_TensorBitCastOp>;
def TransferOfReshape : Flow_ReadAfter<Flow_TensorTransferOp, Flow_TensorReshapeOp>;
def TransferOfBits : Flow_ReadAfter<Flow_TensorTransferOp, Flow_TensorBitCastOp>;

//===-- Parts of tensors ----------------------------------------------------------------------------

def SliceOfTensorSlice
    : Pattern<"canonicalize",
              (Flow_TensorSliceOp:$op
                 (oneUse (Flow_TensorSliceOp $source, $sourceDims, $inner, ?, ?)),
                 ?, $outer, $lengths, $dims),
              [(replace (Flow_TensorSliceOp
                  $source, $sourceDims,
                  (map (each $a, $inner), (each $b, $outer),
                       (createOrFold (Arith_AddIOp $a, $b, ?))),
                  $lengths, $dims, (types (typeOf $op))))]>;

// The dynamic sizes of a tensor that the type `from` with its sizes says less of than `to`, or
// more.
def Flow_SizesAs : Function<(params $from, $dims, $to),
    (map (each $old, (shape $from)), (each $new, (shape $to)),
         (take $dim, $dims, (switch (case (lt $old, 0), 1), (default 0))),
         (switch (case (ge $new, 0), (values)),
                 (case (lt $old, 0), $dim),
                 (default (Arith_ConstantOp (toInt $old, Index)))))>;
def Flow_Uncast : Function<(params $x),
    (switch (case (matches $x, (Tensor_CastOp $source)), $source), (default $x))>;
def UpdateOfCast
    : Pattern<"canonicalize",
              (Flow_TensorUpdateOp:$op $target, $targetDims, $starts, $update, $updateDims),
              [(Flow_TensorUpdateOp:$new
                  $to, (Flow_SizesAs (typeOf $target), $targetDims, (typeOf $to)), $starts,
                  $by, (Flow_SizesAs (typeOf $update), $updateDims, (typeOf $by)),
                  (types (typeOf $to))),
               (replace (createOrFold (Tensor_CastOp $new, (types (typeOf $op)))))],
              [(anyOf (matches $target, (Tensor_CastOp AnyRankedTensor)),
                      (matches $update, (Tensor_CastOp AnyRankedTensor))),
               (bind (Flow_Uncast $target):$to), (bind (Flow_Uncast $update):$by),
               (AnyRankedTensor $to), (AnyRankedTensor $by)]>;
