// Constants of device code that the host computes before the code is loaded, and conditions.

def HAL_ExecutableConstantBlockOp : HAL_Op<"executable.constant.block", [
  ParentOneOf<["hal.executable.source", "hal.executable.variant"]>, IsolatedFromAbove
]> {
  let summary = "Computes constants of device code, each under a key";
  let description = [{
    The body takes the device, or nothing, and gives an `i32` for each key. Of a key that is there
    twice the first value counts.
  }];
  let arguments = (ins
    TypeAttrOf<FunctionType>:$function_type,
    ArrayAttr:$keys,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs
  );
  let regions = (region AnyRegion:$body);
  let customFormat = "constant_block";
  let verifier = "constant_block";
}

def HAL_ExecutableConstantLoadOp : HAL_PureOp<"executable.constant.load"> {
  let summary = "A constant that the host computed under a key";
  let arguments = (ins StrAttr:$key);
  let results = (outs AnyTypeOf<[Index, AnyInteger, AnyFloat]>:$result);
  let assemblyFormat = "$key attr-dict `:` type($result)";
}

def HAL_ExecutableConditionOp : HAL_Op<"executable.condition", [
  HasParent<"hal.executable.variant">, IsolatedFromAbove
]> {
  let summary = "Whether a device can run a variant";
  let arguments = (ins
    TypeAttrOf<FunctionType>:$function_type,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs
  );
  let regions = (region AnyRegion:$body);
  let customFormat = "executable_condition";
}

//===-- What code is like -------------------------------------------------------------------------

def OneConstantBlock
    : NativePattern<"canonicalize", HAL_ExecutableVariantOp, "hal_merge_constant_blocks">;
def ConstantBlockWithoutDevice
    : NativePattern<"canonicalize", HAL_ExecutableConstantBlockOp, "hal_drop_unused_device">;
def ConstantBlockOfKeys
    : NativePattern<"canonicalize", HAL_ExecutableConstantBlockOp, "hal_drop_duplicate_keys">;
// What may always be used needs no other in its place.
def ExportWithoutCondition
    : NativePattern<"canonicalize", HAL_ExecutableExportOp, "hal_drop_true_condition">;
