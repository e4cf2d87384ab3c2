// Between plain and tiled layouts.

class Linalg_RelayoutOp<string mnemonic, list<Trait> traits = []>
    : Linalg_Op<mnemonic, !listconcat(traits, [
        AllTypesMatch<["dest", "result"]>, ConditionallySpeculatable, DestinationStyleOpInterface,
        NoMemoryEffect
      ])> {
  let results = (outs AnyRankedTensor:$result);
}

def Linalg_PackOp : Linalg_RelayoutOp<"pack", [AttrSizedOperandSegments]> {
  let summary = "Cuts a tensor into tiles";
  let description = [{
    Dimension `inner_dims_pos[i]` is cut into tiles of `inner_tiles[i]`, which become the trailing
    dimensions; the outer ones are then permuted by `outer_dims_perm`. Tiles that stick out are
    filled with the padding value.
  }];
  let arguments = (ins AnyRankedTensor:$source,
                       AnyRankedTensor:$dest,
                       Optional<AnyType>:$padding_value,
                       DefaultValuedOptionalAttr<DenseI64ArrayAttr, "array<i64>">:$outer_dims_perm,
                       DenseI64ArrayAttr:$inner_dims_pos,
                       Variadic<Index>:$inner_tiles,
                       DenseI64ArrayAttr:$static_inner_tiles);
  let assemblyFormat = [{
    $source
    (`padding_value` `(` $padding_value^ `:` type($padding_value) `)`)?
    (`outer_dims_perm` `=` $outer_dims_perm^)?
    `inner_dims_pos` `=` $inner_dims_pos
    `inner_tiles` `=` custom<DynamicIndexList>($inner_tiles, $static_inner_tiles)
    `into` $dest attr-dict `:` type($source) `->` type($dest)
  }];
  let resultNames = [NamedAs<"result", "pack">];
  let verifier = "pack";
}

def Linalg_UnPackOp : Linalg_RelayoutOp<"unpack"> {
  let summary = "Joins the tiles of a tensor";
  let description = [{
    The inverse of `pack`; what sticks out of the destination is dropped.
  }];
  let arguments = (ins AnyRankedTensor:$source,
                       AnyRankedTensor:$dest,
                       DefaultValuedOptionalAttr<DenseI64ArrayAttr, "array<i64>">:$outer_dims_perm,
                       DenseI64ArrayAttr:$inner_dims_pos,
                       Variadic<Index>:$inner_tiles,
                       DenseI64ArrayAttr:$static_inner_tiles);
  let assemblyFormat = [{
    $source
    (`outer_dims_perm` `=` $outer_dims_perm^)?
    `inner_dims_pos` `=` $inner_dims_pos
    `inner_tiles` `=` custom<DynamicIndexList>($inner_tiles, $static_inner_tiles)
    `into` $dest attr-dict `:` type($source) `->` type($dest)
  }];
  let resultNames = [NamedAs<"result", "unpack">];
  let verifier = "unpack";
}
