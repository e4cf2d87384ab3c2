// Ops on fences.

def HAL_FenceCreateOp : HAL_Op<"fence.create", [MemoryEffects<[MemAlloc]>]> {
  let summary = "A fence that is not reached yet";
  let arguments = (ins HAL_Device:$device, HAL_FenceFlags:$flags);
  let results = (outs HAL_Fence:$result);
  let resultNames = [NamedAs<"result", "fence">];
  let assemblyFormat = [{
    `device` `(` $device `:` type($device) `)` `flags` `(` $flags `)` `:` type($result)
    attr-dict-with-keyword
  }];
}

def HAL_FenceJoinOp : HAL_Op<"fence.join"> {
  let summary = "A fence that is reached once all of these are";
  let arguments = (ins HAL_FenceFlags:$flags, Variadic<HAL_Fence>:$fences);
  let results = (outs HAL_Fence:$result);
  let resultNames = [NamedAs<"result", "fence">];
  let assemblyFormat = [{
    `at` `(` `[` $fences `]` `)` `flags` `(` $flags `)` `->` type($result) attr-dict-with-keyword
  }];
}

def HAL_FenceQueryOp : HAL_Op<"fence.query"> {
  let summary = "Whether a fence is reached, or why it never will be, as a status";
  let arguments = (ins HAL_Fence:$fence);
  let results = (outs I32:$status);
  let assemblyFormat = [{
    `<` $fence `:` type($fence) `>` `:` type($status) attr-dict-with-keyword
  }];
}
def HAL_FenceSignalOp : HAL_Op<"fence.signal"> {
  let summary = "The fence is reached";
  let arguments = (ins HAL_Fence:$fence);
  let assemblyFormat = "`<` $fence `:` type($fence) `>` attr-dict-with-keyword";
}
def HAL_FenceFailOp : HAL_Op<"fence.fail"> {
  let summary = "The fence will never be reached";
  let arguments = (ins HAL_Fence:$fence, I32:$status);
  let assemblyFormat = [{
    `<` $fence `:` type($fence) `>` `status` `(` $status `)` attr-dict-with-keyword
  }];
}

def HAL_FenceAwaitOp : HAL_Op<"fence.await"> {
  let summary = "Waits until all fences are reached; gives a status";
  let arguments = (ins I32:$timeout_millis, HAL_WaitFlags:$flags, Variadic<HAL_Fence>:$fences);
  let results = (outs I32:$status);
  let resultNames = [NamedAs<"status", "status">];
  let assemblyFormat = [{
    `until` `(` `[` $fences `]` `)`
    `timeout_millis` `(` $timeout_millis `)`
    `flags` `(` $flags `)` `:` type($status) attr-dict-with-keyword
  }];
}
