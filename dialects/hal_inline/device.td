// What the runtime tells about where the program runs.

def HALInline_DeviceQueryOp
    : HALInline_PureOp<"device.query", [AllTypesMatch<["value", "default_value"]>]> {
  let summary = "A setting of the runtime, and whether the runtime knows it";
  let description = [{
    Which settings there are depends on the target; the answer stays the same while the module is
    loaded. When the setting is not known the value is the default.
  }];
  let arguments = (ins StrAttr:$category, StrAttr:$key, OptionalAttr<AnyAttr>:$default_value);
  let results = (outs I1:$ok, AnyType:$value);
  let resultNames = [NamedAs<"ok", "ok">, NamedAs<"value", "value">];
  let assemblyFormat = [{
    `key` `(` $category `:` `` `:` $key `)` `:` type($ok) `,` type($value)
    (`=` $default_value^)? attr-dict-with-keyword
  }];
}
