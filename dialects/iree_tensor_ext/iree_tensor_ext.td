// The `iree_tensor_ext` dialect: tensors at the border of a dispatch.

#ifndef TEGULA_IREE_TENSOR_EXT_TD
#define TEGULA_IREE_TENSOR_EXT_TD

include "tegula/OpBase.td"
include "tensor/tensor.td"

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

def IREETensorExt_DispatchTensor
    : TypeDef<IREETensorExt_Dialect, "DispatchTensor", [NativeTypeTrait<"ShapedType">]> {
  let mnemonic = "dispatch.tensor";
  let summary = "A tensor outside of a dispatch as the dispatch sees it";
  let parameters = (ins
    EnumParameter<IREETensorExt_TensorAccess>:$access,
    TypeParameter<>:$boundType
  );
  let customFormat = "dispatch_tensor";
}

//===-- The same bits -------------------------------------------------------------------------------

def IREETensorExt_BitCastOp : IREETensorExt_PureOp<"bitcast", [
  AttrSizedOperandSegments, DimsOf<"source", "source_dims">, DimsOf<"result", "result_dims">,
  TiedResult<"result", "source">
]> {
  let summary = "Reads the same bits as elements of another type";
  let description = [{
    Both tensors take as many bytes. The op may be part of a dispatch.
  }];
  let arguments = (ins
    AnyRankedTensor:$source,
    Variadic<Index>:$source_dims,
    Variadic<Index>:$result_dims
  );
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $source `:` type($source) (`{` $source_dims^ `}`)? `->` type($result)
    (`{` $result_dims^ `}`)? attr-dict-with-keyword
  }];
}

//===-- Dispatches ----------------------------------------------------------------------------------

def IREETensorExt_DispatchTensorLoadOp : IREETensorExt_PureOp<"dispatch.tensor.load", [
  AttrSizedOperandSegments, DimsOf<"source", "source_dims">, TiedResult<"result", "source">,
  OffsetSizeAndStrideOpInterface
]> {
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

def IREETensorExt_DispatchTensorStoreOp : IREETensorExt_Op<"dispatch.tensor.store", [
  AttrSizedOperandSegments, DimsOf<"target", "target_dims">, MemoryEffects<[MemWrite]>,
  OffsetSizeAndStrideOpInterface
]> {
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

def IREETensorExt_DispatchWorkgroupCountSplitReductionModifierOp
    : IREETensorExt_PureOp<"dispatch.workgroup_count_split_reduction_modifier"> {
  let summary = "The workgroup count of a dispatch whose reduction is split among workgroups";
  let description = [{
    `workgroup_x`, `workgroup_y` and `workgroup_z` are the workgroups of one part of the reduction;
    how many parts there are follows from the workload.
  }];
  let arguments = (ins
    Index:$workgroup_x, Index:$workgroup_y, Index:$workgroup_z, Variadic<Index>:$workload
  );
  let results = (outs Index:$result_x, Index:$result_y, Index:$result_z);
  let resultNames = [
    NamedAs<"result_x", "result_x">, NamedAs<"result_y", "result_y">,
    NamedAs<"result_z", "result_z">
  ];
  let assemblyFormat = [{
    attr-dict `workgroups` `(` $workgroup_x `,` $workgroup_y `,` $workgroup_z `)`
    `workload` `(` $workload `)`
  }];
}

def IREETensorExt_DispatchWorkloadOrdinalOp
    : IREETensorExt_PureOp<"dispatch.workload.ordinal", [AllTypesMatch<["operand", "result"]>]> {
  let summary = "Marks a value of the body as the workload of that number";
  let arguments = (ins Index:$operand, IndexAttr:$ordinal);
  let results = (outs Index:$result);
  let assemblyFormat = "attr-dict $operand `,` $ordinal `:` type($operand)";
}

//===-- Where computation begins and ends -----------------------------------------------------------

class IREETensorExt_ComputeBarrierOp<string mnemonic>
    : IREETensorExt_PureOp<mnemonic, [DimsOf<"value", "value_dims">]> {
  let arguments = (ins AnyRankedTensor:$value, Variadic<Index>:$value_dims);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $value `:` type($value) (`{` $value_dims^ `}`)? `->` type($result) attr-dict-with-keyword
  }];
  let verifier = "compute_barrier";
}

def IREETensorExt_ComputeBarrierStartOp : IREETensorExt_ComputeBarrierOp<"compute_barrier.start"> {
  let summary = "Where tensors enter the computation: no reshape moves above it";
}

def IREETensorExt_ComputeBarrierEndOp : IREETensorExt_ComputeBarrierOp<"compute_barrier.end"> {
  let summary = "Where tensors leave the computation: no reshape moves below it";
}

include "iree_tensor_ext/ragged.td"
include "iree_tensor_ext/patterns.td"
include "iree_tensor_ext/passes.td"

#endif // TEGULA_IREE_TENSOR_EXT_TD
