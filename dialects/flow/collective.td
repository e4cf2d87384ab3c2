// What several participants of a program do together: channels, and ops on them.

def Flow_Channel : TypeDef<Flow_Dialect, "Channel">, BuildableType<"!flow.channel"> {
  let mnemonic = "channel";
  let summary = "A group of participants in collective operations";
}

def Flow_CollectiveReduction : I32EnumAttr<"CollectiveReductionOp", "how values are combined", [
  I32EnumAttrCase<"None", 0, "none">, I32EnumAttrCase<"ReductionSum", 1, "sum">,
  I32EnumAttrCase<"ReductionProduct", 2, "product">,
  I32EnumAttrCase<"ReductionMinimum", 3, "minimum">,
  I32EnumAttrCase<"ReductionMaximum", 4, "maximum">,
  I32EnumAttrCase<"ReductionAverage", 5, "average">
]>;
def Flow_CollectiveElementType
    : I32EnumAttr<"CollectiveElementType", "what a collective op works on", [
  I32EnumAttrCase<"Sint8", 0, "si8">, I32EnumAttrCase<"Uint8", 1, "ui8">,
  I32EnumAttrCase<"Sint16", 2, "si16">, I32EnumAttrCase<"Uint16", 3, "ui16">,
  I32EnumAttrCase<"Sint32", 4, "si32">, I32EnumAttrCase<"Uint32", 5, "ui32">,
  I32EnumAttrCase<"Sint64", 6, "si64">, I32EnumAttrCase<"Uint64", 7, "ui64">,
  I32EnumAttrCase<"Float16", 8, "f16">, I32EnumAttrCase<"Float32", 9, "f32">,
  I32EnumAttrCase<"Float64", 10, "f64">, I32EnumAttrCase<"BFloat16", 11, "bf16">
]>;

//===-- Channels ------------------------------------------------------------------------------------

def Flow_ChannelDefaultOp : Flow_PureOp<"channel.default"> {
  let summary = "The channel of a group, or that of all participants";
  let arguments = (ins OptionalAttr<StrAttr>:$group);
  let results = (outs Flow_Channel:$result);
  let resultNames = [NamedAs<"result", "default_channel">];
  let assemblyFormat = "($group^)? `:` type($result) attr-dict-with-keyword";
}

def Flow_ChannelSplitOp : Flow_Op<"channel.split"> {
  let summary = "A channel to those of a channel that give the same color, in the order of keys";
  let arguments = (ins Flow_Channel:$channel, Index:$color, Index:$key);
  let results = (outs Flow_Channel:$result);
  let resultNames = [NamedAs<"result", "channel">];
  let assemblyFormat = [{
    $channel `,` $color `,` $key `:` type($channel) `->` type($result) attr-dict-with-keyword
  }];
}

class Flow_ChannelQueryOp<string what> : Flow_PureOp<"channel." # what> {
  let arguments = (ins Flow_Channel:$channel);
  let results = (outs Index:$result);
  let resultNames = [NamedAs<"result", "channel_" # what>];
  let assemblyFormat = "$channel `:` type($result) attr-dict-with-keyword";
}
def Flow_ChannelRankOp : Flow_ChannelQueryOp<"rank"> {
  let summary = "The number of this participant";
}
def Flow_ChannelCountOp : Flow_ChannelQueryOp<"count"> {
  let summary = "The number of participants";
}

//===-- Work that participants do together ----------------------------------------------------------

class Flow_CollectiveOp<string mnemonic, list<Trait> traits = []>
    : Flow_Op<"collective." # mnemonic,
              !listconcat(traits, [AllTypesMatch<["target", "result"]>])> {
  let arguments = (ins
    Flow_CollectiveElementType:$element_type,
    AnyRankedTensor:$target,
    Variadic<Index>:$target_dims,
    AnyRankedTensor:$source,
    Flow_Channel:$channel,
    OptionalAttr<Util_TiedOperandsAttr>:$tied_operands
  );
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $element_type `,` $target `,` $source `,` $channel `:`
    `(` type($target) `,` type($source) `,` type($channel) `)` `->`
    custom<ShapedTiedResult>(ref($target), type($result), $target_dims) attr-dict-with-keyword
  }];
}
def Flow_CollectiveAllGatherOp : Flow_CollectiveOp<"all_gather"> {
  let summary = "Every participant gets what all have, one after the other";
}
def Flow_CollectiveAllToAllOp : Flow_CollectiveOp<"all_to_all"> {
  let summary = "Every participant gets a part of what each has";
}

class Flow_CollectiveReductionOp<string mnemonic, list<Trait> traits = []>
    : Flow_CollectiveOp<mnemonic, traits> {
  let arguments = (ins
    Flow_CollectiveReduction:$reduction_op,
    Flow_CollectiveElementType:$element_type,
    AnyRankedTensor:$target,
    Variadic<Index>:$target_dims,
    AnyRankedTensor:$source,
    Flow_Channel:$channel,
    OptionalAttr<Util_TiedOperandsAttr>:$tied_operands
  );
  let assemblyFormat = [{
    $reduction_op `,` $element_type `,` $target `,` $source `,` $channel `:`
    `(` type($target) `,` type($source) `,` type($channel) `)` `->`
    custom<ShapedTiedResult>(ref($target), type($result), $target_dims) attr-dict-with-keyword
  }];
}
def Flow_CollectiveAllReduceOp
    : Flow_CollectiveReductionOp<"all_reduce", [AllTypesMatch<["source", "target"]>]> {
  let summary = "Every participant gets the combination of what all have";
}
def Flow_CollectiveReduceScatterOp : Flow_CollectiveReductionOp<"reduce_scatter"> {
  let summary = "Every participant gets its part of the combination of what all have";
}

def Flow_CollectiveSendRecvOp
    : Flow_CollectiveOp<"send_recv", [AllTypesMatch<["source", "target"]>]> {
  let summary = "Every participant sends what it has to one and gets what another has";
  let arguments = (ins
    Flow_CollectiveElementType:$element_type,
    AnyRankedTensor:$target,
    Variadic<Index>:$target_dims,
    AnyRankedTensor:$source,
    Flow_Channel:$channel,
    Index:$send,
    Index:$recv,
    OptionalAttr<Util_TiedOperandsAttr>:$tied_operands
  );
  let assemblyFormat = [{
    $element_type `,` $target `,` $source `,` $channel `,` $send `,` $recv `:`
    `(` type($target) `,` type($source) `,` type($channel) `,` type($send) `,` type($recv) `)` `->`
    custom<ShapedTiedResult>(ref($target), type($result), $target_dims) attr-dict-with-keyword
  }];
}
