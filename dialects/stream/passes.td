// Passes of the `stream` dialect.

include "tegula/Passes.td"

def ConvertToStreamPass : Pass<"iree-stream-conversion", "builtin.module"> {
  let summary = "Tensors become resources, dispatches of tensors dispatches of resources";
  let description = [{
    Every tensor outside of executables becomes a resource and its size. In executables dispatch
    tensors come from bindings.
  }];
  let requires = ["executables", "devices"];
  let establishes = ["resources"];
}

def SpecializeEncodingsPass : Pass<"iree-stream-specialize-encodings", "builtin.module"> {
  let summary = "Resolves encodings to the layouts that targets choose";
  let description = [{
    The layout of an encoded tensor is that of the device on which the op runs. Bindings in
    executables get the layouts of the device that dispatches them.
  }];
  let scope = Solved;
  let requires = ["resources"];
  let establishes = ["layouts"];
}

def EncodeHostTensorsPass : Pass<"iree-stream-encode-host-tensors", "util.func"> {
  let summary = "Computes the sizes of tensors and works on bytes from then on";
  let requires = ["layouts"];
}

def MaterializeEncodingsPass : Pass<"iree-stream-materialize-encodings", "builtin.module"> {
  let summary = "Makes executables of encoding ops";
  let description = [{
    An op that changes an encoding becomes a dispatch. Its executable is named by what it does, so
    that equal ones are one.
  }];
  let scope = Outline;
  let requires = ["layouts"];
  let establishes = ["async"];
}
