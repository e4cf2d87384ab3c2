// The `vmvx` dialect: device code that the host program runs itself.

#ifndef TEGULA_VMVX_TD
#define TEGULA_VMVX_TD

include "tegula/OpBase.td"
include "tegula/Passes.td"
include "arith/arith.td"
include "func/func.td"
include "hal/hal.td"
include "memref/memref.td"
include "util/util.td"

def VMVX_Dialect : Dialect {
  let name = "vmvx";
  let summary = "Device code on buffers of the host";
  let description = [{
    Owns the conversion of device code to functions that the host program can call: what a dispatch
    passes comes in as arguments, and memory is buffers of bytes. It has no ops of its own: loops
    and arithmetic are the host's, too.
  }];
  let dependentDialects = ["arith", "util"];
}

// Memory as it is a buffer of the host: elements one behind the other.
def VMVX_FlatMemRef
    : ConfinedType<MemRefRankOf<[AnyType], [0, 1]>, [HasPlainLayoutPred], "flat memref">;

def VMVX_Element : ConfinedType<VMVX_FlatMemRef, [HasRankOf<[0]>], "memref of one element">;

def VMVX_TypeConverter : TypeConverter<"vmvx", [(becomes VMVX_FlatMemRef, Util_BufferType)]>;

include "vmvx/from_memref.td"
include "vmvx/from_interface.td"
include "vmvx/passes.td"

#endif // TEGULA_VMVX_TD
