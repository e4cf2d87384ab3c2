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

include "hal/types.td"
include "hal/attrs.td"
include "hal/flags.td"
include "hal/ops.td"
include "hal/constants.td"
include "hal/instrument.td"
include "hal/extern.td"
include "hal/buffer.td"
include "hal/allocator.td"
include "hal/fence.td"
include "hal/device.td"
include "hal/queue.td"
include "hal/channel.td"
include "hal/command_buffer.td"
include "hal/lookup.td"
include "hal/patterns.td"
include "hal/numbers.td"
include "hal/from_stream.td"
include "hal/from_commands.td"
include "hal/from_hal.td"
include "hal/to_stream.td"
include "hal/to_vm.td"
include "hal/commands_to_vm.td"
include "hal/device_to_vm.td"
include "hal/passes.td"
include "hal/topology.td"

#endif // TEGULA_HAL_TD
