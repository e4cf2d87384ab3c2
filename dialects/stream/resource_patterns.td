// Canonicalizations of `stream.resource.*`.

def SizeOfResource : Fold<(Stream_ResourceSizeOp $resource, ?), [(fold (sizeOf $resource))]>;
def SizeOfSelectedResource
    : Pattern<"canonicalize",
              (Stream_ResourceSizeOp (Arith_SelectOp $condition, $a, $b), $affinity),
              [(replace (Arith_SelectOp $condition, (Stream_ResourceSizeOp $a, $affinity),
                                                    (Stream_ResourceSizeOp $b, $affinity)))]>;

// A resource and its size that conversions tell from one value are two again. Who asks for the size
// is answered first.
def SizeOfUnresolved
    : Fold<(Stream_ResourceSizeOp
              (UnrealizedConversionCastOp (values Stream_AnyStreamResource, Index:$size)), ?),
           [(fold $size)]>;
def ResourceOfUnresolved
    : Pattern<"canonicalize",
              (UnrealizedConversionCastOp:$cast (values Stream_AnyStreamResource:$resource, Index)),
              [(replace $resource)],
              [(same (typeOf $cast), (typeOf $resource)),
               (unless (some (each $u, (users (result $cast, 0))),
                             (matches $u, (Stream_ResourceSizeOp (rest)))))]>;

//===-- Subviews ----------------------------------------------------------------------------------

def WholeSubview : Fold<(Stream_ResourceSubviewOp $resource, $size, ?, $size), [(fold $resource)]>;

// What is done to a subview is done to the resource, further on. `use` matches the op with an
// operand that is `$subview` and its offset as `$offset`; `resource` is the operand's name.
class Stream_UseOfSubview<dag use, string resource>
    : Pattern<"canonicalize", use,
              [(setOperand $op, resource, $whole), (setOperand $op, resource # "_size", $size),
               (setOperand $op, resource # "_offset",
                  (createOrFold (Arith_AddIOp $start, $offset, ?)))]>;
def SubviewOfSubview
    : Stream_UseOfSubview<(Stream_ResourceSubviewOp:$op
                             (Stream_ResourceSubviewOp $whole, $size, $start, ?), ?, $offset, ?),
                          "source">;
def LoadOfSubview
    : Stream_UseOfSubview<(Stream_ResourceLoadOp:$op
                             (Stream_ResourceSubviewOp $whole, $size, $start, ?), ?, $offset),
                          "source">;
def StoreToSubview
    : Stream_UseOfSubview<(Stream_ResourceStoreOp:$op
                             (Stream_ResourceSubviewOp $whole, $size, $start, ?), ?, $offset, ?),
                          "target">;
def SelectOfSubviews
    : Pattern<"canonicalize",
              (Arith_SelectOp $condition, (Stream_ResourceSubviewOp $resource, $size, $a, $length),
                                          (Stream_ResourceSubviewOp $resource, $size, $b, $length)),
              [(replace (Stream_ResourceSubviewOp $resource, $size,
                           (Arith_SelectOp $condition, $a, $b), $length))]>;

//===-- Slices with lifetimes ---------------------------------------------------------------------

def PackOfNothing
    : Fold<(Stream_ResourcePackOp ?, ?, (values), ?), [(fold (attr "0 : index"))]>;
def PackOfOne
    : Fold<(Stream_ResourcePackOp (absent), ?, (values $size), ?),
           [(fold $size, (attr "0 : index"))]>;
def PackOfOneBehindOffset
    : Fold<(Stream_ResourcePackOp $offset, ?, (values $size), ?),
           [(fold $size, (item $offset, 0))], [(present $offset)]>;

// What is packed behind an offset is packed by itself and moved.
def PackAtZero
    : Pattern<"canonicalize", (Stream_ResourcePackOp:$pack (ConstantLike 0), (rest)),
              [(setOperand $pack, "offset", (absent))]>;
def PackBehindOffset
    : Pattern<"canonicalize", (Stream_ResourcePackOp $offset, $intervals, $sizes, $affinity),
              [(Stream_ResourcePackOp:$new (absent), $intervals, $sizes, $affinity,
                                           (types Index, (typeOf $sizes))),
               (replace (map (each $v, (values $new)),
                  (switch (case (same $v, (result $new, 0)), $v),
                          (default (Arith_AddIOp (item $offset, 0), $v, ?)))))],
              [(present $offset), (gt (count $sizes), 1)]>;
// Slices stand in the order of their lifetimes.
def PackInOrder : NativePattern<"canonicalize", Stream_ResourcePackOp, "stream_pack_order">;

//===-- Transient memory --------------------------------------------------------------------------

// The storage that is given last serves.
def TransientsOfTransients
    : Pattern<"canonicalize",
              (Stream_ResourceTransientsOp:$op
                 (result (Stream_ResourceTransientsOp $resource, $size, ?, ?, (absent), ?), 0),
                 (rest)),
              [(setOperand $op, "resource", $resource), (setOperand $op, "resource_size", $size)]>;

//===-- Allocations that nobody uses --------------------------------------------------------------

// Who waits for the memory waits for what the allocation waits for.
def UnusedAllocaAtOnce
    : Pattern<"canonicalize", (Stream_ResourceAllocaOp:$op ?, ?, (absent), ?),
              [(replaceUses (result $op, 1), (Stream_TimepointImmediateOp)), (erase)],
              [(noUse (result $op, 0))]>;
def UnusedAllocaLater
    : Pattern<"canonicalize", (Stream_ResourceAllocaOp:$op ?, ?, $await, ?),
              [(replaceUses (result $op, 1), $await), (erase)],
              [(noUse (result $op, 0)), (present $await)]>;
// Nobody has used it until it is freed.
def FreedAtOnce
    : Pattern<"canonicalize",
              (Stream_ResourceDeallocaOp
                 (oneUse (result (Stream_ResourceAllocaOp (rest)), 0)), ?, ?, $wait, ?),
              [(replace (orElse $wait, (Stream_TimepointImmediateOp)))]>;

//===-- Allocations one after the other -----------------------------------------------------------
//
// What only waits for other memory waits for what they wait for, and whoever waits for it waits for
// all of them. `use` matches the op `$op` that waits for `$pending`, and `before` the `i`th result of
// those, which wait for `$first`.
class Stream_Batch<dag use, dag before, int i>
    : Pattern<"canonicalize", use,
              [(setOperand $op, "await_timepoint", $firsts),
               (after $op, (Stream_TimepointJoinOp:$join (values $others, (result $op, i)))),
               (replaceUses (result $op, i), $join, $join)],
              [(present $pending),
               (bind (switch (case (matches (item $pending, 0), (Stream_TimepointJoinOp $ts)), $ts),
                             (default (item $pending, 0))):$others),
               (bind (unique (map (each $t, $others),
                  (switch (case (matches $t, before), $first)))):$firsts),
               (eq (count $firsts), 1)]>;
def AllocateTogether
    : Stream_Batch<(Stream_ResourceAllocaOp:$op ?, ?, $pending, ?),
                   (result (Stream_ResourceAllocaOp ?, ?, $first, ?), 1), 1>;
def FreeTogether
    : Stream_Batch<(Stream_ResourceDeallocaOp:$op ?, ?, ?, $pending, ?),
                   (Stream_ResourceDeallocaOp ?, ?, ?, $first, ?), 0>;
