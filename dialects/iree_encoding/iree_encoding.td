// The `iree_encoding` dialect: how a tensor lies in memory, said before it is decided.

#ifndef TEGULA_IREE_ENCODING_TD
#define TEGULA_IREE_ENCODING_TD

include "tegula/OpBase.td"

def IREEEncoding_Dialect : Dialect {
  let name = "iree_encoding";
  let summary = "Encodings of tensors";
  let description = [{
    An encoding says what a tensor is used for, so that a target can choose its layout; once chosen,
    the layout stands in its place. Encodings never change what elements a tensor has.
  }];
}

class IREEEncoding_PureOp<string mnemonic, list<Trait> traits = []>
    : Op<IREEEncoding_Dialect, mnemonic, !listconcat(traits, [Pure])>;

def IREEEncoding_OpType_Matmul : I32EnumAttrCase<"matmul", 0>;
def IREEEncoding_OpType_ScaledMatmul : I32EnumAttrCase<"scaled_matmul", 1>;
def IREEEncoding_OpType_Conv : I32EnumAttrCase<"conv", 2>;
def IREEEncoding_OpType : I32EnumAttr<"EncodingOpType", "the kind of op that uses a tensor", [
  IREEEncoding_OpType_Matmul, IREEEncoding_OpType_ScaledMatmul, IREEEncoding_OpType_Conv
]>;

/// What says how many bytes a tensor takes and where its elements lie, or will once its layouts are
/// chosen.
def IREEEncoding_Serializable : NativeAttrTrait<"SerializableAttr">;

def IREEEncoding_EncodingAttr
    : AttrDef<IREEEncoding_Dialect, "Encoding", [IREEEncoding_Serializable]> {
  let mnemonic = "encoding";
  let alias = "encoding";
  let summary = "What a tensor is used for";
  let description = [{
    The tensor is operand `operand_index` of an op of the given kind, whose operands have these
    element types and indexing maps. `iteration_sizes` are the sizes of the op's loops, `?` where
    they are not known; narrow dimensions choose other tiles.
  }];
  let parameters = (ins
    AttrParameter<"of:integer">:$operand_index,
    EnumParameter<IREEEncoding_OpType>:$op_type,
    AttrParameter<"of:array">:$element_types,
    OptionalParameter<"type">:$original_element_type,
    OptionalParameter<"of:array">:$user_indexing_maps,
    OptionalParameter<"of:array">:$iteration_sizes
  );
  let customFormat = "encoding";
  let verifier = "encoding";
}

/// What says the same of a tensor when dimensions of size one come or go.
def IREEEncoding_OfAnyShape : NativeAttrTrait<"EncodingOfAnyShape">;

def IREEEncoding_LayoutAttr
    : AttrDef<IREEEncoding_Dialect, "Layout", [IREEEncoding_Serializable]> {
  let mnemonic = "layout";
  let alias = "encoding";
  let summary = "The layouts that targets chose for a tensor";
  let parameters = (ins AttrParameter<"of:array">:$layouts);
  let assemblyFormat = "`<` $layouts `>`";
  let verifier = "layout";
  let encodingVerifier = "layout";
}

def IREEEncoding_IdentityAttr
    : AttrDef<IREEEncoding_Dialect, "Identity", [IREEEncoding_Serializable]> {
  let mnemonic = "identity";
  let summary = "The row-major layout without padding";
}

def IREEEncoding_PaddingAttr
    : AttrDef<IREEEncoding_Dialect, "Padding", [IREEEncoding_Serializable]> {
  let mnemonic = "padding";
  let summary = "How many elements follow those of each dimension";
  let description = [{
    `?` where the target has not decided yet.
  }];
  let parameters = (ins AttrParameter<"of:array">:$padding);
  let customFormat = "padding";
  let verifier = "padding";
}

def IREEEncoding_PackedStorageAttr
    : AttrDef<IREEEncoding_Dialect, "PackedStorage", [
        IREEEncoding_OfAnyShape, IREEEncoding_Serializable
      ]> {
  let mnemonic = "packed_storage";
  let summary = "Elements that are no whole bytes lie side by side";
  let encodingVerifier = "packed_storage";
}

// What stands for encodings and layouts that nothing is known of, as in tests.

def IREEEncoding_UnknownAttr : AttrDef<IREEEncoding_Dialect, "Unknown"> {
  let mnemonic = "unknown";
  let alias = "encoding";
  let summary = "An encoding that nothing is known of";
}

def IREEEncoding_TestingAttr
    : AttrDef<IREEEncoding_Dialect, "Testing", [IREEEncoding_Serializable]> {
  let mnemonic = "testing";
  let alias = "encoding";
  let summary = "An encoding that may have layouts, and means nothing";
  let parameters = (ins
    OptionalParameter<"of:array">:$layouts,
    OptionalParameter<"type">:$original_element_type
  );
  let assemblyFormat = "`<` struct(params) `>`";
}

def IREEEncoding_SpecializedAttr
    : AttrDef<IREEEncoding_Dialect, "Specialized", [IREEEncoding_Serializable]> {
  let mnemonic = "specialized";
  let summary = "A layout that a number tells from others";
  let parameters = (ins AttrParameter<"int">:$seed, OptionalParameter<"type">:$type);
  let assemblyFormat = "`<` $seed (`,` $type^)? `>`";
}

def IREEEncoding_SpecializationResolverAttr
    : AttrDef<IREEEncoding_Dialect, "SpecializationResolver"> {
  let mnemonic = "specialization_resolver";
  let summary = "Chooses layouts that the number tells from others";
  let parameters = (ins AttrParameter<"int">:$seed);
  let assemblyFormat = "`<` $seed `>`";
}

def IREEEncoding_IdentityResolverAttr : AttrDef<IREEEncoding_Dialect, "IdentityResolver"> {
  let mnemonic = "identity_resolver";
  let summary = "Chooses the row-major layout for every encoding";
}

def IREEEncoding_UnsupportedResolverAttr : AttrDef<IREEEncoding_Dialect, "UnsupportedResolver"> {
  let mnemonic = "unsupported_resolver";
  let summary = "Chooses no layout";
}

def IREEEncoding_SetEncodingOp : IREEEncoding_PureOp<"set_encoding"> {
  let summary = "The same tensor with an encoding";
  let arguments = (ins AnyRankedTensor:$source, Variadic<Index>:$encoding_dims);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    attr-dict $source (`encoding_dims` `{` $encoding_dims^ `}`)? `:` type($source) `->`
    type($result)
  }];
  let verifier = "set_encoding";
}

def IREEEncoding_UnsetEncodingOp
    : IREEEncoding_PureOp<"unset_encoding", [AttrSizedOperandSegments]> {
  let summary = "The same tensor without its encoding";
  let arguments = (ins
    AnyRankedTensor:$source,
    Variadic<Index>:$result_dims,
    Variadic<Index>:$encoding_dims
  );
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    attr-dict $source (`encoding_dims` `{` $encoding_dims^ `}`)? `:` type($source) `->`
    type($result) (`` `{` $result_dims^ `}`)?
  }];
  let verifier = "unset_encoding";
}

#endif // TEGULA_IREE_ENCODING_TD
