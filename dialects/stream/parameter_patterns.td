// Canonicalizations of parameter ops.

//===-- Work that nobody asks for -----------------------------------------------------------------

def UnusedAsyncParameterRead : Stream_ElideUnused<(Stream_AsyncParameterReadOp:$op (rest))>;
def UnusedAsyncParameterWrite : Stream_ElideUnused<(Stream_AsyncParameterWriteOp:$op (rest))>;
def UnusedAsyncParameterGather : Stream_ElideUnused<(Stream_AsyncParameterGatherOp:$op (rest))>;
def UnusedAsyncParameterScatter : Stream_ElideUnused<(Stream_AsyncParameterScatterOp:$op (rest))>;
def UnusedCmdParameterRead : Stream_ElideUnused<(Stream_CmdParameterReadOp:$op (rest))>;
def UnusedCmdParameterWrite : Stream_ElideUnused<(Stream_CmdParameterWriteOp:$op (rest))>;
def UnusedCmdParameterGather : Stream_ElideUnused<(Stream_CmdParameterGatherOp:$op (rest))>;
def UnusedCmdParameterScatter : Stream_ElideUnused<(Stream_CmdParameterScatterOp:$op (rest))>;

//===-- Subviews ----------------------------------------------------------------------------------
//
// What a subview receives or gives, the resource does, further on in both: `parameter` names the
// operand with the parameter's offset.

// How far into a parameter a resource's offset is.
def Stream_ParameterOffset : Function<(params $start),
    (createOrFold (Arith_IndexCastOp $start, (types I64)))>;
def Stream_Moved : Function<(params $start, $offset),
    (createOrFold (Arith_AddIOp $start, $offset, ?))>;

class Stream_ParameterOfSubview<dag use, string resource, string parameter>
    : Pattern<"canonicalize", use,
              [(setOperand $op, parameter, (Stream_Moved $from, (Stream_ParameterOffset $start))),
               (setOperand $op, resource, $whole), (setOperand $op, resource # "_size", $size),
               (setOperand $op, resource # "_offset", (Stream_Moved $start, $offset))]>;
class Stream_AsyncParameterOfSubview<dag use, string resource, string parameter>
    : Stream_ParameterOfSubview<use, resource, parameter> {
  let actions = [
    (setOperand $op, parameter, (Stream_Moved $from, (Stream_ParameterOffset $start))),
    (setOperand $op, resource, $whole), (setOperand $op, resource # "_size", $size),
    (bind (Stream_Moved $start, $offset):$first),
    (setOperand $op, resource # "_offset", $first),
    (setOperand $op, resource # "_end", (Stream_Moved $first, $length))
  ];
}
def AsyncParameterReadToSubview
    : Stream_AsyncParameterOfSubview<
        (Stream_AsyncParameterReadOp:$op
           (Stream_ResourceSubviewOp $whole, $size, $start, ?), ?, $offset, ?, $length,
           ?, ?, $from, ?, ?),
        "target", "source_offset">;
def AsyncParameterWriteOfSubview
    : Stream_AsyncParameterOfSubview<
        (Stream_AsyncParameterWriteOp:$op
           (Stream_ResourceSubviewOp $whole, $size, $start, ?), ?, $offset, ?, $length,
           ?, ?, $from, ?, ?),
        "source", "target_offset">;
def CmdParameterReadToSubview
    : Stream_ParameterOfSubview<
        (Stream_CmdParameterReadOp:$op
           ?, ?, $from, (Stream_ResourceSubviewOp $whole, $size, $start, ?), ?, $offset, ?, ?, ?),
        "target", "source_offset">;
def CmdParameterWriteOfSubview
    : Stream_ParameterOfSubview<
        (Stream_CmdParameterWriteOp:$op
           (Stream_ResourceSubviewOp $whole, $size, $start, ?), ?, $offset, ?, ?, ?, $from, ?, ?),
        "source", "target_offset">;

// Several ranges of one resource and several parameters.
class Stream_RangesOfSubview<dag use, string resource, list<dag> more = []>
    : Pattern<"canonicalize", use,
              !listconcat([
                (setOperand $op, resource, $whole), (setOperand $op, resource # "_size", $size),
                (bind (map (each $o, $offsets), (Stream_Moved $start, $o)):$firsts),
                (setOperand $op, resource # "_offsets", $firsts)
              ], more)>;
class Stream_AsyncRangesOfSubview<dag use, string resource, string parameter>
    : Stream_RangesOfSubview<use, resource, [
  (bind (Stream_ParameterOffset $start):$far),
  (setOperand $op, parameter # "_offsets", (map (each $f, $from), (Stream_Moved $f, $far))),
  (setOperand $op, resource # "_ends",
     (map (each $f, $firsts), (each $l, $lengths), (Stream_Moved $f, $l)))
]>;
def AsyncParameterGatherToSubview
    : Stream_AsyncRangesOfSubview<
        (Stream_AsyncParameterGatherOp:$op
           ?, ?, $from, (Stream_ResourceSubviewOp $whole, $size, $start, ?), ?, $offsets, ?,
           $lengths, ?, ?),
        "target", "source">;
def AsyncParameterScatterOfSubview
    : Stream_AsyncRangesOfSubview<
        (Stream_AsyncParameterScatterOp:$op
           (Stream_ResourceSubviewOp $whole, $size, $start, ?), ?, $offsets, ?, $lengths,
           ?, ?, $from, ?, ?),
        "source", "target">;
def CmdParameterGatherToSubview
    : Stream_RangesOfSubview<
        (Stream_CmdParameterGatherOp:$op
           ?, ?, ?, (Stream_ResourceSubviewOp $whole, $size, $start, ?), ?, $offsets, ?, ?, ?),
        "target">;
def CmdParameterScatterOfSubview
    : Stream_RangesOfSubview<
        (Stream_CmdParameterScatterOp:$op
           (Stream_ResourceSubviewOp $whole, $size, $start, ?), ?, $offsets, ?, ?, ?, ?, ?, ?),
        "source">;

//===-- Parts of what is loaded -------------------------------------------------------------------
//
// A part of a parameter that is all that is used of it is loaded alone. The new load stands where the
// part did, so that whoever waits for it has to stand behind: they use the part.

class Stream_LoadOfPart<dag match, list<dag> steps, list<dag> conditions>
    : Pattern<"canonicalize", match,
              !listconcat([
                (Stream_AsyncParameterLoadOp:$new
                   $await, $scope, $key, (Stream_Moved $from, (Stream_ParameterOffset $start)),
                   $length, $affinity, (types (typeOf $part), (typeOf (result $load, 1))))
              ], steps, [(replace (result $new, 0))]),
              conditions>;
def LoadOfParameterSubview
    : Stream_LoadOfPart<
        (Stream_ResourceSubviewOp:$part
           (oneUse (result (Stream_AsyncParameterLoadOp:$load
              $await, $scope, $key, $from, ?, $affinity), 0)),
           ?, $start, $length),
        [(replaceUses (result $load, 1), (result $new, 1))],
        [(unless (some (each $u, (users (result $load, 1))),
                       (unless (some (each $v, (users $part)), (same $u, $v)))))]>;
// The part is waited for as the whole was.
def LoadOfParameterSlice
    : Stream_LoadOfPart<
        (Stream_AsyncSliceOp:$part
           (oneUse (Stream_TimepointAwaitOp:$wait
              (values (oneUse (result (Stream_AsyncParameterLoadOp:$load
                 $await, $scope, $key, $from, ?, $affinity), 0))), ?, $loaded, ?)),
           ?, $start, ?, $length, ?),
        [(replaceUses (result $load, 1), (result $new, 1), $wait)],
        [(same $loaded, (result $load, 1)),
         (unless (some (each $u, (users $loaded)), (unless (same $u, $wait)),
                       (unless (some (each $v, (users $part)), (same $u, $v))))),
         (unless (some (each $v, (users $part)),
                       (unless (matches $v, (Stream_TimepointAwaitOp ?, ?, $loaded, ?)))))]>;
// The same for several: where each of the wholes is used by one subview alone, just those are loaded.
def LoadOfParameterSubviews
    : Pattern<"canonicalize",
              (Stream_CmdParameterLoadOp:$load ?, ?, $offsets, $sizes, ?, ?),
              [(setOperand $load, "source_offsets", (map (each $o, $offsets), (each $v, $loaded),
                  (switch (case (matches (item (users $v), 0),
                                         (Stream_ResourceSubviewOp ?, ?, $start, ?)),
                                (Stream_Moved (Stream_ParameterOffset $start), $o))))),
               (setOperand $load, "result_sizes", (map (each $v, $loaded),
                  (switch (case (matches (item (users $v), 0),
                                         (Stream_ResourceSubviewOp ?, ?, ?, $length)), $length)))),
               (forEach (each $v, $loaded),
                  (bind (item (users $v), 0):$part), (replaceOp $part, $v))],
              [(bind (filter (each $v, (values $load)),
                  (unless (matches (typeOf $v), Stream_Timepoint))):$loaded),
               (gt (count $loaded), 0),
               (all (each $v, $loaded), (oneUse $v),
                  (matches (item (users $v), 0), (Stream_ResourceSubviewOp ?, ?, $start, $length)),
                  (precedes $start, $load), (precedes $length, $load))]>;

//===-- Commands ----------------------------------------------------------------------------------

def ParameterLoadIntoMemory
    : ConversionPattern<"stream-allocated",
        (Stream_AsyncParameterLoadOp:$load $await, $scope, $key, $offset, $size, $affinity),
        [(replace (Stream_CmdParameterLoadOp $scope, $key, $offset, $size, $await, $affinity,
                     (types (typeOf (item (values $load), 0)), Stream_Timepoint)))]>;
def ParameterReadIntoMemory
    : ConversionPattern<"stream-allocated",
        (Stream_AsyncParameterReadOp $target, $size, $start, ?, $length, $scope, $key, $offset,
                                     $await, $affinity),
        [(replace $target, (Stream_CmdParameterReadOp $scope, $key, $offset, $target, $size,
                                                      $start, $length, $await, $affinity))]>;
def ParameterWriteFromMemory
    : ConversionPattern<"stream-allocated",
        (Stream_AsyncParameterWriteOp $source, $size, $start, ?, $length, $scope, $key, $offset,
                                      $await, $affinity),
        [(replace $source, (Stream_CmdParameterWriteOp $source, $size, $start, $length, $scope,
                                                       $key, $offset, $await, $affinity))]>;
def ParameterGatherIntoMemory
    : ConversionPattern<"stream-allocated",
        (Stream_AsyncParameterGatherOp $scope, $keys, $offsets, $target, $size, $starts, ?,
                                       $lengths, $await, $affinity),
        [(replace $target, (Stream_CmdParameterGatherOp $scope, $keys, $offsets, $target, $size,
                                                        $starts, $lengths, $await, $affinity))]>;
def ParameterScatterFromMemory
    : ConversionPattern<"stream-allocated",
        (Stream_AsyncParameterScatterOp $source, $size, $starts, ?, $lengths, $scope, $keys,
                                        $offsets, $await, $affinity),
        [(replace $source, (Stream_CmdParameterScatterOp $source, $size, $starts, $lengths, $scope,
                                                         $keys, $offsets, $await, $affinity))]>;
