// From `stream`: resources that callers see become HAL buffers, others host memory; commands are
// done where they stand; whatever is waited for has been reached.

// A new buffer comes as a handle; who wants the memory takes the storage that came with it.
def HALInline_TypeConverter : TypeConverter<"hal_inline", [
  (becomes (Stream_Resource "external"), HAL_Buffer),
  (becomes Stream_AnyResource, Util_BufferType),
  (becomes Stream_File, Util_BufferType),
  (becomes Stream_Timepoint, I64),
  (becomes (Util_ListType $held), (Util_ListType (convertType $held))),
  (becomes (Util_PtrType $target), (Util_PtrType (convertType $target)))
]> {
  let casts = [
    (cast (typed $buffer, HAL_Buffer), Util_BufferType,
          (createOrFold (HALInline_BufferStorageOp $buffer)))
  ];
}

class HALInline_FromStream<dag source, list<dag> steps, list<dag> conditions = []>
    : ConversionPattern<"stream-to-hal-inline", source, steps, conditions>;

// The memory of a resource, and its size, whatever the resource has become.
def HALInline_Storage : Function<(params $resource), (typeswitch $resource,
    (case HAL_Buffer, (createOrFold (HALInline_BufferStorageOp $resource))),
    (default $resource))>;
def HALInline_Size : Function<(params $resource, $size), (typeswitch $resource,
    (case HAL_Buffer, (createOrFold (HALInline_BufferLengthOp $resource))),
    (default $size))>;
// The bytes of a value of a type.
def HALInline_Bytes : Function<(params $type), (createOrFold (Util_SizeOfOp (typeAttr $type)))>;
// The timepoint that has been reached.
def HALInline_Reached : Function<(params), (Arith_ConstantOp (attr "0 : i64"))>;
// How allocations are aligned; the runtime asks for no less.
def HALInline_Alignment : Function<(params), (Arith_ConstantOp (attr "64 : index"))>;

//===-- Resources ---------------------------------------------------------------------------------

def ConvertAlloc
    : HALInline_FromStream<(Stream_ResourceAllocOp $size, (rest)),
                           [(HALInline_BufferAllocateOp:$new (HALInline_Alignment), $size),
                            (replace (result $new, 0))]>;
def ConvertAlloca
    : HALInline_FromStream<(Stream_ResourceAllocaOp $size, (rest)),
                           [(HALInline_BufferAllocateOp:$new (HALInline_Alignment), $size),
                            (replace (result $new, 0), (HALInline_Reached))]>;
def ConvertDealloca
    : HALInline_FromStream<(Stream_ResourceDeallocaOp (rest)), [(replace (HALInline_Reached))]>;

// Nobody counts references.
def ConvertRetain : HALInline_FromStream<(Stream_ResourceRetainOp (rest)), [(erase)]>;
def ConvertRelease
    : HALInline_FromStream<(Stream_ResourceReleaseOp (rest)),
                           [(replace (Arith_ConstantOp (attr "false")))]>;
def ConvertIsTerminal
    : HALInline_FromStream<(Stream_ResourceIsTerminalOp (rest)),
                           [(replace (Arith_ConstantOp (attr "false")))]>;

def ConvertSize
    : HALInline_FromStream<(Stream_ResourceSizeOp $resource, ?),
                           [(replace (typeswitch $resource,
                               (case HAL_Buffer,
                                     (createOrFold (HALInline_BufferLengthOp $resource))),
                               (default (createOrFold (Util_BufferSizeOp $resource)))))]>;
def ConvertTryMap
    : HALInline_FromStream<(Stream_ResourceTryMapOp $source, $offset, $length, ?),
                           [(Util_BufferSubspanOp:$mapped
                               $source, (createOrFold (Util_BufferSizeOp $source)), $offset,
                               $length),
                            (replace (Arith_ConstantOp (attr "true")), $mapped)]>;
def ConvertLoad
    : HALInline_FromStream<(Stream_ResourceLoadOp:$load $source, $size, $offset),
                           [(replace (Util_BufferLoadOp
                               (HALInline_Storage $source), (HALInline_Size $source, $size),
                               $offset, (HALInline_Bytes (typeOf $load)),
                               (types (typeOf $load))))]>;
def ConvertStore
    : HALInline_FromStream<(Stream_ResourceStoreOp $target, $size, $offset, $value),
                           [(Util_BufferStoreOp
                               $value, (HALInline_Storage $target),
                               (HALInline_Size $target, $size), $offset,
                               (HALInline_Bytes (typeOf $value))),
                            (erase)]>;
def ConvertSubview
    : HALInline_FromStream<(Stream_ResourceSubviewOp $source, $size, $offset, $length),
                           [(replace (typeswitch $source,
                               (case HAL_Buffer,
                                     (HALInline_BufferSubspanOp $source, $offset, $length)),
                               (default
                                     (Util_BufferSubspanOp $source, $size, $offset, $length))))]>;

//===-- Files -------------------------------------------------------------------------------------

def ConvertFileConstant
    : HALInline_FromStream<(Stream_FileConstantOp $source, $size, $offset, $length, ?),
                           [(replace (Util_BufferSubspanOp $source, $size, $offset, $length))]>;
def ConvertFileRead
    : HALInline_FromStream<(Stream_FileReadOp $source, $from, $target, $size, $to, $length, ?, ?),
                           [(Util_BufferCopyOp
                               $source, (Util_BufferSizeOp $source),
                               (createOrFold (Arith_IndexCastOp $from, (types Index))),
                               (HALInline_Storage $target), (HALInline_Size $target, $size), $to,
                               $length),
                            (replace (HALInline_Reached))]>;
def ConvertFileWrite
    : HALInline_FromStream<(Stream_FileWriteOp $source, $size, $from, $target, $to, $length, ?, ?),
                           [(Util_BufferCopyOp
                               (HALInline_Storage $source), (HALInline_Size $source, $size), $from,
                               $target, (Util_BufferSizeOp $target),
                               (createOrFold (Arith_IndexCastOp $to, (types Index))), $length),
                            (replace (HALInline_Reached))]>;

//===-- The border of the program -----------------------------------------------------------------

// A view of a whole buffer as a tensor of this type.
def HALInline_ViewOf : Function<(params $buffer, $size, $type, $dims),
    (HALInline_BufferViewCreateOp $buffer, $zero, $size, $element, $encoding, $sizes),
    [(HAL_EncodingTypeOp:$encoding ?), (HAL_ElementTypeOp:$element (typeAttr (elementType $type))),
     (bind (dims $type, $dims, Arith_ConstantOp):$sizes),
     (Arith_ConstantOp:$zero (attr "0 : index"))]>;

// Callers know tensors in row-major order only.
def HALInline_Plain : Type<HasPlainLayoutPred, "tensor without an encoding">;
class HALInline_NoEncoding<dag source>
    : HALInline_FromStream<source, [
  (refuse "tensors with an encoding are not supported across the ABI with inline execution")
]>;

def ImportOfBuffer
    : HALInline_FromStream<(Stream_TensorImportOp HAL_Buffer:$buffer, $encoding, (rest)),
                           [(replace $buffer)], [(HALInline_Plain (typeOf $encoding))]>;
def ImportOfView
    : HALInline_FromStream<(Stream_TensorImportOp HAL_BufferView:$view, $encoding, (rest)),
                           [(replace (HALInline_BufferViewBufferOp $view))],
                           [(HALInline_Plain (typeOf $encoding))]>;
def NoEncodedImport : HALInline_NoEncoding<(Stream_TensorImportOp (rest))>;
def ExportOfBuffer
    : HALInline_FromStream<(Stream_TensorExportOp:$export $buffer, $encoding, (rest)),
                           [(replace $buffer)],
                           [(HAL_Buffer $export), (HALInline_Plain (typeOf $encoding))]>;
def ExportOfView
    : HALInline_FromStream<(Stream_TensorExportOp:$export $buffer, $encoding, $dims, $size, ?),
                           [(replace (HALInline_ViewOf $buffer, $size, (typeOf $encoding),
                                                       $dims))],
                           [(HAL_BufferView $export), (HALInline_Plain (typeOf $encoding))]>;
def NoEncodedExport : HALInline_NoEncoding<(Stream_TensorExportOp (rest))>;
def ConvertTrace
    : HALInline_FromStream<
        (Stream_TensorTraceOp $key, $resources, $sizes, $encodings, $dims),
        [(Arith_ConstantOp:$zero (attr "0 : index")),
         (HALInline_BufferViewTraceOp $key,
            (map (each $r, $resources), (each $s, $sizes), (each $e, $encodings),
                 (take $d, $dims, (count (filter (each $size, (shape (typeOf $e))), (lt $size, 0)))),
                 (HALInline_ViewOf (HALInline_BufferWrapOp $r, $zero, $s), $s, (typeOf $e), $d))),
         (erase)],
        [(all (each $e, $encodings), (HALInline_Plain (typeOf $e)))]>;
def NoEncodedTrace : HALInline_NoEncoding<(Stream_TensorTraceOp (rest))>;

//===-- Commands ----------------------------------------------------------------------------------

// All of the host's memory is seen by everyone.
def ConvertFlush : HALInline_FromStream<(Stream_CmdFlushOp (rest)), [(erase)]>;
def ConvertInvalidate : HALInline_FromStream<(Stream_CmdInvalidateOp (rest)), [(erase)]>;
def ConvertDiscard : HALInline_FromStream<(Stream_CmdDiscardOp (rest)), [(erase)]>;

def ConvertFill
    : HALInline_FromStream<(Stream_CmdFillOp $target, $size, $offset, $length, $value),
                           [(Util_BufferFillOp
                               $value, (HALInline_Storage $target),
                               (HALInline_Size $target, $size), $offset, $length),
                            (erase)]>;
def ConvertCopy
    : HALInline_FromStream<(Stream_CmdCopyOp $source, $source_size, $from, $target, $target_size,
                                             $to, $length),
                           [(Util_BufferCopyOp
                               (HALInline_Storage $source), (HALInline_Size $source, $source_size),
                               $from,
                               (HALInline_Storage $target), (HALInline_Size $target, $target_size),
                               $to, $length),
                            (erase)]>;

// Device code is a function of the program by now; `iree-hal-inline-executables` says which.
def ConvertDispatch
    : HALInline_FromStream<
        (Stream_CmdDispatchOp:$dispatch $workload, ?, $uniforms, $resources, ?, $offsets, $lengths,
                                        ?),
        [(Util_CallOp (attrOf $dispatch, "hal_inline.target"),
                      (values $workload, $uniforms,
                              (map (each $r, $resources), (HALInline_Storage $r)), $offsets,
                              $lengths),
                      ?, ?, ?, (types)),
         (erase)]>;
def ConvertFunc
    : HALInline_FromStream<
        (Stream_CmdFuncOp $name, $type, $visibility, $arg_attrs, $res_attrs),
        [(Util_FuncOp $name, (typeAttr (convertType (typeOf $type))), ?, $visibility, $arg_attrs,
                      $res_attrs, ?),
         (erase)]>;
// Resources are passed as their memory and a range of it, other values as they are.
def ConvertCall
    : HALInline_FromStream<
        (Stream_CmdCallOp:$call $callee, $operands, ?, $offsets, $lengths, (rest)),
        [(replace (Util_CallOp $callee,
            (map (each $x, $operands),
                 (take $o, $offsets, (typeswitch (typeOf (original $x)),
                    (case Stream_AnyResource, (attr "1 : index")), (default (attr "0 : index")))),
                 (take $l, $lengths, (typeswitch (typeOf (original $x)),
                    (case Stream_AnyResource, (attr "1 : index")), (default (attr "0 : index")))),
                 (values (HALInline_Storage $x), $o, $l)),
            ?, ?, ?, (types (convertType (typeOf $call)))))]>;

// What is to happen in order or at the same time happens in order.
def ConvertExecute
    : HALInline_FromStream<(Stream_CmdExecuteOp:$region $resources, (rest)),
                           [(inline $region, "body", $resources), (replace (HALInline_Reached))]>;
def ConvertSerial
    : HALInline_FromStream<(Stream_CmdSerialOp:$region), [(inline $region, "body"), (erase)]>;
def ConvertConcurrent
    : HALInline_FromStream<(Stream_CmdConcurrentOp:$region), [(inline $region, "body"), (erase)]>;

//===-- Timepoints --------------------------------------------------------------------------------

def ConvertImmediate
    : HALInline_FromStream<(Stream_TimepointImmediateOp), [(replace (HALInline_Reached))]>;
def ConvertJoin
    : HALInline_FromStream<(Stream_TimepointJoinOp (rest)), [(replace (HALInline_Reached))]>;
def ConvertBarrier
    : HALInline_FromStream<(Stream_TimepointBarrierOp $resource, ?, ?),
                           [(replace $resource, (HALInline_Reached))]>;
def ConvertAwait
    : HALInline_FromStream<(Stream_TimepointAwaitOp $resources, ?, ?, ?),
                           [(replace $resources)]>;
def ConvertGlobalTimepoint
    : HALInline_FromStream<(Util_GlobalOp:$global ?, ?, ?, ?, (Stream_TimepointAttr), ?),
                           [(setAttr $global, "type", (typeAttr I64)),
                            (setAttr $global, "initial_value", (attr "0 : i64"))]>;

// Callers can't wait for what has no point in time.
class HALInline_NoTimepoint<dag source>
    : HALInline_FromStream<source, [
  (refuse "timepoints are not supported across the ABI with inline execution")
]>;
def NoTimepointImport : HALInline_NoTimepoint<(Stream_TimepointImportOp (rest))>;
def NoTimepointExport : HALInline_NoTimepoint<(Stream_TimepointExportOp (rest))>;
def NoTimepointChain : HALInline_NoTimepoint<(Stream_TimepointChainExternalOp (rest))>;
