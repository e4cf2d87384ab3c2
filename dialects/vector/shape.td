// Parts and shapes of vectors.

def Vector_BroadcastOp : Vector_PureOp<"broadcast"> {
  let summary = "Repeats a scalar or a vector along leading and unit dimensions";
  let arguments = (ins AnyType:$source);
  let results = (outs AnyVectorOfAnyRank:$vector);
  let assemblyFormat = "$source attr-dict `:` type($source) `to` type($vector)";
  let folder = "broadcast";
  let verifier = "broadcast";
}

def Vector_ExtractOp : Vector_PureOp<"extract", [
  DynamicEntries<"static_position", "dynamic_position">
]> {
  let summary = "The element or sub-vector at a position";
  let arguments = (ins AnyVectorOfAnyRank:$source,
                       Variadic<Index>:$dynamic_position,
                       DenseI64ArrayAttr:$static_position);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $source `` custom<DynamicIndexList>($dynamic_position, $static_position)
    attr-dict `:` type($result) `from` type($source)
  }];
  let folder = "extract";
  let verifier = "extract";
}

def Vector_InsertOp : Vector_PureOp<"insert", [
  AllTypesMatch<["dest", "result"]>, DynamicEntries<"static_position", "dynamic_position">
]> {
  let summary = "A vector with the element or sub-vector at a position replaced";
  let arguments = (ins AnyType:$valueToStore,
                       AnyVectorOfAnyRank:$dest,
                       Variadic<Index>:$dynamic_position,
                       DenseI64ArrayAttr:$static_position);
  let results = (outs AnyVectorOfAnyRank:$result);
  let assemblyFormat = [{
    $valueToStore `,` $dest custom<DynamicIndexList>($dynamic_position, $static_position)
    attr-dict `:` type($valueToStore) `into` type($dest)
  }];
  let verifier = "insert";
}

def Vector_ShuffleOp : Vector_PureOp<"shuffle"> {
  let summary = "Chooses rows of two vectors by number; -1 leaves one open";
  let arguments = (ins AnyVectorOfAnyRank:$v1, AnyVectorOfAnyRank:$v2, DenseI64ArrayAttr:$mask);
  let results = (outs AnyVector:$vector);
  let customFormat = "shuffle";
  let verifier = "shuffle";
}

def Vector_InterleaveOp : Vector_PureOp<"interleave", [AllTypesMatch<["lhs", "rhs"]>]> {
  let summary = "Elements of two vectors in turn, along the last dimension";
  let arguments = (ins AnyVectorOfAnyRank:$lhs, AnyVectorOfAnyRank:$rhs);
  let results = (outs AnyVector:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)";
  let verifier = "interleave";
}

def Vector_ExtractStridedSliceOp : Vector_PureOp<"extract_strided_slice"> {
  let summary = "A box of a vector";
  let arguments = (ins AnyVector:$source,
                       I64ArrayAttr:$offsets,
                       I64ArrayAttr:$sizes,
                       I64ArrayAttr:$strides);
  let results = (outs AnyVector:$result);
  let assemblyFormat = [{
    $source `offsets` `=` $offsets `,` `sizes` `=` $sizes `,` `strides` `=` $strides
    attr-dict `:` type($source) `to` type($result)
  }];
  let verifier = "extract_strided_slice";
}

def Vector_InsertStridedSliceOp
    : Vector_PureOp<"insert_strided_slice", [AllTypesMatch<["dest", "result"]>]> {
  let summary = "A vector with a box replaced";
  let arguments = (ins AnyVector:$valueToStore,
                       AnyVector:$dest,
                       I64ArrayAttr:$offsets,
                       I64ArrayAttr:$strides);
  let results = (outs AnyVector:$result);
  let assemblyFormat = [{
    $valueToStore `,` $dest `offsets` `=` $offsets `,` `strides` `=` $strides
    attr-dict `:` type($valueToStore) `into` type($dest)
  }];
  let verifier = "insert_strided_slice";
}

def Vector_ShapeCastOp : Vector_PureOp<"shape_cast"> {
  let summary = "The same elements in the same order as another shape";
  let arguments = (ins AnyVectorOfAnyRank:$source);
  let results = (outs AnyVectorOfAnyRank:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `to` type($result)";
  let folder = "same_type";
  let verifier = "shape_cast";
}

def Vector_BitCastOp : Vector_PureOp<"bitcast"> {
  let summary = "The same bits as elements of another type";
  let arguments = (ins AnyVectorOfAnyRank:$source);
  let results = (outs AnyVectorOfAnyRank:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `to` type($result)";
  let folder = "same_type";
  let verifier = "bitcast";
}

def Vector_TransposeOp : Vector_PureOp<"transpose"> {
  let summary = "Permutes dimensions";
  let arguments = (ins AnyVectorOfAnyRank:$vector, DenseI64ArrayAttr:$permutation);
  let results = (outs AnyVectorOfAnyRank:$result);
  let assemblyFormat = [{
    $vector `,` $permutation attr-dict `:` type($vector) `to` type($result)
  }];
  let verifier = "transpose";
}

def Vector_ToElementsOp : Vector_PureOp<"to_elements"> {
  let summary = "All elements of a vector, in row-major order";
  let arguments = (ins AnyVectorOfAnyRank:$source);
  let results = (outs Variadic<AnyType>:$elements);
  let customFormat = "to_elements";
  let verifier = "to_elements";
}

def Vector_FromElementsOp : Vector_PureOp<"from_elements"> {
  let summary = "A vector of these elements, in row-major order";
  let arguments = (ins Variadic<AnyType>:$elements);
  let results = (outs AnyVectorOfAnyRank:$dest);
  let customFormat = "from_elements";
  let verifier = "from_elements";
}
