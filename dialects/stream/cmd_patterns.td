// Canonicalizations of `stream.cmd.*`.

def FlushOfSubview
    : Stream_UseOfSubview<(Stream_CmdFlushOp:$op
                             (Stream_ResourceSubviewOp $whole, $size, $start, ?), ?, $offset, ?, ?),
                          "target">;
def InvalidateOfSubview
    : Stream_UseOfSubview<(Stream_CmdInvalidateOp:$op
                             (Stream_ResourceSubviewOp $whole, $size, $start, ?), ?, $offset, ?, ?),
                          "target">;
def DiscardOfSubview
    : Stream_UseOfSubview<(Stream_CmdDiscardOp:$op
                             (Stream_ResourceSubviewOp $whole, $size, $start, ?), ?, $offset, ?),
                          "target">;
def CmdFillOfSubview
    : Stream_UseOfSubview<(Stream_CmdFillOp:$op
                             (Stream_ResourceSubviewOp $whole, $size, $start, ?), ?, $offset, ?, ?),
                          "target">;
def CmdCopyFromSubview
    : Stream_UseOfSubview<(Stream_CmdCopyOp:$op
                             (Stream_ResourceSubviewOp $whole, $size, $start, ?), ?, $offset,
                             ?, ?, ?, ?),
                          "source">;
def CmdCopyToSubview
    : Stream_UseOfSubview<(Stream_CmdCopyOp:$op ?, ?, ?,
                             (Stream_ResourceSubviewOp $whole, $size, $start, ?), ?, $offset, ?),
                          "target">;

// The same for groups of resources. `use` matches the op `$op` with its resources, their sizes and
// offsets.
class Stream_UsesOfSubviews<dag use>
    : Pattern<"canonicalize", use,
        [(setOperand $op, "resource_offsets", (map (each $r, $resources), (each $o, $offsets),
           (switch (case (matches $r, (Stream_ResourceSubviewOp ?, ?, $start, ?)),
                         (createOrFold (Arith_AddIOp $start, $o, ?))),
                   (default $o)))),
         (setOperand $op, "resource_sizes", (map (each $r, $resources), (each $s, $sizes),
           (switch (case (matches $r, (Stream_ResourceSubviewOp ?, $size, ?, ?)), $size),
                   (default $s)))),
         (setOperand $op, "resources", (map (each $r, $resources),
           (switch (case (matches $r, (Stream_ResourceSubviewOp $whole, ?, ?, ?)), $whole),
                   (default $r))))],
        [(some (each $r, $resources), (matches $r, (Stream_ResourceSubviewOp (rest))))]>;
def DispatchOfSubviews
    : Stream_UsesOfSubviews<(Stream_CmdDispatchOp:$op ?, ?, ?, $resources, $sizes, $offsets, ?, ?)>;
def CollectiveOfSubviews
    : Stream_UsesOfSubviews<(Stream_CmdCollectiveOp:$op ?, ?, ?, ?, $resources, $sizes, $offsets,
                                                        ?, ?)>;

//===-- Regions -----------------------------------------------------------------------------------

class Stream_RegionCaptures<Op op> : NativePattern<"canonicalize", op, "stream_region_captures">;
def AsyncExecuteCaptures : Stream_RegionCaptures<Stream_AsyncExecuteOp>;
def AsyncConcurrentCaptures : Stream_RegionCaptures<Stream_AsyncConcurrentOp>;
def CmdExecuteCaptures : Stream_RegionCaptures<Stream_CmdExecuteOp>;

class Stream_RegionResults<Op op> : NativePattern<"canonicalize", op, "stream_region_duplicates">;
def AsyncExecuteResults : Stream_RegionResults<Stream_AsyncExecuteOp>;
def AsyncConcurrentResults : Stream_RegionResults<Stream_AsyncConcurrentOp>;
class Stream_RegionTies<Op op> : NativePattern<"canonicalize", op, "stream_region_ties">;
def AsyncExecuteTies : Stream_RegionTies<Stream_AsyncExecuteOp>;
def AsyncConcurrentTies : Stream_RegionTies<Stream_AsyncConcurrentOp>;

// A region that takes what is awaited waits itself. `use` matches the op `$op` with the resources
// that it takes and the timepoint `$first` that it waits for, if any.
class Stream_RegionOfAwaited<dag use>
    : Pattern<"canonicalize", use,
        [(setOperand $op, "await_timepoint",
            (createOrFold (Stream_TimepointJoinOp (values $first, $more)))),
         (setOperand $op, "resource_operands", (map (each $r, $resources),
           (switch (case (matches $r, (Stream_TimepointAwaitOp ?, ?, ?, (absent))),
                         (item (ties $r), 1)),
                   (default $r))))],
        [(bind (unique (map (each $r, $resources),
           (switch (case (matches $r, (Stream_TimepointAwaitOp ?, ?, $t, (absent))), (values $t)),
                   (default (values))))):$more),
         (gt (count $more), 0)]>;
def AsyncExecuteOfAwaited
    : Stream_RegionOfAwaited<(Stream_AsyncExecuteOp:$op $resources, ?, ?, $first, ?, ?)>;
def CmdExecuteOfAwaited
    : Stream_RegionOfAwaited<(Stream_CmdExecuteOp:$op $resources, ?, ?, $first, ?)>;

// A region that takes subviews takes them inside, where they fold into what uses them.
class Stream_RegionOfSubviews<dag use>
    : Pattern<"canonicalize", use,
        [(forEach (each $r, $resources), (each $arg, (blockArgs $op, "body")),
            (when (matches $r, (Stream_ResourceSubviewOp ?, $size, $start, $length)),
               (before (item (bodyOps $op, "body"), 0),
                  (Stream_ResourceSubviewOp:$inner $arg, $size, $start, $length)),
               (replaceUses $arg, $inner, $inner))),
         (setOperand $op, "resource_operand_sizes", (map (each $r, $resources), (each $s, $sizes),
           (switch (case (matches $r, (Stream_ResourceSubviewOp ?, $size, ?, ?)), $size),
                   (default $s)))),
         (setOperand $op, "resource_operands", (map (each $r, $resources),
           (switch (case (matches $r, (Stream_ResourceSubviewOp $whole, ?, ?, ?)), $whole),
                   (default $r))))],
        [(some (each $r, $resources), (matches $r, (Stream_ResourceSubviewOp (rest))))]>;
def AsyncExecuteOfSubviews
    : Stream_RegionOfSubviews<(Stream_AsyncExecuteOp:$op $resources, $sizes, ?, ?, ?, ?)>;
def CmdExecuteOfSubviews
    : Stream_RegionOfSubviews<(Stream_CmdExecuteOp:$op $resources, $sizes, ?, ?, ?)>;

// A region that does nothing has been done.
def AsyncExecuteWithoutWork
    : NativePattern<"canonicalize", Stream_AsyncExecuteOp, "stream_region_without_work">;
def CmdExecuteWithoutWork
    : Pattern<"canonicalize", (Stream_CmdExecuteOp:$op (rest)),
              [(replace (Stream_TimepointImmediateOp))], [(eq (count (bodyOps $op, "body")), 1)]>;
class Stream_EmptyGroup<dag op>
    : Pattern<"canonicalize", op, [(erase)], [(eq (count (bodyOps $op, "body")), 1)]>;
def EmptySerial : Stream_EmptyGroup<(Stream_CmdSerialOp:$op)>;
def EmptyConcurrent : Stream_EmptyGroup<(Stream_CmdConcurrentOp:$op)>;

def UnusedAsyncExecute : Stream_ElideUnused<(Stream_AsyncExecuteOp:$op (rest))>;
def UnusedCmdExecute : Stream_ElideUnused<(Stream_CmdExecuteOp:$op (rest))>;
