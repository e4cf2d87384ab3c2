// `iree-stream-encode-host-tensors`: tensors are bytes, and where their elements lie is computed.

class Stream_Encode<dag source, list<dag> steps, list<dag> conditions = []>
    : Pattern<"encode-host-tensors", source, steps, conditions>;

//===-- Sizes ---------------------------------------------------------------------------------------

// The bits that an element takes: less than eight where several lie in one byte.
def Stream_ElementBits : Function<(params $type), (compute "stream_element_bits", $type)>;

// So many elements lie in a byte, or so many bytes are an element.
def Stream_PerByte
    : Function<(params $bits), (Arith_ConstantOp (toInt (div 8, $bits), Index))>;
def Stream_PerElement
    : Function<(params $bits), (Arith_ConstantOp (toInt (div $bits, 8), Index))>;

// The bytes of a tensor: known, or the product of what is known and the dynamic dimensions.
def Stream_KnownFactor : Function<(params $type),
    (reduce (from $n, (attr "1 : index")),
            (each $size, (filter (each $s, (shape $type)), (ge $s, 0))), (mul $n, $size))>;
def Stream_Product : Function<(params $factor, $dims),
    (reduce (from $n, (Arith_ConstantOp $factor)), (each $d, $dims),
            (createOrFold (Arith_MulIOp $n, $d, ?)))>;
// Sizes of what is in memory fit into an index.
def Stream_NoWrap : Function<(params), (attr "#arith.overflow<nsw>")>;

// A dimension of a layout: rounded up to whole tiles, or with what follows it.
def Stream_RoundedUp : Function<(params $dim, $tile),
    (Arith_MulIOp (Arith_CeilDivSIOp $dim, $size), $size, (Stream_NoWrap)),
    [(bind (Arith_ConstantOp (toInt $tile, Index)):$size)]>;
def Stream_PaddedDim : Function<(params $tiled, $dim, $by), (switch
    (case (eq $tiled, 1), (Stream_RoundedUp $dim, $by)),
    (default (Arith_AddIOp $dim, (Arith_ConstantOp (toInt $by, Index)), (Stream_NoWrap))))>;
// A layout is what is known of its bytes, whether it has tiles, the dynamic dimensions that are
// padded, each with a number, and for each dynamic dimension which of those it is, or -1.
def Stream_PaddedDims : Function<(params $layout, $dims),
    (map (each $d, $dims), (each $which, (item $layout, 3)),
         (switch (case (ge $which, 0), (item $padded, $which)), (default $d))),
    [(bind (map (each $step, (item $layout, 2)),
                (Stream_PaddedDim (item $layout, 1), (item $dims, (item $step, 0)),
                                  (item $step, 1))):$padded)]>;
def Stream_BytesIn : Function<(params $layout, $dims), (switch
    (case (eq (item $layout, 1), 1),
          (reduce (from $n, (Arith_ConstantOp (item $layout, 0))), (each $d, $padded),
                  (createOrFold (Arith_MulIOp $n, $d, (Stream_NoWrap))))),
    (default (createOrFold (Arith_MulIOp
        (Arith_ConstantOp (item $layout, 0)),
        (reduce (from $n, (Arith_ConstantOp (attr "1 : index"))), (each $d, $padded),
                (createOrFold (Arith_MulIOp $n, $d, (Stream_NoWrap)))), (Stream_NoWrap))))),
    [(bind (Stream_PaddedDims $layout, $dims):$padded)]>;
// Room for the tensor in each of several layouts.
def Stream_BytesInAny : Function<(params $layouts, $dims),
    (reduce (from $most, (Stream_BytesIn (item $layouts, 0), $dims)),
            (each $i, (filter (each $p, (positions $layouts)), (gt $p, 0))),
            (Arith_MaxUIOp $most, (Stream_BytesIn (item $layouts, $i), $dims)))>;

def Stream_Bytes : Function<(params $type, $dims), (switch
    (case (bind (compute "stream_known_bytes", $type):$known), (Arith_ConstantOp $known)),
    (case (bind (compute "stream_layouts", $type):$layouts),
          (Stream_BytesInAny $layouts, $dims)),
    (case (lt (Stream_ElementBits $type), 8),
          (createOrFold (Arith_CeilDivUIOp (Stream_Product (Stream_KnownFactor $type), $dims),
                                           (Stream_PerByte (Stream_ElementBits $type))))),
    (default (Stream_Product (mul (Stream_KnownFactor $type),
                                  (div (Stream_ElementBits $type), 8)), $dims)))>;

def Stream_EncodeSizeOf
    : Stream_Encode<(Stream_TensorSizeOfOp $encoding, $dims, ?),
                    [(replace (Stream_Bytes (typeOf $encoding), $dims))],
                    [(predicate "stream_sizeable", $encoding)]>;

//===-- Places of elements --------------------------------------------------------------------------

// The number of an element in row-major order.
def Stream_ElementNumber : Function<(params $type, $dims, $indices),
    (reduce (from $number, (Arith_ConstantOp (attr "0 : index"))),
            (each $index, $indices), (each $axis, (positions $indices)),
            (createOrFold (Arith_AddIOp
               $number,
               (reduce (from $n, $index),
                       (each $inner, (filter (each $p, (positions $indices)), (gt $p, $axis))),
                       (createOrFold (Arith_MulIOp $n, (item $sizes, $inner), ?))), ?))),
    [(bind (dims $type, $dims, Arith_ConstantOp):$sizes)]>;
// The bytes before it.
def Stream_ElementOffset : Function<(params $type, $dims, $indices), (switch
    (case (lt $bits, 8), (createOrFold (Arith_DivUIOp $number, (Stream_PerByte $bits), ?))),
    (default (createOrFold (Arith_MulIOp $number, (Stream_PerElement $bits), ?)))),
    [(bind (Stream_ElementBits $type):$bits),
     (bind (Stream_ElementNumber $type, $dims, $indices):$number)]>;

def Stream_EncodeSlice
    : Stream_Encode<
        (Stream_TensorSliceOp:$op $source, $encoding, $dims, $source_size, $starts, ?,
                              $result_encoding, ?, $size, $affinity),
        [(bind (Stream_ElementOffset (typeOf $encoding), $dims, $starts):$start),
         (replace (Stream_AsyncSliceOp $source, $source_size, $start,
                                       (createOrFold (Arith_AddIOp $start, $size, ?)), $size,
                                       $affinity, (types (typeOf $op))))],
        [(predicate "stream_dense", $encoding), (predicate "stream_dense", $result_encoding)]>;
def Stream_EncodeUpdate
    : Stream_Encode<
        (Stream_TensorUpdateOp $target, $encoding, $dims, $target_size, $starts, $update,
                               $update_encoding, ?, $size, $affinity),
        [(bind (Stream_ElementOffset (typeOf $encoding), $dims, $starts):$start),
         (replace (Stream_AsyncUpdateOp $target, $target_size, $start,
                                        (createOrFold (Arith_AddIOp $start, $size, ?)), $update,
                                        $size, $affinity))],
        [(predicate "stream_dense", $encoding), (predicate "stream_dense", $update_encoding)]>;
// Of elements that share bytes the host sees none alone.
def Stream_EncodeLoad
    : Stream_Encode<(Stream_TensorLoadOp:$op $source, $encoding, $dims, $size, $indices),
        [(replace (Stream_AsyncLoadOp $source, $size,
                                      (Stream_ElementOffset (typeOf $encoding), $dims, $indices),
                                      (types (typeOf $op))))],
        [(predicate "stream_dense", $encoding), (ge (Stream_ElementBits (typeOf $encoding)), 8)]>;
def Stream_EncodeStore
    : Stream_Encode<(Stream_TensorStoreOp $target, $encoding, $dims, $size, $indices, $value),
        [(replace (Stream_AsyncStoreOp $target, $size,
                                       (Stream_ElementOffset (typeOf $encoding), $dims, $indices),
                                       $value))],
        [(predicate "stream_dense", $encoding), (ge (Stream_ElementBits (typeOf $encoding)), 8)]>;

//===-- Contents ------------------------------------------------------------------------------------

def Stream_BitsOfFloat : Function<(params $value), (typeswitch (typeOf $value),
    (case F64, (createOrFold (Arith_BitcastOp $value, (types I64)))),
    (case F32, (createOrFold (Arith_BitcastOp $value, (types I32)))),
    (case F16, (createOrFold (Arith_BitcastOp $value, (types I16)))),
    (case BF16, (createOrFold (Arith_BitcastOp $value, (types I16)))),
    (case Index, (createOrFold (Arith_IndexCastOp $value, (types I64)))),
    (default $value))>;
// Whole bytes that an element fills memory with. Elements that share a byte stand in it next to each
// other; a truth value that does not has a byte of its own.
def Stream_FillPattern : Function<(params $value, $type), (switch
    (case (lt (Stream_ElementBits $type), 8),
          (bind (Arith_ConstantOp (toInt (Stream_ElementBits $type), I8)):$width),
          (bind (createOrFold (Arith_ExtUIOp $bits, (types I8))):$part),
          (reduce (from $whole, $part), (each $more, (compute "stream_neighbors", $type)),
                  (createOrFold (Arith_OrIOp (createOrFold (Arith_ShLIOp $whole, $width, ?)),
                                             $part)))),
    (case (I1 $bits), (createOrFold (Arith_ExtUIOp $bits, (types I8)))),
    (default $bits)),
    [(bind (Stream_BitsOfFloat $value):$bits)]>;

def Stream_EncodeEmpty
    : Stream_Encode<(Stream_TensorEmptyOp:$op $encoding, ?, $size, $affinity),
                    [(replace (Stream_AsyncAllocaOp $size, $affinity, (types (typeOf $op))))],
                    [(predicate "stream_sizeable", $encoding)]>;
def Stream_EncodeConstant
    : Stream_Encode<(Stream_TensorConstantOp:$op $value, $encoding, $dims, $affinity),
        [(replace (Stream_AsyncConstantOp (absent), $stored,
                                          (Stream_Bytes (typeOf $encoding), $dims), $affinity,
                                          (types (typeOf $op))))],
        [(predicate "stream_sizeable", $encoding),
         (bind (compute "stream_stored_contents", $value):$stored)]>;
def Stream_EncodeSplat
    : Stream_Encode<(Stream_TensorSplatOp:$op $value, $encoding, ?, $size, $affinity),
        [(replace (Stream_AsyncSplatOp (absent), (Stream_FillPattern $value, (typeOf $encoding)),
                                       $size, $affinity, (types (typeOf $op))))],
        [(predicate "stream_sizeable", $encoding), (predicate "stream_fills", $value, $encoding)]>;
def Stream_EncodeFill
    : Stream_Encode<
        (Stream_TensorFillOp $target, $encoding, $dims, $size, $starts, $lengths, $value,
                             $affinity),
        [(bind (Stream_FillPattern $value, (typeOf $encoding)):$pattern),
         (bind (Stream_ElementOffset (typeOf $encoding), $dims, $starts):$start),
         (bind (Stream_ElementOffset (typeOf $encoding), $dims, $lengths):$length),
         (replace (Stream_AsyncFillOp $target, $size, $start,
                                      (createOrFold (Arith_AddIOp $start, $length, ?)), $length,
                                      $pattern, $affinity))],
        [(predicate "stream_dense", $encoding), (predicate "stream_fills", $value, $encoding)]>;
def Stream_EncodeClone
    : Stream_Encode<
        (Stream_TensorCloneOp:$op $source, $from, ?, $source_size, $to, ?, $size, $affinity),
        [(replace (Stream_AsyncCloneOp $source, $source_size, $size, $affinity,
                                       (types (typeOf $op))))],
        [(predicate "stream_sizeable", $from), (predicate "stream_sizeable", $to)]>;

//===-- Dispatches and parameters -------------------------------------------------------------------

def Stream_EncodeDispatch
    : Stream_Encode<
        (Stream_TensorDispatchOp:$op $workload, $entries, $operands, $sizes, ?, ?, $result_sizes, ?,
                                     ?, $ties, $affinity),
        [(bind (Arith_ConstantOp (attr "0 : index")):$zero),
         (replace (Stream_AsyncDispatchOp $workload, $entries, $operands, $sizes,
                                          (map (each $s, $sizes), $zero), $sizes, $sizes,
                                          $result_sizes, $ties, $affinity,
                                          (discardableOf $op), (types (typeOf $op))))]>;

// What comes from an archive is there at a timepoint, which is waited for.
class Stream_EncodeParameter<dag source, list<dag> steps, list<dag> conditions>
    : Stream_Encode<source, !listconcat(steps,
        [(replace (Stream_TimepointAwaitOp (result $async, 0), $bytes, (result $async, 1), ?,
                                           (types (typeOf $op))))]), conditions>;
def Stream_EncodeParameterLoad
    : Stream_EncodeParameter<
        (Stream_TensorParameterLoadOp:$op $scope, $key, $offset, $encoding, $dims, ?, $affinity),
        [(bind (Stream_Bytes (typeOf $encoding), $dims):$bytes),
         (Stream_AsyncParameterLoadOp:$async (absent), $scope, $key, $offset, $bytes, $affinity,
                                             (types (typeOf $op), Stream_Timepoint))],
        [(predicate "stream_sizeable", $encoding)]>;
def Stream_EncodeParameterWrite
    : Stream_EncodeParameter<
        (Stream_TensorParameterWriteOp:$op $source, $encoding, ?, $bytes, $scope, $key, $offset,
                                           $affinity),
        [(bind (Arith_ConstantOp (attr "0 : index")):$zero),
         (Stream_AsyncParameterWriteOp:$async $source, $bytes, $zero, $bytes, $bytes, $scope, $key,
                                              $offset, (absent), $affinity,
                                              (types (typeOf $op), Stream_Timepoint))],
        [(predicate "stream_sizeable", $encoding)]>;
