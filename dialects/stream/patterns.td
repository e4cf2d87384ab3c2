// Canonicalizations of `stream` ops: what has always been reached is not waited for.

include "tegula/Patterns.td"

def AllocaOfImmediate
    : NativePattern<"canonicalize", Stream_ResourceAllocaOp, "stream_no_immediate_wait">;
def DeallocaOfImmediate
    : NativePattern<"canonicalize", Stream_ResourceDeallocaOp, "stream_no_immediate_wait">;
def AsyncExecuteOfImmediate
    : NativePattern<"canonicalize", Stream_AsyncExecuteOp, "stream_no_immediate_wait">;
def CmdExecuteOfImmediate
    : NativePattern<"canonicalize", Stream_CmdExecuteOp, "stream_no_immediate_wait">;
def AwaitOfImmediate
    : NativePattern<"canonicalize", Stream_TimepointAwaitOp, "stream_no_immediate_await">;
def JoinOfPending
    : NativePattern<"canonicalize", Stream_TimepointJoinOp, "stream_join_of_pending">;
