// Traffic with memory and tensors.

def Vector_AlignmentAttr : ConfinedAttr<I64Attr, [IntPositive, IntPowerOf2]>;
def Vector_TensorOrMemRef : AnyTypeOf<[AnyMemRef, AnyRankedTensor], "memref or ranked tensor">;

def Vector_TransferReadOp : Vector_Op<"transfer_read", [
  AttrSizedOperandSegments, ConditionallySpeculatable, MaskableOpInterface
]> {
  let summary = "Reads a box of a tensor or memref into a vector";
  let description = [{
    The permutation map takes the indices of the source to those of the vector; a result of `0` in
    it broadcasts. Elements out of bounds, or masked off, are the padding value. `in_bounds`
    promises for each vector dimension that nothing is out of bounds.
  }];
  let arguments = (ins Arg<Vector_TensorOrMemRef, "", [MemRead]>:$base,
                       Variadic<Index>:$indices,
                       AffineMapAttr:$permutation_map,
                       AnyType:$padding,
                       Optional<AnyVector>:$mask,
                       BoolArrayAttr:$in_bounds);
  let results = (outs AnyVectorOfAnyRank:$vector);
  let customFormat = "transfer_read";
  let verifier = "transfer_read";
}

def Vector_TransferWriteOp : Vector_Op<"transfer_write", [
  AttrSizedOperandSegments, ConditionallySpeculatable, DestinationStyleOpInterface,
  MaskableOpInterface
]> {
  let summary = "Writes a vector to a box of a tensor or memref";
  let description = [{
    Elements out of bounds, or masked off, are not written. On a tensor the result is the tensor
    with the box replaced.
  }];
  let arguments = (ins AnyVectorOfAnyRank:$valueToStore,
                       Arg<Vector_TensorOrMemRef, "", [MemWrite]>:$base,
                       Variadic<Index>:$indices,
                       AffineMapAttr:$permutation_map,
                       Optional<AnyVector>:$mask,
                       BoolArrayAttr:$in_bounds);
  let results = (outs Optional<AnyRankedTensor>:$result);
  let customFormat = "transfer_write";
  let verifier = "transfer_write";
}

def Vector_LoadOp : Vector_Op<"load"> {
  let summary = "Reads a contiguous box of a memref into a vector";
  let arguments = (ins Arg<AnyMemRef, "", [MemRead]>:$base,
                       Variadic<Index>:$indices,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$nontemporal,
                       OptionalAttr<Vector_AlignmentAttr>:$alignment);
  let results = (outs AnyVectorOfAnyRank:$result);
  let assemblyFormat = [{
    $base `[` $indices `]`
    (`alignment` `=` $alignment^)? (`nontemporal` `=` $nontemporal^)?
    attr-dict `:` type($base) `,` type($result)
  }];
  let verifier = "load";
}

def Vector_StoreOp : Vector_Op<"store"> {
  let summary = "Writes a vector to a contiguous box of a memref";
  let arguments = (ins AnyVectorOfAnyRank:$valueToStore,
                       Arg<AnyMemRef, "", [MemWrite]>:$base,
                       Variadic<Index>:$indices,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$nontemporal,
                       OptionalAttr<Vector_AlignmentAttr>:$alignment);
  let assemblyFormat = [{
    $valueToStore `,` $base `[` $indices `]`
    (`alignment` `=` $alignment^)? (`nontemporal` `=` $nontemporal^)?
    attr-dict `:` type($base) `,` type($valueToStore)
  }];
  let verifier = "store";
}

def Vector_MaskedLoadOp
    : Vector_Op<"maskedload", [AllTypesMatch<["pass_thru", "result"]>]> {
  let summary = "Reads those elements whose mask bit is set; the others pass through";
  let arguments = (ins Arg<AnyMemRef, "", [MemRead]>:$base,
                       Variadic<Index>:$indices,
                       VectorOf<[I1]>:$mask,
                       AnyVector:$pass_thru,
                       OptionalAttr<Vector_AlignmentAttr>:$alignment);
  let results = (outs AnyVector:$result);
  let assemblyFormat = [{
    $base `[` $indices `]` `,` $mask `,` $pass_thru (`alignment` `=` $alignment^)? attr-dict `:`
    type($base) `,` type($mask) `,` type($pass_thru) `into` type($result)
  }];
  let verifier = "masked_load";
}

def Vector_MaskedStoreOp : Vector_Op<"maskedstore"> {
  let summary = "Writes those elements whose mask bit is set";
  let arguments = (ins Arg<AnyMemRef, "", [MemWrite]>:$base,
                       Variadic<Index>:$indices,
                       VectorOf<[I1]>:$mask,
                       AnyVector:$valueToStore,
                       OptionalAttr<Vector_AlignmentAttr>:$alignment);
  let assemblyFormat = [{
    $base `[` $indices `]` `,` $mask `,` $valueToStore (`alignment` `=` $alignment^)? attr-dict `:`
    type($base) `,` type($mask) `,` type($valueToStore)
  }];
  let verifier = "masked_store";
}
