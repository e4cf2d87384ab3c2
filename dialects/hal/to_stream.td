// To `stream`: tensors at the border of the program, with the patterns of `stream/from_flow.td`.

//===-- From the caller -----------------------------------------------------------------------------

// The resource once the fence is reached, if there is one.
def HAL_Ready : Function<(params $resource, $size, $fence, $place), (switch
    (case (present (original $fence)),
          (Stream_TimepointAwaitOp
             $resource, $size, (Stream_TimepointImportOp $fence, $place), ?,
             (types (typeOf $resource)))),
    (default $resource))>;

// A view has to be what the program takes it for, unless only bits are packed. The tensor is what
// begins at the offset, if there is one.
def HAL_ConvertTensorImport
    : Stream_FromTensors<
        (HAL_TensorImportOp:$op $source, $encoding, $dims, $consume, $fence, $offset, $name, ?),
        [(bind (Stream_PlaceOf $op):$place),
         (when (allOf (HAL_BufferView (original $source)),
                      (unless (predicate "hal_packed", $encoding))),
            (bind (HAL_ElementTypeOp (typeAttr (elementType (typeOf $encoding)))):$element),
            (bind (HAL_EncodingTypeOp (compute "hal_encoding_of", $encoding)):$layout),
            (HAL_BufferViewAssertOp $source, (orElse $name, (attr "\"tensor\"")), $element,
                                    $layout, (dims (typeOf $encoding), $dims, Arith_ConstantOp))),
         (bind (Stream_SizeOfResult $op, $dims, $place):$size),
         (bind (switch (case (present (original $offset)), (Arith_AddIOp $offset, $size, ?)),
                       (default $size)):$end),
         (bind (Stream_TensorImportOp $source, $encoding, $dims, $end, $consume, $place,
                                      (types (Stream_Resource "external"))):$imported),
         (bind (HAL_Ready $imported, $end, $fence, $place):$whole),
         (bind (switch
            (case (present (original $offset)),
                  (Stream_ResourceSubviewOp $whole, $end, $offset, $size)),
            (default $whole)):$resource),
         (replace (values (Stream_AsyncCastOp $resource, $size, $size, $place,
                                              (types (Stream_Resource "*"))),
                          $size))]>;

//===-- To the caller -------------------------------------------------------------------------------

def HAL_ConvertTensorExport
    : Stream_FromTensors<(HAL_TensorExportOp:$op $source, $encoding, $dims, ?, ?),
        [(bind (Stream_PlaceOf $op):$place),
         (bind (Stream_In $source, $place):$from),
         (bind (item $source, 1):$size),
         (replace (Stream_TensorExportOp
                     (Stream_AsyncCastOp $from, $size, $size, $place,
                                         (types (Stream_Resource "external"))),
                     $encoding, $dims, $size, $place, (types (typeOf $op))))]>;

// The contents go into the storage, which then stands for the tensor. Where work can be done in the
// storage at once nothing of this is left.
def HAL_ConvertTensorAlias
    : Stream_FromTensors<(HAL_TensorAliasOp:$op $source, $dims, $storage, $fence, ?),
        [(bind (Stream_PlaceOf $op):$place),
         (bind (Stream_In $source, $place):$from),
         (bind (item $source, 1):$size),
         (bind (Stream_TensorSizeOfOp (Stream_EncodingOf $source), $dims, $place):$whole),
         (bind (Stream_TensorImportOp $storage, (Stream_EncodingOf $source), $dims, $whole,
                                      (attr "unit"), $place,
                                      (types (Stream_Resource "external"))):$imported),
         (bind (HAL_Ready $imported, $whole, $fence, $place):$target),
         (bind (Arith_ConstantOp (attr "0 : index")):$zero),
         (bind (Stream_AsyncUpdateOp $target, $whole, $zero, $size, $from, $size, $place):$filled),
         (bind (Stream_AsyncSliceOp $filled, $whole, $zero, $size, $size, $place):$part),
         (replace (values (Stream_AsyncTransferOp $part, $size, $size, $place, $place, ?,
                                                  (types (Stream_Resource "*"))),
                          $size))]>;

def HAL_ConvertTensorTransients
    : Stream_FromTensors<(HAL_TensorTransientsOp:$op $source, ?, $storage, ?),
        [(bind (Stream_PlaceOf $op):$place),
         (bind (Stream_In $source, $place):$from),
         (bind (item $source, 1):$size),
         (Stream_TimepointBarrierOp:$barrier $from, $size, $place, (types (typeOf $from),
                                                                          Stream_Timepoint)),
         (bind (typeswitch (typeOf $storage),
            (case HAL_BufferView, (createOrFold (HAL_BufferViewBufferOp $storage))),
            (default $storage)):$buffer),
         (bind (createOrFold (HAL_BufferLengthOp $buffer)):$length),
         // Which type it is taken for is of no matter.
         (bind (Stream_TensorImportOp $buffer, (attr "tensor<?xi8>"), $length, $length, ?, $place,
                                      (types (Stream_Resource "transient"))):$memory),
         (Stream_ResourceTransientsOp:$made
            (result $barrier, 0), $size, $memory, $length, (result $barrier, 1), $place,
            (types (typeOf $from), Stream_Timepoint)),
         (replace (values (Stream_TimepointAwaitOp (result $made, 0), $size, (result $made, 1), ?,
                                                   (types (typeOf $from))),
                          $size))]>;

def HAL_ConvertTensorBarrier
    : Stream_FromTensors<(HAL_TensorBarrierOp:$op $sources, $fence),
        [(bind (map (each $s, $sources),
            (Stream_TimepointBarrierOp:$barrier
               (item $s, 0), (item $s, 1), (Stream_PlaceOfTensor $s),
               (types (Stream_Resource "*"), Stream_Timepoint)),
            (values (result $barrier, 0), (item $s, 1), (result $barrier, 1))):$parts),
         (bind (filter (each $p, $parts), (Stream_Timepoint $p)):$reached),
         (Stream_TimepointChainExternalOp
            (switch (case (eq (count $reached), 1), $reached),
                    (default (Stream_TimepointJoinOp $reached))),
            $fence,
            (reduce (from $place, (absent)), (each $s, $sources), (Stream_PlaceOfTensor $s))),
         (replace (filter (each $p, $parts), (unless (Stream_Timepoint $p))))]>;
