// The `tensor` dialect: values of a shape, their slices and reshapes.

#ifndef TEGULA_TENSOR_TD
#define TEGULA_TENSOR_TD

include "tegula/OpBase.td"
include "tegula/Passes.td"
include "tegula/Patterns.td"
include "arith/arith.td"

def Tensor_Dialect : Dialect {
  let name = "tensor";
  let summary = "Values of a shape, their slices and reshapes";
  let dependentDialects = ["affine", "arith"];
}

class Tensor_Op<string mnemonic, list<Trait> traits = []> : Op<Tensor_Dialect, mnemonic, traits>;

//===-- Elements ----------------------------------------------------------------------------------

def Tensor_EmptyOp : Tensor_Op<"empty", [Pure]> {
  let summary = "A tensor of some shape whose elements nobody may look at";
  let arguments = (ins Variadic<Index>:$dynamicSizes);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "`(`$dynamicSizes`)` attr-dict `:` type($result)";
  let verifier = "dynamic_sizes";
}

def Tensor_DimOp : Tensor_Op<"dim", [ConditionallySpeculatable, NoMemoryEffect]> {
  let summary = "The size of a dimension";
  let arguments = (ins AnyTypeOf<[AnyNon0RankedTensor, AnyUnrankedTensor],
                                 "non-0-ranked or unranked tensor">:$source,
                       Index:$index);
  let results = (outs Index:$result);
  let assemblyFormat = "attr-dict $source `,` $index `:` type($source)";
  let resultNames = [NamedAs<"result", "dim">];
  let folder = "dim";
}

def Tensor_RankOp : Tensor_Op<"rank", [Pure]> {
  let summary = "The number of dimensions";
  let arguments = (ins AnyTensor:$tensor);
  let results = (outs Index:$result);
  let assemblyFormat = "$tensor attr-dict `:` type($tensor)";
  let resultNames = [NamedAs<"result", "rank">];
  let folder = "rank";
}

def Tensor_CastOp : Tensor_Op<"cast", [Pure]> {
  let summary = "The same tensor with more or less of its shape in the type";
  let arguments = (ins AnyTensor:$source);
  let results = (outs AnyTensor:$dest);
  let assemblyFormat = "$source attr-dict `:` type($source) `to` type($dest)";
  let resultNames = [NamedAs<"dest", "cast">];
  let folder = "cast";
  let verifier = "cast";
}

def Tensor_OfBits : TensorOf<[AnyInteger, AnyFloat]>;
def Tensor_BitcastOp : Tensor_Op<"bitcast", [Pure]> {
  let summary = "The same bits as elements of another type of the same width";
  let arguments = (ins Tensor_OfBits:$source);
  let results = (outs Tensor_OfBits:$dest);
  let assemblyFormat = "$source attr-dict `:` type($source) `to` type($dest)";
  let verifier = "bitcast";
}

def Tensor_ExtractOp : Tensor_Op<"extract", [
  Pure,
  TypesMatchWith<"result type matches element type of tensor", "tensor", "result", ElementTypeOf>
]> {
  let summary = "One element";
  let arguments = (ins AnyRankedTensor:$tensor, Variadic<Index>:$indices);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$tensor `[` $indices `]` attr-dict `:` type($tensor)";
  let resultNames = [NamedAs<"result", "extracted">];
  let folder = "extract";
  let verifier = "indices_of_first";
}

def Tensor_InsertOp : Tensor_Op<"insert", [
  AllTypesMatch<["dest", "result"]>, DestinationStyleOpInterface, Pure,
  TypesMatchWith<"scalar type matches element type of dest", "dest", "scalar", ElementTypeOf>
]> {
  let summary = "A tensor with one element replaced";
  let arguments = (ins AnyType:$scalar, AnyRankedTensor:$dest, Variadic<Index>:$indices);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$scalar `into` $dest `[` $indices `]` attr-dict `:` type($dest)";
  let resultNames = [NamedAs<"result", "inserted">];
  let verifier = "indices_of_second";
}

def Tensor_FromElementsOp : Tensor_Op<"from_elements", [Pure]> {
  let summary = "A tensor of these elements, in row-major order";
  let arguments = (ins Variadic<AnyType>:$elements);
  let results = (outs AnyStaticShapeTensor:$result);
  let customFormat = "from_elements";
  let resultNames = [NamedAs<"result", "from_elements">];
  let verifier = "from_elements";
}

def Tensor_SplatOp : Tensor_Op<"splat", [
  Pure,
  TypesMatchWith<"operand type matches element type of result", "aggregate", "input",
                 ElementTypeOf>
]> {
  let summary = "A tensor all of whose elements are the same";
  let arguments = (ins AnyType:$input, Variadic<Index>:$dynamicSizes);
  let results = (outs AnyRankedTensor:$aggregate);
  let assemblyFormat = "$input (`[` $dynamicSizes^ `]`)? attr-dict `:` type($aggregate)";
  let resultNames = [NamedAs<"aggregate", "splat">];
  let folder = "splat";
  let verifier = "splat";
}

def Tensor_GenerateOp : Tensor_Op<"generate", [
  RecursiveMemoryEffects, SingleBlockImplicitTerminator<"tensor.yield">
]> {
  let summary = "A tensor whose elements are computed from their indices";
  let arguments = (ins Variadic<Index>:$dynamicExtents);
  let results = (outs AnyRankedTensor:$result);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$dynamicExtents $body attr-dict `:` type($result)";
  let resultNames = [NamedAs<"result", "generated">];
  let verifier = "dynamic_sizes";
}

def Tensor_YieldOp : Tensor_Op<"yield", [
  ParentOneOf<["tensor.generate", "tensor.pad"]>, Pure, ReturnLike, Terminator
]> {
  let summary = "Hands the element to the op around";
  let arguments = (ins AnyType:$value);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}

//===-- Slices ------------------------------------------------------------------------------------

def Tensor_ExtractSliceOp
    : Tensor_Op<"extract_slice", [
        AttrSizedOperandSegments, OffsetSizeAndStrideOpInterface, Pure
      ]> {
  let summary = "A strided box of a tensor";
  let description = [{
    Offsets, sizes and strides are each a mix of constants and values. Dimensions of size one may
    be left out of the result's type.
  }];
  let arguments = (ins AnyRankedTensor:$source,
                       Variadic<Index>:$offsets,
                       Variadic<Index>:$sizes,
                       Variadic<Index>:$strides,
                       DenseI64ArrayAttr:$static_offsets,
                       DenseI64ArrayAttr:$static_sizes,
                       DenseI64ArrayAttr:$static_strides);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $source ``
    custom<DynamicIndexList>($offsets, $static_offsets)
    custom<DynamicIndexList>($sizes, $static_sizes)
    custom<DynamicIndexList>($strides, $static_strides)
    attr-dict `:` type($source) `to` type($result)
  }];
  let resultNames = [NamedAs<"result", "extracted_slice">];
  let folder = "extract_slice";
  let verifier = "extract_slice";
}

class Tensor_InsertIntoOp<string mnemonic, list<Trait> traits>
    : Tensor_Op<mnemonic, !listconcat(traits, [OffsetSizeAndStrideOpInterface])> {
  let arguments = (ins AnyRankedTensor:$source,
                       AnyRankedTensor:$dest,
                       Variadic<Index>:$offsets,
                       Variadic<Index>:$sizes,
                       Variadic<Index>:$strides,
                       DenseI64ArrayAttr:$static_offsets,
                       DenseI64ArrayAttr:$static_sizes,
                       DenseI64ArrayAttr:$static_strides);
  let assemblyFormat = [{
    $source `into` $dest ``
    custom<DynamicIndexList>($offsets, $static_offsets)
    custom<DynamicIndexList>($sizes, $static_sizes)
    custom<DynamicIndexList>($strides, $static_strides)
    attr-dict `:` type($source) `into` type($dest)
  }];
  let verifier = "insert_slice";
}

def Tensor_InsertSliceOp : Tensor_InsertIntoOp<"insert_slice", [
  AllTypesMatch<["dest", "result"]>, AttrSizedOperandSegments, DestinationStyleOpInterface, Pure
]> {
  let summary = "A tensor with a strided box replaced";
  let results = (outs AnyRankedTensor:$result);
  let resultNames = [NamedAs<"result", "inserted_slice">];
  let folder = "insert_slice";
}

def Tensor_ParallelInsertSliceOp
    : Tensor_InsertIntoOp<"parallel_insert_slice", [
        AttrSizedOperandSegments, ParallelCombiningOpInterface
      ]> {
  let summary = "Writes a strided box of a tensor that the iterations of a `forall` share";
}

//===-- Shapes ------------------------------------------------------------------------------------

def Tensor_CollapseShapeOp : Tensor_Op<"collapse_shape", [Pure]> {
  let summary = "Merges groups of adjacent dimensions";
  let arguments = (ins AnyTensor:$src, ReassociationIndicesArrayAttr:$reassociation);
  let results = (outs AnyTensor:$result);
  let assemblyFormat = "$src $reassociation attr-dict `:` type($src) `into` type($result)";
  let resultNames = [NamedAs<"result", "collapsed">];
  let folder = "reshape";
  let verifier = "collapse_shape";
}

def Tensor_ExpandShapeOp : Tensor_Op<"expand_shape", [
  DynamicEntries<"static_output_shape", "output_shape">, Pure
]> {
  let summary = "Splits dimensions";
  let arguments = (ins AnyTensor:$src,
                       ReassociationIndicesArrayAttr:$reassociation,
                       Variadic<Index>:$output_shape,
                       DenseI64ArrayAttr:$static_output_shape);
  let results = (outs AnyTensor:$result);
  let assemblyFormat = [{
    $src $reassociation `output_shape`
    custom<DynamicIndexList>($output_shape, $static_output_shape) attr-dict
    `:` type($src) `into` type($result)
  }];
  let resultNames = [NamedAs<"result", "expanded">];
  let folder = "reshape";
  let verifier = "expand_shape";
}

def Tensor_PadOp : Tensor_Op<"pad", [
  AttrSizedOperandSegments, DynamicEntries<"static_high", "high">,
  DynamicEntries<"static_low", "low">, Pure, SingleBlockImplicitTerminator<"tensor.yield">
]> {
  let summary = "A tensor with a border whose elements are computed from their indices";
  let arguments = (ins AnyRankedTensor:$source,
                       Variadic<Index>:$low,
                       Variadic<Index>:$high,
                       DenseI64ArrayAttr:$static_low,
                       DenseI64ArrayAttr:$static_high,
                       UnitAttr:$nofold);
  let results = (outs AnyRankedTensor:$result);
  let regions = (region SizedRegion<1>:$region);
  let assemblyFormat = [{
    $source (`nofold` $nofold^)?
    `low` `` custom<DynamicIndexList>($low, $static_low)
    `high` `` custom<DynamicIndexList>($high, $static_high)
    $region attr-dict `:` type($source) `to` type($result)
  }];
  let resultNames = [NamedAs<"result", "padded">];
  let verifier = "pad";
}

def Tensor_ConcatOp : Tensor_Op<"concat", [Pure]> {
  let summary = "Tensors one after the other along a dimension";
  let arguments = (ins I64Attr:$dim, Variadic<AnyRankedTensor>:$inputs);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    `dim` `(` $dim `)` $inputs attr-dict `:` functional-type(operands, results)
  }];
  let resultNames = [NamedAs<"result", "concat">];
  let verifier = "concat";
}

include "tensor/patterns.td"

#endif // TEGULA_TENSOR_TD
