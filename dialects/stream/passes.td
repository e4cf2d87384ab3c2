// Passes of the `stream` dialect.

include "tegula/Passes.td"

def ConvertToStreamPass : Pass<"iree-stream-conversion", "builtin.module"> {
  let summary = "Tensors become resources, dispatches of tensors dispatches of resources";
  let description = [{
    Every tensor outside of executables becomes a resource and its size, in signatures, blocks and
    globals too. In executables dispatch tensors come from bindings. What a global is to others
    is decided global by global.
  }];
  let scope = Solved;
  let requires = ["executables", "devices"];
  let establishes = ["resources"];
  let body = Conversion<
    ["to-stream"],
    legal = ["stream"],
    illegal = ["flow", "tensor"],
    typeLegal = [
      "util.func", "util.return", "util.call", "util.initializer", "util.list.get",
      "util.list.set", "cf.br", "cf.cond_br", "cf.switch", "scf.for", "scf.if", "scf.while",
      "scf.yield", "scf.condition"
    ],
    converter = "stream",
    // Dispatches are outlined by now, and executables are not converted op by op.
    unconverted = [
      "flow.dispatch.*", "flow.executable*", "flow.return", "flow.tensor.tie_shape", "tensor.*"
    ]>;
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
  let body = GreedyRewrite<["encode-host-tensors"]>;
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
