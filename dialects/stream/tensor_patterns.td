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

// A tensor without elements has no contents.
def TensorConstantOfNothing
    : Pattern<"canonicalize",
              (Stream_TensorConstantOp:$constant $value, $encoding, $dims, $affinity),
              [(replace (Stream_TensorEmptyOp
                           $encoding, $dims,
                           (Stream_TensorSizeOfOp $encoding, $dims, $affinity, (types Index)),
                           $affinity, (types (typeOf $constant))))],
              [(eq (Util_ElementCount (typeOf $value)), 0)]>;
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

// Bytes are the same whatever tensor they are.
def SameTensorClone
    : Fold<(Stream_TensorCloneOp:$clone $resource, (rest)), [(fold $resource)],
           [(same (typeOf $resource), (typeOf $clone)),
            (anyOf (oneUse $clone), (predicate "stream_unwritten", $clone))]>;
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

//===-- On the host -------------------------------------------------------------------------------

// Just the element is staged out of what was copied as a whole.
def LoadOfTensorClone
    : Pattern<"canonicalize",
              (Stream_TensorLoadOp:$load
                 (oneUse (Stream_AsyncTransferOp:$staged
                    (Stream_TensorCloneOp $source, $encoding, $dims, $size, $encoding, ?, ?, $on),
                    ?, ?, $from, $to, $at)),
                 $encoding, ?, ?, $indices),
              [(bind (map (each $i, $indices), (Arith_ConstantOp (attr "1 : index"))):$ones),
               (bind (map (each $i, $indices), (Arith_ConstantOp (attr "0 : index"))):$zeros),
               (Stream_TensorSizeOfOp:$length $single, (values), $on, (types Index)),
               (Stream_TensorSliceOp:$slice $source, $encoding, $dims, $size, $indices, $ones,
                                            $single, (values), $length, $on,
                                            (types (typeOf $source))),
               (replace (Stream_TensorLoadOp
                           (Stream_AsyncTransferOp $slice, $length, $length, $from, $to, $at,
                                                   (types (typeOf $staged))),
                           $single, (values), $length, $zeros, (types (typeOf $load))))],
              [(bind (typeAttr (withShape (typeOf $encoding),
                                          (map (each $i, $indices), (attr "1 : index")))):$single)]>;
