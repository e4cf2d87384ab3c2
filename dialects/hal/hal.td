// The `hal` dialect: devices, executables and buffers as the runtime has them.

#ifndef TEGULA_HAL_TD
#define TEGULA_HAL_TD

include "tegula/OpBase.td"
include "stream/stream.td"
include "util/util.td"

def HAL_Dialect : Dialect {
  let name = "hal";
  let summary = "Devices, executables and buffers of the runtime";
  let description = [{
    What the program exchanges with its caller, what devices it may run on, and device code once it
    is bound to a target and an interface layout.
  }];
}

class HAL_Op<string mnemonic, list<Trait> traits = []> : Op<HAL_Dialect, mnemonic, traits>;
class HAL_PureOp<string mnemonic, list<Trait> traits = []>
    : HAL_Op<mnemonic, !listconcat(traits, [Pure])>;

include "types.td"
include "attrs.td"
include "flags.td"
include "ops.td"
include "constants.td"
include "instrument.td"
include "extern.td"
include "buffer.td"
include "allocator.td"
include "fence.td"
include "device.td"
include "queue.td"
include "channel.td"
include "command_buffer.td"
include "lookup.td"
include "patterns.td"
include "numbers.td"
include "from_stream.td"
include "from_commands.td"
include "from_hal.td"
include "to_stream.td"
include "to_vm.td"
include "commands_to_vm.td"
include "device_to_vm.td"
include "passes.td"
include "topology.td"

#endif // TEGULA_HAL_TD
