// The `func` dialect: functions and calls.

#ifndef TEGULA_FUNC_TD
#define TEGULA_FUNC_TD

include "tegula/OpBase.td"

def Func_Dialect : Dialect {
  let name = "func";
  let summary = "Functions and calls";
}

class Func_Op<string mnemonic, list<Trait> traits = []> : Op<Func_Dialect, mnemonic, traits>;

def FuncOp : Func_Op<"func", [
  AffineScope, AutomaticAllocationScope, CallableOpInterface, DefaultDialect<"func">,
  FunctionOpInterface, IsolatedFromAbove, Symbol
]> {
  let summary = "A function";
  let description = [{
    A symbol with a type and, unless it is declared only, a body whose entry block takes the
    arguments. Arguments and results may carry attributes.

    ```mlir
    func.func private @scale(%x: f32 {tegula.hint}) -> f32 {
      %y = arith.mulf %x, %x : f32
      return %y : f32
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       TypeAttrOf<FunctionType>:$function_type,
                       OptionalAttr<StrAttr>:$sym_visibility,
                       OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs,
                       UnitAttr:$no_inline);
  let regions = (region AnyRegion:$body);
  let customFormat = "func";
}

def CallOp : Func_Op<"call", [CallOpInterface, SymbolUserOpInterface]> {
  let summary = "Calls a function by its name";
  let arguments = (ins FlatSymbolRefAttr:$callee,
                       Variadic<AnyType>:$operands,
                       OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs,
                       UnitAttr:$no_inline);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = [{
    $callee `(` $operands `)` prop-dict attr-dict `:` functional-type($operands, results)
  }];
}

def CallIndirectOp : Func_Op<"call_indirect", [CallOpInterface]> {
  let summary = "Calls a function value";
  let arguments = (ins FunctionType:$callee,
                       Variadic<AnyType>:$callee_operands,
                       OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs);
  let results = (outs Variadic<AnyType>:$results);
  let customFormat = "call_indirect";
}

def ConstantOp : Func_Op<"constant", [ConstantLike, Pure, SymbolUserOpInterface]> {
  let summary = "A function as a value";
  let arguments = (ins FlatSymbolRefAttr:$value);
  let results = (outs FunctionType:$result);
  let assemblyFormat = "attr-dict $value `:` type($result)";
  let resultNames = [NamedAs<"result", "f">];
  let symbolVerifier = "constant";
}

def ReturnOp : Func_Op<"return", [
    HasParent<"func.func">, Pure, ReturnLike, FunctionReturn, Terminator]> {
  let summary = "Leaves a function with its results";
  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
}

#endif // TEGULA_FUNC_TD
