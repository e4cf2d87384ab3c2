// Lists.

def Util_ListCreateOp : Util_Op<"list.create", [MemoryEffects<[MemAlloc]>]> {
  let summary = "An empty list";
  let arguments = (ins Optional<Index>:$initial_capacity);
  let results = (outs Util_ListType:$result);
  let assemblyFormat = "($initial_capacity^)? attr-dict `:` qualified(type($result))";
}

def Util_ListConstructOp : Util_Op<"list.construct", [MemoryEffects<[MemAlloc]>]> {
  let summary = "A list of these values";
  let arguments = (ins Variadic<AnyType>:$values);
  let results = (outs Util_ListType:$result);
  let assemblyFormat = [{
    custom<ValueTypeList>($values, type($values)) attr-dict `:` qualified(type($result))
  }];
  let verifier = "list_construct";
}

def Util_ListSizeOp : Util_Op<"list.size", [MemoryEffects<[MemRead]>]> {
  let summary = "How many values a list has";
  let arguments = (ins Util_ListType:$list);
  let results = (outs Index:$result);
  let assemblyFormat = "operands attr-dict `:` qualified(type($list))";
}

def Util_ListResizeOp : Util_Op<"list.resize", [MemoryEffects<[MemWrite]>]> {
  let summary = "Gives a list another number of values";
  let arguments = (ins Util_ListType:$list, Index:$new_size);
  let assemblyFormat = "operands attr-dict `:` qualified(type($list))";
}

def Util_ListGetOp : Util_Op<"list.get", [MemoryEffects<[MemRead]>]> {
  let summary = "The value at a place of a list";
  let arguments = (ins Util_ListType:$list, Index:$index);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $list `[` $index `]` attr-dict `:` custom<ListTypeGet>(type($list), type($result))
  }];
  let verifier = "list_access";
}

def Util_ListSetOp : Util_Op<"list.set", [MemoryEffects<[MemWrite]>]> {
  let summary = "Puts a value at a place of a list";
  let arguments = (ins Util_ListType:$list, Index:$index, AnyType:$value);
  let assemblyFormat = [{
    $list `[` $index `]` `,` $value attr-dict `:` custom<ListTypeSet>(type($list), type($value))
  }];
  let verifier = "list_access";
}
