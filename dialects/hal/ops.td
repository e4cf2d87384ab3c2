// Ops: tensors at the border of the program, buffer views, executables and their interface.

//===-- The border of the program -----------------------------------------------------------------

def HAL_TensorImportOp : HAL_PureOp<"tensor.import", [
  AttrSizedOperandSegments, DimsOf<"target", "target_dims">
]> {
  let summary = "The tensor in a buffer view that the caller passes";
  let arguments = (ins
    AnyTypeOf<[HAL_Buffer, HAL_BufferView]>:$source,
    TypeAttr:$target_encoding,
    Variadic<Index>:$target_dims,
    UnitAttr:$consume,
    Optional<HAL_Fence>:$wait_fence,
    Optional<Index>:$byte_offset,
    OptionalAttr<StrAttr>:$name,
    OptionalAttr<AnyAttr>:$affinity
  );
  let results = (outs AnyTensor:$target);
  let assemblyFormat = [{
    (`on` `(` $affinity^ `)`)?
    (`wait` `(` $wait_fence^ `)` `=` `` `>`)?
    (`consume` $consume^)?
    $source
    (`offset` `(` $byte_offset^ `)`)?
    ($name^)?
    `:` type($source) `->`
    custom<TypeAlias>($target_encoding, type($target)) (`{` $target_dims^ `}`)?
    attr-dict
  }];
}

def HAL_TensorExportOp : HAL_PureOp<"tensor.export", [DimsOf<"source", "source_dims">]> {
  let summary = "A buffer view of a tensor, for the caller";
  let arguments = (ins
    AnyTensor:$source,
    TypeAttr:$source_encoding,
    Variadic<Index>:$source_dims,
    OptionalAttr<StrAttr>:$name,
    OptionalAttr<AnyAttr>:$affinity
  );
  let results = (outs AnyTypeOf<[HAL_Buffer, HAL_BufferView]>:$target);
  let assemblyFormat = [{
    (`on` `(` $affinity^ `)`)?
    $source ($name^)? `:`
    custom<TypeAlias>($source_encoding, type($source)) (`{` $source_dims^ `}`)?
    `->` type($target) attr-dict
  }];
}

def HAL_TensorAliasOp : HAL_PureOp<"tensor.alias", [
  AllTypesMatch<["source", "result"]>, AttrSizedOperandSegments, DimsOf<"source", "source_dims">,
  DimsOf<"result", "source_dims">, TiedResult<"result", "source">
]> {
  let summary = "The tensor in storage that the caller gives";
  let arguments = (ins
    AnyTensor:$source,
    Variadic<Index>:$source_dims,
    AnyTypeOf<[HAL_Buffer, HAL_BufferView]>:$storage,
    Optional<HAL_Fence>:$wait_fence,
    OptionalAttr<AnyAttr>:$affinity
  );
  let results = (outs AnyTensor:$result);
  let assemblyFormat = [{
    (`on` `(` $affinity^ `)`)? (`wait` `(` $wait_fence^ `)` `=` `` `>`)?
    $source `:` type($source) (`{` $source_dims^ `}`)? `to` $storage `:` type($storage) attr-dict
  }];
}

def HAL_TensorTransientsOp : HAL_PureOp<"tensor.transients", [
  AllTypesMatch<["source", "result"]>, DimsOf<"source", "source_dims">,
  DimsOf<"result", "source_dims">, TiedResult<"result", "source">
]> {
  let summary = "The tensor, for which work may use the caller's storage in between";
  let arguments = (ins
    AnyTensor:$source,
    Variadic<Index>:$source_dims,
    AnyTypeOf<[HAL_Buffer, HAL_BufferView]>:$storage,
    OptionalAttr<AnyAttr>:$affinity
  );
  let results = (outs AnyTensor:$result);
  let assemblyFormat = [{
    (`on` `(` $affinity^ `)`)? $source `:` type($source) (`{` $source_dims^ `}`)?
    `from` $storage `:` type($storage) attr-dict
  }];
}

def HAL_TensorBarrierOp : HAL_Op<"tensor.barrier", [
  AllTypesMatch<["sources", "results"]>, TiedResult<"results", "sources">
]> {
  let summary = "The tensors; a fence is reached once all of them are there";
  let arguments = (ins Variadic<AnyTensor>:$sources, HAL_Fence:$signal_fence);
  let results = (outs Variadic<AnyTensor>:$results);
  let assemblyFormat = [{
    `join` `` `(` $sources `:` custom<PassedTypes>(type($sources), type($results)) `)` `=` `` `>`
    $signal_fence `:` type($signal_fence) attr-dict-with-keyword
  }];
}

def HAL_BufferViewAssertOp : HAL_Op<"buffer_view.assert"> {
  let summary = "Fails unless a buffer view has this shape, element type and encoding";
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

def HAL_ElementTypeOp : HAL_PureOp<"element_type"> {
  let summary = "The runtime's number for an element type";
  let arguments = (ins TypeAttr:$type);
  let results = (outs I32:$result);
  let assemblyFormat = "`<` $type `>` attr-dict `:` type($result)";
  let resultNames = [NamedBy<"element_type">];
}

def HAL_EncodingTypeOp : HAL_PureOp<"encoding_type"> {
  let summary = "The runtime's number for an encoding, row-major when none is given";
  let arguments = (ins OptionalAttr<AnyAttr>:$encoding);
  let results = (outs I32:$result);
  let assemblyFormat = "`<` ($encoding^):( `` `dense_row_major`)? `>` attr-dict `:` type($result)";
  let resultNames = [NamedBy<"encoding_type">];
}

//===-- Executables -------------------------------------------------------------------------------

def HAL_ExecutableOp : HAL_Op<"executable", [
  IsolatedFromAbove, SingleBlockImplicitTerminator<"hal.executable_end">, Symbol, SymbolTable
]> {
  let summary = "Device code, once for each target";
  let arguments = (ins
    OptionalAttr<StrAttr>:$sym_visibility,
    SymbolNameAttr:$sym_name,
    UnitAttr:$lazy
  );
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    custom<SymbolVisibility>($sym_visibility) (`lazy` $lazy^)? $sym_name attr-dict-with-keyword
    regions
  }];
}

def HAL_ExecutableEndOp : HAL_Op<"executable_end", [HasParent<"hal.executable">, Terminator]> {
  let summary = "Ends an executable";
  let assemblyFormat = "attr-dict";
}

def HAL_ExecutableVariantOp : HAL_Op<"executable.variant", [
  IsolatedFromAbove, HasParent<"hal.executable">,
  SingleBlockImplicitTerminator<"hal.executable.variant_end">, Symbol, SymbolTable
]> {
  let summary = "Device code for one target";
  let arguments = (ins
    OptionalAttr<StrAttr>:$sym_visibility,
    SymbolNameAttr:$sym_name,
    HAL_ExecutableTargetAttr:$target,
    OptionalAttr<ArrayAttr>:$objects,
    OptionalAttr<DictionaryAttr>:$sources
  );
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    custom<SymbolVisibility>($sym_visibility) $sym_name
    `target` `(` $target `)`
    (`objects` `(` $objects^ `)`)?
    (`sources` `(` $sources^ `)`)?
    attr-dict-with-keyword $body
  }];
}

def HAL_ExecutableVariantEndOp
    : HAL_Op<"executable.variant_end", [HasParent<"hal.executable.variant">, Terminator]> {
  let summary = "Ends a variant";
  let assemblyFormat = "attr-dict";
}

def HAL_ExecutableSourceOp : HAL_Op<"executable.source", [
  IsolatedFromAbove, SingleBlockImplicitTerminator<"hal.executable.source_end">, Symbol, SymbolTable
]> {
  let summary = "Device code that no target was chosen for";
  let arguments = (ins
    OptionalAttr<StrAttr>:$sym_visibility,
    SymbolNameAttr:$sym_name,
    OptionalAttr<HAL_ExecutableObjectsAttr>:$objects
  );
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    custom<SymbolVisibility>($sym_visibility) $sym_name prop-dict attr-dict-with-keyword $body
  }];
}

def HAL_ExecutableSourceEndOp
    : HAL_Op<"executable.source_end", [HasParent<"hal.executable.source">, Terminator]> {
  let summary = "Ends device code that no target was chosen for";
  let assemblyFormat = "attr-dict";
}

def HAL_ExecutableExportOp : HAL_Op<"executable.export", [
  ParentOneOf<["hal.executable.source", "hal.executable.variant"]>, Symbol, IsolatedFromAbove
]> {
  let summary = "An entry point of device code";
  let description = [{
    The first region, when it is not empty, computes the number of workgroups from the device and
    the workload; the second says whether the entry point may be used.
  }];
  let arguments = (ins
    OptionalAttr<StrAttr>:$sym_visibility,
    SymbolNameAttr:$sym_name,
    OptionalAttr<IndexAttr>:$ordinal,
    HAL_PipelineLayoutAttr:$layout,
    OptionalAttr<FlatSymbolRefAttr>:$condition_fallback,
    OptionalAttr<IndexArrayAttr>:$workgroup_size,
    OptionalAttr<IndexAttr>:$subgroup_size,
    OptionalAttr<IndexAttr>:$workgroup_local_memory,
    OptionalAttr<DictionaryAttr>:$source_locs
  );
  let regions = (region AnyRegion:$workgroup_count, AnyRegion:$condition);
  let assemblyFormat = [{
    custom<SymbolVisibility>($sym_visibility) $sym_name
    (`ordinal` `(` $ordinal^ `)`)?
    `layout` `(` qualified($layout) `)`
    (`condition` `` custom<ExportConditionRegion>($condition)^)?
    (`fallback` `(` $condition_fallback^ `)`)?
    (`count` `` custom<WorkgroupCountRegion>($workgroup_count)^)?
    prop-dict attr-dict-with-keyword
  }];
}

def HAL_ReturnOp : HAL_Op<"return", [Pure, ReturnLike, Terminator]> {
  let summary = "Ends a region of this dialect";
  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "($operands^ `:` type($operands))? attr-dict";
  let verifier = "return";
}

//===-- Interface ---------------------------------------------------------------------------------

def HAL_InterfaceBindingSubspanOp
    : HAL_PureOp<"interface.binding.subspan", [
  AttrSizedOperandSegments, DimsOf<"result", "dynamic_dims">
]> {
  let summary = "What lies in a binding from an offset on";
  let arguments = (ins
    HAL_PipelineLayoutAttr:$layout,
    IndexAttr:$binding,
    Optional<Index>:$byte_offset,
    Variadic<Index>:$dynamic_dims,
    OptionalAttr<IndexAttr>:$alignment,
    OptionalAttr<HAL_DescriptorFlags>:$descriptor_flags
  );
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    `layout` `(` $layout `)`
    `binding` `(` $binding `)`
    (`alignment` `(` $alignment^ `)`)?
    (`offset` `(` $byte_offset^ `)`)?
    (`flags` `(` $descriptor_flags^ `)`)?
    attr-dict `:` type($result) (`{` $dynamic_dims^ `}`)?
  }];
  let verifier = "interface_binding_subspan";
}

def HAL_InterfaceConstantLoadOp : HAL_PureOp<"interface.constant.load"> {
  let summary = "A constant that the dispatch passes";
  let arguments = (ins
    HAL_PipelineLayoutAttr:$layout,
    IndexAttr:$ordinal,
    OptionalAttr<IndexAttr>:$alignment,
    OptionalAttr<ArrayAttr>:$values
  );
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    `layout` `(` $layout `)`
    `ordinal` `(` $ordinal `)`
    (`alignment` `(` $alignment^ `)`)?
    (`values` `(` $values^ `)`)?
    attr-dict `:` type($result)
  }];
}

class HAL_InterfaceWorkgroupOp<string what> : HAL_PureOp<"interface.workgroup." # what> {
  let arguments = (ins IndexAttr:$dimension, OptionalAttr<IndexAttr>:$upper_bound);
  let results = (outs Index:$result);
  let assemblyFormat = [{
    `[` $dimension `]` (`upper_bound` $upper_bound^)? attr-dict `:` type($result)
  }];
  let resultNames = [NamedBy<"interface_workgroup">];
}

def HAL_InterfaceWorkgroupIDOp : HAL_InterfaceWorkgroupOp<"id"> {
  let summary = "The position of the running workgroup in one dimension";
}
def HAL_InterfaceWorkgroupCountOp : HAL_InterfaceWorkgroupOp<"count"> {
  let summary = "The number of workgroups in one dimension";
}
def HAL_InterfaceWorkgroupSizeOp : HAL_InterfaceWorkgroupOp<"size"> {
  let summary = "The number of invocations in a workgroup in one dimension";
}
