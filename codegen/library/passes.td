// Passes from machine instructions to what the runtime loads.

#ifndef TEGULA_LIBRARY_PASSES_TD
#define TEGULA_LIBRARY_PASSES_TD

include "tegula/OpBase.td"
include "tegula/Passes.td"

// Owns the passes; it has no ops.
def Library_Dialect : Dialect {
  let name = "executable_library";
  let summary = "Passes that make libraries of executables";
}

def SerializeTargetExecutablesPass
    : Pass<"iree-hal-serialize-target-executables", "hal.executable"> {
  let summary = "Machine instructions become binary libraries";
  let description = [{
    Each variant for `llvm-cpu` becomes a `hal.executable.binary` of the same name. It holds a shared
    object that needs nothing else, whose one symbol is the query function of IREE's interface for
    executables. An external assembler and linker make it.
  }];
}

def SerializeAllExecutablesPipeline : Pipeline<"iree-hal-serialize-all-executables", [{
  iree-hal-serialize-target-executables
}]> {
  let summary = "Machine instructions become binary libraries, target by target";
  let pass = "SerializeAllExecutablesPass";
}

#endif // TEGULA_LIBRARY_PASSES_TD
