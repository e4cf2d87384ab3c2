// Folds and canonicalizations of `util` ops.

include "tegula/Patterns.td"
include "affine/affine.td"

//===-- References --------------------------------------------------------------------------------

def CastOfSameType
    : Fold<(Util_CastOp:$cast $x), [(fold $x)], [(same (typeOf $x), (typeOf $cast))]>;
def CastOfCast
    : Fold<(Util_CastOp:$cast (Util_CastOp $x)), [(fold $x)],
           [(same (typeOf $x), (typeOf $cast))]>;
def CastOfNull
    : Pattern<"canonicalize", (Util_CastOp:$cast (Util_NullOp)),
              [(replace (Util_NullOp (types (typeOf $cast))))]>;

def EqOfSame : Fold<(Util_CmpEQOp $x, $x), [(fold (attr "true"))]>;
def EqOfNulls : Fold<(Util_CmpEQOp (Util_NullOp), (Util_NullOp)), [(fold (attr "true"))]>;
def NeOfSame : Fold<(Util_CmpNEOp $x, $x), [(fold (attr "false"))]>;
def NeOfNulls : Fold<(Util_CmpNEOp (Util_NullOp), (Util_NullOp)), [(fold (attr "false"))]>;

//===-- Numbers -----------------------------------------------------------------------------------

// Whatever the index is.
def SwitchOfSame
    : Fold<(Util_SwitchOp ?, $default, $values), [(fold $default)],
           [(all (each $v, $values), (same $v, $default))]>;

def SwitchAtConstant
    : Fold<(Util_SwitchOp (ConstantLike $at), $default, $values),
           [(fold (switch (case (lt $at, (count $values)), (item $values, $at)),
                          (default $default)))],
           [(ge $at, 0)]>;

// Bytes that a power of two counts.
def SizeOfType
    : Fold<(Util_SizeOfOp $type),
           [(fold (switch (case (le $bits, 8), (attr "1 : index")),
                          (case (le $bits, 16), (attr "2 : index")),
                          (case (le $bits, 32), (attr "4 : index")),
                          (case (le $bits, 64), (attr "8 : index")),
                          (case (le $bits, 128), (attr "16 : index"))))],
           [(bind (bitWidth (typeOf $type)):$bits)]>;

def AlignToOne : Fold<(Util_AlignOp $x, (ConstantLike 1)), [(fold $x)]>;
def AlignConstant
    : Fold<(Util_AlignOp (ConstantLike $x), (ConstantLike $to)),
           [(fold (mul (div (add $x, (sub $to, 1)), $to), $to))], [(gt $to, 0)]>;

// A multiple of the alignment stays. Alignments are powers of two: what one of them asks for, the
// larger one gives, too.
def AlignOfMultiple
    : Fold<(Util_AlignOp $x, $to), [(fold $x)], [(predicate "util_is_multiple", $x, $to)]>;

// Least and greatest of a list: each value once, one constant behind the others. `two` is what they
// are of two values.
class Util_LimitOfOne<Op limit> : Fold<(limit (values $x)), [(fold $x)]>;
class Util_LimitOfTwo<dag two, Op limit>
    : Pattern<"canonicalize", (limit (values $x, $y)), [(replace two)]>;
class Util_LimitOfMany<dag many>
    : Pattern<"canonicalize", many, [(setOperand $op, "operands", $sorted)],
              [(bind (filter (each $x, (unique $xs)),
                  (unless (matches $x, (ConstantLike ?)))):$open),
               (bind (filter (each $x, (unique $xs)), (matches $x, (ConstantLike ?))):$known),
               (bind (values $open, $known):$sorted), (unless (same $sorted, $xs))]>;
class Util_LimitOfConstants<dag many, dag two>
    : Pattern<"canonicalize", many,
              [(setOperand $op, "operands",
                  (values (filter (each $x, $xs), (unless (same $x, $a)), (unless (same $x, $b))),
                          (createOrFold two)))],
              [(bind (filter (each $x, $xs), (matches $x, (ConstantLike ?))):$known),
               (gt (count $known), 1), (bind (item $known, 0):$a), (bind (item $known, 1):$b),
               (unless (same $a, $b))]>;
def LeastOfOne : Util_LimitOfOne<Util_RangeMinOp>;
def LeastOfTwo : Util_LimitOfTwo<(Arith_MinUIOp $x, $y), Util_RangeMinOp>;
def LeastOfMany : Util_LimitOfMany<(Util_RangeMinOp:$op $xs)>;
def LeastOfConstants : Util_LimitOfConstants<(Util_RangeMinOp:$op $xs), (Arith_MinUIOp $a, $b)>;
def GreatestOfOne : Util_LimitOfOne<Util_RangeMaxOp>;
def GreatestOfTwo : Util_LimitOfTwo<(Arith_MaxUIOp $x, $y), Util_RangeMaxOp>;
def GreatestOfMany : Util_LimitOfMany<(Util_RangeMaxOp:$op $xs)>;
def GreatestOfConstants
    : Util_LimitOfConstants<(Util_RangeMaxOp:$op $xs), (Arith_MaxUIOp $a, $b)>;

// First and last of what ranges cover; which groups lie where follows from their equal sizes.
def ExtentsOfKnown : NativePattern<"canonicalize", Util_RangeExtentsOp, "util_range_extents">;

//===-- Text --------------------------------------------------------------------------------------

def ItoaOfConstant
    : Pattern<"canonicalize", (Util_StringItoaOp (ConstantLike $number)),
              [(replace (Util_BufferConstantOp ?, $text, ?, ?))],
              [(bind (compute "util_decimal", $number):$text)]>;
def FormatOfKnown : NativePattern<"canonicalize", Util_StringFormatOp, "util_string_format">;

//===-- Structure ---------------------------------------------------------------------------------

def EmptyInitializer
    : Pattern<"canonicalize", (Util_InitializerOp:$op (rest)), [(erase)],
              [(eq (count (bodyOps $op, "body")), 1)]>;

//===-- What is known of values -------------------------------------------------------------------

def AssumeIntOfKnown : NativePattern<"canonicalize", Util_AssumeIntOp, "util_assume_int">;

// What a divisor of the value divides and multiplies again.
def ProductOfQuotient
    : Fold<(Arith_MulIOp (Arith_DivUIOp (Util_AssumeIntOp (values ?), $rows):$x, $c, ?),
                         (ConstantLike $n):$c, ?),
           [(fold $x)],
           [(gt $n, 0),
            (all (each $row, $rows), (all (each $known, $row),
               (matches $known, (Util_IntAssumptionAttr ?, ?, $divisor)), (present $divisor),
               (eq (mod (toInt $divisor, Index), $n), 0)))]>;

def BarrierOfConstant
    : Pattern<"canonicalize", (Util_UnfoldableConstantOp:$constant $value),
              [(replace (Util_OptimizationBarrierOp (values
                           (Arith_ConstantOp $value, (types (typeOf $constant))))))]>;

//===-- Globals -----------------------------------------------------------------------------------

def StoreOfLoad
    : Pattern<"canonicalize", (Util_GlobalStoreOp (Util_GlobalLoadOp $global, ?), $global),
              [(erase)]>;
def LoadAtAddress
    : Pattern<"canonicalize",
              (Util_GlobalLoadIndirectOp:$load (Util_GlobalAddressOp $global, ?), ?),
              [(replace (Util_GlobalLoadOp $global, ?, (types (typeOf $load))))]>;
def StoreAtAddress
    : Pattern<"canonicalize",
              (Util_GlobalStoreIndirectOp $value, (Util_GlobalAddressOp $global, ?)),
              [(Util_GlobalStoreOp $value, $global), (erase)]>;

//===-- Buffers -----------------------------------------------------------------------------------

def WholeSubspan : Fold<(Util_BufferSubspanOp $buffer, $size, ?, $size), [(fold $buffer)]>;

// What is done to a subspan is done to the buffer, further on. `use` matches the op with an operand
// that is `$subspan` and its offset as `$offset`; `buffer` is the operand's name.
class Util_UseOfSubspan<dag use, string buffer>
    : Pattern<"canonicalize", use,
              [(setOperand $op, buffer, $whole), (setOperand $op, buffer # "_size", $size),
               (setOperand $op, buffer # "_offset",
                  (createOrFold (Arith_AddIOp $start, $offset, ?)))]>;
def SubspanOfSubspan
    : Util_UseOfSubspan<(Util_BufferSubspanOp:$op
                           (Util_BufferSubspanOp $whole, $size, $start, ?), ?, $offset, ?),
                        "source">;
def SliceOfSubspan
    : Util_UseOfSubspan<(Util_BufferSliceOp:$op
                           (Util_BufferSubspanOp $whole, $size, $start, ?), ?, $offset, (rest)),
                        "source">;
def LoadOfSubspan
    : Util_UseOfSubspan<(Util_BufferLoadOp:$op
                           (Util_BufferSubspanOp $whole, $size, $start, ?), ?, $offset, ?),
                        "source">;
def HashOfSubspan
    : Util_UseOfSubspan<(Util_BufferHashOp:$op
                           (Util_BufferSubspanOp $whole, $size, $start, ?), ?, $offset, ?),
                        "source">;
def StoreToSubspan
    : Util_UseOfSubspan<(Util_BufferStoreOp:$op ?,
                           (Util_BufferSubspanOp $whole, $size, $start, ?), ?, $offset, ?),
                        "target">;
def FillOfSubspan
    : Util_UseOfSubspan<(Util_BufferFillOp:$op ?,
                           (Util_BufferSubspanOp $whole, $size, $start, ?), ?, $offset, ?),
                        "target">;
def CopyFromSubspan
    : Util_UseOfSubspan<(Util_BufferCopyOp:$op
                           (Util_BufferSubspanOp $whole, $size, $start, ?), ?, $offset, (rest)),
                        "source">;
def CopyToSubspan
    : Util_UseOfSubspan<(Util_BufferCopyOp:$op ?, ?, ?,
                           (Util_BufferSubspanOp $whole, $size, $start, ?), ?, $offset, ?),
                        "target">;
def CompareLeftSubspan
    : Util_UseOfSubspan<(Util_BufferCompareOp:$op
                           (Util_BufferSubspanOp $whole, $size, $start, ?), ?, $offset, (rest)),
                        "lhs">;
def CompareRightSubspan
    : Util_UseOfSubspan<(Util_BufferCompareOp:$op ?, ?, ?,
                           (Util_BufferSubspanOp $whole, $size, $start, ?), ?, $offset, ?),
                        "rhs">;
def StorageOfSubspan
    : Pattern<"canonicalize",
              (Util_BufferStorageOp:$of
                 (Util_BufferSubspanOp $whole, $size, $start, ?), ?),
              [(Util_BufferStorageOp:$new $whole, $size, (types (typeOf (result $of, 0)), Index)),
               (replace (result $new, 0), (Arith_AddIOp $start, (result $new, 1), ?))]>;

// How many elements a type of static sizes has.
def Util_ElementCount : Function<(params $type),
    (switch (case (all (each $size, (shape $type)), (ge $size, 0)),
                  (reduce (from $count, (attr "1 : index")), (each $size, (shape $type)),
                          (mul $count, $size))))>;
// As many whole bytes as the elements take.
def SizeOfKnownBuffer
    : Fold<(Util_BufferSizeOp (Util_BufferConstantOp ?, $value, ?, ?)),
           [(fold (mul (Util_ElementCount $type), (div $bits, 8)))],
           [(bind (typeOf $value):$type), (bind (bitWidth (elementType $type)):$bits),
            (eq (mod $bits, 8), 0)]>;
// Something that makes or uses the buffer says how long it is.
def SizeOfBuffer : Fold<(Util_BufferSizeOp $buffer), [(fold (sizeOf $buffer))]>;

// Of a choice.
def SelectOfSubspans
    : Pattern<"canonicalize",
              (Arith_SelectOp $condition, (Util_BufferSubspanOp $buffer, $size, $a, $length),
                                          (Util_BufferSubspanOp $buffer, $size, $b, $length)),
              [(replace (Util_BufferSubspanOp $buffer, $size,
                           (Arith_SelectOp $condition, $a, $b), $length))]>;
def SizeOfSelect
    : Pattern<"canonicalize", (Util_BufferSizeOp (Arith_SelectOp $condition, $a, $b)),
              [(replace (Arith_SelectOp $condition, (Util_BufferSizeOp $a),
                                                    (Util_BufferSizeOp $b)))]>;
