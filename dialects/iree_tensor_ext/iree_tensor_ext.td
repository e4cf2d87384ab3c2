// The `iree_tensor_ext` dialect: tensors at the border of a dispatch.

#ifndef TEGULA_IREE_TENSOR_EXT_TD
#define TEGULA_IREE_TENSOR_EXT_TD

include "tegula/OpBase.td"

def IREETensorExt_Dialect : Dialect {
  let name = "iree_tensor_ext";
  let summary = "Tensors at the border of a dispatch";
  let description = [{
    Placeholders through which a dispatch reads and writes its tensors, barriers that bound where
    reshapes may move, and placeholders for workgroup counts that code generation decides.
  }];
}

class IREETensorExt_Op<string mnemonic, list<Trait> traits = []>
    : Op<IREETensorExt_Dialect, mnemonic, traits>;
class IREETensorExt_PureOp<string mnemonic, list<Trait> traits = []>
    : IREETensorExt_Op<mnemonic, !listconcat(traits, [Pure])>;

def IREETensorExt_TensorAccess_ReadOnly : I32EnumAttrCase<"ReadOnly", 0, "readonly">;
def IREETensorExt_TensorAccess_ReadWrite : I32EnumAttrCase<"ReadWrite", 1, "readwrite">;
def IREETensorExt_TensorAccess_WriteOnly : I32EnumAttrCase<"WriteOnly", 2, "writeonly">;
def IREETensorExt_TensorAccess : I32EnumAttr<"TensorAccess", "how a dispatch uses a tensor", [
  IREETensorExt_TensorAccess_ReadOnly,
  IREETensorExt_TensorAccess_ReadWrite,
  IREETensorExt_TensorAccess_WriteOnly
]>;

def IREETensorExt_DispatchTensor : TypeDef<IREETensorExt_Dialect, "DispatchTensor"> {
  let mnemonic = "dispatch.tensor";
  let summary = "A tensor outside of a dispatch as the dispatch sees it";
  let parameters = (ins
    EnumParameter<IREETensorExt_TensorAccess>:$access,
    TypeParameter<>:$boundType
  );
  let customFormat = "dispatch_tensor";
}

def IREETensorExt_DispatchTensorLoadOp
    : IREETensorExt_PureOp<"dispatch.tensor.load", [AttrSizedOperandSegments]> {
  let summary = "Reads a slice of a tensor outside of the dispatch";
  let arguments = (ins
    IREETensorExt_DispatchTensor:$source,
    Variadic<Index>:$source_dims,
    Variadic<Index>:$offsets,
    Variadic<Index>:$sizes,
    Variadic<Index>:$strides,
    DenseI64ArrayAttr:$static_offsets,
    DenseI64ArrayAttr:$static_sizes,
    DenseI64ArrayAttr:$static_strides
  );
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $source
    `,` `offsets` `=` custom<DynamicIndexList>($offsets, $static_offsets)
    `,` `sizes` `=` custom<DynamicIndexList>($sizes, $static_sizes)
    `,` `strides` `=` custom<DynamicIndexList>($strides, $static_strides)
    attr-dict `:` type($source) (`{` $source_dims^ `}`)? `->` type($result)
  }];
  let verifier = "dispatch_tensor_load";
}

def IREETensorExt_DispatchTensorStoreOp
    : IREETensorExt_Op<"dispatch.tensor.store", [AttrSizedOperandSegments, MemoryEffects<[MemWrite]>]> {
  let summary = "Writes a slice of a tensor outside of the dispatch";
  let arguments = (ins
    AnyRankedTensor:$value,
    IREETensorExt_DispatchTensor:$target,
    Variadic<Index>:$target_dims,
    Variadic<Index>:$offsets,
    Variadic<Index>:$sizes,
    Variadic<Index>:$strides,
    DenseI64ArrayAttr:$static_offsets,
    DenseI64ArrayAttr:$static_sizes,
    DenseI64ArrayAttr:$static_strides
  );
  let assemblyFormat = [{
    $value `,` $target
    `,` `offsets` `=` custom<DynamicIndexList>($offsets, $static_offsets)
    `,` `sizes` `=` custom<DynamicIndexList>($sizes, $static_sizes)
    `,` `strides` `=` custom<DynamicIndexList>($strides, $static_strides)
    attr-dict `:` type($value) `->` type($target) (`{` $target_dims^ `}`)?
  }];
  let verifier = "dispatch_tensor_store";
}

def IREETensorExt_DispatchWorkgroupCountFromSliceOp
    : IREETensorExt_PureOp<"dispatch.workgroup_count_from_slice"> {
  let summary = "The workgroup count that code generation derives from the dispatch's body";
  let description = [{
    Stands for the count until tile sizes are known; `operands` is the workload that it may use.
  }];
  let arguments = (ins Variadic<Index>:$operands);
  let results = (outs Index:$x, Index:$y, Index:$z);
  let resultNames = [NamedAs<"x", "x">, NamedAs<"y", "y">, NamedAs<"z", "z">];
  let assemblyFormat = "attr-dict `(` $operands `)`";
}

def IREETensorExt_DispatchWorkloadOrdinalOp
    : IREETensorExt_PureOp<"dispatch.workload.ordinal", [AllTypesMatch<["operand", "result"]>]> {
  let summary = "Marks a value of the body as the workload of that number";
  let arguments = (ins Index:$operand, IndexAttr:$ordinal);
  let results = (outs Index:$result);
  let assemblyFormat = "attr-dict $operand `,` $ordinal `:` type($operand)";
}

class IREETensorExt_ComputeBarrierOp<string mnemonic> : IREETensorExt_PureOp<mnemonic> {
  let arguments = (ins AnyRankedTensor:$value, Variadic<Index>:$value_dims);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $value `:` type($value) (`{` $value_dims^ `}`)? `->` type($result) attr-dict-with-keyword
  }];
}

def IREETensorExt_ComputeBarrierStartOp : IREETensorExt_ComputeBarrierOp<"compute_barrier.start"> {
  let summary = "Where tensors enter the computation: no reshape moves above it";
}

def IREETensorExt_ComputeBarrierEndOp : IREETensorExt_ComputeBarrierOp<"compute_barrier.end"> {
  let summary = "Where tensors leave the computation: no reshape moves below it";
}

include "passes.td"

#endif // TEGULA_IREE_TENSOR_EXT_TD
