// The `hal_inline` dialect: buffers and buffer views of the runtime in the host's own memory, where
// work is done at once by whoever asks for it.

#ifndef TEGULA_HAL_INLINE_TD
#define TEGULA_HAL_INLINE_TD

include "tegula/OpBase.td"
include "arith/arith.td"
include "hal/hal.td"
include "stream/stream.td"
include "util/util.td"

def HALInline_Dialect : Dialect {
  let name = "hal_inline";
  let summary = "Synchronous, host-local buffers with the interface of the runtime";
  let description = [{
    Keeps `!hal.buffer` and `!hal.buffer_view` at the border of the program, where callers see
    them, and does without devices, queues and waiting: all memory is the host's, and whatever is
    asked for has happened when the op is done. A HAL buffer is a handle; the bytes are in a
    `!util.buffer`, its storage. The ops become calls of a module of the runtime.
  }];
}

class HALInline_Op<string mnemonic, list<Trait> traits = []>
    : Op<HALInline_Dialect, mnemonic, traits>;
class HALInline_PureOp<string mnemonic, list<Trait> traits = []>
    : HALInline_Op<mnemonic, !listconcat(traits, [Pure])>;

include "hal_inline/buffer.td"
include "hal_inline/buffer_view.td"
include "hal_inline/device.td"
include "hal_inline/folds.td"
include "hal_inline/from_stream.td"
include "hal_inline/from_hal.td"
include "hal_inline/to_vm.td"
include "hal_inline/passes.td"

#endif // TEGULA_HAL_INLINE_TD
