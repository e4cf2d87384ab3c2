// `stream.channel.*`: who takes part in collective operations.

def Stream_ChannelCreateOp : Stream_PureOp<"channel.create", [AttrSizedOperandSegments]> {
  let summary = "A channel to the others of a group";
  let arguments = (ins
    Optional<Util_BufferType>:$id,
    OptionalAttr<StrAttr>:$group,
    Optional<Index>:$rank,
    Optional<Index>:$count,
    OptionalAttr<Stream_AffinityAttr>:$affinity
  );
  let results = (outs Stream_Channel:$result);
  let resultNames = [NamedAs<"result", "channel">];
  let assemblyFormat = [{
    (`on` `(` $affinity^ `)`)? (`id` `(` $id^ `)`)? (`group` `(` $group^ `)`)?
    (`rank` `(` $rank^ `)`)? (`count` `(` $count^ `)`)? `:` type($result) attr-dict-with-keyword
  }];
}

def Stream_ChannelSplitOp : Stream_PureOp<"channel.split"> {
  let summary = "A channel to those of a channel that give the same color, in the order of keys";
  let arguments = (ins Stream_Channel:$channel, Index:$color, Index:$key);
  let results = (outs Stream_Channel:$result);
  let resultNames = [NamedAs<"result", "channel">];
  let assemblyFormat = [{
    $channel `,` $color `,` $key `:` type($channel) `->` type($result) attr-dict-with-keyword
  }];
}

class Stream_ChannelQueryOp<string what> : Stream_PureOp<"channel." # what> {
  let arguments = (ins Stream_Channel:$channel);
  let results = (outs Index:$result);
  let resultNames = [NamedAs<"result", "ccl_" # what>];
  let assemblyFormat = "$channel `:` type($result) attr-dict-with-keyword";
}
def Stream_ChannelRankOp : Stream_ChannelQueryOp<"rank"> {
  let summary = "The number of this participant";
}
def Stream_ChannelCountOp : Stream_ChannelQueryOp<"count"> {
  let summary = "The number of participants";
}
