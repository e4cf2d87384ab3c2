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

//===-- Contents ----------------------------------------------------------------------------------

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
def CloneOfTensorSplat
    : Pattern<"canonicalize",
              (Stream_TensorCloneOp:$clone
                 (Stream_TensorSplatOp $value, $encoding, $dims, $size, $affinity),
                 ?, ?, ?, ?, ?, ?, ?),
              [(replace (Stream_TensorSplatOp $value, $encoding, $dims, $size, $affinity,
                                              (types (typeOf $clone))))]>;
