// From `hal`: buffers and views keep their meaning, numbers of the runtime become constants, and
// reads and writes go to the storage.

class HALInline_FromHAL<dag source, dag made>
    : ConversionPattern<"hal-to-hal-inline", source, [(replace made)]>;

//===-- Numbers of the runtime --------------------------------------------------------------------

def ConvertElementType
    : HALInline_FromHAL<(HAL_ElementTypeOp $type),
                        (Arith_ConstantOp (HAL_ElementNumber (typeOf $type)))>;
def ConvertEncodingType
    : HALInline_FromHAL<(HAL_EncodingTypeOp (absent)), (Arith_ConstantOp HAL_RowMajor)>;
def ConvertMemoryType
    : HALInline_FromHAL<(HAL_MemoryTypeOp $number), (Arith_ConstantOp $number)>;
def ConvertBufferUsage
    : HALInline_FromHAL<(HAL_BufferUsageOp $number), (Arith_ConstantOp $number)>;

//===-- Buffers -----------------------------------------------------------------------------------

def ConvertBufferSubspan
    : HALInline_FromHAL<(HAL_BufferSubspanOp $buffer, $offset, $length),
                        (HALInline_BufferSubspanOp $buffer, $offset, $length)>;
def ConvertBufferLength
    : HALInline_FromHAL<(HAL_BufferLengthOp $buffer), (HALInline_BufferLengthOp $buffer)>;
def ConvertBufferLoad
    : HALInline_FromHAL<(HAL_BufferLoadOp:$load $buffer, $offset),
                        (Util_BufferLoadOp (createOrFold (HALInline_BufferStorageOp $buffer)),
                                           (HALInline_BufferLengthOp $buffer), $offset,
                                           (HALInline_Bytes (typeOf $load)),
                                           (types (typeOf $load)))>;
def ConvertBufferStore
    : ConversionPattern<"hal-to-hal-inline", (HAL_BufferStoreOp $value, $buffer, $offset),
                        [(Util_BufferStoreOp $value,
                                             (createOrFold (HALInline_BufferStorageOp $buffer)),
                                             (HALInline_BufferLengthOp $buffer), $offset,
                                             (HALInline_Bytes (typeOf $value))),
                         (erase)]>;

//===-- Buffer views ------------------------------------------------------------------------------

def ConvertBufferViewCreate
    : HALInline_FromHAL<(HAL_BufferViewCreateOp $buffer, $offset, $length, $type, $encoding,
                                                $shape),
                        (HALInline_BufferViewCreateOp $buffer, $offset, $length, $type,
                                                      $encoding, $shape)>;
def ConvertBufferViewAssert
    : ConversionPattern<"hal-to-hal-inline",
                        (HAL_BufferViewAssertOp $view, $message, $type, $encoding, $shape),
                        [(HALInline_BufferViewAssertOp $view, $message, $type, $encoding, $shape),
                         (erase)]>;
def ConvertBufferViewBuffer
    : HALInline_FromHAL<(HAL_BufferViewBufferOp $view), (HALInline_BufferViewBufferOp $view)>;
def ConvertBufferViewElementType
    : HALInline_FromHAL<(HAL_BufferViewElementTypeOp $view),
                        (HALInline_BufferViewElementTypeOp $view)>;
def ConvertBufferViewEncodingType
    : HALInline_FromHAL<(HAL_BufferViewEncodingTypeOp $view),
                        (HALInline_BufferViewEncodingTypeOp $view)>;
def ConvertBufferViewRank
    : HALInline_FromHAL<(HAL_BufferViewRankOp $view), (HALInline_BufferViewRankOp $view)>;
def ConvertBufferViewDim
    : HALInline_FromHAL<(HAL_BufferViewDimOp $view, $index),
                        (HALInline_BufferViewDimOp $view, $index)>;
def ConvertBufferViewTrace
    : ConversionPattern<"hal-to-hal-inline", (HAL_BufferViewTraceOp $key, $views),
                        [(HALInline_BufferViewTraceOp $key, $views), (erase)]>;
