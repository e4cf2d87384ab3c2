// Canonicalizations of `stream.timepoint.*`: what has always been reached is not waited for.

def ExportOfImport
    : Fold<(Stream_TimepointExportOp:$export (Stream_TimepointImportOp $values, ?), ?),
           [(fold $values)], [(same (typeOf $values), (typeOf $export))]>;

// An op does not wait for what has always been reached. `use` matches the op `$op` that waits for
// an immediate timepoint.
class Stream_NoImmediateWait<dag use>
    : Pattern<"canonicalize", use, [(setOperand $op, "await_timepoint", (absent))]>;
defvar Stream_Immediate = (Stream_TimepointImmediateOp);
def AllocaOfImmediate
    : Stream_NoImmediateWait<(Stream_ResourceAllocaOp:$op ?, ?, Stream_Immediate, ?)>;
def DeallocaOfImmediate
    : Stream_NoImmediateWait<(Stream_ResourceDeallocaOp:$op ?, ?, ?, Stream_Immediate, ?)>;
def AsyncExecuteOfImmediate
    : Stream_NoImmediateWait<(Stream_AsyncExecuteOp:$op ?, ?, ?, Stream_Immediate, ?, ?)>;
def CmdExecuteOfImmediate
    : Stream_NoImmediateWait<(Stream_CmdExecuteOp:$op ?, ?, ?, Stream_Immediate, ?)>;
def AsyncParameterLoadOfImmediate
    : Stream_NoImmediateWait<(Stream_AsyncParameterLoadOp:$op Stream_Immediate, (rest))>;
def AsyncParameterReadOfImmediate
    : Stream_NoImmediateWait<(Stream_AsyncParameterReadOp:$op
                                ?, ?, ?, ?, ?, ?, ?, ?, Stream_Immediate, ?)>;
def AsyncParameterWriteOfImmediate
    : Stream_NoImmediateWait<(Stream_AsyncParameterWriteOp:$op
                                ?, ?, ?, ?, ?, ?, ?, ?, Stream_Immediate, ?)>;
def AsyncParameterGatherOfImmediate
    : Stream_NoImmediateWait<(Stream_AsyncParameterGatherOp:$op
                                ?, ?, ?, ?, ?, ?, ?, ?, Stream_Immediate, ?)>;
def AsyncParameterScatterOfImmediate
    : Stream_NoImmediateWait<(Stream_AsyncParameterScatterOp:$op
                                ?, ?, ?, ?, ?, ?, ?, ?, Stream_Immediate, ?)>;
def CmdParameterLoadOfImmediate
    : Stream_NoImmediateWait<(Stream_CmdParameterLoadOp:$op ?, ?, ?, ?, Stream_Immediate, ?)>;
def CmdParameterReadOfImmediate
    : Stream_NoImmediateWait<(Stream_CmdParameterReadOp:$op
                                ?, ?, ?, ?, ?, ?, ?, Stream_Immediate, ?)>;
def CmdParameterWriteOfImmediate
    : Stream_NoImmediateWait<(Stream_CmdParameterWriteOp:$op
                                ?, ?, ?, ?, ?, ?, ?, Stream_Immediate, ?)>;
def CmdParameterGatherOfImmediate
    : Stream_NoImmediateWait<(Stream_CmdParameterGatherOp:$op
                                ?, ?, ?, ?, ?, ?, ?, Stream_Immediate, ?)>;
def CmdParameterScatterOfImmediate
    : Stream_NoImmediateWait<(Stream_CmdParameterScatterOp:$op
                                ?, ?, ?, ?, ?, ?, ?, Stream_Immediate, ?)>;

def AwaitOfImmediate
    : Pattern<"canonicalize",
              (Stream_TimepointAwaitOp $resources, ?, (Stream_TimepointImmediateOp), ?),
              [(replace $resources)]>;

//===-- Awaits ------------------------------------------------------------------------------------

def AwaitAtUsers : NativePattern<"canonicalize", Stream_TimepointAwaitOp, "stream_sink_to_users">;

// What is awaited twice is awaited once.
def AwaitTwice
    : Pattern<"canonicalize", (Stream_TimepointAwaitOp $resources, $sizes, $timepoint, $sync),
              [(bind (unique $resources):$once),
               (bind (map (each $o, $once), (item (map (each $r, $resources), (each $s, $sizes),
                  (switch (case (same $r, $o), $s), (default (values)))), 0)):$onceSizes),
               (bind (Stream_TimepointAwaitOp $once, $onceSizes, $timepoint, $sync,
                                              (types (typeOf $once))):$awaited),
               (replace (map (each $r, $resources), (item (map (each $o, $once), (each $a, $awaited),
                  (switch (case (same $r, $o), $a), (default (values)))), 0)))],
              [(unless (same (unique $resources), $resources))]>;

// Several awaits of one timepoint are one, where all that they take is there already.
def AwaitTogether
    : Pattern<"canonicalize",
              (Stream_TimepointAwaitOp:$first $resources, $sizes, $timepoint, (absent)),
              [(bind (values $resources, $more):$all),
               (bind (Stream_TimepointAwaitOp $all, (values $sizes, $moreSizes), $timepoint,
                                              (absent), (types (typeOf $all))):$awaited),
               (bind (map (each $r, $resources), (take $a, $awaited, 1), $a):$ours),
               (replace $ours),
               (replaceOp $second, (filter (each $a, $awaited),
                  (unless (some (each $o, $ours), (same $a, $o)))))],
              [(some (each $u, (users $timepoint)), (unless (same $u, $first)),
                     (precedes $first, $u),
                     (matches $u, (Stream_TimepointAwaitOp:$second
                                     $more, $moreSizes, $timepoint, (absent)))),
               (all (each $r, $more), (precedes $r, $first)),
               (all (each $s, $moreSizes), (precedes $s, $first))]>;

// Subviews are taken of what was awaited, where they may fold into what uses them.
def AwaitOfSubviews
    : Pattern<"canonicalize", (Stream_TimepointAwaitOp:$op $resources, $sizes, ?, ?),
              [(after $op, (forEach (each $r, $resources), (each $v, (values $op)),
                  (when (matches $r, (Stream_ResourceSubviewOp ?, $size, $start, $length)),
                     (Stream_ResourceSubviewOp:$part $v, $size, $start, $length),
                     (replaceUses $v, $part, $part)))),
               (setOperand $op, "resource_operand_sizes", (map (each $r, $resources),
                  (each $s, $sizes),
                  (switch (case (matches $r, (Stream_ResourceSubviewOp ?, $size, ?, ?)), $size),
                          (default $s)))),
               (setOperand $op, "resource_operands", (map (each $r, $resources),
                  (switch (case (matches $r, (Stream_ResourceSubviewOp $whole, ?, ?, ?)), $whole),
                          (default $r))))],
              [(some (each $r, $resources), (matches $r, (Stream_ResourceSubviewOp (rest))))]>;

//===-- Joins -------------------------------------------------------------------------------------

def JoinOfOne : Fold<(Stream_TimepointJoinOp (values $timepoint)), [(fold $timepoint)]>;
def JoinOfImmediates
    : Fold<(Stream_TimepointJoinOp $timepoints), [(fold (item $timepoints, 0))],
           [(all (each $t, $timepoints), (matches $t, (Stream_TimepointImmediateOp)))]>;
// A join names what it waits for, each once, and no join among it.
def JoinOfPending
    : Pattern<"canonicalize", (Stream_TimepointJoinOp:$join $timepoints),
              [(setOperand $join, "await_timepoints", $pending)],
              [(bind (map (each $t, $timepoints), (switch
                  (case (matches $t, (Stream_TimepointJoinOp $inner)), $inner),
                  (default $t))):$all),
               (bind (filter (each $t, (unique $all)),
                  (unless (matches $t, (Stream_TimepointImmediateOp)))):$pending),
               (gt (count $pending), 0), (unless (same $pending, $timepoints))]>;

//===-- Barriers ----------------------------------------------------------------------------------

// What is awaited and then waited for again needs no waiting in between.
def BarrierOfAwait
    : Pattern<"canonicalize",
              (Stream_TimepointBarrierOp
                 (Stream_TimepointAwaitOp ?, ?, $timepoint, (absent)):$awaited, ?, ?),
              [(replace (item (ties $awaited), 1), $timepoint)]>;
// A new resource may be used at once.
def BarrierOfAlloc
    : Pattern<"canonicalize",
              (Stream_TimepointBarrierOp (Stream_ResourceAllocOp (rest)):$new, ?, ?),
              [(replace $new, (Stream_TimepointImmediateOp))]>;
