// The `memref` dialect: views of memory.

#ifndef TEGULA_MEMREF_TD
#define TEGULA_MEMREF_TD

include "tegula/OpBase.td"

def MemRef_Dialect : Dialect {
  let name = "memref";
  let summary = "Views of memory";
  let dependentDialects = ["arith"];
}

class MemRef_Op<string mnemonic, list<Trait> traits = []> : Op<MemRef_Dialect, mnemonic, traits>;

def MemRef_AlignmentAttr : ConfinedAttr<I64Attr, [IntPositive, IntPowerOf2]>;
// A view that has a dimension to ask for.
def MemRef_WithDims : AnyTypeOf<[AnyUnrankedMemRef, AnyNon0RankedMemRef]>;

//===-- Life --------------------------------------------------------------------------------------

class MemRef_AllocLikeOp<string mnemonic, list<Trait> traits = []>
    : MemRef_Op<mnemonic, !listconcat(traits, [AttrSizedOperandSegments])> {
  let arguments = (ins Variadic<Index>:$dynamicSizes,
                       Variadic<Index>:$symbolOperands,
                       OptionalAttr<MemRef_AlignmentAttr>:$alignment);
  let results = (outs Res<AnyMemRef, "", [MemAlloc]>:$memref);
  let assemblyFormat = [{
    `(`$dynamicSizes`)` (`` `[` $symbolOperands^ `]`)? (`alignment` `=` $alignment^)?
    attr-dict `:` type($memref)
  }];
  let verifier = "alloc";
}
def MemRef_AllocOp : MemRef_AllocLikeOp<"alloc"> {
  let summary = "Memory that lives until it is freed";
  let resultNames = [NamedAs<"memref", "alloc">];
}
def MemRef_AllocaOp : MemRef_AllocLikeOp<"alloca"> {
  let summary = "Memory that lives until the surrounding allocation scope ends";
  let resultNames = [NamedAs<"memref", "alloca">];
}

def MemRef_DeallocOp : MemRef_Op<"dealloc"> {
  let summary = "Frees memory";
  let arguments = (ins Arg<AnyRankedOrUnrankedMemRef, "", [MemFree]>:$memref);
  let assemblyFormat = "$memref attr-dict `:` type($memref)";
}

def MemRef_GlobalOp : MemRef_Op<"global", [Symbol]> {
  let summary = "Memory of the module";
  let arguments = (ins SymbolNameAttr:$sym_name,
                       OptionalAttr<StrAttr>:$sym_visibility,
                       TypeAttrOf<AnyMemRef>:$type,
                       OptionalAttr<AnyAttr>:$initial_value,
                       UnitAttr:$constant,
                       OptionalAttr<MemRef_AlignmentAttr>:$alignment);
  let assemblyFormat = [{
    ($sym_visibility^)? (`constant` $constant^)? $sym_name `:`
    custom<GlobalTypeAndInitialValue>($type, $initial_value)
    (`alignment` `=` $alignment^)? attr-dict
  }];
  let verifier = "global";
}

def MemRef_GetGlobalOp : MemRef_Op<"get_global", [Pure, SymbolUserOpInterface]> {
  let summary = "The memory of a global";
  let arguments = (ins FlatSymbolRefAttr:$name);
  let results = (outs AnyStaticShapeMemRef:$result);
  let assemblyFormat = "$name `:` type($result) attr-dict";
  let symbolVerifier = "get_global";
}

//===-- Access ------------------------------------------------------------------------------------

def MemRef_LoadOp : MemRef_Op<"load", [
  TypesMatchWith<"result type matches element type of 'memref'", "memref", "result",
                 ElementTypeOf>
]> {
  let summary = "Reads an element";
  let arguments = (ins Arg<AnyMemRef, "", [MemRead]>:$memref,
                       Variadic<Index>:$indices,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$nontemporal,
                       OptionalAttr<MemRef_AlignmentAttr>:$alignment);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $memref `[` $indices `]`
    (`alignment` `(` $alignment^ `)`)? (`nontemporal` `(` $nontemporal^ `)`)?
    attr-dict `:` type($memref)
  }];
  let verifier = "indices_of_first";
}

def MemRef_StoreOp : MemRef_Op<"store", [
  TypesMatchWith<"type of 'value' matches element type of 'memref'", "memref", "value",
                 ElementTypeOf>
]> {
  let summary = "Writes an element";
  let arguments = (ins AnyType:$value,
                       Arg<AnyMemRef, "", [MemWrite]>:$memref,
                       Variadic<Index>:$indices,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$nontemporal,
                       OptionalAttr<MemRef_AlignmentAttr>:$alignment);
  let assemblyFormat = [{
    $value `,` $memref `[` $indices `]`
    (`alignment` `(` $alignment^ `)`)? (`nontemporal` `(` $nontemporal^ `)`)?
    attr-dict `:` type($memref)
  }];
  let verifier = "indices_of_second";
}

def MemRef_CopyOp : MemRef_Op<"copy", [SameOperandsElementType, SameOperandsShape]> {
  let summary = "Copies the elements of one view to another of the same shape";
  let arguments = (ins Arg<AnyRankedOrUnrankedMemRef, "", [MemRead]>:$source,
                       Arg<AnyRankedOrUnrankedMemRef, "", [MemWrite]>:$target);
  let assemblyFormat = "$source `,` $target attr-dict `:` type($source) `to` type($target)";
}

//===-- Views -------------------------------------------------------------------------------------

def MemRef_AssumeAlignmentOp
    : MemRef_Op<"assume_alignment", [Pure, SameOperandsAndResultType]> {
  let summary = "The same view, with its alignment in bytes promised";
  let arguments = (ins AnyMemRef:$memref, ConfinedAttr<I32Attr, [IntPositive]>:$alignment);
  let results = (outs AnyMemRef:$result);
  let assemblyFormat = "$memref `,` $alignment attr-dict `:` type($memref)";
  let resultNames = [NamedAs<"result", "assume_align">];
  let verifier = "assume_alignment";
}

def MemRef_CastOp : MemRef_Op<"cast", [Pure]> {
  let summary = "The same view with more or less of its shape and layout in the type";
  let arguments = (ins AnyRankedOrUnrankedMemRef:$source);
  let results = (outs AnyRankedOrUnrankedMemRef:$dest);
  let assemblyFormat = "$source attr-dict `:` type($source) `to` type($dest)";
  let resultNames = [NamedAs<"dest", "cast">];
  let folder = "cast";
  let verifier = "cast";
}

def MemRef_MemorySpaceCastOp : MemRef_Op<"memory_space_cast", [Pure]> {
  let summary = "The same view in another memory space";
  let arguments = (ins AnyRankedOrUnrankedMemRef:$source);
  let results = (outs AnyRankedOrUnrankedMemRef:$dest);
  let assemblyFormat = "$source attr-dict `:` type($source) `to` type($dest)";
  let resultNames = [NamedAs<"dest", "memspacecast">];
  let verifier = "memory_space_cast";
}

def MemRef_DimOp : MemRef_Op<"dim", [ConditionallySpeculatable, NoMemoryEffect]> {
  let summary = "The size of a dimension";
  let arguments = (ins MemRef_WithDims:$source, Index:$index);
  let results = (outs Index:$result);
  let assemblyFormat = "attr-dict $source `,` $index `:` type($source)";
  let resultNames = [NamedAs<"result", "dim">];
  let folder = "dim";
}

def MemRef_RankOp : MemRef_Op<"rank", [Pure]> {
  let summary = "The number of dimensions";
  let arguments = (ins AnyRankedOrUnrankedMemRef:$memref);
  let results = (outs Index:$result);
  let assemblyFormat = "$memref attr-dict `:` type($memref)";
}

class MemRef_OffsetSizeStrideOp<string mnemonic>
    : MemRef_Op<mnemonic, [AttrSizedOperandSegments, OffsetSizeAndStrideOpInterface, Pure]> {
  let arguments = (ins AnyRankedOrUnrankedMemRef:$source,
                       Variadic<Index>:$offsets,
                       Variadic<Index>:$sizes,
                       Variadic<Index>:$strides,
                       DenseI64ArrayAttr:$static_offsets,
                       DenseI64ArrayAttr:$static_sizes,
                       DenseI64ArrayAttr:$static_strides);
  let results = (outs AnyMemRef:$result);
}
def MemRef_SubViewOp : MemRef_OffsetSizeStrideOp<"subview"> {
  let summary = "A strided box of a view";
  let assemblyFormat = [{
    $source ``
    custom<DynamicIndexList>($offsets, $static_offsets)
    custom<DynamicIndexList>($sizes, $static_sizes)
    custom<DynamicIndexList>($strides, $static_strides)
    attr-dict `:` type($source) `to` type($result)
  }];
  let resultNames = [NamedAs<"result", "subview">];
  let folder = "subview";
  let verifier = "subview";
}
def MemRef_ReinterpretCastOp : MemRef_OffsetSizeStrideOp<"reinterpret_cast"> {
  let summary = "A view of the same memory with a layout of its own";
  let assemblyFormat = [{
    $source `to` `offset` `` `:`
    custom<DynamicIndexList>($offsets, $static_offsets)
    `` `,` `sizes` `` `:`
    custom<DynamicIndexList>($sizes, $static_sizes)
    `` `,` `strides` `` `:`
    custom<DynamicIndexList>($strides, $static_strides)
    attr-dict `:` type($source) `to` type($result)
  }];
  let resultNames = [NamedAs<"result", "reinterpret_cast">];
  let verifier = "reinterpret_cast";
}

def MemRef_CollapseShapeOp : MemRef_Op<"collapse_shape", [Pure]> {
  let summary = "Merges groups of adjacent dimensions";
  let arguments = (ins AnyMemRef:$src, ReassociationIndicesArrayAttr:$reassociation);
  let results = (outs AnyMemRef:$result);
  let assemblyFormat = "$src $reassociation attr-dict `:` type($src) `into` type($result)";
  let resultNames = [NamedAs<"result", "collapse_shape">];
  let verifier = "collapse_shape";
}
def MemRef_ExpandShapeOp : MemRef_Op<"expand_shape", [
  DynamicEntries<"static_output_shape", "output_shape">, Pure
]> {
  let summary = "Splits dimensions";
  let arguments = (ins AnyMemRef:$src,
                       ReassociationIndicesArrayAttr:$reassociation,
                       Variadic<Index>:$output_shape,
                       DenseI64ArrayAttr:$static_output_shape);
  let results = (outs AnyMemRef:$result);
  let assemblyFormat = [{
    $src $reassociation `output_shape`
    custom<DynamicIndexList>($output_shape, $static_output_shape) attr-dict
    `:` type($src) `into` type($result)
  }];
  let resultNames = [NamedAs<"result", "expand_shape">];
  let verifier = "expand_shape";
}

def MemRef_ExtractStridedMetadataOp : MemRef_Op<"extract_strided_metadata", [
  Pure, SameVariadicResultSize
]> {
  let summary = "The base, offset, sizes and strides of a view";
  let arguments = (ins AnyMemRef:$source);
  let results = (outs MemRefRankOf<[AnyType], [0]>:$base_buffer,
                      Index:$offset,
                      Variadic<Index>:$sizes,
                      Variadic<Index>:$strides);
  let assemblyFormat = "$source `:` type($source) `->` type(results) attr-dict";
  let resultNames = [NamedAs<"base_buffer", "base_buffer">, NamedAs<"offset", "offset">,
                     NamedAs<"sizes", "sizes">, NamedAs<"strides", "strides">];
  let verifier = "extract_strided_metadata";
}

include "memref/patterns.td"

#endif // TEGULA_MEMREF_TD
