// Ops on channels, for collective work.

def HAL_ChannelCreateOp : HAL_Op<"channel.create"> {
  let summary = "Joins a group of participants";
  let description = [{
    Id and group may be null, and rank and count -1, where the device's own defaults are meant.
  }];
  let arguments = (ins
    HAL_Device:$device,
    I64:$queue_affinity,
    HAL_ChannelFlags:$flags,
    Util_BufferType:$id,
    Util_BufferType:$group,
    I32:$rank,
    I32:$count
  );
  let results = (outs HAL_Channel:$result);
  let resultNames = [NamedAs<"result", "channel">];
  let assemblyFormat = [{
    `device` `(` $device `:` type($device) `)`
    `affinity` `(` $queue_affinity `)`
    `flags` `(` $flags `)`
    `id` `(` $id `)`
    `group` `(` $group `)`
    `rank` `(` $rank `)`
    `count` `(` $count `)` `:` type($result) attr-dict-with-keyword
  }];
}

def HAL_ChannelSplitOp : HAL_Op<"channel.split"> {
  let summary = "The part of a channel whose participants name the same color";
  let arguments = (ins HAL_Channel:$channel, I32:$color, I32:$key, HAL_ChannelFlags:$flags);
  let results = (outs HAL_Channel:$result);
  let resultNames = [NamedAs<"result", "channel">];
  let assemblyFormat = [{
    `<` $channel `:` type($channel) `>`
    `color` `(` $color `)`
    `key` `(` $key `)`
    `flags` `(` $flags `)` `:` type($result) attr-dict-with-keyword
  }];
}

def HAL_ChannelRankAndCountOp : HAL_PureOp<"channel.rank_and_count"> {
  let summary = "Which participant of how many this one is";
  let arguments = (ins HAL_Channel:$channel);
  let results = (outs I32:$rank, I32:$count);
  let resultNames = [NamedAs<"rank", "ccl_rank">, NamedAs<"count", "ccl_count">];
  let assemblyFormat = [{
    `<` $channel `:` type($channel) `>` `:` type($rank) `,` type($count) attr-dict-with-keyword
  }];
}
