// From what of `hal` is there for conversions only.

// Several devices that would do leave the choice to this pass, which takes the first.
def HAL_OneAffinity : Function<(params $affinity), (switch
    (case (bind (param HAL_DeviceOptimalAttr, "affinities", $affinity):$all), (item $all, 0)),
    (default $affinity))>;
def HAL_ConvertContextResolve
    : HAL_FromStream<(Stream_ContextResolveOp:$resolve ?),
                     [(replace (HAL_DeviceResolveOp (HAL_OneAffinity (HAL_Affinity $resolve)),
                                                    (types (typeOf $resolve))))]>;

// What is asked of the device, each in its place.
class HAL_ConvertResolve<dag affinity, dag device, dag queues>
    : HAL_FromStream<(HAL_DeviceResolveOp:$resolve affinity),
        [(bind device:$device),
         (replace (map (each $type, (typeOf $resolve)), (typeswitch $type,
            (case HAL_Device, (values $device)),
            (case HAL_Allocator, (HAL_DeviceAllocatorOp $device)),
            (case I64, (Arith_ConstantOp queues)))))]>;
def HAL_ConvertResolveAny
    : HAL_ConvertResolve<(absent), (HAL_DevicesGetOp (Arith_ConstantOp (attr "0 : index"))),
                         (attr "-1 : i64")>;
def HAL_ConvertResolveAffinity
    : HAL_ConvertResolve<(HAL_DeviceAffinityAttr $global, $queues),
                         (Util_GlobalLoadOp $global, (attr "unit"), (types HAL_Device)),
                         (switch (case (present $queues), $queues),
                                 (default (attr "-1 : i64")))>;

// As for a dispatch, a copy of the entry point comes before the op.
def HAL_ConvertCalculateWorkgroups
    : HAL_FromStream<(HAL_ExecutableCalculateWorkgroupsOp:$calculate $device, ?, $workload),
                     [(replace (inline $export, "workgroup_count", $device, $workload)),
                      (erase $export)],
                     [(preceded $calculate, HAL_ExecutableExportOp:$export)]>;
