// Canonicalizations of `stream.tensor.*`.

//===-- The border of the program -----------------------------------------------------------------

def ImportOfTensorExport
    : Fold<(Stream_TensorImportOp (Stream_TensorExportOp $resource, ?, ?, $size, $affinity),
                                  ?, ?, $size, ?, $affinity),
           [(fold $resource)]>;
def ExportOfTensorImport
    : Fold<(Stream_TensorExportOp:$export
              (Stream_TensorImportOp $value, $encoding, $dims, $size, ?, $affinity),
              $encoding, $dims, $size, $affinity),
           [(fold $value)], [(same (typeOf $value), (typeOf $export))]>;

// What crosses the border twice in the same way crosses it once.
class Stream_SecondCrossing<dag first, dag second>
    : Pattern<"canonicalize", first, [(replaceOp $second, $first)],
              [(some (each $u, (users $value)), (unless (same $u, $first)), (precedes $first, $u),
                     (matches $u, second)),
               (same (typeOf $first), (typeOf $second))]>;
def ImportTwice
    : Stream_SecondCrossing<
        (Stream_TensorImportOp:$first $value, $encoding, $dims, $size, $consume, $affinity),
        (Stream_TensorImportOp:$second $value, $encoding, $dims, $size, $consume, $affinity)>;
def ExportTwice
    : Stream_SecondCrossing<
        (Stream_TensorExportOp:$first $value, $encoding, $dims, $size, $affinity),
        (Stream_TensorExportOp:$second $value, $encoding, $dims, $size, $affinity)>;

//===-- Contents ----------------------------------------------------------------------------------

// What repeats one value is filled with it.
def TensorConstantOfSplat
    : Pattern<"canonicalize",
              (Stream_TensorConstantOp:$constant $value, $encoding, $dims, $affinity),
              [(bind (Arith_ConstantOp $element):$filling),
               (replace (Stream_TensorSplatOp
                           $filling, $encoding, $dims,
                           (Stream_TensorSizeOfOp $encoding, $dims, $affinity, (types Index)),
                           $affinity, (types (typeOf $constant))))],
              [(bind (splat $value):$element),
               (matches (typeOf $element), (anyOf AnyInteger, AnyFloat))]>;
def NarrowTensorSplat
    : Pattern<"canonicalize", (Stream_TensorSplatOp:$op (ConstantLike $value), (rest)),
              [(setOperand $op, "value", (Arith_ConstantOp $narrow))],
              [(bind (compute "stream_narrow_fill", $value):$narrow)]>;
def NarrowTensorFill
    : Pattern<"canonicalize",
              (Stream_TensorFillOp:$op ?, ?, ?, ?, ?, ?, (ConstantLike $value), ?),
              [(setOperand $op, "value", (Arith_ConstantOp $narrow))],
              [(bind (compute "stream_narrow_fill", $value):$narrow)]>;

//===-- Copies ------------------------------------------------------------------------------------

def SameTensorClone
    : Fold<(Stream_TensorCloneOp:$clone $resource, $encoding, $dims, ?, $encoding, $dims, ?, ?),
           [(fold $resource)], [(same (typeOf $resource), (typeOf $clone))]>;
def SameTensorEncoding
    : Fold<(Stream_TensorEncodeOp $resource, $encoding, $dims, ?, $encoding, $dims, ?, ?),
           [(fold $resource)]>;
def SameTensorLayout
    : Fold<(Stream_TensorEncodeOp $resource, $from, $dims, ?, $to, $dims, ?, ?),
           [(fold $resource)], [(predicate "stream_same_layout", $from, $to)]> {
  let benefit = 0;
}
def CloneOfTensorSplat
    : Pattern<"canonicalize",
              (Stream_TensorCloneOp:$clone
                 (Stream_TensorSplatOp $value, $encoding, $dims, $size, $affinity),
                 ?, ?, ?, ?, ?, ?, ?),
              [(replace (Stream_TensorSplatOp $value, $encoding, $dims, $size, $affinity,
                                              (types (typeOf $clone))))]>;
