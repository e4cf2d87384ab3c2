// Ops: devices and what they are asked.

def HAL_DeviceResolveOp : HAL_PureOp<"device.resolve"> {
  let summary = "The device of an affinity, its allocator, or its queues";
  let description = [{
    What is asked is said by the types of the results. Without an affinity any device will do.
  }];
  let arguments = (ins OptionalAttr<Stream_AffinityAttr>:$affinity);
  let results = (outs Variadic<AnyTypeOf<[HAL_Device, HAL_Allocator, I64]>>:$results);
  let resultNames = [NamedBy<"device_resolve">];
  let assemblyFormat = "(`on` `(` $affinity^ `)`)? attr-dict `:` type($results)";
}

def HAL_DeviceAllocatorOp : HAL_PureOp<"device.allocator"> {
  let summary = "The allocator of a device's memory";
  let arguments = (ins HAL_Device:$device);
  let results = (outs HAL_Allocator:$result);
  let resultNames = [NamedAs<"result", "allocator">];
  let assemblyFormat = [{
    `<` $device `:` type($device) `>` `:` type($result) attr-dict-with-keyword
  }];
}

def HAL_DeviceQueryOp
    : HAL_PureOp<"device.query", [AllTypesMatch<["value", "default_value"]>]> {
  let summary = "A setting of a device, and whether the device knows it";
  let arguments = (ins
    HAL_Device:$device,
    StrAttr:$category,
    StrAttr:$key,
    OptionalAttr<TypedAttrInterface>:$default_value
  );
  let results = (outs I1:$ok, AnyType:$value);
  let resultNames = [NamedAs<"ok", "ok">, NamedAs<"value", "value">];
  let assemblyFormat = [{
    `<` $device `:` type($device) `>` `key` `(` $category `:` `` `:` $key `)` `:`
    type($ok) `,` type($value) (`=` $default_value^)? attr-dict-with-keyword
  }];
}

def HAL_DeviceMemoizeOp : HAL_Op<"device.memoize", [
  RecursiveMemoryEffects, SingleBlock, SingleBlockImplicitTerminator<"hal.return">
]> {
  let summary = "What is made once for a device and some of its queues";
  let arguments = (ins HAL_Device:$device, I64:$queue_affinity);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region AnyRegion:$body);
  let assemblyFormat = [{
    `<` $device `:` type($device) `>` `affinity` `(` $queue_affinity `)` `->` type($results)
    attr-dict-with-keyword $body
  }];
}

def HAL_DevicesCountOp : HAL_PureOp<"devices.count"> {
  let summary = "The number of devices that the program may use";
  let results = (outs Index:$result);
  let resultNames = [NamedAs<"result", "device_count">];
  let assemblyFormat = "attr-dict `:` type($result)";
}
def HAL_DevicesGetOp : HAL_PureOp<"devices.get"> {
  let summary = "One of the devices that the program may use";
  let arguments = (ins Index:$index);
  let results = (outs HAL_Device:$result);
  let resultNames = [NamedBy<"devices_get">];
  let assemblyFormat = "$index attr-dict `:` type($result)";
}

def HAL_ExFileFromMemoryOp : HAL_Op<"ex.file.from_memory"> {
  let summary = "A range of bytes of the host as a file that a device reads";
  let arguments = (ins
    HAL_Device:$device,
    I64:$queue_affinity,
    HAL_MemoryAccess:$access,
    Util_BufferType:$buffer,
    Index:$offset,
    Index:$length,
    I32:$flags
  );
  let results = (outs HAL_File:$result);
  let resultNames = [NamedAs<"result", "memory_file">];
  let assemblyFormat = [{
    `device` `(` $device `:` type($device) `)`
    `affinity` `(` $queue_affinity `)`
    `access` `(` $access `)`
    `buffer` `(` $buffer `:` type($buffer) `)` `` `[` $offset `for` $length `]`
    `flags` `(` $flags `)` `:` type($result) attr-dict-with-keyword
  }];
}
