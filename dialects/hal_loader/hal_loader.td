// The `hal_loader` dialect: device code that is loaded at run time and called in place.

#ifndef TEGULA_HAL_LOADER_TD
#define TEGULA_HAL_LOADER_TD

include "tegula/OpBase.td"
include "arith/arith.td"
include "hal/hal.td"
include "hal_inline/hal_inline.td"
include "util/util.td"

def HALLoader_Dialect : Dialect {
  let name = "hal_loader";
  let summary = "Executables loaded at run time and called synchronously";
  let description = [{
    The companion of `hal_inline` for device code that is not part of the program itself: a module
    holds the code as data, loads it when the program starts, and calls its functions workgroup by
    workgroup on buffers in host memory.
  }];
}

class HALLoader_Op<string mnemonic, list<Trait> traits = []>
    : Op<HALLoader_Dialect, mnemonic, traits>;
class HALLoader_PureOp<string mnemonic, list<Trait> traits = []>
    : HALLoader_Op<mnemonic, !listconcat(traits, [Pure])>;

include "hal_loader/executable.td"
include "hal_loader/folds.td"
include "hal_loader/from_stream.td"
include "hal_loader/to_vm.td"
include "hal_loader/passes.td"

#endif // TEGULA_HAL_LOADER_TD
