// Buffer views: a range of a buffer with an element type, an encoding and a shape.

def HALInline_BufferViewCreateOp : HALInline_PureOp<"buffer_view.create", [
  Range<"source_buffer", "", "source_offset", "source_length">
]> {
  let summary = "A view of a range of a buffer";
  let arguments = (ins
    HAL_Buffer:$source_buffer,
    Index:$source_offset,
    Index:$source_length,
    I32:$element_type,
    I32:$encoding_type,
    Variadic<Index>:$shape
  );
  let results = (outs HAL_BufferView:$result);
  let resultNames = [NamedAs<"result", "view">];
  let assemblyFormat = [{
    `buffer` `(` $source_buffer `:` type($source_buffer) `)` ``
    `[` $source_offset `,` $source_length `]`
    `shape` `(` `[` $shape `]` `)`
    `type` `(` $element_type `)`
    `encoding` `(` $encoding_type `)`
    `:` type($result) attr-dict-with-keyword
  }];
}

def HALInline_BufferViewAssertOp : HALInline_Op<"buffer_view.assert"> {
  let summary = "Fails unless a view has this shape, element type and encoding";
  let arguments = (ins
    HAL_BufferView:$buffer_view,
    StrAttr:$message,
    I32:$element_type,
    I32:$encoding_type,
    Variadic<Index>:$shape
  );
  let assemblyFormat = [{
    `<` $buffer_view `:` type($buffer_view) `>`
    `message` `(` $message `)`
    `shape` `(` `[` $shape `]` `)`
    `type` `(` $element_type `)`
    `encoding` `(` $encoding_type `)`
    attr-dict-with-keyword
  }];
}

class HALInline_BufferViewQueryOp<string mnemonic, Type answer>
    : HALInline_PureOp<"buffer_view." # mnemonic> {
  let arguments = (ins HAL_BufferView:$buffer_view);
  let results = (outs answer:$result);
  let assemblyFormat = [{
    `<` $buffer_view `:` type($buffer_view) `>` `:` type($result) attr-dict-with-keyword
  }];
}

def HALInline_BufferViewBufferOp : HALInline_BufferViewQueryOp<"buffer", HAL_Buffer> {
  let summary = "The buffer that a view is of";
  let resultNames = [NamedAs<"result", "buffer">];
}
def HALInline_BufferViewElementTypeOp : HALInline_BufferViewQueryOp<"element_type", I32> {
  let summary = "The number of a view's element type";
}
def HALInline_BufferViewEncodingTypeOp : HALInline_BufferViewQueryOp<"encoding_type", I32> {
  let summary = "The number of a view's encoding";
}
def HALInline_BufferViewRankOp : HALInline_BufferViewQueryOp<"rank", Index> {
  let summary = "The number of dimensions of a view";
}
def HALInline_BufferViewDimOp : HALInline_BufferViewQueryOp<"dim", Index> {
  let summary = "One dimension of a view";
  let arguments = (ins HAL_BufferView:$buffer_view, IndexAttr:$index);
  let assemblyFormat = [{
    `<` $buffer_view `:` type($buffer_view) `>` `` `[` $index `]` `:` type($result)
    attr-dict-with-keyword
  }];
}

def HALInline_BufferViewTraceOp : HALInline_Op<"buffer_view.trace"> {
  let summary = "Shows views to whoever watches the program, under a title";
  let arguments = (ins StrAttr:$key, Variadic<HAL_BufferView>:$operands);
  let assemblyFormat = "$key `=` $operands `:` type($operands) attr-dict-with-keyword";
}
