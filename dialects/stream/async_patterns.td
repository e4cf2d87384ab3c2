// Canonicalizations of `stream.async.*`.

//===-- Work that nobody asks for -----------------------------------------------------------------

class Stream_ElideUnused<dag op>
    : Pattern<"canonicalize", op, [(erase)], [(noUse $op)]>;
def UnusedAlloca : Stream_ElideUnused<(Stream_AsyncAllocaOp:$op (rest))>;
def UnusedSplat : Stream_ElideUnused<(Stream_AsyncSplatOp:$op (rest))>;
def UnusedClone : Stream_ElideUnused<(Stream_AsyncCloneOp:$op (rest))>;
def UnusedFill : Stream_ElideUnused<(Stream_AsyncFillOp:$op (rest))>;
def UnusedUpdate : Stream_ElideUnused<(Stream_AsyncUpdateOp:$op (rest))>;
def UnusedCopy : Stream_ElideUnused<(Stream_AsyncCopyOp:$op (rest))>;
def UnusedCollective : Stream_ElideUnused<(Stream_AsyncCollectiveOp:$op (rest))>;

// Once work is in regions nothing orders itself by barriers any more.
def ScheduledBarrier
    : Pattern<"stream-scheduled", (Stream_AsyncBarrierOp $resource, ?, ?), [(replace $resource)]>;

//===-- Where work stands -------------------------------------------------------------------------

// What takes memory does so as late as it may.
def SplatAtUsers : NativePattern<"canonicalize", Stream_AsyncSplatOp, "stream_sink_to_users">;
def AllocaAtUsers : NativePattern<"canonicalize", Stream_AsyncAllocaOp, "stream_sink_to_users">;

//===-- Fills -------------------------------------------------------------------------------------

def NarrowSplat
    : Pattern<"canonicalize", (Stream_AsyncSplatOp:$op ?, (ConstantLike $value), (rest)),
              [(setOperand $op, "value", (Arith_ConstantOp $narrow))],
              [(bind (compute "stream_narrow_fill", $value):$narrow)]>;
def NarrowFill
    : Pattern<"canonicalize",
              (Stream_AsyncFillOp:$op ?, ?, ?, ?, ?, (ConstantLike $value), ?),
              [(setOperand $op, "value", (Arith_ConstantOp $narrow))],
              [(bind (compute "stream_narrow_fill", $value):$narrow)]>;

// A fill of what holds the value already.
def FillOfSameSplat
    : Fold<(Stream_AsyncFillOp (Stream_AsyncSplatOp ?, $value, ?, ?):$splat,
                               ?, ?, ?, ?, $value, ?),
           [(fold $splat)]>;
// A fill of all of a resource that nothing else sees.
def FillOfWholeSplat
    : Pattern<"canonicalize",
              (Stream_AsyncFillOp:$fill (Stream_AsyncSplatOp (rest)), $size, ?, ?, $size, $value,
                                        $affinity),
              [(replace (Stream_AsyncSplatOp (absent), $value, $size, $affinity,
                                             (types (typeOf $fill))))]>;
// Ranges that meet are filled at once.
def FillOfNextRange
    : Pattern<"canonicalize",
              (Stream_AsyncFillOp:$op
                 (oneUse (Stream_AsyncFillOp $target, ?, $start, $middle, $length, $value, ?)),
                 ?, $middle, ?, $more, $value, ?),
              [(setOperand $op, "target", $target), (setOperand $op, "target_offset", $start),
               (setOperand $op, "target_length", (createOrFold (Arith_AddIOp $length, $more, ?)))]>;

// What repeats one value is filled with it.
def ConstantOfSplat
    : Pattern<"canonicalize", (Stream_AsyncConstantOp:$constant $await, $value, $size, $affinity),
              [(replace (Stream_AsyncSplatOp $await, (Arith_ConstantOp $element), $size, $affinity,
                                             (types (typeOf $constant))))],
              [(bind (splat $value):$element),
               (matches (typeOf $element), (anyOf I8, I16, I32, I64))]>;

//===-- Copies ------------------------------------------------------------------------------------

def CloneOfSplat
    : Pattern<"canonicalize",
              (Stream_AsyncCloneOp:$clone (Stream_AsyncSplatOp $await, $value, $size, $affinity),
                                          ?, ?, ?),
              [(replace (Stream_AsyncSplatOp $await, $value, $size, $affinity,
                                             (types (typeOf $clone))))]>;
def WholeSlice : Fold<(Stream_AsyncSliceOp $resource, $size, ?, ?, $size, ?), [(fold $resource)]>;
def SliceOfSplat
    : Pattern<"canonicalize",
              (Stream_AsyncSliceOp:$slice (Stream_AsyncSplatOp $await, $value, ?, ?),
                                          ?, ?, ?, $size, $affinity),
              [(replace (Stream_AsyncSplatOp $await, $value, $size, $affinity,
                                             (types (typeOf $slice))))]>;

def UpdateOfSelf
    : Fold<(Stream_AsyncUpdateOp $resource, $size, ?, ?, $resource, $size, ?), [(fold $resource)]>;
def UpdateOfWholeSplat
    : Fold<(Stream_AsyncUpdateOp:$update (Stream_AsyncSplatOp (rest)), $size, ?, ?, $source, $size,
                                         ?),
           [(fold $source)], [(same (typeOf $source), (typeOf $update))]>;
def UpdateFromSplat
    : Pattern<"canonicalize",
              (Stream_AsyncUpdateOp $target, $size, $start, $end,
                                    (Stream_AsyncSplatOp ?, $value, ?, ?), $length, $affinity),
              [(replace (Stream_AsyncFillOp $target, $size, $start, $end, $length, $value,
                                            $affinity))]>;
def UpdateFromSlice
    : Pattern<"canonicalize",
              (Stream_AsyncUpdateOp $target, $size, $start, $end,
                                    (Stream_AsyncSliceOp $source, $whole, $from, $to, $length, ?),
                                    ?, $affinity),
              [(replace (Stream_AsyncCopyOp $target, $size, $start, $end, $source, $whole, $from,
                                            $to, $length, $affinity))]>;
def UpdateInPlace : NativePattern<"canonicalize", Stream_AsyncUpdateOp, "stream_update_in_place">;
def CopyOfWhole
    : Pattern<"canonicalize",
              (Stream_AsyncCopyOp $target, $size, $start, $end, $source, $length, ?, $length,
                                  $length, $affinity),
              [(replace (Stream_AsyncUpdateOp $target, $size, $start, $end, $source, $length,
                                              $affinity))]>;

//===-- Transfers and casts -----------------------------------------------------------------------

// There and back again.
def TransferBack
    : Fold<(Stream_AsyncTransferOp:$back
              (Stream_AsyncTransferOp $resource, ?, ?, $home, ?, (absent)),
              ?, ?, ?, $home, (absent)),
           [(fold $resource)], [(same (typeOf $resource), (typeOf $back))]>;
// By way of somewhere else.
def TransferOfTransfer
    : Pattern<"canonicalize",
              (Stream_AsyncTransferOp:$last
                 (Stream_AsyncTransferOp $resource, $size, ?, $from, ?, ?),
                 ?, $length, ?, $to, $on),
              [(replace (Stream_AsyncTransferOp $resource, $size, $length, $from, $to, $on,
                                                (types (typeOf $last))))]>;
// In the same place it is a copy.
def TransferInPlace
    : Pattern<"canonicalize",
              (Stream_AsyncTransferOp:$transfer Stream_AnyStreamResource:$resource, $size, $length,
                                                $where, $where, ?),
              [(replace (Stream_AsyncCloneOp $resource, $size, $length, $where,
                                             (types (typeOf $transfer))))],
              [(Stream_AnyStreamResource $transfer)]>;

def CastOfSameLifetime
    : Fold<(Stream_AsyncCastOp:$cast $resource, ?, ?, ?), [(fold $resource)],
           [(same (typeOf $resource), (typeOf $cast))]>;
def CastOfResourceCast
    : Pattern<"canonicalize",
              (Stream_AsyncCastOp:$cast (Stream_AsyncCastOp $resource, $size, ?, ?), ?, $length,
                                        $affinity),
              [(replace (Stream_AsyncCastOp $resource, $size, $length, $affinity,
                                            (types (typeOf $cast))))]>;

//===-- On the host -------------------------------------------------------------------------------

// Just the bytes of the value are staged out of what was copied as a whole.
def LoadOfClone
    : Pattern<"canonicalize",
              (Stream_AsyncLoadOp:$load
                 (Stream_AsyncTransferOp:$staged
                    (Stream_AsyncCloneOp $source, $size, ?, ?), ?, ?, $from, $to, $on),
                 ?, $offset),
              [(bind (Arith_ConstantOp $bytes):$length),
               (bind (Stream_AsyncSliceOp
                        $source, $size, $offset,
                        (createOrFold (Arith_AddIOp $offset, $length, ?)), $length, $from):$part),
               (replace (Stream_AsyncLoadOp
                           (Stream_AsyncTransferOp $part, $length, $length, $from, $to, $on,
                                                   (types (typeOf $staged))),
                           $length, (Arith_ConstantOp (attr "0 : index")),
                           (types (typeOf $load))))],
              [(bind (div (add (bitWidth (typeOf $load)), 7), 8):$bytes)]>;
def BitcastOfLoad
    : Pattern<"canonicalize",
              (Arith_BitcastOp:$cast (oneUse (Stream_AsyncLoadOp $resource, $size, $offset))),
              [(replace (Stream_AsyncLoadOp $resource, $size, $offset,
                                            (types (typeOf $cast))))]>;
def StoreOfBitcast
    : Pattern<"canonicalize", (Stream_AsyncStoreOp:$op ?, ?, ?, (Arith_BitcastOp $value)),
              [(setOperand $op, "value", $value)]>;

// What the host reads and writes is in memory once there is some.
def LoadFromMemory
    : ConversionPattern<"stream-allocated", (Stream_AsyncLoadOp:$load $source, $size, $offset),
        [(replace (Stream_ResourceLoadOp $source, $size, $offset, (types (typeOf $load))))]>;
def StoreIntoMemory
    : ConversionPattern<"stream-allocated",
        (Stream_AsyncStoreOp $target, $size, $offset, $value),
        [(Stream_ResourceStoreOp $target, $size, $offset, $value), (replace $target)]>;
