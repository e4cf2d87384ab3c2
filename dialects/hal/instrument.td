// Ops that record what device code does.

def HAL_InstrumentWorkgroupOp : HAL_Op<"instrument.workgroup"> {
  let summary = "Records that a workgroup runs; gives the key of its other records";
  let arguments = (ins AnyMemRef:$buffer, I32:$dispatchId);
  let results = (outs Index:$workgroupKey);
  let assemblyFormat = [{
    `` `[` $buffer `:` type($buffer) `]` `dispatch` `(` $dispatchId `)` attr-dict `:`
    type($workgroupKey)
  }];
}

def HAL_InstrumentPrintOp : HAL_Op<"instrument.print"> {
  let summary = "Records text with values in it";
  let arguments = (ins
    AnyMemRef:$buffer, Index:$workgroupKey, StrAttr:$format, Variadic<AnyType>:$values
  );
  let assemblyFormat = [{
    `` `[` $buffer `:` type($buffer) `for` $workgroupKey `]` $format
    (`*` `(` $values^ `:` type($values) `)`)? attr-dict
  }];
}

// An integer that is written with its type.
def HAL_TypedI8Attr
    : Attr<And<[IsAttrKind<"integer">, AttrTypeIs<Satisfies<I8>>]>, "8-bit integer attribute">;

def HAL_InstrumentValueOp
    : HAL_Op<"instrument.value", [AllTypesMatch<["operand", "result"]>]> {
  let summary = "Records a value under a number of the workgroup's own";
  let arguments = (ins
    AnyMemRef:$buffer, Index:$workgroupKey, HAL_TypedI8Attr:$ordinal, AnyType:$operand
  );
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    `` `[` $buffer `:` type($buffer) `for` $workgroupKey `]` $ordinal `=` $operand attr-dict `:`
    type($operand)
  }];
}

class HAL_InstrumentMemoryOp<string what, string value>
    : HAL_PureOp<"instrument.memory." # what, [AllTypesMatch<[value, "result"]>]> {
  let results = (outs AnyType:$result);
}
def HAL_InstrumentMemoryLoadOp : HAL_InstrumentMemoryOp<"load", "loadValue"> {
  let summary = "Records that a value was read from memory";
  let arguments = (ins
    AnyMemRef:$buffer, Index:$workgroupKey, AnyType:$loadValue, AnyMemRef:$base,
    Variadic<Index>:$indices
  );
  let assemblyFormat = [{
    `` `[` $buffer `:` type($buffer) `for` $workgroupKey `]` $base `[` $indices `]` `,` $loadValue
    attr-dict `:` type($base) `,` type($result)
  }];
}
def HAL_InstrumentMemoryStoreOp : HAL_InstrumentMemoryOp<"store", "storeValue"> {
  let summary = "Records that a value was written to memory";
  let arguments = (ins
    AnyMemRef:$buffer, Index:$workgroupKey, AnyType:$storeValue, AnyMemRef:$base,
    Variadic<Index>:$indices
  );
  let assemblyFormat = [{
    `` `[` $buffer `:` type($buffer) `for` $workgroupKey `]` $base `[` $indices `]` `,` $storeValue
    attr-dict `:` type($base) `,` type($result)
  }];
}
