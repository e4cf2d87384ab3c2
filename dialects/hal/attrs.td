// Attributes: targets, devices, interface layouts.

def HAL_ExecutionModel_Synchronous : I32EnumAttrCase<"Synchronous", 0, "synchronous">;
def HAL_ExecutionModel_CoarseFences : I32EnumAttrCase<"CoarseFences", 1, "coarse_fences">;
def HAL_ExecutionModel : I32EnumAttr<"ExecutionModel", "how an exported function is called", [
  HAL_ExecutionModel_Synchronous, HAL_ExecutionModel_CoarseFences
]>;

def HAL_DescriptorType_UniformBuffer : I32EnumAttrCase<"UniformBuffer", 6, "uniform_buffer">;
def HAL_DescriptorType_StorageBuffer : I32EnumAttrCase<"StorageBuffer", 7, "storage_buffer">;
def HAL_DescriptorType : I32EnumAttr<"DescriptorType", "what a binding is", [
  HAL_DescriptorType_UniformBuffer, HAL_DescriptorType_StorageBuffer
]>;

def HAL_DescriptorFlags_None : I32BitEnumCase<"None", 0>;
def HAL_DescriptorFlags_ReadOnly : I32BitEnumCase<"ReadOnly", 1>;
def HAL_DescriptorFlags_Indirect : I32BitEnumCase<"Indirect", 2>;
def HAL_DescriptorFlags : I32BitEnumAttr<"DescriptorFlags", "how a binding is used", [
  HAL_DescriptorFlags_None, HAL_DescriptorFlags_ReadOnly, HAL_DescriptorFlags_Indirect
]>;

def HAL_PipelineLayoutFlags_None : I32BitEnumCase<"None", 0>;
def HAL_PipelineLayoutFlags_Indirect : I32BitEnumCase<"Indirect", 1>;
def HAL_PipelineLayoutFlags : I32BitEnumAttr<"PipelineLayoutFlags", "how a layout is used", [
  HAL_PipelineLayoutFlags_None, HAL_PipelineLayoutFlags_Indirect
]>;

def HAL_ABIConventionAttr : AttrDef<HAL_Dialect, "ABIConvention"> {
  let mnemonic = "abi.convention";
  let summary = "How a function is called from other modules";
  let parameters = (ins EnumParameter<HAL_ExecutionModel>:$executionModel);
  let assemblyFormat = "`<` $executionModel `>`";
}

def HAL_DescriptorTypeAttr : AttrDef<HAL_Dialect, "DescriptorType"> {
  let mnemonic = "descriptor_type";
  let summary = "The kind of binding that a memref lies in";
  let parameters = (ins EnumParameter<HAL_DescriptorType>:$value);
  let assemblyFormat = "`<` $value `>`";
}

def HAL_PipelineBindingAttr : AttrDef<HAL_Dialect, "PipelineBinding"> {
  let mnemonic = "pipeline.binding";
  let summary = "One binding of an interface";
  let parameters = (ins
    EnumParameter<HAL_DescriptorType>:$type,
    OptionalParameter<"enum:DescriptorFlags">:$flags
  );
  let assemblyFormat = "`<` $type (`,` $flags^)? `>`";
}

def HAL_PipelineLayoutAttr : AttrDef<HAL_Dialect, "PipelineLayout"> {
  let mnemonic = "pipeline.layout";
  let alias = "pipeline_layout";
  let summary = "The interface of device code";
  let description = [{
    The bindings in order, and the number of 32-bit constants that are passed beside them.
  }];
  let parameters = (ins
    AttrParameter<"of:array">:$bindings,
    OptionalParameter<"int">:$constants,
    OptionalParameter<"enum:PipelineLayoutFlags">:$flags
  );
  let customFormat = "pipeline_layout";
  let verifier = "pipeline_layout";
}

def HAL_ExecutableTargetAttr : AttrDef<HAL_Dialect, "ExecutableTarget"> {
  let mnemonic = "executable.target";
  let alias = "executable_target_$format";
  let summary = "What device code is compiled for";
  let description = [{
    The backend, the format that the runtime loads, and what the backend has to know.
  }];
  let parameters = (ins
    StringRefParameter<>:$backend,
    StringRefParameter<>:$format,
    OptionalParameter<"of:dictionary">:$configuration
  );
  let assemblyFormat = "`<` $backend `,` $format (`,` $configuration^)? `>`";
}

def HAL_ExecutableObjectAttr : AttrDef<HAL_Dialect, "ExecutableObject"> {
  let mnemonic = "executable.object";
  let summary = "A file of device code, or its contents";
  let parameters = (ins AttrParameter<"of:string">:$path, OptionalParameter<"attr">:$data);
  let customFormat = "executable_object";
}

def HAL_ExecutableObjectsAttr : AttrDef<HAL_Dialect, "ExecutableObjects"> {
  let mnemonic = "executable.objects";
  let summary = "Files of device code for each of several targets";
  let parameters = (ins
    AttrParameter<"of:array">:$targets,
    AttrParameter<"of:array">:$targetObjects
  );
  let customFormat = "executable_objects";
  let verifier = "executable_objects";
}

/// The attribute is the value of a global that holds a device.
def HAL_InitializesDevice : NativeAttrTrait<"TypedAttr !hal.device">;

def HAL_DeviceTargetAttr : AttrDef<HAL_Dialect, "DeviceTarget", [HAL_InitializesDevice]> {
  let mnemonic = "device.target";
  let alias = "device_target_$deviceID$configuration[ordinal]";
  let summary = "A device and what code it can run";
  let parameters = (ins
    StringRefParameter<>:$deviceID,
    OptionalParameter<"of:dictionary">:$configuration,
    AttrParameter<"of:array">:$executable_targets
  );
  let customFormat = "device_target";
}

def HAL_DeviceAliasAttr : AttrDef<HAL_Dialect, "DeviceAlias", [HAL_InitializesDevice]> {
  let mnemonic = "device.alias";
  let summary = "The device that a target has under a name";
  let parameters = (ins
    StringRefParameter<>:$deviceID,
    OptionalParameter<"int">:$ordinal,
    OptionalParameter<"of:dictionary">:$configuration
  );
  let assemblyFormat = "`<` $deviceID `` (`[` $ordinal^ `]`)? (`,` $configuration^)? `>`";
}

def HAL_DeviceOrdinalAttr : AttrDef<HAL_Dialect, "DeviceOrdinal", [HAL_InitializesDevice]> {
  let mnemonic = "device.ordinal";
  let summary = "The device of that number";
  let parameters = (ins "int":$ordinal);
  let assemblyFormat = "`<` $ordinal `>`";
}

def HAL_DeviceFallbackAttr : AttrDef<HAL_Dialect, "DeviceFallback", [HAL_InitializesDevice]> {
  let mnemonic = "device.fallback";
  let summary = "The device that another global holds";
  let parameters = (ins AttrParameter<"of:symbol_ref">:$name);
  let assemblyFormat = "`<` $name `>`";
}

def HAL_DeviceSelectAttr : AttrDef<HAL_Dialect, "DeviceSelect", [HAL_InitializesDevice]> {
  let mnemonic = "device.select";
  let summary = "The first of several devices that is there";
  let parameters = (ins AttrParameter<"of:array">:$devices);
  let assemblyFormat = "`<` $devices `>`";
}

def HAL_DeviceAffinityAttr : AttrDef<HAL_Dialect, "DeviceAffinity"> {
  let mnemonic = "device.affinity";
  let summary = "A device, and the queues of it that may be used";
  let parameters = (ins
    AttrParameter<"of:symbol_ref">:$device,
    OptionalParameter<"int">:$queue_mask
  );
  let customFormat = "device_affinity";
}

def HAL_DevicePromiseAttr : AttrDef<HAL_Dialect, "DevicePromise"> {
  let mnemonic = "device.promise";
  let summary = "A device that will be declared, and the queues of it that may be used";
  let parameters = (ins
    AttrParameter<"of:symbol_ref">:$device,
    OptionalParameter<"int">:$queue_mask
  );
  let customFormat = "device_affinity";
}

def HAL_DeviceOptimalAttr : AttrDef<HAL_Dialect, "DeviceOptimal"> {
  let mnemonic = "device.optimal";
  let summary = "The device, of several, that is best for the work at hand";
  let parameters = (ins AttrParameter<"of:array">:$affinities);
  let customFormat = "device_optimal";
}

def HAL_DeviceLinkAttr : AttrDef<HAL_Dialect, "DeviceLink"> {
  let mnemonic = "device.link";
  let summary = "What one device can do with memory of another";
  let description = [{
    They share all memory (`unified_memory`), or the first can use what the second has as it is
    (`transparent_access`).
  }];
  let parameters = (ins
    AttrParameter<"of:symbol_ref">:$source_device,
    AttrParameter<"of:symbol_ref">:$target_device,
    OptionalParameter<"of:bool">:$unified_memory,
    OptionalParameter<"of:bool">:$transparent_access,
    OptionalParameter<"of:dictionary">:$extra_properties
  );
  let customFormat = "device_link";
}

def HAL_DeviceTopologyAttr : AttrDef<HAL_Dialect, "DeviceTopology"> {
  let mnemonic = "device.topology";
  let summary = "How devices are connected; what is not linked is not";
  let parameters = (ins AttrParameter<"of:array">:$links);
  let customFormat = "device_topology";
}

def HAL_CollectiveAttr : AttrDef<HAL_Dialect, "Collective"> {
  let mnemonic = "collective";
  let summary = "A collective operation";
  let parameters = (ins
    EnumParameter<Stream_CollectiveKind>:$kind,
    OptionalParameter<"enum:CollectiveReductionOp">:$reduction,
    EnumParameter<Stream_CollectiveElementType>:$element_type
  );
  let assemblyFormat = "`<` $kind (`with` $reduction^)? `:` $element_type `>`";
}
