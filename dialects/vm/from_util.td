// From `util`.

//===-- Structure ---------------------------------------------------------------------------------

def VM_FromInitializer
    : VM_Converted<(Util_InitializerOp:$initializer (rest)),
                   [(VM_InitializerOp:$new ?, ?, ?),
                    (takeRegion $initializer, 0, $new, 0), (convertRegion $new, 0), (erase)]>;
// 13 is the status of what cannot be.
def VM_FromUnreachable
    : VM_Converted<(Util_UnreachableOp $message),
                   [(VM_FailOp (VM_ConstI32Op 13), $message), (erase)]>;
def VM_FromStatusCheck
    : VM_Converted<(Util_StatusCheckOkOp $status, $message),
                   [(VM_CondFailOp $status, $status, $message), (erase)]>;

//===-- Values ------------------------------------------------------------------------------------

def VM_FromAssumeInt : VM_Converted<(Util_AssumeIntOp $values, ?), [(replace $values)]>;
def VM_FromOptimizationBarrier
    : VM_Replaced<(Util_OptimizationBarrierOp:$barrier $values),
                  (VM_OptimizationBarrierOp $values,
                                            (types (convertType (typeOf $barrier))))>;
def VM_FromNull
    : VM_Replaced<(Util_NullOp:$null),
                  (VM_ConstRefZeroOp (types (convertType (typeOf $null))))>;
def VM_FromCmpEQ
    : VM_Replaced<(Util_CmpEQOp (converted VM_AnyRef):$a, $b), (VM_CmpEQRefOp $a, $b)>;
def VM_FromCmpNE
    : VM_Replaced<(Util_CmpNEOp (converted VM_AnyRef):$a, $b), (VM_CmpNERefOp $a, $b)>;
def VM_FromSizeOfIndex
    : VM_Replaced<(Util_SizeOfOp $type),
                  (typeswitch (convertType (typeOf $type)), (case I32, (VM_ConstI32Op 4)),
                                                            (case I64, (VM_ConstI64Op 8))),
                  [(same (typeOf $type), Index)]>;

// (value + (alignment - 1)) & ~(alignment - 1)
class VM_FromAlign<Type type, dag one, Op sub, Op sum, Op not, Op both>
    : VM_Converted<(Util_AlignOp (converted type):$value, $to),
                   [(bind (createOrFold (sub $to, one)):$rest),
                    (bind (createOrFold (sum $value, $rest)):$above),
                    (replace (createOrFold (both $above, (createOrFold (not $rest)))))]>;
def VM_FromAlign32
    : VM_FromAlign<I32, (VM_ConstI32Op 1), VM_SubI32Op, VM_AddI32Op, VM_NotI32Op, VM_AndI32Op>;
def VM_FromAlign64
    : VM_FromAlign<I64, (VM_ConstI64Op 1), VM_SubI64Op, VM_AddI64Op, VM_NotI64Op, VM_AndI64Op>;

class VM_FromSwitch<Op made, Type type>
    : VM_Replaced<(Util_SwitchOp $index, (converted type):$default, $values),
                  (made (VM_ToI32 $index), $default, $values)>;
def VM_FromSwitchI32 : VM_FromSwitch<VM_SwitchI32Op, I32>;
def VM_FromSwitchI64 : VM_FromSwitch<VM_SwitchI64Op, I64>;
def VM_FromSwitchF32 : VM_FromSwitch<VM_SwitchF32Op, F32>;
def VM_FromSwitchF64 : VM_FromSwitch<VM_SwitchF64Op, F64>;

//===-- Globals -----------------------------------------------------------------------------------

def VM_FromGlobalAddress
    : VM_Replaced<(Util_GlobalAddressOp:$address $global, $immutable),
                  (VM_GlobalAddressOp $global, $immutable,
                                      (types (convertType (typeOf $address))))>;

// `made` makes the global; `value` is the constraint on what it may begin with.
class VM_FromGlobal<TypeConstraint type, dag made>
    : VM_Converted<(Util_GlobalOp:$global $visibility, $name, $type, $mutable, $value, $policy),
                   [made, (erase)],
                   [(bind (convertType (typeOf $type)):$becomes), (type $becomes)]>;
multiclass VM_FromGlobalAccess<TypeConstraint type, Op load, Op store, Op loadAt, Op storeAt> {
  def Load
      : VM_Replaced<(Util_GlobalLoadOp:$load $global, $immutable),
                    (load $global, $immutable, (types $becomes)),
                    [(bind (convertType (typeOf $load)):$becomes), (type $becomes)]>;
  def Store
      : VM_Converted<(Util_GlobalStoreOp (converted type):$value, $global),
                     [(store $value, $global), (erase)]>;
  def LoadAt
      : VM_Replaced<(Util_GlobalLoadIndirectOp:$load $address, $immutable),
                    (loadAt $address, $immutable, (types $becomes)),
                    [(bind (convertType (typeOf $load)):$becomes), (type $becomes)]>;
  def StoreAt
      : VM_Converted<(Util_GlobalStoreIndirectOp (converted type):$value, $address),
                     [(storeAt $value, $address), (erase)]>;
}
multiclass VM_FromNumberGlobal<Type type, dag first, Op global, Op load, Op store, Op loadAt,
                               Op storeAt>
    : VM_FromGlobalAccess<type, load, store, loadAt, storeAt> {
  def "" : VM_FromGlobal<type, (global $visibility, $name, (typeAttr $becomes), $mutable, first,
                                       $policy, ?, (discardableOf $global))>;
}
// Contents that nobody may rely on are none.
class VM_FirstInteger<Type type> {
  dag value = (switch (case (matches $value, APIntAttr:$first), (toInt $first, type)),
                      (default (absent)));
}
defvar VM_FirstFloat = (switch (case (matches $value, AnyFloatAttr:$first), $first),
                               (default (absent)));
defm VM_FromGlobalI32
    : VM_FromNumberGlobal<I32, VM_FirstInteger<I32>.value, VM_GlobalI32Op, VM_GlobalLoadI32Op,
                          VM_GlobalStoreI32Op, VM_GlobalLoadIndirectI32Op,
                          VM_GlobalStoreIndirectI32Op>;
defm VM_FromGlobalI64
    : VM_FromNumberGlobal<I64, VM_FirstInteger<I64>.value, VM_GlobalI64Op, VM_GlobalLoadI64Op,
                          VM_GlobalStoreI64Op, VM_GlobalLoadIndirectI64Op,
                          VM_GlobalStoreIndirectI64Op>;
defm VM_FromGlobalF32
    : VM_FromNumberGlobal<F32, VM_FirstFloat, VM_GlobalF32Op, VM_GlobalLoadF32Op,
                          VM_GlobalStoreF32Op, VM_GlobalLoadIndirectF32Op,
                          VM_GlobalStoreIndirectF32Op>;
defm VM_FromGlobalF64
    : VM_FromNumberGlobal<F64, VM_FirstFloat, VM_GlobalF64Op, VM_GlobalLoadF64Op,
                          VM_GlobalStoreF64Op, VM_GlobalLoadIndirectF64Op,
                          VM_GlobalStoreIndirectF64Op>;
defm VM_FromGlobalRef
    : VM_FromGlobalAccess<VM_AnyRef, VM_GlobalLoadRefOp, VM_GlobalStoreRefOp,
                          VM_GlobalLoadIndirectRefOp, VM_GlobalStoreIndirectRefOp>;
def VM_FromGlobalRef
    : VM_FromGlobal<VM_AnyRef, (VM_GlobalRefOp $visibility, $name, (typeAttr $becomes), $mutable,
                                               $policy, ?, (discardableOf $global))>;

//===-- Lists -------------------------------------------------------------------------------------

class VM_FromListCreate<dag create, dag capacity>
    : VM_Replaced<create,
                  (VM_ListAllocOp capacity, (types (convertType (typeOf $create))))>;
def VM_FromNewList
    : VM_FromListCreate<(Util_ListCreateOp:$create AnyType:$capacity), (VM_ToI32 $capacity)>;
def VM_FromEmptyList
    : VM_FromListCreate<(Util_ListCreateOp:$create (absent)), (VM_ConstI32Op 0)>;
def VM_FromListConstruct
    : VM_Converted<(Util_ListConstructOp:$construct $values),
        [(VM_ConstI32Op:$size (toInt (count $values), I32)),
         (VM_ListAllocOp:$list $size, (types (convertType (typeOf $construct)))),
         (when (gt (count (original $values)), 0), (VM_ListResizeOp $list, $size)),
         (forEach (each $value, $values), (each $position, (positions $values)),
            (VM_ConstI32Op:$at (toInt $position, I32)),
            (when (same (typeOf $value), I32), (VM_ListSetI32Op $list, $at, $value)),
            (when (same (typeOf $value), I64), (VM_ListSetI64Op $list, $at, $value)),
            (when (same (typeOf $value), F32), (VM_ListSetF32Op $list, $at, $value)),
            (when (same (typeOf $value), F64), (VM_ListSetF64Op $list, $at, $value)),
            (when (matches (typeOf $value), VM_AnyRef), (VM_ListSetRefOp $list, $at, $value))),
         (replace $list)]>;
def VM_FromListSize
    : VM_Replaced<(Util_ListSizeOp:$size $list),
                  (typeswitch (convertType (typeOf $size)),
                      (case I32, (VM_ListSizeOp $list)),
                      (case I64, (VM_ExtI32I64SOp (VM_ListSizeOp $list))))>;
def VM_FromListResize
    : VM_Converted<(Util_ListResizeOp $list, $size),
                   [(VM_ListResizeOp $list, (VM_ToI32 $size)), (erase)]>;
multiclass VM_FromListAccess<TypeConstraint type, Op get, Op set> {
  def Get
      : VM_Replaced<(Util_ListGetOp:$get $list, $index),
                    (get $list, (VM_ToI32 $index), (types $becomes)),
                    [(bind (convertType (typeOf $get)):$becomes), (type $becomes)]>;
  def Set
      : VM_Converted<(Util_ListSetOp $list, $index, (converted type):$value),
                     [(set $list, (VM_ToI32 $index), $value), (erase)]>;
}
defm VM_FromListI32 : VM_FromListAccess<I32, VM_ListGetI32Op, VM_ListSetI32Op>;
defm VM_FromListI64 : VM_FromListAccess<I64, VM_ListGetI64Op, VM_ListSetI64Op>;
defm VM_FromListF32 : VM_FromListAccess<F32, VM_ListGetF32Op, VM_ListSetF32Op>;
defm VM_FromListF64 : VM_FromListAccess<F64, VM_ListGetF64Op, VM_ListSetF64Op>;
defm VM_FromListRef : VM_FromListAccess<VM_AnyRef, VM_ListGetRefOp, VM_ListSetRefOp>;

//===-- Text --------------------------------------------------------------------------------------

// The digits of a number, by a function that comes with the program (`src/itoa.mlir`).
def VM_Itoa : Function<(params $value), (VM_CallOp
    (symbol "__iree_string_itoa_u64"), (values (VM_ToI64U $value)), ?, ?, ?,
    (types (type "!vm.buffer")))>;
def VM_FromStringItoa : VM_Replaced<(Util_StringItoaOp $value), (VM_Itoa $value)>;

// Text without values in it is there already.
def VM_FromKnownFormat
    : VM_Replaced<(Util_StringFormatOp $format, $values),
                  (VM_RodataInlineOp ?, (item (item $pieces, 0), 0), ?, ?),
                  [(bind (compute "vm_pieces", $format, (count $values)):$pieces),
                   (eq (count $pieces), 1), (ArrayAttr (item $pieces, 0))]> {
  let benefit = 2;
}
// Pieces are numbers of values, and texts with their lengths. They are measured, and copied one
// behind the other.
def VM_PieceLength : Function<(params $piece, $texts),
    (switch (case (ArrayAttr $piece), (VM_ConstI64Op (item $piece, 1))),
            (default (VM_BufferLengthOp (item $texts, $piece))))>;
def VM_FromStringFormat
    : VM_Converted<(Util_StringFormatOp $format, $values),
        [(VM_ConstI64ZeroOp:$zero), (VM_ConstI32Op:$one 1),
         (bind (map (each $value, $values),
                  (typeswitch $value, (case VM_AnyRef, $value),
                                      (default (VM_Itoa $value)))):$texts),
         (bind (reduce (from $so, $zero), (each $piece, $pieces),
                  (createOrFold (VM_AddI64Op $so, (VM_PieceLength $piece, $texts)))):$length),
         (VM_BufferAllocOp:$all $length, $one),
         (bind (reduce (from $at, $zero), (each $piece, $pieces),
                  (bind (VM_PieceLength $piece, $texts):$size),
                  (bind (switch (case (ArrayAttr $piece),
                                      (VM_RodataInlineOp ?, (item $piece, 0), ?, ?)),
                                (default (item $texts, $piece))):$from),
                  (VM_BufferCopyOp $from, $zero, $all, $at, $size),
                  (createOrFold (VM_AddI64Op $at, $size))):$end),
         (replace $all)],
        [(bind (compute "vm_pieces", $format, (count $values)):$pieces)]>;

//===-- Buffers -----------------------------------------------------------------------------------

def VM_Alignment : Function<(params $alignment),
    (VM_ConstI32Op (switch (case (present $alignment), (toInt $alignment, I32)),
                           (default (attr "0 : i32"))))>;
def VM_FromBufferConstant
    : VM_Replaced<(Util_BufferConstantOp $name, $value, $alignment, $mimeType),
                  (VM_RodataInlineOp $name, $value,
                     (switch (case (present $alignment), (toInt $alignment, I64)),
                             (default (absent))), $mimeType)>;
def VM_FromBufferAlloc
    : VM_Replaced<(Util_BufferAllocOp $size, $alignment),
                  (VM_BufferAllocOp (VM_ToI64U $size), (VM_Alignment $alignment))>;
def VM_FromBufferDealloc : VM_Converted<(Util_BufferDeallocOp (rest)), [(erase)]>;
def VM_FromBufferSlice
    : VM_Converted<(Util_BufferSliceOp $source, ?, $offset, $size, $alignment),
                   [(bind (VM_ToI64U $size):$length),
                    (VM_BufferAllocOp:$new $length, (VM_Alignment $alignment)),
                    (VM_ConstI64ZeroOp:$zero),
                    (VM_BufferCopyOp $source, (VM_ToI64U $offset), $new, $zero, $length),
                    (replace $new)]>;
def VM_FromBufferSize
    : VM_Replaced<(Util_BufferSizeOp:$size $buffer),
                  (typeswitch (convertType (typeOf $size)),
                      (case I64, (VM_BufferLengthOp $buffer)),
                      (case I32, (VM_TruncI64I32Op (VM_BufferLengthOp $buffer))))>;
def VM_FromBufferCopy
    : VM_Converted<(Util_BufferCopyOp $source, ?, $from, $target, ?, $to, $length),
                   [(VM_BufferCopyOp $source, (VM_ToI64U $from), $target, (VM_ToI64U $to),
                                     (VM_ToI64U $length)),
                    (erase)]>;
def VM_FromBufferCompare
    : VM_Replaced<(Util_BufferCompareOp $a, ?, $from, $b, ?, $to, $length),
                  (VM_BufferCompareOp $a, (VM_ToI64U $from), $b, (VM_ToI64U $to),
                                      (VM_ToI64U $length))>;
def VM_FromBufferHash
    : VM_Replaced<(Util_BufferHashOp $source, ?, $offset, $length),
                  (VM_BufferHashOp $source, (VM_ToI64U $offset), (VM_ToI64U $length))>;

// Bytes as numbers of a type that takes so many, in which the machine counts.
def VM_Counted : Function<(params $x, $bytes),
    (switch (case (eq $bytes, 1), (VM_ToI64U $x)),
            (default (createOrFold (VM_DivI64SOp (VM_ToI64U $x), (VM_ConstI64Op $bytes)))))>;
class VM_Bytes<int count> {
  dag size = (attr count # " : i64");
}
multiclass VM_FromBufferWrite<TypeConstraint type, int bytes, Op store, Op fill,
                              list<dag> conditions = []> {
  def Store
      : VM_Converted<(Util_BufferStoreOp type:$value, $target, ?, $at, ?),
                     [(store $target, (VM_Counted $at, VM_Bytes<bytes>.size), $value), (erase)],
                     conditions>;
  def Fill
      : VM_Converted<(Util_BufferFillOp type:$value, $target, ?, $at, $length),
                     [(fill $target, (VM_Counted $at, VM_Bytes<bytes>.size),
                            (VM_Counted $length, VM_Bytes<bytes>.size), $value),
                      (erase)], conditions>;
}
class VM_FromBufferRead<TypeConstraint type, int bytes, Op load, list<dag> conditions = []>
    : VM_Replaced<(Util_BufferLoadOp:$load $source, ?, $at, ?),
                  (load $source, (VM_Counted $at, VM_Bytes<bytes>.size),
                        (types (convertType (typeOf $load)))),
                  !listconcat([(type $load)], conditions)>;

def VM_Byte : AnyTypeOf<[I1, AnyIntOfWidths<[8]>, VM_Float8]>;
def VM_Pair : AnyTypeOf<[AnyIntOfWidths<[16]>, VM_Float16]>;
defm VM_FromByte : VM_FromBufferWrite<VM_Byte, 1, VM_BufferStoreI8Op, VM_BufferFillI8Op>;
defm VM_FromPair : VM_FromBufferWrite<VM_Pair, 2, VM_BufferStoreI16Op, VM_BufferFillI16Op>;
defm VM_FromWordI32
    : VM_FromBufferWrite<AnyIntOfWidths<[32]>, 4, VM_BufferStoreI32Op, VM_BufferFillI32Op>;
defm VM_FromWordI64
    : VM_FromBufferWrite<AnyIntOfWidths<[64]>, 8, VM_BufferStoreI64Op, VM_BufferFillI64Op>;
defm VM_FromWordF32 : VM_FromBufferWrite<F32, 4, VM_BufferStoreF32Op, VM_BufferFillF32Op>;
defm VM_FromWordF64 : VM_FromBufferWrite<F64, 8, VM_BufferStoreF64Op, VM_BufferFillF64Op>;
defm VM_FromIndex32
    : VM_FromBufferWrite<Index, 4, VM_BufferStoreI32Op, VM_BufferFillI32Op,
                         [(same (convertType (typeOf $value)), I32)]>;
defm VM_FromIndex64
    : VM_FromBufferWrite<Index, 8, VM_BufferStoreI64Op, VM_BufferFillI64Op,
                         [(same (convertType (typeOf $value)), I64)]>;

def VM_ReadSignedByte : VM_FromBufferRead<AnyTypeOf<[I1, I8, SI8]>, 1, VM_BufferLoadI8SOp>;
def VM_ReadByte : VM_FromBufferRead<AnyTypeOf<[UI8, VM_Float8]>, 1, VM_BufferLoadI8UOp>;
def VM_ReadSignedPair : VM_FromBufferRead<AnyTypeOf<[I16, SI16]>, 2, VM_BufferLoadI16SOp>;
def VM_ReadPair : VM_FromBufferRead<AnyTypeOf<[UI16, VM_Float16]>, 2, VM_BufferLoadI16UOp>;
def VM_ReadI32 : VM_FromBufferRead<AnyIntOfWidths<[32]>, 4, VM_BufferLoadI32Op>;
def VM_ReadI64 : VM_FromBufferRead<AnyIntOfWidths<[64]>, 8, VM_BufferLoadI64Op>;
def VM_ReadF32 : VM_FromBufferRead<F32, 4, VM_BufferLoadF32Op>;
def VM_ReadF64 : VM_FromBufferRead<F64, 8, VM_BufferLoadF64Op>;
def VM_ReadIndex32 : VM_FromBufferRead<Index, 4, VM_BufferLoadI32Op,
                                       [(same (convertType (typeOf $load)), I32)]>;
def VM_ReadIndex64 : VM_FromBufferRead<Index, 8, VM_BufferLoadI64Op,
                                       [(same (convertType (typeOf $load)), I64)]>;
