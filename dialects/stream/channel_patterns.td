// Folds of `stream.channel.*`.

def RankOfChannel
    : Fold<(Stream_ChannelRankOp (Stream_ChannelCreateOp ?, ?, Index:$rank, ?, ?)), [(fold $rank)]>;
def CountOfChannel
    : Fold<(Stream_ChannelCountOp (Stream_ChannelCreateOp ?, ?, ?, Index:$count, ?)),
           [(fold $count)]>;
