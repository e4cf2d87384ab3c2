// From `stream.cmd`: what command buffers record, and how they are submitted.
//
// Within a region of commands a resource is two values: what commands refer to, a slot of the
// command buffer or the buffer itself, and the buffer. The command buffer is the one that was
// created last before them.

//===-- Regions -----------------------------------------------------------------------------------

// Keeps the commands of `$region` from starting before the one in front of them is done. What
// `iree-hal-conversion` puts before a dispatch is no command.
defvar HAL_InOrder =
    (forEach (each $command,
                (filter (each $op, (bodyOps $region, 0)), (unless (Terminator $op)),
                        (unless (matches $op, HAL_ExecutableExportOp)))),
       (after $command,
          (HAL_CommandBufferExecutionBarrierOp $cmd, "Dispatch|Transfer|CommandRetire",
                                               "CommandIssue|Dispatch|Transfer", "None")));

// A command buffer with the commands of a region, whose resources are given. A region always ends,
// which counts as a transfer.
def HAL_Record : Function<(params $region, $queue, $modes, $capacity, $resources), (values $cmd), [
  (HAL_CommandBufferCreateOp:$cmd
     (item $queue, 0), $modes,
     (switch (case (some (each $op, (nestedOps $region)),
                         (matches $op, (anyOf Stream_CmdDispatchOp, Stream_CmdCollectiveOp,
                                              Stream_CmdCallOp))), (attr "3 : i32")),
             (default (attr "1 : i32"))),
     (item $queue, 1), $capacity),
  HAL_InOrder,
  (inline $region, 0, $resources),
  (HAL_CommandBufferFinalizeOp $cmd)
]>;

class HAL_ConvertExecute<list<dag> steps, list<dag> conditions = []>
    : HAL_FromStream<
        (Stream_CmdExecuteOp:$execute $resources, $sizes, $once, $await, ?),
        !listconcat([(bind (HAL_Queue $execute):$queue)], steps,
                    [(forEach (each $chain, $chains), (erase $chain)), (replace $signal)]),
        !listconcat([(bind (HAL_Chains $execute, (result $execute, 0)):$chains)], conditions)>;
defvar HAL_Fences = [
  (bind (HAL_WaitFence $await):$wait),
  (bind (HAL_SignalFence (result $execute, 0), $chains, (item $queue, 0)):$signal)
];

// A single transfer needs no command buffer.
class HAL_ConvertTransfer<dag transfer, list<dag> captured, dag made>
    : HAL_ConvertExecute<
        !listconcat(HAL_Fences, [made]),
        !listconcat(
          [(bind (filter (each $op, (bodyOps $execute, 0)),
                         (unless (matches $op, (anyOf Stream_CmdInvalidateOp, Stream_CmdFlushOp,
                                                      Stream_CmdDiscardOp, Stream_YieldOp)))):$work),
           (eq (count $work), 1),
           (matches (item $work, 0), transfer)], captured)> {
  let benefit = 3;
}
def HAL_ConvertFillOnly : HAL_ConvertTransfer<
    (Stream_CmdFillOp $target, ?, $offset, $length, $value),
    [(some (each $arg, (blockArgs $execute, 0)), (each $resource, $resources),
           (same $arg, $target), (matches $resource, $into))],
    (HAL_DeviceQueueFillOp (item $queue, 0), (item $queue, 1), $wait, $signal, $into, $offset,
                           $length, $value, "None")>;
def HAL_ConvertCopyOnly : HAL_ConvertTransfer<
    (Stream_CmdCopyOp $source, ?, $start, $target, ?, $offset, $length),
    [(some (each $arg, (blockArgs $execute, 0)), (each $resource, $resources),
           (same $arg, $source), (matches $resource, $from)),
     (some (each $arg, (blockArgs $execute, 0)), (each $resource, $resources),
           (same $arg, $target), (matches $resource, $into))],
    (HAL_DeviceQueueCopyOp (item $queue, 0), (item $queue, 1), $wait, $signal, $from, $start,
                           $into, $offset, $length, "None")>;

// What may be passed to device code by value.
def HAL_Uniform : AnyTypeOf<[Index, AnyInteger, AnyFloat]>;

// Commands that may be submitted again are recorded once. What they work on and is not known before
// they are submitted comes in slots.
def HAL_ConvertExecuteAgain
    : HAL_ConvertExecute<
        !listconcat(
          [(bind (map (each $slot, (positions $late)), (Arith_ConstantOp $slot)):$slots),
           (HAL_DeviceMemoizeOp:$memoize (item $queue, 0), (item $queue, 1),
                                         (types HAL_CommandBuffer)),
           (block $memoize, "body",
              (bind (Arith_ConstantOp (count $late)):$capacity),
              (bind (HAL_Record
                 $execute, $queue, (attr "0 : i32"), $capacity,
                 (map (each $r, $resources),
                      (take $slot, $slots, (switch
                         (case (predicate "hal_known_early", (original $r)), (attr "0 : index")),
                         (default (attr "1 : index")))),
                      (switch
                         (case (predicate "hal_known_early", (original $r)), (values $r, $r)),
                         (default (values $slot, $r))))):$cmd),
              (HAL_ReturnOp $cmd))],
          HAL_Fences,
          [(HAL_DeviceQueueExecuteIndirectOp
              (item $queue, 0), (item $queue, 1), $wait, $signal, $memoize,
              (map (each $r, $resources),
                   (switch (case (predicate "hal_known_early", (original $r)), (values)),
                           (default $r))),
              (map (each $r, $late), (item $slots, 0)),
              (map (each $r, $resources), (each $s, $sizes),
                   (switch (case (predicate "hal_known_early", (original $r)), (values)),
                           (default $s))),
              "None")]),
        [(absent $once),
         (all (each $value, (values $sizes, (captures $execute))),
              (anyOf (unless (HAL_Uniform $value)), (predicate "hal_known_early", $value))),
         (bind (filter (each $r, $resources), (unless (predicate "hal_known_early", $r))):$late),
         (gt (count $late), 0)]> {
  let benefit = 2;
}

// Others are recorded each time. When they wait for nothing they may run while they are recorded.
def HAL_ConvertExecuteOnce
    : HAL_ConvertExecute<
        !listconcat(
          [(bind (HAL_Record
              $execute, $queue,
              (switch (case (present (original $await)), (attr "1 : i32")),
                      (default (attr "17 : i32"))),
              (values),
              (map (each $r, $resources), (values $r, $r))):$cmd)],
          HAL_Fences,
          [(HAL_DeviceQueueExecuteOp (item $queue, 0), (item $queue, 1), $wait, $signal, $cmd,
                                     "None")])>;

def HAL_ConvertSerial
    : HAL_FromStream<(Stream_CmdSerialOp:$region),
                     [HAL_InOrder, (inline $region, "body"), (erase)],
                     [(preceded $region, HAL_CommandBufferCreateOp:$cmd)]>;
def HAL_ConvertConcurrent
    : HAL_FromStream<(Stream_CmdConcurrentOp:$region), [(inline $region, "body"), (erase)]>;

//===-- Commands ----------------------------------------------------------------------------------

// What commands refer to, and the buffer behind it.
def HAL_Binding : Function<(params $resource), (item (partsOf $resource), 0)>;
def HAL_BoundBuffer : Function<(params $resource), (item (partsOf $resource), 1)>;

class HAL_ConvertNothing<dag source> : HAL_FromStream<source, [(erase)]>;
def HAL_ConvertFlush : HAL_ConvertNothing<(Stream_CmdFlushOp (rest))>;
def HAL_ConvertInvalidate : HAL_ConvertNothing<(Stream_CmdInvalidateOp (rest))>;
def HAL_ConvertDiscard : HAL_ConvertNothing<(Stream_CmdDiscardOp (rest))>;

def HAL_ConvertFill
    : HAL_FromStream<(Stream_CmdFillOp:$fill $target, ?, $offset, $length, $value),
        [(HAL_CommandBufferFillBufferOp $cmd, (HAL_Binding $target), $offset, $length, $value,
                                        "None"),
         (erase)],
        [(preceded $fill, HAL_CommandBufferCreateOp:$cmd)]>;
def HAL_ConvertCopy
    : HAL_FromStream<(Stream_CmdCopyOp:$copy $source, ?, $from, $target, ?, $to, $length),
        [(HAL_CommandBufferCopyBufferOp $cmd, (HAL_Binding $source), $from, (HAL_Binding $target),
                                        $to, $length, "None"),
         (erase)],
        [(preceded $copy, HAL_CommandBufferCreateOp:$cmd)]>;

// Collective work sends the first resource and receives into the last.
class HAL_ConvertCollective<dag op, int resources, list<dag> steps>
    : HAL_FromStream<
        (Stream_CmdCollectiveOp:$collective op, $channel, $number, $param, $resources, ?, $offsets,
                                            $lengths, ?),
        !listconcat(steps, [(erase)]),
        [(preceded $collective, HAL_CommandBufferCreateOp:$cmd),
         (eq (count $resources), resources)]>;
def HAL_ConvertCollectiveBoth
    : HAL_ConvertCollective<(Stream_CollectiveAttr $kind, $reduction, $element), 2, [
        (HAL_CommandBufferCollectiveOp $cmd, $channel,
           (HAL_CollectiveAttr $kind, $reduction, $element), $number, $param,
           (HAL_Binding (item (original $resources), 0)), (item $offsets, 0), (item $lengths, 0),
           (HAL_Binding (item (original $resources), 1)), (item $offsets, 1), (item $lengths, 1))]>;
def HAL_ConvertCollectiveSend
    : HAL_ConvertCollective<(Stream_CollectiveAttr "send", $reduction, $element), 1, [
        (HAL_CommandBufferCollectiveOp $cmd, $channel,
           (HAL_CollectiveAttr "send", $reduction, $element), $number, $param,
           (HAL_Binding (item (original $resources), 0)), (item $offsets, 0), (item $lengths, 0),
           (absent), (absent), (absent))]>;
def HAL_ConvertCollectiveReceive
    : HAL_ConvertCollective<(Stream_CollectiveAttr "recv", $reduction, $element), 1, [
        (HAL_CommandBufferCollectiveOp $cmd, $channel,
           (HAL_CollectiveAttr "recv", $reduction, $element), $number, $param,
           (absent), (absent), (absent),
           (HAL_Binding (item (original $resources), 0)), (item $offsets, 0),
           (item $lengths, 0))]>;

// Device code is a function of an executable. `iree-hal-conversion` puts a copy of the entry point
// before the dispatch, whose `hal.entry_point` names it in full.
def HAL_ConvertDispatch
    : HAL_FromStream<
        (Stream_CmdDispatchOp:$dispatch $workload, ?, $uniforms, $resources, ?, $offsets, $lengths,
                                        ?),
        [(HAL_CommandBufferDeviceOp:$device $cmd),
         (HAL_ExecutableLookupOp:$executable $device, (symbol $code)),
         (HAL_ExecutableLookupFunctionOp:$function $executable, $entry),
         (bind (inline $export, "workgroup_count", $device, $workload):$workgroups),
         (HAL_CommandBufferDispatchOp
            $cmd, $executable, $function, (item $workgroups, 0), (item $workgroups, 1),
            (item $workgroups, 2), $uniforms,
            (map (each $r, $resources), (each $b, $bindings), (switch
               (case (anyOf (same (param HAL_PipelineBindingAttr, "flags", $b), (attr "\"Indirect\"")),
                            (same (param HAL_PipelineBindingAttr, "flags", $b),
                                  (attr "\"ReadOnly|Indirect\""))),
                     (HAL_Binding $r)),
               (default (HAL_BoundBuffer $r)))),
            $offsets, $lengths, "None"),
         (erase $export),
         (erase)],
        [(preceded $dispatch, HAL_CommandBufferCreateOp:$cmd),
         (preceded $dispatch, HAL_ExecutableExportOp:$export),
         (matches (attrOf $export, "hal.entry_point"), (symbol $code, (rest)):$entry),
         (matches (attrOf $export, "layout"), (HAL_PipelineLayoutAttr $bindings, (rest)))]>;

// A function outside of the program is told the command buffer, and for each resource its slot and
// the buffer, one of which says nothing.
def HAL_ConvertFunc
    : HAL_FromStream<
        (Stream_CmdFuncOp $name, $type, $visibility, (absent), $res_attrs),
        [(Util_FuncOp $name, (compute "hal_command_function", $type), ?, $visibility, ?, $res_attrs,
                      ?),
         (erase)]>;
def HAL_ConvertCall
    : HAL_FromStream<
        (Stream_CmdCallOp:$call $callee, $operands, ?, $offsets, $lengths, ?, ?, $arg_attrs,
                                $res_attrs, ?),
        [(replace (Util_CallOp $callee,
            (values $cmd,
              (map (each $x, $operands),
                   (take $o, $offsets, (typeswitch (typeOf (original $x)),
                      (case Stream_AnyResource, (attr "1 : index")), (default (attr "0 : index")))),
                   (take $l, $lengths, (typeswitch (typeOf (original $x)),
                      (case Stream_AnyResource, (attr "1 : index")), (default (attr "0 : index")))),
                   (typeswitch (typeOf (original $x)),
                      (case Stream_AnyResource, (values
                         (typeswitch (typeOf (HAL_Binding $x)),
                            (case Index, (values (HAL_Binding $x),
                                                 (Util_NullOp (types HAL_Buffer)))),
                            (default (values (Arith_ConstantOp (attr "0 : index")),
                                             (HAL_Binding $x)))),
                         $o, $l)),
                      (default $x)))),
            ?, $arg_attrs, $res_attrs, (types (convertType (typeOf $call)))))],
        [(preceded $call, HAL_CommandBufferCreateOp:$cmd)]>;
