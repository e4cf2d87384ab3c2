// From `hal`: buffers and views keep their meaning, numbers of the runtime become constants, and
// reads and writes go to the storage.

def HAL_Bit : Type<IsInteger<1>, "integer of one bit">;
def HAL_SignedInteger : Type<IsInteger<0, "signed">, "signed integer">;
def HAL_UnsignedInteger : Type<IsInteger<0, "unsigned">, "unsigned integer">;
def HAL_IEEEFloat : AnyTypeOf<[F16, F32, F64, F128]>;

class HALInline_FromHAL<dag source, dag made>
    : ConversionPattern<"hal-to-hal-inline", source, [(replace made)]>;

//===-- Numbers of the runtime --------------------------------------------------------------------

// The kind of number in the first byte, its bits in the others.
def HAL_ElementNumber : Function<(params $type), (typeswitch $type,
    (case HAL_Bit, (attr "318767112 : i32")),
    (case HAL_SignedInteger, (add (attr "285212672 : i32"), (toInt (bitWidth $type), I32))),
    (case HAL_UnsignedInteger, (add (attr "301989888 : i32"), (toInt (bitWidth $type), I32))),
    (case AnySignlessInteger, (add (attr "268435456 : i32"), (toInt (bitWidth $type), I32))),
    (case BF16, (attr "570425360 : i32")),
    (case F8E5M2, (attr "603979784 : i32")),
    (case F8E4M3FN, (attr "620757000 : i32")),
    (case F8E5M2FNUZ, (attr "637534216 : i32")),
    (case F8E4M3FNUZ, (attr "654311432 : i32")),
    (case F8E8M0FNU, (attr "671088648 : i32")),
    (case Complex<F32>, (attr "587202624 : i32")),
    (case Complex<F64>, (attr "587202688 : i32")),
    (case HAL_IEEEFloat, (add (attr "553648128 : i32"), (toInt (bitWidth $type), I32))))>;
def ConvertElementType
    : HALInline_FromHAL<(HAL_ElementTypeOp $type),
                        (Arith_ConstantOp (HAL_ElementNumber (typeOf $type)))>;
def ConvertEncodingType
    : HALInline_FromHAL<(HAL_EncodingTypeOp (absent)), (Arith_ConstantOp (attr "1 : i32"))>;
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
