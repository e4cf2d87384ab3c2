// The `stream` dialect: resources, their sizes and lifetimes, and when work on them happens.

#ifndef TEGULA_STREAM_TD
#define TEGULA_STREAM_TD

include "tegula/OpBase.td"

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

/// In text the size of the value stands in braces after the type.
def Stream_SizeAwareType : NativeTypeTrait<"SizeAwareType">;

def Stream_Resource : TypeDef<Stream_Dialect, "Resource", [Stream_SizeAwareType]> {
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

def Stream_AnyResource : Type<IsTypeKind<"stream.resource">, "resource">;
def Stream_AnyStreamResource : Type<
    And<[IsTypeKind<"stream.resource">, ParamIs<"lifetime", Neg<IsAttrText<"\"staging\"">>>]>,
    "resource that is not staging">;

/// What may be passed to device code by value.
def Stream_PrimitiveType
    : AnyTypeOf<[Index, AnyInteger, AnyFloat, AnyComplex], "index, integer, float or complex">;

//===-- Attributes --------------------------------------------------------------------------------

def Stream_ResourceAccess_None : I32BitEnumCase<"None", 0>;
def Stream_ResourceAccess_Read : I32BitEnumCase<"Read", 1>;
def Stream_ResourceAccess_Write : I32BitEnumCase<"Write", 2>;
def Stream_ResourceAccessBitfield
    : I32BitEnumAttr<"ResourceAccessBitfield", "what a dispatch does to a resource", [
  Stream_ResourceAccess_None, Stream_ResourceAccess_Read, Stream_ResourceAccess_Write
]>;

def Stream_TimepointAttr : AttrDef<Stream_Dialect, "Timepoint"> {
  let mnemonic = "timepoint";
  let summary = "The timepoint that has always been reached";
  let customFormat = "timepoint";
}

/// For each result the index of the operand whose storage it shares, or -1.
def Stream_TiedOperandsAttr : TypedArrayAttrBase<IndexAttr, "64-bit integer array attribute">;

/// Where an op runs: any attribute that a device dialect takes for an affinity.
def Stream_AffinityAttr : Attr<TruePred, "affinity attribute">;

include "resource.td"
include "tensor.td"
include "async.td"
include "cmd.td"
include "timepoint.td"
include "executable.td"
include "patterns.td"
include "passes.td"
include "schedule.td"

#endif // TEGULA_STREAM_TD
