// From `flow`, and from what surrounds it: a tensor becomes a resource and its size in bytes.

// A tensor for an op outside of this dialect, and one from it.
def Stream_GivenOut : Function<(params $resource, $size, $type),
    (Stream_TensorExportOp (Stream_AsyncTransferOp $resource, $size, $size, $place, $place, ?,
                                                   (types (Stream_Resource "external"))),
                           (typeAttr $type), (values), $size, $place, (types $type)),
    [(bind (compute "stream_place_of_tensor", $resource):$place)]>;
def Stream_TakenBack : Function<(params $tensor, $type),
    (values (Stream_AsyncTransferOp $imported, $size, $size, $place, $place, ?,
                                    (types (Stream_Resource "*"))),
            $size),
    [(bind (compute "stream_place_of_tensor", $tensor):$place),
     (bind (Stream_TensorSizeOfOp (typeAttr $type), (values), $place):$size),
     (bind (Stream_TensorImportOp $tensor, (typeAttr $type), (values), $size, (attr "unit"), $place,
                                  (types (Stream_Resource "external"))):$imported)]>;

def Stream_TypeConverter : TypeConverter<"stream", [
  (becomes AnyTensor, (Stream_Resource "*"), Index),
  (becomes Flow_Channel, Stream_Channel),
  (becomes (Util_ListType $element), (Util_ListType (convertType $element)))
]> {
  // Ops that nothing is known of keep their tensors.
  let casts = [
    (cast (values (typed $resource, Stream_AnyResource), $size), AnyStaticShapeTensor:$type,
          (Stream_GivenOut $resource, $size, $type)),
    (cast (typed $tensor, AnyStaticShapeTensor:$type), (types Stream_AnyResource, Index),
          (Stream_TakenBack $tensor, $type))
  ];
}

class Stream_FromTensors<dag source, list<dag> steps, list<dag> conditions = []>
    : ConversionPattern<"to-stream", source, steps, conditions>;

//===-- Places --------------------------------------------------------------------------------------

// Where an op runs, and where a tensor lies.
def Stream_PlaceOf : Function<(params $op), (compute "stream_place_of_op", $op)>;
def Stream_PlaceOfTensor
    : Function<(params $tensor), (compute "stream_place_of_tensor", (original $tensor))>;

def Stream_Transferred : Function<(params $tensor, $lifetime, $from, $to),
    (Stream_AsyncTransferOp (item $tensor, 0), (item $tensor, 1), (item $tensor, 1), $from, $to, ?,
                            (types (Stream_Resource $lifetime)))>;

// The resource of a tensor in a place. What waits for a barrier is there already.
def Stream_In : Function<(params $tensor, $place), (switch
    (case (anyOf (same (Stream_PlaceOfTensor $tensor), $place),
                 (matches $resource, (Stream_AsyncBarrierOp (rest)))),
          $resource),
    (default (Stream_Transferred $tensor, "*", (Stream_PlaceOfTensor $tensor), $place))),
    [(bind (item $tensor, 0):$resource)]>;

def Stream_EncodingOf : Function<(params $tensor), (typeAttr (typeOf (original $tensor)))>;

// The bytes of an op's result.
def Stream_SizeOfResult : Function<(params $op, $dims, $place),
    (Stream_TensorSizeOfOp (typeAttr (typeOf $op)), $dims, $place)>;

//===-- Contents ------------------------------------------------------------------------------------

def Stream_Contents : Function<(params $value), (switch
    (case (matches $value, (Flow_NamedParameterAttr $scope, $key, $config, $type)),
          (Stream_NamedParameterAttr $scope, $key, $config, $type)),
    (default $value))>;

// A constant lives as long as the program, and is used like any other tensor.
def Stream_ConstantTensor : Function<(params $value, $type, $dims, $place),
    (values (Stream_AsyncTransferOp $constant, $size, $size, $place, $place, ?,
                                    (types (Stream_Resource "*"))),
            $size),
    [(Stream_TensorConstantOp:$made (Stream_Contents $value), (typeAttr $type), $dims, $place,
                                    (types (Stream_Resource "constant"))),
     (bind (result $made, 0):$constant),
     (bind (Stream_ResourceSizeOp $constant, ?):$size)]>;

def Stream_ConvertConstant
    : Stream_FromTensors<(Arith_ConstantOp:$op $value),
                         [(replace (Stream_ConstantTensor $value, (typeOf $op), (values),
                                                          (Stream_PlaceOf $op)))],
                         [(AnyTensor $op)]>;
def Stream_KeepConstant
    : LegalWhen<"to-stream", (Arith_ConstantOp:$op ?), [(unless (AnyTensor $op))]>;
def Stream_ConvertTensorConstant
    : Stream_FromTensors<(Flow_TensorConstantOp:$op $value),
                         [(replace (Stream_ConstantTensor $value, (typeOf $op), (values),
                                                          (Stream_PlaceOf $op)))]>;
def Stream_ConvertTensorDynamicConstant
    : Stream_FromTensors<(Flow_TensorDynamicConstantOp:$op $value),
        [(bind (map (each $wanted, (shape (typeOf $op))), (each $known, (shape (typeOf $value))),
                    (switch (case (lt $wanted, 0),
                                  (Util_OptimizationBarrierOp
                                     (Arith_ConstantOp (toInt $known, Index)), (types Index))),
                            (default (values)))):$dims),
         (replace (Stream_ConstantTensor $value, (typeOf $op), $dims, (Stream_PlaceOf $op)))]>;
def Stream_ConvertTensorAlloca
    : Stream_FromTensors<(Flow_TensorAllocaOp:$op $dims),
        [(bind (Stream_PlaceOf $op):$place),
         (bind (Stream_SizeOfResult $op, $dims, $place):$size),
         (replace (values (Stream_AsyncAllocaOp $size, $place, (types (Stream_Resource "*"))),
                          $size))]>;
def Stream_ConvertTensorEmpty
    : Stream_FromTensors<(Flow_TensorEmptyOp:$op $dims),
        [(bind (Stream_PlaceOf $op):$place),
         (bind (Stream_SizeOfResult $op, $dims, $place):$size),
         (replace (values (Stream_TensorEmptyOp (typeAttr (typeOf $op)), $dims, $size, $place,
                                                (types (Stream_Resource "*"))),
                          $size))]>;
def Stream_ConvertTensorSplat
    : Stream_FromTensors<(Flow_TensorSplatOp:$op $value, $dims),
        [(bind (Stream_PlaceOf $op):$place),
         (bind (Stream_SizeOfResult $op, $dims, $place):$size),
         (replace (values (Stream_TensorSplatOp $value, (typeAttr (typeOf $op)), $dims, $size,
                                                $place, (types (Stream_Resource "*"))),
                          $size))]>;

//===-- The same elements ---------------------------------------------------------------------------

// The bytes are copied, since another shape or element type may lie elsewhere.
class Stream_ConvertCast<dag source>
    : Stream_FromTensors<source,
        [(bind (Stream_PlaceOf $op):$place),
         (bind (Stream_In $source, $place):$from),
         (bind (Stream_SizeOfResult $op, $dims, $place):$size),
         (replace (values (Stream_TensorCloneOp $from, (Stream_EncodingOf $source), $source_dims,
                                                (item $source, 1), (typeAttr (typeOf $op)), $dims,
                                                $size, $place, (types (Stream_Resource "*"))),
                          $size))]>;
def Stream_ConvertTensorReshape
    : Stream_ConvertCast<(Flow_TensorReshapeOp:$op $source, $source_dims, $dims)>;
def Stream_ConvertTensorBitCast
    : Stream_ConvertCast<(Flow_TensorBitCastOp:$op $source, $source_dims, $dims)>;

def Stream_ConvertTensorClone
    : Stream_FromTensors<(Flow_TensorCloneOp:$op $source, $dims),
        [(bind (Stream_PlaceOf $op):$place),
         (bind (Stream_In $source, $place):$from),
         (bind (item $source, 1):$size),
         (replace (values (Stream_TensorCloneOp $from, (Stream_EncodingOf $source), $dims, $size,
                                                (typeAttr (typeOf $op)), $dims, $size, $place,
                                                (types (Stream_Resource "*"))),
                          $size))]>;
def Stream_ConvertTensorEncode
    : Stream_FromTensors<(Flow_TensorEncodeOp:$op $source, $source_dims, $dims),
        [(bind (Stream_PlaceOf $op):$place),
         (bind (Stream_In $source, $place):$from),
         // The shape is that of the source.
         (bind (Stream_SizeOfResult $op, $source_dims, $place):$size),
         (replace (values (Stream_TensorEncodeOp $from, (Stream_EncodingOf $source), $source_dims,
                                                 (item $source, 1), (typeAttr (typeOf $op)), $dims,
                                                 $size, $place, (types (Stream_Resource "*"))),
                          $size))]>;
def Stream_ConvertTensorBarrier
    : Stream_FromTensors<(Flow_TensorBarrierOp:$op $source, ?, $place),
        [(replace (values (Stream_AsyncBarrierOp (item $source, 0), (item $source, 1), $place),
                          (item $source, 1)))]>;
def Stream_ConvertTensorTransfer
    : Stream_FromTensors<(Flow_TensorTransferOp:$op $source, ?, $place),
        [(replace (values (Stream_Transferred $source, "*", (Stream_PlaceOfTensor $source), $place),
                          (item $source, 1)))]>;

//===-- Parts of tensors ----------------------------------------------------------------------------

// A number that is among indices, or a new constant.
class Stream_Index<int number, string text> : Function<(params $indices), (switch
    (case (bind (item (filter (each $index, $indices),
                              (matches (original $index), (ConstantLike number))), 0):$found),
          $found),
    (default (Arith_ConstantOp (attr text))))>;
def Stream_Zero : Stream_Index<0, "0 : index">;
def Stream_One : Stream_Index<1, "1 : index">;

def Stream_ConvertTensorSlice
    : Stream_FromTensors<(Flow_TensorSliceOp:$op $source, $source_dims, $starts, $lengths, $dims),
        [(bind (Stream_PlaceOf $op):$place),
         (bind (Stream_In $source, $place):$from),
         (bind (Stream_SizeOfResult $op, $dims, $place):$size),
         (replace (values (Stream_TensorSliceOp $from, (Stream_EncodingOf $source), $source_dims,
                                                (item $source, 1), $starts, $lengths,
                                                (typeAttr (typeOf $op)), $dims, $size, $place,
                                                (types (Stream_Resource "*"))),
                          $size))]>;
def Stream_ConvertTensorUpdate
    : Stream_FromTensors<(Flow_TensorUpdateOp:$op $target, $dims, $starts, $update, $update_dims),
        [(bind (Stream_PlaceOf $op):$place),
         (bind (Stream_In $target, $place):$into),
         (bind (Stream_In $update, $place):$part),
         (replace (values (Stream_TensorUpdateOp $into, (Stream_EncodingOf $target), $dims,
                                                 (item $target, 1), $starts, $part,
                                                 (Stream_EncodingOf $update), $update_dims,
                                                 (item $update, 1), $place),
                          (item $target, 1)))]>;

// The host sees an element of what is copied to it: the tensor where it has no other.
def Stream_ConvertTensorLoadOnly
    : Stream_FromTensors<(Flow_TensorLoadOp:$op $source, $dims, $indices),
        [(bind (Stream_PlaceOfTensor $source):$place),
         (replace (Stream_TensorLoadOp (Stream_Transferred $source, "staging", $place, $place),
                                       (Stream_EncodingOf $source), $dims, (item $source, 1),
                                       $indices, (types (typeOf $op))))],
        [(absent $dims), (eq (Util_ElementCount (typeOf $source)), 1)]> {
  let benefit = 2;
}
def Stream_ConvertTensorLoad
    : Stream_FromTensors<(Flow_TensorLoadOp:$op $source, $dims, $indices),
        [(bind (Stream_PlaceOfTensor $source):$place),
         (bind (Stream_One $indices):$one),
         (bind (Stream_Zero $indices):$zero),
         (bind (typeAttr (withShape (typeOf (original $source)),
                                    (map (each $i, $indices), (attr "1 : i64")))):$element),
         (bind (Stream_TensorSizeOfOp $element, (values), $place):$size),
         (bind (Stream_TensorSliceOp (item $source, 0), (Stream_EncodingOf $source), $dims,
                                     (item $source, 1), $indices, (map (each $i, $indices), $one),
                                     $element, (values), $size, $place,
                                     (types (Stream_Resource "*"))):$slice),
         (replace (Stream_TensorLoadOp
                     (Stream_Transferred (values $slice, $size), "staging", $place, $place), $element,
                     (values), $size, (map (each $i, $indices), $zero), (types (typeOf $op))))]>;
def Stream_ConvertTensorStore
    : Stream_FromTensors<(Flow_TensorStoreOp $value, $target, $dims, $indices),
        [(bind (Stream_PlaceOfTensor $target):$place),
         (replace (values (Stream_TensorFillOp
                             (item $target, 0), (Stream_EncodingOf $target), $dims,
                             (item $target, 1), $indices,
                             (switch (case (present $indices),
                                           (bind (Stream_One $indices):$one),
                                           (map (each $i, $indices), $one)),
                                     (default (values))),
                             $value, $place),
                          (item $target, 1)))]>;
def Stream_ConvertTensorTrace
    : Stream_FromTensors<(Flow_TensorTraceOp $key, $tensors, $dims),
        [(bind (map (each $t, $tensors), (bind (Stream_PlaceOfTensor $t):$place),
                    (Stream_Transferred $t, "staging", $place, $place)):$staged),
         (Stream_TensorTraceOp $key, $staged, (map (each $t, $tensors), (item $t, 1)),
                               (map (each $t, $tensors), (Stream_EncodingOf $t)), $dims),
         (erase)]>;

//===-- Parameters ----------------------------------------------------------------------------------

def Stream_ConvertParameterLoad
    : Stream_FromTensors<(Flow_ParameterLoadOp:$op $scope, $key, $offset, $dims),
        [(bind (Stream_PlaceOf $op):$place),
         (bind (Stream_SizeOfResult $op, $dims, $place):$size),
         (replace (values (Stream_TensorParameterLoadOp $scope, $key, $offset,
                                                        (typeAttr (typeOf $op)), $dims, $size,
                                                        $place, (types (Stream_Resource "*"))),
                          $size))]>;
def Stream_ConvertParameterWrite
    : Stream_FromTensors<(Flow_ParameterWriteOp:$op $source, $dims, $scope, $key, $offset),
        [(bind (Stream_PlaceOf $op):$place),
         (bind (Stream_In $source, $place):$from),
         (replace (values (Stream_TensorParameterWriteOp $from, (Stream_EncodingOf $source), $dims,
                                                         (item $source, 1), $scope, $key, $offset,
                                                         $place),
                          (item $source, 1)))]>;

//===-- What participants do together ---------------------------------------------------------------

def Stream_ConvertChannelDefault
    : Stream_FromTensors<(Flow_ChannelDefaultOp:$op $group),
                         [(replace (Stream_ChannelCreateOp (absent), $group, (absent), (absent),
                                                           (Stream_PlaceOf $op)))]>;
def Stream_ConvertChannelSplit
    : Stream_FromTensors<(Flow_ChannelSplitOp $channel, $color, $key),
                         [(replace (Stream_ChannelSplitOp $channel, $color, $key))]>;
def Stream_ConvertChannelRank
    : Stream_FromTensors<(Flow_ChannelRankOp $channel), [(replace (Stream_ChannelRankOp $channel))]>;
def Stream_ConvertChannelCount
    : Stream_FromTensors<(Flow_ChannelCountOp $channel),
                         [(replace (Stream_ChannelCountOp $channel))]>;

// The keyword of a number, as attributes of other dialects have it.
def Stream_Keyword
    : Function<(params $enum, $number), (compute "stream_enum_keyword", $enum, $number)>;

class Stream_ConvertCollective<dag source, string kind, dag reduction, list<dag> before, dag param>
    : Stream_FromTensors<source, !listconcat(
        [(bind (Stream_PlaceOf $op):$place),
         (bind (Arith_ConstantOp (attr "0 : index")):$zero),
         (bind (Arith_ConstantOp (toInt (Util_ElementCount (typeOf $op)), Index)):$count),
         (bind (Stream_In $target, $place):$into),
         (bind (Stream_In $source, $place):$from)],
        before,
        [(bind (item $target, 1):$size),
         (bind (item $source, 1):$length),
         (replace (values (Stream_AsyncCollectiveOp
                             (Stream_CollectiveAttr
                                kind, reduction,
                                (Stream_Keyword (attr "\"CollectiveElementType\""), $element)),
                             $into, $size, $zero, $size, $size, $from, $length, $zero, $length,
                             $length, $count, $channel, param, $place),
                          $size))])>;
class Stream_ConvertExchange<dag source, string kind>
    : Stream_ConvertCollective<source, kind, (absent), [], (absent)>;
class Stream_ConvertReduction<dag source, string kind>
    : Stream_ConvertCollective<
        source, kind, (Stream_Keyword (attr "\"CollectiveReductionOp\""), $reduction), [],
        (absent)>;
def Stream_ConvertAllGather
    : Stream_ConvertExchange<
        (Flow_CollectiveAllGatherOp:$op $element, $target, ?, $source, $channel, ?), "all_gather">;
def Stream_ConvertAllToAll
    : Stream_ConvertExchange<
        (Flow_CollectiveAllToAllOp:$op $element, $target, ?, $source, $channel, ?), "all_to_all">;
def Stream_ConvertAllReduce
    : Stream_ConvertReduction<
        (Flow_CollectiveAllReduceOp:$op $reduction, $element, $target, ?, $source, $channel, ?),
        "all_reduce">;
def Stream_ConvertReduceScatter
    : Stream_ConvertReduction<
        (Flow_CollectiveReduceScatterOp:$op $reduction, $element, $target, ?, $source, $channel, ?),
        "reduce_scatter">;
// Both participants are one number: who sends in the upper half, who is sent to in the lower.
def Stream_ConvertSendRecv
    : Stream_ConvertCollective<
        (Flow_CollectiveSendRecvOp:$op $element, $target, ?, $source, $channel, $send, $recv, ?),
        "send_recv", (absent),
        [(bind (Arith_AndIOp (Arith_IndexCastOp $send, (types I32)),
                             (Arith_ConstantOp (attr "65535 : i32"))):$low),
         (bind (Arith_ShLIOp (Arith_IndexCastOp $recv, (types I32)),
                             (Arith_ConstantOp (attr "16 : i32"))):$high)],
        (Arith_OrIOp $high, $low)>;

//===-- Dispatches and calls ------------------------------------------------------------------------

def Stream_TiesOf : Function<(params $op, $ties), (switch
    (case (present $ties), $ties),
    (default (map (each $r, (values $op)), (attr "-1 : index"))))>;

// For each of the operands the resource in a place, or the value that is no tensor.
def Stream_AllIn : Function<(params $operands, $place),
    (map (each $o, $operands), (typeswitch (typeOf (original $o)),
        (case AnyTensor, (Stream_In $o, $place)), (default $o)))>;
// The sizes of those that are tensors.
def Stream_SizesOf : Function<(params $operands),
    (map (each $o, $operands), (typeswitch (typeOf (original $o)),
        (case AnyTensor, (item $o, 1)), (default (values))))>;
// For each of the operands what a tied result has for its size.
def Stream_SizesToTie : Function<(params $operands),
    (map (each $o, $operands), (typeswitch (typeOf (original $o)),
        (case AnyTensor, (item $o, 1)), (default $o)))>;
def Stream_DynamicCount : Function<(params $type), (typeswitch $type,
    (case AnyTensor, (count (filter (each $size, (shape $type)), (lt $size, 0)))),
    (default (attr "0 : index")))>;
// The sizes of the results that are tensors: of what they are tied to, or of their own type.
def Stream_ResultSizes : Function<(params $op, $operands, $dims, $ties, $place),
    (map (each $r, (values $op)), (each $tie, (Stream_TiesOf $op, $ties)),
         (take $d, $dims, (Stream_DynamicCount (typeOf (original $r)))),
         (typeswitch (typeOf (original $r)),
            (case AnyTensor, (switch
                (case (ge $tie, 0), (item (Stream_SizesToTie $operands), $tie)),
                (default (Stream_TensorSizeOfOp (typeAttr (typeOf (original $r))), $d, $place)))),
            (default (values))))>;
def Stream_ResultTypes : Function<(params $op),
    (map (each $r, (values $op)), (typeswitch (typeOf (original $r)),
        (case AnyTensor, (types (Stream_Resource "*"))),
        (default (types (convertType (typeOf (original $r)))))))>;

def Stream_ConvertDispatch
    : Stream_FromTensors<
        (Flow_DispatchOp:$op $workload, $entries, $operands, $operand_dims, $dims, $ties),
        [(bind (Stream_PlaceOf $op):$place),
         (bind (Stream_AllIn $operands, $place):$resources),
         (bind (map (each $o, $operands), (typeswitch (typeOf (original $o)),
            (case AnyTensor, (Stream_EncodingOf $o)),
            (default (typeAttr (type "!util.unused"))))):$encodings),
         (bind (Stream_ResultSizes $op, $operands, $dims, $ties, $place):$sizes),
         (bind (map (each $r, (values $op)), (each $tie, (Stream_TiesOf $op, $ties)), (switch
            (case (ge $tie, 0), (item $encodings, $tie)),
            (default (typeAttr (typeOf (original $r)))))):$made),
         (Stream_TensorDispatchOp:$new
            $workload, $entries, $resources, (Stream_SizesOf $operands), $encodings, $operand_dims,
            $sizes, $made, $dims, $ties, $place, (discardableOf $op, "stream.affinity"),
            (types (Stream_ResultTypes $op))),
         (replace (map (each $r, (values $new)), (each $s, $sizes), (values $r, $s)))]>;

def Stream_ConvertCall
    : Stream_FromTensors<
        (Flow_CallOp:$op $callee, $operands, ?, $dims, $ties, $operand_attrs, $result_attrs),
        [(bind (Stream_PlaceOf $op):$place),
         (bind (Arith_ConstantOp (attr "0 : index")):$zero),
         (bind (Stream_AllIn $operands, $place):$resources),
         (bind (Stream_SizesOf $operands):$lengths),
         (bind (Stream_ResultSizes $op, $operands, $dims, $ties, $place):$sizes),
         (Stream_AsyncCallOp:$new
            $callee, $resources, $lengths, (map (each $l, $lengths), $zero), $lengths, $lengths,
            $sizes, $ties, $operand_attrs, $result_attrs, $place,
            (discardableOf $op, "stream.affinity"), (types (Stream_ResultTypes $op))),
         (replace (map (each $o, (values $op)), (each $r, (values $new)),
                       (take $s, $sizes, (typeswitch (typeOf (original $o)),
                            (case AnyTensor, (attr "1 : index")), (default (attr "0 : index")))),
                       (values $r, $s)))]>;

// A declaration says nothing of sizes.
def Stream_ConvertFunc
    : Stream_FromTensors<(Flow_FuncOp:$op $name, $type, $ties, $visibility, $args, $results),
        [(Stream_AsyncFuncOp $name, (compute "stream_function_type", $type), $ties, $visibility,
                             $args, $results, (discardableOf $op)),
         (erase)]>;

//===-- Values that are passed on -------------------------------------------------------------------

def Stream_ConvertSelect
    : Stream_FromTensors<(Arith_SelectOp:$op $condition, $yes, $no),
                         [(replace (values
                             (Arith_SelectOp $condition, (item $yes, 0), (item $no, 0)),
                             (Arith_SelectOp $condition, (item $yes, 1), (item $no, 1))))],
                         [(AnyTensor $op)]>;
def Stream_KeepSelect
    : LegalWhen<"to-stream", (Arith_SelectOp:$op (rest)), [(unless (AnyTensor $op))]>;

// Nobody knows where the bytes come from; how many there are need not be hidden.
def Stream_ConvertOptimizationBarrier
    : Stream_FromTensors<(Util_OptimizationBarrierOp:$op $values),
        [(bind (map (each $v, $values), (typeswitch (typeOf (original $v)),
            (case AnyTensor, (item $v, 0)), (default $v))):$passed),
         (Util_OptimizationBarrierOp:$new $passed, (types (typeOf $passed))),
         (replace (map (each $v, $values), (each $r, (values $new)),
                       (typeswitch (typeOf (original $v)),
                            (case AnyTensor, (values $r, (item $v, 1))), (default $r))))],
        [(some (each $v, $values), (AnyTensor $v))]>;
def Stream_KeepOptimizationBarrier
    : LegalWhen<"to-stream", (Util_OptimizationBarrierOp $values),
                [(all (each $v, $values), (unless (AnyTensor $v)))]>;

//===-- Globals -------------------------------------------------------------------------------------

// Ops on the global of a tensor say in `stream.global` what resource it has become. Its size has a
// global of its own.
def Stream_SizeGlobal : Function<(params $global), (compute "stream_size_global", $global)>;

def Stream_ConvertGlobalLoad
    : Stream_FromTensors<(Util_GlobalLoadOp:$op $global, ?),
        [(bind (Stream_PlaceOf $op):$place),
         (bind (Util_GlobalLoadOp $global, ?, (types (typeOf $type))):$resource),
         (bind (Util_GlobalLoadOp (Stream_SizeGlobal $global), ?, (types Index)):$size),
         (replace (values (Stream_AsyncTransferOp $resource, $size, $size, $place, $place, ?,
                                                  (types (Stream_Resource "*"))),
                          $size))],
        [(AnyTensor $op), (bind (attrOf $op, "stream.global"):$type)]>;
def Stream_KeepGlobalLoad
    : LegalWhen<"to-stream", (Util_GlobalLoadOp:$op (rest)), [(unless (AnyTensor $op))]>;
def Stream_ConvertGlobalStore
    : Stream_FromTensors<(Util_GlobalStoreOp:$op AnyTensor:$value, $global),
        [(bind (item $value, 1):$size),
         (Util_GlobalStoreOp
            (Stream_AsyncTransferOp (item $value, 0), $size, $size, (Stream_PlaceOfTensor $value),
                                    (Stream_PlaceOf $op), ?, (types (typeOf $type))),
            $global),
         (Util_GlobalStoreOp $size, (Stream_SizeGlobal $global)),
         (erase)],
        [(bind (attrOf $op, "stream.global"):$type)]>;
def Stream_KeepGlobalStore
    : LegalWhen<"to-stream", (Util_GlobalStoreOp $value, ?), [(unless (AnyTensor $value))]>;
