// What is known of memory without asking a device.

include "tegula/Patterns.td"

def ResolveTopologyQueriesPass : Pass<"iree-hal-resolve-topology-queries", "builtin.module"> {
  let summary = "Properties of memory become constants where they follow from how long it lives";
  let description = [{
    Memory that may lie on several devices keeps the question, and so does what no lifetime has been
    decided for.
  }];
  let body = Conversion<["resolve-topology-queries"],
                        illegal = ["hal.allocator.resolve_memory_properties"]>;
}

def HAL_OnSeveralDevices
    : LegalWhen<"resolve-topology-queries",
                (HAL_AllocatorResolveMemoryPropertiesOp $affinity, ?),
                [(bind (param HAL_DeviceOptimalAttr, "affinities", $affinity):$all)]>;
def HAL_OfUnknownLifetime
    : LegalWhen<"resolve-topology-queries",
                (HAL_AllocatorResolveMemoryPropertiesOp ?, "*")>;

class HAL_ResolveProperties<string lifetime, string type, string usage>
    : ConversionPattern<"resolve-topology-queries",
        (HAL_AllocatorResolveMemoryPropertiesOp ?, lifetime),
        [(replace (HAL_MemoryTypeOp (attr type)), (HAL_BufferUsageOp (attr usage)))]>;
// `DeviceVisible|DeviceLocal`, or `HostLocal|DeviceVisible` for what the host writes; for transfers
// and dispatches.
def HAL_ResolveExternal : HAL_ResolveProperties<"external", "48 : i32", "3075 : i32">;
def HAL_ResolveTransient : HAL_ResolveProperties<"transient", "48 : i32", "3075 : i32">;
def HAL_ResolveVariable : HAL_ResolveProperties<"variable", "48 : i32", "3075 : i32">;
def HAL_ResolveConstant : HAL_ResolveProperties<"constant", "48 : i32", "527363 : i32">;
def HAL_ResolveStaging : HAL_ResolveProperties<"staging", "86 : i32", "150998019 : i32">;
