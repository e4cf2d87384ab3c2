// The `stream` dialect: resources, their sizes and lifetimes, and when work on them happens.

#ifndef TEGULA_STREAM_TD
#define TEGULA_STREAM_TD

include "tegula/OpBase.td"
include "arith/arith.td"
include "builtin/builtin.td"
include "flow/flow.td"
include "util/util.td"

def Stream_Dialect : Dialect {
  let name = "stream";
  let summary = "Asynchronous work on byte resources";
  let description = [{
    A program goes through this dialect in three phases. `stream.tensor.*` still knows tensor types
    but holds bytes in resources; `stream.async.*` works on ranges of resources with value
    semantics; `stream.cmd.*` works on allocated memory inside of explicit execution regions.
    Timepoints order what runs.
  }];
}

class Stream_Op<string mnemonic, list<Trait> traits = []> : Op<Stream_Dialect, mnemonic, traits>;
class Stream_PureOp<string mnemonic, list<Trait> traits = []>
    : Stream_Op<mnemonic, !listconcat(traits, [Pure])>;

// The op is work on resources that an execution region may hold.
def StreamableOpInterface : OpInterface<"StreamableOpInterface">;
// … and only says where resources are: it has no place among the work.
def Stream_Metadata : NativeTrait<"StreamMetadata">;
// Each user had better have the work done for itself.
def PrefersClones : NativeTrait<"PrefersClones">;
// What an op does to the resources of an operand or result group: `mutated`, `constant`,
// `transfer_read`, `transfer_write`, `staging_read`, `staging_write`, `dispatch_read` or
// `dispatch_write`.
class Stream_Uses<string group, list<string> how>
    : NativeTrait<"ResourceUsage", !listconcat([group], how)>;
// … and besides to those that results are tied to.
class Stream_UsesTied<list<string> how> : NativeTrait<"TiedUsage", how>;
// An op uses the resources of a group from the bytes of one operand group on to those of another;
// of others it uses all.
class Stream_Span<string group, string start, string end>
    : NativeTrait<"ResourceSpan", [group, start, end]>;
// Encodings in these attributes become the layouts that the device chooses on which the op runs.
class Stream_TakesLayouts<list<string> attrs> : NativeTrait<"TakesLayouts", attrs>;
// … must be layouts when devices choose.
class Stream_NeedsLayouts<list<string> attrs> : NativeTrait<"NeedsLayouts", attrs>;
// The op is work of another dialect that waits for the fences of one operand group, and is done when
// that of another is signaled.
class Stream_TimelineAwareOp<string waits, string signal>
    : NativeTrait<"TimelineAwareOpInterface", [waits, signal]>;
// The op stands in the order of execution: it waits for the timepoints of an operand group, and
// what it does is done at `result_timepoint`, where it has that.
class Stream_TimelineOp<string awaits> : NativeTrait<"TimelineOpInterface", [awaits]>;

//===-- Types -------------------------------------------------------------------------------------

def Stream_Lifetime_Unknown : I32EnumAttrCase<"Unknown", 0, "*">;
def Stream_Lifetime_External : I32EnumAttrCase<"External", 1, "external">;
def Stream_Lifetime_Staging : I32EnumAttrCase<"Staging", 2, "staging">;
def Stream_Lifetime_Transient : I32EnumAttrCase<"Transient", 3, "transient">;
def Stream_Lifetime_Variable : I32EnumAttrCase<"Variable", 4, "variable">;
def Stream_Lifetime_Constant : I32EnumAttrCase<"Constant", 5, "constant">;
def Stream_Lifetime : I32EnumAttr<"Lifetime", "how long a resource lives and who sees it", [
  Stream_Lifetime_Unknown, Stream_Lifetime_External, Stream_Lifetime_Staging,
  Stream_Lifetime_Transient, Stream_Lifetime_Variable, Stream_Lifetime_Constant
]>;

def Stream_Resource : TypeDef<Stream_Dialect, "Resource", [Util_SizeAwareType, Util_ReferenceType]> {
  let mnemonic = "resource";
  let summary = "A range of bytes with a lifetime";
  let description = [{
    Lifetimes: `*` is not decided; `external` comes from or goes to the caller; `staging` is visible
    to the host for transfers; `transient` lives within one invocation; `variable` across
    invocations; `constant` never changes.
  }];
  let parameters = (ins EnumParameter<Stream_Lifetime>:$lifetime);
  let customFormat = "resource";
}

def Stream_Timepoint : TypeDef<Stream_Dialect, "Timepoint">, BuildableType<"!stream.timepoint"> {
  let mnemonic = "timepoint";
  let summary = "A point in the order of execution";
}

def Stream_Binding : TypeDef<Stream_Dialect, "Binding"> {
  let mnemonic = "binding";
  let summary = "A resource as an argument of device code";
}

def Stream_File : TypeDef<Stream_Dialect, "File"> {
  let mnemonic = "file";
  let summary = "Bytes that are read from and written to as a whole or in ranges";
}

def Stream_Channel : TypeDef<Stream_Dialect, "Channel", [Util_ReferenceType]>, BuildableType<"!stream.channel"> {
  let mnemonic = "channel";
  let summary = "A group of participants in collective operations";
}

def Stream_AnyResource : Type<IsTypeKind<"stream.resource">, "resource">;
def Stream_AnyStreamResource : Type<
    And<[IsTypeKind<"stream.resource">, ParamIs<"lifetime", Neg<IsAttrText<"\"staging\"">>>]>,
    "resource that is not staging">;

def Stream_ExternalResource : Type<
    And<[IsTypeKind<"stream.resource">, ParamIs<"lifetime", IsAttrText<"\"external\"">>]>,
    "external resource">;
def Stream_InternalResource : Type<
    And<[IsTypeKind<"stream.resource">, ParamIs<"lifetime", Neg<IsAttrText<"\"external\"">>>]>,
    "resource that is not external">;
def Stream_StagingResource : Type<
    And<[IsTypeKind<"stream.resource">, ParamIs<"lifetime", IsAttrText<"\"staging\"">>]>,
    "staging resource">;

/// What may be passed to device code by value.
def Stream_PrimitiveType
    : AnyTypeOf<[Index, AnyInteger, AnyFloat, AnyComplex], "index, integer, float or complex">;

/// What is read from and written to staging resources on the host.
def Stream_HostValue : AnyTypeOf<[Stream_PrimitiveType, AnyVectorOfNonZeroRank]>;
/// What a range may be filled with, and what memory can be filled with at once.
def Stream_FillPatternType : AnyTypeOf<[I8, I16, I32, I64]>;
def Stream_NativeFillPatternType : AnyTypeOf<[I8, I16, I32]>;

//===-- Attributes --------------------------------------------------------------------------------

def Stream_ResourceAccess_None : I32BitEnumCase<"None", 0>;
def Stream_ResourceAccess_Read : I32BitEnumCase<"Read", 1>;
def Stream_ResourceAccess_Write : I32BitEnumCase<"Write", 2>;
def Stream_ResourceAccessBitfield
    : I32BitEnumAttr<"ResourceAccessBitfield", "what a dispatch does to a resource", [
  Stream_ResourceAccess_None, Stream_ResourceAccess_Read, Stream_ResourceAccess_Write
]>;

/// The attribute is the value of a global that holds a timepoint.
def Stream_IsTimepoint : NativeAttrTrait<"TypedAttr !stream.timepoint">;

def Stream_TimepointAttr : AttrDef<Stream_Dialect, "Timepoint", [Stream_IsTimepoint]> {
  let mnemonic = "timepoint";
  let summary = "The timepoint that has always been reached";
  let customFormat = "timepoint";
}

def Stream_MemoryModel : I32EnumAttr<"MemoryModel", "who sees memory", [
  I32EnumAttrCase<"Unified", 0>, I32EnumAttrCase<"Discrete", 1>
]>;
def Stream_ResourceConfigAttr : AttrDef<Stream_Dialect, "ResourceConfig"> {
  let mnemonic = "resource_config";
  let summary = "What a device asks of the resources on it";
  let description = [{
    It stands under `stream.resources` at an op, for what is in it. Sizes and alignments are in
    bytes. What is not written is 0, 32 bits, false, and memory of its own.
  }];
  let parameters = (ins
    AttrParameter<"int">:$max_allocation_size,
    AttrParameter<"int">:$min_buffer_offset_alignment,
    AttrParameter<"int">:$max_buffer_range,
    AttrParameter<"int">:$min_buffer_range_alignment,
    AttrParameter<"int">:$index_bits,
    AttrParameter<"int">:$alias_mutable_bindings,
    EnumParameter<Stream_MemoryModel>:$memory_model
  );
  let customFormat = "resource_config";
}

def Stream_PartitioningConfigAttr : AttrDef<Stream_Dialect, "PartitioningConfig"> {
  let mnemonic = "partitioning_config";
  let summary = "How work is divided into what runs at the same time";
  let description = [{
    It stands under `stream.partitioning` at a function or its module, and is `debug` (nothing does),
    `min-peak-memory` or `max-concurrency`, which holds where nothing is said.
  }];
  let parameters = (ins AttrParameter<"of:string">:$favor);
  let assemblyFormat = "`<` $favor `>`";
}

def Stream_CollectiveKind : I32EnumAttr<"CollectiveKind", "what participants do together", [
  I32EnumAttrCase<"AllGather", 0, "all_gather">, I32EnumAttrCase<"AllReduce", 1, "all_reduce">,
  I32EnumAttrCase<"AllToAll", 2, "all_to_all">, I32EnumAttrCase<"Broadcast", 3, "broadcast">,
  I32EnumAttrCase<"Reduce", 4, "reduce">, I32EnumAttrCase<"ReduceScatter", 5, "reduce_scatter">,
  I32EnumAttrCase<"Send", 6, "send">, I32EnumAttrCase<"Recv", 7, "recv">,
  I32EnumAttrCase<"SendRecv", 8, "send_recv">
]>;
def Stream_CollectiveReduction : I32EnumAttr<"CollectiveReductionOp", "how values are combined", [
  I32EnumAttrCase<"None", 0, "none">, I32EnumAttrCase<"ReductionSum", 1, "sum">,
  I32EnumAttrCase<"ReductionProduct", 2, "product">,
  I32EnumAttrCase<"ReductionMinimum", 3, "minimum">,
  I32EnumAttrCase<"ReductionMaximum", 4, "maximum">,
  I32EnumAttrCase<"ReductionAverage", 5, "average">
]>;
def Stream_CollectiveElementType
    : I32EnumAttr<"CollectiveElementType", "what a collective op works on", [
  I32EnumAttrCase<"Sint8", 0, "si8">, I32EnumAttrCase<"Uint8", 1, "ui8">,
  I32EnumAttrCase<"Sint16", 2, "si16">, I32EnumAttrCase<"Uint16", 3, "ui16">,
  I32EnumAttrCase<"Sint32", 4, "si32">, I32EnumAttrCase<"Uint32", 5, "ui32">,
  I32EnumAttrCase<"Sint64", 6, "si64">, I32EnumAttrCase<"Uint64", 7, "ui64">,
  I32EnumAttrCase<"Float16", 8, "f16">, I32EnumAttrCase<"Float32", 9, "f32">,
  I32EnumAttrCase<"Float64", 10, "f64">, I32EnumAttrCase<"BFloat16", 11, "bf16">
]>;
def Stream_CollectiveAttr : AttrDef<Stream_Dialect, "Collective"> {
  let mnemonic = "collective";
  let summary = "A collective operation";
  let parameters = (ins
    EnumParameter<Stream_CollectiveKind>:$kind,
    OptionalParameter<"enum:CollectiveReductionOp">:$reduction,
    EnumParameter<Stream_CollectiveElementType>:$element_type
  );
  let assemblyFormat = "`<` $kind (`with` $reduction^)? `:` $element_type `>`";
}

def Stream_NamedParameterAttr
    : AttrDef<Stream_Dialect, "NamedParameter", [Util_TypeIsParam]> {
  let mnemonic = "parameter.named";
  let summary = "A parameter of the program that has a name in a scope";
  let parameters = (ins
    OptionalParameter<"of:string">:$scope,
    AttrParameter<"of:string">:$key,
    OptionalParameter<"of:dictionary">:$config,
    TypeParameter<>:$type
  );
  let customFormat = "named_parameter";
}

/// Where an op runs: any attribute that a device dialect takes for an affinity.
def Stream_AffinityAttr
    : Attr<Or<[IsAttrKind<"hal.device.affinity">, IsAttrKind<"hal.device.optimal">,
               IsAttrKind<"hal.device.promise">]>, "affinity attribute">;

include "stream/resource.td"
include "stream/file.td"
include "stream/tensor.td"
include "stream/async.td"
include "stream/cmd.td"
include "stream/parameter.td"
include "stream/channel.td"
include "stream/timepoint.td"
include "stream/test.td"
include "stream/executable.td"
include "tegula/Patterns.td"
include "stream/timepoint_patterns.td"
include "stream/resource_patterns.td"
include "stream/tensor_patterns.td"
include "stream/async_patterns.td"
include "stream/cmd_patterns.td"
include "stream/parameter_patterns.td"
include "stream/channel_patterns.td"
include "stream/from_flow.td"
include "stream/encode.td"
include "stream/passes.td"
include "stream/schedule.td"

#endif // TEGULA_STREAM_TD
